"""A log as it is read: entries from and to, what waits, what is signed at which size, and what is kept between proofs."""

from __future__ import annotations

import hashlib
import json
from functools import partial
from typing import Any

import pytest

from coditect.engine.port import Transaction
from coditect.errors import Corrupt, InvalidProof, NotFound, UsageError
from coditect.keyspace import seal, seal_compressed
from coditect.schemas import Corpus, LogAct, LogPrincipal
from coditect.store.store import Store
from coditect.transparency.checkpoints import Checkpoint
from coditect.transparency.events import (
    NOBODY,
    act_at,
    append_act,
    append_event,
    append_event_once,
    entry_of,
    event_of,
    principal_named,
    principal_of,
)
from coditect.transparency.log import is_signed_by
from coditect.transparency.merkle.stored import StoredTiles
from coditect.transparency.merkle.tiles import OpenedTile, Tile
from coditect.transparency.merkle.tree import EMPTY_ROOT, TreeFold, leaf_hash, root_of_hashes
from coditect.transparency.notes import Note, SigningKey
from coditect.transparency.sequencer import TransparencyLog

KEY = SigningKey("log.example.com/tests", bytes(range(32)))


def _fill(store: Store, count: int, first: int = 0) -> None:
    def body(transaction: Transaction) -> None:
        for each in range(first, first + count):
            append_event(transaction, store.keys, event_of("document", "c", subject=str(each)))

    store.update(body)


def _log(store: Store, count: int) -> TransparencyLog:
    _fill(store, count)
    log = TransparencyLog(store.engine, store.keys)
    log.sequence()
    return log


def _subject(entry: bytes) -> int:
    return int(json.loads(entry)["subject"])


def test_entries_are_read_from_and_to_an_index(memory: Store) -> None:
    """In order, page by page; behind the end there are none."""
    log = _log(memory, 600)
    for first, last in ((0, None), (0, 0), (0, 1), (5, 5), (5, 6), (255, 513), (256, 512), (599, None), (600, None)):
        wanted = list(range(600))[first:last]
        found = [(index, _subject(entry)) for index, entry in log.entries(first, last)]
        assert found == [(each, each) for each in wanted], (first, last)
    assert [index for index, _ in log.entries()] == list(range(600))


@pytest.mark.parametrize("count", [0, 1, 256, 257, 600])
def test_what_waits_is_counted_and_in_the_order_of_its_coming(memory: Store, count: int) -> None:
    """It has no index yet, and does not lengthen the log."""
    log = _log(memory, 3)
    _fill(memory, count)
    assert [_subject(each) for each in log.waiting()] == list(range(count))
    assert (log.waiting_count(), log.head().size) == (count, 3)


@pytest.mark.parametrize(("count", "batches"), [(0, 0), (1, 1), (256, 1), (257, 2), (513, 3)])
def test_what_waits_is_taken_in_batches(
    memory: Store, monkeypatch: pytest.MonkeyPatch, count: int, batches: int
) -> None:
    """Of 256, each in one transaction, and no transaction for nothing."""
    _fill(memory, count)
    ran: list[object] = []
    run = memory.engine.run

    def noted(body: Any) -> Any:  # noqa: ANN401 - as the engine's
        ran.append(body)
        return run(body)

    monkeypatch.setattr(memory.engine, "run", noted)
    TransparencyLog(memory.engine, memory.keys).sequence()
    assert len(ran) == batches


def test_an_empty_log_has_a_head_and_nothing_else(memory: Store) -> None:
    """The root of the tree without leaves."""
    log = _log(memory, 0)
    assert (log.head().size, log.head().root) == (0, EMPTY_ROOT.hex())
    assert (list(log.entries()), list(log.waiting()), log.last_checkpoint(), log.timestamps(0)) == ([], [], None, [])
    assert log.is_new_key(KEY.key)


def test_a_key_is_new_until_it_signed_the_newest_checkpoint(memory: Store) -> None:
    """Another of the same name is another."""
    log = _log(memory, 2)
    log.checkpoint(KEY)
    assert not log.is_new_key(KEY.key)
    other = SigningKey(KEY.name, bytes(32))
    assert log.is_new_key(other.key)
    signatures = Note.parse((log.last_checkpoint() or "").encode()).signatures
    assert is_signed_by(signatures, KEY.key)
    assert not is_signed_by(signatures, SigningKey("log.example.com/other", KEY.seed).key)
    assert not is_signed_by((), KEY.key)
    log.checkpoint(other)
    assert (log.is_new_key(KEY.key), log.is_new_key(other.key)) == (True, False)


