"""What the page of a finding says: its evidence, readings, checks and decisions, and what is left out."""

from __future__ import annotations

from typing import Any

import pytest

from coditect.reports.editions.annex import annexed, chosen_claims
from coditect.reports.editions.frame import frame
from coditect.reports.model import AuditReport, ReportProof
from tests.unit.reports.reports import claim, report
from tests.unit.reports.test_annex import decided, three


def proof(log_proof: str, *records: str) -> ReportProof:
    """What proves a report that holds these records."""
    return ReportProof(records=dict.fromkeys(records, "{}"), generation="{}", entry="", log_proof=log_proof, key="")


def page(**changes: object) -> dict[str, Any]:
    """The page of a gap on two passages, of three, with these fields."""
    gap = claim(1, "gap", "A gap.", (3, 1, 3), **changes)
    (made,) = annexed(report(("One.", "Two.", "Three."), claims=(gap,)))["pages"]
    return dict(made)


@pytest.mark.parametrize(
    ("wanted", "ids"),
    [
        ((), ["claim_1", "claim_2"]),
        (("claim_2", "claim_1"), ["claim_1", "claim_2"]),
        (("finding_gap",), ["claim_1"]),
        (("claim_3",), ["claim_3"]),
        (("claim_refused", "claim_1"), ["claim_1", "claim_refused"]),
        (("claim_1", "finding_gap"), ["claim_1"]),
    ],
)
def test_findings_are_chosen_in_the_order_of_the_report(wanted: tuple[str, ...], ids: list[str]) -> None:
    """By any of their ids; without a choice all published ones that ask something of somebody."""
    assert [each.claim_id for each in chosen_claims(three(), wanted)] == ids


def test_evidence_is_every_passage_once_in_the_order_of_the_citations() -> None:
    """A citation that leads nowhere is no evidence."""
    told = page()
    assert ([each["quote"] for each in told["evidence"]], told["more"]) == (["Three.", "One."], 0)
    (lost, *_) = claim(1, "gap", "A gap.", (1,)).citations
    assert page(citations=(lost.model_copy(update={"passage": None}),))["evidence"] == []


@pytest.mark.parametrize(("count", "shown", "more"), [(11, 11, 0), (12, 12, 0), (13, 12, 1)])
def test_twelve_quotes_are_printed(count: int, shown: int, more: int) -> None:
    """The attached data have the others."""
    texts = tuple(f"Rule {n}." for n in range(count))
    (told,) = annexed(report(texts, claims=(claim(1, "gap", "A gap.", tuple(range(1, count + 1))),)))["pages"]
    assert (len(told["evidence"]), told["more"]) == (shown, more)


def test_page_says_what_the_finding_is() -> None:
    """Heading, severity, figures and ids; a grave one keeps its severity, and one without is for information."""
    told = page(label="needs_review", confidence=0.456, support_score=0.789, finding_id="finding_1")
    assert (told["kind"], told["severity"], told["label"]) == ("Gaps", "information", "needs review")
    assert (told["confidence"], told["support"], told["finding"]) == ("46 %", "0.79", "finding_1")
    assert page(severity="high")["severity"] == "high"
    assert page(published=False)["kind"] == "Refused"


@pytest.mark.parametrize(
    ("data", "told"),
    [
        ({"actor": "The owner", "deadline": {"text": "30 days", "hours": 720}}, "actor The owner; deadline 30 days"),
        ({"actor": "The owner", "object": "", "condition": None, "internal": "x"}, "actor The owner"),
        ({"action": {"verb": "review"}, "modality": "must"}, "modality must; action verb review"),
        ({"term": "text", "definition": ["a", "b"], "exception": []}, "term text; definition a; b"),
        ({"hidden": 1}, ""),
    ],
)
def test_reading_has_the_fields_that_a_person_would_check(data: dict[str, Any], told: str) -> None:
    """In reading order, each by its own words where it has them; nothing of what is empty."""
    base = report(claims=(claim(1, "gap", "A gap.", (1,)),))
    (passage,) = base.passages
    first, other = passage.extractions
    for kind, shown in (("obligation", True), ("definition", True), ("cross_reference", False), ("quantity", False)):
        changed = passage.model_copy(
            update={"extractions": (first.model_copy(update={"kind": kind, "data": data}), other)}
        )
        made = base.model_copy(update={"passages": (changed,)})
        assert annexed(made)["pages"][0]["evidence"][0]["readings"] == ([[kind, told]] if shown else [])


def test_history_has_the_decisions_on_the_claim_and_on_what_it_was_when_it_was_signed() -> None:
    """With the day, until when, and why a decision is not in force."""
    now, before, other = (decided(each, each) for each in ("claim_1", "claim_0", "claim_2"))
    signed = before.model_copy(
        update={"review": before.review.model_copy(update={"signed_item": "claim_1", "until": None})}
    )
    expired = now.model_copy(update={"detail": "its last day has passed"})
    made = report(claims=(claim(1, "gap", "A gap.", (1,)),), decisions=(expired, signed, other))
    (told,) = annexed(made)["pages"]
    assert [row[:4] for row in told["history"]] == [
        ["accept risk until 2026-04-30", "claim_1", "2026-02-01", "Known, and mended by spring (its last day has passed)"],
        ["accept risk", "claim_0", "2026-02-01", "Known, and mended by spring"],
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("given", "held", "logged"),
    [
        (None, False, False),
        (proof(""), False, False),
        (proof("", "claim_1"), True, False),
        (proof("c2sp", "claim_2"), False, True),
    ],
)
def test_proof_is_told_as_far_as_the_report_has_it(given: ReportProof | None, held: bool, logged: bool) -> None:
    """The finding's own record, and a signed checkpoint that holds the generation."""
    made: AuditReport = report(claims=(claim(1, "gap", "A gap.", (1,)),), proof=given)
    assert annexed(made)["pages"][0]["proof"].startswith("Its stored record stands") == held
    assert frame(made)["log"].startswith("The log holds this generation") == logged
    assert frame(made)["log"].startswith("No signed checkpoint") == (not logged)
