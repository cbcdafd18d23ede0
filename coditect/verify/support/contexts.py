"""Measures of a claim and its evidence by a model that reads words in context: nearness of its words to runs of sentences.

The words of a claim and of the sentences that hold most of it get the vectors that they have where they stand, so that "is allowed
to" comes near "may", and the bank of a river not near one that lends. Each phrase of three words of a claim is held beside whole
sentences, too: what one short sentence says in other words has few words of the claim, but means each of its phrases.
The rest is measured as with any vectors (:mod:`coditect.verify.support.windows`).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from coditect.language.reading.words import Word, WordKind
from coditect.models.port import ContextEmbedder, FloatArray, InContext
from coditect.verify.support.features import Measured
from coditect.verify.support.windows import RUNS, SaidWords, measure_runs, near_by_words, said_words

__all__ = ["CONTEXTS", "MOST_READ", "ReadTexts", "measure_contexts"]

CONTEXTS = ("c_best", "c_top", "c_all", *(f"ctx_{each}" for each in RUNS), *(f"phrase_{each}" for each in RUNS))
"""Names of the measures."""

MOST_READ = 32
"""Sentences of the evidence that are read in context, at most: those that hold most of a claim by words, alone or together."""

_TOP = 3
_ALONE = 0.5
_BESIDE = 1
"""Words on each side of a word that make a phrase with it."""
_MOST_KEPT = 1024

_Floats = npt.NDArray[np.float64]


class ReadTexts:
    """Texts as a model reads them, the last thousand of them kept: the same evidence stands beside many claims of a run.

    Args:
        embedder: the model.
    """

    def __init__(self, embedder: ContextEmbedder) -> None:
        self._embedder = embedder
        self._kept: dict[str, InContext] = {}

    def read(self, texts: Sequence[str]) -> list[InContext]:
        """Texts in the model's eyes; those that are not kept yet are computed in one call.

        Raises:
            ModelError: the model failed.
        """
        missing = [each for each in dict.fromkeys(texts) if each not in self._kept]
        found = dict(zip(missing, self._embedder.in_context(missing), strict=True)) if missing else {}
        known = [found[each] if each in found else self._kept[each] for each in texts]
        self._kept |= found
        for old in list(self._kept)[: max(0, len(self._kept) - _MOST_KEPT)]:
            del self._kept[old]
        return known


def measure_contexts(measured: Measured, claim: str, texts: ReadTexts) -> dict[str, float]:
    """How near runs of sentences come to the words of a claim in context, by the names of :data:`CONTEXTS`.

    Args:
        measured: the claim and its evidence, measured by words.
        claim: the text.
        texts: as the model reads them.

    Returns:
        The cosine with the nearest sentence, the mean of the three nearest, and that with all that were read together; then as
        :func:`~coditect.verify.support.windows.measure_runs` of words, and of the phrases around them beside whole sentences.
        Another number may come near: that it is another one is for the rules and for the measures of words.

    Raises:
        ModelError: the model failed.
    """
    said = said_words(measured)
    by_words = near_by_words(said, measured.index)
    chosen = _chosen(said, by_words)
    sentences = [measured.index.sentences[at].reading for at in chosen]
    own, *others = texts.read([claim, *(each.text for each in sentences)])
    words, phrases = np.zeros(by_words.shape), np.zeros(by_words.shape)
    if words.size:
        mine = _word_vectors(measured.words, own)
        words[:, chosen] = _nearest(mine[list(said.places)], [each.words for each in sentences], others)
        # Whether a word is the same in the same sense is for the model to say; other forms and synonyms are as near as by words.
        words = np.maximum(words, np.where(by_words < 1.0, by_words, 0.0))
        wholes = np.array([each.whole for each in others])
        around = _phrase_vectors(mine)[list(said.places)]
        phrases[:, chosen] = np.clip(np.vecdot(around[:, None, :], wholes[None, :, :]), 0.0, 1.0)
    runs = (*measure_runs(measured, said, words), *measure_runs(measured, said, phrases))
    return dict(zip(CONTEXTS, (*_cosines(own, others), *runs), strict=True))


def _nearest(mine: FloatArray, sentences: Sequence[Sequence[Word]], others: Sequence[InContext]) -> _Floats:
    """The cosine of each word with the nearest word of substance of each sentence, shape (words, sentences), 0..1."""
    near = np.zeros((len(mine), len(sentences)))
    for at, (sentence, found) in enumerate(zip(sentences, others, strict=True)):
        words = [word for word in sentence if word.kind != WordKind.FUNCTION]
        if words:
            # One by one: a product of matrices has other last bits on other machines.
            near[:, at] = np.vecdot(mine[:, None, :], _word_vectors(words, found)[None, :, :]).max(axis=1)
    return np.clip(near, 0.0, 1.0)


def _phrase_vectors(words: FloatArray) -> FloatArray:
    """The middle of each word and its neighbours, shape (words, d), unit length."""
    beside = np.pad(words, ((_BESIDE, _BESIDE), (0, 0)))
    return _unit(np.sum([beside[at : at + len(words)] for at in range(2 * _BESIDE + 1)], axis=0))


def _chosen(said: SaidWords, near: _Floats) -> list[int]:
    """The sentences that are read: in order those that hold most of the claim's words, alone and with their neighbours."""
    count = near.shape[1]
    if count <= MOST_READ or not near.size:
        return list(range(min(count, MOST_READ)))
    beside = np.pad(near, ((0, 0), (1, 1)))
    rows = np.maximum.reduce([beside[:, :-2], beside[:, 1:-1], beside[:, 2:]])
    held = said.share(rows) + _ALONE * said.share(near)
    return sorted(np.argsort(-held, kind="stable")[:MOST_READ].tolist())


def _word_vectors(words: Sequence[Word], text: InContext) -> FloatArray:
    """The vectors of words, shape (words, d), unit length: the middle of their tokens; zeros for what the model did not read."""
    first = np.searchsorted(text.ends, [word.start for word in words], side="right")
    last = np.searchsorted(text.starts, [word.end for word in words], side="left")
    sums = np.array(
        [text.tokens[begin:end].sum(axis=0) for begin, end in zip(first, last, strict=True)], np.float32
    ).reshape(len(words), text.tokens.shape[1])
    return _unit(sums)


def _unit(rows: FloatArray) -> FloatArray:
    lengths = np.sqrt(np.vecdot(rows, rows))[:, None]
    return np.asarray(rows / np.where(lengths > 0.0, lengths, 1.0), np.float32)


def _cosines(own: InContext, others: Sequence[InContext]) -> tuple[float, float, float]:
    if not others:
        return 0.0, 0.0, 0.0
    vectors = np.array([each.whole for each in others])
    cosines = np.sort(np.vecdot(vectors, own.whole))[::-1]
    middle = vectors.sum(axis=0)
    length = float(np.sqrt(np.vecdot(middle, middle)))
    whole = float(np.vecdot(middle, own.whole)) / length if length else 0.0
    return float(cosines[0]), float(cosines[:_TOP].mean()), whole
