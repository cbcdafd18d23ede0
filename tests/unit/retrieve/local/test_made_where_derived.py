"""What replicas take of documents is the same, made where these are derived or read from the store."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from coditect.errors import ModelError
from coditect.knowledge.building import pipeline
from coditect.knowledge.building.pipeline import build
from coditect.knowledge.building.shares import shares_of
from coditect.knowledge.derivation.executors import LOCAL, Executor, LocalExecutor
from coditect.retrieve.local.meaning.making import LocalPreparing
from coditect.retrieve.local.replica import PER_DOCUMENT, Replicas
from coditect.retrieve.local.search import HybridSearcher
from coditect.retrieve.port import Filter, unit_number
from coditect.retrieve.prepared import Prepared
from coditect.retrieve.words import read_words
from coditect.schemas import BuildSettings, Derivation, Extraction, LogAct
from coditect.store.store import Store
from coditect.store.view import View, open_view
from coditect.testing.embedder.hashing import HashingEmbedder
from coditect.testing.engine.memory import MemoryEngine
from tests.corpora import CORPUS, DOCUMENTS, MODELS, build_all, clock, folder_of, ingest_all
from tests.unit.retrieve.local.test_vectors_copied import Letters
from tests.unit.retrieve.local.test_vectors_reading import count_reads

SETTINGS = BuildSettings(today="2026-09-30")
QUESTIONS = ("access rights", "training of new employees", "within 30 days", "Acme retention")


class Static(HashingEmbedder):
    """A model of static vectors, as the one that comes with the product."""

    tokens_id = "static@1"


class Failing(Static):
    """A model whose files are damaged."""

    def embed(self, texts: object, *, query: bool = False) -> object:  # type: ignore[override]
        raise ModelError("it is damaged")


@pytest.fixture(autouse=True)
def _kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pipeline, "KEPT_FROM", 1)


def _store(folder: Path) -> Store:
    store = Store(MemoryEngine())
    ingest_all(store, folder_of(folder, DOCUMENTS))
    return store


def _sent(value: Any) -> Any:  # noqa: ANN401 - whatever is sent to another machine
    return pickle.loads(pickle.dumps(value))  # noqa: S301 - our own


class Elsewhere(LocalExecutor):
    """Workers that open the store themselves, as those of a cluster do; here in this process, one document after the other.

    Args:
        store: the shared one.
        twice: each worker dies when it has stored what it made, and its task is done by another.
        ends_after: the build is killed after so many documents.
    """

    def __init__(self, store: Store, *, twice: bool = False, ends_after: int | None = None) -> None:
        self.shared = lambda: Store(store.engine)
        self._twice = twice
        self._ends_after = ends_after

    def run(self, fn: Callable[[Any], Any], tasks: Iterable[Any], *, jobs: int, crashed: object) -> Iterator[Any]:
        """Each task with what would be sent to another machine."""
        for number, task in enumerate(tasks):
            if number == self._ends_after:
                raise KeyboardInterrupt
            sent = replace(task, beside=_sent(task.beside))
            if self._twice:
                fn(sent)
            yield _sent(fn(sent))


def _built(
    store: Store, folder: Path, embedder: type[HashingEmbedder] = Static, executor: Executor = LOCAL
) -> tuple[View, Prepared]:
    """A corpus that was built with what replicas take of its documents beside them."""
    folder.mkdir()
    prepared = Prepared(LocalPreparing(0, embedder, Letters), folder)
    build(store, CORPUS, SETTINGS, clock=clock, jobs=1, models=MODELS, prepared=prepared, executor=executor)
    return open_view(store, CORPUS), prepared


def _searcher(store: Store, cache: Path, embedder: type[HashingEmbedder] = Static) -> HybridSearcher:
    return HybridSearcher(Replicas(store, cache), embedder, words=Letters)


def _told(searcher: HybridSearcher, view: View) -> dict[str, object]:
    """All that a searcher's indexes of words, and its files of vectors, tell of a generation."""
    found: dict[str, object] = {}
    for name in PER_DOCUMENT:
        index = searcher.replicas.index(view, name)
        found[name] = index.allowed(Filter()).tolist()
        found[f"{name} ranked"] = [
            index.settled(50, lambda numbers: list(map(str, numbers)))
            for index in [index.ranked(read_words(question), 50) for question in QUESTIONS]
        ]
        found[f"{name} said"] = [
            index.allowed(only).tolist()
            for only in (Filter(kinds=frozenset({"obligation"})), Filter(modalities=frozenset({"mandatory"})))
        ]
    for folder in sorted(searcher.replicas.folder.rglob("build_*")):
        if "tantivy" not in folder.name:
            found |= {str(each.relative_to(folder)): each.read_bytes() for each in folder.rglob("*.npy")}
            found |= {str(each.relative_to(folder)): each.read_bytes() for each in folder.rglob("*.bin")}
    return found


