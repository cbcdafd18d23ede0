"""The store that forgets: it answers as one store would, and the one beneath stays as it was."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from coditect.engine.scratch import ScratchEngine
from coditect.testing.engine.memory import MemoryEngine
from tests.effort import times

KEYS = st.sampled_from([b"a", b"ab", b"b", b"ba", b"c", b"d", b"da"])
VALUES = st.binary(min_size=0, max_size=3)
CHANGES = st.lists(
    st.one_of(
        st.tuples(st.just("set"), KEYS, VALUES),
        st.tuples(st.just("clear"), KEYS, st.just(b"")),
        st.tuples(st.just("clear_range"), KEYS, KEYS),
        st.tuples(st.just("add"), st.just(b"n"), st.just(b"")),
    ),
    max_size=12,
)


def _change(engine: MemoryEngine | ScratchEngine, changes: list[tuple[str, bytes, bytes]]) -> None:
    for what, key, value in changes:

        def body(transaction: object, what: str = what, key: bytes = key, value: bytes = value) -> None:
            arguments: tuple[object, ...] = {"clear": (key,), "add": (key, 3)}.get(what, (key, value))
            getattr(transaction, what)(*arguments)

        engine.run(body)


def _all(engine: MemoryEngine | ScratchEngine, *, reverse: bool, limit: int) -> list[tuple[bytes, bytes]]:
    found: list[tuple[bytes, bytes]] = []
    continuation = None
    while True:
        page = engine.read(
            lambda t, c=continuation: t.range(b"\x00", b"\xf0", limit=limit, reverse=reverse, continuation=c)  # type: ignore[misc]
        )
        found += page.rows
        continuation = page.continuation
        if continuation is None:
            return found


@settings(max_examples=times(150, least=10), deadline=None)
@given(CHANGES, CHANGES, st.booleans(), st.integers(1, 4))
def test_scratch_answers_as_a_single_store_would(
    first: list[tuple[str, bytes, bytes]], second: list[tuple[str, bytes, bytes]], reverse: bool, limit: int
) -> None:
    """What is written beneath and then beside reads like both written to one store; beneath nothing changes."""
    beneath, single = MemoryEngine(), MemoryEngine()
    _change(beneath, first)
    before = _all(beneath, reverse=False, limit=100)
    scratch = ScratchEngine(beneath, MemoryEngine())
    _change(scratch, second)
    _change(single, [*first, *second])
    wanted = _all(single, reverse=reverse, limit=limit)
    assert _all(scratch, reverse=reverse, limit=limit) == wanted
    keys = [b"a", b"ab", b"b", b"ba", b"c", b"d", b"da", b"n"]
    assert scratch.read(lambda t: t.get_many(keys)) == single.read(lambda t: t.get_many(keys))
    assert _all(beneath, reverse=False, limit=100) == before


def test_scratch_appends_after_what_is_beneath() -> None:
    """Events come after those of the store beneath, and only the scratch store sees them."""
    beneath = MemoryEngine()
    beneath.run(lambda t: t.append(b"feed", b"old"))
    scratch = ScratchEngine(beneath, MemoryEngine())
    scratch.run(lambda t: t.append(b"feed", b"new"))
    rows = scratch.read(lambda t: t.range(b"feed", b"fef")).rows
    assert sorted(value for _, value in rows) == [b"new", b"old"]
    assert len(beneath.read(lambda t: t.range(b"feed", b"fef")).rows) == 1


def test_scratch_reads_its_own_writes_inside_a_transaction() -> None:
    """A body sees what it wrote and what it cleared."""
    beneath = MemoryEngine()
    beneath.run(lambda t: t.set(b"a", b"1"))
    scratch = ScratchEngine(beneath, MemoryEngine())

    def body(transaction: object) -> list[bytes | None]:
        transaction.set(b"b", b"2")  # type: ignore[attr-defined]
        transaction.clear(b"a")  # type: ignore[attr-defined]
        found: list[bytes | None] = transaction.get_many([b"a", b"b"])  # type: ignore[attr-defined]
        return found

    assert scratch.run(body) == [None, b"2"]
    assert scratch.read(lambda t: t.get(b"a")) is None
