"""Programs run where a folder can only be read."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

__all__ = ["run_where_only_reading_is_allowed"]

_ON_A_MOUNT = 'mount --bind "$0" "$0" && mount -o remount,bind,ro "$0" && exec "$@"'


def run_where_only_reading_is_allowed(
    folder: Path, words: list[str], **variables: str
) -> subprocess.CompletedProcess[str]:
    """Run a program while nothing below a folder can be written.

    Root may write whatever the modes of files say, so it gets a read-only mount in a name space of its own; the test is skipped
    where that is not allowed. For others the folder and its files lose their write permission, and get it back.
    """
    environment = {**os.environ, **variables}
    if os.geteuid() == 0:
        if subprocess.run(["unshare", "-m", "true"], capture_output=True, check=False).returncode:
            pytest.skip("root may write anywhere, and may not mount here")
        words = ["unshare", "-m", "sh", "-c", _ON_A_MOUNT, str(folder), *words]
        return subprocess.run(words, capture_output=True, text=True, timeout=120, env=environment, check=False)
    places = [folder, *folder.rglob("*")]
    modes = [each.stat().st_mode for each in places]
    for each in places:
        each.chmod(0o555 if each.is_dir() else 0o444)
    try:
        return subprocess.run(words, capture_output=True, text=True, timeout=120, env=environment, check=False)
    finally:
        for each, mode in zip(places, modes, strict=True):
            each.chmod(mode)
