"""kill -9 at any moment of an ingest or a build costs work, never a record: the next run ends where an undisturbed one does."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import pytest

from coditect.errors import NotFound
from coditect.integrity.validate import validate
from coditect.store.generations import generations
from coditect.store.store import Store
from coditect.store.view import open_view
from tests.corpora import CORPUS, DOCUMENTS, build_all, folder_of, ingest_all
from tests.integration.processes import check_whole
from tests.places import open_at

KILLS = 20
REPOSITORY = Path(__file__).parents[2]

SCRIPT = """
import sys
from pathlib import Path
from coditect.knowledge import build_documents as building
from coditect.store.store import Store
from coditect.telemetry import configure_logging
from tests.corpora import build_all, ingest_all
from tests.places import open_at
if __name__ == "__main__":
    configure_logging("WARNING")
    what, store, folder, jobs = sys.argv[1:]
    building.FLUSH_ITEMS = 50  # many moments between transactions
    store = Store(open_at(Path(store), durable=True))
    print("ready", flush=True)
    if what == "ingest":
        ingest_all(store, Path(folder), jobs=int(jobs))
    else:
        build_all(store, jobs=int(jobs))
    print("done", flush=True)
"""


def _documents() -> dict[str, str]:
    """Enough to be at work for a while: forty policies that differ."""
    return {
        f"{n:02}/{name}": text.replace("90 days", f"{n + 1} days").replace("The clerk", f"Clerk {n}")
        + f"\nClerk {n} shall sign.\n"
        for n in range(10)
        for name, text in DOCUMENTS.items()
    }


@dataclass(frozen=True)
class Undisturbed:
    """What a run without a kill gives."""

    folder: Path
    build_id: str
    ingest_s: float
    build_s: float


@contextmanager
def _running(script: Path, what: str, store: Path, folder: Path, jobs: int) -> Iterator[subprocess.Popen[str]]:
    """A process of its own session, so that its workers die with it."""
    process = subprocess.Popen(
        [sys.executable, str(script), what, str(store), str(folder), str(jobs)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=REPOSITORY,
        env={**os.environ, "PYTHONPATH": str(REPOSITORY)},
        start_new_session=True,
    )
    try:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n", process.communicate()[1]
        yield process
    finally:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.communicate()


def _timed(script: Path, what: str, store: Path, folder: Path) -> float:
    with _running(script, what, store, folder, 1) as process:
        begin = time.monotonic()
        out, err = process.communicate(timeout=120)
        assert out == "done\n", err
        return time.monotonic() - begin


@pytest.fixture(scope="module")
def script(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The program that is killed, as a file: worker processes import it again."""
    path = tmp_path_factory.mktemp("script") / "work.py"
    path.write_text(SCRIPT)
    return path


@pytest.fixture(scope="module")
def undisturbed(script: Path, tmp_path_factory: pytest.TempPathFactory) -> Undisturbed:
    """One run from beginning to end."""
    base = tmp_path_factory.mktemp("undisturbed")
    folder = folder_of(base / "files", _documents())
    ingest_s = _timed(script, "ingest", base / "store", folder)
    build_s = _timed(script, "build", base / "store", folder)
    with closing(open_at(base / "store")) as engine:
        return Undisturbed(folder, Store(engine).corpus(CORPUS).build_id, ingest_s, build_s)


def _kill_after(script: Path, what: str, store: Path, folder: Path, seconds: float, jobs: int = 1) -> bool:
    """Run and kill -9 the whole process group; whether it was still at work."""
    with _running(script, what, store, folder, jobs) as process:
        time.sleep(seconds)
        at_work = process.poll() is None
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait(30)
    return at_work


