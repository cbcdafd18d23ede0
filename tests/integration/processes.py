"""What other processes do to a store, for the tests of several processes.

Each function is started in a process of its own (:mod:`tests.warm`); it is told how to open the engine by something that can be
pickled, such as ``partial(open_at, path)``.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import closing
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from coditect.engine.port import Engine
from coditect.errors import Conflict, NotFound
from coditect.knowledge.building.pipeline import build
from coditect.knowledge.ingest.intake import ingest
from coditect.schemas import Generation
from coditect.store.store import Store
from coditect.store.view import View, open_view
from tests.corpora import CORPUS, MODELS, SETTINGS
from tests.warm import WARM

__all__ = [
    "build_together",
    "build_until_done",
    "check_whole",
    "ingest_and_build",
    "read_in_a_loop",
    "take_in",
]

WAIT_S = 60.0


def check_whole(view: View) -> None:
    """Every item of every tier of a generation is there, and they are as many as its manifest says."""
    found = {
        "documents": len(view.documents),
        "extractions": sum(len(view.extractions(document_id)) for document_id in view.entries),
        "chunks": len(list(view.all_chunks())),
        "sections": len(view.sections),
        "claims": len(view.summary.claims),
        "filtered_claims": len(view.summary.filtered),
        "passages": sum(len(view.passages(document_id)) for document_id in view.entries),
    }
    alone = ("trivial_claims", "possible_claims")  # counted beside what is stored, or a part of it
    stored = {name: count for name, count in view.manifest.counts.items() if name not in alone}
    if found != stored:
        raise AssertionError(f"found {found}, stated {stored}")
    if set(view.verdicts) != set(view.claims):
        raise AssertionError("claims and verdicts differ")
    for document_id, version in view.documents.items():
        if len(view.text(document_id)) != version.text_length:
            raise AssertionError("a text does not have its length")


def read_in_a_loop(open_engine: Callable[[], Engine], told: Connection) -> None:
    """Open views and check them until told to stop; tell how many, which generations, and what went wrong."""
    seen: set[int] = set()
    views = 0
    wrong = ""
    with closing(open_engine()) as engine:
        store = Store(engine)
        told.send("ready")
        while not wrong and not told.poll():
            try:
                view = open_view(store, CORPUS)
            except NotFound:  # before the first build
                continue
            try:
                check_whole(view)
                store.get("generations", Generation, CORPUS, view.generation)
            except Exception as error:  # noqa: BLE001 - told to the test, which fails by it
                wrong = f"generation {view.generation}: {error!r}"
            views += 1
            seen.add(view.generation)
    told.send((views, sorted(seen), wrong))


def take_in(open_engine: Callable[[], Engine], corpus: str, folders: list[Path]) -> None:
    """Ingest folders, one after the other."""
    with closing(open_engine()) as engine:
        for folder in folders:
            ingest(Store(engine), corpus, [folder], jobs=1)


def ingest_and_build(open_engine: Callable[[], Engine], corpus: str, folder: Path, told: Connection) -> None:
    """Ingest a folder and build when told to; tell "built", "unchanged" or "conflict", and the build's id."""
    with closing(open_engine()) as engine:
        store = Store(engine)
        ingest(store, corpus, [folder], jobs=1)
        told.send("ready")
        told.recv()
        try:
            report = build(store, corpus, SETTINGS, jobs=1, models=MODELS)
        except Conflict:
            told.send(("conflict", ""))
        else:
            told.send(("built" if report.changed else "unchanged", report.build_id))


def build_until_done(open_engine: Callable[[], Engine], corpus: str, documents: int) -> None:
    """Build what is present again and again, also after a conflict, until the current generation holds so many documents."""
    ends = time.monotonic() + WAIT_S
    with closing(open_engine()) as engine:
        store = Store(engine)
        while time.monotonic() < ends:
            try:
                build(store, corpus, SETTINGS, jobs=1, models=MODELS)
            except Conflict:
                continue
            if len(open_view(store, corpus).entries) >= documents:
                return
    raise AssertionError("the documents did not all come")


def build_together(open_engine: Callable[[], Engine], corpora: list[str], folder: Path) -> list[tuple[str, str]]:
    """Processes that each ingest a folder, wait for each other, and build at the same moment; what each tells."""
    running = []
    for corpus in corpora:
        mine, theirs = WARM.Pipe()
        running.append((WARM.Process(target=ingest_and_build, args=(open_engine, corpus, folder, theirs)), mine))
    for process, _ in running:
        process.start()
    try:
        for _, told in running:
            if _answer(told) != "ready":
                raise AssertionError("a process is not ready")
        for _, told in running:
            told.send("go")
        return [_answer(told) for _, told in running]
    finally:
        for process, _ in running:
            process.join(WAIT_S)
            if process.is_alive():
                process.kill()


def _answer(told: Connection) -> Any:  # noqa: ANN401 - what the process sends
    if not told.poll(WAIT_S):
        raise AssertionError("the process does not answer")
    return told.recv()
