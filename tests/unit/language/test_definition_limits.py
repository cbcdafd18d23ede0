"""What can be a term and what cannot: lengths, conjunctions, and names in parentheses, at their limits."""

from __future__ import annotations

import pytest

from coditect.language.definitions.phrases import find_names, stands_for
from coditect.language.definitions.prose import find_definitions
from coditect.language.definitions.terms import names_of
from coditect.language.quantities.numbers import parse_number
from coditect.language.terms import stem


@pytest.mark.parametrize(
    ("term", "inner", "plural", "names"),
    [
        ("Vendor or Supplier", (), False, ("Vendor", ("Supplier",))),
        ("administrative or clerical tasks", (), False, ("administrative or clerical tasks", ("clerical tasks",))),
        ("Sub Supplier or Sub Vendor", (), False, ("Sub Supplier", ("Sub Vendor",))),
        ("Vendor or Sub Vendor", (), False, ("Vendor", ("Sub Vendor",))),
        ("a or b or c", (), False, ("a or b or c", ())),
        ("Losses and Costs", (), True, ("Losses", ("Costs",))),
        ("Losses and Costs", (), False, ("Losses and Costs", ())),
        ("Losses and Costs and Fees", (), True, ("Losses and Costs and Fees", ())),
        ("Losses and Costs", ("also Damages",), True, ("Losses", ("Costs", "Damages"))),
        ("Agent", ("also called Broker or Dealer",), False, ("Agent", ("Broker", "Dealer"))),
        ("Officer", ("ISO",), False, ("Officer", ("ISO",))),
        ("Officer", ("in office",), False, ("Officer", ())),
        ("Officer", ("the Officer",), False, ("Officer", ())),
    ],
)
def test_term_with_a_conjunction_has_several_names(
    term: str, inner: tuple[str, ...], plural: bool, names: tuple[str, tuple[str, ...]]
) -> None:
    """Two joined by "or" are two names of one thing, two joined by "and" are two things; three are taken as they stand."""
    assert names_of(term, inner, plural=plural) == names


def _named(text: str) -> list[tuple[str, str, str]]:
    return [
        (str(m.data["term"]), str(m.data["definition"]), str(m.data["form"])) for m in find_names(text, 0, len(text))
    ]


@pytest.mark.parametrize(("words", "found"), [(8, True), (9, False)])
def test_quoted_name_has_eight_words_at_most(words: int, found: bool) -> None:
    """A longer text in quotation marks is a quotation."""
    name = " ".join(f"Name{chr(97 + number)}" for number in range(words))
    assert bool(_named(f'Norwick Ltd ("{name}") shall pay.')) is found


@pytest.mark.parametrize("quoted", ["May 1, 2024", "2024", "12.5", "…"])
def test_quoted_date_or_number_is_no_name(quoted: str) -> None:
    """A name has a letter, and is no date."""
    assert _named(f'Norwick Ltd ("{quoted}") shall pay.') == []


@pytest.mark.parametrize(
    ("word", "found"), [("hereinafter", True), ("hereafter", True), ("herein", True), ("here", False)]
)
def test_name_behind_hereinafter_needs_no_parentheses(word: str, found: bool) -> None:
    """Each of its forms introduces a name; the full stop of the sentence is no part of it."""
    text = f'This is made by Norwick Ltd, {word} referred to as "Norwick" (the buyer).'
    assert ("Norwick" in [term for term, _, _ in _named(text)]) is found


@pytest.mark.parametrize(
    ("text", "term", "definition"),
    [
        ("The Security Operations Center (SOC) answers.", "SOC", "Security Operations Center"),
        ("The Office of Management and Budget (OMB) answers.", "OMB", "Office of Management and Budget"),
        ("The Bureau of Trade (BOT) answers.", "BOT", "Bureau of Trade"),
        ("Ask Peter (XYZ) today.", "", ""),
        ("Ask Peter (P) today.", "", ""),
    ],
)
def test_initials_name_the_words_that_have_them(text: str, term: str, definition: str) -> None:
    """Small words may give an initial or none; a single letter names nothing."""
    assert _named(text) == ([(term, definition, "abbreviation")] if term else [])


def test_initials_name_no_more_than_a_hundred_characters() -> None:
    """Words so far away that have these initials by chance are no name."""
    for length, found in ((85, True), (86, False)):
        text = f"An {'x' * length} of Boats Cars (XBC)"
        assert bool(_named(text)) is found


def test_abbreviation_stands_for_its_words_alone() -> None:
    """The whole of the definition's first phrase has these initials, from its first word on."""
    assert stands_for("SOC", "Security Operations Center, which answers calls")
    assert not stands_for("SOC", "The Security Operations Center")
    assert not stands_for("Soc", "Security Operations Center")
    assert not stands_for("S C", "Security Center")


@pytest.mark.parametrize(("said", "found"), [("a b", True), ("ab", False)])
def test_meaning_has_three_characters_at_least(said: str, found: bool) -> None:
    """Less is a remnant of lay-out, and no meaning."""
    text = f'"Desk" means {said}'
    assert bool(find_definitions(text, 0, len(text))) is found


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("half", 0.5),
        ("two thirds", 2 / 3),
        ("three quarters", 0.75),
        ("one hundred", 100.0),
        ("hundred", 100.0),
        ("two thousand three hundred", 2_300.0),
        ("thousand", 1_000.0),
        ("and", None),
    ],
)
def test_number_words_multiply_and_add(text: str, value: float | None) -> None:
    """A fraction, a hundred or a thousand without a number before it is one of it."""
    assert parse_number(text) == (None if value is None else pytest.approx(value))


@pytest.mark.parametrize(
    ("word", "stemmed"), [("the", "the"), ("1,000", "1000"), ("Reviewing", "review"), ("", ""), ("don't", "not")]
)
def test_stem_of_one_word_is_that_of_a_text_but_for_stop_words(word: str, stemmed: str) -> None:
    """Numbers lose their separators, and a stop word is a word when it is asked for."""
    assert stem(word) == stemmed
