"""How well evidence supports a claim: a calibrated probability with the parts and sentences that it rests on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from coditect.models.port import Embedder
from coditect.verify.combiner import Combiner
from coditect.verify.support_alignment import Index
from coditect.verify.support_features import Measured, measure
from coditect.verify.support_guard import LONGEST_CLAIM, unreadable
from coditect.verify.support_vectors import measure_vectors
from coditect.verify.support_words import FUNCTION, words

__all__ = ["Match", "Part", "Support", "support"]


@dataclass(frozen=True, slots=True)
class Match:
    """An evidence sentence that a part of a claim rests on.

    Attributes:
        sentence: its place in the evidence.
        spans: its words that the part has as well, code points into the sentence, half-open, in order.
    """

    sentence: int
    spans: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Part:
    """A sentence of a claim, judged by itself.

    Attributes:
        start: first code point in the claim.
        end: one past the last.
        probability: that it is supported, 0..1.
        coverage: share of its content words, weighted by rarity, that its best sentences hold, 0..1.
        matches: its best evidence sentences, best first, at most three.
        novel: its words that the evidence lacks in any form, code points into the claim, half-open.
    """

    start: int
    end: int
    probability: float
    coverage: float
    matches: tuple[Match, ...]
    novel: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Support:
    """What the statistical half of the checker says of a claim.

    Attributes:
        probability: that the evidence supports all of the claim, 0..1, calibrated on held-out documents; 0 where it cannot be read.
        unreadable: "empty", "too long", "markup", "language", "instruction", "no evidence", or "" where it can be read.
        features: the measures by name; empty where it cannot be read.
        parts: the claim's sentences.
        version: of the combiner's weights.
        weights_sha256: of the weights' file.
    """

    probability: float
    unreadable: str
    features: Mapping[str, float]
    parts: tuple[Part, ...]
    version: str
    weights_sha256: str


def support(claim: str, evidence: Sequence[str], *, embedder: Embedder | None = None) -> Support:
    """How probable it is that evidence supports a claim.

    Args:
        claim: one or a few English sentences; anything else gets probability 0 and a reason.
        evidence: sentences, in order.
        embedder: makes it somewhat better; without one only words are compared.
    Raises:
        ModelError: the embedder failed.
    """
    combiner = Combiner.load(vectors=embedder is not None)
    reason = unreadable(claim, words(claim[: LONGEST_CLAIM + 1]))
    if not reason and not any(words(each) for each in evidence):
        reason = "no evidence"
    if reason:
        return Support(0.0, reason, {}, (), combiner.version, combiner.weights_sha256)
    index = Index.of(evidence)
    measured = measure(claim, index)
    features = _features(measured, claim, evidence, embedder)
    probability = combiner.probability(features)
    parts = tuple(_part(claim, number, measured, evidence, probability, embedder) for number in range(len(measured.parts)))
    return Support(probability, "", features, parts, combiner.version, combiner.weights_sha256)


def _features(measured: Measured, claim: str, evidence: Sequence[str], embedder: Embedder | None) -> dict[str, float]:
    if embedder is None:
        return measured.features
    return measured.features | measure_vectors(measured, claim, evidence, embedder)


def _part(
    claim: str, number: int, measured: Measured, evidence: Sequence[str], whole: float, embedder: Embedder | None
) -> Part:
    begin, end = measured.parts[number]
    said = measured.words[begin:end]
    start, stop = said[0].start, said[-1].end
    probability = whole
    if len(measured.parts) > 1:
        text = claim[start:stop]
        alone = _features(measure(text, measured.index), text, evidence, embedder)
        probability = Combiner.load(vectors=embedder is not None).probability(alone)
    keys = {word.key for word in said if word.kind != FUNCTION}
    matches = tuple(
        Match(at, tuple((w.start, w.end) for w in measured.index.sentences[at] if w.key in keys))
        for at in measured.part_sentences[number]
    )
    novel = tuple((measured.words[at].start, measured.words[at].end) for at in measured.novel if begin <= at < end)
    return Part(start, stop, probability, measured.part_coverage[number], matches, novel)
