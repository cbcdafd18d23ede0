"""Compressed values: Zstandard, with a dictionary for each kind of record that is short and often the same.

One byte in front of a stored value says how its payload is written (:mod:`coditect.keyspace.encoding`): as it is, compressed
without a dictionary, or with the dictionary of that number. A dictionary is never changed once a release has written with it, and
its number is never given to another; a new one gets a new number, and what was written with the old one is read for ever.

The compressed bytes are no part of any promise: another release of the library may write others. What is hashed, compared and
archived is the payload.
"""

from __future__ import annotations

import threading
from functools import cache
from importlib.resources import files

import zstandard

from coditect.errors import Corrupt

__all__ = ["DICTIONARIES", "DICTIONARY_OF", "FIRST_DICTIONARY", "PLAIN", "compressed", "decompressed"]

PLAIN = 3
"""Compressed without a dictionary."""

FIRST_DICTIONARY = 16
"""The form of a payload that is compressed with dictionary 0; those of others follow."""

DICTIONARIES: dict[int, str] = {0: "extraction-2", 1: "chunk-2", 2: "passage-2", 3: "derivation-2", 4: "claim-2"}
"""The file of each dictionary, by its number."""

DICTIONARY_OF: dict[str, int] = {
    "extractions": 0,
    "chunks": 1,
    "passages": 2,
    "derivations": 3,
    "trees": 3,
    "manifests": 3,
    "claims": 4,
    "verdicts": 4,
    "sections": 4,
    "summaries": 4,
}
"""What the records of a table are written with; those of the other tables without a dictionary."""

LEVEL = 3
LONGEST_BYTES = 1_000_000
"""Of a payload. One that is longer than a value is a blob, so a frame that claims more was not written here."""

_LEAST_BYTES = 64


class _Codecs(threading.local):
    """Compressors and decompressors by dictionary, which no two threads may share."""

    def __init__(self) -> None:
        self.writers: dict[int | None, zstandard.ZstdCompressor] = {}
        self.readers: dict[int | None, zstandard.ZstdDecompressor] = {}


_CODECS = _Codecs()


@cache
def _dictionary(number: int) -> zstandard.ZstdCompressionDict:
    found = files("coditect.keyspace") / "dictionaries" / f"{DICTIONARIES[number]}.zdict"
    made = zstandard.ZstdCompressionDict(found.read_bytes(), dict_type=zstandard.DICT_TYPE_FULLDICT)
    made.precompute_compress(level=LEVEL)
    return made


def compressed(payload: bytes, dictionary: int | None) -> tuple[int, bytes] | None:
    """(form, bytes) of a payload; None where that takes no less room.

    Args:
        payload: at most :data:`LONGEST_BYTES`.
        dictionary: its number, or None for none.
    """
    if len(payload) < _LEAST_BYTES:
        return None
    writer = _CODECS.writers.get(dictionary)
    if writer is None:
        given = {} if dictionary is None else {"dict_data": _dictionary(dictionary)}
        writer = zstandard.ZstdCompressor(LEVEL, write_dict_id=False, write_checksum=False, **given)  # type: ignore[arg-type]
        _CODECS.writers[dictionary] = writer
    packed = writer.compress(payload)
    if len(packed) >= len(payload):
        return None
    return (PLAIN if dictionary is None else FIRST_DICTIONARY + dictionary), packed


def decompressed(form: int, packed: bytes) -> bytes:
    """The payload of a form that :func:`compressed` gave.

    Raises:
        Corrupt: not such bytes, or of a dictionary that this release does not have.
    """
    number = None if form == PLAIN else form - FIRST_DICTIONARY
    if number is not None and number not in DICTIONARIES:
        raise Corrupt("a stored value has an unknown form", form=form)
    reader = _CODECS.readers.get(number)
    if reader is None:
        given = {} if number is None else {"dict_data": _dictionary(number)}
        reader = _CODECS.readers[number] = zstandard.ZstdDecompressor(**given)  # type: ignore[arg-type]
    try:
        if not 0 <= zstandard.frame_content_size(packed) <= LONGEST_BYTES:
            raise Corrupt("a compressed value does not say how long it is", form=form)
        return reader.decompress(packed)
    except zstandard.ZstdError as error:
        raise Corrupt("a stored value cannot be decompressed", form=form) from error
