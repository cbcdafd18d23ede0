"""What is asked for a visitor, and how answers are shown: with their words, their place and why they were found."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from coditect.errors import UsageError
from coditect.schemas import Source
from coditect.server.explorer.shown.search import HitRow, Question, search
from coditect.server.explorer.visit import Visit
from tests.unit.server.explorer.visits import view_of, visit_of


def item_of(**fields: Any) -> Source:  # noqa: ANN401 - of a record
    """An item that stands in a document."""
    given = {"item_id": "passage_1", "tier": 0, "kind": "passage", "text": "Words of it.", "document_name": "a.md",
             "version_id": "v", "char_offset_start": 10, "char_offset_end": 22}  # fmt: skip
    return Source(**{**given, **fields})


def hit_of(item: Source, **fields: Any) -> Any:  # noqa: ANN401 - a double
    """An answer."""
    given = {
        "item": item,
        "rank": 1,
        "focus": None,
        "relevance": None,
        "probability": None,
        "matched_by": "lexical",
        "parts": (),
        "mark": "",
        "answered_by": None,
        "answered_focus": None,
    }
    return SimpleNamespace(**{**given, **fields})


def asking(hits: list[Any], note: str = "") -> tuple[Visit, list[dict[str, Any]]]:
    """A visit whose every question has these answers, and what was asked."""
    asked: list[dict[str, Any]] = []

    def query(_corpus: str, words: str, **named: Any) -> Any:  # noqa: ANN401 - a double
        asked.append({"words": words, **named})
        return SimpleNamespace(hits=hits[: named["limit"]], note=note)

    return visit_of(view_of(2), view_of(3), as_of=2, query=query), asked


def row_of(hit: Any) -> HitRow:  # noqa: ANN401 - a double
    """How one answer is shown."""
    return search(asking([hit])[0], Question("who?")).page.rows[0]


@pytest.mark.parametrize(
    ("page", "limit", "first", "shown", "last"),
    [(1, 200, 1, 20, False), (2, 200, 21, 20, False), (10, 200, 181, 20, True), (11, 1000, 201, 20, False),
     (50, 1000, 981, 20, True), (51, 1000, 981, 20, True)],
)  # fmt: skip
def test_answers_come_twenty_to_a_page(page: int, limit: int, first: int, shown: int, last: bool) -> None:
    """Two hundred are asked for until somebody goes on behind them, then a thousand."""
    visit, asked = asking([hit_of(item_of(), rank=n) for n in range(1, 2001)])
    found = search(visit, Question("who?", page=page))
    assert [each["limit"] for each in asked] == [limit]
    assert (found.page.first, len(found.page.rows), found.page.next == "") == (first, shown, last)
    assert found.page.rows[0].rank == first
    assert not found.is_silent


def test_a_question_goes_as_it_is_restricted() -> None:
    """To the generation that is looked at; what is no word of the form restricts nothing."""
    visit, asked = asking([])
    search(visit, Question("who?"))
    search(visit, Question("who?", "extraction", "lexical", "a*", "obligation", "mandatory", gate=False))
    search(visit, Question("who?", "extraction", "odd", "", "odd", "odd"))
    plain, full, odd = (each["options"] for each in asked)
    assert [(each["as_of"], each["words"]) for each in asked] == [(2, "who?")] * 3
    assert [each["tier"] for each in asked] == ["passage", "extraction", "extraction"]
    assert (plain.mode, plain.gate, plain.explain) == ("hybrid", True, True)
    assert (plain.filters.documents, plain.filters.kinds, plain.filters.modalities) == ((), (), ())
    assert (full.mode, full.gate) == ("lexical", False)
    assert (full.filters.documents, full.filters.kinds, full.filters.modalities) == (
        ("a*",),
        ("obligation",),
        ("mandatory",),
    )
    assert (odd.mode, odd.filters) == ("hybrid", plain.filters)


@pytest.mark.parametrize(
    ("question", "restricted"),
    [(Question("x"), False), (Question("x", document="a"), True), (Question("x", kind="k"), True), (Question("x", force="f"), True),
     (Question("x", mode="exact"), True), (Question("x", gate=False), False), (Question("x", document="a", mode="exact"), True)],
)  # fmt: skip
def test_anything_but_words_restricts(question: Question, restricted: bool) -> None:
    """The gate is no restriction of the visitor's."""
    assert question.is_filtered is restricted


@pytest.mark.parametrize(
    ("question", "hits", "silent"),
    [
        (Question("x"), 0, True),
        (Question("x", gate=False), 0, False),
        (Question("x"), 1, False),
        (Question(""), 0, False),
    ],
)
def test_the_corpus_is_silent_where_the_gate_left_everything_out(question: Question, hits: int, silent: bool) -> None:
    """Not where nothing was asked."""
    visit, asked = asking([hit_of(item_of())] * hits, "so")
    found = search(visit, question)
    assert (found.is_silent, found.note, len(asked)) == (
        silent,
        "So" if question.words else "",
        int(bool(question.words)),
    )


def test_addresses_keep_what_was_asked() -> None:
    """What is as usual is left out; another tier begins at its first page."""
    visit, _ = asking([hit_of(item_of())] * 30)
    plain = search(visit, Question("a b", page=2))
    assert plain.ungated == "/e/c/c/search?q=a+b&tier=passage&gate=off&as_of=2"
    assert plain.page.previous == "/e/c/c/search?q=a+b&tier=passage&page=1&as_of=2"
    full = search(visit, Question("a", "chunk", "dense", "d*", "k", "f", gate=False))
    assert full.page.next == (
        "/e/c/c/search?q=a&tier=chunk&mode=dense&document=d%2A&kind=k&force=f&gate=off&page=2&as_of=2"
    )
    assert [tier for tier, _, _, here in full.tiers if here] == ["chunk"]
    assert "tier=corpus&" in full.tiers[0][2]
    assert "page=" not in full.tiers[0][2]
    with pytest.raises(UsageError, match="unknown tier"):
        search(visit, Question("a", "cellar"))


