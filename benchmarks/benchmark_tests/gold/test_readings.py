"""Readings of the product in the shape of labels: which lie in a unit, and where their words stand."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from coditect_benchmarks.gold.readings import Reading, _in_unit, _norm, _places, read_documents
from coditect_benchmarks.gold.records import Label, Unit
from coditect_benchmarks.gold.sources import digest
from coditect_benchmarks.gold.store import GoldUnit

from coditect.documents.readers import read_source

TEXT = "The keeper shall, within 5 days, lock the gate if asked, and paint the gate. A key is a tool. Other words."


def _place(words: str) -> tuple[int, int]:
    return TEXT.index(words), TEXT.index(words) + len(words)


def _span(words: str, **further: object) -> dict[str, Any]:
    start, end = _place(words)
    return {"start": start, "end": end, **further}


def _found(kind: str, words: str, **data: object) -> Any:  # noqa: ANN401 - an extraction, as far as it is read
    start, end = _place(words)
    told = SimpleNamespace(fields=lambda: data)
    return SimpleNamespace(
        char_offset_start=start,
        char_offset_end=end,
        extraction_kind=kind,
        tier1_data=told,
        locator="4.2",
        confidence=0.5,
    )


def _read(*found: object, span: str = "The keeper shall, within 5 days, lock the gate if asked") -> Reading:
    return _in_unit(TEXT, _place(span), found)  # type: ignore[arg-type]


def test_norm_has_its_parts_where_its_words_stand() -> None:
    """Each part in the norm's own spans first, times with what they are counted from."""
    data: dict[str, Any] = {
        "clause": _span("The keeper shall, within 5 days, lock the gate if asked"),
        "actor": "The keeper", "action": "lock the gate", "object": "the gate", "condition": "if asked",
        "exceptions": ["5 days", "keeper"], "counterparty": "keeper", "strength": "recommended",
        "deadline": _span("within 5 days", trigger="asked"), "frequency": [_span("5 days")],
    }  # fmt: skip
    norm = _norm(TEXT, _place("The keeper shall"), data, "obligation")
    assert (norm.kind, norm.force, norm.polarity) == ("obligation", "recommended", "positive")
    assert norm.text == (_place("The keeper shall, within 5 days, lock the gate if asked"),)
    for name, words in (
        ("holder", "The keeper"),
        ("action", "lock the gate"),
        ("object", "the gate"),
        ("conditions", "if asked"),
    ):
        assert getattr(norm, name) == (_place(words),)
    assert norm.exceptions == (_place("5 days"), _place("keeper"))
    assert norm.counterparty == (_place("keeper"),)
    assert [(time.kind, time.text, time.trigger) for time in norm.times] == [
        ("deadline", (_place("within 5 days"),), (_place("asked"),)),
        ("frequency", (_place("5 days"),), ()),
    ]


@pytest.mark.parametrize(
    ("kind", "data", "fine", "polarity"),
    [
        ("prohibition", {}, "prohibition", "negative"),
        ("permission", {"modality": "need not"}, "exemption", "negative"),
        ("permission", {"modality": "is not required to"}, "exemption", "negative"),
        ("permission", {"modality": "may"}, "permission", "positive"),
        ("obligation", {"modality": "need not"}, "obligation", "positive"),
        ("permission", {"position": "power", "modality": "may"}, "power", "positive"),
    ],
)
def test_kind_is_the_fine_one(kind: str, data: dict[str, Any], fine: str, polarity: str) -> None:
    """What need not be done is an exemption; without a clause the norm's own place is its text."""
    norm = _norm(TEXT, (0, 10), data, kind)
    assert (norm.kind, norm.polarity, norm.text, norm.force) == (fine, polarity, ((0, 10),), "mandatory")
    assert not any((norm.times, norm.holder, norm.action))


