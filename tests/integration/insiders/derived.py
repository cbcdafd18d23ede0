"""Attacks on what follows from a corpus: stored vectors, and the events that replicas follow."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from coditect.schemas import Derivation, FeedEvent, Generation
from coditect.store.acts.events import event_payload, head_row, seal_event
from coditect.store.store import Store
from coditect.store.view import open_view
from tests.integration.insiders.hands import Hands
from tests.integration.insiders.lived import CORPUS, embedder
from tests.integration.insiders.tiers import ACCESS, INCIDENT

__all__ = [
    "beginning_is_of_an_earlier_release",
    "blocks",
    "changed_rows",
    "edit_feed",
    "feed_events_of_ingests_are_swapped",
    "feed_loses_an_ingest",
    "feed_tells_of_an_ingest_that_never_was",
    "feed_tells_of_another_build",
    "feed_tells_of_another_time",
    "feed_tells_of_other_counts",
    "generation_is_backdated_with_its_feed",
    "put_block",
    "vector_is_changed",
    "vectors_are_deleted",
    "vectors_are_negated",
    "vectors_are_planted",
    "vectors_of_two_documents_are_swapped",
]

HEADER_BYTES = 8

Rows = np.ndarray[tuple[int, ...], np.dtype[np.float16]]


def blocks(store: Store, document_id: str = "") -> list[tuple[Derivation, bytes]]:
    """The derivations of vectors of a document in the current generation, or of all of them, with their blocks."""
    view = open_view(store, CORPUS)
    entries = [view.entries[document_id]] if document_id else view.entries.values()
    steps = {step for entry in entries for step in entry.steps}
    found = (each for _, each in store.scan("derivations", Derivation, CORPUS) if each.stage == "vectors")
    made = []
    for each in sorted(found, key=lambda step: step.derivation_id):
        if each.inputs[0] in steps:
            digest, _, size = each.outputs[0].partition(":")
            made.append((each, store.get_blob(CORPUS, digest, int(size))))
    return made


def put_block(store: Store, step: Derivation, block: bytes) -> None:
    """Another block under the derivation, whose record names it by its SHA-256."""
    digest = store.put_blob(CORPUS, block)
    store.put_derivations([step.model_copy(update={"outputs": (f"{digest}:{len(block)}",)})])


def changed_rows(block: bytes, change: Callable[[Rows], object]) -> bytes:
    """A block whose rows, shape (items, dimension), were changed in place."""
    count = int.from_bytes(block[:4], "little")
    begin = HEADER_BYTES + 4 * count
    rows = np.frombuffer(block[begin:], "<f2").reshape(count, -1).copy()
    change(rows)
    return block[:begin] + rows.tobytes()


def vector_is_changed(hands: Hands) -> None:
    """The first unit of a document means what another one means: a question finds something else."""
    step, block = next(each for each in blocks(hands.store, ACCESS) if int.from_bytes(each[1][:4], "little") > 1)

    put_block(hands.store, step, changed_rows(block, lambda rows: np.negative(rows[0], out=rows[0])))


def vectors_are_negated(hands: Hands) -> None:
    """Nothing of a document is near any question any more."""
    for step, block in blocks(hands.store, ACCESS):
        put_block(hands.store, step, changed_rows(block, lambda rows: np.negative(rows, out=rows)))


def vectors_of_two_documents_are_swapped(hands: Hands) -> None:
    """What one document means is found in the other."""
    for (mine, own), (other, theirs) in zip(blocks(hands.store, ACCESS), blocks(hands.store, INCIDENT), strict=True):
        put_block(hands.store, mine, theirs)
        put_block(hands.store, other, own)


def vectors_are_deleted(hands: Hands) -> None:
    """The next question makes them again."""
    for step, _ in blocks(hands.store, ACCESS):
        hands.drop(step)


def vectors_are_planted(hands: Hands) -> None:
    """Vectors by a model that nobody ran, for the day on which it is configured."""
    step, block = blocks(hands.store, ACCESS)[0]
    made = Derivation.create(
        CORPUS, "vectors", step.inputs, "hashing@111111111111", step.parameters, step.code_version, step.outputs
    )
    assert made.method != embedder().card.model_id
    put_block(hands.store, made, changed_rows(block, lambda rows: np.negative(rows, out=rows)))


def beginning_is_of_an_earlier_release(hands: Hands) -> None:
    """Vectors and an ingest are planted, and the log says that it began under a release that told of neither."""
    vectors_are_planted(hands)
    feed_tells_of_an_ingest_that_never_was(hands)
    entries = [{**each, "$record": "log_event/1"} if each["kind"] == "corpus" else each for each in hands.entries()]
    hands.begin_log(entries)


# the feed


def edit_feed(hands: Hands, change: Callable[[int, FeedEvent], FeedEvent | None]) -> None:
    """Change the events of the feed, or remove those that come to None; the head is that of the last one."""
    number = 0
    for page in hands.store.pages(*hands.keys.bounds("feed", CORPUS)):
        for key, value in page:
            number += 1
            payload = event_payload(hands.keys, CORPUS, value)
            event = FeedEvent.parse(payload)
            fresh = change(number, event)
            if fresh is None:
                hands.clear_rows(key)
            elif fresh != event:
                sealed = seal_event(hands.keys, fresh)
                hands.set_rows((key, sealed), head_row(hands.keys, CORPUS, sealed))


def _ingests(hands: Hands) -> dict[int, FeedEvent]:
    found: dict[int, FeedEvent] = {}

    def look(number: int, event: FeedEvent) -> FeedEvent:
        if event.event == "ingested":
            found[number] = event
        return event

    edit_feed(hands, look)
    return found


def feed_loses_an_ingest(hands: Hands) -> None:
    """What replicas follow does not tell of an ingest."""
    first = min(_ingests(hands))
    edit_feed(hands, lambda number, event: None if number == first else event)


def feed_tells_of_an_ingest_that_never_was(hands: Hands) -> None:
    """An event more at the end."""
    event = FeedEvent(corpus_id=CORPUS, event="ingested", at="2026-01-08T12:00:00Z", counts={"added": 3})
    sealed = seal_event(hands.keys, event)
    hands.store.update(lambda transaction: transaction.append(hands.keys.feed(CORPUS), sealed))
    hands.set_rows(head_row(hands.keys, CORPUS, sealed))


def feed_tells_of_other_counts(hands: Hands) -> None:
    """An ingest took in fewer files than it did."""
    first = min(_ingests(hands))
    edit_feed(hands, lambda n, event: event.model_copy(update={"counts": {"added": 1}}) if n == first else event)


def feed_events_of_ingests_are_swapped(hands: Hands) -> None:
    """Two ingests change their places."""
    held = _ingests(hands)
    one, two = sorted(held)[:2]
    places = {one: held[two], two: held[one]}
    edit_feed(hands, places.get)


def feed_tells_of_another_build(hands: Hands) -> None:
    """Replicas are told of a build that is not there."""
    last = hands.store.corpus(CORPUS).build_id
    other = last[:-1] + ("0" if last[-1] != "0" else "1")
    edit_feed(hands, lambda n, event: event.model_copy(update={"build_id": other}) if event.build_id == last else event)


def feed_tells_of_another_time(hands: Hands) -> None:
    """The event of a generation says that it was published years ago."""
    _backdate(hands)


def _backdate(hands: Hands) -> None:
    time = "2020-01-01T00:00:00Z"
    edit_feed(hands, lambda n, event: event.model_copy(update={"at": time}) if event.generation == 3 else event)


def generation_is_backdated_with_its_feed(hands: Hands) -> None:
    """A generation says so, too, and the corpus."""
    _backdate(hands)
    found = hands.first("generations", Generation, generation=3)
    hands.write(found.model_copy(update={"created_at": "2020-01-01T00:00:00Z"}))
    corpus = hands.store.corpus(CORPUS)
    hands.write(corpus.model_copy(update={"tier4_generated_at": "2020-01-01T00:00:00Z"}))
