"""How texts of a typography are read and counted."""

from __future__ import annotations

import pytest
from coditect_benchmarks.typography.scoring import (
    SETS,
    Place,
    ReadPlace,
    mean_f1,
    read_definitions,
    read_places,
    read_texts,
)


@pytest.mark.parametrize("name", SETS)
def test_each_set_has_five_texts_of_each_class(name: str) -> None:
    """Ten with definitions; all of them have labels, and words that stand once."""
    texts = read_texts(name)
    kinds = [each.kind for each in texts]
    assert {kind: kinds.count(kind) for kind in kinds} == {
        "lone-number": 5,
        "article-section": 5,
        "municipal": 5,
        "run-in": 5,
        "title-list": 5,
        "nearest-heading": 5,
        "two-blanks": 5,
        "definitions": 10,
    }
    assert all(each.places or each.terms for each in texts)
    assert all(each.text.count(place.words) == 1 for each in texts for place in each.places)


def test_no_text_of_one_set_is_in_the_other() -> None:
    """What is held shares no text with what is developed on."""
    develop, held = ({each.text for each in read_texts(name)} for name in SETS)
    assert not develop & held


@pytest.mark.parametrize(
    ("locator", "is_right"),
    [
        ("Part 4 61(2)", True),
        ("61.(2)", True),
        ("61(2)(a)", False),
        ("Part 5 61(2)", False),
        ("(2)", False),
        ("2 61", False),
        ("", False),
    ],
)
def test_locator_has_all_numbers_in_order_and_no_others(locator: str, *, is_right: bool) -> None:
    """But those that may stand in front; words that say what is numbered count for nothing."""
    place = Place(("61", "2"), frozenset(("4",)), "The appeal")
    assert ReadPlace(place, locator).is_right is is_right


def test_labels_are_read_from_a_text() -> None:
    """Optional numbers stand in brackets, names of a term behind bars, and no label is part of the text."""
    texts = read_texts("develop")
    first = next(each for each in texts if "Division 2" in each.text)
    assert first.places[0] == Place(("5", "1"), frozenset(("2",)), "Every person who keeps")
    assert "@>" not in first.text
    names = {each.names for text in texts for each in text.terms}
    assert ("api", "application programming interface") in names


def test_terms_are_found_missed_and_invented() -> None:
    """A text that defines two terms, of which a label names one and another that is none."""
    text = next(each for each in read_texts("develop") if each.kind == "definitions")
    found, missed, invented = read_definitions(text)
    assert [term.names[0] for term, _ in found] + [term.names[0] for term in missed] == [
        each.names[0] for each in text.terms
    ]
    less = type(text)(text.kind, text.genre, text.ending, text.text, (), text.terms[:1])
    assert len(read_definitions(less)[2]) == len(found) + len(invented) - 1
    assert mean_f1(2, 1, 1) == pytest.approx(2 / 3)
    assert mean_f1(0, 0, 0) == 1.0


def test_places_are_read_as_the_product_reads_them() -> None:
    """Each label has one locator, in order."""
    text = read_texts("develop")[0]
    assert [each.place for each in read_places(text)] == list(text.places)
