"""A program that ingests or builds a corpus, to be killed while it is at work."""

from __future__ import annotations

__all__ = ["CORPUS_PROGRAM"]

CORPUS_PROGRAM = """
import sys
from pathlib import Path
from coditect.knowledge.derivation import corpus as building
from coditect.store.intake import documents as ingesting
from coditect.store.store import Store
from coditect.telemetry import configure_logging
from tests.corpora import build_all, ingest_all
from tests.killed_programs import tell_steps
from tests.places import open_at
if __name__ == "__main__":
    configure_logging("WARNING")
    what, store, folder, jobs = sys.argv[1:]
    building.FLUSH_ITEMS = 50  # many moments between transactions
    ingesting.FLUSH_BYTES = 2_000
    engine = open_at(Path(store), durable=True)
    tell_steps(engine)
    store = Store(engine)
    print("ready", flush=True)
    if what == "build":
        build_all(store, jobs=int(jobs))
    else:
        ingest_all(store, Path(folder), sync=what == "sync", jobs=int(jobs))
    print("done", flush=True)
"""
"""For :class:`tests.killed_programs.Program`; its arguments are "ingest", "sync" (an ingest that withdraws what the folder does not
hold any more) or "build", the place of the store, the folder of documents, and the number of processes."""
