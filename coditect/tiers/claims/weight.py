"""What a claim weighs: by which class of rules it was found, how severe it is and how sure, and what it is known by everywhere."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from coditect.schemas import Claim, Section, SectionPart, finding_id_for
from coditect.tiers.claims.grounds import CitedStatement, Grounds
from coditect.tiers.claims.precision import confidence_of, rule_of
from coditect.tiers.claims.rendering import conflict_shown
from coditect.tiers.claims.severity import SEVERITIES, severity_of
from coditect.tiers.claims.wordings import told_as
from coditect.tiers.findings.conflicts.opposed.plain import is_plain
from coditect.tiers.readings.told import reader_of

__all__ = ["ranked", "weighed"]

_COMPUTED = frozenset(("result", "similarity", "values", "as_of"))
"""What of a recipe is computed from the rest of the corpus; the finding is the same one when it changes."""


def weighed(claims: Iterable[Claim], sections: Mapping[str, Section], grounds: Grounds) -> list[Claim]:
    """Claims with what they weigh.

    Args:
        claims: of rules and of models, in any order.
        sections: those that they cite, by id.
        grounds: what the generation offers to its claims.
    """
    return [_weighed(claim, sections, grounds) for claim in claims]


def _weighed(claim: Claim, sections: Mapping[str, Section], grounds: Grounds) -> Claim:
    parts = [
        sections[each.section_id].content[each.part]
        for each in claim.citations
        if each.section_id in sections and each.part < len(sections[each.section_id].content)
    ]
    cited = [found for part in parts if (found := grounds.cited(part)) is not None]
    is_read = any(reader_of(item.tier1_data.more) for each in cited for item in each.extractions)
    rule = rule_of(claim.claim_kind, claim.recipe, is_read=is_read, is_plain=_is_plain(claim, cited, grounds))
    fields = {name: getattr(claim, name) for name in Claim.model_fields if name != "claim_id"}
    fields |= {
        "finding_id": finding_id_for(claim.claim_kind, _told(claim, parts), _quotes(parts)),
        "rule": rule,
        "severity": severity_of(claim.claim_kind, claim.recipe, cited, grounds.standings),
        "confidence": confidence_of(rule),
    }
    return Claim.create(**fields)


def _is_plain(claim: Claim, cited: Sequence[CitedStatement], grounds: Grounds) -> bool:
    """Whether a claim tells a plain contradiction, as its quotes show it."""
    what, head = str(claim.recipe.get("conflict", "")), str(claim.recipe.get("head", ""))
    if claim.claim_kind != "conflict" or not what or "by" in claim.recipe:
        return False
    shown = conflict_shown(claim.claim_kind, what, head, cited, grounds)
    return shown is not None and is_plain(shown)


def _told(claim: Claim, parts: Sequence[SectionPart]) -> dict[str, Any]:
    """What a claim tells, without what is computed of it; a sentence of a model's own tells what it says."""
    told = {name: value for name, value in claim.recipe.items() if name not in _COMPUTED}
    if told.get("conflict") == "read":  # known by the sentence of the first releases, however it is worded now
        return {"text": told_as(_quotes(parts))}
    return {"text": claim.text} if not told or "by" in told else told


def _quotes(parts: Iterable[SectionPart]) -> list[tuple[str, str]]:
    return [(part.citation.document_name, part.content) for part in parts if part.citation is not None]


def ranked(claims: Sequence[Claim]) -> list[Claim]:
    """Claims by severity, then by confidence; what weighs the same stays in its order."""
    return sorted(
        claims, key=lambda each: (SEVERITIES.index(each.severity or "information"), -(each.confidence or 0.0))
    )
