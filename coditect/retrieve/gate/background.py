"""What a question says by itself: how rare its words are in the corpus, and how near the corpus comes to it at all.

A cosine means little alone. "Is my data shared?" is near to much that does not answer it, "Why was the game never released in the
West?" is near to nothing. So the nearest unit is compared with everyday words of many fields: what is no nearer than they are is
near by chance. Speaker verification normalises its scores by such a cohort (Auckenthaler et al., Digital Signal Processing 2000).
And to a corpus of its own field a question is near on average, too: to a part of it, since one corpus may hold several fields.
"""

from __future__ import annotations

import hashlib
import math
import tempfile
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import Protocol

import numpy as np
import numpy.typing as npt

from coditect.models.port import Embedder, FloatArray
from coditect.retrieve.gate.words import asking_stems, everyday_words
from coditect.retrieve.port import Background
from coditect.retrieve.spoken import Spoken
from coditect.retrieve.words import read_words

__all__ = ["Everyday", "Searched", "around", "rarity_of", "with_spoken"]

NEIGHBOURS = 20
"""Everyday words whose cosines are averaged."""

ONE_OF = 8192
"""How near the nearest of so many units is, tells whether a corpus speaks of something at all. That does not depend on a filter."""

AROUND = 200
"""One in so many units is a field of its own within a corpus, whatever else that holds."""

Scores = npt.NDArray[np.floating]

_DIGITS = 6
_AT_ONCE = 8
"""Words embedded in one call: for many texts an embedder sets up more than so few words are worth."""


def rarity_of(query: str, units: int, holding: Callable[[str], int]) -> Background:
    """What the words of a question are worth among units.

    Args:
        query: the question.
        units: how many may answer.
        holding: how many of them hold a stem in their own text.
    """
    asked = read_words(query).weights
    telling = [stem for stem in asked if stem not in asking_stems()]
    # A word that no unit has is worth a little more than one that a single unit has.
    rarity = {stem: math.log((units + 1) / (holding(stem) + 0.5)) for stem in telling or asked}
    return Background(units, dict.fromkeys(asked, 0.0) | rarity)


def with_spoken(background: Background, spoken: Sequence[Spoken], holding: Callable[[str], int]) -> Background:
    """The background with what the terms are worth that a question's everyday words lead to.

    Args:
        background: what its words are worth.
        spoken: what it says in everyday words.
        holding: how many units hold a stem in their own text.
    """
    worth = tuple(
        (
            each.own(),
            {stem: max(0.0, math.log((background.units + 1) / (holding(stem) + 0.5))) for stem in each.stems()},
        )
        for each in spoken
    )
    return replace(background, spoken=worth)


class Searched(Protocol):
    """Vectors of units."""

    def __len__(self) -> int:
        """How many."""

    def sample(self, step: int) -> FloatArray:
        """The first and each one so many behind it, shape (vectors, dimension)."""

    @property
    def sampled(self) -> FloatArray:
        """Some of them, evenly drawn where there are many, shape (vectors, dimension); kept."""

    @property
    def centre(self) -> FloatArray:
        """Their mean, or that of a sample, shape (dimension,); zeros where there are none."""


class Everyday:
    """Vectors of everyday words, made when they are first needed, and kept.

    Args:
        embedder: of the corpus.
        folder: where they are kept from one process to the next; None: nowhere. What is damaged there is made again.

    Attributes:
        wanted: its gate looks at what they say; where it does not, they are not embedded. To fit such a gate, set it.
    """

    def __init__(self, embedder: Embedder, folder: Path | None = None) -> None:
        self._embedder = embedder
        self._folder = folder
        gate = embedder.card.gate
        self.wanted = gate is not None and "ordinary" in gate.weights

    @cached_property
    def _rows(self) -> FloatArray:
        """The vectors of the everyday words, shape (words, dimension), of unit length."""
        if self._folder is None:
            return self._made()
        words = hashlib.sha256("\n".join((self._embedder.card.model_id, *everyday_words())).encode()).hexdigest()[:16]
        file = self._folder / f"everyday-{words}.npy"
        with suppress(OSError, ValueError, EOFError):
            kept = np.load(file, allow_pickle=False)
            if kept.shape == (len(everyday_words()), self._embedder.card.dimension) and kept.dtype == np.float32:
                return np.asarray(kept)
        rows = self._made()
        with suppress(OSError):  # a cache that cannot be written costs time, no answer
            _replace(file, rows)
        return rows

    def _made(self) -> FloatArray:
        words = everyday_words()
        parts = [self._embedder.embed(words[at : at + _AT_ONCE]) for at in range(0, len(words), _AT_ONCE)]
        return np.concatenate(parts).astype(np.float32, copy=False)

    def ordinary(self, vector: FloatArray) -> float:
        """How near everyday words come to a question: mean cosine of the nearest of them, -1..1.

        Args:
            vector: of the question, shape (dimension,), unit length.
        """
        cosines = np.vecdot(self._rows, vector)
        return round(float(np.partition(cosines, -NEIGHBOURS)[-NEIGHBOURS:].mean()), _DIGITS)

    def beside(
        self, background: Background, cosines: Scores, searched: Searched, vector: FloatArray, *, filtered: bool
    ) -> Background:
        """The background with what the vectors say, if the gate wants it.

        Args:
            background: what the words say.
            cosines: of the candidates, the nearest units among them, any order.
            searched: the vectors that were.
            vector: of the question, as it was asked in the end.
            filtered: not all units could be candidates; then a sample of all is compared.
        """
        if not self.wanted:
            return background
        # One in so many: the nearest of a million is nearer than that of a thousand, whatever they speak of.
        step = -(-len(searched) // ONE_OF)
        if filtered and len(searched):
            nearest = float(np.vecdot(searched.sample(step), vector).max())
        else:
            nearest = float(np.sort(cosines)[::-1][min(step, len(cosines)) - 1]) if len(cosines) else 0.0
        common = round(float(np.vecdot(searched.centre, vector)), _DIGITS)
        known = replace(background, nearest=round(nearest, _DIGITS), ordinary=self.ordinary(vector), common=common)
        return replace(known, around=around(searched.sampled, vector))


def around(sampled: FloatArray, vector: FloatArray) -> float:
    """How near the part of a corpus comes to a question that is nearest to it: mean cosine of one unit in 200, -1..1.

    Args:
        sampled: vectors of units, shape (vectors, dimension); without any, 0.
        vector: of the question, shape (dimension,), unit length.
    """
    if not len(sampled):
        return 0.0
    cosines = np.vecdot(sampled, vector)
    few = max(1, len(cosines) // AROUND)
    return round(float(np.partition(cosines, -few)[-few:].mean(dtype=np.float64)), _DIGITS)


def _replace(file: Path, rows: FloatArray) -> None:
    """Write a file whole, under a name of its own first: other processes may do the same."""
    file.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile(dir=file.parent, prefix=file.stem, suffix=".tmp", delete=False) as part:
        np.save(part, rows)
    Path(part.name).replace(file)
