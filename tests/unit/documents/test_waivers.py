"""What sentences, rows and forms say of exceptions: who is excused from what, by whom, since when, and until when."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from coditect.documents.profile.waivers.asking import as_asked
from coditect.documents.profile.waivers.facts import WaiverFact
from coditect.documents.profile.waivers.rows import RegisterLine, read_rows
from coditect.documents.profile.waivers.sentence import waiver_fact
from coditect.documents.profile.waivers.times import day_of, times_of


def _told(fact: WaiverFact | None) -> tuple[str, ...]:
    assert fact is not None
    return (
        fact.kind,
        fact.holder,
        fact.provision,
        fact.by,
        fact.granted,
        fact.begins,
        fact.until or fact.is_open * "open",
    )


@pytest.mark.parametrize(
    ("sentence", "told"),
    [
        (
            "The Board approved an exception to clause 3.1 of the Records Policy for the Tromsø branch until 31 May 2027.",
            ("exception", "the Tromsø branch", "clause 3.1 of the Records Policy", "The Board", "", "", "2027-05-31"),
        ),
        (
            "On 2 April 2026 the Trustees granted Lindqvist Shipping a waiver of Rule 9.2 for 18 months.",
            ("waiver", "Lindqvist Shipping", "Rule 9.2", "the Trustees", "2026-04-02", "", ""),
        ),
        (
            "The Buyer hereby waives compliance by the Seller with Section 4.7 of the Purchase Agreement until 1 July 2026.",
            ("waiver", "the Seller", "Section 4.7 of the Purchase Agreement", "The Buyer", "", "", "2026-07-01"),
        ),
        (
            "It was agreed that the notice period in Article 12 be waived for the Leeds office until 30 April 2026.",
            ("waiver", "the Leeds office", "the notice period in Article 12", "", "", "", "2026-04-30"),
        ),
        (
            "Harrow Ferries is exempt from section 8 of the Act for the period beginning on 3 May 2026 and ending on 2 May 2028.",
            ("exemption", "Harrow Ferries", "section 8 of the Act", "", "", "2026-05-03", "2028-05-02"),
        ),
        (
            "The Registrar dispensed Oakmere College from the requirement to file accounts until further notice.",
            ("dispensation", "Oakmere College", "the requirement to file accounts", "The Registrar", "", "", "open"),
        ),
        (
            "The Managing Director has accepted the residual risk of the old scanner until the end of 2027.",
            ("risk acceptance", "", "", "The Managing Director", "", "", "2027-12-31"),
        ),
        (
            "Badge readers were approved as a compensating control for requirement 9.4 until March 2027.",
            ("compensating control", "", "requirement 9.4", "", "", "", "2027-03-31"),
        ),
        (
            "This waiver takes effect on 1 May 2026 and expires on 30 April 2027.",
            ("waiver", "", "", "", "", "2026-05-01", "2027-04-30"),
        ),
    ],
)  # fmt: skip
def test_a_sentence_that_excuses_somebody_is_read(sentence: str, told: tuple[str, ...]) -> None:
    """With whatever it says of who, from what, by whom and when; the month of May is no verb."""
    fact = waiver_fact(sentence)
    assert _told(fact) == told
    assert fact is not None
    assert fact.decision == "granted"
    assert 0 <= fact.start < fact.end <= len(sentence)


def test_a_length_and_a_condition_are_told_as_they_are_printed() -> None:
    """A length is left to whoever knows the day that it runs from."""
    fact = waiver_fact(
        "The Chief Risk Officer approved a six-month exception to the patching standard on 1 May 2026, on condition that the plant "
        "is cut off from the internet."
    )
    assert fact is not None
    assert (str(fact.length), fact.until, fact.granted) == ("6 months", "", "2026-05-01")
    assert fact.condition == "the plant is cut off from the internet"


@pytest.mark.parametrize(
    "sentence",
    [
        "No waiver of any default shall operate as a waiver of a later one.",
        "Each party irrevocably waives any right to trial by jury and any objection to venue.",
        "The Committee may grant an exception to section 4 until 30 June 2026.",
        "The Committee declined to approve an exception to section 4 until 30 June 2026.",
        "If the Lender waives Section 6, a fee of 1% is due.",
        "All servers are scanned monthly, with the exception of those approved on 3 May 2026.",
        "The exception handler was approved on 3 March 2026.",
        "Small firms are exempt from section 12.",
        "Interns will be granted an exception and need not repeat the step.",
        "Attendees who have a waived registration fee sign the list.",
        "The Agent shall obtain contracts and releases with or from all parties.",
        "(b) waive or modify any of the rules until 30 June 2026;",
        "The licence was granted to Alder Bank on 1 March 2025 and expires on 29 February 2028.",
        "Securities are offered under an exemption that was granted by section 4(2) of the Act.",
    ],
)
def test_what_excuses_nobody_is_passed_over(sentence: str) -> None:
    """Boilerplate, rights that a party gives up, powers, suppositions, a rule's own scope, and words of another sense."""
    assert waiver_fact(sentence) is None


