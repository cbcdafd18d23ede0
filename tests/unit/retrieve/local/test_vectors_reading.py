"""What is read of a generation to embed it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from coditect.retrieve.local.replica import Replicas
from coditect.retrieve.local.vectors import Vectors
from coditect.retrieve.units import DOCUMENT_GRANULARITIES, DocumentUnits
from coditect.schemas import Derivation, Record
from coditect.store.store import Store
from coditect.store.view import View, open_view
from coditect.testing.embedder.hashing import HashingEmbedder
from coditect.testing.engine.memory import MemoryEngine
from tests.corpora import CORPUS, DOCUMENTS, build_all, folder_of, ingest_all


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Store:
    """A built corpus, without vectors."""
    store = Store(MemoryEngine())
    ingest_all(store, folder_of(tmp_path_factory.mktemp("files"), DOCUMENTS))
    build_all(store)
    return store


def test_units_to_embed_are_embedded_as_all_others(store: Store) -> None:
    """What is left out is what no vector is made from."""
    view = open_view(store, CORPUS)
    for document_id in view.entries:
        units = DocumentUnits(view, document_id, 0)
        for name in DOCUMENT_GRANULARITIES:
            whole, bare = list(units.of(name)), list(units.of(name, to_embed=True))
            assert [(u.item_id, u.derivation_id, u.embedded) for u in bare] == [
                (u.item_id, u.derivation_id, u.embedded) for u in whole
            ]
            assert whole
            assert all(unit.said.kinds for unit in whole if name == "extraction")


def count_reads(monkeypatch: pytest.MonkeyPatch) -> Counter[tuple[str, str]]:
    """How often each table of a document is read from now on."""
    read: Counter[tuple[str, str]] = Counter()
    outputs = View._each_output

    def counted(self: View, document_id: str, ids: Sequence[str], table: str, cls: type[Record]) -> Iterator[Record]:
        read[table, document_id] += 1
        return outputs(self, document_id, ids, table, cls)

    monkeypatch.setattr(View, "_each_output", counted)
    return read


def test_each_document_is_read_once_and_not_again(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All granularities are embedded from one reading; what the store has is not read at all."""
    read = count_reads(monkeypatch)
    told: list[tuple[str, int, int]] = []
    view = open_view(store, CORPUS)
    for cache in ("first", "second"):
        index = Vectors(Replicas(store, tmp_path / cache), HashingEmbedder()).index(
            view, "passage", lambda *said: told.append(said)
        )
        assert len(index) > len(view.entries)
        assert set(read.values()) == {1}
    assert len(read) == 3 * len(view.entries)
    assert told == [("embedding documents", done, len(DOCUMENTS)) for done in range(1, len(DOCUMENTS) + 1)] * 2
    assert sum(d.stage == "vectors" for _, d in store.scan("derivations", Derivation, CORPUS)) > 3 * len(view.entries)
