"""What is proven as a rewrite of its source, and what never is."""

from __future__ import annotations

import subprocess
import sys

import pytest

from coditect.verify.alignment.evidence import EvidenceIndex
from coditect.verify.rewrites.proof import Rewrite, prove
from coditect.verify.staged import stages
from coditect.verify.staged.stages import assess

KEPT = "Records of access must be retained for at least six years, unless the law forbids it."
TOLD = "The Supplier shall notify the Customer in writing within 30 days after termination of the agreement."
SUMMARIES = "Reports summarizing audit activities shall be retained for a period of seven years."
REPORTS = "Reports that summarize audit activities must be kept for seven years."
SIGNED = "Visitors must sign the log before they enter the site."


def _proof(claim: str, source: str) -> Rewrite | None:
    return prove(claim, EvidenceIndex([source]))


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        ("Access records have to be kept for no less than six years, unless the law forbids it.", KEPT),
        ("Within 30 days after the agreement ends, the Supplier must tell the Customer in writing.", TOLD),
        ("The Customer must be informed in writing by the Supplier within 30 days after the agreement ends.", TOLD),
        ("The log has to be signed by visitors prior to entering the site.", SIGNED),
        ("Staff have to use strong passwords.", "Employees must employ strong passwords."),
        ("Anti-spoofing tools have to be used by staff.", "Staff must employ anti-spoofing tools."),
        ("Any person may ask for the records.", "The records may be requested by any person."),
        ("Approval is needed before a vendor is onboarded.", "No vendor may be onboarded without approval."),
        ("It is forbidden to share keys.", "Keys must not be shared."),
        ("Where possible, the keys are to be rotated annually.", "If feasible, rotate the keys every year."),
    ],
)
def test_proof_of_a_faithful_rewrite(claim: str, source: str) -> None:
    """Passive for active, verbs for nouns, plain words for formal ones, and what must come first told in another way."""
    assert _proof(claim, source) is not None


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        ("Access records have to be kept for six years at most unless the law prohibits it.", KEPT),
        ("Access records have to be kept for no less than five years unless the law prohibits it.", KEPT),
        ("Access records have to be kept for no less than six years.", KEPT),
        ("Access records may be kept for no less than six years unless the law prohibits it.", KEPT),
        ("Access records need not be kept for at least six years, unless the law forbids it.", KEPT),
        (
            "All access records that auditors ask for have to be kept for at least six years unless the law forbids it.",
            KEPT,
        ),
        ("The Supplier must be told in writing by the Customer within 30 days after the agreement ends.", TOLD),
        ("The Customer must tell the Supplier in writing within 30 days after the agreement ends.", TOLD),
        ("The Supplier must tell the Customer in writing within 30 business days after the agreement ends.", TOLD),
        ("The log has to be signed by visitors after entering the site.", SIGNED),
        ("Visitors must sign the log before they leave the site.", SIGNED),
        ("All vendors must be assessed.", "Critical vendors must be assessed."),
        ("The data must be kept safe or destroyed.", "The data must be kept safe and destroyed."),
        ("The board needs approval of the vendor.", "No vendor may be onboarded without approval of the board."),
        ("You may change these terms.", "We may change these terms."),
        ("Keys must be shared.", "Keys must not be shared."),
        ("The step has been introduced.", "The firm may introduce the step."),
    ],
)
def test_no_proof_of_an_edit(claim: str, source: str) -> None:
    """Other numbers, bounds, force, parties, order, scope, or a condition that one side has alone."""
    assert _proof(claim, source) is None


def test_proof_tells_which_words_were_taken_as_equal() -> None:
    """The words of both sides, and where those of the evidence stand."""
    proof = _proof("Staff have to use strong passwords.", "Employees must employ strong passwords.")
    assert proof is not None
    assert proof.equals == (("Staff", "Employees"), ("use", "employ"))
    assert [("Employees must employ strong passwords."[lo:hi]) for _, lo, hi in proof.places] == [
        "Employees", "employ", "strong", "passwords",
    ]  # fmt: skip


def test_every_sentence_of_a_text_needs_a_proof() -> None:
    """One that nothing bears out leaves the text unproven."""
    evidence = EvidenceIndex([SIGNED, TOLD])
    first = "The log has to be signed by visitors prior to entering the site."
    assert prove(
        f"{first} The Supplier must tell the Customer in writing within 30 days after the agreement ends.", evidence
    )
    assert prove(f"{first} The Customer must tell the Supplier in writing within 30 days.", evidence) is None


def test_empty_text_is_not_proven() -> None:
    """There is nothing to account for."""
    assert prove("", EvidenceIndex([SIGNED])) is None
    assert prove("It is so.", EvidenceIndex([SIGNED])) is None


def test_proof_is_told_and_changes_nothing_else(monkeypatch: pytest.MonkeyPatch) -> None:
    """Label, score and all other signals are those of a text without proof; the signal comes first and takes nothing off."""
    found = assess(REPORTS, [SUMMARIES], 0.7, offset=10)
    monkeypatch.setattr(stages, "rewritten", lambda *_: None)
    before = assess(REPORTS, [SUMMARIES], 0.7, offset=10)
    assert (found.label, found.score, found.signals[1:]) == ("needs_review", before.score, before.signals)
    told = found.signals[0]
    assert (told.name, told.passed, told.weight) == ("rewrite", True, 0.0)
    assert told.detail == "every word of it stands for one of the evidence: “kept” for “retained”"
    assert (told.claim_start, told.claim_end) == (10, 10 + len(REPORTS))
    assert "retained" in [SUMMARIES[each.char_start : each.char_end] for each in told.evidence]


@pytest.mark.parametrize(
    ("claim", "evidence", "label"),
    [
        (SUMMARIES, SUMMARIES, "supported"),
        (REPORTS.replace("seven", "nine"), SUMMARIES, "unsupported"),
        ("All vendors must be assessed.", "Critical vendors must be assessed.", "needs_review"),
    ],
)
def test_nothing_is_told_of_what_is_decided_or_not_proven(claim: str, evidence: str, label: str) -> None:
    """A supported text needs no help, a refused one gets none, and without a proof there is nothing to tell."""
    found = assess(claim, [evidence], 0.7)
    assert (found.label, [each.name for each in found.signals if each.name == "rewrite"]) == (label, [])


def test_tables_of_proofs_are_loaded_where_a_text_is_left_to_a_person() -> None:
    """Knowing the checker does not read them, nor does a text that is refused."""
    code = (
        "import sys; from coditect.verify.checker import assess; "
        "told = lambda: print('coditect.verify.rewrites.proof' in sys.modules); told(); "
        f"assess('Keys must rotate every year.', [{SUMMARIES!r}], 0.7); told(); "
        f"assess({REPORTS!r}, [{SUMMARIES!r}], 0.7); told()"
    )
    assert subprocess.check_output([sys.executable, "-c", code], text=True).split() == ["False", "False", "True"]
