"""Folders of work that is under way: none stays, also not of work that was killed."""

from __future__ import annotations

import tempfile
from contextlib import suppress
from multiprocessing.util import get_temp_dir
from pathlib import Path
from threading import Barrier, Thread

import pytest

from coditect.knowledge.labour.scratch import remove_abandoned, scratch_folder
from coditect.store.store import Store
from coditect.testing.engine.memory import MemoryEngine, MemoryStore
from tests.corpora import DOCUMENTS, build_all, folder_of, ingest_all
from tests.integration.sweeps import killed_at
from tests.killed_programs import Program


@pytest.fixture(autouse=True)
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A temporary folder of the test's own, for its programs, too."""
    get_temp_dir()  # what the standard library needs for processes lies elsewhere
    place = tmp_path / "temporary"
    place.mkdir()
    monkeypatch.setenv("TMPDIR", str(place))
    monkeypatch.setattr(tempfile, "tempdir", str(place))
    return place


HELD = """
import tempfile, time
tempfile.tempdir = None
from coditect.knowledge.labour.scratch import scratch_folder
with scratch_folder() as folder:
    (folder / "words").write_text("The clerk shall sign.")
    print("ready", flush=True)
    time.sleep(60)
"""


def test_folder_of_work_is_there_and_goes_with_it(temporary: Path) -> None:
    """Whatever lies in it, and also where the work fails."""
    with suppress(ZeroDivisionError), scratch_folder() as folder:
        assert folder.parent == temporary
        (folder / "below").mkdir()
        (folder / "below" / "words").write_text("The clerk shall sign.")
        raise ZeroDivisionError
    assert list(temporary.iterdir()) == []


def test_folder_of_killed_work_goes_with_the_next(tmp_path: Path, temporary: Path) -> None:
    """Not while the process lives, and not of somebody who is at work beside it."""
    with Program.written(tmp_path / "held.py", HELD).running() as process:
        (held,) = temporary.iterdir()
        assert remove_abandoned() == [held]
        process.kill()
        process.wait()
        assert (held / "words").exists()
        with scratch_folder() as own:
            assert remove_abandoned() == list(temporary.iterdir()) == [own]
    assert list(temporary.iterdir()) == []


def test_folders_of_many_threads_are_their_own(temporary: Path) -> None:
    """However work begins and ends at once, each keeps its folder to its end."""
    barrier, wrong = Barrier(4), list[str]()

    def work(name: str) -> None:
        barrier.wait()
        for number in range(50):
            with scratch_folder() as folder:
                (folder / name).write_text(str(number))
                if [each.name for each in folder.iterdir()] != [name]:
                    wrong.append(name)

    threads = [Thread(target=work, args=(str(number),)) for number in range(4)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert not wrong
    assert list(temporary.iterdir()) == []


def test_folder_of_an_older_release_is_told_and_left(temporary: Path) -> None:
    """It may be at work in it, and holds no lock that would say so; one without a file holds no words."""
    former = temporary / "coditect-build-abc"
    former.mkdir()
    (temporary / "coditect-build-empty").mkdir()
    (former / "words").write_text("The clerk shall sign.")
    with scratch_folder() as own:
        assert remove_abandoned() == [former, own]
    assert remove_abandoned() == [former]


def test_what_is_no_folder_of_ours_is_told_and_left(temporary: Path) -> None:
    """A link and a file with such a name: nothing behind them is touched."""
    behind = temporary / "behind"
    behind.mkdir()
    (behind / "words").write_text("kept")
    (temporary / "coditect-work-link").symlink_to(behind)
    (temporary / "coditect-work-file").write_text("kept")
    assert [each.name for each in remove_abandoned()] == ["coditect-work-file", "coditect-work-link"]
    assert (behind / "words").read_text() == "kept"


@pytest.mark.parametrize("at", [None, 3, 6], ids=["whole", "stopped early", "stopped late"])
def test_builds_leave_no_folder(at: int | None, tmp_path: Path, temporary: Path) -> None:
    """A build that ends, and one that is interrupted by whatever."""
    memory = MemoryStore()
    store = Store(MemoryEngine(memory))
    ingest_all(store, folder_of(tmp_path / "documents", DOCUMENTS))
    if at is None:
        build_all(store)
    else:
        assert killed_at(memory, build_all, at)
    assert list(temporary.iterdir()) == []
