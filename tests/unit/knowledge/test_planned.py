"""What a build plans of documents is used by the next one as long as it is the same."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from coditect.knowledge.derivation.corpus import present_documents
from coditect.knowledge.derivation.plan import DocumentPlan, passage_plan, plan_each
from coditect.models.port import ModelSources
from coditect.schemas import BuildSettings, DeclaredProfile, DocumentVersion, Intake, TreeEntry
from coditect.store.intake.documents import iter_present
from coditect.store.rows import ReadRows, place_of
from coditect.store.store import Store
from coditect.store.view import open_view
from coditect.testing.engine.memory import MemoryEngine
from tests.corpora import CORPUS, DOCUMENTS, build_all, folder_of, ingest_all

SETTINGS = BuildSettings()
CUT = passage_plan(SETTINGS, ModelSources())

Present = list[tuple[Intake, DocumentVersion]]


@pytest.fixture
def store(tmp_path: Path) -> Store:
    """A corpus that was built."""
    store = Store(MemoryEngine())
    ingest_all(store, folder_of(tmp_path / "files", DOCUMENTS))
    build_all(store)
    return store


def _plans(present: Present, before: list[DocumentPlan], listed: dict[str, TreeEntry]) -> list[DocumentPlan]:
    planned = {each.version.document_id: each for each in before}
    return plan_each(present, SETTINGS, CUT, {}, planned, listed)


def test_plan_that_stays_is_listed_as_it_was_published(store: Store) -> None:
    """Its entry is that of the generation, which names the same derivations as one that is worked out."""
    present, listed = present_documents(store, CORPUS), open_view(store, CORPUS).entries
    first = _plans(present, [], listed)
    assert [each.listed for each in first] == [None] * len(first)
    second = _plans(present, first, listed)
    for before, own in zip(first, second, strict=True):
        assert own.entry is listed[own.version.document_id]
        assert (own.steps, before.entry.extractions, before.entry.chunks) == (
            before.steps,
            own.entry.extractions,
            own.entry.chunks,
        )
    third = _plans(present, second, listed)
    assert all(each is own for each, own in zip(third, second, strict=True))


def test_document_that_the_generation_does_not_list_is_planned_anew(store: Store) -> None:
    """A plan alone says nothing of what was published."""
    present = present_documents(store, CORPUS)
    first = _plans(present, [], {})
    assert [each.listed for each in _plans(present, first, {})] == [None] * len(first)


@pytest.mark.parametrize("what", ["version", "declared", "selector", "model"])
def test_document_that_is_planned_otherwise_is_planned_anew(store: Store, what: str) -> None:
    """Whatever decides its derivations or its profile."""
    present, listed = present_documents(store, CORPUS), open_view(store, CORPUS).entries
    first = _plans(present, [], listed)
    (record, version), *others = present
    if what == "version":
        present = [(record, version.model_copy()), *others]
    elif what == "declared":
        present = [(record.model_copy(update={"declared": DeclaredProfile(role="policy")}), version), *others]
    elif what == "selector":
        first[0].chunks = replace(first[0].chunks, selector="selector/1")
    else:
        first[0].situated_id = "derivation_0"
    changed, *same = _plans(present, first, listed)
    assert changed.listed is None
    assert all(each.listed is not None for each in same)


def test_row_that_stays_is_not_read_again(store: Store) -> None:
    """The record is the same object; one whose row changed is read."""
    first: ReadRows[Intake] = ReadRows()
    before = list(iter_present(store, CORPUS, first))
    second = ReadRows(first.now)
    assert all(a is b for a, b in zip(iter_present(store, CORPUS, second), before, strict=True))
    changed = before[0].model_copy(update={"declared": DeclaredProfile(role="policy")})
    store.put("intake", changed, *place_of("intake", changed))
    third = list(iter_present(store, CORPUS, ReadRows(second.now)))
    assert third[0] == changed
    assert third[0] is not before[0]
    assert all(a is b for a, b in zip(third[1:], before[1:], strict=True))
