"""Attacks on the log itself: entries cut, inserted, moved; checkpoints removed and lent; two histories; other tenants' entries."""

from __future__ import annotations

import json
from typing import Any

from coditect.engine.port import Transaction
from coditect.keyspace import Keyspace, unseal
from coditect.knowledge.ingest.intake import ingest
from coditect.schemas import Failure, LogHead, canonical_json, document_id_for
from coditect.store.store import Store
from coditect.testing.engine.memory import MemoryEngine
from coditect.transparency.checkpoints import Checkpoint, open_checkpoint, sign_checkpoint
from coditect.transparency.cosignatures import message_at
from coditect.transparency.events import append_event, event_of
from coditect.transparency.merkle.tree import EMPTY_ROOT
from coditect.transparency.notes import Note, Signature, SigningKey
from coditect.transparency.sequencer import TransparencyLog
from coditect.transparency.witness.judgement import witness_key
from tests.corpora import copy_of, folder_of
from tests.integration.insiders.hands import Hands
from tests.integration.insiders.lived import CORPUS, KEY, at
from tests.integration.insiders.watchers import WITNESS

OTHER = SigningKey("log.example.com/other", bytes([3] * 32))
"""The key of another log."""

SAME_NAME = SigningKey(KEY.name, bytes([4] * 32))
"""A key that the insider made under the log's name."""


def put_head(hands: Hands, size: int, root: bytes) -> None:
    hands.put(hands.keys.key("log/heads", "events"), LogHead(size=size, root=root.hex()).payload())


def drop_checkpoints(hands: Hands) -> None:
    begin, end = hands.keys.bounds("log/checkpoints")
    hands.store.update(lambda transaction: transaction.clear_range(begin, end))


def put_checkpoint(hands: Hands, size: int, note: str) -> None:
    hands.put(hands.keys.key("log/checkpoints", size), note.encode())


def _root(hands: Hands, size: int) -> bytes:
    from coditect.transparency.merkle.tree import leaf_hash, root_of_hashes

    return root_of_hashes([leaf_hash(entry) for _, entry in hands.log.entries(0, size)])


def _told_less(hands: Hands) -> list[dict[str, Any]]:
    """The entries without what tells of a failure, whose row goes, too."""
    hands.store.remove("failures", CORPUS, "broken.pdf")
    subject = document_id_for(CORPUS, "broken.pdf")
    return [each for each in hands.entries() if each.get("subject") != subject]


# without the key


def entry_is_rewritten(hands: Hands) -> None:
    """One entry in place, under unchanged tiles."""
    entry = dict(hands.log.entries(2, 3))[2]
    hands.put(hands.keys.key("log/entries", 2), entry.replace(b"2026-01", b"2025-01"))


def entry_is_deleted(hands: Hands) -> None:
    """One entry is gone from the middle."""
    hands.clear_rows(hands.keys.key("log/entries", 5))


def entries_are_swapped(hands: Hands) -> None:
    """Two entries change their places."""
    one, two = (dict(hands.log.entries(each, each + 1))[each] for each in (3, 4))
    hands.put(hands.keys.key("log/entries", 3), two)
    hands.put(hands.keys.key("log/entries", 4), one)


def tail_is_cut(hands: Hands) -> None:
    """The last entries are gone, with head and tiles as they were before; the signed checkpoint stays."""
    entries = [canonical_json(each) for each in hands.entries()][:-5]
    notes = hands.log.last_checkpoint() or ""
    hands.begin_log(entries, None)
    put_checkpoint(hands, Checkpoint.parse(Note.parse(notes.encode()).text).size, notes)


def tail_is_cut_with_its_checkpoints(hands: Hands) -> None:
    """The same, back to an earlier checkpoint that the log's key signed; the last rows go, too."""
    earlier = Checkpoint.parse(Note.parse(hands.lived.kept_earlier.encode()).text)
    _put_back(hands)
    assert hands.log.head().size == earlier.size


def head_is_set_back(hands: Hands) -> None:
    """The log says that it is empty."""
    put_head(hands, 0, EMPTY_ROOT)


def head_has_another_root(hands: Hands) -> None:
    """The log says that its tree is another one."""
    put_head(hands, hands.log.head().size, bytes(32))


def tile_is_changed(hands: Hands) -> None:
    """A hash of the tree is another one."""
    key = hands.keys.key("log/tiles", 0, 0)
    value = hands.store.engine.read(lambda transaction: transaction.get(key))
    assert value is not None
    data = bytearray(unseal(hands.keys.relative(key), value)[1])
    data[3 * 32] ^= 1
    hands.put(key, bytes(data))


def log_is_removed(hands: Hands) -> None:
    """There is no log, and never was."""
    hands.clear_log()


def log_is_rewritten_without_the_key(hands: Hands) -> None:
    """A log that tells of one failure less, unsigned; the newest checkpoint stays."""
    last = hands.log.last_checkpoint() or ""
    size = Checkpoint.parse(Note.parse(last.encode()).text).size
    hands.begin_log(_told_less(hands), None)
    put_checkpoint(hands, size, last)


