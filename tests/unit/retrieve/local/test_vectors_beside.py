"""Vectors that are made while words are indexed: the same ones, of units that are read once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest

from coditect.errors import ModelError, Unwritable
from coditect.models.port import FloatArray
from coditect.retrieve import embedding
from coditect.retrieve.local.replica import Replicas
from coditect.retrieve.local.search import HybridSearcher
from coditect.store.store import Store
from coditect.store.view import View, open_view
from coditect.testing.embedder.hashing import HashingEmbedder
from coditect.testing.embedder.reading import ReadingHashingEmbedder
from coditect.testing.engine.memory import MemoryEngine
from tests.corpora import CORPUS, DOCUMENTS, build_all, folder_of, ingest_all
from tests.unit.retrieve.local.test_vectors_copied import Letters, folder_of_replica, told_by
from tests.unit.retrieve.local.test_vectors_reading import count_reads


class Failing(HashingEmbedder):
    """Fails, as a service does that is not there."""

    def embed(self, texts: Sequence[str], *, query: bool = False) -> FloatArray:
        raise ModelError("nobody answers")


@pytest.fixture
def view(tmp_path: Path) -> View:
    """A built corpus, without vectors."""
    store = Store(MemoryEngine())
    ingest_all(store, folder_of(tmp_path / "files", DOCUMENTS))
    build_all(store)
    return open_view(store, CORPUS)


def test_vectors_made_beside_words_are_those_that_are_made_alone(
    view: View, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every file of the replica tells the same, and statements and chunks are read once, for words and for vectors."""
    read = count_reads(monkeypatch)
    embedder = ReadingHashingEmbedder()
    replicas = Replicas(view.store, tmp_path / "beside")
    HybridSearcher(replicas, lambda: embedder, words=Letters).refresh(view)
    assert {times for (table, _), times in read.items() if table != "passages"} == {1}
    assert {times for (table, _), times in read.items() if table == "passages"} == {2}  # once more for their tokens
    (folder,) = (each for each in replicas.folder.rglob("build_*") if "tantivy" not in each.name)
    beside = told_by(folder)
    assert len(embedder.texts) > len(read)

    store = Store(MemoryEngine())
    ingest_all(store, folder_of(tmp_path / "again", DOCUMENTS))
    build_all(store)
    assert told_by(folder_of_replica(open_view(store, CORPUS), tmp_path / "alone")) == beside


def test_words_are_indexed_though_the_model_fails(view: View, tmp_path: Path) -> None:
    """The failure is told, as ever, and a question by words finds an index."""
    searcher = HybridSearcher(Replicas(view.store, tmp_path), Failing)
    with pytest.raises(ModelError):
        searcher.refresh(view)
    made = [each.name for each in searcher.replicas.folder.rglob("build_*")]
    assert [name for name in made if "tantivy" in name]
    assert len(made) == 1


def test_nothing_is_embedded_twice_where_the_store_cannot_be_written(
    view: View, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What could not be kept is made when the replica of vectors is, and not before."""

    @contextmanager
    def refused(store: Store, corpus_id: str, purpose: str) -> Iterator[Store]:
        raise Unwritable("it can only be read")
        yield store

    written = HashingEmbedder()
    HybridSearcher(Replicas(view.store, tmp_path / "written"), lambda: written).refresh(view)
    store = Store(MemoryEngine())
    ingest_all(store, folder_of(tmp_path / "again", DOCUMENTS))
    build_all(store)
    monkeypatch.setattr(embedding, "registered", refused)
    unwritten = HashingEmbedder()
    again = open_view(store, CORPUS)
    HybridSearcher(Replicas(store, tmp_path / "unwritten"), lambda: unwritten).refresh(again)
    assert sorted(unwritten.texts) == sorted(written.texts)
