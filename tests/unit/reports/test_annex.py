"""The annex: a page for each finding, with its evidence highlighted in context, its checks, its history and its proof."""

from __future__ import annotations

import json

import pypdfium2
import pytest

from coditect.errors import UsageError
from coditect.reports.editions.annex import MOST_QUOTES, annexed
from coditect.reports.editions.pdf import render_annex
from coditect.reports.model import AuditReport
from coditect.schemas import DecisionStatus, Review, Signal, SignatureStatus
from tests.unit.reports.reports import claim, report

TEXT = "The owner shall review access."


def pages(pdf: bytes) -> list[str]:
    """The text of each page."""
    return [" ".join(page.get_textpage().get_text_range().split()) for page in pypdfium2.PdfDocument(pdf)]


def decided(claim_id: str, by: str, *signatures: SignatureStatus) -> DecisionStatus:
    """A decision that is in force."""
    review = Review(
        corpus_id="demo",
        review_id=f"review_{by.lower().replace(' ', '_')}",
        fingerprint="ab" * 32,
        claim_text="A gap.",
        evidence=(TEXT,),
        decision="accept_risk",
        by=by,
        at="2026-02-01T00:00:00Z",
        meaning="Known, and mended by spring",
        until="2026-04-30",
    )
    return DecisionStatus(review=review, state="in force", item_id=claim_id, text="A gap.", signatures=signatures)


def three() -> AuditReport:
    """A gap, a conflict and a theme; a refused statistic."""
    return report(
        (TEXT, "The owner may review access."),
        claims=(
            claim(1, "gap", "A gap.", (1,), finding_id="finding_gap", severity="high"),
            claim(2, "conflict", "Two differ.", (1, 2), severity="medium"),
            claim(3, "theme", "A theme.", (1,)),
        ),
        refused=(
            claim(
                1,
                "statistic",
                "Half of all.",
                (1,),
                claim_id="claim_refused",
                published=False,
                reason="the figure is another one",
                signals=(Signal(name="recounted", passed=False, detail="3 of 8"),),
            ),
        ),
        decisions=(
            decided("claim_1", "First Signer"),
            decided(
                "claim_1",
                "Second Signer",
                SignatureStatus(
                    signature_id="signature_1", by="Second Signer", role="auditor", at="2026-02-02T00:00:00Z", meaning="m", key="k",
                    problems=("the key was revoked",),
                ),
            ),
            decided("claim_9", "Somebody Else"),
        ),
    )  # fmt: skip


def test_each_finding_that_asks_something_begins_a_page() -> None:
    """Themes get none; the first page lists the others with their pages, and the text of a page is that of one finding."""
    first, gap, conflict = pages(render_annex(three()))
    assert "2 of 1 published finding" in first  # the hand-made report counts one
    assert "1 high A gap. 2" in first
    assert "2 medium Two differ. 3" in first
    assert "Finding 1 A gap." in gap
    assert "Two differ." not in gap
    assert "Just before." in gap
    assert TEXT in gap
    assert "characters 100–130" in gap
    assert "Every citation leads to a quote passed" in gap
    assert "Nobody has decided on it." in conflict
    assert "The owner may review access." in conflict


def test_history_tells_who_signed_and_what_is_wrong_with_it() -> None:
    """A decision by name alone is told as such; those of other findings stand elsewhere."""
    (told, other) = annexed(three())["pages"]
    assert [row[1] for row in told["history"]] == ["First Signer", "Second Signer"]
    assert told["history"][0] == [
        "accept risk until 2026-04-30",
        "First Signer",
        "2026-02-01",
        "Known, and mended by spring",
        "by name alone, unsigned",
    ]
    assert told["history"][1][-1] == "Second Signer, auditor (not valid: the key was revoked)"
    assert other["history"] == []


def test_evidence_says_whether_the_document_goes_on() -> None:
    """Context that begins or ends a document has no mark; a reading is told in the document's words."""
    (evidence,) = annexed(three(), ["finding_gap"])["pages"][0]["evidence"]
    assert evidence["before"] == "[…] Just before. "
    assert evidence["after"] == " Just after."
    assert evidence["readings"] == [["obligation", "actor The owner; deadline 30 days"]]
    assert (evidence["title"], evidence["name"]) == ("Policy", "policy.md")


def test_a_finding_is_chosen_by_either_id_also_a_refused_one() -> None:
    """A refused one says why."""
    (page,) = annexed(three(), ["claim_refused"])["pages"]
    assert (page["kind"], page["reason"]) == ("Refused", "the figure is another one")
    assert page["checks"] == [["The figure, counted again from the indexes, is the same", "failed", "3 of 8"]]
    with pytest.raises(UsageError, match="no such finding") as caught:
        annexed(three(), ["finding_gap", "finding_none"])
    assert "finding_none" in str(caught.value)


def test_quotes_beyond_the_most_are_counted() -> None:
    """A finding on a hundred quotes stays readable."""
    texts = tuple(f"The owner shall review access {number}." for number in range(40))
    made = report(texts, claims=(claim(1, "gap", "A gap.", (*range(1, 41), 1)),))
    (page,) = annexed(made)["pages"]
    assert (len(page["evidence"]), page["more"]) == (MOST_QUOTES, 40 - MOST_QUOTES)


def test_annex_of_nothing_and_of_hostile_words() -> None:
    """Nothing to ask is told; what a document says is set as text."""
    assert "No published finding asks something of somebody." in pages(render_annex(report()))[0]
    hostile = '#read("/etc/passwd") $x$ *b* <a> @b'
    made = report((hostile,), claims=(claim(1, "gap", hostile, (1,)),))
    assert render_annex(made) == render_annex(made)
    text = " ".join(pages(render_annex(made)))
    assert text.count(hostile) >= 3
    assert "root:" not in text
    json.dumps(annexed(made))
