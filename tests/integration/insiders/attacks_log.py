"""The log itself changed, cut, written anew and shown in two versions, with the key and without."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence

from coditect.engine.port import Transaction
from coditect.keyspace import seal
from coditect.schemas import LogHead, document_id_for
from coditect.transparency.checkpoints import Checkpoint, sign_checkpoint
from coditect.transparency.events import append_event, event_of
from coditect.transparency.notes import Note, SigningKey
from coditect.transparency.tiles import Tile
from coditect.transparency.tree import EMPTY_ROOT
from tests.corpora import CORPUS, copy_of
from tests.integration.insiders import attacks_rows
from tests.integration.insiders.scene import KEY, Scene, lived_once

LOG_TABLES = ("log/entries", "log/tiles", "log/heads", "log/checkpoints", "log/pending")

Log = Callable[[Scene], None]


def rows_of(scene: Scene, table: str) -> list[tuple[bytes, bytes]]:
    """The rows of a table of the log."""
    return [row for page in scene.store.pages(*scene.store.keys.bounds(table)) for row in page]


def entries_of(scene: Scene) -> list[bytes]:
    """Every entry, in order."""
    scene.log.sequence()
    return [entry for _, entry in scene.log.entries()]


def made_new(scene: Scene, entries: Sequence[bytes], *, signed: bool = True) -> None:
    """A log of these entries from its first one on, in the place of the genuine one; signed with a key that was stolen."""
    scene.update(*((key, None) for table in LOG_TABLES for key, _ in rows_of(scene, table)))
    relative = scene.store.keys.relative(scene.store.keys.key("log/pending"))

    def body(transaction: Transaction) -> None:
        for entry in entries:
            transaction.append(scene.store.keys.pending, seal(relative, entry))

    scene.store.update(body)
    scene.log.checkpoint(KEY) if signed else scene.log.sequence()


def set_row(scene: Scene, table: str, *place: int | str, data: bytes) -> None:
    """Write a row of the log with a right checksum."""
    key = scene.store.keys.key(table, *place)
    scene.update((key, seal(scene.store.keys.relative(key), data)))


def _index_of(scene: Scene, kind: str) -> int:
    return next(number for number, entry in enumerate(entries_of(scene)) if json.loads(entry)["kind"] == kind)


# without the key: what is signed stays, and no longer fits


def entry_reworded(scene: Scene) -> None:
    """An entry says another release."""
    index = _index_of(scene, "document")
    entry = entries_of(scene)[index]
    set_row(scene, "log/entries", index, data=entry.replace(b'"release"', b'"Release"'))


def entry_cut_out(scene: Scene) -> None:
    """An entry is not there."""
    scene.update((scene.store.keys.key("log/entries", _index_of(scene, "review")), None))


def entries_swapped(scene: Scene) -> None:
    """A decision stands before what it decides on."""
    entries = entries_of(scene)
    one, other = _index_of(scene, "generation"), _index_of(scene, "review")
    set_row(scene, "log/entries", one, data=entries[other])
    set_row(scene, "log/entries", other, data=entries[one])


def tail_cut(scene: Scene) -> None:
    """The last entries are gone, and the head says so; the checkpoint is left."""
    entries = entries_of(scene)
    note = scene.log.last_checkpoint()
    assert note is not None
    made_new(scene, entries[:-3], signed=False)
    set_row(scene, "log/checkpoints", len(entries), data=note.encode())


def head_put_back(scene: Scene) -> None:
    """The log is empty, says its head."""
    scene.log.sequence()
    set_row(scene, "log/heads", "events", data=LogHead(size=0, root=EMPTY_ROOT.hex()).payload())


def head_put_forward(scene: Scene) -> None:
    """The log is longer than its entries, says its head."""
    head = scene.log.sequence()
    set_row(scene, "log/heads", "events", data=head.model_copy(update={"size": head.size + 5}).payload())


def tile_changed(scene: Scene) -> None:
    """A hash of the tree is another."""
    scene.log.sequence()
    data = bytearray(scene.log._tile(Tile(0, 0, 1)))
    key = scene.store.keys.key("log/tiles", 0, 0)
    value = dict(rows_of(scene, "log/tiles"))[key]
    whole = bytearray(value[-scene.log.head().size * 32 :])
    whole[: len(data)] = bytes(len(data))
    set_row(scene, "log/tiles", 0, 0, data=bytes(whole))


def events_that_wait_removed(scene: Scene) -> None:
    """What happened since the last checkpoint is forgotten, before it has an index."""
    attacks_rows.failure_deleted(scene.store)
    event = event_of("failure cleared", CORPUS, subject=document_id_for(CORPUS, "broken.pdf"))
    scene.store.update(lambda transaction: append_event(transaction, scene.store.keys, event))
    scene.update(*((key, None) for key, _ in rows_of(scene, "log/pending")))


def checkpoint_of_a_stranger(scene: Scene) -> None:
    """The newest checkpoint is over another tree, signed by another key of the same name."""
    head = scene.log.sequence()
    other = SigningKey(KEY.name, bytes(32))
    note = sign_checkpoint(Checkpoint(KEY.name, head.size, bytes(32)), [other])
    set_row(scene, "log/checkpoints", head.size, data=note.encode())


def checkpoint_of_another_log(scene: Scene) -> None:
    """The newest checkpoint is another log's, with that log's valid signature."""
    head = scene.log.sequence()
    other = SigningKey("log.example.com/other", bytes([3] * 32))
    note = sign_checkpoint(Checkpoint(other.name, head.size, bytes.fromhex(head.root)), [other])
    set_row(scene, "log/checkpoints", head.size, data=note.encode())


def checkpoint_claims_more(scene: Scene) -> None:
    """The text of the newest checkpoint is changed under its signature."""
    head = scene.log.sequence()
    note = scene.log.last_checkpoint()
    assert note is not None
    text = Note.parse(note.encode())
    forged = Note(text.text.replace(f"\n{head.size}\n", f"\n{head.size + 1}\n"), text.signatures)
    set_row(scene, "log/checkpoints", head.size + 1, data=str(forged).encode())


def repeated(scene: Scene, kind: str) -> None:
    """The log tells something a second time."""
    entry = entries_of(scene)[_index_of(scene, kind)]
    relative = scene.store.keys.relative(scene.store.keys.key("log/pending"))
    scene.store.update(lambda transaction: transaction.append(scene.store.keys.pending, seal(relative, entry)))


def decision_repeated(scene: Scene) -> None:
    """A decision is logged twice."""
    repeated(scene, "review")


def signature_repeated(scene: Scene) -> None:
    """A signature is logged twice."""
    repeated(scene, "signature")


def generation_repeated(scene: Scene) -> None:
    """A generation is logged again, behind later ones."""
    repeated(scene, "generation")


def beginning_repeated(scene: Scene) -> None:
    """The corpus begins a second time."""
    repeated(scene, "corpus")


def failure_cleared_that_was_none(scene: Scene) -> None:
    """A file can be read of which nobody said that it could not."""
    event = event_of("failure cleared", CORPUS, subject=document_id_for(CORPUS, "never.pdf"))
    scene.store.update(lambda transaction: append_event(transaction, scene.store.keys, event))


def log_removed(scene: Scene) -> None:
    """There never was a log."""
    scene.log.sequence()
    scene.update(*((key, None) for table in LOG_TABLES for key, _ in rows_of(scene, table)))


def log_of_another_corpus(scene: Scene) -> None:
    """The entries of a corpus of another name in the place of its own."""
    from coditect.schemas import tag_of

    tag, other = tag_of(CORPUS).encode(), tag_of("others").encode()
    made_new(scene, [entry.replace(tag, other) for entry in entries_of(scene)])


# with the key: nothing in the store contradicts it


def tail_cut_and_signed(scene: Scene) -> None:
    """The last export and read never happened: they are gone, the log is shorter, and its checkpoint is signed."""
    entries = entries_of(scene)
    assert [json.loads(each)["kind"] for each in entries[-2:]] == ["export", "access"]
    made_new(scene, entries[:-2])


def failure_never_was(scene: Scene) -> None:
    """A file that could not be read stands neither in the rows nor in the log."""
    attacks_rows.failure_deleted(scene.store)
    subject = document_id_for(CORPUS, "broken.pdf").encode()
    made_new(scene, [entry for entry in entries_of(scene) if subject not in entry])


def decision_never_was(scene: Scene) -> None:
    """A decision that no generation applied yet stands neither in the rows nor in the log."""
    from coditect.schemas import RelevanceMark
    from tests.integration.insiders.attacks_people import first, remove

    gone = first(scene.store, RelevanceMark)
    remove(scene.store, gone)
    made_new(scene, [entry for entry in entries_of(scene) if gone.item_id.encode() not in entry])


def generation_backdated_everywhere(scene: Scene) -> None:
    """A generation is older in its row and in the log."""
    import hashlib

    before = attacks_rows.last_generation(scene.store)
    old = hashlib.sha256(before.payload()).hexdigest().encode()
    attacks_rows.generation_backdated(scene.store)
    new = hashlib.sha256(attacks_rows.last_generation(scene.store).payload()).hexdigest().encode()
    entries = [entry.replace(old, new) for entry in entries_of(scene)]
    made_new(scene, entries)


def order_of_the_log_changed(scene: Scene) -> None:
    """The key of who signed was registered before they came: entries in another order, under a tree of their own."""
    entries = entries_of(scene)
    moved = _index_of(scene, "policy")
    made_new(scene, [entries[0], entries[moved], *entries[1:moved], *entries[moved + 1 :]])


def older_copy(scene: Scene) -> None:
    """The whole store as it was before the last act, with its own checkpoint of that day."""
    copy = copy_of(lived_once())
    event = event_of("export", CORPUS, subject="of the honest store")
    scene.update(*((key, None) for page in scene.store.pages(*scene.store.keys.space) for key, _ in page))
    rows = [row for page in copy.pages(*copy.keys.space) for row in page]
    scene.update(*rows)
    assert event.corpus
    entries = entries_of(scene)
    made_new(scene, entries[:-1])
    key = scene.store.keys.key("log/acts", json.loads(entries[-1])["sha256"])
    scene.update((key, None))


def other_history_shown(scene: Scene) -> None:
    """A split view: the auditor is shown a log that goes on otherwise than that which the witness saw."""
    made_new(scene, [*entries_of(scene)[:-2], *entries_of(scene)[-1:]])
    for number in range(4):
        event = event_of("failure cleared", "another", subject=str(number))
        scene.store.update(lambda transaction, event=event: append_event(transaction, scene.store.keys, event))  # type: ignore[misc]


WITHOUT_KEY: tuple[Log, ...] = (
    *(entry_reworded, entry_cut_out, entries_swapped, tail_cut, head_put_back, head_put_forward, tile_changed),
    *(events_that_wait_removed, checkpoint_of_a_stranger, checkpoint_of_another_log, checkpoint_claims_more),
    *(decision_repeated, signature_repeated, generation_repeated, beginning_repeated, failure_cleared_that_was_none),
    *(log_removed, log_of_another_corpus),
)
WITH_KEY: tuple[Log, ...] = (
    *(tail_cut_and_signed, failure_never_was, decision_never_was, generation_backdated_everywhere),
    *(order_of_the_log_changed, older_copy, other_history_shown),
)
