"""Shares of documents in a store: made once, gone with their documents, and told by validation where they are damaged."""

from __future__ import annotations

from pathlib import Path

import pytest

from coditect.integrity.sweeping.sweep import sweep
from coditect.integrity.validate import validate
from coditect.knowledge.building import shares
from coditect.knowledge.building.gathered.kept import SHARES_VERSION, ShareStore
from coditect.knowledge.erasure.desk import ErasureDesk
from coditect.knowledge.erasure.execution import Surroundings
from coditect.schemas import BuildSettings, Derivation
from coditect.store.store import Store
from coditect.store.view import open_view
from coditect.testing.engine.memory import MemoryEngine
from tests.corpora import CORPUS, DOCUMENTS, build_all, clock, folder_of, ingest_all, table_rows

SETTINGS = BuildSettings(today="2026-09-30")


@pytest.fixture(autouse=True)
def _kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shares, "KEPT_FROM", 0)


def _built(folder: Path, store: Store | None = None, **changes: str) -> Store:
    store = store or Store(MemoryEngine())
    documents = {**DOCUMENTS, **{f"{name}.md": text for name, text in changes.items()}}
    ingest_all(store, folder_of(folder, documents))
    build_all(store, settings=SETTINGS)
    return store


def _shares(store: Store) -> list[Derivation]:
    return [step for _, step in store.scan("derivations", Derivation, CORPUS) if step.stage == "share"]


def _harmed(store: Store, step: Derivation, data: bytes) -> None:
    """Another block under a share's record, as somebody does who can write the store."""
    digest = store.put_blob(CORPUS, data)
    store.put_derivations([step.model_copy(update={"outputs": (f"{digest}:{len(data)}",)})])


def test_change_makes_the_share_of_the_changed_document_alone(tmp_path: Path) -> None:
    """The others are used as they are."""
    store = _built(tmp_path / "a")
    before = {step.derivation_id for step in _shares(store)}
    assert len(before) == len(DOCUMENTS)
    _built(tmp_path / "b", store, access=DOCUMENTS["access.md"].replace("90 days", "60 days"))
    assert len({step.derivation_id for step in _shares(store)} - before) == 1


def test_share_goes_with_its_document(tmp_path: Path) -> None:
    """An erasure takes it, with its bytes, and a sweep takes none that a document needs."""
    store = _built(tmp_path)
    blobs = len(table_rows(store.engine, store, "blobs"))
    assert sweep(store, CORPUS, apply=True).dead_bytes == 0
    assert len(_shares(store)) == len(DOCUMENTS)
    desk = ErasureDesk(store, Surroundings(clock, lambda size: bytes(range(size))), lambda: None)
    assert desk.erase(CORPUS, ["access.md"], reason="asked by the person", by="A. Officer").state == "done"
    assert len(_shares(store)) == len(DOCUMENTS) - 1
    assert len(table_rows(store.engine, store, "blobs")) <= blobs - 4  # raw, text, layout, share
    assert not validate(store, CORPUS).findings


@pytest.mark.parametrize("harm", [b"{}", b"", b'{"format":"share/1"}'])
def test_damaged_share_costs_no_result(tmp_path: Path, harm: bytes) -> None:
    """It is made again, and the build is the one that it would have been."""
    store = _built(tmp_path / "a")
    for step in _shares(store):
        _harmed(store, step, harm)
    _built(tmp_path / "b", store, incident=DOCUMENTS["incident.md"].replace("72 hours", "48 hours"))
    clean = _built(tmp_path / "c", None, incident=DOCUMENTS["incident.md"].replace("72 hours", "48 hours"))
    assert store.corpus(CORPUS).build_id == clean.corpus(CORPUS).build_id


def test_planted_share_is_told_when_it_is_made_again(tmp_path: Path) -> None:
    """Of all shares exactly the one that somebody put in the place of another."""
    store = _built(tmp_path)
    view = open_view(store, CORPUS)
    found: list[str] = []
    shares.recompute_shares(view, lambda name, what: found.append(name), lambda stage, done, total: None)
    assert not found
    kept = ShareStore(store, CORPUS, SHARES_VERSION)
    one, other, *_ = _shares(store)
    assert kept.id_for(one.inputs) == one.derivation_id
    _harmed(store, one, kept.get([other.inputs])[other.inputs])
    shares.recompute_shares(view, lambda name, what: found.append(name), lambda stage, done, total: None)
    assert found == [f"derivations/{CORPUS}/{one.derivation_id}"]


def test_small_corpora_keep_no_shares(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """To read them anew costs less than the rows."""
    monkeypatch.setattr(shares, "KEPT_FROM", len(DOCUMENTS) + 1)
    assert not _shares(_built(tmp_path))
