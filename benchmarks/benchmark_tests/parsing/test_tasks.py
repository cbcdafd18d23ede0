"""Sentences as parsers get them, and the way back to the document and to the units of the gold."""

from __future__ import annotations

from dataclasses import replace

import pytest
from coditect_benchmarks.gold.records import Label, Span, Unit
from coditect_benchmarks.gold.store import GoldUnit
from coditect_benchmarks.parsing.clauses import Clause, TimePhrase
from coditect_benchmarks.parsing.tasks import Task, as_norm, collect, readings_of

from coditect.documents.readers import read_source

TEXT = (
    "1 The clerk shall:\n(a) keep the keys; and\n(b) lock the door within 2 hours.\n\n"
    "2 Guests must wear a badge.\n\n3 The canteen is open.\n"
)


def _unit(name: str, begin: int, end: int, document: str = "rules.txt") -> GoldUnit:
    unit = Unit(
        id=name, document=document, sha256="0" * 64, genre="rulebook", family="f", split="dev", stratum="s", weight=1.0,
        public=False, shape="sentence", span=(begin, end), path=(), before=(0, 0), after=(0, 0),
    )  # fmt: skip
    return GoldUnit(unit=unit, label=Label[Span](id=name, statement="fact"))


def _tasks(*units: GoldUnit) -> list[Task]:
    return collect(units, {"rules.txt": read_source(TEXT.encode(), "rules.txt")})


# "Lead-in: second item", of a document in which another item stands between.
COMPOSED = Task("doc", "The clerk shall lock", [(10, 25), (40, 44)], [0, 16], (16, 20), True)


@pytest.mark.parametrize(
    ("place", "spans"),
    [
        ((0, 20), [(10, 25), (40, 44)]),
        ((4, 9), [(14, 19)]),
        ((10, 17), [(20, 25), (40, 41)]),
        ((15, 16), []),  # the blank between the pieces stands nowhere
        ((16, 20), [(40, 44)]),
        ((18, 99), [(42, 44)]),
        ((3, 3), []),
    ],
)
def test_words_of_a_sentence_are_found_in_the_pieces_of_the_document(
    place: tuple[int, int], spans: list[tuple[int, int]]
) -> None:
    """Each piece has its part of them."""
    assert COMPOSED.spans(*place) == spans


@pytest.mark.parametrize(
    ("place", "at"), [(9, None), (10, 0), (24, 14), (25, None), (39, None), (40, 16), (43, 19), (44, None)]
)
def test_place_of_the_document_is_found_in_the_sentence(place: int, at: int | None) -> None:
    """Only what the sentence is composed of."""
    assert COMPOSED.position(place) == at


def test_sentences_of_the_units_are_collected_as_the_product_composes_them() -> None:
    """An item with its lead-in, of which the item alone is told; what lies in no unit is left out."""
    found = {task.text[slice(*task.own)].strip(" ;.\n"): task for task in _tasks(_unit("u", 0, len(TEXT)))}
    (item,) = (task for words, task in found.items() if "lock the door" in words)
    assert item.is_item
    assert item.text.startswith("The clerk shall")
    assert "keep the keys" not in item.text[slice(*item.own)]
    for (begin, end), start in zip(item.places, item.starts, strict=True):
        assert TEXT[begin:end] == item.text[start : start + end - begin]
    (alone,) = (task for words, task in found.items() if "Guests" in words)
    assert (alone.is_item, alone.own[0], len(alone.clauses)) == (False, 0, 1)
    guests = TEXT.index("Guests")
    assert [task.text for task in _tasks(_unit("u", guests, guests + 6))] == [alone.text]
    canteen = _tasks(_unit("u", TEXT.index("The canteen"), len(TEXT)))
    assert [(task.text, task.clauses) for task in canteen] == [("The canteen is open.", [])]


def test_clause_is_a_norm_of_the_document() -> None:
    """All its parts with their places; what forbids or frees is negative."""
    clause = Clause(
        "obligation", (10, 15), (0, 9), ((16, 18), (18, 20)), ((4, 9),), (TimePhrase("deadline", (16, 20), (0, 3)),), (0, 20)
    )  # fmt: skip
    norm = as_norm(COMPOSED, clause)
    assert (norm.kind, norm.polarity, norm.text, norm.cue) == (
        "obligation",
        "positive",
        ((10, 25), (40, 44)),
        ((20, 25),),
    )
    assert (norm.holder, norm.action, norm.conditions) == (((10, 19),), ((40, 42), (42, 44)), ((14, 19),))
    assert [(each.kind, each.text, each.trigger) for each in norm.times] == [("deadline", ((40, 44),), ((10, 13),))]
    bare = as_norm(COMPOSED, replace(clause, holder=None, times=(TimePhrase("frequency", (16, 20)),)))
    assert (bare.holder, bare.times[0].trigger) == ((), ())
    for kind, polarity in (("prohibition", "negative"), ("exemption", "negative"), ("right", "positive")):
        assert as_norm(COMPOSED, replace(clause, kind=kind)).polarity == polarity


@pytest.mark.parametrize(
    ("begin", "end", "norms"),
    [(10, 25, 1), (17, 25, 1), (18, 25, 0), (0, 18, 1), (0, 17, 0), (30, 50, 0), (0, 50, 1)],
)
def test_norm_belongs_to_the_unit_that_half_of_it_lies_in(begin: int, end: int, norms: int) -> None:
    """Of a composed norm the piece counts that has most in the unit; other documents have none."""
    clause = Clause("obligation", (10, 15), None, (), (), (), (0, 16))
    units = [_unit("u", begin, end, "doc"), _unit("other", begin, end, "elsewhere")]
    found = readings_of(units, [(COMPOSED, clause), (COMPOSED, replace(clause, whole=(15, 16)))])
    assert {name: len(reading.norms) for name, reading in found.items()} == {"u": norms, "other": 0}
