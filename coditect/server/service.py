"""What a server holds open: the tenants' knowledge, who may see it, and the jobs that run."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING

from coditect.errors import NotFound
from coditect.retrieve.recent import Recent
from coditect.server.access.callers import Caller, ModelUse

if TYPE_CHECKING:
    from coditect.knowledge.service import Knowledge
    from coditect.schemas import CorpusChanges
    from coditect.settings import Settings

__all__ = ["MOST_CALLERS", "MOST_CHANGES", "Service", "open_service"]

MOST_CALLERS = 256
"""Callers whose reads are collected side by side."""

MOST_CHANGES = 4
"""Changes whose first page was asked for last, kept for the pages behind it: to compare two states takes seconds."""


class Service:
    """The tenants that a server answers for. Safe for threads.

    Args:
        tenants: the opened knowledge of each, by name.
        work: a folder of the server's own, for uploads and jobs.
        model_use: who may spend the budget of the operator's language model.
    """

    def __init__(self, tenants: Mapping[str, Knowledge], work: Path, model_use: ModelUse | None = None) -> None:
        self.tenants = dict(tenants)
        self.work = work
        self.model_use = model_use or ModelUse()
        self.changes: Recent[tuple[str, str, str], CorpusChanges] = Recent(MOST_CHANGES)
        self._callers: OrderedDict[tuple[str, str], Knowledge] = OrderedDict()
        self._lock = Lock()

    def knowledge(self, caller: Caller) -> Knowledge:
        """What a caller's tenant knows; what is read and changed stands under the caller's name in the audit trail.

        Raises:
            NotFound: the server does not answer for the tenant.
        """
        own = self.tenants.get(caller.tenant)
        if own is None:
            raise NotFound("unknown tenant")
        with self._lock:
            key = (caller.tenant, caller.name)
            found = self._callers.get(key)
            if found is None:
                found = self._callers[key] = own.on_behalf_of(caller.name)
            self._callers.move_to_end(key)
            gone = self._callers.popitem(last=False)[1] if len(self._callers) > MOST_CALLERS else None
        if gone is not None:
            gone.flush_reads()
        return found

    def corpora(self, caller: Caller) -> list[str]:
        """The corpora that a caller may know of, by id."""
        return [each.corpus_id for each in self.knowledge(caller).store.corpora() if caller.knows(each.corpus_id)]

    def flush(self) -> None:
        """Log the reads that are still collected."""
        with self._lock:
            every = list(self._callers.values())
        for each in every:
            each.flush_reads()


@contextmanager
def open_service(settings: Settings, tenants: tuple[str, ...] = (), work: Path | None = None) -> Iterator[Service]:
    """The service over the configured store, closed at the end.

    Args:
        settings: which store, which models.
        tenants: whom it answers for; none: the tenant of the settings.
        work: a folder for uploads and jobs; None: one in the cache.

    Raises:
        NotFound: there is no store.
        UsageError: not the URL of a store.
        Unavailable: the store cannot be opened.
    """
    from coditect.compose import open_knowledge

    names = tenants or (settings.tenant,)
    folder = work or settings.cache.expanduser() / "server"
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    with ExitStack() as stack:
        opened = {
            name: stack.enter_context(open_knowledge(settings.model_copy(update={"tenant": name}), must_exist=False))
            for name in names
        }
        use = ModelUse(frozenset(settings.llm_callers), settings.llm != "none", settings.assistants_llm)
        service = Service(opened, folder, use)
        stack.callback(service.flush)
        yield service
