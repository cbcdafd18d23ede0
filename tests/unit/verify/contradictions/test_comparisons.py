"""What a rule took for a difference where it had compared a word with one that does not answer to it."""

from __future__ import annotations

import pytest

from coditect.verify.contradictions.kinds import DOUBT
from coditect.verify.contradictions.rules import find_contradictions
from coditect.verify.staged.comparison import GRAVE

NAMED = "This part, known as Regulation N, is issued by the Bureau."
RECORDS = "Any person subject to this part may keep the records required by paragraph (a) of this section in any legible form."
FEES = (
    "The client pays the manager each year 0.65% of the net assets up to $25 million, 0.35% of the net assets from $25 million to"
    " $100 million, and 0.25% of the net assets for such assets in excess of $100 million."
)
HOURS = "The support is up to 1 hour per month, at no charge."
CONVICTIONS = (
    "We inform all staff that they are expected to disclose convictions, whether received before or during employment."
)


def worst(kind: str, claim: str, *evidence: str) -> float:
    """The gravest difference of a kind, 0 where there is none."""
    return max((each.severity for each in find_contradictions(claim, evidence) if each.kind == kind), default=0.0)


@pytest.mark.parametrize(
    ("claim", "evidence", "worst_of"),
    [
        ("The records that Regulation N requires may be kept in any legible form.", (RECORDS, NAMED), 0.3),
        ("The records that Regulation N requires may be kept in any legible form.", (RECORDS,), 1.0),
        ("The records that Regulation Z requires may be kept in any legible form.", (RECORDS, NAMED), 1.0),
        ("The records that section 9 requires may be kept in any legible form.", (RECORDS, NAMED), 1.0),
    ],
)
def test_a_document_may_be_called_by_the_name_that_it_gives_itself(
    claim: str, evidence: tuple[str, ...], worst_of: float
) -> None:
    """Where the statement says "this part" and another one tells its name; any other name, or a number, is another place."""
    assert worst("reference", claim, *evidence) == worst_of


@pytest.mark.parametrize(
    ("claim", "differs"),
    [
        ("Interviews cannot always be held.", False),
        ("Interviews are always held.", True),
    ],
)
def test_not_always_is_sometimes(claim: str, differs: bool) -> None:
    """A denied "always" says no more than "some" does."""
    said = "Some interviews are held."
    assert (worst("quantifier", claim, said) >= DOUBT) is differs


@pytest.mark.parametrize(
    ("claim", "differs"),
    [
        ("On the slice of the net assets above $100 million the manager earns 0.25% a year.", False),
        ("On the slice of the net assets above $50 million the manager earns 0.25% a year.", True),
    ],
)
def test_a_value_that_stands_behind_the_same_word_again_is_not_moved(claim: str, differs: bool) -> None:
    """A word may come more than once, each time before another value."""
    found = [each for each in find_contradictions(claim, [FEES]) if each.kind in ("currency", "comparative")]
    assert any(each.severity >= DOUBT for each in found) is differs


@pytest.mark.parametrize(("word", "least"), [("monthly", 0.0), ("weekly", 0.9), ("yearly", 0.9)])
def test_an_amount_per_month_is_monthly(word: str, least: float) -> None:
    """ "The monthly hour" is "1 hour per month", and no "weekly" one."""
    assert worst("duration", f"The {word} hour of support is free.", HOURS) == least


def test_no_matter_if_adds_no_condition() -> None:
    """It says that something does not matter, as "whether or not" does."""
    claim = "Everyone on the staff is told that they are expected to disclose convictions, {} it came before or during employment."
    assert worst("condition", claim.format("no matter if"), CONVICTIONS) < GRAVE


@pytest.mark.parametrize(
    ("claim", "said", "least", "most"),
    [
        (
            "No waiver may be obtained from any consumer.",
            "It is a violation to obtain a waiver from any consumer.",
            0,
            DOUBT,
        ),
        (
            "No waiver may be obtained from any consumer.",
            "It is a custom to obtain a waiver from any consumer.",
            0.9,
            1,
        ),
    ],
)
def test_what_is_called_a_violation_is_denied(claim: str, said: str, least: float, most: float) -> None:
    """A claim that denies the act may say just that."""
    assert least <= worst("negation", claim, said) <= most


