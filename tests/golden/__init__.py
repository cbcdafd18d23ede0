"""Stores and archives of every release, unpacked for tests."""

from __future__ import annotations

import json
import lzma
from contextlib import closing
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from coditect.engine.lmdb.engine import LmdbEngine
from coditect.store.blobs import put_rows
from coditect.store.store import Store
from coditect.testing.engine.memory import MemoryEngine, MemoryStore

__all__ = ["FORMER", "RELEASES", "archive", "facts", "in_memory", "unpacked"]

GOLDEN = Path(__file__).resolve().parent

RELEASES = sorted(path.name for path in GOLDEN.iterdir() if (path / "facts.json").exists())

FORMER = ["0.1.0"]
"""Releases whose stores have another format than that of today."""


def unpacked(release: str, folder: Path) -> Path:
    """The store of a release, in a folder of the test's."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "data.mdb").write_bytes(lzma.decompress((GOLDEN / release / "data.mdb.xz").read_bytes()))
    return folder


def archive(release: str, name: str) -> bytes:
    """An archive of a release."""
    return lzma.decompress((GOLDEN / release / f"{name}.jsonl.xz").read_bytes())


def facts(release: str) -> dict[str, Any]:
    """What was true of the store when it was made, by corpus."""
    found: dict[str, Any] = json.loads((GOLDEN / release / "facts.json").read_text(encoding="utf-8"))
    return found


@cache
def in_memory(release: str) -> MemoryStore:
    """The rows of a release's store. Copy it before you write."""
    memory = MemoryStore()
    with TemporaryDirectory() as folder, closing(LmdbEngine(unpacked(release, Path(folder) / "store"))) as engine:
        store = Store(engine)
        for page in store.pages(*store.keys.space):
            put_rows(MemoryEngine(memory), list(page))
    return memory
