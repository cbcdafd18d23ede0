"""Archives in memory, a corpus with a history, and an engine that something happens to, for the tests of archives."""

from __future__ import annotations

import io
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import TypeVar

from coditect.engine.port import Engine, Transaction
from coditect.engine.sequential import SequentialEngine
from coditect.knowledge.archive.export import export_corpus
from coditect.knowledge.archive.format import Archive, open_archive
from coditect.knowledge.archive.importing import ImportReport, import_archive
from coditect.schemas import Failure
from coditect.store.store import Store
from coditect.testing.engine.memory import MemoryEngine, MemoryStore
from tests.corpora import CORPUS, DOCUMENTS, answer_all, build_all, copy_of, folder_of, ingest_all, review_all

__all__ = [
    "Watched",
    "content",
    "export_bytes",
    "history_bytes",
    "history_memory",
    "import_bytes",
    "opened",
    "small_bytes",
]

T = TypeVar("T")

CHANGED = DOCUMENTS["retention.txt"] + "\nLogs must be kept for 2 years.\n"
LONG = "no room " * 20_000


def export_bytes(store: Store, corpus: str = CORPUS) -> bytes:
    """The archive of a corpus."""
    file = io.BytesIO()
    report = export_corpus(store, corpus, file)
    assert report.size_bytes == len(file.getvalue())
    return file.getvalue()


def opened(data: bytes) -> Archive:
    """An archive in memory, proven."""
    return open_archive(io.BytesIO(data))


def import_bytes(store: Store, data: bytes) -> ImportReport:
    """Import an archive in memory."""
    return import_archive(store, opened(data))


def content(store: Store) -> dict[bytes, bytes]:
    """Every row of a tenant by its key without the tenant, but for the log, which tells what happened in which store.

    Events of the feed are numbered, since the engine makes their keys.
    """
    feed_prefix = store.keys.relative(store.keys.bounds("feed")[0])[:-1]
    found: dict[bytes, bytes] = {}
    events = 0
    for page in store.pages(store.keys.prefix, store.keys.prefix + b"\xff"):
        for key, value in page:
            relative = store.keys.relative(key)
            if relative.startswith(feed_prefix):
                events += 1
                relative = b"feed%d" % events
            if not (store.keys.table_of(key) or "").startswith("log/"):
                found[relative] = value
    return found


@cache
def history_memory() -> MemoryStore:
    """Three generations; a document withdrawn, one pending; a failure whose record is too long for one value. Copy it."""
    memory = MemoryStore()
    store = Store(MemoryEngine(memory))
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        ingest_all(store, folder_of(folder / "1", DOCUMENTS))
        build_all(store)
        later: dict[str, str | bytes] = {**DOCUMENTS, "retention.txt": CHANGED, "broken.pdf": b"no pdf"}
        ingest_all(store, folder_of(folder / "2", later))
        build_all(store)
        del later["access.md"]
        ingest_all(store, folder_of(folder / "3", later), sync=True)
        build_all(store)
        ingest_all(store, folder_of(folder / "4", {"new.md": "# New\n\nStaff shall report.\n"}))
    answer_all(store)
    review_all(store)
    store.put("failures", Failure(corpus_id=CORPUS, name="long", error="ReadError", message=LONG), CORPUS, "long")
    return memory


@cache
def history_bytes() -> bytes:
    """The archive of that corpus."""
    return export_bytes(copy_of(history_memory()))


@cache
def small_bytes() -> bytes:
    """The archive of two short documents, not built: short enough to be damaged many times."""
    store = Store(MemoryEngine())
    with tempfile.TemporaryDirectory() as place:
        ingest_all(store, folder_of(Path(place), {"a.txt": "A must b.\n", "b.txt": b"Caf\xe9s must c.\n"}))
    return export_bytes(store)


class Watched(SequentialEngine):
    """An engine that calls a function once, before its n-th writing transaction or its n-th read.

    Attributes:
        runs: writing transactions so far.
        reads: reads so far.
    """

    def __init__(self, engine: Engine, action: Callable[[], object], *, run: int = 0, read: int = 0) -> None:
        self.engine = engine
        self.action = action
        self.at = {"run": run, "read": read}
        self.runs = 0
        self.reads = 0

    @property
    def url(self) -> str:
        """The engine's."""
        return self.engine.url

    def run(self, fn: Callable[[Transaction], T]) -> T:
        """The engine's, possibly after the action."""
        self.runs += 1
        if self.runs == self.at["run"]:
            self.action()
        return self.engine.run(fn)

    def read(self, fn: Callable[[Transaction], T]) -> T:
        """The engine's, possibly after the action."""
        self.reads += 1
        if self.reads == self.at["read"]:
            self.action()
        return self.engine.read(fn)

    def close(self) -> None:
        """The engine's."""
        self.engine.close()
