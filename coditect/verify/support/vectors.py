"""Measures of a claim and its evidence that need an embedder: likeness of sentences, and of words that one side lacks."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from coditect.language.reading.words import Word, WordKind
from coditect.models.port import Embedder, FloatArray
from coditect.verify.support.features import Measured

__all__ = ["measure_vectors"]

_MOST_SENTENCES = 200
_MOST_WORDS = 400


def measure_vectors(measured: Measured, claim: str, embedder: Embedder) -> dict[str, float]:
    """Cosines of the claim with its evidence, and of the claim's novel words with words of the evidence.

    Args:
        measured: the claim and its evidence, measured by words.
        claim: the text.
        embedder: any.
    Raises:
        ModelError: the embedder failed.
    """
    said = measured.words
    texts = [claim[said[a].start : said[b - 1].end] for a, b in measured.parts] or [claim]
    shown = list(measured.index.texts[:_MOST_SENTENCES]) or [""]
    vectors = embedder.embed([claim, *texts, *shown])
    whole, pieces, theirs = vectors[:1], vectors[1 : 1 + len(texts)], vectors[1 + len(texts) :]
    cosines = pieces @ theirs.T
    middle = theirs.sum(axis=0)
    length = float(np.linalg.norm(middle))
    return {
        "v_best": float((whole @ theirs.T).max()),
        "v_parts_mean": float(cosines.max(axis=1).mean()),
        "v_parts_min": float(cosines.max(axis=1).min()),
        "v_all": float((whole @ middle)[0] / length) if length else 0.0,
    } | _novel(measured, embedder)


def _novel(measured: Measured, embedder: Embedder) -> dict[str, float]:
    """How like the novel words are to the words of the sentence where they belong, and to all words."""
    said, index = measured.words, measured.index
    claimed = {word.key for word in said}
    contexts = {context.at: context for context in measured.contexts}
    novel = [at for at in measured.novel if said[at].kind == WordKind.CONTENT][:40]
    local: list[list[str]] = []
    for at in novel:
        number = contexts[at].sentence
        sentence = index.sentences[number].reading.words if number >= 0 else ()
        local.append(_texts([word for word in sentence if word.key not in claimed]))
    everything = _texts([word for sentence in index.sentences for word in sentence.reading.words])[:_MOST_WORDS]
    if not novel or not everything:
        return {
            "v_local_mean": 1.0,
            "v_local_min": 1.0,
            "v_any_mean": 1.0,
            "v_any_min": 1.0,
            "v_gap": 0.0,
            "v_low": 0.0,
        }
    known = list(dict.fromkeys([*everything, *(text for texts in local for text in texts)]))
    row = {text: number for number, text in enumerate(known)}
    theirs = embedder.embed(known)
    ours = embedder.embed([said[at].text.lower() for at in novel])
    cosines: FloatArray = ours @ theirs.T
    anywhere = cosines.max(axis=1)
    near = np.array([max((float(cosines[i, row[t]]) for t in texts), default=0.0) for i, texts in enumerate(local)])
    return {
        "v_local_mean": float(near.mean()),
        "v_local_min": float(near.min()),
        "v_any_mean": float(anywhere.mean()),
        "v_any_min": float(anywhere.min()),
        "v_gap": float((anywhere - near).max()),
        "v_low": float((anywhere < 0.35).sum()),
    }


def _texts(sentence: Sequence[Word]) -> list[str]:
    return list(dict.fromkeys(word.text.lower() for word in sentence if word.kind != WordKind.FUNCTION))
