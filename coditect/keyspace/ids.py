"""Ids and hashes as they stand in keys: a byte that says what kind they are of, and their digits as bytes.

An id is ``<kind>_<hex digits>`` in records and for people. In a key it takes 21 or 27 bytes instead of 50 to 70, and sorts among
ids of its kind as its text does. Numbers of kinds are never given to another kind: stored keys hold them.
"""

from __future__ import annotations

from functools import lru_cache

__all__ = ["ID_KINDS", "packed_id", "unpacked_id"]

ID_KINDS: dict[str, int] = {
    "document": 1,
    "version": 2,
    "extraction": 3,
    "chunk": 4,
    "passage": 5,
    "section": 6,
    "claim": 7,
    "verdict": 8,
    "summary": 9,
    "review": 10,
    "mark": 11,
    "calibration": 12,
    "switch": 13,
    "tree": 14,
    "build": 15,
    "derivation": 16,
    "profile": 17,
    "signer": 24,
    "policy": 25,
    "signature": 26,
}
"""The byte before the digits, by kind."""

_SHA256 = 31
_NAMES = {number: name for name, number in ID_KINDS.items()}
_HASH_DIGITS = 64
_HASH_BYTES = 33
_ID_BYTES = range(21, 28)
_ID_DIGITS = range(40, 53)


@lru_cache(maxsize=4_096)  # every row names its document and its derivation
def packed_id(text: str) -> bytes | None:
    """An id, or 64 hex digits of SHA-256, as bytes; None for any other text."""
    kind, sign, digits = text.partition("_")
    if sign:
        number = ID_KINDS.get(kind)
        packed = _bytes_of(digits) if number is not None and len(digits) in _ID_DIGITS else None
        return None if packed is None or number is None else bytes((number,)) + packed
    packed = _bytes_of(text) if len(text) == _HASH_DIGITS else None
    return None if packed is None else bytes((_SHA256,)) + packed


def _bytes_of(digits: str) -> bytes | None:
    """The bytes of hex digits in small letters; None for any other text."""
    try:
        found = bytes.fromhex(digits)
    except ValueError:
        return None
    return found if found.hex() == digits else None  # it reads capitals and white space, too


def unpacked_id(packed: bytes) -> str | None:
    """The text of a packed id or hash; None for other bytes."""
    name = _NAMES.get(packed[0]) if len(packed) in _ID_BYTES else None
    if name is not None:
        return f"{name}_{packed[1:].hex()}"
    return packed[1:].hex() if len(packed) == _HASH_BYTES and packed[0] == _SHA256 else None
