"""What is said of a file that cannot be read: why, and what to do about it."""

from __future__ import annotations

import errno

import pytest

from coditect.knowledge.ingest.files import _os_error


@pytest.mark.parametrize(
    ("number", "reason", "way_out"),
    [
        (errno.EACCES, "the file may not be read", "read permission"),
        (errno.ENOENT, "a symbolic link leads nowhere", "Repair or remove it"),
        (errno.ELOOP, "leads back to itself", "Remove the link"),
        (errno.ENAMETOOLONG, "the path is too long", "shorten its folders' names"),
        (errno.EIO, "the file cannot be read", "Check the disk"),
    ],
)
def test_file_that_cannot_be_read_is_told_with_its_way_out(number: int, reason: str, way_out: str) -> None:
    """Each kind of failure of the system has words of its own."""
    error = _os_error(OSError(number, "as the system says it"))
    assert reason in error.message
    assert way_out in str(error.hint)
