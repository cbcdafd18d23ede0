"""The checks that make every engine refuse what any engine would refuse.

An engine calls :func:`charge` before each write and keeps the sum. The rules are the stricter of LMDB's and
FoundationDB's: sizes from :mod:`coditect.engine.limits`; no empty key (LMDB has none); no key that starts with 0xFF
(FoundationDB keeps that space for itself); at most 65,536 appends in one transaction (a FoundationDB versionstamp's
user version has 16 bits).
"""

from __future__ import annotations

from typing import Final, NoReturn

from coditect.engine.limits import KEY_BYTES, RANGE_LIMIT, TRANSACTION_BYTES, VALUE_BYTES
from coditect.errors import TooLarge, UsageError

__all__ = [
    "APPENDS",
    "COUNTER_BYTES",
    "SEQUENCE_BYTES",
    "Appended",
    "bound",
    "charge",
    "charge_append",
    "charge_range",
    "page_bounds",
    "refuse_nesting",
    "storable",
    "wrapped_sum",
]

SEQUENCE_BYTES: Final = 12
"""What ``append`` adds to its prefix: a FoundationDB versionstamp (10 B) and its user version (2 B)."""

COUNTER_BYTES: Final = 8
"""A counter that ``add`` changes: signed, little-endian."""

APPENDS: Final = 1 << 16
"""Most appends in one transaction."""

_SHOWN_BYTES = 40
_RESERVED = b"\xff"
_SIGN = 1 << 63
_MODULUS = 1 << 64


def charge(spent_bytes: int, key: bytes, value_bytes: int) -> int:
    """Allow one write, or refuse it.

    Args:
        spent_bytes: what the transaction has affected so far.
        key: the key to write or clear.
        value_bytes: length of its value; 0 for a clear.

    Returns:
        The new sum of affected bytes.

    Raises:
        TooLarge: key, value or transaction over its limit.
        UsageError: the key is empty or starts with 0xFF.
    """
    key_bytes = len(key)
    total_bytes = spent_bytes + key_bytes + value_bytes
    # One test on the path that nearly every write takes; which rule was broken is found out only when one was.
    if (
        key_bytes > KEY_BYTES
        or value_bytes > VALUE_BYTES
        or total_bytes > TRANSACTION_BYTES
        or not key
        or key >= _RESERVED
    ):
        _refuse(key, value_bytes, total_bytes)
    return total_bytes


def _refuse(key: bytes, value_bytes: int, total_bytes: int) -> NoReturn:
    shown = repr(key[:_SHOWN_BYTES])
    if not key or key >= _RESERVED:
        raise UsageError("a key is empty or starts with 0xFF", hint="put a prefix in front of it", key=shown)
    if len(key) > KEY_BYTES:
        raise TooLarge(
            "a key is too long", hint="hash its longest part", key=shown, size_bytes=len(key), limit_bytes=KEY_BYTES
        )
    if value_bytes > VALUE_BYTES:
        raise TooLarge(
            "a value is too long",
            hint="split it over several keys",
            key=shown,
            size_bytes=value_bytes,
            limit_bytes=VALUE_BYTES,
        )
    _refuse_sum(key, total_bytes)


def _refuse_sum(key: bytes, total_bytes: int) -> NoReturn:
    raise TooLarge(
        "a transaction affects too many bytes",
        hint="write in smaller batches",
        key=repr(key[:_SHOWN_BYTES]),
        size_bytes=total_bytes,
        limit_bytes=TRANSACTION_BYTES,
    )


def charge_append(spent_bytes: int, prefix: bytes, value_bytes: int, appends: int) -> int:
    """Allow one append after ``appends`` earlier ones, or refuse it; like :func:`charge`.

    The prefix counts with the sequence that will follow it.
    """
    if appends >= APPENDS:
        raise TooLarge(
            "a transaction appends too often", hint="write in smaller batches", appends=appends + 1, limit=APPENDS
        )
    return charge(spent_bytes, prefix + bytes(SEQUENCE_BYTES), value_bytes)


def charge_range(spent_bytes: int, begin: bytes, end: bytes) -> int:
    """Allow a range to be cleared, which counts as its two bounds however much it holds; like :func:`charge`."""
    total_bytes = spent_bytes + len(begin) + len(end)
    if total_bytes > TRANSACTION_BYTES:
        _refuse_sum(begin, total_bytes)
    return total_bytes