def log_is_signed_with_a_key_of_that_name(hands: Hands) -> None:
    """A log that tells of one failure less, signed with a key that the insider made under the log's name."""
    hands.begin_log(_told_less(hands), SAME_NAME)


def checkpoint_of_another_log(hands: Hands) -> None:
    """The newest checkpoint is that of another log of the same entries, by another key."""
    head = hands.log.head()
    drop_checkpoints(hands)
    note = sign_checkpoint(Checkpoint(OTHER.name, head.size, bytes.fromhex(head.root)), [OTHER])
    put_checkpoint(hands, head.size, note)


def checkpoint_lends_the_signature_of_another_origin(hands: Hands) -> None:
    """The log's own key signed for another origin: the note says another log."""
    head = hands.log.head()
    drop_checkpoints(hands)
    note = sign_checkpoint(Checkpoint(OTHER.name, head.size, bytes.fromhex(head.root)), [KEY])
    put_checkpoint(hands, head.size, note)


def signature_of_an_earlier_checkpoint(hands: Hands) -> None:
    """A log that tells of one failure less, under a checkpoint that has the signature of a genuine one."""
    last = Note.parse((hands.log.last_checkpoint() or "").encode())
    hands.begin_log(_told_less(hands), None)
    head = hands.log.head()
    text = Checkpoint(KEY.name, head.size, bytes.fromhex(head.root)).text
    put_checkpoint(hands, head.size, str(Note(text, last.signatures)))


def event_is_repeated(hands: Hands) -> None:
    """What was decided is logged a second time."""
    hands.append(next(each for each in hands.entries() if each["kind"] == "review"))


def generation_is_told_again(hands: Hands) -> None:
    """The generation is logged once more, as if it were later than what came meanwhile."""
    hands.append(next(each for each in hands.entries() if each["kind"] == "generation"))


def beginning_is_told_again(hands: Hands) -> None:
    """The corpus begins a second time, so that what was before would not count."""
    hands.append(hands.entries()[0])


def waiting_events_are_removed(hands: Hands) -> None:
    """A document was taken in, and its event is gone before it gets an index; the document stays."""
    import tempfile
    from pathlib import Path

    with tempfile.TemporaryDirectory() as place:
        folder = folder_of(Path(place), {"new.md": "# New\n\nStaff shall lock screens.\n"})
        ingest(hands.store, CORPUS, [folder], clock=lambda: at(9), jobs=1)
    begin, end = hands.keys.bounds("log/pending")
    hands.store.update(lambda transaction: transaction.clear_range(begin, end))


def events_are_entered_backwards(hands: Hands) -> None:
    """A failure is planted today with an event that says that it was years ago: told as out of time, and no contradiction."""
    failure = Failure(corpus_id=CORPUS, name="planted.pdf", error="ReadError", message="it is empty")
    hands.write(failure)
    event = event_of(
        "failure", CORPUS, failure, subject=document_id_for(CORPUS, failure.name), at="2020-01-01T00:00:00Z"
    )
    hands.store.update(lambda transaction: append_event(transaction, hands.keys, event))


# with the log's key


def log_is_rewritten_from_the_middle(hands: Hands) -> None:
    """A failure was never there: rows, log and the newest checkpoint agree."""
    hands.begin_log(_told_less(hands))


def log_is_rewritten_and_is_longer(hands: Hands) -> None:
    """The same, and it is longer than it was."""
    entries = _told_less(hands)
    hands.begin_log(entries)
    for number in range(3):
        event = event_of("document", "another corpus", subject=str(number))
        hands.store.update(lambda transaction, event=event: append_event(transaction, hands.keys, event))  # type: ignore[misc]
    hands.log.checkpoint(KEY)


def entry_is_inserted_in_the_middle(hands: Hands) -> None:
    """A failure that was planted is told of where it would have been: the order is falsified."""
    failure = Failure(corpus_id=CORPUS, name="planted.pdf", error="ReadError", message="it is empty")
    hands.write(failure)
    entries = hands.entries()
    event = event_of("failure", CORPUS, failure, subject=document_id_for(CORPUS, failure.name), at=at(1))
    from coditect.transparency.events import entry_of

    hands.begin_log([*entries[:3], json.loads(entry_of(event)), *entries[3:]])


def entries_are_reordered_and_signed(hands: Hands) -> None:
    """A document is logged behind the generation that cites it, or the other way round."""
    entries = hands.entries()
    number = next(n for n, each in enumerate(entries) if each["kind"] == "document")
    hands.begin_log([*entries[:number], *entries[number + 1 :], entries[number]])


def times_are_backdated_and_signed(hands: Hands) -> None:
    """Every entry says that it was a year earlier."""
    dated = [
        {**each, **({"at": each["at"].replace("2026", "2025")} if "at" in each else {})} for each in hands.entries()
    ]
    hands.begin_log(dated)


