"""Vectors of tokens made small: the mean of what a model gives taken off, and cut to the directions in which they differ most.

What is needed for that was fitted once for each model that has it, without any question, and lies beside the model's card:
``<card>.tokens.npz`` with

======== ======= ============== ==========================================================
array    type    shape          what
======== ======= ============== ==========================================================
mean     float32 (dimension,)   of vectors of tokens
basis    float32 (dimension, d) directions, each by the fourth root of the variance along it
silent   uint16  (n,)           tokens that tell nothing: function words, marks
======== ======= ============== ==========================================================
"""

from __future__ import annotations

import hashlib
import io
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

import numpy as np

from coditect.models.port import FloatArray, IntArray, ReadTokens
from coditect.models.rows import unit_rows

__all__ = ["TokenReduction", "reduction_for"]

_DIGITS = 8


@dataclass(frozen=True, slots=True)
class TokenReduction:
    """What vectors of a model's tokens are reduced by.

    Attributes:
        name: first digits of its file's SHA-256.
        mean: shape (dimension,).
        basis: shape (dimension, d).
        silent: token ids.
    """

    name: str
    mean: FloatArray
    basis: FloatArray
    silent: IntArray

    def read(self, ids: IntArray, states: FloatArray) -> ReadTokens:
        """The tokens of a text that tell something; all of a text that has none.

        Args:
            ids: shape (tokens,).
            states: shape (tokens, dimension), as the model's last layer gives them.
        """
        telling = ~np.isin(ids, self.silent)
        if not telling.any():
            telling[:] = True
        rows = unit_rows(states[telling]) - self.mean
        return ReadTokens(ids[telling].astype(np.int64), unit_rows(rows @ self.basis))


@cache
def reduction_for(card: str) -> TokenReduction | None:
    """The reduction of a model by the name of its card's file without ending; None: it has none."""
    file = files("coditect.models") / "cards" / f"{card}.tokens.npz"
    if not file.is_file():
        return None
    data = file.read_bytes()
    with np.load(io.BytesIO(data), allow_pickle=False) as found:
        return TokenReduction(
            hashlib.sha256(data).hexdigest()[:_DIGITS],
            found["mean"],
            found["basis"],
            found["silent"].astype(np.int64),
        )
