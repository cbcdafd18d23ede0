"""The envelope around every stored value, so that a changed byte is noticed wherever it lies.

``value = form (1 byte) + checksum (8 bytes) + body``. The form says how the payload is written in the body. The checksum is BLAKE2b
over the key (without the tenant's prefix), the form and the body: bytes that were changed, or moved to another key, do not open. It
guards against rot and slips; against an adversary stand the content-addressed ids, which cover the payload with SHA-256.
"""

from __future__ import annotations

import hashlib

from coditect.errors import Corrupt
from coditect.keyspace.compression import FIRST_DICTIONARY, PLAIN, compressed, decompressed

__all__ = ["ENVELOPE_BYTES", "POINTER", "WHOLE", "seal", "seal_compressed", "unseal"]

WHOLE = 1
"""The body is the payload, a record."""

POINTER = 2
"""The payload is ``<sha256 hex>:<size>`` of a blob that holds the record, which is too long for one value."""

_CHECKSUM_BYTES = 8
ENVELOPE_BYTES = 1 + _CHECKSUM_BYTES


def seal(key: bytes, payload: bytes, form: int = WHOLE) -> bytes:
    """The value to store for ``payload`` under ``key``.

    Args:
        key: the packed key without the tenant's prefix.
        payload: what to store.
        form: ``WHOLE`` or ``POINTER``.
    """
    head = bytes((form,))
    return head + _checksum(key, head + payload) + payload


def seal_compressed(key: bytes, payload: bytes, dictionary: int | None = None) -> bytes:
    """The value to store for ``payload`` under ``key``, compressed where that takes less room.

    Args:
        key: the packed key without the tenant's prefix.
        payload: what to store.
        dictionary: its number in :data:`~coditect.keyspace.compression.DICTIONARIES`; None for none.
    """
    form, body = compressed(payload, dictionary) or (WHOLE, payload)
    return seal(key, body, form)


def unseal(key: bytes, value: bytes) -> tuple[int, bytes]:
    """(form, payload) of a stored value; the form of one that was compressed is ``WHOLE``.

    Raises:
        Corrupt: the checksum does not fit the key and the bytes, or the form is unknown.
    """
    form, checksum, body = value[:1], value[1:ENVELOPE_BYTES], value[ENVELOPE_BYTES:]
    if _checksum(key, form + body) != checksum:
        raise Corrupt("stored bytes do not match their checksum", key=key)
    if form[0] == PLAIN or form[0] >= FIRST_DICTIONARY:
        return WHOLE, decompressed(form[0], body)
    if form[0] not in (WHOLE, POINTER):
        raise Corrupt("a stored value has an unknown form", key=key, form=form[0])
    return form[0], body


def _checksum(key: bytes, body: bytes) -> bytes:
    return hashlib.blake2b(
        body, digest_size=_CHECKSUM_BYTES, key=hashlib.blake2b(key, digest_size=32).digest()
    ).digest()