def older_copy_of_the_store(hands: Hands) -> None:
    """The whole store as it was, with its log and its checkpoint of then."""
    _put_back(hands)


def _put_back(hands: Hands) -> None:
    hands.store = copy_of(hands.lived.earlier)


def older_copy_that_went_on(hands: Hands) -> None:
    """The same, and life goes on from there: more entries than there were, signed."""
    _put_back(hands)
    for number in range(40):
        event = event_of("document", "another corpus", subject=str(number))
        hands.store.update(lambda transaction, event=event: append_event(transaction, hands.keys, event))  # type: ignore[misc]
    hands.log.checkpoint(KEY)


def split_view(hands: Hands) -> None:
    """Another history from the same beginning, of the same length, signed with the same key: for another reader."""
    entries = hands.entries()
    hands.store.remove("failures", CORPUS, "broken.pdf")
    other = event_of("failure cleared", CORPUS, subject=document_id_for(CORPUS, "broken.pdf"), at=at(8))
    from coditect.transparency.events import entry_of

    like = next(n for n, each in enumerate(entries) if each["kind"] == "access")
    hands.begin_log([*entries[:like], json.loads(entry_of(other)), *entries[like + 1 :]])
    for page in hands.store.pages(*hands.keys.bounds("log/acts")):
        hands.clear_rows(*(key for key, value in page if b'"access"' in unseal(hands.keys.relative(key), value)[1]))


def checkpoint_of_no_log(hands: Hands) -> None:
    """A checkpoint over a root that nobody computed, signed with the log's key."""
    size = hands.log.head().size + 5
    put_checkpoint(hands, size, sign_checkpoint(Checkpoint(KEY.name, size, bytes([7] * 32)), [KEY]))


# entries and corpora of others


def entries_of_another_tenant(hands: Hands) -> None:
    """The entries of another tenant, who has a corpus of the same name, are copied into the log."""
    _, other = other_tenant()
    for _, entry in other.entries():
        hands.append(entry)


def corpus_of_another_tenant(hands: Hands) -> None:
    """The rows of another tenant's corpus take the place of this one's; the log stays."""
    store, _ = other_tenant()
    _copied(store, hands, CORPUS)


def corpus_beside_the_log(hands: Hands) -> None:
    """This tenant's log is gone, and the rows stand: as a store that is older than its log."""
    hands.begin_log([])


def other_tenant() -> tuple[Store, TransparencyLog]:
    """A tenant with a corpus of the same name and other documents, sequenced."""
    import tempfile
    from pathlib import Path

    from coditect.knowledge.building.pipeline import build
    from tests.corpora import MODELS, SETTINGS

    store = Store(MemoryEngine(), "another")
    with tempfile.TemporaryDirectory() as place:
        folder = folder_of(Path(place), {"own.md": "# Policy\n\nNobody must do anything at all here.\n"})
        ingest(store, CORPUS, [folder], clock=lambda: at(2), jobs=1)
    build(store, CORPUS, SETTINGS, clock=lambda: at(2), jobs=1, models=MODELS)
    log = TransparencyLog(store.engine, store.keys)
    log.sequence()
    return store, log


def _copied(source: Store, hands: Hands, corpus_id: str) -> None:
    """Every row of a corpus from one tenant to another, in the place of what is there."""
    from coditect.keyspace import LAYOUT

    mine: Keyspace = hands.keys
    for table, layout in LAYOUT.items():
        if table.startswith("log/") or layout.corpus_field is None or layout.transient:
            continue
        begin, end = mine.bounds(table, corpus_id) if layout.corpus_field == 0 else mine.bounds(table)
        if table == "corpus":
            begin = mine.key(table, corpus_id)
            end = begin + b"\x00"

        def clear(transaction: Transaction, begin: bytes = begin, end: bytes = end) -> None:
            transaction.clear_range(begin, end)

        hands.store.update(clear)
        begin, end = source.keys.bounds(table)
        for page in source.pages(begin, end):
            hands.set_rows(*((mine.prefix + key[len(source.keys.prefix) :], value) for key, value in page))


# what others gave


def cosignature_is_replayed(hands: Hands) -> None:
    """A witness' cosignature on another checkpoint is put on the newest one."""
    before = Note.parse(hands.lived.kept_earlier.encode())
    key, time_s = witness_key(WITNESS), 1_800_000_000
    given = Signature(
        key.name, key.key_id, time_s.to_bytes(8, "big") + WITNESS.sign(message_at(before.text.encode(), time_s))
    )
    last = Note.parse((hands.log.last_checkpoint() or "").encode())
    put_checkpoint(hands, Checkpoint.parse(last.text).size, str(Note(last.text, (*last.signatures, given))))


def opened(note: str) -> Checkpoint:
    """A checkpoint of the log, its signature checked."""
    return open_checkpoint(note.encode(), [KEY.key]).checkpoint
