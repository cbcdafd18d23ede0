"""The store that forgets: it answers as one store would, and the one beneath stays as it was."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from coditect.engine.scratch import ScratchEngine, open_beside
from coditect.testing.engine.memory import MemoryEngine
from tests.effort import times
from tests.unit.engine.writing import append_all, set_all

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


def test_scratch_appends_in_the_order_of_its_calls() -> None:
    """Behind everything beneath, each behind the one before it, in one transaction and across them; other prefixes do not count."""
    beneath = MemoryEngine()
    beneath.run(lambda t: t.append(b"feed", b"0"))
    scratch = ScratchEngine(beneath, MemoryEngine())
    scratch.run(lambda t: t.append(b"feed", b"1"))
    append_all(scratch, [(b"feed", b"2"), (b"other", b"x"), (b"feed", b"3")])
    rows = scratch.read(lambda t: t.range(b"feed", b"fef")).rows
    assert [value for _, value in rows] == [b"0", b"1", b"2", b"3"]
    places = [b"feed\xfe" + place.to_bytes(11, "big") for place in range(3)]
    assert [key for key, _ in rows[1:]] == places
    assert scratch.read(lambda t: t.range(b"other", b"othes")).rows == ((b"other\xfe" + bytes(11), b"x"),)


def test_scratch_reads_more_rows_than_a_page_of_its_stores_holds() -> None:
    """Beneath and beside have pages of their own; what is removed beneath is removed as a whole."""
    beneath = MemoryEngine()
    set_all(beneath, [(b"%04d" % n, b"beneath") for n in range(0, 3_000, 2)])
    scratch = ScratchEngine(beneath, MemoryEngine())
    set_all(scratch, [(b"%04d" % n, b"beside") for n in range(1, 3_000, 2)])
    for reverse in (False, True):
        page = scratch.read(lambda t, r=reverse: t.range(b"0", b"9", limit=2_999, reverse=r))  # type: ignore[misc]
        numbers = [int(key) for key, _ in page.rows]
        assert numbers == (list(range(2_999, 0, -1)) if reverse else list(range(2_999)))
        assert page.continuation == page.rows[-1][0]
    whole = scratch.read(lambda t: t.range(b"0", b"9", limit=3_000))
    assert (len(whole.rows), whole.continuation) == (3_000, None)
    scratch.run(lambda t: t.clear_range(b"0001", b"9"))
    assert scratch.read(lambda t: t.range(b"0", b"9")).rows == ((b"0000", b"beneath"),)


def test_scratch_value_beside_stands_for_the_one_beneath() -> None:
    """An empty value is a value, and of a row in both the one beside is read, forwards and backwards."""
    beneath = MemoryEngine()
    set_all(beneath, [(key, b"old") for key in (b"a", b"b", b"c")])
    scratch = ScratchEngine(beneath, MemoryEngine())
    scratch.run(lambda t: t.set(b"b", b""))
    rows = ((b"a", b"old"), (b"b", b""), (b"c", b"old"))
    assert scratch.read(lambda t: t.range(b"a", b"d")).rows == rows
    assert scratch.read(lambda t: t.range(b"a", b"d", reverse=True)).rows == rows[::-1]
    assert scratch.read(lambda t: t.get(b"b")) == b""
    assert scratch.url == beneath.url


def test_scratch_lies_in_a_folder_of_its_own(tmp_path: Path) -> None:
    """The caller removes the folder that it gave, and nothing is left."""
    with closing(open_beside(tmp_path)) as beside:
        assert beside.url == f"lmdb://{tmp_path / 'scratch'}"
        assert beside.read(lambda t: t.range(b"", b"\xff")).rows == ()
    assert [each.name for each in tmp_path.iterdir()] == ["scratch"]


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
