"""Is a claim supported by what it cites? Deterministic checks, each with its reason, added up to a support score.

Every check looks at the claim, the quotes that it cites, the Tier 1 items behind them, and for figures a fresh count from the
indexes. A failed check takes its weight off a score of 1. The verdict keeps every signal and the ids of the evidence, so that
it can be given again from the store alone.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from coditect.schemas import Claim, Extraction, Section, SectionPart, Signal, Verdict
from coditect.text.terms import terms

__all__ = ["CHECKER", "Evidence", "check"]

CHECKER = "deterministic/1"

_QUOTED = re.compile(r"“([^”]+)”")
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_QUALIFIER = re.compile(
    r"\b(?:unless|except|provided that|provided, however|subject to|if|only when|other than|to the extent|in the event)\b",
    re.I,
)
_NEGATION = re.compile(r"\b(?:not|no|never|neither|nor|without|none)\b", re.I)
_MANDATORY = re.compile(r"\b(?:shall|must|is required to|are required to|agrees? to|undertakes? to)\b", re.I)
_FRAME = frozenset(terms("of documents say how often soon long which version in other values and more"))

FATAL = 1.0
QUALIFIER_DROPPED = 0.4
NEGATION_CHANGED = 0.8
MODALITY_CHANGED = 0.6
NUMBER_UNKNOWN = 0.6


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
    known = [
        evidence.extractions[i]
        for part in parts
        if part.citation
        for i in part.citation.extraction_ids
        if i in evidence.extractions
    ]
    signals = [cited]
    if cited.passed:
        quotes = [" ".join(part.content.split()) for part in parts]
        signals += [_recounted(claim, evidence), _verbatim(claim, quotes, evidence), _numbers(claim, quotes)]
        if claim.claim_kind == "requirement":
            signals += _statement(claim, quotes, evidence.names)
    score = round(max(0.0, 1.0 - sum(signal.weight for signal in signals)), 4)
    certainty = sum(e.confidence for e in known) / len(known) if known else 0.0
    failed = [signal for signal in signals if not signal.passed]
    published = cited.passed and score >= minimum_support
    return Verdict.create(
        corpus_id=claim.corpus_id,
        claim_id=claim.claim_id,
        label="supported" if published else "unsupported",
        support_score=score,
        confidence=round(score * certainty, 4),
        published=published,
        filter_reason=""
        if published
        else "; ".join(f"{s.name}: {s.detail}" for s in failed) or "support below the minimum",
        signals=tuple(signals),
        checker=CHECKER,
        evidence=tuple(dict.fromkeys([*(c.section_id for c in claim.citations), *(e.extraction_id for e in known)])),
    )


def _signal(name: str, passed: bool, detail: str, weight: float) -> Signal:
    return Signal(name=name, passed=passed, detail="" if passed else detail, weight=0.0 if passed else weight)


def _cited(claim: Claim, evidence: Evidence) -> tuple[list[SectionPart], Signal]:
    parts = []
    for source in claim.citations:
        section = evidence.sections.get(source.section_id)
        if section is None or source.part >= len(section.content) or section.content[source.part].citation is None:
            return [], _signal("cited", False, "a citation does not lead to a quote", FATAL)
        parts.append(section.content[source.part])
    return parts, _signal("cited", bool(parts), "no citation", FATAL)


def _recounted(claim: Claim, evidence: Evidence) -> Signal:
    if "result" not in claim.recipe:
        return _signal("recounted", True, "", 0.0)
    recipe = {name: value for name, value in claim.recipe.items() if name != "result"}
    fresh = evidence.recount(recipe)
    stored = claim.recipe["result"]
    said = [fresh["documents"], *([fresh["of"]] if "of" in fresh else [])]
    if claim.claim_kind == "gap" and "without" in fresh:
        said = [len(fresh["without"]), fresh["of"]]
    in_text = claim.recipe.get("figure") == "missing_document" or all(
        str(number) in _NUMBER.findall(claim.text) for number in said
    )
    resolved = bool(fresh.get("resolves"))
    passed = fresh == stored and in_text and not resolved
    return _signal("recounted", passed, f"a fresh count gives {fresh}", FATAL)


def _verbatim(claim: Claim, quotes: Sequence[str], evidence: Evidence) -> Signal:
    """What stands in quotation marks stands in a cited quote, or is the topic or document that the figure is about."""
    about = {str(value).casefold() for value in (claim.topic, claim.recipe.get("name", ""))}
    haystack = [quote.casefold() for quote in quotes]
    for quoted in _QUOTED.findall(claim.text):
        wanted = quoted.removesuffix(" …").casefold()
        if wanted not in about and not any(wanted in quote for quote in haystack):
            return _signal("verbatim", False, f"“{quoted[:80]}” is not in a cited quote", FATAL)
    return _signal("verbatim", True, "", 0.0)


def _numbers(claim: Claim, quotes: Sequence[str]) -> Signal:
    if "result" in claim.recipe:
        return _signal("numbers", True, "", 0.0)  # counted afresh above
    have = {number for quote in quotes for number in _NUMBER.findall(quote)}
    said = _assertion(claim.text)
    unknown = sorted(set(_NUMBER.findall(said)) - have)
    return _signal("numbers", not unknown, f"not in the evidence: {', '.join(unknown)}", NUMBER_UNKNOWN)


def _assertion(text: str) -> str:
    """The claim without the document's name before the colon."""
    return text.partition(": ")[2] or text


def _statement(claim: Claim, quotes: Sequence[str], names: frozenset[str]) -> list[Signal]:
    said, source = _assertion(claim.text), quotes[0]
    cut = said.endswith(" …”")
    have = frozenset(terms(source)) | _FRAME
    content = [term for term in terms(said) if term not in have]
    share = len(content) / max(len(terms(said)), 1)
    dropped = [m.group() for m in _QUALIFIER.finditer(source) if m.group().casefold() not in said.casefold()]
    same_negation = bool(_NEGATION.search(said)) == bool(_NEGATION.search(source)) or bool(dropped) or cut
    same_modality = bool(_MANDATORY.search(said)) <= bool(_MANDATORY.search(source) or _NEGATION.search(source))
    named = any(claim.text.startswith(f"{name}: ") for name in names)
    return [
        _signal("attributed", named, "the claim does not name its document", FATAL),
        _signal(
            "contained", not content, f"not in the evidence: {', '.join(content[:5])}", round(min(1.0, 2 * share), 4)
        ),
        _signal(
            "qualified",
            not dropped,
            f"a condition or exception is left out: {', '.join(dict.fromkeys(dropped))}",
            QUALIFIER_DROPPED,
        ),
        _signal("negation", same_negation, "a negation was dropped or added", NEGATION_CHANGED),
        _signal("modality", same_modality, "the claim is stronger than its source", MODALITY_CHANGED),
    ]
