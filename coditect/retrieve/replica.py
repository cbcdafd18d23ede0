"""Search replicas: copies of what a generation says, arranged for search. The store is the truth; these may be deleted.

Every build has a folder of its own, complete from the moment that it has its name. A reader therefore never sees a replica
change under it, and two processes that make the same one at once do not disturb each other: the second finds it made. A
replica of a large corpus is made from the one of the build before: index files are linked, not copied, and only the
documents that differ between the two manifests are indexed again. Words and vectors have folders of their own, so that a
lexical question never waits for an embedder.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from coditect.errors import Unavailable
from coditect.retrieve.local.lexical import LEXICAL, LexicalIndex
from coditect.retrieve.units import DOCUMENT_GRANULARITIES, UNITS, IndexName, document_units, upper_units
from coditect.schemas import Granularity, tag_of
from coditect.store.generations import generations, manifest_of
from coditect.store.store import Store
from coditect.store.view import View

__all__ = ["Replicas", "indexed_as"]

ABANDONED_S = 6 * 3600.0
"""Seconds after which a replica that was never finished was left by a process that was killed."""

KEPT = 4
"""Replicas of a corpus that stay on disk, the newest by use, of each kind."""

INCREMENTAL_FROM = 40
"""Documents from which a replica is made from the one before; smaller ones are made anew, which costs nothing."""


def indexed_as(granularity: Granularity) -> IndexName:
    """The index that serves a granularity: propositions are extractions."""
    return "extraction" if granularity == "proposition" else granularity


PER_DOCUMENT: tuple[IndexName, ...] = (*DOCUMENT_GRANULARITIES, "document")
UPPER: tuple[IndexName, ...] = ("section", "corpus")


class Replicas:
    """The lexical replicas of one tenant, and the folders of others that follow the same generations.

    Args:
        store: what they follow.
        folder: below it they lie.
        level: the level of passages that is indexed.
    """

    def __init__(self, store: Store, folder: Path, *, level: int = 0) -> None:
        # A hash: no tenant's name can lead out of the cache, or into another's folder, whatever it holds.
        named = f"{store.engine.url}\0{store.keys.tenant}".encode("utf-8", "surrogatepass")
        owner = hashlib.sha256(named).hexdigest()[:24]
        self.store = store
        self.folder = folder / "replicas" / owner
        self.level = level
        self._open: dict[tuple[str, IndexName], LexicalIndex] = {}

    def index(self, view: View, name: IndexName) -> LexicalIndex:
        """The words of a generation at a granularity, or of its documents; made first where it is not there.

        Raises:
            Unavailable: it can be neither made nor read.
        """
        key = (view.manifest.build_id, name)
        if key not in self._open:
            with readable(self.folder):
                folder = self.ready(view, self._kind, self._make)
                self._open = {k: index for k, index in self._open.items() if k[0] == view.manifest.build_id}
                self._open[key] = LexicalIndex(folder / key[1])
        return self._open[key]

    @property
    def _kind(self) -> str:
        return f"{LEXICAL}-{UNITS}-{self.level}".replace("/", "-")

    def ready(self, view: View, kind: str, make: Callable[[View, Path], None]) -> Path:
        """The folder of a generation's replica of a kind, made if it is not there.

        Args:
            view: the generation.
            kind: what is in it, with its version; part of the folder's name.
            make: fills a new folder.
        """
        target = self._corpus_folder(view.corpus_id) / f"{view.manifest.build_id}.{kind}"
        if target.is_dir():
            os.utime(target)
            return target
        target.parent.mkdir(parents=True, exist_ok=True)
        work = Path(tempfile.mkdtemp(prefix=".making-", dir=target.parent))
        try:
            make(view, work)
            try:
                work.rename(target)
            except OSError:
                if not target.is_dir():  # else another process made the same one meanwhile
                    raise
        finally:
            shutil.rmtree(work, ignore_errors=True)
        self._prune(target)
        return target

    def _corpus_folder(self, corpus_id: str) -> Path:
        return self.folder / tag_of(corpus_id)

    def _make(self, view: View, work: Path) -> None:
        base = self._base(view) if len(view.entries) >= INCREMENTAL_FROM else None
        changed = set(view.entries)
        gone: set[str] = set()
        if base is not None:
            folder, before = base
            changed = {d for d, entry in view.entries.items() if before.entries.get(d) != entry}
            gone = {d for d, entry in before.entries.items() if view.entries.get(d) != entry}
            for name in PER_DOCUMENT:
                _link(folder / name, work / name)
        writers = {each: LexicalIndex(work / each).writer(gone) for each in PER_DOCUMENT}
        for units in document_units(view, changed, self.level):
            for name, writer in writers.items():
                writer.add(units.of(name))
        for writer in writers.values():
            writer.commit()
        for upper in UPPER:
            writer = LexicalIndex(work / upper).writer()
            writer.add(upper_units(view, upper))
            writer.commit()

    def _base(self, view: View) -> tuple[Path, View] | None:
        """The replica of the newest earlier build that is still here, if few documents changed since."""
        folder = self._corpus_folder(view.corpus_id)
        for generation in reversed(generations(self.store, view.corpus_id)):
            candidate = folder / f"{generation.build_id}.{self._kind}"
            if generation.build_id != view.manifest.build_id and candidate.is_dir():
                before = View(self.store, manifest_of(self.store, view.corpus_id, generation.build_id))
                different = sum(before.entries.get(d) != entry for d, entry in view.entries.items())
                return (candidate, before) if different * 4 < len(view.entries) else None
        return None

    def _prune(self, newest: Path) -> None:
        kind = newest.name.partition(".")[2]
        done = [p for p in newest.parent.iterdir() if p.is_dir() and p.name.endswith(f".{kind}") and p != newest]
        done.sort(key=lambda path: path.stat().st_mtime, reverse=True)
        left = [p for p in newest.parent.glob(".making-*") if time.time() - p.stat().st_mtime > ABANDONED_S]
        for old in (*done[KEPT - 1 :], *left):
            shutil.rmtree(old, ignore_errors=True)


class readable:  # noqa: N801 - used as a verb in a with statement
    """Turns what a file system or an index says of a broken replica into one error that tells the way out.

    Args:
        folder: named in the error.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def __enter__(self) -> None:
        """Nothing to open."""

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: object) -> None:
        """Translate."""
        # ValueError: tantivy's, for files that are not an index. PanicException: its, for files that were cut; no Exception.
        if isinstance(error, OSError | ValueError) or type(error).__name__ == "PanicException":
            raise Unavailable(
                "the search replica cannot be written or read",
                folder=str(self.folder),
                reason=str(error),
                hint="Give a writable folder with --cache, or delete it; replicas are made again from the store.",
            ) from error


def _link(source: Path, target: Path) -> None:
    """A copy of an index: its segments never change and are linked, its own books are copied."""
    target.mkdir(parents=True)
    for file in source.iterdir():
        if file.name.endswith(".lock"):
            continue
        if file.name.endswith(".json"):
            shutil.copyfile(file, target / file.name)
        else:
            os.link(file, target / file.name)
