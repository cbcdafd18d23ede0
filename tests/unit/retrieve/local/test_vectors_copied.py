"""A replica of vectors that is made from the one before: it tells the same, and writes and reads only what changed."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from coditect.models.port import FloatArray, IntArray
from coditect.retrieve.embedding import UnitVectors
from coditect.retrieve.local import replica
from coditect.retrieve.local.inventory import check_inventory
from coditect.retrieve.local.meaning.dense import DenseIndex
from coditect.retrieve.local.meaning.reading import ReadIndex
from coditect.retrieve.local.meaning.tokens import TokenIndex
from coditect.retrieve.local.replica import Replicas
from coditect.retrieve.local.vectors import Vectors, _Before
from coditect.retrieve.units import DOCUMENT_GRANULARITIES, IndexName
from coditect.schemas import tag_of
from coditect.store.store import Store
from coditect.store.view import View, changed_between, open_view
from coditect.testing.embedder.reading import ReadingHashingEmbedder
from coditect.testing.engine.memory import MemoryEngine
from tests.corpora import CORPUS, DOCUMENTS, build_all, folder_of, ingest_all

NEW = "# Clean Desk Policy\n\nEmployees shall lock papers away at the end of each day.\n"


class Letters:
    """The tokens of a text are its letters."""

    tokens_id = "letters@1"

    def tokens(self, texts: Sequence[str]) -> list[IntArray]:
        return [np.unique(np.asarray([ord(each) % 99 for each in text], np.int64)) for text in texts]

    def vectors(self, tokens: IntArray) -> FloatArray:
        return np.ones((len(tokens), 4), np.float32)


@pytest.fixture(scope="module")
def views(tmp_path_factory: pytest.TempPathFactory) -> tuple[View, View, View]:
    """A generation, and the next: a document is changed, one is new, and one is gone; in the third one is changed again."""
    store = Store(MemoryEngine())
    ingest_all(store, folder_of(tmp_path_factory.mktemp("a"), DOCUMENTS))
    build_all(store)
    documents = {name: text for name, text in DOCUMENTS.items() if name != "retention.txt"}
    for days in ("60 days", "45 days"):
        documents |= {"access.md": DOCUMENTS["access.md"].replace("90 days", days), "desk.md": NEW}
        ingest_all(store, folder_of(tmp_path_factory.mktemp("b"), documents), sync=True)
        build_all(store)
    return open_view(store, CORPUS, 1), open_view(store, CORPUS, 2), open_view(store, CORPUS, 3)


def folder_of_replica(view: View, cache: Path) -> Path:
    """The folder of a generation's replica, which is made if it is not there."""
    Vectors(Replicas(view.store, cache), ReadingHashingEmbedder(), Letters()).index(view, "passage")
    place = Replicas(view.store, cache).folder / tag_of(CORPUS)
    (folder,) = (each for each in place.iterdir() if each.name.startswith(view.manifest.build_id))
    check_inventory(folder, folder.name)
    return folder


