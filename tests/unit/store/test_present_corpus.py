"""What a question has to know of a corpus as it is now: one transaction, and the same as three."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from coditect.engine.port import Transaction
from coditect.errors import NotFound
from coditect.store.intake.erasures import erased_since
from coditect.store.intake.present import present_corpus
from coditect.store.store import Store
from coditect.testing.engine.memory import MemoryEngine
from tests.corpora import CORPUS
from tests.unit.store.test_calibrations import ONE, _switch


class _Counting(MemoryEngine):
    """Counts the transactions that read."""

    reads = 0

    def read(self, fn: Callable[[Transaction], Any]) -> Any:  # noqa: ANN401 - whatever the function gives
        self.reads += 1
        return super().read(fn)


def test_state_of_a_corpus_is_read_in_one_transaction(built: Store) -> None:
    """Nothing was erased or switched, which one look tells."""
    counting = _Counting()
    rows = built.engine.read(lambda transaction: transaction.range(b"", b"\xff", limit=10_000)).rows

    def copied(transaction: Transaction) -> None:
        for key, value in rows:
            transaction.set(key, value)

    counting.run(copied)
    built.engine = counting
    found = present_corpus(built, CORPUS)
    assert counting.reads == 1
    assert (found.corpus, found.erased, found.is_calibrated) == (built.corpus(CORPUS), "", False)


def test_a_switch_is_seen_at_once(built: Store) -> None:
    """The next question asks which figures are in force."""
    assert not present_corpus(built, CORPUS).is_calibrated
    switch = _switch(ONE.calibration_id, 1)
    built.put("switches", switch, CORPUS, switch.switch_id)
    assert present_corpus(built, CORPUS).is_calibrated


def test_erasures_are_told_as_they_are_elsewhere(built: Store) -> None:
    """How far they are names what is kept open."""
    key = built.keys.key("erasures", CORPUS, "erasure_1")
    built.engine.run(lambda transaction: transaction.set(key, b"x"))
    assert present_corpus(built, CORPUS).erased == erased_since(built, CORPUS) != ""


def test_a_corpus_that_is_not_there_is_told_with_those_that_are(built: Store) -> None:
    """As everywhere."""
    with pytest.raises(NotFound) as caught:
        present_corpus(built, "no such corpus")
    assert CORPUS in str(caught.value.hint)
