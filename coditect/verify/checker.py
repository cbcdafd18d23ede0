"""Is a claim supported by what it cites? Deterministic checks, each with its reason, then the two stages for words of its own.

A claim of rules is made again from its recipe and its evidence, and compared (:mod:`coditect.verify.restatement`). A sentence
in words of its own that stands in its quote is established by that; any other goes through both stages
(:mod:`coditect.verify.staged.stages`): hard contradictions, then the probability of support. The verdict keeps every signal with
its words, and the ids of the evidence, so that it can be given again from the store alone.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from coditect.errors import NotConfigured
from coditect.schemas import (
    REWRITE,
    Claim,
    Extraction,
    Restatement,
    Section,
    SectionPart,
    Signal,
    SupportFigures,
    Verdict,
    VerdictLabel,
)
from coditect.verify.checks import FATAL, Case, Quote, attributed, numbers, signal, verbatim
from coditect.verify.restatement import restated
from coditect.verify.staged.calibration import CALIBRATION_VERSION, SHIPPED
from coditect.verify.staged.comparison import REFUTED
from coditect.verify.staged.stages import READINGS_SHA256, WEIGHTS_SHA256, Assessment, assess
from coditect.verify.statements import assertion, stands, statement
from coditect.verify.support.meaning import FindMeaning, nothing_meant

__all__ = ["CHECKER", "CHECKER_VERSION", "Evidence", "check", "model_of", "quotes_of", "words_of"]

CHECKER = "staged/18"

CHECKER_VERSION = f"{CHECKER}+{WEIGHTS_SHA256[:12]}.{READINGS_SHA256[:12]}.{CALIBRATION_VERSION}"
"""With what else decides a verdict: part of the identity of what is built."""

WORDS = frozenset(("requirement", "synthesis"))
"""Kinds of claims that may say something in words of their own; the others are only ever rendered."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """What the checker may look at.

    Attributes:
        sections: Tier 3 by id, at least those that the claim cites.
        extractions: Tier 1 by id, at least those behind the cited quotes.
        names: the names of the corpus' documents.
        restate: makes a claim of rules again from its recipe and the quotes that it cites
            (:func:`coditect.tiers.claims.rendering.restate`).
        figures: that the probability of support is calibrated with.
        fitted: figures that were fitted for this corpus, by version: what older verdicts may have been given with.
        meaning: opens the configured embedder with the weights that were fitted with it; for the package itself.
    """

    sections: Mapping[str, Section]
    extractions: Mapping[str, Extraction]
    names: frozenset[str]
    restate: Callable[[Claim, Sequence[SectionPart]], Restatement]
    figures: SupportFigures = SHIPPED
    fitted: Mapping[str, SupportFigures] = field(default_factory=dict)
    meaning: Callable[[], Any] = nothing_meant

    def as_of(self, verdict: Verdict) -> Evidence:
        """The same evidence with the figures that a verdict was given with, the shipped ones where those are not known, and with
        the embedder that it names, or with words alone where it names none.

        Raises:
            NotConfigured: the verdict was given with an embedder that is not configured here.
        """
        if not verdict.weights_version:
            return self
        return replace(self, figures=self.figures_as_of(verdict), meaning=self._meaning_as_of(verdict))

    def figures_as_of(self, verdict: Verdict) -> SupportFigures:
        """The figures that a verdict was given with; the shipped ones where those are not known."""
        return self.fitted.get(verdict.weights_version.rpartition(" ")[2], SHIPPED)

    def _meaning_as_of(self, verdict: Verdict) -> FindMeaning:
        model = model_of(verdict)
        if not model:
            return nothing_meant
        meaning = self.meaning()
        if meaning is None or meaning.combiner.embedder != model:
            raise NotConfigured(
                f"it was given with the model {model}",
                hint="Name its folder as the embedder (CODITECT_EMBEDDER, --embedder), and ask again.",
                model=model,
            )
        return lambda: meaning


def model_of(verdict: Verdict) -> str:
    """The id of the embedder that a verdict was given with; "" where words alone were compared, or no weights were asked."""
    return verdict.weights_version.rpartition(" ")[0].partition(":")[2]


def check(claim: Claim, evidence: Evidence, minimum_support: float = 0.7) -> Verdict:
    """The checker's verdict on a claim; judges join it in :mod:`coditect.verify.judges`.

    Args:
        claim: what is said.
        evidence: what it rests on.
        minimum_support: claims below are not published, 0..1.
    """
    parts, cited = _cited(claim, evidence)
    quotes = tuple(_quote(part, evidence) for part in parts)
    signals, assessed = [cited], None
    if cited.passed and not _in_words(claim):
        signals += restated(claim, evidence.restate(claim, parts))
    if cited.passed and claim.claim_kind in WORDS:
        case = Case(claim, quotes, evidence.names)
        signals += _signals(case)
        assessed = _assess(case, signals, minimum_support, evidence) if _in_words(claim) else None
        signals += assessed.signals if assessed else ()
    known = [extraction for quote in quotes for extraction in quote.extractions]
    label, score = _outcome(signals, assessed, minimum_support)
    if label != "needs_review":  # by what is no part of the stages: then nobody is told what helps to decide
        signals = [each for each in signals if each.name != REWRITE]
    certainty = sum(e.confidence for e in known) / len(known) if known else 0.0
    failed = [each for each in signals if not each.passed]
    reason = "; ".join(f"{each.name}: {each.detail}" for each in failed) or "support below the minimum"
    return Verdict.create(
        corpus_id=claim.corpus_id,
        claim_id=claim.claim_id,
        label=label,
        support_score=score,
        confidence=round(score * certainty, 4),
        published=label == "supported",
        filter_reason="" if label == "supported" else reason,
        signals=tuple(signals),
        checker=CHECKER,
        weights_version=assessed.weights_version if assessed else "",
        weights_sha256=assessed.weights_sha256 if assessed else "",
        evidence=tuple(dict.fromkeys([*(c.section_id for c in claim.citations), *(e.extraction_id for e in known)])),
    )


def quotes_of(claim: Claim, evidence: Evidence) -> tuple[Quote, ...]:
    """The quotes that a claim cites, in order; none where one citation leads nowhere."""
    return tuple(_quote(part, evidence) for part in _cited(claim, evidence)[0])


def _cited(claim: Claim, evidence: Evidence) -> tuple[list[SectionPart], Signal]:
    """The cited quotes; a single citation that leads nowhere leaves the claim without any."""
    parts = []
    for source in claim.citations:
        section = evidence.sections.get(source.section_id)
        if section is None or source.part >= len(section.content) or section.content[source.part].citation is None:
            return [], signal("cited", False, "a citation does not lead to a quote", FATAL)
        if section.topic != claim.topic and not _in_words(claim):
            return [], signal("cited", False, f"a section on “{section.topic}” is cited", FATAL)
        parts.append(section.content[source.part])
    behind = {each for part in parts if part.citation for each in part.citation.extraction_ids}
    if not behind.issuperset(claim.extraction_ids) and not _in_words(claim):
        return [], signal("cited", False, "an extraction that it names is behind none of its quotes", FATAL)
    return parts, signal("cited", bool(parts), "no citation", FATAL)


def _quote(part: SectionPart, evidence: Evidence) -> Quote:
    assert part.citation is not None  # noqa: S101 - _cited lets nothing else through
    found = [evidence.extractions[i] for i in part.citation.extraction_ids if i in evidence.extractions]
    return Quote(part.citation.document_name, part.content, tuple(found))


def _in_words(claim: Claim) -> bool:
    """Whether a claim is a sentence that somebody wrote: a synthesis always, a requirement that names no recipe."""
    return claim.claim_kind == "synthesis" or (claim.claim_kind == "requirement" and not claim.recipe)


def _signals(case: Case) -> list[Signal]:
    """The rules for what is said in words; a rendered requirement may still leave out what its quote says beside it."""
    signals = [attributed(case), verbatim(case), numbers(case)] if _in_words(case.claim) else []
    return [*signals, *(statement(case) if case.claim.claim_kind == "requirement" else ())]


def words_of(claim: Claim, evidence: Evidence) -> tuple[str, tuple[str, ...]] | None:
    """What a claim says in words, and the quotes that both stages compare it with.

    Returns:
        None where it cites nothing, or is counted and compared by rules alone.
    """
    quotes = quotes_of(claim, evidence)
    if not _in_words(claim) or not quotes:
        return None
    return assertion(Case(claim, quotes, evidence.names))[1], tuple(quote.text for quote in quotes)


def _assess(case: Case, signals: list[Signal], minimum_support: float, evidence: Evidence) -> Assessment | None:
    """Both stages for what a claim says in words; None where its words stand in their quote and every rule is content."""
    start, said = assertion(case)
    if case.claim.claim_kind == "requirement" and stands(said, case.quotes[0]) and all(e.passed for e in signals):
        return None
    return assess(
        said,
        [quote.text for quote in case.quotes],
        minimum_support,
        offset=start,
        figures=evidence.figures,
        meaning=evidence.meaning(),
    )


def _outcome(signals: list[Signal], assessed: Assessment | None, minimum: float) -> tuple[VerdictLabel, float]:
    """Rules first: what they take off is gone, whatever the probability. Then the stages."""
    own = assessed.signals if assessed else ()
    ruled = max(0.0, 1.0 - sum(each.weight for each in signals if each not in own))
    score = round(min(ruled, assessed.score if assessed else 1.0), 4)
    failed = any(not each.passed for each in signals if each not in own)
    if not signals[0].passed or (failed and ruled < minimum) or (assessed and assessed.label == "unsupported"):
        return "unsupported", score
    if failed or score < minimum or (assessed and assessed.label == "needs_review"):
        return ("unsupported" if score < min(REFUTED, minimum) else "needs_review"), score
    return "supported", score
