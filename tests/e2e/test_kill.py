"""kill -9 at any moment of an ingest or a build costs work, never a record: the next run ends where an undisturbed one does."""

from __future__ import annotations

import random
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import pytest

from coditect.errors import NotFound
from coditect.store.store import Store
from coditect.store.view import open_view
from tests.corpora import CORPUS, folder_of, ingest_all, many_documents
from tests.e2e.corpus_program import CORPUS_PROGRAM
from tests.effort import times
from tests.integration.processes import check_whole
from tests.killed_programs import Program, require_same_build, wait_for_group_to_end
from tests.places import open_at

KILLS = times(10, least=3)
DOCUMENTS = many_documents(10)


@dataclass(frozen=True)
class Undisturbed:
    """What a run without a kill gives, and how many transactions it writes."""

    folder: Path
    build_id: str
    ingest_steps: int
    build_steps: int


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Program:
    """Ingests or builds, and is killed."""
    return Program.written(tmp_path_factory.mktemp("program") / "work.py", CORPUS_PROGRAM)


@pytest.fixture(scope="module")
def undisturbed(program: Program, tmp_path_factory: pytest.TempPathFactory) -> Undisturbed:
    """One run from beginning to end."""
    base = tmp_path_factory.mktemp("undisturbed")
    folder = folder_of(base / "files", DOCUMENTS)
    ingest_steps = program.steps("ingest", base / "store", folder, 1)
    build_steps = program.steps("build", base / "store", folder, 1)
    with closing(open_at(base / "store")) as engine:
        return Undisturbed(folder, Store(engine).corpus(CORPUS).build_id, ingest_steps, build_steps)


def _ingested(place: Path, folder: Path) -> Path:
    """A store that is ready to be built; returns it."""
    with closing(open_at(place)) as engine:
        ingest_all(Store(engine), folder)
    return place


def test_kill_during_builds_ends_in_the_undisturbed_build(
    program: Program, undisturbed: Undisturbed, tmp_path: Path
) -> None:
    """Kills at seeded moments, each of a build that goes on where the last was killed; a reader sees nothing of it."""
    path = _ingested(tmp_path / "store", undisturbed.folder)
    moments = random.Random(20)  # noqa: S311 - any moments, but the same ones
    at_work = 0
    for _ in range(KILLS):
        steps, then_s = moments.randrange(max(undisturbed.build_steps // KILLS, 2)), moments.uniform(0.0, 0.003)
        at_work += program.killed(steps, then_s, "build", path, undisturbed.folder, 1)
        with closing(open_at(path)) as engine:
            store = Store(engine)
            try:
                check_whole(open_view(store, CORPUS))
            except NotFound:
                assert store.corpus(CORPUS).generation == 0
    assert at_work >= KILLS // 2, "the kills came too late to mean anything"
    require_same_build(path, undisturbed.build_id)


def test_kill_at_any_moment_of_a_fresh_build_is_made_good(
    program: Program, undisturbed: Undisturbed, tmp_path: Path
) -> None:
    """Kills spread over the whole length of a build, each of a store of its own."""
    moments = random.Random(21)  # noqa: S311 - as above
    for number in range(times(4, least=2)):
        path = _ingested(tmp_path / f"store{number}", undisturbed.folder)
        steps = moments.randrange(undisturbed.build_steps)
        assert program.killed(steps, moments.uniform(0.0, 0.003), "build", path, undisturbed.folder, 1)
        require_same_build(path, undisturbed.build_id)


def test_kill_of_a_build_with_worker_processes_leaves_none_of_them(
    program: Program, undisturbed: Undisturbed, tmp_path: Path
) -> None:
    """The parent alone is killed: its workers end by themselves, and the next build is whole."""
    path = _ingested(tmp_path / "store", undisturbed.folder)
    with program.running("build", path, undisturbed.folder, 2) as process:
        for _ in range(undisturbed.build_steps // 4):
            process.stdout.readline()  # by now the workers are at work
        process.kill()
        process.wait()
        wait_for_group_to_end(process.pid)
    require_same_build(path, undisturbed.build_id)


def test_kill_during_ingests_ends_in_the_undisturbed_build(
    program: Program, undisturbed: Undisturbed, tmp_path: Path
) -> None:
    """Kills at seeded moments of an ingest, then one that is left alone: nothing is missing and nothing is broken."""
    path = tmp_path / "store"
    moments = random.Random(22)  # noqa: S311 - as above
    at_work = 0
    rounds = times(8, least=4)
    for _ in range(rounds):
        steps, then_s = moments.randrange(max(undisturbed.ingest_steps // 6, 2)), moments.uniform(0.0, 0.003)
        at_work += program.killed(steps, then_s, "ingest", path, undisturbed.folder, 1)
    assert at_work >= rounds // 2, "the kills came too late to mean anything"
    with closing(open_at(path)) as engine:
        report = ingest_all(Store(engine), undisturbed.folder)
        assert report.count("added", "unchanged") == len(DOCUMENTS)
    require_same_build(path, undisturbed.build_id)