def test_the_newest_checkpoint_is_the_last_and_not_the_longest_number(memory: Store) -> None:
    """Of sizes 9, 10 and 300, the last is that of 300."""
    log = _log(memory, 9)
    for more in (0, 1, 290):
        _fill(memory, more)
        note = log.checkpoint(KEY)
        assert log.last_checkpoint() == note
    assert Checkpoint.parse(Note.parse(note.encode()).text).size == 300


def test_a_log_continues_what_it_was_and_nothing_longer(memory: Store) -> None:
    """Of the empty log nothing follows; as long as it was, it is what it was."""
    log = _log(memory, 5)
    root = bytes.fromhex(log.head().root)
    log.require_continues(Checkpoint(KEY.name, 0, bytes(32)))
    log.require_continues(Checkpoint(KEY.name, 5, root))
    for size, other, says in ((6, root, "shorter"), (5, bytes(32), "differ"), (4, root, "begin"), (1, root, "begin")):
        with pytest.raises(InvalidProof, match=says):
            log.require_continues(Checkpoint(KEY.name, size, other))


@pytest.mark.parametrize("index", [-1, 3, 4])
def test_an_entry_that_no_checkpoint_holds_is_not_proven(memory: Store, index: int) -> None:
    """Whether it is there or not: what is not signed yet, what will never be; alone and beside others, now and again."""
    log = _log(memory, 3)
    note = log.checkpoint(KEY)
    _fill(memory, 1)
    log.sequence()
    for indexes in ([index], [0, index], [index, 0]):
        for checkpoint in (None, note, None):
            with pytest.raises(NotFound, match="no signed checkpoint"):
                log.proofs(indexes, checkpoint)
            assert len(log.proofs([0, 1, 2], checkpoint)) == 3


@pytest.mark.parametrize(
    ("first", "second", "whole"), [(1, 5, True), (5, 5, True), (1, 6, False), (4, 3, False), (0, 3, False)]
)
def test_consistency_is_of_sizes_that_the_log_had(memory: Store, first: int, second: int, whole: bool) -> None:
    """Not of what it will be, nor backwards, nor from nothing."""
    log = _log(memory, 5)
    if whole:
        assert bool(log.consistency(first, second)) is (first != second)
    else:
        with pytest.raises(UsageError):
            log.consistency(first, second)


def test_time_stamps_are_kept_once_in_their_order(memory: Store) -> None:
    """At their size; the third is behind the second."""
    log = _log(memory, 3)
    for token in (b"b", b"a", b"b", b"c", b"a"):
        log.add_timestamp(3, token)
    log.add_timestamp(2, b"z")
    assert (log.timestamps(3), log.timestamps(2), log.timestamps(1)) == ([b"b", b"a", b"c"], [b"z"], [])


@pytest.mark.parametrize(
    ("length", "there"), [(64, True), (96, True), (63, False), (32, False), (0, False), (None, False)]
)
def test_a_tile_is_as_long_as_its_size_calls_for(memory: Store, length: int | None, there: bool) -> None:
    """What is behind is of a longer log; what is missing is said."""
    key = memory.keys.key("log/tiles", 0, 0)
    data = bytes(range(length or 0))
    if length is not None:
        memory.update(lambda t: t.set(key, seal_compressed(memory.keys.relative(key), data)))
    log = TransparencyLog(memory.engine, memory.keys)
    if there:
        assert log.tile(Tile(0, 0, 2)) == data[:64]
    else:
        with pytest.raises(Corrupt, match="a tile of the log is missing"):
            log.tile(Tile(0, 0, 2))


def test_tiles_that_may_change_no_more_are_kept_but_not_those_of_leaves(memory: Store) -> None:
    """The way up, and the last tile of leaves; of all of them the newest 128."""
    log = _log(memory, 700)
    log.checkpoint(KEY)
    log.proofs([0, 300, 699])
    assert set(log._tiles._kept) == {Tile(1, 0, 2), Tile(0, 2, 188)}
    tiles = StoredTiles(memory.keys)
    for count in (127, 1, 5):
        first = len(tiles._kept)
        tiles._keep({Tile(1, 1000 * count + each): OpenedTile(b"") for each in range(count)})
        assert len(tiles._kept) == min(first + count, 128)
    assert [each.number for each in tiles._kept][-6:] == [1000, *range(5000, 5005)]
    assert next(iter(tiles._kept)).number == 127_005


@pytest.mark.parametrize("size", range(20))
def test_a_tree_is_folded_leaf_by_leaf(size: int) -> None:
    """To the root that all of its leaves give at once."""
    leaves, fold = [leaf_hash(bytes([each])) for each in range(size)], TreeFold()
    for leaf in leaves:
        fold.add(leaf)
    assert (fold.size, fold.root()) == (size, root_of_hashes(leaves))


