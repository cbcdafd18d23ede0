"""The state of a store: corpora, the feed of what happened, optional indexes, compaction."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from coditect.knowledge.cases.base import KnowledgeBase
from coditect.knowledge.progress import Progress, silent
from coditect.schemas.quota import QuotaReport

if TYPE_CHECKING:
    from coditect.schemas import (
        CorpusStatus,
        FeedEntry,
        IndexStatus,
    )

    pass

# What only some use cases need is imported where it is used: a question need not wait for what a build loads.

__all__ = ["UpkeepCases"]


class UpkeepCases(KnowledgeBase):
    """How a store is, and what happened to it."""

    def indexes(self) -> list[IndexStatus]:
        """The indexes of the tenant's store and their states; those that every store has come first."""
        from coditect.integrity.indexing.statuses import index_statuses

        return index_statuses(self.store)

    def quota_report(self) -> QuotaReport:
        """What the operator grants the tenant, what it has already, and by which tag a cluster's operator sees its bulk work.

        Every document's row is read.
        """
        from coditect.engine.tags import tenant_tag
        from coditect.knowledge.ingest.quotas.usage import usage_of

        tenant = self.store.keys.tenant
        return QuotaReport(tenant=tenant, quota=self.quota, usage=usage_of(self.store), tag=tenant_tag(tenant))

    def build_index(self, name: str, *, progress: Progress = silent) -> bool:
        """Add an optional index, or go on with a building that was killed. See :mod:`coditect.integrity.indexing.building`.

        Readers and writers go on meanwhile, and questions have the same answers with it and without.

        Args:
            name: of the index, e.g. "entity".
            progress: told as records are read.
        Returns:
            False if it was readable already, and nothing was done.
        Raises:
            UsageError: no such index, or one that every store has.
            Conflict: somebody dropped it meanwhile.
            Corrupt: a record cannot be read; the index stays write only.
            Unwritable: the store has a later version of it, or the format of a former release.
        """
        from coditect.integrity.indexing.building import build_index

        built = build_index(self.store, name, self.clock, progress=progress)
        if built:
            self._log_act("index", "", index=name, change="built")
        return built

    def drop_index(self, name: str, *, progress: Progress = silent) -> int:
        """Drop an optional index, also one that only a later release knows. Readers and writers go on meanwhile.

        Args:
            name: of the index.
            progress: told as rows are cleared.
        Returns:
            How many rows were cleared.
        Raises:
            UsageError: no such index, or one that every store has.
            Conflict: somebody added it again meanwhile.
        """
        from coditect.integrity.indexing.dropping import drop_index

        cleared = drop_index(self.store, name, progress=progress)
        self._log_act("index", "", index=name, change="dropped", rows=cleared)
        return cleared

    def note_compaction(self, before_bytes: int, after_bytes: int) -> None:
        """Log that the file of the store was compacted.

        Args:
            before_bytes: its size before, all tenants together.
            after_bytes: its size after.
        """
        if self.store.header is not None:
            self._log_act("compaction", "", before={"size_bytes": before_bytes}, after={"size_bytes": after_bytes})

    def feed(self, corpus_id: str, cursor: str = "") -> Iterator[FeedEntry]:
        """What happened to a corpus, oldest first.

        Args:
            corpus_id: the corpus.
            cursor: of the last entry that is known; empty: none is.
        Raises:
            NotFound: no such corpus.
            UsageError: not a cursor.
        """
        from coditect.store.acts.events import entries_after

        self.store.corpus(corpus_id)
        return entries_after(self.store, corpus_id, cursor)

    def follow(self, corpus_id: str, cursor: str = "") -> Iterator[FeedEntry]:
        """What happened to a corpus, and then what happens, without end; an entry may come twice. As :meth:`feed`."""
        from coditect.store.acts.events import follow

        return follow(self.store, corpus_id, cursor)

    def status(self, corpus_id: str | None = None) -> list[CorpusStatus]:
        """The state of one corpus, or of every corpus of the tenant, by id.

        Args:
            corpus_id: the corpus; None is all of them.
        Raises:
            NotFound: no such corpus.
        """
        from coditect.knowledge.report.status import corpus_status

        return corpus_status(self.store, corpus_id)
