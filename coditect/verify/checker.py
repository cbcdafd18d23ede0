"""Is a claim supported by what it cites? Deterministic checks, each with its reason, added up to a support score.

Every check looks at the claim, the quotes that it cites, the Tier 1 items behind them, and for figures a fresh count from the
indexes; the checks stand in :mod:`coditect.verify.checks`. A failed check takes its weight off a score of 1. The verdict
keeps every signal and the ids of the evidence, so that it can be given again from the store alone.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from coditect.schemas import Claim, Extraction, Section, SectionPart, Signal, Verdict
from coditect.verify import checks
from coditect.verify.checks import FATAL, Case, Quote, signal
from coditect.verify.statements import statement

__all__ = ["CHECKER", "Evidence", "check"]

CHECKER = "deterministic/1"


@dataclass(frozen=True, slots=True)
class Evidence:
    """What the checker may look at.

    Attributes:
        sections: Tier 3 by id, at least those that the claim cites.
        extractions: Tier 1 by id, at least those behind the cited quotes.
        names: the names of the corpus' documents.
        recount: counts a recipe afresh from the indexes.
    """

    sections: Mapping[str, Section]
    extractions: Mapping[str, Extraction]
    names: frozenset[str]
    recount: Callable[[Mapping[str, Any]], dict[str, Any]]


def check(claim: Claim, evidence: Evidence, minimum_support: float = 0.7) -> Verdict:
    """The verdict on a claim.

    Args:
        claim: what is said.
        evidence: what it rests on.
        minimum_support: claims below are not published, 0..1.
    """
    parts, cited = _cited(claim, evidence)
    quotes = [_quote(part, evidence) for part in parts]
    signals = [cited]
    if cited.passed:
        signals += _signals(claim, tuple(quotes), evidence)
    known = [extraction for quote in quotes for extraction in quote.extractions]
    score = round(max(0.0, 1.0 - sum(each.weight for each in signals)), 4)
    certainty = sum(e.confidence for e in known) / len(known) if known else 0.0
    failed = [each for each in signals if not each.passed]
    published = cited.passed and score >= minimum_support
    reason = "; ".join(f"{each.name}: {each.detail}" for each in failed) or "support below the minimum"
    return Verdict.create(
        corpus_id=claim.corpus_id,
        claim_id=claim.claim_id,
        label="supported" if published else "unsupported",
        support_score=score,
        confidence=round(score * certainty, 4),
        published=published,
        filter_reason="" if published else reason,
        signals=tuple(signals),
        checker=CHECKER,
        evidence=tuple(dict.fromkeys([*(c.section_id for c in claim.citations), *(e.extraction_id for e in known)])),
    )


def _cited(claim: Claim, evidence: Evidence) -> tuple[list[SectionPart], Signal]:
    """The cited quotes; a single citation that leads nowhere leaves the claim without any."""
    parts = []
    for source in claim.citations:
        section = evidence.sections.get(source.section_id)
        if section is None or source.part >= len(section.content) or section.content[source.part].citation is None:
            return [], signal("cited", False, "a citation does not lead to a quote", FATAL)
        parts.append(section.content[source.part])
    return parts, signal("cited", bool(parts), "no citation", FATAL)


def _quote(part: SectionPart, evidence: Evidence) -> Quote:
    assert part.citation is not None  # noqa: S101 - _cited lets nothing else through
    found = [evidence.extractions[i] for i in part.citation.extraction_ids if i in evidence.extractions]
    return Quote(part.citation.document_name, part.content, tuple(found))


def _signals(claim: Claim, quotes: tuple[Quote, ...], evidence: Evidence) -> list[Signal]:
    fresh: dict[str, Any] | None = None
    if "figure" in claim.recipe:
        recipe = {name: value for name, value in claim.recipe.items() if name != "result"}
        fresh = evidence.recount(recipe)
    case = Case(claim, quotes, evidence.names, fresh)
    signals = [checks.attributed(case), checks.verbatim(case), checks.numbers(case)]
    if fresh is not None:
        signals.append(checks.recounted(case))
    if claim.claim_kind == "conflict":
        signals.append(checks.differing(case))
    if "gap" in claim.recipe:
        signals.append(checks.missing(case))
    if claim.claim_kind == "requirement":
        signals += statement(case)
    return signals
