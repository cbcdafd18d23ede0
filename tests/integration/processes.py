"""What other processes do to a store, for the tests of several processes. Each function is started with ``spawn``."""

from __future__ import annotations

import time
from contextlib import closing
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path

from coditect.engine.lmdb import LmdbEngine
from coditect.errors import Conflict, NotFound
from coditect.knowledge.build import build
from coditect.knowledge.ingest import ingest
from coditect.schemas import BuildSettings, Generation, Intake
from coditect.store.store import Store
from coditect.store.view import View, open_view
from tests.corpora import CORPUS

__all__ = ["SPAWN", "build_until_done", "check_whole", "ingest_and_build", "read_in_a_loop", "take_in"]

SPAWN = get_context("spawn")

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
    }
    if found != view.manifest.counts:
        raise AssertionError(f"found {found}, stated {view.manifest.counts}")
    if set(view.verdicts) != set(view.claims):
        raise AssertionError("claims and verdicts differ")
    for document_id, version in view.documents.items():
        if len(view.text(document_id)) != version.text_length:
            raise AssertionError("a text does not have its length")


def read_in_a_loop(path: Path, told: Connection) -> None:
    """Open views and check them until told to stop; tell how many, which generations, and what went wrong."""
    seen: set[int] = set()
    views = 0
    wrong = ""
    with closing(LmdbEngine(path, durable=False)) as engine:
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


def take_in(path: Path, corpus: str, folders: list[Path]) -> None:
    """Ingest folders, one after the other."""
    with closing(LmdbEngine(path, durable=False)) as engine:
        for folder in folders:
            ingest(Store(engine), corpus, [folder], jobs=1)


def ingest_and_build(path: Path, corpus: str, folder: Path, told: Connection) -> None:
    """Ingest a folder and build when told to; tell "built", "unchanged" or "conflict", and the build's id."""
    with closing(LmdbEngine(path, durable=False)) as engine:
        store = Store(engine)
        ingest(store, corpus, [folder], jobs=1)
        told.send("ready")
        told.recv()
        try:
            report = build(store, corpus, BuildSettings(), jobs=1)
        except Conflict:
            told.send(("conflict", ""))
        else:
            told.send(("built" if report.changed else "unchanged", report.build_id))


def build_until_done(path: Path, corpus: str) -> None:
    """Build what is present, again after each conflict, until the current generation holds it all."""
    ends = time.monotonic() + WAIT_S
    with closing(LmdbEngine(path, durable=False)) as engine:
        store = Store(engine)
        while time.monotonic() < ends:
            present = [record.document_id for _, record in store.scan("intake", Intake, corpus)]
            try:
                build(store, corpus, BuildSettings(), jobs=1)
            except Conflict:
                continue
            if set(present) <= set(open_view(store, corpus).entries):
                return