@pytest.mark.parametrize(
    ("sentence", "by", "length"),
    [
        (
            "Exceptions to this standard must be approved by the CISO and expire after 12 months.",
            "the CISO",
            "12 months",
        ),
        (
            "An exception may be granted by the Chief Risk Officer for at most one year.",
            "the Chief Risk Officer",
            "1 year",
        ),
        ("Approved exceptions must be reviewed monthly until they are resolved.", "", ""),
    ],
)
def test_a_rule_about_exceptions_is_no_exception(sentence: str, by: str, length: str) -> None:
    fact = waiver_fact(sentence)
    assert fact is not None
    assert (fact.decision, fact.by, "" if fact.length is None else str(fact.length)) == ("rule", by, length)


def _rows(*lines: str, about: str = "") -> list[tuple[WaiverFact, int, int]]:
    numbered = [RegisterLine(text, about, number) for number, text in enumerate(lines)]
    return [(fact, first.key, last.key) for fact, first, last in read_rows(numbered)]


@pytest.mark.parametrize("is_labelled", [True, False])
def test_the_rows_of_a_register_are_read_by_their_columns(is_labelled: bool) -> None:
    """Whether the reader printed the labels in each row or only above them; what was asked for or refused is told as that."""
    head = ("Waiver No.", "Firm", "Rule waived", "Granted by", "Date granted", "Valid until", "Conditions", "Status")
    rows: Sequence[Sequence[str]] = (
        ("W-1", "Alder Bank", "COB 3.4", "Board", "1 March 2025", "28 February 2028", "Monthly report", "Approved"),
        ("W-2", "Cole LLP", "COB 3.5", "Board", "2 March 2025", "none", "None so far", "Rejected"),
        ("W-3", "Orme Ltd", "COB 3.6", "Board", "3 March 2025", "tbd", "None so far", "Under review"),
    )
    printed = [" | ".join(f"{a}: {b}" if is_labelled else b for a, b in zip(head, row, strict=True)) for row in rows]
    found = [fact for fact, _, _ in _rows(" | ".join(head), *printed)]
    assert [_told(each) for each in found] == [
        ("waiver", "Alder Bank", "COB 3.4", "Board", "2025-03-01", "", "2028-02-28"),
        ("waiver", "Cole LLP", "COB 3.5", "Board", "2025-03-02", "", "open"),
        ("waiver", "Orme Ltd", "COB 3.6", "Board", "2025-03-03", "", ""),
    ]
    assert [each.decision for each in found] == ["granted", "refused", "requested"]
    assert [each.reference for each in found] == ["W-1", "W-2", "W-3"]
    assert found[0].condition == "Monthly report"


def test_a_table_is_a_register_by_its_heading_where_its_columns_do_not_say_so() -> None:
    lines = ("System | Standard | Approver | Expires", "Tills | Patch Standard 3 | J. Orme | 31 August 2026")
    assert not _rows(*lines)
    ((fact, _, _),) = _rows(*lines, about="Register of exceptions")
    assert _told(fact) == ("exception", "Tills", "Patch Standard 3", "J. Orme", "", "", "2026-08-31")


