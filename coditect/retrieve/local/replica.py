"""Search replicas: copies of what a generation says, arranged for search. The store is the truth; these may be deleted.

Every build has a folder of its own, complete from the moment that it has its name. A reader therefore never sees a replica
change under it, and two processes that make the same one at once do not disturb each other: the second finds it made. Only the
last few that were used stay, and none is removed while somebody opens it (:mod:`coditect.engine.folders`). A
replica of a large corpus is made from the one of the build before: index files are linked, not copied, and only the
documents that differ between the two manifests are indexed again. Words and vectors have folders of their own, so that a
lexical question never waits for an embedder.
"""

from __future__ import annotations

import hashlib
import os
import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, TypeVar

from coditect.engine.folders import begun, leased, remove_abandoned, remove_unused
from coditect.errors import Unavailable
from coditect.retrieve.local.inventory import check_inventory, write_inventory
from coditect.retrieve.local.lexical import LEXICAL, LexicalIndex, LexicalWriter
from coditect.retrieve.recent import Recent
from coditect.retrieve.units import DOCUMENT_GRANULARITIES, UNITS, DocumentUnits, IndexName, document_units, upper_units
from coditect.schemas import tag_of
from coditect.store.generations import generations, manifest_of
from coditect.store.intake.erasures import erased_since
from coditect.store.store import Store
from coditect.store.view import View, changed_between

if TYPE_CHECKING:
    from coditect.retrieve.prepared import Prepared

__all__ = ["OPEN", "Replicas", "readable"]

KEPT = 4
"""Replicas of a corpus that stay on disk, the newest by use, of each kind."""

OPEN = 12
"""Indexes of a kind that stay open in a process: those of two generations."""

INCREMENTAL_FROM = 40
"""Documents from which a replica is made from the one before; smaller ones are made anew, which costs nothing."""

PER_DOCUMENT: tuple[IndexName, ...] = (*DOCUMENT_GRANULARITIES, "document")
UPPER: tuple[IndexName, ...] = ("section", "corpus")

Opened = TypeVar("Opened")

Beside = Callable[[View, Iterable[DocumentUnits]], Iterable[DocumentUnits]]
"""Given a generation and its documents as they come, gives them again, with something done for each on the way."""


@dataclass
class _Turn:
    """Whose turn it is to make one replica, and how many threads have it or wait for it."""

    lock: Lock = field(default_factory=Lock)
    wanted_by: int = 0


