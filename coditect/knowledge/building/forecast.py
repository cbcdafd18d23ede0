"""A store in which a build can be tried."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from coditect.engine.scratch import ScratchEngine, open_beside
from coditect.store.store import Store

__all__ = ["scratch_store"]


@contextmanager
def scratch_store(store: Store) -> Iterator[Store]:
    """A store that shows what ``store`` holds, and forgets what is written to it."""
    with tempfile.TemporaryDirectory(prefix="coditect-") as folder:
        engine = ScratchEngine(store.engine, open_beside(Path(folder)))
        try:
            yield Store(engine, store.keys.tenant)
        finally:
            engine.close()
