"""A build after a change is the build of the files as they are, and costs only what changed."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from coditect.errors import Corrupt, UsageError
from coditect.integrity.validate import validate
from coditect.knowledge.report.status import corpus_status
from coditect.schemas import BuildSettings
from coditect.store.generations import generations, manifest_of
from coditect.store.store import Store
from coditect.store.view import open_view
from coditect.testing.engine.memory import MemoryEngine
from tests.corpora import CORPUS, DOCUMENTS, build_all, feed, folder_of, ingest_all, rows, table_rows

Documents = dict[str, str]


def _change(documents: Documents) -> None:
    documents["access.md"] = documents["access.md"].replace("90 days", "60 days")


def _add(documents: Documents) -> None:
    documents["new.md"] = "# Clean Desk Policy\n\nEmployees shall lock papers away at the end of each day.\n"


def _remove(documents: Documents) -> None:
    del documents["incident.md"]


def _rename(documents: Documents) -> None:
    documents["renamed.md"] = documents.pop("retention.txt")


def _all(documents: Documents) -> None:
    for step in (_change, _add, _remove, _rename):
        step(documents)


def _add_copy_that_comes_first(documents: Documents) -> None:
    documents["a copy.md"] = documents["incident.md"]


def _nothing(documents: Documents) -> None:
    """The files are written again as they were."""


def _fresh(folder: Path, documents: Documents) -> Store:
    store = Store(MemoryEngine())
    ingest_all(store, folder_of(folder, documents))
    build_all(store)
    return store


@pytest.mark.parametrize("step", [_change, _add, _remove, _rename, _add_copy_that_comes_first, _all])
def test_build_after_a_change_equals_a_clean_build(step: Callable[[Documents], None], tmp_path: Path) -> None:
    """Same build id, same manifest, and every item of the clean build is there, byte for byte."""
    documents = dict(DOCUMENTS)
    store = _fresh(tmp_path / "before", documents)
    step(documents)
    report = ingest_all(store, folder_of(tmp_path / "after", documents), sync=True)
    assert report.count("failed") == 0
    assert corpus_status(store, CORPUS)[0].pending > 0
    built = build_all(store)
    clean = _fresh(tmp_path / "clean", documents)
    assert built.build_id == clean.corpus(CORPUS).build_id
    assert manifest_of(store, CORPUS, built.build_id) == manifest_of(clean, CORPUS, built.build_id)
    mine = rows(store)
    assert all(known.items() <= mine[table].items() for table, known in rows(clean).items())
    assert corpus_status(store, CORPUS)[0].pending == 0
    assert validate(store, CORPUS).findings == ()


def test_build_after_a_change_derives_only_what_changed(tmp_path: Path) -> None:
    """Tier 1 and 2 of the changed document are made, all others are used again; both are counted right."""
    documents = dict(DOCUMENTS)
    store = _fresh(tmp_path / "before", documents)
    before = open_view(store, CORPUS)
    _change(documents)
    ingest_all(store, folder_of(tmp_path / "after", documents))
    report = build_all(store)
    after = open_view(store, CORPUS)
    changed = next(d for d, version in after.documents.items() if version.name == "access.md")
    for tier, items in (("extractions", after.extractions), ("chunks", after.chunks)):
        assert report.derived[tier] == len(items(changed))
        assert report.derived[tier] + report.reused[tier] == report.counts[tier]
    assert report.derived["sections"] + report.reused["sections"] == report.counts["sections"] == len(after.sections)
    same = {s.section_id for s in before.sections} & {s.section_id for s in after.sections}
    assert report.reused["sections"] == len(same)
    assert {d for d in before.entries if before.entries[d] != after.entries[d]} == {changed}


@pytest.mark.parametrize("step", [_nothing, lambda documents: None])
def test_build_again_unchanged_changes_nothing(step: Callable[[Documents], None], tmp_path: Path) -> None:
    """No generation, no feed event, not one row: and everything is counted as used again."""
    documents = dict(DOCUMENTS)
    store = _fresh(tmp_path / "files", documents)
    step(documents)
    events, state = feed(store, CORPUS), rows(store)
    report = ingest_all(store, folder_of(tmp_path / "files", documents))
    assert report.count("unchanged") == len(documents)
    built = build_all(store)
    assert not built.changed
    assert (built.generation, sum(built.derived.values())) == (1, 0)
    assert built.reused["extractions"] == built.counts["extractions"]
    assert feed(store, CORPUS) == events
    assert len(generations(store, CORPUS)) == 1
    assert rows(store) == state


def test_build_back_to_the_first_state_makes_nothing_new(tmp_path: Path) -> None:
    """A change that is taken back is a third generation with the first one's build."""
    documents = dict(DOCUMENTS)
    store = _fresh(tmp_path / "1", documents)
    first = store.corpus(CORPUS).build_id
    _change(documents)
    ingest_all(store, folder_of(tmp_path / "2", documents))
    second = build_all(store)
    assert second.build_id != first
    ingest_all(store, folder_of(tmp_path / "3", DOCUMENTS))
    third = build_all(store)
    assert (third.build_id, third.generation, third.changed) == (first, 3, True)
    assert sum(third.derived.values()) == 0


def test_build_with_other_settings_uses_what_they_do_not_touch(built: Store) -> None:
    """Another way to select makes new chunks, never new extractions."""
    report = build_all(built, settings=BuildSettings(extraction_method="tfidf"))
    assert report.derived["extractions"] == 0
    assert report.derived["chunks"] == report.counts["chunks"] > 0
    assert report.generation == 2


def test_build_whose_derivations_were_lost_makes_them_again(built: Store) -> None:
    """The memory of finished steps may be deleted: the same build comes out, and the items are recognised."""
    build_id = built.corpus(CORPUS).build_id
    begin, end = built.keys.bounds("derivations")
    before = table_rows(built.engine, built, "derivations")
    built.engine.run(lambda transaction: transaction.clear_range(begin, end))
    report = build_all(built)
    assert (report.build_id, report.changed) == (build_id, False)
    assert table_rows(built.engine, built, "derivations") == before


def test_build_with_a_lost_document_version_says_so(built: Store) -> None:
    """A document is never silently left out: an intake that points to nothing is an error that names the document."""
    begin, end = built.keys.bounds("documents")
    first = min(table_rows(built.engine, built, "documents"))
    assert begin < first < end
    built.engine.run(lambda transaction: transaction.clear(first))
    with pytest.raises(Corrupt) as caught:
        build_all(built)
    assert any(name in str(caught.value) for name in DOCUMENTS)


def test_build_of_nothing_says_what_to_do(memory: Store, tmp_path: Path) -> None:
    """A corpus whose documents were all withdrawn has nothing to build; its last generation stays."""
    ingest_all(memory, folder_of(tmp_path / "some", DOCUMENTS))
    build_all(memory)
    (tmp_path / "none").mkdir()
    assert ingest_all(memory, tmp_path / "none", sync=True).count("withdrawn") == len(DOCUMENTS)
    with pytest.raises(UsageError):
        build_all(memory)
    assert open_view(memory, CORPUS).generation == 1
