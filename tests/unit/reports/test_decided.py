"""What reports say of decisions: who signed them, and what persons took out."""

from __future__ import annotations

from coditect.reports.editions.decided import decisions_told, signed_as
from coditect.reports.editions.printed import printed
from coditect.schemas import DecisionStatus, SignatureStatus
from tests.unit.reports.reports import report
from tests.unit.reports.test_annex import decided

SIGNED = SignatureStatus(
    signature_id="signature_1", by="N. Officer", role="warden", at="2031-01-02T00:00:00Z", meaning="read", key="k"
)


def _with(status: DecisionStatus, **review: object) -> DecisionStatus:
    return status.model_copy(update={"review": status.review.model_copy(update=review)})


def test_a_signature_is_told_with_its_role_and_a_mere_name_as_that() -> None:
    """Whoever types a name has signed nothing; a signature that does not hold says why."""
    plain = decided("claim_1", "N. Officer").model_copy(update={"signatures": ()})
    assert signed_as(plain) == "by name alone, unsigned"
    assert signed_as(plain.model_copy(update={"signatures": (SIGNED,)})) == "N. Officer, warden"
    broken = SIGNED.model_copy(update={"problems": ("the key was revoked",)})
    assert signed_as(plain.model_copy(update={"signatures": (broken,)})) == (
        "N. Officer, warden (not valid: the key was revoked)"
    )


def test_what_persons_dismissed_is_counted_by_what_it_was() -> None:
    """Findings, statements and rows apart; a decision that is not in force takes nothing out."""
    one = decided("claim_1", "N. Officer").model_copy(update={"state": "in force", "signatures": ()})
    taken = _with(one, decision="dismiss", signed_item="claim_1").model_copy(update={"signatures": (SIGNED,)})
    duty = _with(one, decision="dismiss", signed_item="extraction_1")
    former = _with(one, decision="dismiss", signed_item="claim_2").model_copy(update={"state": "replaced"})
    told = decisions_told([_with(one, decision="supported", signed_item="claim_3"), taken, duty, duty, former])
    assert told == (
        "4 decisions in force of 5, 1 of them signed with a key. Persons dismissed 1 finding and 2 statements."
    )
    assert decisions_told([]) == ""


def test_a_short_edition_lists_what_there_is_to_say_of_first() -> None:
    """Of more documents than it prints, those past their review stand among those that it does."""
    base = report()
    (document,) = base.documents
    many = [document.model_copy(update={"name": f"{n}.md", "title": "", "standing": ()}) for n in range(20)]
    many[17] = many[17].model_copy(update={"standing": ("to be reviewed by 2031-01-01",)})
    listed = printed(base.model_copy(update={"documents": tuple(many)}), "executive")["documents"]
    assert "to be reviewed by 2031-01-01" in str(listed[0])
    assert "to be reviewed" in str(printed(base.model_copy(update={"documents": tuple(many)}), "full")["documents"][17])
