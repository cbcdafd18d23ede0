"""A service that has a generation open learns of an erasure by somebody else: nothing of the document is answered any more."""

from __future__ import annotations

from pathlib import Path

import pytest

from coditect.errors import NotFound
from coditect.knowledge.service import Knowledge
from coditect.retrieve.local.replica import Replicas
from coditect.retrieve.local.search import HybridSearcher
from coditect.schemas import BuildSettings, SearchOptions
from coditect.store.store import Store
from tests.corpora import CORPUS, DOCUMENTS, clock, folder_of

NAME = "access.md"


def _service(store: Store, cache: Path) -> Knowledge:
    return Knowledge(store, HybridSearcher(Replicas(store, cache), None), clock=clock, jobs=1)


def test_an_erasure_elsewhere_ends_what_is_answered_here(memory: Store, tmp_path: Path) -> None:
    """Two services with a cache each: one has answered and keeps its generation open, the other erases."""
    here, there = _service(memory, tmp_path / "here"), _service(memory, tmp_path / "there")
    here.ingest(CORPUS, [folder_of(tmp_path / "in", DOCUMENTS)])
    here.build(CORPUS, BuildSettings())
    options = SearchOptions(gate=False)

    def answered() -> list[tuple[str, str]]:
        hits = here.query(
            CORPUS, "access rights", tier="extraction", limit=50, include_sources=True, options=options
        ).hits
        return [(each.item.item_id, each.item.document_name) for each in hits]

    gone = [item for item, name in answered() if name == NAME]
    assert gone
    assert here.chain(gone[0], corpus_id=CORPUS)
    there.erase(CORPUS, [NAME], reason="r", by="A. Officer")
    assert NAME not in {name for _, name in answered()}
    with pytest.raises(NotFound):
        here.chain(gone[0], corpus_id=CORPUS)
    assert len({each.name.partition(".")[0] for each in (tmp_path / "here").rglob("build_*") if each.is_dir()}) == 1
    assert NAME not in {each.name for each in here.view(CORPUS).documents.values()}
