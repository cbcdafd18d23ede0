"""Wiring: from settings to services. The only importer of concrete adapters."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from coditect.engine.port import Engine
from coditect.errors import NotFound, UsageError
from coditect.knowledge.service import Knowledge
from coditect.retrieve.replica import Replicas
from coditect.settings import Settings
from coditect.store.store import Store

__all__ = ["open_engine", "open_knowledge"]

NO_STORE = "no store here"

LMDB = "lmdb://"
FDB = "fdb://"


def open_engine(url: str, *, must_exist: bool = False) -> Engine:
    """The storage engine that a URL names.

    Args:
        url: lmdb:///path/to/a/folder, or fdb:///path/to/fdb.cluster.
        must_exist: do not make a new store.
    Raises:
        NotFound: there is no store, and none was to be made.
        UsageError: not a URL of an engine that is here.
        Unavailable: it cannot be opened.
    """
    if url.startswith(LMDB) and len(url) > len(LMDB):
        from coditect.engine.lmdb import LmdbEngine

        folder = Path(url.removeprefix(LMDB)).expanduser()
        if must_exist and (folder.is_dir() or not folder.exists()) and not (folder / "data.mdb").exists():
            raise NotFound(NO_STORE, hint="Check --store (CODITECT_STORE), or ingest something first.")
        return LmdbEngine(folder)
    if url.startswith(FDB) and len(url) > len(FDB):
        from coditect.engine.foundationdb import FoundationDbEngine

        return FoundationDbEngine(Path(url.removeprefix(FDB)).expanduser())
    raise UsageError(
        "unknown kind of store", store=url, hint="Use lmdb:///path/to/a/folder or fdb:///path/to/fdb.cluster."
    )


@contextmanager
def open_knowledge(settings: Settings, *, must_exist: bool = False) -> Iterator[Knowledge]:
    """The services over the configured store, closed at the end.

    Args:
        settings: where and whose.
        must_exist: do not make a new store.
    Raises:
        NotFound: there is no store, and none was to be made.
    """
    engine = open_engine(settings.store, must_exist=must_exist)
    try:
        store = Store(engine, settings.tenant)
        yield Knowledge(store, Replicas(store, settings.cache), jobs=settings.jobs)
    finally:
        engine.close()
