"""Search of generations that others built, made ready behind a server while it answers of the one before."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import TYPE_CHECKING

from coditect.errors import CoditectError
from coditect.server.problems import Problem
from coditect.server.ready.behind import Behind
from coditect.store.intake.erasures import erased_since

if TYPE_CHECKING:
    from coditect.knowledge.service import Knowledge
    from coditect.server.service import Service

__all__ = ["LOOKS_EVERY_S", "Following"]

log = logging.getLogger(__name__)

LOOKS_EVERY_S = 2.0
"""How often the corpora's generations are looked at."""


class Following(Behind):
    """Looks for generations of which search is not made on this machine, and has it made, one after another. Safe for threads.

    Another server, the command line or a cluster of workers may build; what they make of search lies in their own cache.

    Args:
        service: the tenants whose corpora are meant.
        refresh: makes search of a corpus of a tenant; returns when it is made.
        is_busy: whether this server makes search of a corpus of a tenant otherwise: as it begins, or in a job that is at work.
        every_s: how often is looked, seconds; None: every :data:`LOOKS_EVERY_S`.
    """

    def __init__(
        self,
        service: Service,
        refresh: Callable[[str, str], None],
        is_busy: Callable[[str, str], bool],
        every_s: float | None = None,
    ) -> None:
        super().__init__("following")
        self._service = service
        self._refresh = refresh
        self._is_busy = is_busy
        self._every_s = LOOKS_EVERY_S if every_s is None else every_s
        self._seen: dict[tuple[str, str], tuple[int, str]] = {}
        """(generation, how far erasures were) that needs nothing more: search is made, or is being made, or cannot be."""
        self._under_way: tuple[str, str] | None = None

    def is_expected(self, tenant: str, corpus_id: str) -> bool:
        """Whether this server makes search of a corpus' current generation without being asked: it is at it, or will look.

        Raises:
            NotFound: no such corpus.
        """
        key = tenant, corpus_id
        if self._is_busy(*key) or self._under_way == key:
            return True
        return self._seen.get(key) != _state(self._service.tenants[tenant], corpus_id)

    def _run(self) -> None:
        while not self._stopped.wait(self._every_s):
            for tenant, knowledge in self._service.tenants.items():
                try:
                    self._look(tenant, knowledge)
                except CoditectError as error:  # the next look may find it back; the probe asks the store itself
                    log.warning("the corpora of a tenant are not known: %s", error)
                except BaseException:
                    # Faults of ours, and panics of libraries in Rust, which are no Exceptions: the next look is taken all the same.
                    log.exception("the corpora of a tenant are not known")

    def _look(self, tenant: str, knowledge: Knowledge) -> None:
        for corpus in knowledge.store.corpora():
            key = tenant, corpus.corpus_id
            if self._stopped.is_set() or not corpus.generation or self._is_busy(*key):
                continue
            state = corpus.generation, erased_since(knowledge.store, corpus.corpus_id)
            if self._seen.get(key) == state:  # not opened at each look: what questions opened would be let go for it
                continue
            self._under_way = key
            self._seen[key] = state  # also where it fails: whoever asks is told why, and another build may be better
            try:
                if not knowledge.searcher.is_ready(knowledge.view(corpus.corpus_id)):
                    self._refresh(*key)
            except (CoditectError, Problem) as error:
                log.warning("search of a corpus is not ready: %s", error)
            finally:
                self._under_way = None


def _state(knowledge: Knowledge, corpus_id: str) -> tuple[int, str]:
    """(generation, how far erasures were) of a corpus."""
    return knowledge.store.corpus(corpus_id).generation, erased_since(knowledge.store, corpus_id)