def test_norm_lies_in_a_unit_with_half_of_its_clause() -> None:
    """Of a composed one the piece that does most in the unit counts; what touches it lies outside."""
    unit = "lock the gate"
    half, less = TEXT[_place(unit)[0] - 13 : _place(unit)[1]], TEXT[_place(unit)[0] - 14 : _place(unit)[1]]
    assert len(_read(_found("obligation", half), span=unit).norms) == 1
    assert len(_read(_found("obligation", less), span=unit).norms) == 0
    after, before = TEXT[_place(unit)[1] : _place(unit)[1] + 3], TEXT[_place(unit)[0] - 3 : _place(unit)[0]]
    assert _read(_found("obligation", after), _found("obligation", before), span=unit).norms == ()
    composed = _found("obligation", "The keeper shall", spans=[_span("The keeper shall"), _span("lock the gate")])
    assert len(_read(composed, span="The keeper shall, within 5 days").norms) == 1
    assert _read(composed, span="within 5 days").norms == ()
    (read,) = _read(_found("obligation", "lock the gate")).norms
    assert (read.locator, read.confidence) == ("4.2", 0.5)


@pytest.mark.parametrize(
    ("words", "unit", "lies"),
    [
        ("A key is a tool.", "A key is a tool.", True),
        ("A key is a tool.", "A key is", True),
        ("A key is a tool.", "A key", True),
        ("A key is", TEXT, True),
        ("gate. A key is a", "the gate. A", True),
        ("paint the gate. A", "A key is a tool.", False),
        ("A key is a tool.", "Other words.", False),
    ],
)
def test_definition_lies_in_a_unit_with_half_of_the_shorter(words: str, unit: str, lies: bool) -> None:
    """With its term and the place of its statement."""
    found = _read(_found("definition", words, term="key"), span=unit).definitions
    assert found == ((("key", _place(words)),) if lies else ())


@pytest.mark.parametrize(
    ("words", "spans", "found"),
    [
        (None, ["lock the gate"], []),
        ("", ["lock the gate"], []),
        ("the gate", ["lock the gate", "paint the gate"], ["lock the gate"[5:]]),
        ("gate", ["within 5 days", "paint the gate"], ["paint the gate"]),
        ("keeper lock the gate", ["The keeper shall", "lock the gate"], ["keeper", "lock the gate"]),
        ("“keeper” (lock)", ["The keeper shall", "lock the gate"], ["keeper"]),
        ("nothing of it", ["lock the gate"], []),
    ],
)
def test_words_are_found_whole_or_piece_by_piece(words: str | None, spans: list[str], found: list[str]) -> None:
    """In the first of some spans that holds all of them; pieces that stand side by side are one."""
    places = list(_places(TEXT, words, [_place(each) for each in spans]))
    shown = [TEXT[slice(*place)] for place in places]
    assert shown == [each.removeprefix("paint the ") for each in found]


def test_words_are_looked_for_from_behind_in_long_stretches() -> None:
    """Before a norm its holder is the last one that was named; overlapping spans are read once."""
    text = "bank " * 900 + "bank pays"
    assert list(_places(text, "bank", [(0, 4000)])) == [(3995, 3999)]
    assert list(_places(text, "bank", [(0, 3999)])) == [(0, 4)]
    assert list(_places("lock a gate", "lock gate", [(0, 11), (5, 11)])) == [(0, 4), (7, 11)]
    assert list(_places("lock \u200b gate", "lock gate", [(0, 11)])) == [(0, 11)]


def test_documents_are_read_as_the_product_reads_them() -> None:
    """Norms and definitions, each in the unit where it stands; a document once for all its units."""
    text = "The keeper shall lock the gate. “Key” means a tool. The keeper may rest.\n"
    source = read_source(text.encode(), "a.txt")
    gold = []
    for number, words in enumerate(("The keeper shall lock the gate.", "“Key” means a tool.", "The keeper may rest.")):
        start = text.index(words)
        unit = Unit(
            id=f"u{number}", document="d", sha256=digest(text), genre="g", family="f", split="dev", stratum="s", weight=1.0,
            public=True, shape="sentence", span=(start, start + len(words)), path=(), before=(0, 0), after=(0, 0),
        )  # fmt: skip
        gold.append(GoldUnit(unit=unit, label=Label(id=unit.id, statement="fact")))
    found = read_documents(gold, {"d": source})
    assert list(found) == ["u0", "u1", "u2"]
    assert [[read.norm.kind for read in each.norms] for each in found.values()] == [["obligation"], [], ["permission"]]
    assert [[term for term, _ in each.definitions] for each in found.values()] == [[], ["Key"], []]
