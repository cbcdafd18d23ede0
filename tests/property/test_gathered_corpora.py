"""Whatever is edited: a build that counts what changed, and takes over what is gathered of the rest, is the build of the files."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from coditect.knowledge.building import material, shares
from coditect.knowledge.building.gathered.corpus import Gathered
from coditect.retrieve.local.replica import Replicas
from coditect.store.store import Store
from coditect.store.view import open_view
from coditect.testing.engine.memory import MemoryEngine
from coditect.tiers.shares import times
from coditect.tiers.shares.sums import Sums
from tests.corpora import CORPUS, DOCUMENTS, build_all, folder_of, ingest_all
from tests.effort import FULL
from tests.property.test_changed_corpora import _document, _edited, _settings

SEQUENCES = 200 if FULL else 4
EDITS = 20 if FULL else 8
LARGE = 8
"""Documents at the start, so that a change touches a small part."""


@pytest.mark.parametrize("seed", range(SEQUENCES))
def test_builds_after_edits_that_gather_are_builds_of_the_files(
    seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After every edit of a random sequence the build has the id of a clean one, and sums are those of all shares."""
    draw = random.Random(seed)  # noqa: S311 - drawn for a test
    documents = {name: text for name, text in DOCUMENTS.items() if draw.random() < 0.7 or name == "access.md"}
    documents |= {f"made-{number}.md": _document(draw) for number in range(LARGE)}
    settings = _settings(draw)
    store = Store(MemoryEngine())
    replicas = Replicas(store, tmp_path / "cache")
    monkeypatch.setattr(times, "LEAST_SHARE", draw.choice((1, 8, 10_000)))
    changed = 0
    for number in range(EDITS):
        for each in (shares, material):
            monkeypatch.setattr(each, "KEPT_FROM", 0)
        gathered = Gathered(replicas, CORPUS)
        ingest_all(store, folder_of(tmp_path / f"now-{number}", documents), sync=True)
        found = build_all(store, settings=settings, gathered=gathered).build_id
        kept = gathered.kept
        if kept is not None:
            changed += gathered.is_found
            assert told_by(kept.sums) == told_by(Sums.of(kept.shares)), f"seed {seed}, edit {number}"
        gathered.put(open_view(store, CORPUS))
        for each in (shares, material):
            monkeypatch.setattr(each, "KEPT_FROM", 1_000)
        fresh = Store(MemoryEngine())
        ingest_all(fresh, folder_of(tmp_path / f"clean-{number}", documents), sync=True)
        assert found == build_all(fresh, settings=settings).build_id, f"seed {seed}, edit {number}"
        _edited(documents, draw)
        if draw.random() < 0.15:
            settings = _settings(draw)
    assert changed, "nothing was taken over, so that nothing was tried"


def told_by(sums: Sums) -> object:
    """What sums tell, whatever runs their times lie in."""
    told = []
    for own in (sums.said, sums.words, sums.found):
        codes = sorted({code for run in own.runs for code in run.codes.tolist()})
        told.append([(code, count) for code in codes if (count := own.of(code))])
    return told, sums.statements, sums.requirements, sums.documents
