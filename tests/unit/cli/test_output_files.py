"""Files that commands write: what they replace, what they write through, and what they leave alone."""

from __future__ import annotations

import os
import stat
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from coditect.cli.output_files import opened_output, require_output, write_output
from coditect.errors import UsageError

CONTENT = b"report\n" * 100
MEMORY = Path("/dev/shm")  # noqa: S108 - a folder below the devices is what is asked for


@pytest.fixture
def _masked() -> Iterator[None]:
    before = os.umask(0o027)
    yield
    os.umask(before)


def mode_of(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@pytest.mark.usefixtures("_masked")
@pytest.mark.parametrize("mode", [0o600, 0o644, 0o666, 0o755])
def test_output_keeps_the_mode_of_the_file_that_it_replaces(tmp_path: Path, mode: int) -> None:
    """A report that its owner hid stays hidden, whatever the umask."""
    path = tmp_path / "report.html"
    path.write_bytes(b"old")
    path.chmod(mode)
    write_output(path, CONTENT)
    assert (path.read_bytes(), mode_of(path)) == (CONTENT, mode)
    assert [each.name for each in tmp_path.iterdir()] == ["report.html"]


@pytest.mark.usefixtures("_masked")
def test_output_that_is_new_honours_the_umask(tmp_path: Path) -> None:
    """As any file that the user makes."""
    write_output(tmp_path / "new.html", CONTENT)
    assert mode_of(tmp_path / "new.html") == 0o640


@pytest.mark.parametrize("there", [True, False], ids=["to a file", "to nothing yet"])
def test_output_through_a_link_leaves_the_link(tmp_path: Path, there: bool) -> None:
    """A symbolic link is a name for the file that is written."""
    (tmp_path / "elsewhere").mkdir()
    target, link = tmp_path / "elsewhere/report.html", tmp_path / "latest.html"
    if there:
        target.write_bytes(b"old")
    link.symlink_to(target)
    write_output(link, CONTENT)
    assert link.is_symlink()
    assert target.read_bytes() == CONTENT
    assert [each.name for each in target.parent.iterdir()] == ["report.html"]


def test_output_to_a_fifo_goes_to_its_reader(tmp_path: Path) -> None:
    """A pipe with a name is written to, and is still there."""
    fifo = tmp_path / "pipe"
    os.mkfifo(fifo)
    read: list[bytes] = []
    reader = threading.Thread(target=lambda: read.append(fifo.read_bytes()))
    reader.start()
    write_output(fifo, CONTENT)
    reader.join()
    assert read == [CONTENT]
    assert stat.S_ISFIFO(fifo.stat().st_mode)


def test_output_to_a_full_device_is_an_error_and_leaves_the_device(tmp_path: Path) -> None:
    """Also where the user could replace the device by a file, as root can."""
    link = tmp_path / "report.html"
    link.symlink_to("/dev/full")
    for path in (Path("/dev/full"), link):
        with pytest.raises(UsageError, match="No space left"):
            write_output(path, CONTENT)
    assert stat.S_ISCHR(Path("/dev/full").stat().st_mode)
    assert stat.S_ISCHR(link.stat().st_mode)


def test_output_that_fails_leaves_the_old_file_and_nothing_else(tmp_path: Path) -> None:
    """Readers see the old content or the new one."""
    path = tmp_path / "report.html"
    path.write_bytes(b"old")

    def fail() -> None:
        with opened_output(path, "no") as file:
            file.write(CONTENT)
            raise RuntimeError

    with pytest.raises(RuntimeError):
        fail()
    assert path.read_bytes() == b"old"
    assert [each.name for each in tmp_path.iterdir()] == ["report.html"]


def test_output_among_what_is_kept_is_refused(tmp_path: Path) -> None:
    """The store's own file, a new one beside it, and links into it; a neighbour whose name begins the same is fine."""
    store = tmp_path / "store"
    store.mkdir()
    (store / "data.mdb").write_bytes(b"data")
    (tmp_path / "link").symlink_to(store / "data.mdb")
    (tmp_path / "folder").symlink_to(store)
    for path in (store / "data.mdb", store / "new", tmp_path / "link", tmp_path / "folder/x", store / "../store/y"):
        with pytest.raises(UsageError, match="would lie in the store"):
            require_output(path, kept=[store])
    require_output(tmp_path / "store.html", kept=[store])


def test_output_that_is_an_input_is_refused(tmp_path: Path) -> None:
    """Under any of its names."""
    text = tmp_path / "answers.md"
    text.write_text("Incidents are reported.")
    (tmp_path / "link").symlink_to(text)
    for path in (text, tmp_path / "link"):
        with pytest.raises(UsageError, match="is an input"):
            require_output(path, inputs=[text])
    require_output(Path("-"), inputs=[Path("-")])


@pytest.mark.skipif(not os.access(MEMORY, os.W_OK), reason="no memory that is a folder of devices")
def test_output_below_the_devices_is_written_through() -> None:
    """A regular file there belongs to who has it open: it is the same file afterwards."""
    path = MEMORY / f"coditect-test-{os.getpid()}"
    try:
        path.write_bytes(b"old")
        before = path.stat().st_ino
        write_output(path, CONTENT)
        assert (path.read_bytes(), path.stat().st_ino) == (CONTENT, before)
    finally:
        path.unlink(missing_ok=True)
