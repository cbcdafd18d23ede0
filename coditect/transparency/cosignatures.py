"""Cosignatures: a witness says that, at a time, a checkpoint was the newest it had seen of a log, and continued the last one.

C2SP ``tlog-cosignature``, version 1 with Ed25519. The time stands in front of the signature and is signed with it.
"""

from __future__ import annotations

from coditect.errors import InvalidProof

__all__ = ["COSIGNATURE", "cosignature_time", "cosigned_message", "message_at"]

COSIGNATURE = 0x04
"""The signature type of a timestamped Ed25519 cosignature."""

_TIME_BYTES = 8
_SIGNATURE_BYTES = 64
_LAST_TIME = (1 << 63) - 1


def message_at(text: bytes, time_s: int) -> bytes:
    """What a witness signs.

    Args:
        text: of the checkpoint, with its last line end.
        time_s: seconds since 1970.
    """
    return b"cosignature/v1\ntime %d\n" % time_s + text


def cosigned_message(text: bytes, signature: bytes) -> tuple[bytes, bytes]:
    """(signed message, Ed25519 signature) of a cosignature over a checkpoint's text.

    Raises:
        InvalidProof: not a cosignature.
    """
    return message_at(text, cosignature_time(signature)), signature[_TIME_BYTES:]


def cosignature_time(signature: bytes) -> int:
    """When a cosignature was given, seconds since 1970; true once the signature is verified, and only as far as the witness is.

    Raises:
        InvalidProof: not a cosignature.
    """
    time_s = int.from_bytes(signature[:_TIME_BYTES], "big")
    if len(signature) != _TIME_BYTES + _SIGNATURE_BYTES or time_s > _LAST_TIME:
        raise InvalidProof("not a cosignature", size_bytes=len(signature))
    return time_s
