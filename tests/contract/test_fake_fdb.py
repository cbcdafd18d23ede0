"""The fake binding does, call by call, what the official one does on a live cluster.

Each scenario talks to a binding directly and writes down what it sees, error numbers included. What it must see stands here as
a constant, so that it is checked against the fake everywhere and against FoundationDB where there is a cluster.
"""

from __future__ import annotations

import struct
from collections.abc import Callable
from typing import Any

import pytest

from coditect.testing.fake_fdb.client import FakeFdb
from tests.fdb_clusters import LivePlace, live

Seen = list[object]
Scenario = Callable[[Any, Any], Seen]
"""(binding, database) to what was seen."""


def _begin(database: Any) -> Any:  # noqa: ANN401 - fake or official
    transaction = database.create_transaction()
    transaction.options.set_timeout(20_000)
    return transaction


def _tried(binding: Any, call: Callable[[], object]) -> object:  # noqa: ANN401
    """What a call returns, or its error number."""
    try:
        return call()
    except binding.FDBError as error:
        return error.code


def _put(database: Any, **rows: bytes) -> None:  # noqa: ANN401
    transaction = _begin(database)
    for key, value in rows.items():
        transaction.set(key.encode(), value)
    transaction.commit().wait()


def _rows(found: Any) -> list[tuple[bytes, bytes]]:  # noqa: ANN401
    return [(row.key, row.value) for row in found]


def _own_writes(binding: Any, database: Any) -> Seen:  # noqa: ANN401
    _put(database, a=b"1", b=b"2", c=b"3", n=b"\x01")
    t = _begin(database)
    t.set(b"a", b"x")
    t.clear(b"b")
    t.add(b"n", (5).to_bytes(8, "little"))
    t.add(b"m", (5).to_bytes(8, "little"))
    seen: Seen = [t.get(key).value for key in (b"a", b"b", b"c", b"n", b"m")]
    seen.append([key for key, _ in _rows(t.get_range(b"", b"\xff"))])
    t.clear_range(b"a", b"d")
    t.set(b"c", b"y")
    t.add(b"a", b"\x02")
    seen.append(_rows(t.get_range(b"", b"d")))
    seen.append(_rows(t.get_range(b"", b"\xff", limit=1, reverse=True)))
    seen.append(_rows(t.snapshot.get_range(b"b", b"d")))
    t.commit().wait()
    seen.append([key for key, _ in _rows(_begin(database).get_range(b"", b"\xff"))])
    return seen


def _conflicts(binding: Any, database: Any) -> Seen:  # noqa: ANN401
    """Each read, then a write by another, then a write of its own."""
    reads: list[Callable[[Any], object]] = [
        lambda t: t.get(b"k").value,
        lambda t: t.snapshot.get(b"k").value,
        lambda t: _rows(t.get_range(b"a", b"z")),
        lambda t: _rows(t.snapshot.get_range(b"a", b"z")),
        lambda t: _rows(t.get_range(b"a", b"z", limit=1)),
        lambda t: _rows(t.get_range(b"l", b"z")),
        lambda t: (t.set(b"k", b"own"), t.get(b"k").value),
        lambda t: (t.clear(b"k"), t.get(b"k").value),
        lambda t: (t.add(b"k", b"\x01"), t.get(b"other").value),
    ]
    seen: Seen = []
    for read in reads:
        _put(database, b=b"1", k=b"1")
        t = _begin(database)
        t.get(b"unrelated").value  # noqa: B018 - fixes the read version
        read(t)
        _put(database, k=b"2")
        t.set(b"mine", b"1")
        seen.append(_tried(binding, t.commit().wait))
    return seen


def _conflicting_writes(binding: Any, database: Any) -> Seen:  # noqa: ANN401
    """One read, and each kind of write by another."""
    writes: list[Callable[[Any], object]] = [
        lambda t: t.set(b"k", b"1"),
        lambda t: t.clear(b"k"),
        lambda t: t.clear_range(b"j", b"l"),
        lambda t: t.clear_range(b"j", b"k"),
        lambda t: t.add(b"k", b"\x01"),
        lambda t: t.set(b"l", b"1"),
    ]
    seen: Seen = []
    for write in writes:
        t = _begin(database)
        t.get(b"k").value  # noqa: B018 - a read conflict
        other = _begin(database)
        write(other)
        other.commit().wait()
        t.set(b"mine", b"1")
        seen.append(_tried(binding, t.commit().wait))
    return seen


def _on_error(binding: Any, database: Any) -> Seen:  # noqa: ANN401
    _put(database, k=b"1")
    t = _begin(database)
    t.options.set_retry_limit(1)
    t.set(b"k", b"lost")
    seen: Seen = [_tried(binding, lambda: t.on_error(1020).wait()), t.get(b"k").value]
    seen.append(_tried(binding, lambda: t.on_error(1020).wait()))
    for code in (1007, 1009, 1020, 1021, 1037, 1025, 1036, 2101, 2102):
        t = _begin(database)  # kept: the futures of a destroyed transaction are cancelled
        seen.append(_tried(binding, t.on_error(code).wait))
    return seen


def _limits(binding: Any, database: Any) -> Seen:  # noqa: ANN401
    writes: list[Callable[[Any], object]] = [
        lambda t: t.set(b"k" * 9_000, b""),
        lambda t: t.set(b"k" * 10_001, b""),
        lambda t: t.set(b"k", bytes(100_000)),
        lambda t: t.set(b"k", bytes(100_001)),
        lambda t: [t.set(b"%d" % n, bytes(100_000)) for n in range(101)],
        lambda t: (t.options.set_size_limit(1000), t.set(b"k", bytes(1000))),
        lambda t: (t.options.set_size_limit(2000), t.set(b"k", bytes(1000))),
        lambda t: t.clear_range(b"b", b"a"),
    ]
    seen: Seen = []
    for write in writes:
        t = _begin(database)
        seen.append((_tried(binding, lambda t=t, write=write: write(t) and None), _tried(binding, t.commit().wait)))  # type: ignore[misc]
    t = _begin(database)
    seen.append(_tried(binding, lambda: _rows(t.get_range(b"b", b"a"))))
    seen.append(_tried(binding, lambda: _rows(t.get_range(b"a", b"b", streaming_mode=binding.StreamingMode.exact))))
    return seen


