"""Dates, owners, editions and predecessors are guessed from labels, and from what a document says of itself."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from coditect.documents.profile.control import part_control_lines
from coditect.documents.profile.guessing import guess_profile

CONTROL = """# Access Policy

| Version | 4.2 |
| Owner | Chief of Security |
Approved on | 2026-03-18
Effective date: 1 April 2026
Next review due | 2027-03-18

This policy supersedes version 3 of the Access Policy. It replaces any prior practice.
"""


def test_labels_of_document_control_give_dates_owner_and_edition() -> None:
    """Each value has the label and itself as its ground, verbatim."""
    guesses = guess_profile("access.md", "Access Policy", CONTROL)
    found = {name: getattr(guesses, name) for name in ("edition", "owner", "date", "effective_from", "next_review")}
    assert {name: guess.value for name, guess in found.items()} == {
        "edition": "4.2",
        "owner": "Chief of Security",
        "date": "2026-03-18",
        "effective_from": "2026-04-01",
        "next_review": "2027-03-18",
    }
    assert all(CONTROL[guess.start : guess.end] == guess.quote for guess in found.values())
    assert [guess.value for guess in guesses.supersedes] == ["version 3 of the Access Policy"]


def test_row_of_a_table_tells_of_its_row_and_not_of_the_document() -> None:
    """An exception that expires does not end the register of exceptions."""
    text = (
        "Exception: E-1 | Owner: Ann | Expires on: 2026-05-31\nException: E-2 | Owner: Ben | Expires on: 2026-06-30\n"
    )
    guesses = guess_profile("open-points.md", "Security Policy", text)
    assert guesses.effective_to is None
    assert guesses.owner is None


@pytest.mark.parametrize(
    ("text", "date", "effective"),
    [
        (
            'This Agreement is dated as of June 8, 2018 (the "Effective Date") by and between A',
            "2018-06-08",
            "2018-06-08",
        ),
        ("THIS AGREEMENT is entered into this 2nd day of June, 2008 by and between A", "2008-06-02", ""),
        ("SUPPLY AGREEMENT\n\nMay 1, 2019\n\nThe parties hereto agree", "2019-05-01", ""),
    ],
)
def test_contract_is_dated_by_its_preamble(text: str, date: str, effective: str) -> None:
    """The date on which it was made; and from when it binds only where it calls that date so."""
    guesses = guess_profile("a.txt", "Supply Agreement", text)
    assert guesses.date is not None
    assert guesses.date.value == date
    assert (guesses.effective_from.value if guesses.effective_from else "") == effective


def test_law_that_is_spoken_of_does_not_date_the_document() -> None:
    """Only what the document says of itself counts."""
    text = "# Breach Policy\n\nThe federal rule is effective September 24, 2009, and binds us.\n"
    assert guess_profile("breach.md", "Breach Policy", text).effective_from is None


@pytest.mark.parametrize(
    ("sentence", "day"),
    [
        ("This policy shall be reviewed by 1 April 2027.", "2027-04-01"),
        ("It will be reviewed on 1 April 2027.", "2027-04-01"),
        ("The procedure is to be reviewed by 1 April 2027.", "2027-04-01"),
        ("The fees will be reviewed on or around 1 April 2027.", None),
    ],
)
def test_review_of_something_else_is_not_the_documents(sentence: str, day: str | None) -> None:
    """A day for the review of prices says nothing of when the document is to be reviewed."""
    guess = guess_profile("a.md", "Access Policy", f"# Access Policy\n\n{sentence}\n").next_review
    assert (guess.value if guess else None) == day


def test_the_last_of_several_reviews_is_the_one_that_is_due() -> None:
    """A history keeps the reviews that were done."""
    text = "# Access Policy\n\nReview due: 31 March 2026\n\nNext review: 31 March 2028\n\nReview due: 31 March 2024\n"
    guess = guess_profile("access.md", "Access Policy", text).next_review
    assert guess is not None
    assert guess.value == "2028-03-31"


def test_guesses_stand_at_their_places_in_canonical_text() -> None:
    """Characters that print nothing are read through, and the quotes are those of the text as it stands."""
    text = "# Access Policy\n\nNext re\u200bview: 2026-02-10\n"
    guess = guess_profile("access.md", "Access Policy", text).next_review
    assert guess is not None
    assert text[guess.start : guess.end] == guess.quote == "Next re\u200bview: 2026-02-10"


def test_line_of_document_control_tells_of_its_document() -> None:
    """Label and value in one cell of a line that no other line repeats; a table of such rows tells of its rows."""
    line = "Acme Ltd | Document OP-7 | Version 4.3 | In force from 1 June 2025 | Next review 31 May 2027\n"
    guesses = guess_profile("OP-7.md", "Rope Procedure", f"Rope Procedure\n{line}Ropes are replaced every year.\n")
    told = (guesses.edition, guesses.effective_from, guesses.next_review)
    assert [guess and guess.value for guess in told] == ["4.3", "2025-06-01", "2027-05-31"]
    rows = "Hall | Lamp | In force from 1 June 2025\nYard | Gate | In force from 2 July 2025\n"
    assert guess_profile("list.md", "Inspection Policy", rows).effective_from is None


def test_a_title_says_what_a_document_is_called() -> None:
    """What only stands beside a title is none, and the suffix of a file is no part of it."""
    text = "Master Direction on Lending\n\nThese directions apply to lenders.\n"
    beside = guess_profile("a.md", "(Updated as on 27 February 2025)", text).title
    assert beside is not None
    assert (beside.value, beside.basis) == ("Master Direction on Lending", "text")
    file = guess_profile("a.pdf", "Supply Agreement (Final).docx", "Supply Agreement\n").title
    assert file is not None
    assert (file.value, file.quote) == ("Supply Agreement (Final)", "Supply Agreement (Final).docx")


@pytest.mark.parametrize(
    "line",
    [
        "Owner: Chief of Security Version: 4.2 Approved: 18 March 2026 Next review: 18 March 2027",
        "Owner: Chief of\nSecurity Version: 4.2 Approved:\n18 March 2026 Next\nreview: 18 March 2027",
        "**Owner:** Chief of Security, **Version:** 4.2, **Approved:** 18 March 2026, **Next review:** 18 March 2027",
        "Status: final Owner: Chief of Security Version: 4.2\nClassification: internal Approved: 18 March 2026\n"
        "Next review: 18 March 2027",
    ],
)
def test_labels_that_run_on_in_one_paragraph_are_read_one_by_one(line: str) -> None:
    """Each value ends before the next label, wrapped or not, and its ground is verbatim."""
    text = f"Access Policy\n{line}\n\n1. Scope\nThis policy applies to: all staff.\n"
    guesses = guess_profile("access.txt", "Access Policy", text)
    found = {name: getattr(guesses, name) for name in ("edition", "owner", "date", "next_review")}
    assert {name: guess.value for name, guess in found.items()} == {
        "edition": "4.2",
        "owner": "Chief of Security",
        "date": "2026-03-18",
        "next_review": "2027-03-18",
    }
    assert all(text[guess.start : guess.end] == guess.quote for guess in found.values())


@pytest.mark.parametrize(
    ("text", "owner"),
    [
        ("Owner: Head of Audit\nThis standard applies to: all staff.\n", "Head of Audit"),
        ("Staff give the name of the owner: a person. The version: a number.\n", None),
        ("Owner: Ann | Expires on: 2026-05-31 | Version: 2\nOwner: Ben | Expires on: 2026-06-30 | Version: 3\n", None),
    ],
)
def test_prose_and_rows_with_labels_are_not_parted(text: str, owner: str | None) -> None:
    """A sentence with a colon below a label, labels inside of a sentence, and rows of a table."""
    guesses = guess_profile("access.txt", "Access Policy", text)
    assert (guesses.owner.value if guesses.owner else None) == owner


@given(st.text(alphabet="Owner: Version\n*_| due", max_size=80))
def test_parting_labels_moves_no_character(text: str) -> None:
    """White space is exchanged for white space alone."""
    parted = part_control_lines(text)
    assert len(parted) == len(text)
    assert all(a == b or (a.isspace() and b in " \n") for a, b in zip(text, parted, strict=True))


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("Key Office • Owner: Head of Keys • Version: 3.1", {"owner": "Head of Keys", "edition": "3.1"}),
        ("Edition 3 – approved on 4 May 2031 – classification: internal", {"edition": "3", "date": "2031-05-04"}),
        ("Approved on May 4, 2031, valid until 3 May 2033", {"date": "2031-05-04", "effective_to": "2033-05-03"}),
        ("Revision 7; in force since 1 June 2031", {"edition": "7", "effective_from": "2031-06-01"}),
        ("Version 2 was better, approved on 4 May 2031 as it was.", {"edition": "2"}),
        ("The owner, date 3 May 2020, is not known.", {}),
    ],
)  # fmt: skip
def test_marks_part_a_line_of_document_control(line: str, told: dict[str, str]) -> None:
    """Dots and bullets before a label, commas and dashes of a line that begins with a label and its value; a sentence is none."""
    text = f"# Key Policy\n\n{line}\n\nKeys are kept."
    guesses = guess_profile("keys.md", "Key Policy", text)
    fields = ("edition", "owner", "date", "effective_from", "effective_to", "next_review")
    found = {each: guess for each in fields if (guess := getattr(guesses, each)) is not None}
    assert {each: guess.value for each, guess in found.items()} == told
    assert all(text[guess.start : guess.end] == guess.quote for guess in found.values())


@pytest.mark.parametrize(
    ("line", "day"),
    [
        ("Next review due: 15 September 2026, moved to 15 September 2027 by the board.", "2027-09-15"),
        ("Next review: 15 September 2026 (postponed until March 2027)", "2027-03-31"),
        ("Next review: 15 September 2026; it has been moved to 15 September 2027.", "2026-09-15"),
        ("Next review: 15 September 2026, and has been brought forward to 1 May 2026", "2026-05-01"),
        ("Next review: 15 September 2026, moved to the new portal on 1 May 2027", "2026-09-15"),
        ("Next review: 15 September 2026\nOffice moved to 1 May Street, 2027", "2026-09-15"),
    ],
)
def test_a_day_that_the_same_line_moves_is_the_other_one(line: str, day: str) -> None:
    """Only where the move stands right behind the day, and another day right behind the move."""
    guess = guess_profile("a.md", "Access Policy", f"# Access Policy\n\n{line}\n").next_review
    assert guess is not None
    assert guess.value == day
    assert guess.quote.startswith("Next review")
