"""Each definition says by which form of words it defines."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from coditect.language.definitions.glossary import find_glossary_line
from coditect.language.definitions.marks import FORMS
from coditect.language.definitions.prose import find_definitions


def _forms(text: str) -> list[tuple[object, object]]:
    """(term, form) of each definition."""
    return [(mark.data["term"], mark.data["form"]) for mark in find_definitions(text, 0, len(text))]


@pytest.mark.parametrize(
    ("text", "term", "form"),
    [
        ("“Clerk” means a person at a desk.", "Clerk", "meaning"),
        ("Clerk refers to a person at a desk.", "Clerk", "meaning"),
        ("“Clerk” is defined as a person at a desk.", "Clerk", "meaning"),
        ("“Clerk” is any person at a desk.", "Clerk", "meaning"),
        ("“Clerk” shall have the meaning of any person at a desk.", "Clerk", "meaning"),
        ("“Clerk” means a clerk as defined in section 4.", "Clerk", "meaning"),
        ("“Clerk” has the meaning given in section 4.", "Clerk", "reference"),
        ("Clerk has the same meaning as in § 9.2(c).", "Clerk", "reference"),
        ("“Clerk” shall have the meaning ascribed to such term in the Deed.", "Clerk", "reference"),
        ("“Clerk” is defined in 99 U.S.C. 17.", "Clerk", "reference"),
        ("“Clerk” is defined as set forth in section 4.", "Clerk", "reference"),
        ("“Clerk” means the same as in section 4.", "Clerk", "reference"),
        ("“Clerk” includes any assistant.", "Clerk", "inclusion"),
        ("The term clerk also includes an assistant.", "clerk", "inclusion"),
        ("“Clerk” shall be deemed to include any assistant.", "Clerk", "inclusion"),
        ("“Clerk” does not include an assistant.", "Clerk", "exclusion"),
        ("The term clerk does not include an assistant.", "clerk", "exclusion"),
        ("“Clerk” excludes any assistant.", "Clerk", "exclusion"),
        ("A person at a desk is called a “clerk” in this town.", "clerk", "name"),
        ("Harbour Ltd. (“Supplier”) delivers.", "Supplier", "name"),
        ("Harbour Ltd. (hereinafter referred to as Supplier) delivers.", "Supplier", "name"),
        ("the Desk Safety Office (DSO) decides", "DSO", "abbreviation"),
        ("the Desk Safety Office (the “DSO”) decides", "DSO", "abbreviation"),
    ],
)
def test_definition_has_the_form_of_its_words(text: str, term: str, form: str) -> None:
    """The words that define decide the form."""
    assert _forms(text) == [(term, form)]


@pytest.mark.parametrize(
    ("line", "term", "form"),
    [
        ("Clerk: a person who sits at a desk.", "Clerk", "meaning"),
        ("DSO: Desk Safety Office", "DSO", "abbreviation"),
        ("Clerk: has the meaning given in section 4.", "Clerk", "reference"),
        ("Clerk: see section 4 of the Deed.", "Clerk", "reference"),
        ("Clerk includes every assistant.", "Clerk", "inclusion"),
        ("Clerk does not include any assistant.", "Clerk", "exclusion"),
    ],
)
def test_glossary_line_has_the_form_of_its_words(line: str, term: str, form: str) -> None:
    """A glossary's line gives a meaning, a place to look, what it covers, or what initials stand for."""
    mark = find_glossary_line(line, 0, len(line), in_glossary=True)
    assert mark is not None
    assert (mark.data["term"], mark.data["form"]) == (term, form)


def test_glossary_line_with_initials_has_them_as_an_alias() -> None:
    """ "Desk Safety Office (DSO): ..." defines the office; DSO is its other name."""
    line = "Desk Safety Office (DSO): the body that inspects desks."
    mark = find_glossary_line(line, 0, len(line), in_glossary=True)
    assert mark is not None
    assert (mark.data["term"], mark.data["aliases"], mark.data["form"]) == ("Desk Safety Office", ["DSO"], "meaning")


def test_glossary_passes_over_sources_and_notes() -> None:
    """A footer or a note between the lines of a glossary defines nothing."""
    for line in ("Source: HARBOUR LTD, annual report, 2020", "Note: terms are in bold type."):
        assert find_glossary_line(line, 0, len(line), in_glossary=True) is None