def _stamps(binding: Any, database: Any) -> Seen:  # noqa: ANN401
    def key(place: int) -> bytes:
        return b"log/" + bytes(10) + place.to_bytes(2, "big") + struct.pack("<L", 4)

    _put(database, **{"log0": b"", "k": b""})
    for first in (0, 2):
        t = _begin(database)
        t.set_versionstamped_key(key(first + 1), b"%d" % (first + 1))
        t.set_versionstamped_key(key(first), b"%d" % first)
        seen: Seen = [
            _tried(binding, lambda t=t: _rows(t.get_range(b"log/", b"log0"))),  # type: ignore[misc]
            _tried(binding, lambda t=t: t.get(b"k").value),  # type: ignore[misc]
        ]
        t = _begin(database)
        t.set_versionstamped_key(key(first + 1), b"%d" % (first + 1))
        t.set_versionstamped_key(key(first), b"%d" % first)
        t.commit().wait()
    rows = _rows(_begin(database).get_range(b"log/", b"log0"))
    seen.append([value for _, value in rows])
    seen.append([(len(key), key[:4], key[14:]) for key, _ in rows])
    seen.append(rows[0][0][4:14] == rows[1][0][4:14] < rows[2][0][4:14])
    return seen


def _snapshot(binding: Any, database: Any) -> Seen:  # noqa: ANN401
    _put(database, a=b"1", b=b"1")
    t = _begin(database)
    seen: Seen = [t.get(b"a").value]
    other = _begin(database)
    other.clear(b"a")
    other.set(b"b", b"2")
    other.set(b"c", b"2")
    other.commit().wait()
    seen += [t.get(b"b").value, t.snapshot.get(b"c").value, _rows(t.get_range(b"", b"\xff"))]
    seen.append(_tried(binding, t.commit().wait))  # nothing to commit, so no conflict
    return seen


def _watches(binding: Any, database: Any) -> Seen:  # noqa: ANN401
    """A watch is there after a change by another, fails when it is given up, and outlives its transaction."""
    _put(database, k=b"1")
    changes: list[Any] = []
    for key in (b"k", b"absent", b"given up"):
        t = _begin(database)
        changes.append(t.watch(key))
        t.commit().wait()
        del t
    _put(database, k=b"2", absent=b"1")
    changes[2].cancel()
    return [_tried(binding, change.wait) for change in changes]


def _bulk(binding: Any, database: Any) -> Seen:  # noqa: ANN401
    """Priority and tags are taken; a tag of more than 16 bytes is dropped, and nobody says so."""
    t = _begin(database)
    t.options.set_priority_batch()
    t.options.set_auto_throttle_tag("coditect/upgrade")
    t.set(b"k", b"v")
    seen: Seen = [_tried(binding, t.commit().wait)]
    t = _begin(database)
    t.options.set_auto_throttle_tag("coditect/upgrades")
    seen.append(_tried(binding, lambda: t.get(b"k").value))
    return seen


ADDED = (5).to_bytes(8, "little")

SCENARIOS: dict[str, tuple[Scenario, Seen]] = {
    "own writes": (
        _own_writes,
        [
            *(b"x", None, b"3", (6).to_bytes(8, "little"), ADDED),
            [b"a", b"c", b"m", b"n"],
            [(b"a", b"\x02"), (b"c", b"y")],
            [(b"n", (6).to_bytes(8, "little"))],
            [(b"c", b"y")],
            [b"a", b"c", b"m", b"n"],
        ],
    ),
    "conflicts": (_conflicts, [1020, None, 1020, None, None, None, None, None, None]),
    "conflicting writes": (_conflicting_writes, [1020, 1020, 1020, None, 1020, None]),
    "on_error": (_on_error, [None, b"1", 1020, None, None, None, None, None, 1025, 1036, 2101, 2102]),
    "limits": (
        _limits,
        [
            *((None, None), (None, 2102), (None, None), (None, 2103), (None, 2101)),
            *((None, 2101), (None, None), (None, 2005)),
            *([], 2210),
        ],
    ),
    "versionstamps": (
        _stamps,
        [
            1036,
            b"",
            [b"0", b"1", b"2", b"3"],
            [(16, b"log/", n.to_bytes(2, "big")) for n in range(4)],
            True,
        ],
    ),
    "watches": (_watches, [None, None, 1101]),
    "bulk work": (_bulk, [None, b"v"]),
    "snapshot": (_snapshot, [b"1", b"1", None, [(b"a", b"1"), (b"b", b"1")], None]),
}


@pytest.mark.parametrize(("scenario", "expected"), SCENARIOS.values(), ids=SCENARIOS.keys())
def test_fake_fdb_does_what_foundationdb_does(scenario: Scenario, expected: Seen) -> None:
    """The fake sees what is written down."""
    binding = FakeFdb()
    assert scenario(binding, binding.open("")) == expected


@live
@pytest.mark.parametrize(("scenario", "expected"), SCENARIOS.values(), ids=SCENARIOS.keys())
def test_live_fdb_does_what_is_written_down(scenario: Scenario, expected: Seen) -> None:
    """A live cluster sees the same."""
    place = LivePlace()
    assert scenario(place.binding, place.open_database()) == expected
    place.discard()