class Replicas:
    """The lexical replicas of one tenant, and the folders of others that follow the same generations. Safe for threads.

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
        self._open: Recent[tuple[str, IndexName], LexicalIndex] = Recent(OPEN)
        self._guard = Lock()
        self._made_by: dict[Path, _Turn] = {}

    def index(
        self, view: View, name: IndexName, beside: Beside | None = None, prepared: Prepared | None = None
    ) -> LexicalIndex:
        """The words of a generation at a granularity, or of its documents; made first where it is not there.

        Args:
            view: the generation.
            name: the granularity.
            beside: given each document that is read, makes what else is made of its units.
            prepared: what is at hand of documents.
        Raises:
            Unavailable: it can be neither made nor read.
        """

        def make(view: View, work: Path) -> None:
            self._make(view, work, beside, prepared)

        key = (view.shown_as, name)
        return self._open.get(
            key, lambda: self.opened(view, self._kind, make, lambda folder: LexicalIndex(folder / name))
        )

    @property
    def _kind(self) -> str:
        return f"{LEXICAL}-{UNITS}-{self.level}".replace("/", "-")

    def has(self, view: View, kind: str = "") -> bool:
        """Whether the folder of a generation's replica is there.

        Args:
            view: the generation.
            kind: as for :meth:`opened`; "" for its words.
        """
        return (self._corpus_folder(view.corpus_id) / f"{view.shown_as}.{kind or self._kind}").is_dir()

    def opened(
        self, view: View, kind: str, make: Callable[[View, Path], None], opening: Callable[[Path], Opened]
    ) -> Opened:
        """What is opened in the folder of a generation's replica of a kind; the folder is made first if it is not there.

        A replica that cannot be opened, or whose files are not those that it lists, because something else removed, cut or mixed
        them, is made again.

        Args:
            view: the generation.
            kind: what is in it, with its version; part of the folder's name.
            make: fills a new folder.
            opening: opens files in the folder, all that it will ever need; no one removes it meanwhile.
        Raises:
            Unavailable: it can be neither made nor read.
        """
        target = self._corpus_folder(view.corpus_id) / f"{view.shown_as}.{kind}"
        may_remake = True
        with readable(self.folder):
            while True:
                with leased(target) as there:
                    if there:
                        with suppress(OSError):  # in a cache that can only be read nothing is pruned by age
                            os.utime(target)
                        try:
                            check_inventory(target, target.name)
                            return opening(target)
                        except BaseException as error:
                            # Tantivy's PanicException is no Exception; what is no damage is raised.
                            if not (may_remake and _is_damage(error)):
                                raise
                if there:
                    may_remake = False
                    remove_unused(target)
                    continue
                with self._alone(target), begun(target.parent) as work:
                    if target.is_dir():
                        continue  # another thread made it, while this one waited
                    make(view, work)
                    write_inventory(work, target.name)
                    try:
                        work.rename(target)
                    except OSError:
                        if not target.is_dir():
                            raise
                        continue  # another process made the same one meanwhile
                    found = opening(target)
                self._prune(target)
                return found

    @contextmanager
    def newest(self, corpus_id: str, kind: str) -> Iterator[Path | None]:
        """See :class:`~coditect.retrieve.port.Folders`."""
        erased = erased_since(self.store, corpus_id)
        for generation in reversed(generations(self.store, corpus_id)):
            shown_as = f"{generation.build_id}-{erased}" if erased else generation.build_id
            folder = self._corpus_folder(corpus_id) / f"{shown_as}.{kind}"
            if not folder.is_dir():
                continue
            with leased(folder) as there:
                whole = there and _is_whole(folder)
                yield folder if whole else None
            return
        yield None

    def put(self, view: View, kind: str, make: Callable[[Path], None]) -> None:
        """See :class:`~coditect.retrieve.port.Folders`."""
        self.opened(view, kind, lambda _, work: make(work), lambda _: None)

    @contextmanager
    def _alone(self, target: Path) -> Iterator[None]:
        """One thread of this process makes a replica, and the others wait: eight that make it take eight times as long."""
        with self._guard:
            turn = self._made_by.setdefault(target, _Turn())
            turn.wanted_by += 1
        try:
            with turn.lock:
                yield
        finally:
            with self._guard:
                turn.wanted_by -= 1
                if not turn.wanted_by:  # who comes while others wait must wait for the same lock
                    del self._made_by[target]

    def _corpus_folder(self, corpus_id: str) -> Path:
        return self.folder / tag_of(corpus_id)

    def work(self, corpus_id: str) -> AbstractContextManager[Path]:
        """A folder for what goes with a build, which is removed at its end, or by the next one where it was killed."""
        return begun(self._corpus_folder(corpus_id))

    def forget(self, corpus_id: str) -> list[str]:
        """Remove every replica of a corpus, of whatever kind; those that somebody else has open stay, and are named."""
        self._open = Recent(OPEN)
        folder = self._corpus_folder(corpus_id)
        if not folder.is_dir():
            return []
        remove_abandoned(folder)
        return [str(each) for each in sorted(folder.iterdir()) if not remove_unused(each)]

    def _make(self, view: View, work: Path, beside: Beside | None = None, prepared: Prepared | None = None) -> None:
        from concurrent.futures import ThreadPoolExecutor  # no question needs it

        from coditect.retrieve.local.meaning.made import PreparedDocument  # as above

        changed, writers = self._from_base(view, work) or (
            set(view.entries),
            {each: LexicalIndex.make(work / each).writer() for each in PER_DOCUMENT},
        )
        every = document_units(view, changed, self.level)
        for units in every if beside is None else beside(view, every):
            file = None if prepared is None else prepared.of(view.entries[units.version.document_id])
            at_hand = None if file is None else PreparedDocument(file)
            for name, writer in writers.items():
                if at_hand is None:
                    writer.add(units.of(name))
                else:
                    writer.add_fields(at_hand.fields(name))
        with ThreadPoolExecutor(
            len(writers)
        ) as threads:  # an index is put in order by a thread of its own, on one core
            list(threads.map(LexicalWriter.commit, writers.values()))
        for upper in UPPER:
            writer = LexicalIndex.make(work / upper).writer()
            writer.add(upper_units(view, upper))
            writer.commit()

    def _from_base(self, view: View, work: Path) -> tuple[set[str], Mapping[IndexName, LexicalWriter]] | None:
        """(documents to index, indexes without what changed) from the newest earlier replica; None: there is none that helps."""
        base = self.base(view, self._kind)
        if base is None:
            return None
        folder, gone, changed = base
        with leased(folder) as there:
            try:
                check_inventory(folder, folder.name)
                for name in PER_DOCUMENT if there else ():
                    _link(folder / name, work / name)
                indexes = {each: LexicalIndex(work / each) for each in PER_DOCUMENT}
            except BaseException as error:  # tantivy's PanicException is no Exception; what is no damage is raised
                if not _is_damage(error):
                    raise
                for name in PER_DOCUMENT:
                    shutil.rmtree(work / name, ignore_errors=True)
                return None
        return set(changed), {each: index.writer(gone) for each, index in indexes.items()}

    def base(self, view: View, kind: str) -> tuple[Path, frozenset[str], frozenset[str]] | None:
        """The replica of the newest earlier build that is still here, if the corpus is large and few documents changed since.

        Args:
            view: the generation of which a replica is made.
            kind: as for :meth:`opened`.
        Returns:
            its folder, which may go unless it is leased, and what changed since, as
            :func:`~coditect.store.view.changed_between` tells it.
        """
        if len(view.entries) < INCREMENTAL_FROM:
            return None
        folder, erased = self._corpus_folder(view.corpus_id), view.shown_as.removeprefix(view.manifest.build_id)
        for generation in reversed(generations(self.store, view.corpus_id)):
            candidate = folder / f"{generation.build_id}{erased}.{kind}"
            if generation.build_id != view.manifest.build_id and candidate.is_dir():
                before = View(self.store, manifest_of(self.store, view.corpus_id, generation.build_id))
                gone, changed = changed_between(before, view)
                return (candidate, gone, changed) if len(changed) * 4 < len(view.entries) else None
        return None

    def _prune(self, newest: Path) -> None:
        kind = newest.name.partition(".")[2]
        done = [p for p in newest.parent.iterdir() if p.name.endswith(f".{kind}") and p != newest]
        done.sort(key=_used_at, reverse=True)
        for old in done[KEPT - 1 :]:
            remove_unused(old)
        erased = _erased(newest)
        for stale in [each for each in newest.parent.glob("build_*") if _erased(each) != erased]:
            remove_unused(stale)  # it holds words that were erased since
            self._open = Recent(OPEN)
        remove_abandoned(newest.parent)


def _is_whole(folder: Path) -> bool:
    """Whether the files of a replica are those that it lists."""
    try:
        check_inventory(folder, folder.name)
    except (OSError, ValueError):
        return False
    return True


def _erased(replica: Path) -> str:
    """How far erasures were when a replica was made; see :attr:`View.shown_as`."""
    return replica.name.partition(".")[0].partition("-")[2]


def _used_at(folder: Path) -> float:
    """When a replica was used last, in seconds; 0 where another process removed it meanwhile."""
    try:
        return folder.stat().st_mtime
    except FileNotFoundError:
        return 0.0


def _is_damage(error: BaseException | None) -> bool:
    """Whether an error is what a file system or an index says of a broken replica."""
    # ValueError: tantivy's, for files that are not an index. PanicException: its, for files that were cut; no Exception.
    return isinstance(error, OSError | ValueError) or type(error).__name__ == "PanicException"


class readable:  # noqa: N801 - used as a verb in a with statement
    """Turns what a file system or an index says of a broken replica into one error that tells the way out.

    Args:
        folder: named in the error.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def __enter__(self) -> None:
        """Begin to watch; there is nothing to open."""

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: object) -> None:
        """Raise what broke the replica as one error."""
        if _is_damage(error):
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
