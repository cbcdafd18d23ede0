"""Wordings that give a term its meaning or name, and those that only look so."""

from __future__ import annotations

import pytest

from coditect.language.definitions.columns import read_columns
from coditect.language.definitions.prose import find_definitions


@pytest.mark.parametrize(
    ("sentence", "terms"),
    [
        ("This deed is made by Orrin Mills Limited (the Company) and Tova Bank plc (the Bank).", ["Company", "Bank"]),
        ("The Ships Act 1988 (the Act) applies.", ["Act"]),
        ("Members elect the directors (the Board).", []),
        ("Orrin Mills Limited ('Supplier') sells to Tova Bank plc (the 'Customer').", ["Supplier", "Customer"]),
        ("Redirection to another site ('Open Redirect') is logged.", []),
        ('Orrin Mills Limited (the "Buyer") (each a "Party") pays.', ["Buyer", "Party"]),
        ('The sums in Schedule 2 are hereinafter referred to as the "Fees".', ["Fees"]),
        ('We use the word "channel" for any account of ours.', ["channel"]),
        ('We use "channel" for work only.', []),
        ('By "handset" we mean a phone without its charger.', ["handset"]),
        ('In this clause "working day" is a day on which banks are open.', ["working day"]),
        ('"Guest" is anyone who takes part.', ["Guest"]),
        ('The term "person" shall be construed to mean a firm or a man.', ["person"]),
        ("When this Rule refers to a provision, this means every type of provision.", ["provision"]),
        ("The fire alarm means that you must leave at once.", []),
    ],
)
def test_wording_defines_or_does_not(sentence: str, terms: list[str]) -> None:
    """The words around a name or a quoted word say whether it is given a meaning."""
    assert [mark.data["term"] for mark in find_definitions(sentence, 0, len(sentence))] == terms


@pytest.mark.parametrize(
    ("labels", "columns"),
    [
        (["Term", "Meaning"], (0, 1, -1)),
        (["No.", "Defined term", "Definition"], (1, 2, -1)),
        (["Abbreviation", "Term", "Definition"], (1, 2, 0)),
        (["Word or phrase", "What we mean by it"], (0, 1, -1)),
        (["Acronym", "Full form"], (0, 1, -1)),
        (["Level", "Definition"], (0, 1, -1)),
        (["Role", "Description"], None),
        (["4.4.1", "Definition"], None),
        (["Keeper", "A person who keeps the definition of each term"], None),
    ],
)
def test_head_names_the_columns_of_terms(labels: list[str], columns: tuple[int, int, int] | None) -> None:
    """Term, meaning and short form by their labels; a table of something else has none."""
    found = read_columns(labels)
    assert (found and (found.term, found.meaning, found.short)) == columns