INSTALLMENTS = "A fee of $200,000 is payable in 12 equal monthly installments, or 24 equal semi-monthly installments."


@pytest.mark.parametrize(
    ("claim", "differs"),
    [
        ("The fee of $200,000 is paid in twelve monthly instalments.", False),
        ("The fee of $200,000 is paid in twelve weekly instalments.", True),
    ],
)
def test_a_word_of_frequency_stands_where_it_is_written(claim: str, differs: bool) -> None:
    """Whether a reader of quantities takes it for one, or for a kind of payment, on either side."""
    assert (worst("duration", claim, INSTALLMENTS) > 0.0) is differs


CAPPED = "An individual may only receive at most $750 from all applications combined."


@pytest.mark.parametrize(
    ("claim", "kept"),
    [
        ("An individual can receive no more than $750 from all applications combined.", True),
        ("An individual can receive $750 from all applications combined.", False),
        ("An individual may receive at least $750 from all applications combined.", False),
    ],
)
def test_only_before_an_upper_bound_is_said_with_the_bound(claim: str, kept: bool) -> None:
    """ "Only at most" says no more than "at most"; without the bound something is left out."""
    assert (worst("quantifier", claim, CAPPED) == 0.0) is kept


EXCEPTED = "Complaints should go to the Ombudsperson, except a complaint against the Ombudsperson, which should go to the Speaker."


@pytest.mark.parametrize(
    ("claim", "turned"),
    [
        ("If a complaint is against the Ombudsperson, it should go to the Speaker.", False),
        ("If a complaint is against the Ombudsperson, it should go to the Ombudsperson.", True),
    ],
)
def test_what_holds_of_an_exception_may_be_said_of_it_alone(claim: str, turned: bool) -> None:
    """The clause on what is excepted is a rule of its own; what holds of all others is not said of it."""
    assert (worst("condition", claim, EXCEPTED) >= GRAVE) is turned


FORM = "The Company will issue a Form 9 for all fees paid to the Consultant on all work for the Company as may be required by law."


@pytest.mark.parametrize(
    ("claim", "exchanged"),
    [
        ("A Form 9 will be issued by the Company for all fees paid to the Consultant.", False),
        ("A Form 9 will be issued by the Consultant for all fees paid to the Company.", True),
    ],
)
def test_a_law_behind_by_is_nobody_who_acts(claim: str, exchanged: bool) -> None:
    """Active and passive are told apart by who acts, not by "as required by law"."""
    assert (worst("role", claim, FORM) >= GRAVE) is exchanged


def test_a_bracket_parts_a_noun_from_what_stands_before_it() -> None:
    """ "The place of purchase (card receipts ...)" says nothing of purchase cards."""
    evidence = "Original receipts are needed from the place of purchase (card receipts are not acceptable)."
    assert worst("quantifier", "A card receipt will not do.", evidence) == 0.0
    assert worst("quantifier", "A receipt must be kept.", "A purchase receipt must be kept.") >= GRAVE


@pytest.mark.parametrize(
    ("claim", "evidence", "differs"),
    [
        ("A clause that is held invalid is removed.", "A clause that is determined to be invalid is removed.", False),
        (
            "Requests that the board finds unusual go to the chair.",
            "Requests that the board deems unusual go to the chair.",
            False,
        ),
        ("The board holds shares for the members.", "The board considers shares for the members.", True),
    ],
)
def test_verbs_of_judgement_stand_for_each_other(claim: str, evidence: str, differs: bool) -> None:
    """Before what something is taken for; with an object they say different things."""
    assert (worst("substitution", claim, evidence) > 0.0) is differs


def test_what_somebody_intends_binds_nobody() -> None:
    """ "The intention that the rest shall continue" is no duty that a claim could lose."""
    intended = (
        "If a provision is stayed, it is the Bureau's intention that the remaining provisions shall continue in effect."
    )
    assert (
        worst("modality", "If a provision is stayed, the Bureau intends the rest to continue in effect.", intended)
        == 0.0
    )