@pytest.mark.parametrize(
    ("fields", "where"),
    [({}, "a.md"), ({"heading": "2 Logs"}, "a.md · 2 Logs"), ({"heading": "2 Logs", "locator": "2"}, "a.md · 2 Logs"),
     ({"heading": "Logs", "locator": "2.1"}, "a.md · Logs · 2.1"), ({"page": 0}, "a.md · page 0"), ({"document_name": ""}, ""),
     ({"page": 7, "locator": "3"}, "a.md · 3 · page 7")],
)  # fmt: skip
def test_an_answer_says_where_it_stands(fields: dict[str, Any], where: str) -> None:
    """A number that the heading has already is not said again."""
    assert row_of(hit_of(item_of(**fields))).where == where


PLACE = "/e/c/c/documents/v?span={}&as_of=2#here"


@pytest.mark.parametrize(
    ("item", "focus", "href"),
    [
        ({}, None, PLACE.format("10-22")),
        ({}, {"char_offset_start": 12, "char_offset_end": 14}, PLACE.format("12-14")),
        ({}, {"char_offset_start": None}, PLACE.format("10-22")),
        ({"char_offset_start": 0}, None, PLACE.format("0-22")),
        ({"char_offset_start": None}, None, None),
        ({"char_offset_end": None}, None, None),
        ({"version_id": ""}, None, None),
        ({"item_id": "extraction_1"}, None, "/e/c/c/documents/v?span=10-22&item=extraction_1&as_of=2#here"),
    ],
)
def test_an_answer_leads_into_its_document(
    item: dict[str, Any], focus: dict[str, Any] | None, href: str | None
) -> None:
    """To the sentences that answer, where those are known; without a place to its own page."""
    found = row_of(hit_of(item_of(**item), focus=None if focus is None else item_of(**focus)))
    assert found.item_href == f"/e/c/c/items/{item.get('item_id', 'passage_1')}?as_of=2"
    assert found.href == (href or found.item_href)


@pytest.mark.parametrize(
    ("focus", "text", "shown"),
    [
        (None, "Words of it.", [("Words of it.", False)]),
        (None, "", []),
        ((10, 15, "Words"), "Words of it.", [("Words", True), (" of it.", False)]),
        ((16, 18, "of"), "Words of it.", [("Words ", False), ("of", True), (" it.", False)]),
        ((19, 22, "it."), "Words of it.", [("Words of ", False), ("it.", True)]),
        ((10, 22, "Words of it."), "Words of it.", [("Words of it.", True)]),
        ((16, 18, "or"), "Words of it.", [("Words of it.", False)]),
        ((19, 23, "it."), "Words of it.", [("Words of it.", False)]),
        ((9, 15, "Words"), "Words of it.", [("Words of it.", False)]),
        ((None, 15, "Words"), "Words of it.", [("Words of it.", False)]),
        ((10, None, "Words"), "Words of it.", [("Words of it.", False)]),
    ],
)
def test_what_answers_is_highlighted(
    focus: tuple[Any, Any, str] | None, text: str, shown: list[tuple[str, bool]]
) -> None:
    """Where it stands word for word inside of the answer."""
    at = None if focus is None else item_of(char_offset_start=focus[0], char_offset_end=focus[1], text=focus[2])
    assert [(each.text, each.hit) for each in row_of(hit_of(item_of(text=text), focus=at)).pieces] == shown
    unplaced = hit_of(
        item_of(char_offset_start=None, text="abc"), focus=item_of(char_offset_start=0, char_offset_end=1, text="a")
    )
    assert [(each.text, each.hit) for each in row_of(unplaced).pieces] == [("abc", False)]


def test_an_answer_says_why_it_was_found() -> None:
    """By what, how relevant it is, and what each part of the search gave."""
    part = SimpleNamespace(part="lexical", rank=3, contribution=0.01639)
    gate = SimpleNamespace(part="gate", rank=None, contribution=0.5)
    odd = SimpleNamespace(part="odd", rank=0, contribution=0.0)
    found = row_of(hit_of(item_of(), relevance="ambiguous", probability=0.25, parts=(part, gate, odd)))
    assert (found.relevance, found.probability, found.matched, found.kind) == (
        "ambiguous",
        0.25,
        "by lexical",
        "Passage",
    )
    assert found.parts == (("its words", "3", "0.016"), ("the relevance gate", "", "0.500"), ("odd", "0", "0.000"))
    for by, word in (("exact", "named outright"), ("hybrid", "by words and meaning"), ("dense", "by dense")):
        assert row_of(hit_of(item_of(), matched_by=by)).matched == word
    assert row_of(hit_of(item_of())).relevance == ""


def test_what_is_no_answer_itself_leads_to_the_passage_that_is() -> None:
    """Its mark says what it has to do with it; a passage that is shown in its own place leads nowhere else."""
    section = item_of(
        item_id="section_1", tier=3, kind="topic", version_id="", char_offset_start=None, char_offset_end=None
    )
    row = row_of(hit_of(section, mark="quotes it", answered_by=item_of()))
    assert row.mark == "quotes it"
    assert row.answered_href == row_of(hit_of(item_of())).href
    assert row_of(hit_of(item_of(), mark="instead", answered_by=item_of())).answered_href == ""
