"""Proofs that follow each other: what is kept between them, what is read for each, and what a log that grew or was changed does."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import pytest

from coditect.engine.port import Transaction
from coditect.errors import Corrupt, InvalidProof
from coditect.keyspace import seal
from coditect.store.store import Store
from coditect.transparency.events import append_event, event_of
from coditect.transparency.merkle import stored
from coditect.transparency.notes import Note, SigningKey
from coditect.transparency.proofs import LogProof, verify_log_proof
from coditect.transparency.sequencer import TransparencyLog
from tests.corpora import CORPUS

KEY = SigningKey("log.example.com/tests", bytes(range(32)))
T = TypeVar("T")


class CountedReads:
    """An engine that counts what it is asked, one number for each transaction: each read of a cluster is a round trip.

    Args:
        engine: answers.
    """

    def __init__(self, engine: Any) -> None:  # noqa: ANN401 - any engine
        self._engine = engine
        self.trips: list[int] = []
        self.keys = 0

    def read(self, fn: Callable[[Transaction], T]) -> T:
        """As the engine does."""
        self.trips.append(0)
        return self._engine.read(lambda transaction: fn(_CountedTransaction(transaction, self)))  # type: ignore[no-any-return, arg-type]


class _CountedTransaction:
    def __init__(self, transaction: Transaction, counted: CountedReads) -> None:
        self._transaction, self._counted = transaction, counted

    def get_many(self, keys: Sequence[bytes]) -> list[bytes | None]:
        self._counted.trips[-1] += 1
        self._counted.keys += len(keys)
        return self._transaction.get_many(keys)

    def range(self, *given: Any, **more: Any) -> Any:  # noqa: ANN401 - passed on
        self._counted.trips[-1] += 1
        return self._transaction.range(*given, **more)


def _fill(store: Store, first: int, count: int) -> None:
    def body(transaction: Transaction) -> None:
        for each in range(first, first + count):
            append_event(transaction, store.keys, event_of("document", CORPUS, subject=str(each)))

    store.update(body)


@pytest.fixture
def grown(memory: Store) -> tuple[Store, TransparencyLog, CountedReads]:
    """A signed log of 700 entries, two levels of tiles, and how often it is read."""
    _fill(memory, 0, 700)
    TransparencyLog(memory.engine, memory.keys).checkpoint(KEY)
    counted = CountedReads(memory.engine)
    return memory, TransparencyLog(counted, memory.keys), counted  # type: ignore[arg-type]


def _size(proof: str, entry: bytes) -> int:
    return verify_log_proof(proof, entry, [KEY.key]).checkpoint.size


def test_a_second_proof_takes_one_round_trip_and_reads_one_tile(
    grown: tuple[Store, TransparencyLog, CountedReads],
) -> None:
    """The head, the checkpoint, and the tile of its own leaf; the way up is kept."""
    store, log, counted = grown
    entries = dict(TransparencyLog(store.engine, store.keys).entries())
    assert _size(log.prove(0), entries[0]) == 700
    counted.trips, counted.keys = [], 0
    assert _size(log.prove(300), entries[300]) == 700
    assert (counted.trips, counted.keys) == ([1], 3)


@pytest.mark.parametrize("index", [0, 699])
def test_a_first_proof_takes_two_round_trips_and_the_next_ones_one(
    grown: tuple[Store, TransparencyLog, CountedReads], index: int
) -> None:
    """Of the first entry as of the last: the checkpoint has to be found before it is known which tiles there are."""
    _, log, counted = grown
    assert len({log.prove(index) for _ in range(3)}) == 1
    assert counted.trips == [2, 1, 1]


def test_a_log_that_grew_is_proven_by_its_newest_checkpoint(
    grown: tuple[Store, TransparencyLog, CountedReads],
) -> None:
    """Whoever signed it; events that wait for a checkpoint change nothing."""
    store, log, _ = grown
    other = TransparencyLog(store.engine, store.keys)
    entry = next(entry for index, entry in other.entries(5) if index == 5)
    for size in (701, 768, 1025):
        before = log.prove(5)
        _fill(store, 10_000, size - other.head().size)
        other.sequence()
        assert log.prove(5) == before  # sequenced, and not signed yet
        other.checkpoint(KEY)
        assert _size(log.prove(5), entry) == size
        assert log.prove(5) == TransparencyLog(store.engine, store.keys).prove(5)


def test_a_signature_that_came_later_stands_in_the_next_proof(
    grown: tuple[Store, TransparencyLog, CountedReads],
) -> None:
    """A cosignature does not change the size of a checkpoint, and is not missed."""
    store, log, _ = grown
    before = log.prove(1)
    witness = SigningKey("witness.example.com/tests", bytes(range(1, 33)))
    other = TransparencyLog(store.engine, store.keys)
    other.add_signatures(700, Note.parse(LogProof.parse(before).checkpoint.encode()).signed_by([witness]))
    assert log.prove(1) == other.prove(1) != before


def test_what_is_kept_has_a_bound(
    grown: tuple[Store, TransparencyLog, CountedReads], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The oldest goes, and proofs are the same."""
    store, log, _ = grown
    monkeypatch.setattr(stored, "KEPT", 1)
    alone = [TransparencyLog(store.engine, store.keys).prove(each) for each in (0, 300, 699)]
    assert [log.prove(each) for each in (0, 300, 699)] == alone
    assert len(log._tiles._kept) == 1


def test_a_changed_tile_proves_nothing_and_a_missing_one_is_said(
    grown: tuple[Store, TransparencyLog, CountedReads],
) -> None:
    """What is kept hides no change of a leaf's tile: its proofs do not verify."""
    store, log, _ = grown
    entries = dict(TransparencyLog(store.engine, store.keys).entries())
    assert _size(log.prove(300), entries[300]) == 700
    key = store.keys.key("log/tiles", 0, 1)
    store.update(lambda t: t.set(key, seal(store.keys.relative(key), bytes(8192))))
    with pytest.raises(InvalidProof):
        _size(log.prove(300), entries[300])
    store.update(lambda t: t.clear(key))
    with pytest.raises(Corrupt):
        log.prove(300)
