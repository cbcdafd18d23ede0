"""What one transaction may write, to the byte, and where pages begin and end: the same for every engine."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from coditect.engine.budget import (
    APPENDS,
    Appended,
    bound,
    charge,
    charge_append,
    charge_range,
    page_bounds,
    storable,
    wrapped_sum,
)
from coditect.engine.limits import KEY_BYTES, RANGE_LIMIT, TRANSACTION_BYTES, VALUE_BYTES
from coditect.engine.read_only import ReadOnly
from coditect.errors import TooLarge, UsageError

KEY = b"k" * 500


def test_limits_are_those_that_stores_were_written_with() -> None:
    """A store on one engine moves to another: no limit is ever above that of the narrowest."""
    assert (KEY_BYTES, VALUE_BYTES, TRANSACTION_BYTES, RANGE_LIMIT, APPENDS) == (
        500,
        100_000,
        1_000_000,
        10_000,
        65_536,
    )


def test_write_at_a_limit_passes_and_one_byte_more_does_not() -> None:
    """Key, value and sum, each alone; an empty or a reserved key never."""
    assert charge(0, KEY, 100_000) == 100_500
    assert charge(1_000_000 - 501, KEY, 1) == 1_000_000
    for spent, key, value, what in (
        (0, KEY + b"k", 0, "key is too long"),
        (0, b"k", 100_001, "value is too long"),
        (1_000_000 - 501, KEY, 2, "too many bytes"),
    ):
        with pytest.raises(TooLarge, match=what):
            charge(spent, key, value)
    for key in (b"", b"\xff", b"\xffk"):
        with pytest.raises(UsageError, match="empty or starts"):
            charge(0, key, 0)
    assert charge(0, b"\xfe\xff", 0) == 2


def test_refusal_says_the_first_rule_that_was_broken() -> None:
    """A key before its value, a value before the sum; what is just allowed is not what was wrong."""
    for spent, key, value, what in (
        (0, KEY, 100_001, "value is too long"),
        (0, KEY + b"k", 100_001, "key is too long"),
        (999_000, KEY, 100_000, "too many bytes"),
        (999_000, b"k", 100_001, "value is too long"),
    ):
        with pytest.raises(TooLarge, match=what):
            charge(spent, key, value)


def test_refusal_shows_the_first_40_bytes_of_a_key() -> None:
    """Enough to know it by; never five hundred bytes of it."""
    shown = repr(b"k" * 40)
    for spent, key in ((0, KEY + b"k"), (1_000_000, KEY)):
        with pytest.raises(TooLarge) as caught:
            charge(spent, key, 0)
        assert caught.value.context["key"] == shown


def test_append_counts_with_the_sequence_that_follows_its_prefix() -> None:
    """Twelve bytes; so many appends, and not one more."""
    assert charge_append(5, b"log/", 7, 65_535) == 5 + 4 + 12 + 7
    assert charge_append(0, b"k" * 488, 0, 0) == 500
    with pytest.raises(TooLarge, match="key is too long"):
        charge_append(0, b"k" * 489, 0, 0)
    with pytest.raises(TooLarge, match="appends too often"):
        charge_append(0, b"log/", 0, 65_536)


def test_cleared_range_counts_as_its_two_bounds() -> None:
    """However much it holds."""
    assert charge_range(10, b"abc", b"abcd") == 17
    assert charge_range(999_993, b"abc", b"abcd") == 1_000_000
    with pytest.raises(TooLarge, match="too many bytes"):
        charge_range(999_994, b"abc", b"abcd")


@pytest.mark.parametrize("first", ["append", "clear"])
@pytest.mark.parametrize(
    ("begin", "end", "refused"),
    [
        (b"log/", b"log0", True),
        (b"log/" + b"\xff" * 12, b"log0", True),
        (b"log/" + b"\xff" * 13, b"log0", False),
        (b"a", b"log/" + bytes(13), True),
        (b"a", b"log/" + bytes(12), False),
        (b"log0", b"log/", False),
        (b"log/x", b"log/x", False),
    ],
)
def test_transaction_does_not_clear_where_it_appends(first: str, begin: bytes, end: bytes, refused: bool) -> None:
    """In whatever order; beside it, it may."""

    def both() -> None:
        where = Appended()
        if first == "append":
            where.append(b"log/")
            where.append(b"log/")
            where.clear(begin, end)
        else:
            where.clear(begin, end)
            where.append(b"log/")

    if refused:
        with pytest.raises(UsageError, match="clears and appends"):
            both()
    else:
        both()


def test_bounds_are_cut_where_no_key_can_tell() -> None:
    """One byte more than a key may have; what is reserved is one bound."""
    assert bound(b"k" * 501) == b"k" * 501
    assert bound(b"k" * 502) == b"k" * 501
    assert bound(b"\xff\xff") == bound(b"\xff") == b"\xff"
    assert bound(b"") == b""


def test_page_goes_on_behind_the_last_key_or_before_it() -> None:
    """Forwards the continuation itself is left out, backwards as well; a page has at least one row and ten thousand at most."""
    assert page_bounds(b"a", b"z", 1, reverse=False, continuation=None) == (b"a", b"z")
    assert page_bounds(b"a", b"z", 10_000, reverse=True, continuation=None) == (b"a", b"z")
    assert page_bounds(b"a", b"z", 5, reverse=False, continuation=b"c") == (b"c\x00", b"z")
    assert page_bounds(b"a", b"z", 5, reverse=True, continuation=b"c") == (b"a", b"c")
    assert page_bounds(b"d", b"z", 5, reverse=False, continuation=b"c") == (b"d", b"z")
    assert page_bounds(b"a", b"b", 5, reverse=True, continuation=b"c") == (b"a", b"b")
    for limit in (0, 10_001):
        with pytest.raises(UsageError, match="out of range"):
            page_bounds(b"a", b"z", limit, reverse=False, continuation=None)


def test_key_under_which_a_value_could_lie() -> None:
    """From one byte to five hundred, below what is reserved."""
    keys = (b"", b"k", KEY, KEY + b"k", b"\xfe", b"\xff")
    assert [storable(key) for key in keys] == [False, True, True, False, True, False]


def test_counter_wraps_around_as_on_a_cluster() -> None:
    """Eight bytes, little-endian; shorter values are extended, longer ones cut."""
    assert wrapped_sum(None, 1) == b"\x01" + bytes(7)
    assert wrapped_sum(b"\x02", -1) == b"\x01" + bytes(7)
    assert wrapped_sum(None, -1) == b"\xff" * 8
    assert wrapped_sum(b"\xff" * 8, 1) == bytes(8)
    assert wrapped_sum(bytes(8) + b"\x01", 3) == b"\x03" + bytes(7)
    assert wrapped_sum(None, -(2**63)) == wrapped_sum((2**63 - 1).to_bytes(8, "little"), 1) == bytes(7) + b"\x80"
    for delta in (2**63, -(2**63) - 1):
        with pytest.raises(UsageError, match="64 bits"):
            wrapped_sum(None, delta)


def test_reading_transaction_writes_nothing_and_says_so() -> None:
    """It has affected no byte."""
    reading = ReadOnly()
    assert reading.size_bytes == 0
    writes: tuple[Callable[[], None], ...] = (
        lambda: reading.set(b"k", b"v"),
        lambda: reading.clear(b"k"),
        lambda: reading.clear_range(b"a", b"b"),
        lambda: reading.add(b"k", 1),
        lambda: reading.append(b"k", b"v"),
    )
    for write in writes:
        with pytest.raises(UsageError, match="read transaction"):
            write()
