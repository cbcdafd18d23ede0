"""Questions have the same answers with the index of entities and without it, while it is built and when it was dropped."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from coditect.integrity.indexing import building
from coditect.integrity.indexing.building import build_index
from coditect.integrity.indexing.dropping import drop_index
from coditect.knowledge.query.opened import Opened
from coditect.knowledge.query.search import run_query
from coditect.language.entities.names import entity_name
from coditect.retrieve.lookup.live import LiveIndex
from coditect.retrieve.port import Answer, Found, Request
from coditect.schemas import GRANULARITIES, Granularity, QueryResult, SearchFilters, SearchOptions
from coditect.store.store import Store
from coditect.store.view import View, open_view
from coditect.testing.engine.memory import MemoryEngine, MemoryStore
from tests.corpora import CORPUS, DOCUMENTS, build_all, clock, copy_of, folder_of, ingest_all
from tests.effort import times
from tests.integration.sweeps import killed_at

MORE = {
    "long.md": "# Annex\n\nThe supplier of Acme Holdings Inc. shall keep "
    + "a very long list of " * 6_000
    + "things.\n",
    "parties.md": (
        "# Agreement\n\nThis agreement is made by Acme Holdings Inc. and Größe & Söhne GmbH. Acme Holdings Inc. shall pay Größe "
        '& Söhne GmbH within 30 days. The "Supplier" means Größe & Söhne GmbH. The Supplier must notify Acme Holdings Inc.\n'
    ),
}


class _Nothing:
    """A searcher that finds nothing by words: exact questions ask none."""

    def search(self, view: View, request: Request) -> Answer:
        """Nothing."""
        return Answer(mode=request.mode)

    def rerank(self, query: str, found: Sequence[Found], texts: Sequence[str]) -> tuple[Found, ...]:
        """As they are."""
        return tuple(found)

    def forget(self, corpus_id: str) -> tuple[str, ...]:
        """Nothing is kept."""
        return ()

    def is_ready(self, view: View) -> bool:
        """There is nothing to make."""
        return True

    def preparing(self, corpus_id: str) -> AbstractContextManager[None]:
        """Nothing is made of documents where they are derived."""
        return nullcontext()

    def refresh(
        self, view: View, progress: Callable[[str, int, int], None] | None = None, prepared: object = None
    ) -> None:
        """There is no replica."""


@cache
def _stores() -> dict[str, Store]:
    """The same two generations in every state of the index."""
    memory = MemoryStore()
    store = Store(MemoryEngine(memory))
    with TemporaryDirectory() as temporary:
        folder = folder_of(Path(temporary), {**DOCUMENTS, **MORE})
        ingest_all(store, folder)
        build_all(store)
        folder_of(folder, {"access.md": DOCUMENTS["access.md"].replace("The security team", "Acme Holdings Inc.")})
        ingest_all(store, folder)
        build_all(store)
    begun, left = MemoryStore(), MemoryStore()
    begun.state = memory.state
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(building, "PAGE_ROWS", 20)
        assert killed_at(begun, lambda each: build_index(each, "entity", clock), 3)
    indexed = copy_of(memory)
    build_index(indexed, "entity", clock)
    left.state = indexed.engine._store.state  # type: ignore[attr-defined]
    assert killed_at(left, lambda each: drop_index(each, "entity"), 2)
    return {
        "never": store,
        "readable": indexed,
        "write only": Store(MemoryEngine(begun)),
        "dropped": Store(MemoryEngine(left)),
    }


@cache
def _opened(state: str, generation: int) -> Opened:
    return Opened(open_view(_stores()[state], CORPUS, generation))


@cache
def _names() -> tuple[str, ...]:
    """What entities are called, as printed and normalised."""
    view = _opened("never", 2).view
    found = [each for document in view.entries for item in view.extractions(document) for each in item.entities]
    return tuple(sorted({each.name for each in found} | {each.text for each in found}))


def _asked(state: str, generation: int, query: str, tier: Granularity, limit: int, entity: str) -> QueryResult:
    filters = SearchFilters(entities=(entity,) if entity else ())
    options = SearchOptions(mode="exact", filters=filters)
    return run_query(_opened(state, generation), _Nothing(), query, tier=tier, limit=limit, options=options)


NAMES = st.deferred(lambda: st.sampled_from(_names()))
QUERIES = st.one_of(
    NAMES, NAMES.map(lambda name: f'who deals with "{name}"?'), NAMES.map(str.upper), st.text(min_size=1, max_size=30)
)


@settings(max_examples=times(150, least=10), deadline=None)
@given(QUERIES, st.sampled_from(GRANULARITIES), st.integers(1, 2), st.integers(1, 30), st.one_of(st.just(""), NAMES))
@example("Acme Holdings Inc.", "extraction", 2, 10, "")
@example("\ud800", "extraction", 2, 10, "")
@example('"Größe & Söhne GmbH" and "Acme Holdings Inc."', "proposition", 1, 30, "acme holdings inc")
def test_exact_questions_have_the_same_answers_in_every_state_of_the_index(
    query: str, tier: Granularity, generation: int, limit: int, entity: str
) -> None:
    """To the last field, for every generation; the index only tells faster what the items say."""
    if not query.strip():
        return
    wanted = _asked("never", generation, query, tier, limit, entity)
    for state in ("readable", "write only", "dropped"):
        assert _asked(state, generation, query, tier, limit, entity) == wanted


def test_each_named_entity_is_found_by_what_mentions_it() -> None:
    """All that mention it and no others, by both ways: the index where it can be read, else by reading the items."""
    for generation in (1, 2):
        view = _opened("never", generation).view
        items = [item for document in view.entries for item in view.extractions(document)]
        for name in _names():
            wanted = {item.extraction_id for item in items if any(e.name == entity_name(name) for e in item.entities)}
            for state, way in {"never": "scan", "readable": "index", "write only": "scan", "dropped": "scan"}.items():
                mentions = LiveIndex(_opened(state, generation).view).mentioning(entity_name(name))
                assert mentions.way == way
                assert {each.extraction_id for each in mentions.found} == wanted
                assert len(mentions.found) == len(wanted)
    assert len(_names()) > 20


def test_explanation_tells_which_way_was_taken() -> None:
    """Definitions come first; mere mentions say how they were found."""
    for state, way in (("readable", "index"), ("dropped", "scan")):
        options = SearchOptions(mode="exact", explain=True)
        found = run_query(
            _opened(state, 2), _Nothing(), "Acme Holdings Inc.", tier="extraction", limit=9, options=options
        )
        assert found.hits
        assert {part.part for hit in found.hits for part in hit.parts} == {f"exact, by {way}"}
        assert {hit.matched_by for hit in found.hits} == {"exact"}
        assert all("Acme Holdings Inc." in hit.item.text for hit in found.hits)
