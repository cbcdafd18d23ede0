"""Definitions in the shapes of acts, agreements and policies: what a term is said of, what names a party, what adds to a term."""

from __future__ import annotations

import pytest

from coditect.language.definitions.prose import find_definitions


def _read(sentence: str) -> list[tuple[str, str, str]]:
    marks = find_definitions(sentence, 0, len(sentence))
    return [(str(m.data["term"]), str(m.data["form"]), str(m.data.get("definition") or "")) for m in marks]


@pytest.mark.parametrize(
    ("sentence", "read"),
    [
        ("class, of ferries, means a group of them.", [("class", "meaning", "a group of them.")]),
        (
            '"Person", except where the context otherwise requires, means a firm.',
            [("Person", "meaning", "a firm.")],
        ),
        (
            "(2) In this Act, row, in relation to a raft, includes paddling it.",
            [("row", "inclusion", "paddling it.")],
        ),
        ("Cause for this purpose includes theft.", [("Cause", "inclusion", "theft.")]),
        ('Except as this clause provides, "goods" does not include money.', [("goods", "exclusion", "money.")]),
        (
            '"net takings" shall be the sum that a Keeper receives.',
            [("net takings", "meaning", "the sum that a Keeper receives.")],
        ),
        ('Fair Price" means the price between strangers.', [("Fair Price", "meaning", "the price between strangers.")]),
        ("by-law means a by-law of the Harbour;", [("by-law", "meaning", "a by-law of the Harbour;")]),
        ("approved means approved by the keeper", [("approved", "meaning", "approved by the keeper")]),
        (
            "just terms has the same meaning as in the Charter.",
            [("just terms", "reference", "as in the Charter.")],
        ),
        (
            "A small gift is one that costs less than ten crowns.",
            [("small gift", "meaning", "one that costs less than ten crowns.")],
        ),
        (
            "Sea Officer includes any of the following: a mate, a bosun.",
            [("Sea Officer", "inclusion", "a mate, a bosun.")],
        ),
        (
            "A reference in this Act to a raft is a reference to a thing that floats.",
            [("raft", "meaning", "a thing that floats.")],
        ),
        (
            "Harbour Office or Office means the office at the quay.",
            [("Harbour Office", "meaning", "the office at the quay.")],
        ),
    ],
)
def test_term_is_read_whatever_stands_between_it_and_its_verb(sentence: str, read: list[tuple[str, str, str]]) -> None:
    """What the term is said of, when it holds and what it is called besides are no part of it."""
    assert _read(sentence) == read


@pytest.mark.parametrize(
    ("sentence", "read"),
    [
        (
            'It lasts a year (the "First Term"), then two (each a "Later Term", the First Term and all Later Terms, the "Term").',
            [
                ("First Term", "name", "It lasts a year"),
                ("Later Term", "name", "then two"),
                ("Term", "name", "the First Term and all Later Terms"),
            ],
        ),
        ('The right is limited to [***] (the "Field").', [("Field", "name", "[***]")]),
        (
            "An officer of the harbour (hereinafter referred to as the inquiry keeper) may ask.",
            [("inquiry keeper", "name", "An officer of the harbour")],
        ),
        (
            'Goods go to a third shore (hereinafter "onward move") with leave.',
            [("onward move", "name", "Goods go to a third shore")],
        ),
        (
            'a later day (in this section referred to as "the later day")',
            [("later day", "name", "a later day")],
        ),
        (
            'The Keeper and the Owner may be individually referred to as a "Party".',
            [("Party", "name", "The Keeper and the Owner")],
        ),
        (
            "Harbour Card Industry Data Security Standard (HCI DSS) applies.",
            [("HCI DSS", "abbreviation", "Harbour Card Industry Data Security Standard")],
        ),
    ],
)
def test_names_are_read_with_what_they_name(sentence: str, read: list[tuple[str, str, str]]) -> None:
    """Each name of a parenthesis has its own words; what a public copy leaves out has its name all the same."""
    assert _read(sentence) == read


@pytest.mark.parametrize(
    "sentence",
    [
        "Being owned by its crew means we choose our course.",
        "References to the singular include the plural.",
        "References in this Agreement to any agreement include that agreement as amended.",
        'A raft may also be called a "float".',
        "The keeper is by the quay that means of escape are kept.",
    ],
)
def test_what_names_no_term_defines_nothing(sentence: str) -> None:
    """What an act leads to, how all words are read, and what something may be called besides are no definitions."""
    assert _read(sentence) == []


def test_a_row_of_many_terms_is_read_from_its_first_on() -> None:
    """However many there are, each has the meaning that stands behind the last."""
    names = [f"term{letter}" for letter in "abcdefghijklmn"]
    row = ", ".join(f'"{name}"' for name in names[:-1]) + f' and "{names[-1]}"'
    assert [term for term, _, _ in _read(f"{row} have the meanings given in Article 4.")] == names
