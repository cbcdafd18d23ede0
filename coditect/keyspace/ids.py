"""Ids and hashes as they stand in keys: a byte that says what kind they are of, and their digits as bytes.

An id is ``<kind>_<hex digits>`` in records and for people. In a key it takes 21 or 27 bytes instead of 50 to 70, and sorts among
ids of its kind as its text does. Numbers of kinds are never given to another kind: stored keys hold them.
"""

from __future__ import annotations

import re
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
_ID = re.compile(r"([a-z]+)_((?:[0-9a-f]{2}){20,26})")
_HASH = re.compile(r"[0-9a-f]{64}")
_HASH_BYTES = 33
_ID_BYTES = range(21, 28)


@lru_cache(maxsize=4_096)  # every row names its document and its derivation
def packed_id(text: str) -> bytes | None:
    """An id, or 64 hex digits of SHA-256, as bytes; None for any other text."""
    found = _ID.fullmatch(text)
    if found is not None:
        kind = ID_KINDS.get(found[1])
        return None if kind is None else bytes((kind,)) + bytes.fromhex(found[2])
    return bytes((_SHA256,)) + bytes.fromhex(text) if _HASH.fullmatch(text) else None


def unpacked_id(packed: bytes) -> str | None:
    """The text of a packed id or hash; None for other bytes."""
    name = _NAMES.get(packed[0]) if len(packed) in _ID_BYTES else None
    if name is not None:
        return f"{name}_{packed[1:].hex()}"
    return packed[1:].hex() if len(packed) == _HASH_BYTES and packed[0] == _SHA256 else None