def test_tables_of_other_things_are_passed_over() -> None:
    """Licences, glossaries, the exceptions that an auditor noted, and risks that are treated."""
    assert not _rows("Licence No. | Firm | Granted on | Expires on", "L-1 | Alder Bank | 2025-03-01 | 2028-02-29")
    assert not _rows("Term | Meaning | Source", "Waiver | A decision to excuse | Rulebook")
    assert not _rows("Control | Test result | Exceptions noted | Tested on", "AC-2 | Effective | None | 2026-05-01")
    assert not _rows(
        "Risk ID | Risk | Owner | Treatment | Due date", "R-1 | Flood | Facilities | Mitigate | 2026-10-01"
    )


def test_a_form_is_one_exception_over_several_lines() -> None:
    """Lines with a label, or rows of two cells; one that is not filled in is none."""
    filled = ("Requested by: Payments team", "Policy: Access Policy, section 4.2", "Reason: Old terminal", "Approved by: CISO",
              "Expiration date: 30 June 2026")  # fmt: skip
    ((fact, first, last),) = _rows(*filled, "A sentence.", about="Security Exception Request")
    assert _told(fact) == ("exception", "Payments team", "Access Policy, section 4.2", "CISO", "", "", "2026-06-30")
    assert (first, last) == (0, 4)
    cells = ("Exemption from | Rule 7", "Holder | Harrow Ferries", "Valid to | 1 May 2027")
    ((fact, _, _),) = _rows(*cells)
    assert _told(fact) == ("exemption", "Harrow Ferries", "Rule 7", "", "", "", "2027-05-01")
    assert not _rows(
        "Requested by: Payments team", "Policy: Access Policy", "Reason: Old terminal", about="Exception Request"
    )


def test_times_are_told_apart_by_the_words_before_them() -> None:
    times = times_of("granted on 1 May 2026, with effect from 1 June 2026, until the end of Q3 2027")
    assert (times.granted, times.begins, times.until) == ("2026-05-01", "2026-06-01", "2027-09-30")
    assert times_of("until the end of the fourth quarter of 2026").until == "2026-12-31"
    assert times_of("until further notice").is_open
    assert (day_of("2028-02", last=True), day_of("2028-02", last=False), day_of("2028", last=True)) == (
        "2028-02-29", "2028-02-01", "",
    )  # fmt: skip


def test_a_text_of_any_length_is_read_as_far_as_a_sentence_goes() -> None:
    """What stands far behind is no part of it; words that repeat themselves cost no more than that."""
    granted = "The Board approved an exception to Rule 4 until 30 June 2026."
    assert waiver_fact(f"{granted} {'risks accepted ' * 4000}") is not None
    assert waiver_fact(f"{'words and ' * 600}{granted}") is None


@pytest.mark.parametrize(
    ("near", "decision"),
    [
        (["The laboratory is exempt from section 3.2 until 1 May 2031; kindly approve."], "requested"),
        (["The laboratory is exempt from section 3.2 until 1 May 2031.", "We await your written consent."], "requested"),
        (["Could you authorise this?", "The laboratory is exempt from section 3.2 until 1 May 2031."], "requested"),
        (["The laboratory is exempt from section 3.2 until 1 May 2031.", "Please confirm receipt of this letter."], "granted"),
        (["The laboratory is exempt from section 3.2 until 1 May 2031.", "The board approved the budget."], "granted"),
    ],
)  # fmt: skip
def test_what_somebody_is_asked_to_confirm_is_a_request(near: list[str], decision: str) -> None:
    """An exception whose writer asks the reader to decide on it was not granted; to confirm a receipt decides nothing."""
    fact = next(fact for each in near if (fact := waiver_fact(each)) is not None)
    assert as_asked(fact, near).decision == decision


def test_who_granted_an_exception_is_not_asked_for_it() -> None:
    """Where the sentence names who decided, a request beside it is for something else."""
    sentence = "The director granted the laboratory a waiver of section 3.2 until 1 May 2031."
    fact = waiver_fact(sentence)
    assert fact is not None
    assert as_asked(fact, [sentence, "Please approve the minutes."]) == fact