class Appended:
    """Where a transaction appends, so that it clears nothing there: the outcome would depend on the engine."""

    __slots__ = ("_cleared", "_prefixes")

    def __init__(self) -> None:
        self._prefixes: set[bytes] = set()
        self._cleared: list[tuple[bytes, bytes]] = []

    def append(self, prefix: bytes) -> None:
        """Note an append.

        Raises:
            UsageError: something was cleared under the prefix.
        """
        if prefix not in self._prefixes:
            self._prefixes.add(prefix)
            for begin, end in self._cleared:
                _refuse_both(prefix, begin, end)

    def clear(self, begin: bytes, end: bytes) -> None:
        """Note that a range is cleared.

        Raises:
            UsageError: something is appended in it.
        """
        self._cleared.append((begin, end))
        for prefix in self._prefixes:
            _refuse_both(prefix, begin, end)


def _refuse_both(prefix: bytes, begin: bytes, end: bytes) -> None:
    if begin < end and begin <= prefix + b"\xff" * SEQUENCE_BYTES and prefix + bytes(SEQUENCE_BYTES) < end:
        raise UsageError(
            "a transaction clears and appends in one range",
            hint="use two transactions",
            prefix=repr(prefix[:_SHOWN_BYTES]),
        )


def bound(key: bytes) -> bytes:
    """A range bound cut to a length that every engine takes, selecting the same keys.

    No stored key is longer than ``KEY_BYTES``, so whatever a bound says beyond ``KEY_BYTES + 1`` bytes cannot change
    which side of it a stored key is on. For the same reason a bound in the reserved space is as good as its start.
    """
    return min(key[: KEY_BYTES + 1], _RESERVED)


def page_bounds(
    begin: bytes, end: bytes, limit: int, *, reverse: bool, continuation: bytes | None
) -> tuple[bytes, bytes]:
    """The bounds of the page of a range that is asked for; a continuation is the last key that was returned.

    Args:
        begin: first key of the range, inclusive.
        end: last key, exclusive.
        limit: rows of the page.
        reverse: from the end.
        continuation: of the page before; None for the first.

    Returns:
        (first key, inclusive; last, exclusive), cut as :func:`bound` does; nothing lies between them if they cross.

    Raises:
        UsageError: a limit that no engine takes.
    """
    _check_limit(limit)
    begin, end = bound(begin), bound(end)
    if continuation is None:
        return begin, end
    if reverse:
        return begin, min(end, bound(continuation))
    return max(begin, bound(continuation + b"\x00")), end


def storable(key: bytes) -> bool:
    """Whether a value could ever lie under ``key``; a read of any other key finds nothing."""
    return 0 < len(key) <= KEY_BYTES and key < _RESERVED


def _check_limit(limit: int) -> None:
    """Refuse a page size outside 1..``RANGE_LIMIT``.

    Raises:
        UsageError: out of range.
    """
    if not 1 <= limit <= RANGE_LIMIT:
        raise UsageError(
            "a page's limit is out of range", hint="page with the continuation", limit=limit, highest=RANGE_LIMIT
        )


def wrapped_sum(stored: bytes | None, delta: int) -> bytes:
    """What a counter holds after ``delta`` was added, with FoundationDB's rules for ADD.

    Args:
        stored: the value before, None if there was none. Shorter values are extended with zeros, longer ones cut.
        delta: -2**63..2**63-1.

    Returns:
        8 bytes, little-endian; overflow wraps around.

    Raises:
        UsageError: delta out of range.
    """
    if not -_SIGN <= delta < _SIGN:
        raise UsageError("a delta does not fit into 64 bits", delta=delta)
    before = int.from_bytes((stored or b"")[:COUNTER_BYTES], "little")
    return ((before + delta) % _MODULUS).to_bytes(COUNTER_BYTES, "little")


def refuse_nesting() -> NoReturn:
    """A body opened a transaction on the store that it already has one on; LMDB would wait for itself for ever.

    Raises:
        UsageError: always.
    """
    raise UsageError(
        "a transaction was opened inside another", hint="pass the Transaction on to the functions that the body calls"
    )
