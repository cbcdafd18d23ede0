"""Each kind of hostile file, beside a good one: it is read or refused by name, and the good one is taken in and built."""

from __future__ import annotations

from pathlib import Path

import pytest

from coditect.schemas import Failure
from coditect.store.store import Store
from coditect.store.view import open_view
from tests.corpora import CORPUS, DOCUMENTS, build_all, folder_of, ingest_all
from tests.hostile.catalogue import KINDS
from tests.hostile.kinds import Kind

GOOD = "good.md"


def test_kinds_are_as_many_as_promised() -> None:
    """At least forty kinds, each with a name of its own, and 136 files."""
    assert len({kind.name for kind in KINDS}) == len(KINDS) >= 40
    assert sum(len(kind.large) for kind in KINDS) >= 136


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_hostile_file_costs_nobody_else_anything(kind: Kind, tmp_path: Path, memory: Store) -> None:
    """The neighbour is built; the hostile file is a document, or a failure of ingest or build with a way out."""
    hostile = "hostile" + kind.suffix
    raw = kind.make(kind.small)
    assert raw == kind.make(kind.small)
    ingested = ingest_all(memory, folder_of(tmp_path, {GOOD: DOCUMENTS["access.md"], hostile: raw}))
    outcomes = {outcome.name: outcome for outcome in ingested.outcomes}
    assert outcomes[GOOD].status == "added"
    refused = outcomes[hostile].status == "failed"
    assert refused or not kind.refused
    built = build_all(memory)
    names = {version.name for version in open_view(memory, CORPUS).documents.values()}
    failures = {record.name: record for _, record in memory.scan("failures", Failure, CORPUS)}
    assert GOOD in names
    assert (hostile in names) != (hostile in failures)
    assert refused or [failure.name for failure in built.failures] == [name for name in failures if name == hostile]
    assert all(failure.hint for failure in failures.values())
