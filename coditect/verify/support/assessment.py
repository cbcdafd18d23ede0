"""How well evidence supports a claim: a calibrated probability with the parts and sentences that it rests on."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from coditect.language.reading.words import WordKind, read_words
from coditect.verify.alignment.evidence import EvidenceIndex, EvidenceSentence
from coditect.verify.contradictions.kinds import Contradiction
from coditect.verify.contradictions.rules import find_contradictions
from coditect.verify.support.agreement import measure_agreement
from coditect.verify.support.combiner import Combiner
from coditect.verify.support.features import Measured, measure, measure_contradictions
from coditect.verify.support.guard import LONGEST_CLAIM, unreadable
from coditect.verify.support.meaning import Meaning
from coditect.verify.support.windows import measure_windows

__all__ = ["ClaimPart", "SentenceMatch", "Support", "all_features", "support"]


@dataclass(frozen=True, slots=True)
class SentenceMatch:
    """An evidence sentence that a part of a claim rests on.

    Attributes:
        text_index: which of the evidence texts it stands in.
        spans: its words that the part has as well, code points into that text, half-open, in order.
    """

    text_index: int
    spans: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class ClaimPart:
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
    matches: tuple[SentenceMatch, ...]
    novel: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Support:
    """What the statistical half of the checker says of a claim.

    Attributes:
        probability: that the evidence supports all of the claim, 0..1, calibrated on held-out documents; 0 where the claim
            cannot be read.
        unreadable: "empty", "too long", "markup", "language", "instruction", "no evidence", or "" where it can be read.
        features: the measures by name, those of agreement with them; empty where it cannot be read.
        parts: the claim's sentences.
        version: the version of the combiner's weights, with the embedder that they were fitted with.
        weights_sha256: SHA-256 of the weights' file, hex.
    """

    probability: float
    unreadable: str
    features: Mapping[str, float]
    parts: tuple[ClaimPart, ...]
    version: str
    weights_sha256: str


def support(
    claim: str,
    evidence: Sequence[str] | EvidenceIndex,
    *,
    meaning: Meaning | None = None,
    contradictions: Sequence[Contradiction] | None = None,
) -> Support:
    """How probable it is that evidence supports a claim.

    Args:
        claim: one or a few English sentences; anything else gets probability 0 and a reason.
        evidence: texts, best one sentence each, or an index of them.
        meaning: an embedder with its weights; without one only words are compared (``version`` says which).
        contradictions: what :func:`~coditect.verify.contradictions.rules.find_contradictions` found, where that was done already.
    Raises:
        ModelError: the embedder failed.
    """
    combiner = Combiner.load() if meaning is None else meaning.combiner
    index = evidence if isinstance(evidence, EvidenceIndex) else EvidenceIndex(evidence)
    reason = unreadable(claim, read_words(claim[: LONGEST_CLAIM + 1])) or ("" if index.inside else "no evidence")
    if reason:
        return Support(0.0, reason, {}, (), combiner.name, combiner.weights_sha256)
    found = find_contradictions(claim, index) if contradictions is None else contradictions
    measured = measure(claim, index)
    features = all_features(measured, claim, found, meaning)
    probability = combiner.probability(features)
    parts = []
    for number, (begin, end) in enumerate(measured.parts):
        start, stop = measured.words[begin].start, measured.words[end - 1].end
        alone = probability
        if len(measured.parts) > 1:
            text, inside = claim[start:stop], [each for each in found if start <= each.claim_span[0] <= stop]
            alone = combiner.probability(all_features(measure(text, index), text, inside, meaning))
        parts.append(_part(number, measured, start, stop, alone))
    measures = features | measure_agreement(claim, index)
    return Support(probability, "", measures, tuple(parts), combiner.name, combiner.weights_sha256)


def all_features(
    measured: Measured,
    claim: str,
    contradictions: Sequence[Contradiction],
    meaning: Meaning | None = None,
) -> dict[str, float]:
    """All measures that the combiner reads, by name.

    Args:
        measured: the claim and its evidence, measured by words.
        claim: the text of the claim.
        contradictions: those found between the claim and its evidence.
        meaning: adds the measures of an embedder.
    Raises:
        ModelError: the embedder failed.
    """
    features = measured.features | measure_windows(measured) | measure_contradictions(contradictions)
    return features | meaning.measure(measured, claim) if meaning is not None else features


def _part(number: int, measured: Measured, start: int, stop: int, probability: float) -> ClaimPart:
    begin, end = measured.parts[number]
    keys = {word.key for word in measured.words[begin:end] if word.kind != WordKind.FUNCTION}
    matches = tuple(_match(measured.index.sentences[at], keys) for at in measured.part_sentences[number])
    novel = tuple((measured.words[at].start, measured.words[at].end) for at in measured.novel if begin <= at < end)
    return ClaimPart(start, stop, probability, measured.part_coverage[number], matches, novel)


def _match(sentence: EvidenceSentence, keys: Collection[str]) -> SentenceMatch:
    found = (sentence.place(word.start, word.end) for word in sentence.reading.words if word.key in keys)
    return SentenceMatch(sentence.text_index, tuple(dict.fromkeys(found)))
