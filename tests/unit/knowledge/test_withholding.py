"""What the relevance gate lets through of an answer."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from coditect.knowledge.query.shown import withholding
from coditect.knowledge.query.shown.withholding import gated
from coditect.retrieve.gate.relevance import KnownQuestion, RelevanceJudgement
from coditect.retrieve.port import Answer, Background, Found, Part
from coditect.schemas import Citation, SearchOptions, Section, SectionPart
from tests.unit.store.items import extraction

CITED = Citation(
    chunk_id="c", extraction_ids=(), document_id="d", version_id="v", document_name="n", char_start=0, char_end=1
)
DENSE = Part("dense", 1, 0.8, 1.0, 0.8)
VERDICTS = {"good": "correct", "doubt": "ambiguous", "bad": "incorrect"}


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """A gate that judges by the first word, and again by that of what encloses it; what it was asked."""
    seen: list[Any] = []

    def verdict(name: str) -> Any:  # noqa: ANN401 - stands for one
        return SimpleNamespace(relevance=VERDICTS[name], probability=0.75)

    def judge(words: Any, text: str, cosine: float | None, *_: object) -> Any:  # noqa: ANN401 - as above
        seen.append((text.split()[-1], cosine))
        return verdict(text.split()[-1])

    def judge_again(words: Any, before: Any, above: str, *_: object) -> Any:  # noqa: ANN401 - as above
        seen.append(("again", above))
        return verdict(above.split()[-1])

    def typical(highest: float | None) -> Background:
        seen.append(("highest", highest))
        return Background(1, {})

    monkeypatch.setattr(withholding, "fitted_gate", lambda *_: None)
    monkeypatch.setattr(withholding, "judge", judge)
    monkeypatch.setattr(withholding, "judge_again", judge_again)
    monkeypatch.setattr(withholding, "typical", typical)
    monkeypatch.setattr(withholding, "heading_of", lambda item: "heading")
    monkeypatch.setattr(withholding, "text_of", lambda opened, item: item.source_text)
    return seen


def _gated(
    *words: str, above: str = "doubt", exact: int = -1, options: SearchOptions | None = None, **answer: object
) -> tuple[list[tuple[str, str | None, float | None]], list[str]]:
    """(words, relevance, probability) of what is left, and how it was judged."""
    items: list[Any] = [extraction(word, 10 * n) for n, word in enumerate(words)]
    ranked = [(Found(word, "d", 1.0, (DENSE,) if n == 0 else ()), n == exact) for n, word in enumerate(words)]
    around = SimpleNamespace(around=lambda item, upto: [SimpleNamespace(heading="h", text=above)])
    opened: Any = SimpleNamespace(enclosures=around)
    given: Any = Answer(**answer)  # type: ignore[arg-type]  # of any field
    kept, left, judged = gated(opened, "question", given, options or SearchOptions(), ranked, items)
    assert [item.source_text for item in left if hasattr(item, "source_text")] == [found.item_id for found, _ in kept]
    return [(found.item_id, found.relevance, found.probability) for found, _ in kept], list(judged)


def test_irrelevant_hits_are_left_out_and_the_others_say_how_probable_they_are(asked: list[Any]) -> None:
    """Each by its own cosine; those of the question are told by the highest of all."""
    kept, judged = _gated("good", "bad", "good")
    assert kept == [("good", "correct", 0.75), ("good", "correct", 0.75)]
    assert judged == ["correct", "correct"]
    assert asked == [("highest", 0.8), ("good", 0.8), ("bad", None), ("good", None)]


@pytest.mark.parametrize(("above", "relevance"), [("good", "correct"), ("doubt", "ambiguous"), ("bad", None)])
def test_doubtful_hit_is_judged_again_with_the_passage_around_it(
    asked: list[Any], above: str, relevance: str | None
) -> None:
    """What is doubtful even then is shown as that."""
    kept, judged = _gated("doubt", above=above)
    assert kept == ([("doubt", relevance, 0.75)] if relevance else [])
    assert judged == [relevance or "incorrect"]
    assert asked[-1] == ("again", f"h {above}")


def test_hit_that_the_question_names_is_not_judged(asked: list[Any]) -> None:
    """It is what was asked for."""
    assert _gated("bad", exact=0) == ([("bad", "correct", None)], ["correct"])
    assert asked == [("highest", 0.8)]


def test_without_the_gate_everything_is_shown_unjudged(asked: list[Any]) -> None:
    """Nothing is said of it."""
    assert _gated("bad", "good", options=SearchOptions(gate=False)) == ([("bad", None, None), ("good", None, None)], [])
    assert asked == []


def test_gate_is_a_part_of_the_score_that_adds_nothing(asked: list[Any]) -> None:
    """Beside those that found the hit."""
    items: list[Any] = [extraction("good", 0)]
    opened: Any = SimpleNamespace()
    kept, _, _ = gated(opened, "q", Answer(), SearchOptions(), [(Found("good", "d", 1.0, (DENSE,)), False)], items)
    assert kept[0][0].parts == (DENSE, Part("gate", None, 0.75, 1.0, 0.0))
    assert kept[0][0].score == 1.0


def _judged_section(monkeypatch: pytest.MonkeyPatch, coverage: float, *quotes: str) -> str:
    """How a section with these quotes is judged, whose whole text is "correct"; a quote is as its last word says."""

    def judge(words: Any, text: str, *_: object) -> Any:  # noqa: ANN401 - stands for one
        name = "good" if text.endswith(" ".join(quotes)) else text.split()[-1]
        return RelevanceJudgement(coverage, None, VERDICTS[name], 0.75)  # type: ignore[arg-type]  # one of three

    monkeypatch.setattr(withholding, "judge", judge)
    parts = [SectionPart(type="extractive", content=each, citation=CITED) for each in quotes]
    section = Section.create(
        corpus_id="c",
        derivation_id="d",
        topic="tests",
        topic_terms=(),
        content=(SectionPart(type="synthetic", content="It says:"), *parts),
        source_chunks=(),
        document_count=1,
        quoted_document_count=1,
        synthesized_content_ratio=0.0,
        max_synthesis_ratio=0.2,
    )
    monkeypatch.setattr(withholding, "text_of", lambda opened, item: " ".join(quotes))
    opened: Any = SimpleNamespace()
    _, _, (relevance,) = gated(opened, "q", Answer(), SearchOptions(), [(Found("s", "", 1.0), False)], [section])
    return relevance


@pytest.mark.parametrize(
    ("coverage", "quotes", "relevance"),
    [(0.5, ("bad", "good"), "correct"), (0.5, ("bad", "doubt"), "ambiguous"), (0.4, ("good",), "ambiguous")],
)
def test_section_answers_surely_where_one_of_its_quotes_does(
    asked: list[Any], monkeypatch: pytest.MonkeyPatch, coverage: float, quotes: tuple[str, ...], relevance: str
) -> None:
    """Not by words of several quotes, nor by a quote with few of the words that were asked for."""
    assert _judged_section(monkeypatch, coverage, *quotes) == relevance


def test_prohibition_stands_beside_the_permission_that_was_asked_for(
    asked: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It has not the verb of the question, and would be left out."""
    items: list[Any] = [extraction("Shared accounts are prohibited. bad", 0)]
    ranked = [(Found("e", "d", 1.0), False)]
    opened: Any = SimpleNamespace(enclosures=SimpleNamespace(around=lambda item, upto: []))
    known = SimpleNamespace(wanted=("use", "share", "account"))
    monkeypatch.setattr(KnownQuestion, "of", lambda *_: known)
    told = [
        gated(opened, query, Answer(), SearchOptions(), ranked, items)[2]
        for query in ("who may use shared accounts", "who disables shared accounts")
    ]
    assert told == [["ambiguous"], ["incorrect"]]
