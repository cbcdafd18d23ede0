"""The vector replica: what a generation's units mean, by the configured model, as matrices in a folder."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

from coditect.models.port import Embedder
from coditect.retrieve.embedding import UPPER, UnitVectors
from coditect.retrieve.local.dense import DENSE, DenseIndex
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
        kind = f"{self._vectors.recipe('all')}-{DENSE}-{self.embedder.card.model_id}".replace("/", "-")
        return self._open.get(
            (view.manifest.build_id, name),
            lambda: self.replicas.opened(
                view,
                kind,
                lambda view, work: self._make(view, work, progress),
                lambda folder: DenseIndex(folder / name),
            ),
        )

    def _make(self, view: View, work: Path, progress: Progress | None) -> None:
        dimension = self.embedder.card.dimension
        with ExitStack() as open_writers:
            writers = {
                name: open_writers.enter_context(DenseIndex.writer(work / name, dimension))
                for name in DOCUMENT_GRANULARITIES
            }
            for done, (units, blocks) in enumerate(self._vectors.of_documents(view, list(view.entries)), 1):
                for name, own in blocks:
                    for block in own:
                        writers[name].add(units.version.document_id, block)
                if progress is not None:
                    progress("embedding documents", done, len(view.entries))
        for name in UPPER:
            blocks_above = (("", block) for block in self._vectors.of_upper(view, name))
            DenseIndex.make(work / name, blocks_above, dimension)
