"""What a build takes of the current generation instead of reading it of every derivation."""

from __future__ import annotations

from pathlib import Path

import pytest

from coditect.knowledge.derivation.published import NOTHING_KEPT, TIERS_OF_DOCUMENTS, Published, shard_of
from coditect.schemas import TreeEntry
from coditect.store.store import Store
from coditect.store.view import View, open_view
from coditect.testing.engine.memory import MemoryEngine
from tests.corpora import CORPUS, DOCUMENTS, build_all, folder_of, ingest_all


@pytest.fixture
def view(tmp_path: Path) -> View:
    """A corpus that was built."""
    store = Store(MemoryEngine())
    ingest_all(store, folder_of(tmp_path / "files", DOCUMENTS))
    build_all(store)
    return open_view(store, CORPUS)


def _planned(view: View) -> list[TreeEntry]:
    """The same documents as the next build plans them, if nothing changes."""
    return [entry.model_copy(update={"derivations_sha256": ""}) for entry in view.entries.values()]


def _published(view: View) -> Published:
    return Published(view.store, view.store.corpus(CORPUS))


def _counted(view: View, entries: list[TreeEntry]) -> dict[str, int]:
    """Items of some documents, counted from their derivations."""
    found = view.store.derivations(CORPUS, [each for entry in entries for each in entry.steps])
    return {
        tier: sum(len(found[each].outputs) for entry in entries for each in getattr(entry, tier))
        for tier in TIERS_OF_DOCUMENTS
    }


def test_unchanged_documents_are_kept_with_their_counts_and_trees(view: View) -> None:
    """Nothing of them has to be read."""
    kept = _published(view).kept(_planned(view), is_profiled=True)
    assert dict(kept.entries) == view.entries
    assert kept.counts == {tier: view.manifest.counts[tier] for tier in TIERS_OF_DOCUMENTS}
    assert kept.trees == view.manifest.trees


@pytest.mark.parametrize("field", ["version_id", *TIERS_OF_DOCUMENTS, "profile"])
def test_document_that_is_planned_otherwise_is_not_kept(view: View, field: str) -> None:
    """Its items are taken out of the sums, and its tree is drawn up again."""
    first, *others = _planned(view)
    changed = first.model_copy(update={field: "version_0" if field == "version_id" else ("derivation_0",)})
    kept = _published(view).kept([changed, *others], is_profiled=True)
    assert set(kept.entries) == {each.document_id for each in others}
    assert kept.counts == _counted(view, others) != _counted(view, [first, *others])
    assert shard_of(first.document_id) not in kept.trees
    assert kept.trees.items() <= view.manifest.trees.items()


def test_profile_is_not_asked_for_before_it_is_known(view: View) -> None:
    """Documents are planned without their profiles, and compared so."""
    planned = [each.model_copy(update={"profile": ()}) for each in _planned(view)]
    assert dict(_published(view).kept(planned, is_profiled=False).entries) == view.entries
    assert _published(view).kept(planned, is_profiled=True) == NOTHING_KEPT


def test_nothing_is_kept_where_most_documents_changed(view: View) -> None:
    """To read what is left costs less then."""
    first, *others = _planned(view)
    assert _published(view).kept([first], is_profiled=True) == NOTHING_KEPT
    assert _published(view).kept(others[:-1], is_profiled=True) != NOTHING_KEPT


@pytest.mark.parametrize("whose", [0, -1])
def test_nothing_is_kept_where_a_derivation_is_not_there(view: View, whose: int) -> None:
    """Neither of a document that stays nor of one that goes can be told how much of the sum is its own."""
    planned = _planned(view)
    view.store.remove("derivations", CORPUS, planned[whose].chunks[0])
    assert _published(view).kept(planned[1:], is_profiled=True) == NOTHING_KEPT


@pytest.mark.parametrize("table", ["trees", "manifests"])
def test_nothing_is_kept_of_a_generation_that_lacks_something(view: View, table: str) -> None:
    """As before there was one."""
    planned = _planned(view)
    row = view.manifest.build_id if table == "manifests" else next(iter(view.manifest.trees.values()))
    view.store.remove(table, CORPUS, row)
    assert _published(view).kept(planned, is_profiled=True) == NOTHING_KEPT


def test_derivation_that_is_lost_is_made_again_by_the_next_build(view: View, tmp_path: Path) -> None:
    """Also of a document that did not change."""
    lost, *_ = view.entries.values()
    view.store.remove("derivations", CORPUS, lost.chunks[0])
    found = build_all(view.store)
    assert found.build_id == view.manifest.build_id
    assert view.store.derivations(CORPUS, lost.chunks)
    assert found.reused["chunks"] + found.derived["chunks"] >= view.manifest.counts["chunks"]
