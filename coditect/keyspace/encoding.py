"""The envelope around every stored value, so that a changed byte is noticed wherever it lies.

``value = form (1 byte) + checksum (8 bytes) + payload``. The checksum is BLAKE2b over the key (without the tenant's
prefix) and the payload: bytes that were changed, or moved to another key, do not open. It guards against rot and
slips; against an adversary stand the content-addressed ids, which cover every field with SHA-256.
"""

from __future__ import annotations

import hashlib

from coditect.errors import Corrupt

__all__ = ["ENVELOPE_BYTES", "POINTER", "WHOLE", "seal", "unseal"]

WHOLE = 1
"""The payload is the record."""

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


def unseal(key: bytes, value: bytes) -> tuple[int, bytes]:
    """(form, payload) of a stored value.

    Raises:
        Corrupt: the checksum does not fit the key and the bytes, or the form is unknown.
    """
    form, checksum, payload = value[:1], value[1:ENVELOPE_BYTES], value[ENVELOPE_BYTES:]
    if _checksum(key, form + payload) != checksum:
        raise Corrupt("stored bytes do not match their checksum", key=key)
    if form[0] not in (WHOLE, POINTER):
        raise Corrupt("a stored value has an unknown form", key=key, form=form[0])
    return form[0], payload


def _checksum(key: bytes, body: bytes) -> bytes:
    return hashlib.blake2b(
        body, digest_size=_CHECKSUM_BYTES, key=hashlib.blake2b(key, digest_size=32).digest()
    ).digest()
