"""The validator reads what would be published of gaps and other findings: what is not so, or of no use, waits for a person.

Read blind, four of five gaps of rules were true and two of five of use (ADR 117): that something is nowhere shows only where all
documents are looked at, and what an auditor wants to be told is not a matter of form. Conflicts are read elsewhere
(:mod:`coditect.knowledge.model_roles.at_odds.conflicts`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from coditect.agents.asking.pool import Outcome
from coditect.agents.roles.missing.findings import (
    AskedFinding,
    FindingReading,
    FindingReadings,
    ShownEvidence,
    findings_request,
    findings_role,
    read_findings,
)
from coditect.knowledge.model_roles.agency import Agency, Stage
from coditect.knowledge.model_roles.at_odds.shown import ShownQuotes, parts_of
from coditect.knowledge.model_roles.missing.elsewhere import Elsewhere, thing_of
from coditect.knowledge.model_roles.missing.whole import named_documents
from coditect.knowledge.progress import Progress
from coditect.schemas import Claim, EvidenceSpan, Opinion, SectionPart, Verdict, VerdictLabel
from coditect.store.view import View
from coditect.verify.checker import Evidence
from coditect.verify.judges import combine

__all__ = ["is_read", "read_published"]

FINDINGS_AT_ONCE = 10
"""Findings of one request; they stand in the order of the summary."""

_KINDS = frozenset(("gap", "standing", "stricter", "statistic", "grid", "theme", "requirement"))
_NOT_TRUE = {"false": "not so: ", "unclear": "it cannot be told: "}


def is_read(claim: Claim) -> bool:
    """Whether a claim is a finding that the validator reads: of rules, or a gap that a model tells; no conflict, and no sentence of
    somebody's own words.
    """
    return (
        claim.claim_kind in _KINDS and bool(claim.recipe) and claim.recipe.get("conflict") not in ("read", "reported")
    )


@dataclass(frozen=True, slots=True)
class _ReadFinding:
    """A finding with its claim."""

    claim: Claim
    asked: AskedFinding


_Findings = tuple[_ReadFinding, ...]


def read_published(
    agency: Agency,
    view: View,
    claims: Sequence[Claim],
    verdicts: Mapping[str, Verdict],
    evidence: Evidence,
    progress: Progress,
) -> dict[str, Verdict]:
    """Verdicts after the validator read every finding that would be published; without one, gaps of a model need review.

    Args:
        agency: asks the validator.
        view: the draft.
        claims: all that are proposed, in the order of the summary.
        verdicts: so far, by claim id.
        evidence: what they rest on.
        progress: told of answers.
    Raises:
        BudgetExceeded: what was answered is kept.
    """
    heard = dict(verdicts)
    told = [each for each in claims if is_read(each) and verdicts[each.claim_id].label == "supported"]
    if "validator" not in agency.roles:
        for claim in told:
            if claim.recipe.get("gap") == "read":
                reason = "no validator was asked whether it is so"
                said = _opinion("reducer", str(claim.recipe["by"]), "needs_review", reason)
                heard[claim.claim_id] = combine(heard[claim.claim_id], said)
        return heard
    role, by, documents = (
        findings_role(agency.roles["validator"]),
        agency.version_of("validator"),
        named_documents(view),
    )
    today, asked = view.manifest.settings.today or "", _asked(view, told, evidence)
    portions = [tuple(asked[at : at + FINDINGS_AT_ONCE]) for at in range(0, len(asked), FINDINGS_AT_ONCE)]

    def take(outcome: Outcome[_Findings, FindingReadings]) -> None:
        readings: Sequence[FindingReading | None] = [None] * len(outcome.item)
        failed = ""
        if outcome.value is None:
            agency.unanswered.update(f"validator: {each.claim.claim_id}" for each in outcome.item)
            failed = f"it did not answer: {outcome.error}"
        else:
            agency.count_rejected("validator", outcome.value.rejections)
            readings = outcome.value.readings
        for each, reading in zip(outcome.item, readings, strict=True):
            heard[each.claim.claim_id] = combine(heard[each.claim.claim_id], _said(reading, by, failed))

    stage: Stage[_Findings, FindingReadings] = Stage(
        "validator",
        "validator reads findings",
        lambda: portions,
        lambda some: findings_request(role, [each.asked for each in some], documents, today),
        lambda some, answer: read_findings(answer, [each.asked for each in some]),
    )
    agency.run(stage, take, progress)
    return heard


def _asked(view: View, claims: Sequence[Claim], evidence: Evidence) -> list[_ReadFinding]:
    """Findings as the validator is shown them."""
    shown = ShownQuotes(view)
    elsewhere = Elsewhere(view, {claim.claim_id: thing_of(claim) for claim in claims})
    asked = []
    for claim in claims:
        quotes = tuple(_shown(shown, part) for part in parts_of(claim, evidence))
        places = elsewhere.shown(claim, [(each.statement.document, each.statement.text) for each in quotes])
        asked.append(_ReadFinding(claim, AskedFinding(claim.text, quotes, places)))
    return asked


def _shown(shown: ShownQuotes, part: SectionPart) -> ShownEvidence:
    """A quote with what stands around it."""
    return ShownEvidence(shown.statement(part), *shown.around(part))


def _said(reading: FindingReading | None, version: str, failed: str) -> Opinion:
    """What the validator says of a finding, as an opinion beside the checker's."""
    if reading is None:
        return _opinion("validator", version, "needs_review", failed or "what it said could not be taken")
    if reading.verdict != "true":
        return _opinion("validator", version, "needs_review", _NOT_TRUE[reading.verdict] + reading.reason)
    if not reading.useful:
        return _opinion("validator", version, "needs_review", f"of no use to an auditor: {reading.reason}")
    return _opinion("validator", version, "supported", reading.reason, reading.quote)


def _opinion(
    who: str, version: str, label: VerdictLabel, reason: str, quote: tuple[int, int, int] | None = None
) -> Opinion:
    spans = () if quote is None else (EvidenceSpan(quote=quote[0], char_start=quote[1], char_end=quote[2]),)
    return Opinion(judge="model", who=who, version=version, label=label, reason=reason, quotes=spans)