def told_by(folder: Path) -> dict[str, object]:
    """All that a replica tells."""
    found: dict[str, object] = {}
    every: tuple[IndexName, ...] = (*DOCUMENT_GRANULARITIES, "section", "corpus")
    for name in every:
        index = DenseIndex(folder / name)
        found[name] = index.rows.tobytes(), index.item_ids[:], index.document_ids[:], index.numbers.tolist()
        if name == "passage":
            tokens = TokenIndex(folder / name)
            found["tokens"] = (
                [each.tolist() for each in tokens.of(range(len(tokens)))],
                tokens.rarity(np.arange(99)).tolist(),
            )
            read = ReadIndex(folder / name)
            kept = read.of(range(len(read)))
            found["read"] = (
                [(each.ids.tolist(), each.codes.tolist()) for each in kept],
                read.rarity(np.unique(np.concatenate([each.ids for each in kept])).astype(np.int64)).tolist(),
            )
    return found


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many documents were read from the store for each replica; a small corpus is treated as a large one."""
    counts: list[int] = []
    of_documents = UnitVectors.of_documents

    def counted(self: UnitVectors, view: View, document_ids: list[str]) -> object:
        counts.append(len(document_ids))
        return of_documents(self, view, document_ids)

    monkeypatch.setattr(UnitVectors, "of_documents", counted)
    monkeypatch.setattr(replica, "INCREMENTAL_FROM", 1)
    return counts


@pytest.mark.parametrize("harm", ["", "cut", "no segments"])
def test_replica_from_the_one_before_tells_the_same(
    views: tuple[View, View, View], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, read: list[int], harm: str
) -> None:
    """What did not change is copied, unless the former replica is damaged."""
    before, after, _ = views
    wanted = told_by(folder_of_replica(after, tmp_path / "fresh"))
    base = folder_of_replica(before, tmp_path / "linked")
    if harm == "cut":
        rows = base / "passage" / "rows.npy"
        rows.write_bytes(rows.read_bytes()[:-8])
    elif harm:
        (base / "segments.json").unlink()
    monkeypatch.setattr(Replicas, "base", lambda self, view, kind: (base, *changed_between(before, view)))
    assert told_by(folder_of_replica(after, tmp_path / "linked")) == wanted
    assert read[-1] == (len(after.entries) if harm else 2)


def test_what_did_not_change_is_linked(
    views: tuple[View, View, View], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, read: list[int]
) -> None:
    """The files of the first replica are those of the second; the third, which changes what the second wrote, writes that anew."""
    first, second, third = views
    wanted = told_by(folder_of_replica(third, tmp_path / "fresh"))
    base: dict[str, Path] = {}
    for view, former in ((first, first), (second, first), (third, second)):
        monkeypatch.setattr(
            Replicas,
            "base",
            lambda self, view, kind, former=former: (
                (base[former.manifest.build_id], *changed_between(former, view)) if base else None
            ),
        )
        # In a corpus of a handful everything would be written again, since it is at most twice as large as what changed.
        monkeypatch.setattr(_Before, "kept_segments", _kept_though_small)
        base[view.manifest.build_id] = folder_of_replica(view, tmp_path / "linked")
    of_first, of_second, of_third = base.values()
    for name in DOCUMENT_GRANULARITIES:
        assert not (of_first / name / "0").exists()
        for later in (of_second, of_third):
            assert (later / name / "0" / "rows.npy").stat().st_ino == (of_first / name / "rows.npy").stat().st_ino
        assert (of_third / name / "1" / "rows.npy").stat().st_ino != (of_second / name / "1" / "rows.npy").stat().st_ino
        assert sorted(each.name for each in (of_third / name).iterdir() if each.is_dir()) == ["0", "1"]
    assert told_by(of_third) == wanted
    assert read[-2:] == [2, 1]


def _kept_though_small(self: _Before, count: int) -> object:
    """As of a corpus of which the first segment holds hundreds more that did not change."""
    many = [f"document_{number:04}" for number in range(300)] if self.segments else []
    grown = _Before(
        self.documents | set(many),
        self.indexes,
        self.tokens,
        self.folder,
        [[*own, *(many if not at else ())] for at, own in enumerate(self.segments)],
    )
    kept = KEPT_SEGMENTS(grown, count + len(many))
    return type(kept)(kept.segments, {each: at for each, at in kept.documents_of.items() if each not in set(many)})


KEPT_SEGMENTS = _Before.kept_segments


def _before(*segments: Sequence[str], changed: Sequence[str] = ()) -> _Before:
    return _Before(frozenset(each for own in segments for each in own) - set(changed), {}, None, None, segments)


def _ids(first: int, after: int) -> list[str]:
    return [f"document_{number}" for number in range(first, after)]


def test_segments_that_are_kept_are_few_and_mostly_alive() -> None:
    """One of which a quarter is dead is written again, and so is one that is not twice as large as what is written."""
    large, small = _ids(0, 100), _ids(100, 110)
    kept = _before(large, small, changed=["document_5"]).kept_segments(110)
    assert list(kept.segments) == [0, 1]
    assert kept.documents_of["document_101"] == 1
    assert "document_5" not in kept.documents_of
    kept = _before(large, small, changed=_ids(0, 5)).kept_segments(110)
    assert list(kept.segments) == [0]
    assert set(kept.documents_of) == set(_ids(5, 100))
    assert not _before(large, small, changed=_ids(0, 26)).kept_segments(110)
    assert not _before(large, changed=_ids(0, 40)).kept_segments(100)
    again = _before(large, ["document_5", *small]).kept_segments(110)
    assert (again.documents_of["document_5"], again.documents_of["document_6"]) == (1, 0)
    assert not _before().kept_segments(3)
