"""Searching in a Qdrant collection, in the client's local mode."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from coditect.errors import UsageError
from coditect.models.port import FusionParameters
from coditect.retrieve.port import Filter
from coditect.retrieve.qdrant.searcher import QdrantSearcher
from coditect.retrieve.units import DocumentUnits, Unit
from coditect.schemas import Fusion, Granularity, SearchMode
from coditect.store.store import Store
from tests.unit.retrieve.qdrant.corpus import GRANULARITIES, default_searcher, found, qdrant_searcher, request, view_of


@pytest.fixture
def searcher(built: Store, tmp_path: Path) -> Iterator[QdrantSearcher]:
    """The adapter over the small corpus."""
    with closing(qdrant_searcher(built)) as opened:
        yield opened


@pytest.mark.parametrize("granularity", GRANULARITIES)
def test_dense_search_finds_what_the_default_searcher_finds(
    searcher: QdrantSearcher, built: Store, tmp_path: Path, granularity: Granularity
) -> None:
    """The same units with the same cosines, nearest first; only equal ones may stand in another order."""
    asked = request(granularity=granularity, limit=200)
    mine = searcher.search(view_of(built), asked)
    wanted = default_searcher(built, tmp_path).search(view_of(built), asked)
    assert wanted.found
    assert mine.embedder == wanted.embedder
    assert {each.item_id: each.document_id for each in mine.found} == {e.item_id: e.document_id for e in wanted.found}
    expected = {each.item_id: each.score for each in wanted.found}
    for each in mine.found:
        assert each.score == pytest.approx(expected[each.item_id], abs=2e-6)
    scores = [each.score for each in mine.found]
    assert scores == sorted(scores, reverse=True)


def test_lexical_search_finds_units_that_share_a_word_best_first(searcher: QdrantSearcher, built: Store) -> None:
    """Words are stemmed, and what has the rare ones comes first; what shares none does not come."""
    view = view_of(built)
    answer = searcher.search(view, request("lexical", query="subcontractor consents", limit=50))
    texts = {u.item_id: u.text for d in view.entries for u in DocumentUnits(view, d, 0).of("extraction")}
    assert answer.embedder == ""
    assert "subcontractors" in texts[answer.found[0].item_id]
    assert all("subcontractor" in texts[e.item_id] or "consent" in texts[e.item_id] for e in answer.found)


def test_words_that_stand_in_the_heading_count(searcher: QdrantSearcher, built: Store) -> None:
    """A clause under "Exceptions" is found by that word, though it does not hold it."""
    view = view_of(built)
    first = searcher.search(view, request("lexical", query="exceptions", limit=1)).found[0]
    unit = next(u for u in DocumentUnits(view, first.document_id, 0).of("extraction") if u.item_id == first.item_id)
    assert "exceptions" in unit.heading.lower()


@pytest.mark.parametrize("fusion", ["score", "rrf"])
@pytest.mark.parametrize("granularity", ["extraction", "passage", "section", "corpus"])
def test_explanation_of_native_fusion_adds_up_to_its_score(
    searcher: QdrantSearcher, built: Store, fusion: Fusion, granularity: Granularity
) -> None:
    """What we say that each part contributed is what the vector store made of it."""
    answer = searcher.search(view_of(built), request("hybrid", fusion=fusion, granularity=granularity, limit=20))
    assert answer.found
    assert {part.name for each in answer.found for part in each.parts} == {"lexical", "dense"}
    for each in answer.found:
        assert sum(part.contribution for part in each.parts) == pytest.approx(each.score, abs=2e-6)


def test_hybrid_finds_what_either_part_finds(searcher: QdrantSearcher, built: Store) -> None:
    """Fusion drops nothing while there is room, and the same question has the same answer."""
    view = view_of(built)
    both = found(searcher, view, request("hybrid", limit=100))
    parts = [found(searcher, view, request(mode, limit=100)) for mode in ("lexical", "dense")]
    assert set(both) == {*parts[0], *parts[1]}
    assert both == found(searcher, view, request("hybrid", limit=100))


def test_weights_of_rank_fusion_are_the_cards(
    built: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, searcher: QdrantSearcher
) -> None:
    """With all the weight on words, the order is that of words."""
    view = view_of(built)
    words = found(searcher, view, request("lexical", limit=4))
    monkeypatch.setattr(QdrantSearcher, "_fusion", FusionParameters(rrf_weights=(1.0, 0.0)))
    assert found(searcher, view, request("hybrid", fusion="rrf", limit=4)) == words


@pytest.mark.parametrize("mode", ["lexical", "dense", "hybrid"])
@pytest.mark.parametrize("field", ["documents", "kinds", "modalities", "entities", "chunks", "items"])
def test_filter_is_applied_before_ranking(searcher: QdrantSearcher, built: Store, mode: SearchMode, field: str) -> None:
    """The best unit that is let through is found, though others are better, and nothing else is."""
    view = view_of(built)
    units = [u for d in view.entries for u in DocumentUnits(view, d, 0).of("extraction")]
    values: dict[str, Callable[[Unit], Sequence[str]]] = {
        "documents": lambda u: u.documents,
        "kinds": lambda u: u.said.kinds,
        "modalities": lambda u: u.said.modalities,
        "entities": lambda u: u.said.entities,
        "chunks": lambda u: u.chunks,
        "items": lambda u: (u.item_id,),
    }
    last = found(searcher, view, request(mode, limit=len(units)))
    own = {u.item_id: values[field](u) for u in units}
    value = next(own[each][0] for each in reversed(last) if own[each])
    only = replace(Filter(), **{field: frozenset((value,))})  # type: ignore[arg-type]
    answer = found(searcher, view, request(mode, only=only, limit=len(units)))
    assert answer
    assert set(answer) == {each for each in last if value in own[each]}
    assert found(searcher, view, request(mode, only=only, limit=1))


def test_listed_statements_alone_answer_as_propositions(searcher: QdrantSearcher, built: Store) -> None:
    """The filter for propositions lets through what stands for its passage."""
    view = view_of(built)
    listed = {u.item_id for d in view.entries for u in DocumentUnits(view, d, 0).of("extraction") if u.listed}
    answer = found(searcher, view, request(granularity="proposition", only=Filter(listed=True), limit=200))
    assert set(answer) == listed


@pytest.mark.parametrize("mode", ["lexical", "dense", "hybrid"])
def test_filter_that_lets_nothing_through_finds_nothing(
    searcher: QdrantSearcher, built: Store, mode: SearchMode
) -> None:
    """No value is not any value."""
    assert found(searcher, view_of(built), request(mode, only=Filter(documents=frozenset()))) == []


def test_question_without_a_word_is_one_of_meaning(searcher: QdrantSearcher, built: Store) -> None:
    """Lexical search then finds nothing; hybrid goes on with what it has."""
    view = view_of(built)
    assert found(searcher, view, request("lexical", query="?!")) == []
    assert searcher.search(view, request("hybrid", query="?!")).mode == "hybrid"


def test_exact_mode_is_not_a_searchers(searcher: QdrantSearcher, built: Store) -> None:
    """What is named outright is looked up in the store."""
    assert found(searcher, view_of(built), request("exact")) == []


def test_reranking_without_a_reranker_is_told(searcher: QdrantSearcher) -> None:
    """As by the default searcher."""
    with pytest.raises(UsageError, match="no reranker"):
        searcher.rerank("q", [], [])
