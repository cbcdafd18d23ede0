"""The annex: a page for each finding, with its evidence in context, its checks, its history and what proves it.

It is what an auditor lays beside a finding: the words as they stand, highlighted among their neighbours, and who decided what.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Any

from coditect.errors import UsageError
from coditect.reports.claims import CLAIM_GROUPS, check_meaning, doubt_told
from coditect.reports.editions.decided import signed_as
from coditect.reports.editions.frame import figure_table, frame, place_of, stands_out
from coditect.reports.model import AuditReport, ReportClaim, ReportPassage
from coditect.reports.wording import EXTRACTION_NAMES, readable_data
from coditect.schemas import DecisionStatus

__all__ = ["annexed", "chosen_claims"]

MOST_QUOTES = 12
"""Quotes on the page of a finding; the attached data have all."""

_READ = ("obligation", "prohibition", "permission", "definition")
"""Kinds of extractions whose reading is printed; the attached data have the others."""

_TOLD = frozenset(
    (
        "actor",
        "modality",
        "action",
        "object",
        "condition",
        "exception",
        "deadline",
        "frequency",
        "duration",
        "term",
        "definition",
    )
)
"""Fields of a reading that a person would check."""

_HEADINGS = {kind: heading for kind, heading, _ in CLAIM_GROUPS}


def annexed(report: AuditReport, wanted: Collection[str] = ()) -> dict[str, Any]:
    """What the template of the annex lays out, as JSON values.

    Args:
        report: the report.
        wanted: as for :func:`chosen_claims`.

    Raises:
        UsageError: as :func:`chosen_claims`.
    """
    titles = {each.document_id: each.title or each.name for each in report.documents}
    return {
        **frame(report),
        "published": report.counts.published,
        "possible": report.counts.possible,
        "pages": [_page(report, each, titles) for each in chosen_claims(report, wanted)],
    }


def chosen_claims(report: AuditReport, wanted: Collection[str]) -> list[ReportClaim]:
    """The findings that get a page, in the order of the report.

    Args:
        report: the report.
        wanted: ids of claims or findings; none: all published ones that ask something of somebody.

    Raises:
        UsageError: the report has no such finding.
    """
    if not wanted:
        return [each for each in report.claims if stands_out(each)]
    every = (*report.claims, *report.possible, *report.refused)
    known = {key for each in every for key in (each.claim_id, each.finding_id) if key}
    missing = [each for each in wanted if each not in known]
    if missing:
        raise UsageError(
            "the report has no such finding",
            claim=", ".join(missing),
            hint="'coditect knowledge report --format json' lists their ids.",
        )
    return [each for each in every if {each.claim_id, each.finding_id} & set(wanted)]


def _page(report: AuditReport, claim: ReportClaim, titles: dict[str, str]) -> dict[str, Any]:
    numbers = dict.fromkeys(each.passage for each in claim.citations if each.passage is not None)
    passages = [report.passages[number - 1] for number in numbers]
    return {
        "number": claim.number,
        "published": claim.published,
        "kind": _kind(claim),
        "text": claim.text,
        "severity": claim.severity or "information",
        "confidence": f"{100 * claim.confidence:.0f} %",
        "label": claim.label.replace("_", " "),
        "support": f"{claim.support_score:.2f}",
        "checker": claim.checker,
        "reason": claim.reason,
        "evidence": [_evidence(each, titles) for each in passages[:MOST_QUOTES]],
        "more": max(0, len(passages) - MOST_QUOTES),
        "table": figure_table(claim),
        "checks": _checks(claim),
        "history": [*_history(report.decisions, claim)],
        "proof": _proof(report, claim),
        "finding": claim.finding_id,
        "claim": claim.claim_id,
    }


def _kind(claim: ReportClaim) -> str:
    """What a page is about: a finding of a kind, one that is only possible, or what was refused."""
    if claim.published:
        return _HEADINGS.get(claim.kind, claim.kind)
    return f"Possible: {_HEADINGS.get(claim.kind, claim.kind)}" if doubt_told(claim) else "Refused"


def _evidence(passage: ReportPassage, titles: dict[str, str]) -> dict[str, Any]:
    place = passage.place
    return {
        "before": ("" if passage.begins_document else "[…] ") + " ".join(passage.before.split()) + " ",
        "quote": " ".join(passage.text.split()),
        "after": " " + " ".join(passage.after.split()) + ("" if passage.ends_document else " […]"),
        "title": titles.get(place.document_id, place.document_name),
        "name": place.document_name,
        "place": place_of(place),
        "characters": f"{place.char_start}–{place.char_end}",
        "sha256": place.raw_sha256,
        "readings": [
            [EXTRACTION_NAMES[each.kind][0], _reading(each.data)] for each in passage.extractions if each.kind in _READ
        ],
    }


def _reading(data: dict[str, Any]) -> str:
    """What was read from a quote, in its own words: "actor The owner; deadline 30 days"."""
    told = {
        name: value["text"] if isinstance(value, dict) and "text" in value else value for name, value in data.items()
    }
    return "; ".join(
        f"{name} {value}" for name, value in readable_data(told) if name in _TOLD and value not in ("", "none")
    )


def _checks(claim: ReportClaim) -> list[list[str]]:
    return [[check_meaning(each.name), "passed" if each.passed else "failed", each.detail] for each in claim.signals]


def _history(decisions: Sequence[DecisionStatus], claim: ReportClaim) -> Iterator[list[str]]:
    for each in decisions:
        if claim.claim_id in (each.item_id, each.review.signed_item):
            review = each.review
            decision = review.decision.replace("_", " ") + (f" until {review.until}" if review.until else "")
            meaning = review.meaning if not each.detail else f"{review.meaning} ({each.detail})"
            yield [decision, review.by, review.at[:10], meaning, signed_as(each)]


def _proof(report: AuditReport, claim: ReportClaim) -> str:
    if report.proof is None or claim.claim_id not in report.proof.records:
        return "The attached data do not hold the stored record of this finding."
    return "Its stored record stands in the attached data; its id is the hash of that record."