def _executor(store: Store, where: str) -> Executor:
    return LOCAL if where == "here" else Elsewhere(store, twice=where == "elsewhere, twice")


@pytest.mark.parametrize("where", ["here", "elsewhere", "elsewhere, twice"])
def test_replicas_are_the_same_and_nothing_is_read_for_them(
    where: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Words, filters, vectors and tokens; no statement, chunk or passage of the store is looked at."""
    plain = _store(tmp_path / "plain")
    build_all(plain, settings=SETTINGS)
    expected = _searcher(plain, tmp_path / "one")
    expected.refresh(open_view(plain, CORPUS))
    store = _store(tmp_path / "beside")
    view, prepared = _built(store, tmp_path / "files", executor=_executor(store, where))
    assert view.manifest.build_id == open_view(plain, CORPUS).manifest.build_id
    read = count_reads(monkeypatch)
    found = _searcher(store, tmp_path / "two")
    found.refresh(view, prepared=prepared)
    assert not read
    told = _told(found, view)
    assert told == _told(expected, open_view(plain, CORPUS))
    assert [each for each in told if each.endswith(".npy")]


def _kept_of(store: Store, stage: str) -> dict[str, Derivation]:
    every = (step for _, step in store.scan("derivations", Derivation, CORPUS))
    return {step.derivation_id: step for step in every if step.stage == stage}


@pytest.mark.parametrize("where", ["here", "elsewhere", "elsewhere, twice"])
def test_shares_and_vectors_of_the_store_are_the_same(where: str, tmp_path: Path) -> None:
    """Their records name the same bytes, under the same ids."""
    plain = _store(tmp_path / "plain")
    build_all(plain, settings=SETTINGS)
    _searcher(plain, tmp_path / "one").refresh(open_view(plain, CORPUS))
    store = _store(tmp_path / "beside")
    view, _ = _built(store, tmp_path / "files", executor=_executor(store, where))
    vectors, shares = _kept_of(store, "vectors"), _kept_of(store, "share")
    assert len(shares) == len(view.entries)
    assert len(vectors) == 2 * len(view.entries)  # nothing is cut into passages here
    others = _kept_of(plain, "vectors")  # those of sections, too
    assert [each for each, step in vectors.items() if others.get(each) != step] == []
    made = {each.document_id: each.codes.tolist() for each in shares_of(open_view(plain, CORPUS))}
    assert {each.document_id: each.codes.tolist() for each in shares_of(view)} == made


def test_vectors_of_many_documents_that_were_made_elsewhere_are_told_to_the_log_with_one_act(tmp_path: Path) -> None:
    """Workers store their bytes; who has them say what they made, one by one, would fill the log."""
    store = _store(tmp_path / "beside")
    _built(store, tmp_path / "files", executor=Elsewhere(store))
    acts = [each for _, each in store.scan("log/acts", LogAct) if each.kind == "vectors"]
    assert [len(each.details["blocks"]) for each in acts] == [2 * len(DOCUMENTS)]  # type: ignore[arg-type]


def test_what_workers_made_is_there_when_the_build_is_killed(tmp_path: Path) -> None:
    """The next one makes no share of theirs again, and comes to the same."""
    plain = _store(tmp_path / "plain")
    build_all(plain, settings=SETTINGS)
    store = _store(tmp_path / "beside")
    with pytest.raises(KeyboardInterrupt):
        _built(store, tmp_path / "killed", executor=Elsewhere(store, ends_after=2))
    first = _kept_of(store, "share")
    assert len(first) == 2
    view, prepared = _built(store, tmp_path / "files", executor=Elsewhere(store))
    assert view.manifest.build_id == open_view(plain, CORPUS).manifest.build_id
    assert first.items() <= _kept_of(store, "share").items()
    _searcher(store, tmp_path / "cache").refresh(view, prepared=prepared)
    assert len(_kept_of(store, "vectors")) > 2 * len(DOCUMENTS)


def test_document_is_derived_though_the_model_fails(tmp_path: Path) -> None:
    """The failure is told where vectors are asked for, as ever, and words are indexed of what is at hand."""
    store = _store(tmp_path / "files of documents")
    view, prepared = _built(store, tmp_path / "files", Failing)
    assert len(view.entries) == len(DOCUMENTS)
    searcher = _searcher(store, tmp_path / "cache", Failing)
    with pytest.raises(ModelError):
        searcher.refresh(view, prepared=prepared)
    assert len(searcher.replicas.index(view, "extraction")) > 0


def test_document_that_changed_since_is_read_from_the_store(tmp_path: Path) -> None:
    """Files are those of derivations: one of another version of a document is not taken for it."""
    store = _store(tmp_path / "first")
    _, prepared = _built(store, tmp_path / "files")
    changed = {**DOCUMENTS, "access.md": DOCUMENTS["access.md"].replace("90 days", "61 days")}
    ingest_all(store, folder_of(tmp_path / "second", changed))
    build_all(store, settings=SETTINGS)
    view = open_view(store, CORPUS)
    assert [each for each in view.entries if prepared.of(view.entries[each]) is None] != []
    searcher = _searcher(store, tmp_path / "cache")
    searcher.refresh(view, prepared=prepared)
    every = [each for document_id in view.entries for each in view.each_extraction(document_id)]
    found = set(searcher.replicas.index(view, "extraction").allowed(Filter()).tolist())
    assert {unit_number(each.item_id) for each in every if "61 days" in _text(each)} <= found


def _text(item: Extraction) -> str:
    return item.source_text if item.extraction_kind in ("obligation", "requirement") else ""


def test_files_lie_beside_replicas_and_go_with_the_build(tmp_path: Path) -> None:
    """An erasure looks there; and a model that is no table of vectors is opened in no deriving process."""
    store = _store(tmp_path / "files of documents")
    searcher = _searcher(store, tmp_path / "cache")
    with searcher.preparing(CORPUS) as prepared:
        assert prepared is not None
        assert prepared.folder.is_relative_to(searcher.replicas.folder)
        assert prepared.preparing.card() is not None
    assert not prepared.folder.exists()
    with _searcher(store, tmp_path / "cache", HashingEmbedder).preparing(CORPUS) as prepared:
        assert prepared is not None
        assert prepared.preparing.card() is None


@pytest.mark.parametrize("where", ["here", "elsewhere"])
def test_documents_are_derived_where_no_file_can_be_written(where: str, tmp_path: Path) -> None:
    """They are read from the store, then."""
    store = _store(tmp_path / "files of documents")
    prepared = Prepared(LocalPreparing(0, Static, Letters), tmp_path / "not there")
    build(
        store, CORPUS, SETTINGS, clock=clock, jobs=1, models=MODELS, prepared=prepared, executor=_executor(store, where)
    )
    view = open_view(store, CORPUS)
    assert {prepared.of(entry) for entry in view.entries.values()} == {None}
    searcher = _searcher(store, tmp_path / "cache")
    searcher.refresh(view, prepared=prepared)
    assert len(searcher.replicas.index(view, "extraction")) > 0