@pytest.mark.parametrize(
    ("before", "form"),
    [
        ("Yield = 100 × (Rent/Stock)", "variable"),
        ("The formula is this (all other terms are as above):", "variable"),
        ("The rent is due each month.", "meaning"),
        ("Rent = 5", "meaning"),
    ],
)
def test_definition_of_a_formula_s_variable(before: str, form: str) -> None:
    """'"X" is the Y' explains a variable where a formula with X, or the word formula, stands just above."""
    text = f"{before}\n\n“Rent” is the amount paid for a desk."
    start = text.index("“")
    marks = find_definitions(text, start, len(text))
    assert [(mark.data["term"], mark.data["form"]) for mark in marks] == [("Rent", form)]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("the Office of Desks and Chairs (ODC) says", "Office of Desks and Chairs"),
        ("an account that is Payable on Demand (POD) is", "Payable on Demand"),
        ("the state of the Union Bank (UB) is", "Union Bank"),
        ("an “End of Day” (EOD) report", "End of Day"),
    ],
)
def test_abbreviation_begins_with_a_word_that_carries_meaning(text: str, words: str) -> None:
    """ "of" gives an initial only where no other word can."""
    marks = find_definitions(text, 0, len(text))
    assert [mark.data["definition"] for mark in marks if mark.data["form"] == "abbreviation"] == [words]


@pytest.mark.parametrize(
    "text",
    [
        "a term rather than a date (“January 10, 1995”)",
        "which it may end at will (a “callable” deposit)",
        "the balance at the end of the period (the “ending balance” method)",
        "uses a general formula (“RY” is used for convenience)",
        "and Article 17 (“Consequences of Termination”) survive",
        "In the case of “no fee” desks, where “no fee” refers only to the rent, line A shows zero.",
        "Borders are defined by the Office; use the latest ones.",
        "With respect to any tenant to this deed shall mean a company.",
    ],
)
def test_definition_is_not_seen_in_examples_titles_and_asides(text: str) -> None:
    """Dates, modifiers, titles of sections and the words of a case are no terms."""
    assert _forms(text) == []


def test_definition_below_its_title_takes_the_title_for_its_term() -> None:
    """ "The term means" right below a title defines the title; below a title that is no term, nothing."""
    for title, found in (
        ("(c) Adverse event", [("Adverse event", "meaning")]),
        ("(c) Definitions", []),
        ("(c) No.", []),
    ):
        text = f"{title}\n(1) The term means:"
        start = text.index("(1)")
        marks = find_definitions(text, start, len(text))
        assert [(mark.data["term"], mark.data["form"]) for mark in marks] == found


@pytest.mark.parametrize(
    ("text", "names"),
    [
        (
            "The words “we,” “us” and “our” refer to the tenant.",
            [["we", "us", "our"], ["us", "we", "our"], ["our", "we", "us"]],
        ),
        ("“A,” “B,” “C,” and “D” have the meanings given in section 2.", [["A"], ["B"], ["C"], ["D"]]),
        ("“from” means “from and including,” “to” means “to but excluding” that day.", [["from"], ["to"]]),
    ],
)
def test_definition_of_several_terms_at_once(text: str, names: list[list[str]]) -> None:
    """Terms in a row are defined each, with the others as its other names, but for those that have meanings of their own."""
    marks = find_definitions(text, 0, len(text))
    assert [[mark.data["term"], *(mark.data.get("aliases") or ())] for mark in marks] == names  # type: ignore[misc]


def test_quoted_article_is_no_part_of_the_term() -> None:
    """'("the Supplier")' defines Supplier; '("A Shares")' stays."""
    assert _forms("Harbour Ltd. (“the Supplier”) delivers.") == [("Supplier", "name")]
    assert _forms("ordinary shares (“A Shares”) are sold") == [("A Shares", "name")]


_PIECES = st.sampled_from(
    [
        "“",
        "”",
        '"',
        "''",
        "(",
        ")",
        " ",
        "\n",
        ",",
        "=",
        "X",
        "Desk",
        "the term",
        "means",
        "includes",
        "and",
        "is the",
        "of",
        "DO",
    ]
)


@given(st.lists(_PIECES, max_size=60).map(" ".join))
def test_every_definition_has_a_known_form_and_lies_in_its_sentence(text: str) -> None:
    """Whatever the text, marks lie inside it, hold their term, and have one of the forms."""
    for mark in find_definitions(text, 0, len(text)):
        assert 0 <= mark.start < mark.end <= len(text)
        assert mark.data["form"] in FORMS
        assert mark.data["term"]


@pytest.mark.parametrize("unit", ['" ', "“A” ", "''", '"A", ', "(“A”) ", "(OOO) of ", "“A” and ", "x = ", '" \n'])
def test_definitions_are_read_in_linear_time(unit: str) -> None:
    """Runs of quotation marks, parentheses and small words do not make the rules backtrack without bound."""
    text = (unit * 3000)[:3000]
    began = time.process_time()
    find_definitions(text, 0, len(text))
    assert time.process_time() - began < 5.0


def test_glossary_sentence_names_its_term_only_where_it_begins_its_paragraph() -> None:
    """At the beginning of the text or of a line; behind anything else, however short, it is one sentence of many."""
    sentence = "Access control is the process of granting or denying specific requests."
    for before, found in (("", True), ("x\n", True), ("(", False), ("See it. ", False)):
        text = before + sentence
        mark = find_glossary_line(text, len(before), len(text), in_glossary=True)
        assert (mark is not None and mark.data["term"] == "Access control") == found, before
