"""The same files give the same bytes, wherever they lie and however they were taken in."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import pytest

from coditect.store.store import Store
from coditect.store.view import open_view
from coditect.testing.engine.memory import MemoryEngine
from tests.corpora import CORPUS, DOCUMENTS, build_all, folder_of, ingest_all, rows
from tests.places import open_at

SAME = {**DOCUMENTS, "copy of access.md": DOCUMENTS["access.md"], "suppliers/zzz.md": DOCUMENTS["access.md"]}
"""The small corpus, with one text under three names."""


def _reference(folder: Path) -> tuple[Store, str]:
    store = Store(MemoryEngine())
    ingest_all(store, folder_of(folder, SAME))
    return store, build_all(store).build_id


def _at_once(store: Store, folder: Path) -> None:
    ingest_all(store, folder_of(folder, SAME))
    build_all(store)


def _two_processes(store: Store, folder: Path) -> None:
    ingest_all(store, folder_of(folder, SAME), jobs=2)
    build_all(store, jobs=2)


def _one_by_one(store: Store, folder: Path) -> None:
    names = sorted(SAME)
    random.Random(5).shuffle(names)  # noqa: S311 - any order
    for name in names:
        # A file that is given by itself is called by its own name, so each lies in a folder of its own.
        ingest_all(store, folder_of(folder / str(names.index(name)), {name: SAME[name]}))
    build_all(store)


def _backwards_with_a_build_after_each(store: Store, folder: Path) -> None:
    for number, name in enumerate(sorted(SAME, reverse=True)):
        ingest_all(store, folder_of(folder / str(number), {name: SAME[name]}))
        build_all(store)


def _copies_first(store: Store, folder: Path) -> None:
    ingest_all(store, folder_of(folder / "1", {name: SAME[name] for name in SAME if name not in DOCUMENTS}))
    ingest_all(store, folder_of(folder / "2", SAME))
    build_all(store)


@pytest.mark.parametrize("way", [_at_once, _two_processes, _one_by_one, _copies_first])
def test_build_of_the_same_files_is_byte_identical(way: Callable[[Store, Path], None], tmp_path: Path) -> None:
    """Every row of every item and index table, and the build id: folder, order and number of processes leave no trace."""
    reference, build_id = _reference(tmp_path / "reference")
    store = Store(MemoryEngine())
    way(store, tmp_path / "elsewhere" / "deeper")
    assert store.corpus(CORPUS).build_id == build_id
    assert rows(store) == rows(reference)


def test_build_after_each_file_ends_in_the_same_generation(tmp_path: Path) -> None:
    """Generations on the way leave items of their own; the last is the same, and its items are the same bytes."""
    reference, build_id = _reference(tmp_path / "reference")
    store = Store(MemoryEngine())
    _backwards_with_a_build_after_each(store, tmp_path / "elsewhere")
    assert store.corpus(CORPUS).build_id == build_id
    mine, wanted = rows(store), rows(reference)
    for table, known in wanted.items():
        assert known.items() <= mine[table].items(), table


def test_build_on_a_cluster_that_repeats_commits_is_byte_identical(tmp_path: Path) -> None:
    """Bodies that run again after they have committed change nothing: rows, generations and feed but for repeated events."""
    reference, build_id = _reference(tmp_path / "reference")
    store = Store(MemoryEngine(rerun=True))
    _at_once(store, tmp_path / "elsewhere")
    assert store.corpus(CORPUS).build_id == build_id
    assert rows(store) == rows(reference)


def test_build_on_disk_and_in_memory_is_byte_identical(tmp_path: Path) -> None:
    """The engine is not part of what is stored."""
    reference, _ = _reference(tmp_path / "reference")
    engine = open_at(tmp_path / "store")
    store = Store(engine)
    _at_once(store, tmp_path / "elsewhere")
    assert rows(store) == rows(reference)
    engine.close()


def test_build_of_one_text_under_three_names_holds_it_once_under_the_first(tmp_path: Path) -> None:
    """The first by name is cited, whichever was given first."""
    store, _ = _reference(tmp_path)
    names = sorted(version.name for version in open_view(store, CORPUS).documents.values())
    assert names == sorted(name for name in DOCUMENTS if name not in SAME or name != "suppliers/zzz.md")
