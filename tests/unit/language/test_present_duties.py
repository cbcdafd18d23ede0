"""Duties told in the present tense by who acts, by things of a house at set times, and by nobody; words of several trades."""

from __future__ import annotations

import pytest

from coditect.language.norms.binding import read_norms
from coditect.language.quantities.meaning import find_quantities


def _read(text: str, *, practice: bool = True) -> list[dict[str, object]]:
    found = read_norms(text, 0, len(text), find_quantities(text, 0, len(text)), practice=practice)
    return [{"kind": each.mark.kind, **each.mark.data} for each in found]


@pytest.mark.parametrize(
    ("text", "actor", "action"),
    [
        ("The midwife weighs the newborn every day.", "The midwife", "weighs the newborn"),
        ("The night porter phones the owner within 2 hours.", "The night porter", "phones the owner"),
        ("One usher stands at the side door.", "One usher", "stands at the side door"),
        ("Outside porters walk to the north gate.", "Outside porters", "walk to the north gate"),
        (
            "Apprentices who work at the kiln get their first lesson within 3 weeks.",
            "Apprentices who work at the kiln",
            "get their first lesson",
        ),
        ("We rinse the tanks once a month.", "We", "rinse the tanks"),
        ("Crates of fresh fish leave the cold store within 48 hours.", "Crates of fresh fish", "leave the cold store"),
    ],
)
def test_duty_is_told_by_who_acts_or_when(text: str, actor: str, action: str) -> None:
    """Who acts does it; what "we" and things of the house do counts at set times."""
    (norm,) = _read(text)
    assert (norm["kind"], norm["modality"], norm["action"]) == ("obligation", "present", action)
    assert actor in (norm.get("actor"), norm.get("subject"))


def test_acts_of_one_subject_are_duties_each() -> None:
    """A second verb in the third person with its own object is a second duty, and the time of the first ends before it."""
    first, second = _read("The stage manager counts the props within 10 minutes and tells the warden what is missing.")
    assert (first["action"], first["deadline"]["text"]) == ("counts the props", "within 10 minutes")  # type: ignore[index]
    assert (second["actor"], second["action"]) == ("The stage manager", "tells the warden what is missing")


def test_clause_in_front_does_not_hide_the_main_one() -> None:
    """The verb of a leading condition is none of the duty."""
    first, *_ = _read("If the driver has gone home, the foreman phones him.")
    assert (first["actor"], first["condition"]) == ("the foreman", "If the driver has gone home")


@pytest.mark.parametrize(
    "text",
    ["Nobody enters the silo alone.", "No one opens the cage alone.", "No baker leaves the oven alone."],
)
def test_what_nobody_does_is_forbidden(text: str) -> None:
    """A negative subject makes a prohibition of what it does."""
    (norm,) = _read(text)
    assert norm["kind"] == "prohibition"


def test_disposal_after_a_time_is_a_duty() -> None:
    """What is thrown away after a time is told by when."""
    (norm,) = _read("Swabs of the kitchen are thrown away after 3 months.")
    assert norm["deadline"]["text"] == "after 3 months"  # type: ignore[index]


@pytest.mark.parametrize(
    "text",
    [
        "We believe in good bread.",
        "We collect your name.",
        "The film shows a harbour.",
        "The application sends a message within 5 seconds.",
        "Barges carry sand.",
        "Staff reports are late.",
    ],
)
def test_facts_stay_facts(text: str) -> None:
    """What "we" and things do at no set time, and what a program does, binds nobody."""
    assert _read(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "The nurse weighs the newborn every day.",
        "We rinse the tanks once a month.",
        "Nobody enters the silo alone.",
        "Crates of fresh fish leave the cold store within 48 hours.",
    ],
)
def test_narrative_papers_tell_facts(text: str) -> None:
    """Nothing of this is read where the document is no policy and no procedure."""
    assert _read(text, practice=False) == []


@pytest.mark.parametrize(
    ("text", "actor", "action"),
    [
        ("The load shall at no time exceed the mark.", "The load", "exceed the mark"),
        ("Keepers must on no account feed the bears.", "Keepers", "feed the bears"),
        ("Divers shall in no circumstances dive alone.", "Divers", "dive alone"),
        ("It is unlawful for a dealer to sell raw milk.", "a dealer", "sell raw milk"),
        ("It shall be illegal for any person to moor here.", "any person", "moor here"),
    ],
)
def test_words_that_deny_forbid(text: str, actor: str, action: str) -> None:
    """Negative phrases behind the modal verb, and what is unlawful for somebody, forbid in any document."""
    (norm,) = _read(text, practice=False)
    assert (norm["kind"], norm["action"]) == ("prohibition", action)
    assert actor in (norm.get("actor"), norm.get("subject"))


@pytest.mark.parametrize(
    ("text", "actor", "action", "due"),
    [
        ("Action: M. Weber to order the seed by 3 March 2027.", "M. Weber", "order the seed", "by 3 March 2027"),
        (
            "The Head Gardener to write to the council before the end of the week.",
            "The Head Gardener",
            "write to the council",
            "before the end of the week",
        ),
    ],
)
def test_assigned_act_is_a_duty(text: str, actor: str, action: str, due: str) -> None:
    """A name, an infinitive and a day give an act to somebody."""
    (norm,) = _read(text, practice=False)
    assert (norm["actor"], norm["action"], norm["deadline"]["text"]) == (actor, action, due)  # type: ignore[index]


def test_title_assigns_nothing() -> None:
    """A name and an infinitive without a day are a title."""
    assert _read("The Council to meet again in spring.", practice=False) == []
