"""Reading what replicas take of a document from the file that was made where it was derived."""

from __future__ import annotations

import pickle
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import zstandard

from coditect.models.port import IntArray
from coditect.retrieve.local.lexical import Fields
from coditect.retrieve.units import IndexName

__all__ = ["TOKENS", "PreparedDocument"]

TOKENS = "tokens"
"""Under which name the tokens of passages stand, beside the fields of the units of each granularity."""


class PreparedDocument:
    """What replicas take of one document, in a file that :class:`~coditect.retrieve.local.meaning.making.LocalPreparing` wrote.

    Args:
        path: the file.
    """

    def __init__(self, path: Path) -> None:
        # Written by a process of this build, as all that processes hand to each other; nobody else may write there.
        self._packed: dict[str, bytes] = pickle.loads(path.read_bytes())  # noqa: S301 - see above

    def fields(self, granularity: IndexName) -> Sequence[Fields]:
        """The fields of its units, in document order."""
        found: Sequence[Fields] = self._read(granularity)
        return found

    @property
    def tokens(self) -> Sequence[IntArray] | None:
        """The different tokens of each passage, in the order of their vectors; None where they are not there."""
        found: Sequence[IntArray] | None = self._read(TOKENS) if TOKENS in self._packed else None
        return found

    def _read(self, name: str) -> Any:  # noqa: ANN401 - what was pickled under a name
        return pickle.loads(zstandard.ZstdDecompressor().decompress(self._packed[name]))  # noqa: S301 - as above
