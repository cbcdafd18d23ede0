"""Measures of a claim and its evidence that need an embedder: likeness of sentences, and of words to runs of sentences."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from coditect.language.reading.words import WordKind
from coditect.models.port import Embedder, FloatArray
from coditect.verify.support.features import Measured
from coditect.verify.support.windows import MOST_SENTENCES, RUNS, SaidWords, measure_runs, said_words

__all__ = ["VECTORS", "measure_vectors"]

_COSINES = ("v_best", "v_top", "v_all")
VECTORS = (*_COSINES, *(f"soft_{each}" for each in RUNS))
"""Names of the measures."""

_TOP = 3


def measure_vectors(measured: Measured, claim: str, embedder: Embedder) -> dict[str, float]:
    """Cosines of a claim with sentences, and nearness of its words to runs of them, by the names of :data:`VECTORS`.

    Args:
        measured: the claim and its evidence, measured by words.
        claim: the text.
        embedder: any; best one that gives a single word what it means by itself.

    Returns:
        The cosine with the nearest sentence, the mean of the three nearest, and that with all of them together; then as
        :func:`~coditect.verify.support.windows.measure_runs`. A number is held only where it stands, any other word as much as the
        nearest word of a sentence has its vector.

    Raises:
        ModelError: the embedder failed.
    """
    shown = [each.reading.text for each in measured.index.sentences[:MOST_SENTENCES]]
    said = said_words(measured)
    runs = measure_runs(measured, said, _nearness(said, measured, embedder))
    return dict(zip(VECTORS, (*_cosines(claim, shown or [""], embedder), *runs), strict=True))


def _cosines(claim: str, texts: Sequence[str], embedder: Embedder) -> tuple[float, float, float]:
    vectors = embedder.embed([claim, *texts])
    # Row by row: a product of matrices has other last bits on other machines.
    cosines = np.sort(np.vecdot(vectors[1:], vectors[0]))[::-1]
    middle = vectors[1:].sum(axis=0)
    length = float(np.sqrt(np.vecdot(middle, middle)))
    whole = float(np.vecdot(middle, vectors[0])) / length if length else 0.0
    return float(cosines[0]), float(cosines[:_TOP].mean()), whole


def _nearness(said: SaidWords, measured: Measured, embedder: Embedder) -> npt.NDArray[np.float64]:
    """How near each sentence comes to each word of a claim, shape (words, sentences), 0..1."""
    sentences = [
        [word.low for word in each.reading.words if word.kind != WordKind.FUNCTION]
        for each in measured.index.sentences[:MOST_SENTENCES]
    ]
    known = {text: at for at, text in enumerate(dict.fromkeys(text for each in sentences for text in each))}
    near = np.zeros((len(said.words), len(sentences)))
    if not near.size or not known:
        return near
    cosines = _word_cosines([word.low for word in said.words], list(known), embedder)
    for number, sentence in enumerate(sentences):
        if sentence:
            near[:, number] = cosines[:, [known[text] for text in sentence]].max(axis=1)
    numbers = np.array([word.kind == WordKind.NUMBER for word in said.words])
    near = np.where(numbers[:, None], 0.0, np.clip(near, 0.0, 1.0))
    for row, word in enumerate(said.words):
        near[row, [at for at in measured.index.inside.get(word.key, ()) if at < MOST_SENTENCES]] = 1.0
    return near


def _word_cosines(ours: Sequence[str], theirs: Sequence[str], embedder: Embedder) -> FloatArray:
    """The cosine of each word with each other one, shape (ours, theirs)."""
    vectors = embedder.embed([*ours, *theirs])
    return np.asarray(np.vecdot(vectors[: len(ours), None, :], vectors[None, len(ours) :, :]))
