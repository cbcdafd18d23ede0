# ruff: noqa: S101 - a test suite asserts
"""An engine against a sorted dictionary, in step, under random transactions (Hypothesis, stateful).

::

    class TestLmdbModel(engine_machine(open_store).TestCase): ...
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from coditect.engine.port import Engine, Transaction

__all__ = ["StoreUnderTest", "engine_machine"]

_MODULUS = 1 << 64
# What is appended gets keys that nobody can foresee, so it lies above all other keys and is compared by its values.
_LOG = b"~log/"
_LOG_END = b"~log0"
_BELOW_LOG = b"~"

# Few letters, so that keys meet: equal ones, prefixes of each other, the bytes at both ends of the order.
_keys = st.builds(
    lambda first, rest: bytes([first, *rest]),
    st.sampled_from(b"\x00ab"),
    st.lists(st.sampled_from(b"\x00a\xff"), max_size=3),
)
_bounds = st.one_of(_keys, st.sampled_from([b"", _BELOW_LOG, b"\xff"]))
_values = st.binary(max_size=12)


class StoreUnderTest(Protocol):
    """A store that can be opened again and again, and is thrown away at the end."""

    def open_engine(self) -> Engine:
        """Open it; what earlier engines committed is there."""
        ...

    def discard(self) -> None:
        """Delete it."""
        ...


@dataclass(slots=True)
class Model:
    """What the store should hold: a dictionary, sorted when asked, and the appended values in order."""

    records: dict[bytes, bytes] = field(default_factory=dict)
    log: list[bytes] = field(default_factory=list)

    def copy(self) -> Model:
        """A model of its own, for a transaction to change."""
        return Model(dict(self.records), list(self.log))

    def range(self, begin: bytes, end: bytes, *, reverse: bool = False) -> list[tuple[bytes, bytes]]:
        """Rows with ``begin <= key < end``."""
        return sorted((row for row in self.records.items() if begin <= row[0] < end), reverse=reverse)


Step = Callable[[Transaction, Model], None]


def _set(key: bytes, value: bytes) -> Step:
    def step(transaction: Transaction, model: Model) -> None:
        transaction.set(key, value)
        model.records[key] = value

    return step


def _clear(key: bytes) -> Step:
    def step(transaction: Transaction, model: Model) -> None:
        transaction.clear(key)
        model.records.pop(key, None)

    return step


def _clear_range(begin: bytes, end: bytes) -> Step:
    # Only below the log: the port does not say what a range cleared and appended to in one transaction holds.
    def step(transaction: Transaction, model: Model) -> None:
        transaction.clear_range(begin, min(end, _BELOW_LOG))
        for key, _ in model.range(begin, end):
            del model.records[key]

    return step


def _add(key: bytes, delta: int) -> Step:
    def step(transaction: Transaction, model: Model) -> None:
        transaction.add(key, delta)
        before = int.from_bytes(model.records.get(key, b"")[:8], "little")
        model.records[key] = ((before + delta) % _MODULUS).to_bytes(8, "little")

    return step


def _append(value: bytes) -> Step:
    def step(transaction: Transaction, model: Model) -> None:
        transaction.append(_LOG, value)
        model.log.append(value)

    return step


def _get(key: bytes) -> Step:
    def step(transaction: Transaction, model: Model) -> None:
        assert transaction.get(key) == model.records.get(key)

    return step


def _get_many(keys: list[bytes], snapshot: bool) -> Step:
    def step(transaction: Transaction, model: Model) -> None:
        assert transaction.get_many(keys, snapshot=snapshot) == [model.records.get(key) for key in keys]

    return step


def _range(begin: bytes, end: bytes, limit: int, reverse: bool) -> Step:
    def step(transaction: Transaction, model: Model) -> None:
        stop = min(end, _BELOW_LOG)
        rows = model.range(begin, stop, reverse=reverse)
        continuation: bytes | None = None
        for start in range(0, max(len(rows), 1), limit):
            page = transaction.range(begin, stop, limit=limit, reverse=reverse, continuation=continuation)
            assert list(page.rows) == rows[start : start + limit]
            continuation = page.continuation
            assert (continuation is None) == (start + limit >= len(rows))

    return step


_read_steps = st.one_of(
    st.builds(_get, _keys),
    st.builds(_get_many, st.lists(_keys, max_size=5), st.booleans()),
    st.builds(_range, _bounds, _bounds, st.integers(1, 5), st.booleans()),
)
_steps = st.one_of(
    st.builds(_set, _keys, _values),
    st.builds(_clear, _keys),
    st.builds(_clear_range, _bounds, _bounds),
    st.builds(_add, _keys, st.integers(-(1 << 63), (1 << 63) - 1)),
    st.builds(_append, _values),
    _read_steps,
)


class _Aborted(Exception):  # noqa: N818 - nothing went wrong
    """Raised by a body that is to leave no trace."""


class _EngineMachine(RuleBasedStateMachine):
    """A store and its model, in step.

    Args:
        store: new and empty; discarded at the end.
    """

    def __init__(self, store: StoreUnderTest) -> None:
        super().__init__()
        self.store = store
        self.engine = store.open_engine()
        self.model = Model()

    @rule(steps=st.lists(_steps, max_size=8))
    def commit(self, steps: list[Step]) -> None:
        """All steps of a transaction happen, and each sees those before it."""

        def body(transaction: Transaction) -> Model:
            model = self.model.copy()
            for step in steps:
                step(transaction, model)
            return model

        self.model = self.engine.run(body)

    @rule(rows=st.dictionaries(_keys, _values, max_size=5))
    def commit_many(self, rows: dict[bytes, bytes]) -> None:
        """Bodies that do not meet, under way at once, all happen."""
        self.engine.run_many((lambda transaction, row=row: transaction.set(*row)) for row in rows.items())  # type: ignore[misc]
        self.model.records.update(rows)

    @rule(steps=st.lists(_steps, max_size=8))
    def abort(self, steps: list[Step]) -> None:
        """A body that raises leaves no trace, and its exception arrives."""

        def body(transaction: Transaction) -> None:
            model = self.model.copy()
            for step in steps:
                step(transaction, model)
            raise _Aborted

        try:
            self.engine.run(body)
        except _Aborted:
            pass
        else:
            raise AssertionError("the body's exception was lost")

    @rule(steps=st.lists(_read_steps, max_size=4))
    def look(self, steps: list[Step]) -> None:
        """A transaction that only reads sees what is committed."""

        def body(transaction: Transaction) -> None:
            for step in steps:
                step(transaction, self.model)

        self.engine.read(body)

    @rule()
    def clear_everything(self) -> None:
        """A range over all keys takes the log along."""
        self.engine.run(lambda transaction: transaction.clear_range(b"", b"\xff"))
        self.model = Model()

    @rule()
    def reopen(self) -> None:
        """What is committed outlives the engine."""
        self.engine.close()
        self.engine = self.store.open_engine()

    @invariant()
    def holds_what_the_model_holds(self) -> None:
        """After every step: the same rows in the same order, the same log."""
        rows = self.engine.read(lambda transaction: transaction.range(b"", _BELOW_LOG, limit=10_000)).rows
        assert list(rows) == self.model.range(b"", _BELOW_LOG)
        logged = self.engine.read(lambda transaction: transaction.range(_LOG, _LOG_END, limit=10_000)).rows
        assert [value for _, value in logged] == self.model.log

    def teardown(self) -> None:
        """Close the engine and delete the store."""
        self.engine.close()
        self.store.discard()


def engine_machine(make_store: Callable[[], StoreUnderTest]) -> type[RuleBasedStateMachine]:
    """A state machine over a kind of store.

    Args:
        make_store: a new, empty store for each run of the machine.

    Returns:
        The machine; its ``TestCase`` attribute is what pytest collects.
    """

    class EngineMachine(_EngineMachine):
        """Over stores of this kind."""

        def __init__(self) -> None:
            super().__init__(make_store())

    return EngineMachine
