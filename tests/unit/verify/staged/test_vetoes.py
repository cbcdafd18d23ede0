"""What a reader who quotes may overrule, and what not."""

from __future__ import annotations

import pytest

from coditect.schemas import Signal
from coditect.verify.staged.vetoes import QuotedPart, find_vetoes

SAID = "The supplier shall notify the customer of an incident within 48 hours."


def vetoes(claim: str, *statements: str, signals: tuple[Signal, ...] = ()) -> list[str]:
    """The kinds of what keeps a claim from being called supported, where all of it rests on these statements."""
    found = find_vetoes(claim, [QuotedPart(0, len(claim), statements)], signals)
    return [each.name.removeprefix("contradiction_") for each in found]


@pytest.mark.parametrize(
    ("claim", "kind"),
    [
        ("The supplier shall notify the customer of an incident within 72 hours.", "duration"),
        ("The supplier may notify the customer of an incident within 48 hours.", "modality"),
        ("The customer shall notify the supplier of an incident within 48 hours.", "role"),
        ("The supplier shall not notify the customer of an incident within 48 hours.", "negation"),
    ],
)
def test_hard_differences_from_what_is_quoted_are_vetoes(claim: str, kind: str) -> None:
    """Another figure, another force, somebody else, a "not"."""
    assert kind in vetoes(claim, SAID)


def test_faithful_words_meet_no_veto() -> None:
    """Words that the statement has otherwise, and statistics, keep nobody from calling it supported."""
    claim = "Customers hear from the supplier of incidents in two days at the latest."
    signals = (
        Signal(name="support", passed=False, detail="30% probable", weight=0.7),
        Signal(name="second_reading", passed=False, detail="20% probable", weight=0.8),
        Signal(name="contradiction_substitution", passed=False, detail="“hear” for “notify”", weight=0.6),
    )
    assert vetoes(claim, SAID, signals=signals) == []


def test_certain_contradictions_of_other_evidence_stand() -> None:
    """What is certain of all the evidence is a veto whatever is quoted; a milder one is not."""
    certain = Signal(name="contradiction_condition", passed=False, detail="an exception is dropped", weight=1.0)
    mild = Signal(name="contradiction_number", passed=False, detail="“9” is not in the evidence", weight=0.9)
    assert find_vetoes(SAID, [QuotedPart(0, len(SAID), (SAID,))], [certain, mild]) == (certain,)


REPORTED = "The supplier shall report an incident within 24 hours."
KEPT = "The supplier shall keep the log of an incident for 72 hours."
BOTH = "The supplier shall report an incident within 24 hours, and shall keep the log of the incident for 72 hours."


def test_each_part_is_compared_with_what_is_quoted_for_it() -> None:
    """A figure counts where it is quoted for the words that have it, and nowhere else."""
    at = BOTH.index(", and")
    apart = [QuotedPart(0, at, (REPORTED,)), QuotedPart(at, len(BOTH), (KEPT,))]
    crossed = [QuotedPart(0, at, (KEPT,)), QuotedPart(at, len(BOTH), (REPORTED,))]
    assert find_vetoes(BOTH, apart, ()) == ()
    assert "contradiction_duration" in [each.name for each in find_vetoes(BOTH, crossed, ())]


@pytest.mark.parametrize(
    ("start", "end", "is_own"),
    [(0, 0, True), (5, 5, True), (10, 10, True), (11, 11, False), (9, 12, True), (10, 12, False)],
)
def test_what_is_left_out_belongs_to_the_part_that_ends_there(start: int, end: int, is_own: bool) -> None:
    """Words belong to each part that has some of them."""
    part = QuotedPart(0, 10, (SAID,))
    signal = Signal(
        name="contradiction_condition", passed=False, detail="-", weight=0.9, claim_start=start, claim_end=end
    )
    assert part.has(signal) is is_own
    assert QuotedPart(10, 20, (SAID,)).has(signal) is (end > 10)


