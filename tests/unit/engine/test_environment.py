"""Opening the embedded store while others grow it, and while it is not one."""

from __future__ import annotations

from pathlib import Path

import lmdb
import pytest

from coditect.engine.lmdb import environment
from coditect.errors import Unavailable


def test_store_that_outgrows_the_look_at_its_size_is_opened_again_twenty_times(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Then whoever opens it is told to try again; no attempt more, and none less."""
    tries: list[Path] = []

    def outgrown(path: Path, map_size_bytes: int, *, durable: bool) -> lmdb.Environment:
        tries.append(path)
        raise lmdb.MapResizedError("outgrown")

    monkeypatch.setattr(environment, "_open_once", outgrown)
    with pytest.raises(Unavailable, match="grows while it is opened") as caught:
        environment._open(tmp_path / "store", 1 << 20, durable=True)
    assert len(tries) == 20
    assert caught.value.hint == "try again"


def test_store_that_settles_is_opened(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The last of the attempts counts as well."""
    opened = environment._open_once
    tries = []

    def settles(path: Path, map_size_bytes: int, *, durable: bool) -> lmdb.Environment:
        tries.append(path)
        if len(tries) < 20:
            raise lmdb.MapResizedError("outgrown")
        return opened(path, map_size_bytes, durable=durable)

    monkeypatch.setattr(environment, "_open_once", settles)
    environment._open(tmp_path / "store", 1 << 20, durable=False).close()


def test_file_in_the_place_of_a_store_is_told(tmp_path: Path) -> None:
    """A way out is said, and the reason."""
    (tmp_path / "store").write_bytes(b"no folder")
    with pytest.raises(Unavailable, match="the store cannot be opened"):
        environment._open(tmp_path / "store", 1 << 20, durable=True)