def test_an_event_names_the_record_that_it_tells_of() -> None:
    """By its hash; a generation by its number; nothing of a corpus where there is none."""
    corpus = Corpus(corpus_id="c", created_at="2026-01-01T00:00:00Z")
    event = event_of("corpus", "c", corpus, subject="s", at="2026", by="b", key="k", digest="d")
    assert (event.subject, event.at, event.by, event.key, event.digest) == ("s", "2026", "b", "k", "d")
    assert event.sha256 == hashlib.sha256(corpus.payload()).hexdigest()
    assert event.generation == corpus.generation
    bare = event_of("sweep", "")
    assert (bare.corpus, bare.sha256, bare.generation, bare.by) == ("", "", 0, "")
    assert (NOBODY.by, len(NOBODY.salts())) == ("", 32)


def test_an_act_is_stored_once_under_its_hash(memory: Store) -> None:
    """With one event; what stands there and is another is refused, and what is gone is gone."""
    act = LogAct(kind="export", corpus_id="c", at="2026", details={"a": 1}, salt="0" * 32)
    digest = hashlib.sha256(act.payload()).hexdigest()
    for _ in range(2):
        memory.update(lambda t: append_act(t, memory.keys, act, "b"))
    log = TransparencyLog(memory.engine, memory.keys)
    ((told,),) = ([json.loads(each) for each in log.waiting()],)
    assert (told["kind"], told["at"], told["by"], told["sha256"]) == ("export", "2026", "b", digest)
    assert memory.engine.read(lambda t: act_at(t, memory.keys, digest)) == act
    key = memory.keys.key("log/acts", digest)
    memory.update(lambda t: t.set(key, seal(memory.keys.relative(key), b"{}")))
    with pytest.raises(Corrupt, match="does not have the hash"):
        memory.engine.read(lambda t: act_at(t, memory.keys, digest))
    memory.update(lambda t: t.clear(key))
    assert memory.engine.read(lambda t: act_at(t, memory.keys, digest)) is None


def test_a_principal_has_one_pseudonym(memory: Store) -> None:
    """Whatever salt comes later; another has another."""
    names = [("Ada", "1"), ("Ben", "2"), ("Ada", "3"), ("Ben", "4")]
    given: list[str] = []
    for name, salt in names:
        memory.update(lambda t, name=name, salt=salt: given.append(principal_named(t, memory.keys, name, salt * 32)))  # type: ignore[misc]
    assert given == [LogPrincipal.pseudonym_for(name, salt * 32) for name, salt in names[:2]] * 2
    assert [memory.engine.read(lambda t, each=each: principal_of(t, memory.keys, each)) for each in given] == [  # type: ignore[misc]
        name for name, _ in names
    ]
    assert memory.engine.read(lambda t: principal_of(t, memory.keys, "0" * 16)) == ""


def test_a_principal_has_one_pseudonym_among_many(memory: Store) -> None:
    """Also one whose row is not on the first page."""
    names = [f"person {number}" for number in range(1200)]
    for begin in range(0, len(names), 400):
        memory.update(partial(_name, memory, names[begin : begin + 400]))
    known = {key: value for page in memory.pages(*memory.keys.bounds("log/principals")) for key, value in page}
    assert len(known) == len(names)
    for name in names[::100]:
        memory.update(lambda t, name=name: principal_named(t, memory.keys, name, "f" * 32))  # type: ignore[misc]
    assert known == {key: value for page in memory.pages(*memory.keys.bounds("log/principals")) for key, value in page}


def _name(store: Store, names: list[str], transaction: Transaction) -> None:
    for name in names:
        pseudonym = LogPrincipal.pseudonym_for(name, "0" * 32)
        key = store.keys.key("log/principals", pseudonym)
        record = LogPrincipal(pseudonym=pseudonym, name=name, salt="0" * 32)
        transaction.set(key, seal(store.keys.relative(key), record.payload()))


def test_an_event_that_waits_already_is_not_added_once_more(memory: Store) -> None:
    """As when a body runs again after it has committed; another time it is another event."""
    first, second = (event_of("log key", "", at=at, key="k") for at in ("1", "2"))
    for event in (first, first, second):
        memory.update(lambda t, event=event: append_event_once(t, memory.keys, event))  # type: ignore[misc]
    assert list(TransparencyLog(memory.engine, memory.keys).waiting()) == [entry_of(first), entry_of(second)]
