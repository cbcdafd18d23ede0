"""The vector replica: what a generation's units mean, by the configured model, as matrices in a folder."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Self

from coditect.models.port import Embedder
from coditect.retrieve.embedding import UPPER, UnitVectors
from coditect.retrieve.local.dense import DENSE, DenseIndex
from coditect.retrieve.local.inventory import check_inventory
from coditect.retrieve.local.lease import leased
from coditect.retrieve.local.replica import OPEN, Replicas
from coditect.retrieve.recent import Recent
from coditect.retrieve.units import DOCUMENT_GRANULARITIES, IndexName
from coditect.store.view import View

__all__ = ["Vectors"]

Progress = Callable[[str, int, int], None]


class Vectors:
    """The vector replicas of one tenant. Safe for threads.

    Args:
        replicas: their folders.
        embedder: the configured model.
    """

    def __init__(self, replicas: Replicas, embedder: Embedder) -> None:
        self.replicas = replicas
        self.embedder = embedder
        self._vectors = UnitVectors(replicas.store, replicas.level, embedder)
        self._open: Recent[tuple[str, IndexName], DenseIndex] = Recent(OPEN)

    def index(self, view: View, name: IndexName, progress: Progress | None = None) -> DenseIndex:
        """The vectors of a generation at a granularity; what is not there is embedded and stored first.

        Raises:
            Unavailable: the replica can be neither made nor read.
            ModelError: the model failed.
        """
        return self._open.get(
            (view.shown_as, name),
            lambda: self.replicas.opened(
                view,
                self._kind,
                lambda view, work: self._make(view, work, progress),
                lambda folder: DenseIndex(folder / name),
            ),
        )

    @property
    def _kind(self) -> str:
        return f"{self._vectors.recipe('all')}-{DENSE}-{self.embedder.card.model_id}".replace("/", "-")

    def _make(self, view: View, work: Path, progress: Progress | None) -> None:
        dimension = self.embedder.card.dimension
        with ExitStack() as opened:
            before = opened.enter_context(self._before(view))
            writers = {
                name: opened.enter_context(DenseIndex.writer(work / name, dimension)) for name in DOCUMENT_GRANULARITIES
            }
            changed = self._vectors.of_documents(view, [each for each in view.entries if each not in before.documents])
            for done, document_id in enumerate(view.entries, 1):
                if document_id in before.documents:
                    for name, index in before.indexes.items():
                        writers[name].add(document_id, index.block_of(document_id))
                else:
                    for name, own in next(changed)[1]:
                        for block in own:
                            writers[name].add(document_id, block)
                if progress is not None:
                    progress("embedding documents", done, len(view.entries))
        for name in UPPER:
            blocks_above = (("", block) for block in self._vectors.of_upper(view, name))
            DenseIndex.make(work / name, blocks_above, dimension)

    @contextmanager
    def _before(self, view: View) -> Iterator[_Before]:
        """What a replica of an earlier build has of documents that did not change since; nothing where none helps."""
        base = self.replicas.base(view, self._kind)
        if base is None:
            yield NOTHING
            return
        folder, former = base
        with leased(folder) as there:
            yield _Before.open(folder, view, former) if there else NOTHING


@dataclass(frozen=True, slots=True)
class _Before:
    """The vectors of documents in a replica of an earlier build.

    Attributes:
        documents: that are the same now.
        indexes: by granularity.
    """

    documents: frozenset[str] = frozenset()
    indexes: Mapping[IndexName, DenseIndex] = field(default_factory=dict)

    @classmethod
    def open(cls, folder: Path, view: View, former: View) -> Self:
        """That of a folder; nothing of one whose files are damaged.

        Args:
            folder: of the replica.
            view: the generation of which one is made.
            former: the generation that the folder is of.
        """
        same = frozenset(each for each, entry in view.entries.items() if former.entries.get(each) == entry)
        try:
            check_inventory(folder, folder.name)
            return cls(same, {name: DenseIndex(folder / name) for name in DOCUMENT_GRANULARITIES})
        except (OSError, ValueError):
            return cls()


NOTHING = _Before()
