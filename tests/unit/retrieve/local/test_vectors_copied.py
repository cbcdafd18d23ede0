"""A replica of vectors that is made from the one before: the same files, and only what changed is read."""

from __future__ import annotations

from pathlib import Path

import pytest

from coditect.retrieve.embedding import UnitVectors
from coditect.retrieve.local import replica
from coditect.retrieve.local.replica import Replicas
from coditect.retrieve.local.vectors import Vectors
from coditect.schemas import tag_of
from coditect.store.store import Store
from coditect.store.view import View, open_view
from coditect.testing.embedder.hashing import HashingEmbedder
from coditect.testing.engine.memory import MemoryEngine
from tests.corpora import CORPUS, DOCUMENTS, build_all, folder_of, ingest_all

NEW = "# Clean Desk Policy\n\nEmployees shall lock papers away at the end of each day.\n"


@pytest.fixture(scope="module")
def views(tmp_path_factory: pytest.TempPathFactory) -> tuple[View, View]:
    """A generation, and the next: a document is changed, one is new, and one is gone."""
    store = Store(MemoryEngine())
    ingest_all(store, folder_of(tmp_path_factory.mktemp("a"), DOCUMENTS))
    build_all(store)
    documents = {name: text for name, text in DOCUMENTS.items() if name != "retention.txt"}
    documents |= {"access.md": DOCUMENTS["access.md"].replace("90 days", "60 days"), "desk.md": NEW}
    ingest_all(store, folder_of(tmp_path_factory.mktemp("b"), documents), sync=True)
    build_all(store)
    return open_view(store, CORPUS, 1), open_view(store, CORPUS, 2)


def _files(view: View, cache: Path) -> dict[str, bytes]:
    """Every file of a generation's replica, but for its inventory, which names the folder's files with their times."""
    Vectors(Replicas(view.store, cache), HashingEmbedder()).index(view, "passage")
    place = Replicas(view.store, cache).folder / tag_of(CORPUS)
    (folder,) = (each for each in place.iterdir() if each.name.startswith(view.manifest.build_id))
    return {str(p.relative_to(folder)): p.read_bytes() for p in folder.rglob("*") if p.suffix in (".npy", ".txt")}


@pytest.mark.parametrize("harm", ["", "cut"])
def test_replica_from_the_one_before_has_the_same_files(
    views: tuple[View, View], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, harm: str
) -> None:
    """Byte for byte; what did not change is copied, unless the former replica is damaged."""
    before, after = views
    wanted = _files(after, tmp_path / "fresh")
    read: list[int] = []
    of_documents = UnitVectors.of_documents

    def counted(self: UnitVectors, view: View, document_ids: list[str]) -> object:
        read.append(len(document_ids))
        return of_documents(self, view, document_ids)

    monkeypatch.setattr(UnitVectors, "of_documents", counted)
    monkeypatch.setattr(replica, "INCREMENTAL_FROM", 1)
    cache = tmp_path / "linked"
    _files(before, cache)
    place = Replicas(before.store, cache).folder / tag_of(CORPUS)
    (base,) = place.iterdir()
    if harm:
        rows = base / "passage" / "rows.npy"
        rows.write_bytes(rows.read_bytes()[:-8])
    monkeypatch.setattr(Replicas, "base", lambda self, view, kind: (base, before))
    assert _files(after, cache) == wanted
    assert read[-1] == (len(after.entries) if harm else 2)
