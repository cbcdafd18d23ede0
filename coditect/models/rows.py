"""What goes into a model and what comes out, made uniform: texts that can be encoded, rows of unit length."""

from __future__ import annotations

import re

import numpy as np
import numpy.typing as npt

from coditect.models.port import FloatArray

__all__ = ["encodable", "unit_rows"]

_BLOCK_ROWS = 1024  # in double precision they take four times what they end as
_SURROGATES = re.compile("[\ud800-\udfff]")


def encodable(text: str) -> str:
    """The text with U+FFFD for halves of surrogate pairs, which no tokenizer takes; every other character keeps its place."""
    return _SURROGATES.sub("\ufffd", text)


def unit_rows(rows: npt.NDArray[np.floating]) -> FloatArray:
    """Divide rows by their length.

    Args:
        rows: shape (n, d), finite.
    Returns:
        shape (n, d), float32; a row of zeros stays so. Each row's bytes depend on that row alone.
    """
    unit = np.empty(rows.shape, np.float32)
    for begin in range(0, len(rows), _BLOCK_ROWS):
        exact = rows[begin : begin + _BLOCK_ROWS].astype(np.float64)
        lengths = np.sqrt((exact * exact).sum(axis=1, keepdims=True))
        unit[begin : begin + _BLOCK_ROWS] = exact / np.where(lengths > 0.0, lengths, 1.0)
    return unit
