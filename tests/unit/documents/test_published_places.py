"""Causes by which places of published texts were lost; each text here is invented, and each sentence is cited by its whole path."""

from __future__ import annotations

import pytest

from coditect.documents.structure.labels import candidates, parse_label
from coditect.documents.structure.series.coded_headings import coded_headings
from tests.unit.documents.documents import locators_by_word

ACQUISITIONS = """904.203 Lamps.

(a) A buyer shall ask for lanterns.

(b) Files hold—

(1) invoices;

(2) receipts.

904.203-1 Lamps that float.

(a) A buoy shall be lit.

904.7303 Wicks.

A chandler trims them.

904.7304 Oil.

(a) Nobody presses olives.

(b) Casks are sealed.

904.7304-70 Barrels.

A cooper bends staves.
"""

TITLED = """A. Keys.

As asked, this clause is used:

KEEPING OF KEYS (MAY 1999)

1. The keeper shall hang them up.

2. The warden shall count them.

B. Doors.

As asked, this clause is used:

SHUTTING OF DOORS (JUN 1999)

1. The porter shall close them.
"""

CHAINED = """Section 4. Tests of boats.

(a) (1) The master shall test hulls.

(2) The mate tests masts.

(B) (i) Nobody sails before.

(b) Rudders are oiled.
"""

NESTED = """Section 18. Moorings.

(a) Pooling.—

Where boats lie together, each owner shall—

(1) pay dues;

(2) keep watch.

(b) Review.—

(1) The harbour is surveyed.

(2) A survey shall—

(A) be sober;

(B) be printed.

(3) Extension. The council may prolong it.
"""

ALONE = """Article 5

1. A carrier is free where he:

(a)

does not open parcels;

(b)

obeys the sender,

(c)

reports thefts; and

(d)

burns nothing.
"""

WRAPPED = """Section 9. Changes.

(a) The register is changed in

(1) its title;

(2) its rows, by renaming rows (b) through (e) as rows
(c) through (f), respectively;

(3) its columns.

(b) 50 percent shall be stored.

12 U.S.C. 345 limits copies.
"""


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            ACQUISITIONS,
            {
                "lanterns": "904.203(a)",
                "invoices": "904.203(b)(1)",
                "buoy": "904.203-1(a)",
                "chandler": "904.7303",
                "olives": "904.7304(a)",
                "Casks": "904.7304(b)",
                "cooper": "904.7304-70",
            },
        ),
        (TITLED, {"hang": "A1", "warden": "A2", "porter": "B1"}),
        (CHAINED, {"hulls": "Section4(a)(1)", "masts": "Section4(a)(2)", "Rudders": "Section4(b)"}),
        (
            NESTED,
            {"dues": "Section18(a)(1)", "surveyed": "Section18(b)(1)", "sober": "Section18(b)(2)(A)"}
            | {"prolong": "Section18(b)(3)"},
        ),
        (
            ALONE,
            {
                "parcels": "Article5(1)(a)",
                "sender": "Article5(1)(b)",
                "thefts": "Article5(1)(c)",
                "burns": "Article5(1)(d)",
            },
        ),
        (
            WRAPPED,
            {"columns": "Section9(a)(3)", "percent": "Section9(b)", "limits": "Section9(b)"},
        ),
    ],
    ids=["acquisition", "titled", "chained", "nested", "alone", "wrapped"],
)
def test_a_sentence_is_cited_as_the_publisher_nests_it(text: str, expected: dict[str, str]) -> None:
    """Codes with gaps, titles in clauses, two labels in a row, lists behind lists, labels alone on lines, references that wrap."""
    found = locators_by_word(text)
    assert {word: found[word] for word in expected} == expected


def test_heading_of_a_format_holds_numbers_below_its_letter() -> None:
    """ "B. Doors" as a heading is no recital that the first number would end."""
    keys = "<h2>A. Keys</h2><p>1. Hang lanterns.</p><p>2. Count them.</p>"
    text = f"{keys}<h2>B. Doors</h2><p>1. Shut gates.</p><p>2. Oil hinges.</p>"
    found = locators_by_word(f"<html><body>{text}</body></html>", "rules.html")
    assert {word: found[word] for word in ("lanterns", "gates", "hinges")} == {
        "lanterns": "A1",
        "gates": "B1",
        "hinges": "B2",
    }


def test_numbers_go_on_inside_of_brackets_below_a_heading() -> None:
    """ "1." behind "(3)" is inside of it where a heading of the format numbers the section."""
    storms = "(2) Judge storms.\n\n1. Waves are weighed.\n\n2. Winds are weighed."
    text = f"## § 4 Risks\n\n(1) Boats sink.\n\n{storms}\n\n(3) Masts break.\n"
    found = locators_by_word(text, "rules.md")
    assert found["Waves"] == "§4(2)1"
    assert found["Masts"] == "§4(3)"


def test_an_item_goes_on_behind_the_number_of_a_page() -> None:
    """What a page break cuts is no tail of the list."""
    text = (
        "Section 4. Tests.\n\n(a) The master shall—\n\n(A) test hulls; and\n\n(B) ask for papers for the purposes of\n\n"
        f"{6:>40}\n\nThe Ferry Act\n\nranking a boat subject to the limits that—\n\n(i) papers are dry; and\n\n(ii) ink is black.\n"
    )
    assert locators_by_word(text)["dry"] == "Section4(a)(B)(i)"


def test_amounts_at_the_beginning_of_lines_are_no_row_of_codes() -> None:
    """Numbers of one part that do not count up are no sections of a code."""
    amounts = ("12.500", "12.105", "12.900", "12.300", "12.100")
    text = "".join(f"{each} Crowns are paid.\n\n" for each in amounts)
    assert coded_headings(text, [(0, len(text))]) == []
    ordered = "".join(f"{each} Crowns are paid.\n\n" for each in sorted(amounts))
    assert len(coded_headings(ordered, [(0, len(ordered))])) == len(amounts)


@pytest.mark.parametrize(
    ("line", "label"),
    [
        ("904.7303 Wicks", "904.7303"),
        ("915.404-71-2 Profit", "915.404-71-2"),
        ("3.1416 radians", None),
        ("904.7303, as amended", None),
    ],
)
def test_section_number_with_gaps_needs_a_title(line: str, label: str | None) -> None:
    """Four digits behind the point, or a hyphen, are of a section where a title follows."""
    found = parse_label(line)
    assert (found.label if found else None) == label


def test_rule_with_a_fourth_digit_and_brackets_is_read() -> None:
    """ "FAR 32.9081(c)" stopped the reading of a document."""
    found = list(candidates("FAR 32.9081(c) Payment.", 0, 23))
    assert [each.label for each in found] == ["FAR 32.9081(c)"]
