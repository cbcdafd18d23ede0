"""What processes import that are forked (:mod:`tests.warm`), and what a first build makes ready for them."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

import tests.integration.sweeps  # noqa: F401 - as the line above, for whoever is forked
from coditect.integrity.validate import validate
from coditect.store.store import Store
from coditect.testing.engine.memory import MemoryEngine
from tests.corpora import CORPUS, DOCUMENTS, build_all, folder_of, ingest_all

__all__: list[str] = []

with TemporaryDirectory() as _folder:  # patterns are compiled, and the tokenizer is opened, when they are first used
    _store = Store(MemoryEngine())
    ingest_all(_store, folder_of(Path(_folder), DOCUMENTS))
    build_all(_store)
    validate(_store, CORPUS)
