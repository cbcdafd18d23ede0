"""Each kind of hostile file, among all others: it is read or refused by name, and the good ones are what they are alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from coditect.knowledge.derivation.report import BuildReport
from coditect.knowledge.ingest.report import FileOutcome
from coditect.schemas import BuildSettings, Extraction, Failure, PassageSettings
from coditect.store.store import Store
from coditect.store.view import open_view
from coditect.testing.engine.memory import MemoryEngine
from tests.corpora import CORPUS, DOCUMENTS, build_all, folder_of, ingest_all
from tests.hostile.catalogue import KINDS
from tests.hostile.kinds import Kind

SETTINGS = BuildSettings(passages=PassageSettings())
"""As users build: passages of the small sizes that other tests use are ten thousand here."""

GOOD = ("a-first.md", "m-between.md", "z-last.md")


@dataclass(frozen=True)
class Taken:
    """A corpus of good files and one of each hostile kind, ingested and built at once."""

    store: Store
    outcomes: dict[str, FileOutcome]
    failures: dict[str, Failure]
    built: BuildReport
    names: frozenset[str]


def _good() -> dict[str, str | bytes]:
    return dict(zip(GOOD, DOCUMENTS.values(), strict=False))


def _taken(folder: Path) -> Taken:
    store = Store(MemoryEngine())
    outcomes = {outcome.name: outcome for outcome in ingest_all(store, folder).outcomes}
    built = build_all(store, settings=SETTINGS)
    names = frozenset(version.name for version in open_view(store, CORPUS).documents.values())
    failures = {record.name: record for _, record in store.scan("failures", Failure, CORPUS)}
    return Taken(store, outcomes, failures, built, names)


@pytest.fixture(scope="module")
def taken(tmp_path_factory: pytest.TempPathFactory) -> Taken:
    """All kinds in one folder: one reading process meets many of them, one after the other."""
    hostile = {kind.name + kind.suffix: kind.make(kind.small) for kind in KINDS}
    return _taken(folder_of(tmp_path_factory.mktemp("hostile"), {**_good(), **hostile}))


def _extractions(store: Store, names: Sequence[str]) -> set[str]:
    documents = {v.document_id for v in open_view(store, CORPUS).documents.values() if v.name in names}
    return {e.extraction_id for _, e in store.scan("extractions", Extraction, CORPUS) if e.document_id in documents}


def test_kinds_are_as_many_as_promised() -> None:
    """At least forty kinds, each with a name of its own, and 136 files."""
    assert len({kind.name for kind in KINDS}) == len(KINDS) >= 40
    assert sum(len(kind.large) for kind in KINDS) >= 136


def test_neighbours_of_hostile_files_are_what_they_are_alone(taken: Taken, tmp_path: Path) -> None:
    """Before, between and behind all kinds: taken in, built, and the same records as without any."""
    alone = _taken(folder_of(tmp_path, _good()))
    assert {taken.outcomes[name].status for name in GOOD} == {"added"}
    assert taken.names >= set(GOOD)
    assert _extractions(taken.store, GOOD) == _extractions(alone.store, GOOD) != set()


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_hostile_file_is_read_or_refused_by_name(kind: Kind, taken: Taken) -> None:
    """It is a document, or a failure of ingest or build with a way out; never both, never neither."""
    assert kind.make(kind.small) == kind.make(kind.small)
    name = kind.name + kind.suffix
    refused = taken.outcomes[name].status == "failed"
    assert refused or not kind.refused
    assert (name in taken.names) != (name in taken.failures)
    failed_builds = {failure.name for failure in taken.built.failures}
    assert (name in failed_builds) == (name in taken.failures and not refused)
    if name in taken.failures:
        assert taken.failures[name].hint