@pytest.mark.parametrize(
    ("claim", "statement"),
    [
        (
            "The announcement mentions the first name and nothing more.",
            "The announcement mentions the first name only.",
        ),
        (
            "Nobody but the team leaders can listen to recordings.",
            "Access to recordings is limited to the team leaders.",
        ),
        ("We buy no foam that contains fluorine.", "Only fluorine-free foam is bought."),
        (
            "No laptop is handed out until its disk has been encrypted.",
            "Laptops shall be encrypted before they are issued.",
        ),
        ("If someone leaves a pass idle for 60 days, it is blocked.", "A pass not used for 60 days is blocked."),
        ("The promise does not extend to theft or fraud.", "Theft and fraud fall outside the promise."),
        ("Records are kept for half a year after the end.", "Records are kept for six months after the end."),
        ("The devices go after two months without contact.", "Devices go after 60 days without contact."),
        ("Chocks stand at the two main gears.", "Chocks are placed at both main gears."),
        ("A two-thirds vote of the board changes the bylaws.", "The board can make changes of the bylaws by 2/3 vote."),
        ("The records Regulation N requires are kept.", "The records that this part requires shall be kept."),
        ("No waiver may be obtained from any consumer.", "It is a violation to obtain a waiver from any consumer."),
        ("A Senator shall decline to vote.", "A Student Senator shall decline to vote."),
        (
            "A Senator has to sit a vote out on the floor, where it would be a conflict of interest.",
            "A Senator shall decline to vote, on the floor, where it would be a conflict of interest.",
        ),
        (
            "Voters decide for themselves how many names they rank.",
            "A voter may rank as many or as few names as they like.",
        ),
        ("The monthly hour of support is free.", "The support is up to 1 hour per month, at no charge."),
        ("An account of a leaver is quickly switched off.", "An account of a leaver shall be switched off quickly."),
        (
            "Data on endpoints should be protected with full disk encryption.",
            "Use full disk encryption to protect data on endpoints.",
        ),
        (
            "Our contracts should oblige suppliers to hand over a component inventory and keep it current.",
            "Contractually require suppliers to provide and maintain a current component inventory.",
        ),
        (
            "You should have an outcome within 21 days of your complaint.",
            "The investigator must respond with an outcome within 21 days of a complaint.",
        ),
    ],
)
def test_what_the_statement_tells_otherwise_is_no_veto(claim: str, statement: str) -> None:
    """A limit, a count or a demand in other words of the statement's own: a reader who quotes it may settle that."""
    assert vetoes(claim, statement) == []


@pytest.mark.parametrize(
    ("claim", "statement", "kind"),
    [
        ("The severity is never changed.", "The manager may change the severity as facts become known.", "negation"),
        (
            "The bank is no longer responsible for a function.",
            "The bank remains responsible for a function.",
            "negation",
        ),
        (
            "Audit logs are reviewed only after an incident.",
            "The organization reviews audit logs weekly for signs of unusual activity, and reports what it finds.",
            "quantifier",
        ),
        ("The key is in use if the custodian wants it.", "The key is in use.", "condition"),
        ("Three custodians handle the keys of the platform.", "Custodians handle the keys of the platform.", "number"),
        (
            "The records that section 9 requires are kept.",
            "The records that this part requires shall be kept.",
            "reference",
        ),
        (
            "A Senator has to carry out a vote on the floor, where it would be a conflict of interest.",
            "A Senator shall decline to vote, on the floor, where it would be a conflict of interest.",
            "negation",
        ),
        (
            "Voters are told how many names they rank.",
            "A voter may rank as many or as few names as they like.",
            "modality",
        ),
        ("The weekly hour of support is free.", "The support is up to 1 hour per month, at no charge.", "duration"),
        ("The supplier is asked to keep the records.", "The supplier shall keep the records.", "modality"),
        ("Data on endpoints should be encrypted.", "Data on endpoints must be encrypted.", "modality"),
        ("Data on endpoints may be encrypted.", "Encrypt data on endpoints.", "modality"),
        ("Visitors should have a badge.", "Visitors must have a badge.", "modality"),
    ],
)
def test_what_nothing_makes_up_for_stays_a_veto(claim: str, statement: str, kind: str) -> None:
    """Where the statement neither limits nor counts nor demands in other words, the rule's word stands."""
    assert kind in vetoes(claim, statement)
