"""Search of generations that others built, made ready behind a server while it answers of the one before."""

from __future__ import annotations

import logging
from collections.abc import Callable
from threading import Event, Thread
from typing import TYPE_CHECKING

from coditect.errors import CoditectError
from coditect.server.problems import Problem

if TYPE_CHECKING:
    from coditect.knowledge.service import Knowledge
    from coditect.server.service import Service

__all__ = ["LOOKS_EVERY_S", "Following"]

log = logging.getLogger(__name__)

LOOKS_EVERY_S = 2.0
"""How often the corpora's generations are looked at."""


class Following:
    """Looks for generations of which search is not made on this machine, and has it made, one after another. Safe for threads.

    Another server, the command line or a cluster of workers may build; what they make of search lies in their own cache.

    Args:
        service: the tenants whose corpora are meant.
        refresh: makes search of a corpus of a tenant; returns when it is made.
        is_busy: whether a job of this server is at work on a corpus of a tenant: it makes search itself.
        every_s: how often is looked, seconds; None: every :data:`LOOKS_EVERY_S`.
    """

    def __init__(
        self,
        service: Service,
        refresh: Callable[[str, str], None],
        is_busy: Callable[[str, str], bool],
        every_s: float | None = None,
    ) -> None:
        self._service = service
        self._refresh = refresh
        self._is_busy = is_busy
        self._every_s = LOOKS_EVERY_S if every_s is None else every_s
        self._stopped = Event()
        self._failed: dict[tuple[str, str], int] = {}
        self._thread = Thread(target=self._run, name="following", daemon=True)

    def begin(self) -> None:
        """Begin; called once."""
        self._thread.start()

    def close(self) -> None:
        """Stop behind the corpus that is under way, and wait for it."""
        self._stopped.set()
        if self._thread.is_alive():
            self._thread.join()

    def _run(self) -> None:
        while not self._stopped.wait(self._every_s):
            for tenant, knowledge in self._service.tenants.items():
                try:
                    self._look(tenant, knowledge)
                except CoditectError as error:  # the next look may find it back; the probe asks the store itself
                    log.warning("the corpora of a tenant are not known: %s", error)
                except BaseException:
                    log.exception("the corpora of a tenant are not known")

    def _look(self, tenant: str, knowledge: Knowledge) -> None:
        for corpus in knowledge.store.corpora():
            key = tenant, corpus.corpus_id
            if self._stopped.is_set() or not corpus.generation or self._is_busy(*key):
                continue
            if self._failed.get(key) == corpus.generation or knowledge.searcher.is_ready(knowledge.view(key[1])):
                continue
            try:
                self._refresh(*key)
            except (CoditectError, Problem) as error:
                self._failed[key] = corpus.generation  # whoever asks is told why; another build may be better
                log.warning("search of a corpus is not ready: %s", error)