def test_kill_during_builds_ends_in_the_undisturbed_build(
    script: Path, undisturbed: Undisturbed, tmp_path: Path
) -> None:
    """Twenty kills at seeded moments, each of a build that goes on where the last was killed; a reader sees nothing of it."""
    path = tmp_path / "store"
    with closing(open_at(path)) as engine:
        ingest_all(Store(engine), undisturbed.folder)
    moments = random.Random(20)  # noqa: S311 - any moments, but the same ones
    at_work = 0
    for _ in range(KILLS):
        at_work += _kill_after(
            script, "build", path, undisturbed.folder, moments.uniform(0.0, 0.2) * undisturbed.build_s
        )
        with closing(open_at(path)) as engine:
            store = Store(engine)
            try:
                check_whole(open_view(store, CORPUS))
            except NotFound:
                assert store.corpus(CORPUS).generation == 0
    assert at_work >= KILLS // 4, "the kills came too late to mean anything"
    with closing(open_at(path)) as engine:
        store = Store(engine)
        assert build_all(store).build_id == undisturbed.build_id
        assert len(generations(store, CORPUS)) == 1
        assert validate(store, CORPUS).findings == ()


def test_kill_at_any_moment_of_a_fresh_build_is_made_good(
    script: Path, undisturbed: Undisturbed, tmp_path: Path
) -> None:
    """Kills spread over the whole length of a build, each of a store of its own."""
    moments = random.Random(21)  # noqa: S311 - as above
    for number in range(4):
        path = tmp_path / f"store{number}"
        with closing(open_at(path)) as engine:
            ingest_all(Store(engine), undisturbed.folder)
        _kill_after(script, "build", path, undisturbed.folder, moments.uniform(0.0, 1.0) * undisturbed.build_s)
        with closing(open_at(path)) as engine:
            store = Store(engine)
            assert build_all(store).build_id == undisturbed.build_id
            assert len(generations(store, CORPUS)) == 1
            assert validate(store, CORPUS).findings == ()


def test_kill_of_a_build_with_worker_processes_leaves_none_of_them(
    script: Path, undisturbed: Undisturbed, tmp_path: Path
) -> None:
    """The parent alone is killed: its workers end by themselves, and the next build is whole."""
    path = tmp_path / "store"
    with closing(open_at(path)) as engine:
        ingest_all(Store(engine), undisturbed.folder)
    with _running(script, "build", path, undisturbed.folder, 2) as process:
        time.sleep(0.8 + undisturbed.build_s / 4)
        process.kill()
        process.wait(30)
        ends = time.monotonic() + 30
        while _group_members(process.pid) and time.monotonic() < ends:
            time.sleep(0.05)
        assert _group_members(process.pid) == []
    with closing(open_at(path)) as engine:
        store = Store(engine)
        assert build_all(store).build_id == undisturbed.build_id
        assert validate(store, CORPUS).findings == ()


def _group_members(group: int) -> list[int]:
    """Processes of a group that are not zombies; [] also where there is no /proc to look at."""
    found = []
    for entry in Path("/proc").glob("[0-9]*"):
        with suppress(OSError, ValueError):
            fields = (entry / "stat").read_text().rpartition(")")[2].split()
            if int(fields[2]) == group and fields[0] != "Z":
                found.append(int(entry.name))
    return found


def test_kill_during_ingests_ends_in_the_undisturbed_build(
    script: Path, undisturbed: Undisturbed, tmp_path: Path
) -> None:
    """Kills at seeded moments of an ingest, then one that is left alone: nothing is missing and nothing is broken."""
    path = tmp_path / "store"
    moments = random.Random(22)  # noqa: S311 - as above
    for _ in range(8):
        _kill_after(script, "ingest", path, undisturbed.folder, moments.uniform(0.0, 1.0) * undisturbed.ingest_s)
    with closing(open_at(path)) as engine:
        store = Store(engine)
        report = ingest_all(store, undisturbed.folder)
        assert report.count("added", "unchanged") == len(_documents())
        assert build_all(store).build_id == undisturbed.build_id
        assert validate(store, CORPUS).findings == ()
