"""The file in which a document waits for replicas: what they take of it, written where it is derived and read where they are made.

It holds JSON and numbers alone, so that nothing which lies in a cache is ever run.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import orjson
import zstandard

from coditect.models.port import IntArray
from coditect.retrieve.local.lexical import Fields
from coditect.retrieve.units import IndexName

__all__ = ["PreparedDocument", "write_prepared"]

_LEVEL = 1
"""Of compression: the files are read once, minutes later."""

_TOKENS, _COUNTS = "tokens", "counts"
_HEAD_BYTES = 4


def write_prepared(path: Path, fields: Mapping[IndexName, Sequence[Fields]], tokens: Sequence[IntArray] | None) -> None:
    """Write the file of one document.

    Args:
        path: the file.
        fields: of its units by granularity, in document order.
        tokens: the different tokens of each passage, in the order of their vectors, each 0..65,535; None where there are none.

    Raises:
        OSError: it cannot be written.
    """
    parts: dict[str, bytes] = {name: orjson.dumps(own) for name, own in fields.items()}
    if tokens is not None:
        parts[_TOKENS] = b"".join(each.astype("<u2").tobytes() for each in tokens)
        parts[_COUNTS] = np.array([len(each) for each in tokens], "<u4").tobytes()
    writer = zstandard.ZstdCompressor(_LEVEL)
    packed = {name: writer.compress(own) for name, own in parts.items()}
    head = orjson.dumps({name: len(own) for name, own in packed.items()})
    path.write_bytes(b"".join((len(head).to_bytes(_HEAD_BYTES, "little"), head, *packed.values())))


class PreparedDocument:
    """What replicas take of one document, from a file that :func:`write_prepared` wrote.

    Args:
        path: the file.
    """

    def __init__(self, path: Path) -> None:
        data = path.read_bytes()
        at = _HEAD_BYTES + int.from_bytes(data[:_HEAD_BYTES], "little")
        self._packed: dict[str, bytes] = {}
        for name, length in orjson.loads(data[_HEAD_BYTES:at]).items():
            self._packed[name] = data[at : at + length]
            at += length

    def fields(self, granularity: IndexName) -> list[Fields]:
        """The fields of its units, in document order."""
        return [(fields, number) for fields, number in orjson.loads(self._read(granularity))]

    @property
    def tokens(self) -> Sequence[IntArray] | None:
        """The different tokens of each passage, in the order of their vectors; None where they are not there."""
        if _TOKENS not in self._packed:
            return None
        ends = np.cumsum(np.frombuffer(self._read(_COUNTS), "<u4"))
        return np.split(np.frombuffer(self._read(_TOKENS), "<u2"), ends[:-1]) if len(ends) else []

    def _read(self, name: str) -> bytes:
        return zstandard.ZstdDecompressor().decompress(self._packed[name])
