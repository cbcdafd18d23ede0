"""Folders that several use: none goes while somebody opens it."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from threading import Thread

from coditect.engine.folders import begun, leased, remove_abandoned, remove_unused


def test_leased_folder_is_not_removed(tmp_path: Path) -> None:
    """By nobody, however many hold it; it goes when the last of them lets go."""
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / "file").write_text("words")
    with leased(folder) as first:
        with leased(folder) as second:
            assert first
            assert second
            assert not remove_unused(folder)
        assert not remove_unused(folder)
        assert (folder / "file").read_text() == "words"
    assert remove_unused(folder)
    assert list(tmp_path.iterdir()) == []


def test_lease_of_a_folder_that_is_gone_says_so(tmp_path: Path) -> None:
    """Who wants to open it knows that it must be made; who wants to remove it has nothing to do."""
    with leased(tmp_path / "none") as there:
        assert not there
    assert remove_unused(tmp_path / "none")


def test_lease_that_waits_for_a_removal_finds_nothing(tmp_path: Path) -> None:
    """Many threads open and remove the same folder: each that gets a lease finds the file inside, to the end of its lease."""
    wrong: list[str] = []

    def use() -> None:
        for _ in range(200):
            folder = tmp_path / "folder"
            with leased(folder) as there:
                if there and not (folder / "file").exists():
                    wrong.append("a leased folder lost its file")
            with begun(tmp_path) as work:
                (work / "file").write_text("words")
                if not folder.exists():
                    with suppress(OSError):  # another was first
                        work.rename(folder)
            remove_unused(folder)

    threads = [Thread(target=use) for _ in range(4)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert wrong == []


def test_begun_folder_is_kept_only_under_another_name(tmp_path: Path) -> None:
    """What was not finished leaves nothing; what was renamed stays, leased until the end."""
    with begun(tmp_path / "cache") as work:
        (work / "file").write_text("half")
    assert list((tmp_path / "cache").iterdir()) == []
    with begun(tmp_path / "cache") as work:
        (work / "file").write_text("whole")
        work.rename(tmp_path / "cache" / "done")
        assert not remove_unused(tmp_path / "cache" / "done")
    assert (tmp_path / "cache" / "done" / "file").read_text() == "whole"


def test_abandoned_folders_are_removed_and_those_in_work_are_not(tmp_path: Path) -> None:
    """A killed process holds no lease: what it began, or was removing, goes at once."""
    for name in (".making-killed", ".removed-killed", "replica"):
        (tmp_path / name / "inside").mkdir(parents=True)
    with begun(tmp_path) as work:
        remove_abandoned(tmp_path)
        assert {each.name for each in tmp_path.iterdir()} == {work.name, "replica"}
