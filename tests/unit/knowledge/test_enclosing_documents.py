"""What encloses an item: passages, sections, and the document; passages that are returned for smaller ones."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from coditect.errors import Corrupt, UsageError
from coditect.knowledge.query.enclosures import Enclosures
from coditect.knowledge.query.shown.notes import note_on
from coditect.knowledge.query.shown.withholding import best_of
from coditect.knowledge.query.small_to_big import to_level
from coditect.retrieve.port import Found
from coditect.schemas import Relevance, Source


def _sentence(text: str, start: int, rank: int, score: float) -> Any:  # noqa: ANN401 - stands for one
    return SimpleNamespace(text=text, char_start=start, rank=rank, score=score)


def _enclosures(*chunks: tuple[Any, ...]) -> Enclosures:
    held = [SimpleNamespace(selected_sentences=sentences) for sentences in chunks]
    view: Any = SimpleNamespace(chunks=lambda document: held)
    sources: Any = SimpleNamespace(
        document=lambda document: Source(kind="document", tier=1, item_id="", text="", document_id=document),
        stretch=lambda document, kind, section, printed, start, end: (section, printed, start, end),
    )
    return Enclosures(view, sources)


def test_document_is_told_by_the_ten_most_salient_sentences_of_its_chunks() -> None:
    """The best of each chunk first, of equal ranks the higher score, then the earlier place; told in document order.

    What has no score says nothing of the document.
    """
    chunks = [
        (_sentence("first 1", 0, 1, 0.5), _sentence("first 2", 10, 2, 0.9), _sentence("nothing", 20, 1, 0.0)),
        (_sentence("second 2", 40, 2, 0.2), _sentence("second 1", 30, 1, 0.4)),
    ]
    assert _enclosures(*chunks)._summarised("d").text == "first 1\nfirst 2\nsecond 1\nsecond 2"
    many = tuple(_sentence(f"s{n:02}", n, 1 + n // 8, 1.0 - n % 8 / 10) for n in range(16))
    # All eight of rank 1, and the two highest of rank 2.
    assert _enclosures(many)._summarised("d").text.split("\n") == [f"s{n:02}" for n in range(10)]
    same = tuple(_sentence(f"s{n:02}", n, 1, 0.5) for n in reversed(range(12)))
    assert _enclosures(same)._summarised("d").text.split("\n") == [f"s{n:02}" for n in range(10)]


@pytest.mark.parametrize(
    ("start", "end", "section"),
    [
        (0, 5, "root"),
        (10, 20, "one"),
        (15, 40, "one"),
        (20, 30, "one.a"),
        (25, 31, "one"),
        (39, 41, "root"),
        (60, 61, "root"),
    ],
)
def test_section_of_an_item_is_the_innermost_that_holds_all_of_it(start: int, end: int, section: str) -> None:
    """What begins in one and ends behind it is in that above."""
    found = _enclosures()
    outline = [
        SimpleNamespace(section_id=name, label=name, heading="", start=begin, end=stop, parent=parent)
        for name, begin, stop, parent in (
            ("root", 0, 100, -1),
            ("one", 10, 40, 0),
            ("one.a", 20, 30, 1),
            ("two", 40, 60, 0),
        )
    ]
    found._outline = lambda document: outline  # type: ignore[assignment]
    told: Any = found._section("d", start, end)
    assert told[0] == section


def _passage(level: int, ordinal: int, begin: int, end: int, parent: str, first: int, count: int) -> Any:  # noqa: ANN401
    return SimpleNamespace(
        passage_id=f"{level}.{ordinal}", level=level, ordinal=ordinal, char_offset_start=begin, char_offset_end=end,
        parent_id=parent, first_child=first, child_count=count, document_id="d",
    )  # fmt: skip


def _tree() -> list[Any]:
    """Three levels, the largest first: two passages with two below each, and so on; nothing stands from 100 to 110."""
    places = [(0, 20), (20, 40), (40, 70), (70, 100), (110, 130), (130, 150), (150, 175), (175, 200)]
    found = [_passage(2, n, places[4 * n][0], places[4 * n + 3][1], "", 2 * n, 2) for n in range(2)]
    found += [_passage(1, n, places[2 * n][0], places[2 * n + 1][1], f"2.{n // 2}", 2 * n, 2) for n in range(4)]
    return found + [_passage(0, n, *place, f"1.{n // 2}", 0, 0) for n, place in enumerate(places)]


def _reading(passages: list[Any], read: list[tuple[str, ...]], *, lost: bool = False) -> Enclosures:
    """Enclosures of a document with these passages, that tell what they read."""
    ids = tuple(each.passage_id for each in passages)
    derived = {"a": SimpleNamespace(outputs=ids[:3]), "b": SimpleNamespace(outputs=ids[3:])}
    if lost:
        del derived["b"]

    def items(kind: type, wanted: list[str], documents: list[str]) -> list[Any]:
        assert documents == ["d"] * len(wanted)
        read.append(tuple(wanted))
        return [each for name in wanted for each in passages if each.passage_id == name]

    view: Any = SimpleNamespace(
        entries={"d": SimpleNamespace(passages=("a", "b"))},
        corpus_id="c",
        store=SimpleNamespace(derivations=lambda corpus, sources: derived),
        items=items,
    )
    return Enclosures(view, SimpleNamespace())  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("offset", "leaf"),
    [(0, "0.0"), (19, "0.0"), (20, "0.1"), (69, "0.2"), (70, "0.3"), (99, "0.3"), (100, None), (109, None), (110, "0.4"),
     (149, "0.5"), (175, "0.7"), (199, "0.7"), (200, None)],
)  # fmt: skip
def test_smallest_passage_at_a_place_is_found_from_the_largest_down(offset: int, leaf: str | None) -> None:
    """Of each level those alone are read that lie below the one that holds it; between passages there is none."""
    found = _reading(_tree(), []).tree("d").leaf_at(offset)
    assert (found and found.passage_id) == leaf


def test_passages_that_are_needed_are_read_once() -> None:
    """The largest together, where each level begins, and then the way down."""
    read: list[tuple[str, ...]] = []
    enclosures = _reading(_tree(), read)
    assert enclosures.tree("d").leaf_at(25) is not None
    before = len(read)
    assert enclosures.tree("d").leaf_at(30) is not None
    assert len(read) == before
    assert enclosures.tree("d") is enclosures.tree("d")


@pytest.mark.parametrize(("count", "reads"), [(1, [1]), (16, [16]), (17, [16, 1]), (33, [16, 16, 1])])
def test_largest_passages_are_read_sixteen_at_a_time(count: int, reads: list[int]) -> None:
    """To the last of their level."""
    read: list[tuple[str, ...]] = []
    enclosures = _reading([_passage(0, n, 10 * n, 10 * n + 10, "", 0, 0) for n in range(count)], read)
    last = enclosures.tree("d").leaf_at(10 * count - 1)
    assert last is not None
    assert last.passage_id == f"0.{count - 1}"
    assert [len(each) for each in read] == reads


def test_document_without_passages_has_none_anywhere() -> None:
    """And one whose derivation is missing is corrupt."""
    assert _reading([], []).tree("d").leaf_at(0) is None
    with pytest.raises(Corrupt, match="missing"):
        _reading(_tree(), [], lost=True).tree("d").leaf_at(0)


def _matched(*names: str) -> tuple[list[Found], list[Any]]:
    by_name = {each.passage_id: each for each in _tree()}
    return [Found(name, "d", 1.0 - n / 10) for n, name in enumerate(names)], [by_name[name] for name in names]


def test_passages_are_returned_at_a_level_in_the_order_of_their_best_child() -> None:
    """Each once, with the score of that child and the names of all that matched."""
    found, passages = _matched("0.6", "0.1", "0.7", "0.0", "0.3")
    told = to_level(_reading(_tree(), []), found, passages, 1)
    assert [(each.found.item_id, each.found.score, each.matched_level, each.children) for each in told] == [
        ("1.3", 1.0, 0, ("0.6", "0.7")), ("1.0", 0.9, 0, ("0.1", "0.0")), ("1.1", 0.6, 0, ("0.3",)),
    ]  # fmt: skip
    assert [each.passage.passage_id for each in told] == ["1.3", "1.0", "1.1"]
    top = to_level(_reading(_tree(), []), found, passages, 2)
    assert [(each.found.item_id, each.children) for each in top] == [
        ("2.1", ("0.6", "0.7")),
        ("2.0", ("0.1", "0.0", "0.3")),
    ]
    same = to_level(_reading(_tree(), []), found, passages, 0)
    assert [(each.found.item_id, each.children) for each in same] == [(each.item_id, (each.item_id,)) for each in found]


@pytest.mark.parametrize(
    ("matched", "level", "levels"), [("0.0", 3, "0 to 2"), ("1.0", 0, "1 to 2"), ("2.0", 9, "2 to 2")]
)
def test_level_that_there_is_not_is_refused_with_those_that_there_are(matched: str, level: int, levels: str) -> None:
    """Above all, or below the one that is searched."""
    found, passages = _matched(matched)
    with pytest.raises(UsageError) as refused:
        to_level(_reading(_tree(), []), found, passages, level)
    assert refused.value.context["level"] == level
    assert f"levels {levels} can be returned" in str(refused.value.hint)


@pytest.mark.parametrize(
    ("judged", "best"),
    [
        ([], None),
        (["incorrect"], "incorrect"),
        (["incorrect", "ambiguous"], "ambiguous"),
        (["ambiguous", "correct"], "correct"),
    ],
)
def test_answer_is_as_relevant_as_its_best_hit(judged: list[Relevance], best: str | None) -> None:
    """Where nothing was judged, nothing is said."""
    assert best_of(judged) == best


@pytest.mark.parametrize(
    ("asked", "read_as", "found", "items", "note"),
    [
        ("keys", "key", True, True, "read as: key"),
        ("keys", "", True, True, ""),
        (
            "keys",
            "",
            True,
            False,
            "what comes nearest is left out as not relevant; without the gate it is shown",
        ),
        ("keys", "", False, False, ""),
    ],
)
def test_note_says_how_a_question_was_read_or_why_nothing_answers(
    asked: str,
    read_as: str,
    found: bool,
    items: bool,
    note: str,
) -> None:
    """With an answer there is nothing else to say."""
    answer: Any = SimpleNamespace(read_as=read_as, found=[1] if found else [])
    assert note_on(asked, answer, [SimpleNamespace()] if items else []) == note  # type: ignore[list-item]
