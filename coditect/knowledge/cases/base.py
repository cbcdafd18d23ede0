"""What every use case rests on: the store, who acts, the log that every change ends with, and the generations that are open."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from copy import copy
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Self

from pydantic import JsonValue

from coditect.documents.limits import MOST_EXTRACTIONS
from coditect.documents.sandbox.budget import ReadBudget
from coditect.knowledge.labour.scratch import remove_abandoned
from coditect.knowledge.progress import Clock, Progress, utc_now
from coditect.knowledge.query.opened import Opened
from coditect.knowledge.query.pages.desk import PageDesk
from coditect.models.port import ModelSources
from coditect.retrieve.port import Folders, Searcher
from coditect.retrieve.recent import Recent
from coditect.schemas.quota import NO_QUOTA
from coditect.store.intake.erasures import erased_since, pending_erasures
from coditect.store.intake.present import present_corpus
from coditect.store.store import Store
from coditect.store.view import View, open_view
from coditect.transparency.events import Acting
from coditect.transparency.salts import Salts, random_salt

if TYPE_CHECKING:
    from coditect.knowledge.building.gathered.segments import Heads
    from coditect.knowledge.derivation.executors import Executor
    from coditect.knowledge.derivation.plan import PlannedDocuments
    from coditect.knowledge.erasure.desk import ErasureDesk
    from coditect.knowledge.model_roles.agency import Agency, OpenAgency
    from coditect.knowledge.report.audit.accesses import AccessLog
    from coditect.schemas import (
        Item,
        LogEventKind,
        PassageSettings,
    )
    from coditect.schemas.quota import Quota
    from coditect.transparency.custody.memory import CheckpointMemory
    from coditect.transparency.notes import Signer
    from coditect.transparency.sequencer import TransparencyLog

# What only some use cases need is imported where it is used: a question need not wait for what a build loads.

__all__ = ["KnowledgeBase", "erasure_desk"]


def _local() -> AbstractContextManager[Executor]:
    from coditect.knowledge.derivation.executors import LOCAL

    return nullcontext(LOCAL)


def _no_agency(
    store: Store, corpus_id: str, *, forecast: bool = False, roles: tuple[str, ...] = ()
) -> AbstractContextManager[Agency | None]:
    return nullcontext(None)


NO_MODELS = ModelSources()
"""Rules alone."""

READ_BUDGET = ReadBudget()
"""The usual."""

OPEN_VIEWS = 8
"""Generations that are kept open between questions."""


class KnowledgeBase:
    """What a tenant's services share, and every use case needs."""

    def __init__(
        self,
        store: Store,
        searcher: Searcher,
        *,
        clock: Clock = utc_now,
        jobs: int | None = None,
        read_budget: ReadBudget = READ_BUDGET,
        log_signer: Signer | None = None,
        log_memory: CheckpointMemory | None = None,
        principal: str = "",
        answered_with: Mapping[str, str] = MappingProxyType({}),
        salts: Salts = random_salt,
        document_extractions: int = MOST_EXTRACTIONS,
        models: ModelSources = NO_MODELS,
        passages: PassageSettings | None = None,
        return_level: int = 2,
        open_executor: Callable[[], AbstractContextManager[Executor]] = _local,
        open_agency: OpenAgency = _no_agency,
        erasure_list: Path | None = None,
        searched_places: tuple[Path, ...] = (),
        quota: Quota = NO_QUOTA,
        folders: Folders | None = None,
    ) -> None:
        self.store = store
        self.searcher = searcher
        self.clock = clock
        self.has_erased = False
        self.has_acted = False
        self.jobs = jobs
        self.read_budget = read_budget
        self.log_signer = log_signer
        self.log_memory = log_memory
        self.principal = " ".join(principal.split())
        self.salts = salts
        store.acting = Acting(salts=salts)
        self._answered_with = answered_with
        self._kept_log: TransparencyLog | None = None
        self._reads: AccessLog | None = None
        if self.principal:
            from coditect.knowledge.report.audit.accesses import AccessLog

            self._reads = AccessLog(store, clock, answered_with, self._act)
        self.document_extractions = document_extractions
        self.models = models
        self.passages = passages
        self.return_level = return_level
        self.open_executor = open_executor
        self.open_agency = open_agency
        self.erasure_list = erasure_list
        self.searched_places = searched_places
        self.quota = quota
        self.folders = folders
        store.own_tag = bool(quota.own_tag)
        self._views: Recent[tuple[str, int, str], Opened] = Recent(OPEN_VIEWS)
        self._read_items: Recent[tuple[str, int, str], Mapping[str, Item]] = Recent(1)
        self._planned: Recent[tuple[str, int, str], tuple[PlannedDocuments, Heads]] = Recent(1)
        self.page_desk = PageDesk(read_budget)

    def on_behalf_of(self, principal: str) -> Self:
        """The same knowledge for somebody else: what it reads and changes stands under that name in the audit trail.

        Store, search replicas and open generations are shared; whoever is done with it calls :meth:`flush_reads`.

        Args:
            principal: the person or service; empty: nobody is named, and reads are not logged.
        """
        from coditect.knowledge.report.audit.accesses import AccessLog

        other = copy(self)
        other.store = copy(self.store)
        other.store.acting = Acting(salts=self.salts)
        other.principal = " ".join(principal.split())
        other._reads = None
        if other.principal:
            other._reads = AccessLog(other.store, other.clock, self._answered_with, other._act)
        return other

    def view(self, corpus_id: str, generation: int | None = None) -> View:
        """A generation to be read, item by item.

        Args:
            corpus_id: the corpus.
            generation: its number; None is the current one.
        Raises:
            NotFound: no such corpus or generation, or it was never built.
        """
        return self._opened(corpus_id, generation).view

    def _opened(self, corpus_id: str, generation: int | None) -> Opened:
        """A generation never changes, so what was read of the last few is kept, the last used longest."""
        return self._opened_now(corpus_id, generation)[0]

    def _opened_now(self, corpus_id: str, generation: int | None) -> tuple[Opened, bool]:
        """The same, and whether the corpus may be calibrated."""
        is_calibrated = True
        if generation is None:
            now = present_corpus(self.store, corpus_id)
            number, state, is_calibrated = now.corpus.generation, now.erased, now.is_calibrated
        else:
            number, state = generation, erased_since(self.store, corpus_id)
        key = corpus_id, number, state
        return self._views.get(key, lambda: Opened(open_view(self.store, corpus_id, number))), is_calibrated

    def acting(self) -> None:
        """Learn under which pseudonym the log has who runs this; for callers that write records by themselves."""
        self._act()

    def _act(self) -> None:
        """Learn the pseudonym of who runs this, once; whatever changes something begins with this."""
        self.has_acted = True
        if self.principal and not self.store.acting.by:
            from coditect.transparency.events import principal_named

            fresh = self.salts()
            by = self.store.update(lambda t: principal_named(t, self.store.keys, self.principal, fresh))
            self.store.acting = Acting(by, self.salts)

    def _log(self) -> TransparencyLog:
        """The tenant's log, kept: it remembers how long it was when it was last signed."""
        if self._kept_log is None:
            from coditect.transparency.sequencer import TransparencyLog

            self._kept_log = TransparencyLog(self.store.engine, self.store.keys)
        return self._kept_log

    def _log_act(self, kind: LogEventKind, corpus_id: str, **details: JsonValue) -> None:
        """Log what no other record tells of, and end as every change does."""
        from coditect.schemas import LogAct
        from coditect.transparency.events import append_act

        self._act()
        act = LogAct(kind=kind, corpus_id=corpus_id, at=self.clock(), details=details, salt=self.salts())
        self.store.update(lambda transaction: append_act(transaction, self.store.keys, act, self.store.acting.by))
        self.checkpoint()

    def checkpoint(self) -> str | None:
        """Give the events that wait their index, and sign what the log is now. Every change ends with this.

        Returns:
            The signed checkpoint; None where no key is configured: then nothing is proven.

        Raises:
            InvalidProof: the log does not continue what was signed before; nothing is signed.
            UsageError: the log has another origin than the key signs for.
        """
        self.flush_reads()
        log, signer = self._log(), self.log_signer
        if signer is None:
            log.sequence()
            return None
        if log.is_new_key(signer.key):
            from coditect.transparency.events import append_event_once, event_of

            event = event_of("log key", "", at=self.clock(), by=self.store.acting.by, key=str(signer.key))
            self.store.update(lambda transaction: append_event_once(transaction, self.store.keys, event))
        return log.checkpoint(signer, self.log_memory)

    def note_read(
        self, corpus_id: str, what: str, generation: int, items: Sequence[str] = (), words: str | None = None
    ) -> None:
        """Say that something was read: logged with others where a principal is configured, at the latest by :meth:`flush_reads`.

        Args:
            corpus_id: of the corpus.
            what: the use case: "query", "document".
            generation: that answered.
            items: ids of what was shown.
            words: the question, of which a salted hash is kept; None: there was none.
        """
        if self._reads is not None:
            self._reads.note(corpus_id, what, generation, items, words)

    def flush_reads(self) -> None:
        """Log the reads that are kept in memory; whoever is done with this calls it, as :func:`coditect.open_knowledge` does."""
        if self._reads is not None:
            self._reads.flush()

    def _forget(self, corpus_id: str) -> Sequence[str]:
        """Let go of every copy of a corpus: generations that are open here, and search replicas."""
        self._views = Recent(OPEN_VIEWS)
        self._read_items = Recent(1)
        self._planned = Recent(1)
        self.page_desk.forget()
        return (*self.searcher.forget(corpus_id), *map(str, remove_abandoned()))

    def _finish_erasures(self, corpus_id: str, progress: Progress) -> None:
        """Finish what was killed, or waited, before anything else is written."""
        if pending_erasures(self.store, corpus_id):
            erasure_desk(self).finish(corpus_id, progress=progress)


def erasure_desk(knowledge: KnowledgeBase) -> ErasureDesk:
    """Erasures with certificates, legal holds and retention of a tenant's corpora."""
    from coditect.knowledge.erasure.desk import ErasureDesk
    from coditect.knowledge.erasure.execution import Surroundings

    def erased() -> None:
        knowledge.has_erased = True

    around = Surroundings(knowledge.clock, os.urandom, knowledge._forget, knowledge.searched_places, erased=erased)
    return ErasureDesk(knowledge.store, around, knowledge.checkpoint, knowledge.erasure_list)
