"""Wiring: from settings to services. The only importer of concrete adapters."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from coditect.engine.port import Engine
from coditect.errors import UsageError
from coditect.knowledge.service import Knowledge
from coditect.retrieve.replica import Replicas
from coditect.settings import Settings
from coditect.store.store import Store

__all__ = ["open_engine", "open_knowledge"]

LMDB = "lmdb://"


def open_engine(url: str) -> Engine:
    """The storage engine that a URL names.

    Raises:
        UsageError: not a URL of an engine that is here.
        Unavailable: it cannot be opened.
    """
    if url.startswith(LMDB) and len(url) > len(LMDB):
        from coditect.engine.lmdb import LmdbEngine

        return LmdbEngine(Path(url.removeprefix(LMDB)).expanduser())
    raise UsageError("unknown kind of store", store=url, hint="Use lmdb:///path/to/a/folder.")


@contextmanager
def open_knowledge(settings: Settings) -> Iterator[Knowledge]:
    """The services over the configured store, closed at the end."""
    engine = open_engine(settings.store)
    try:
        store = Store(engine, settings.tenant)
        yield Knowledge(store, Replicas(store, settings.cache), jobs=settings.jobs)
    finally:
        engine.close()
