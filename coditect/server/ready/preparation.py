"""Search of every corpus, made ready behind a server that begins, as after an upgrade or on a new machine."""

from __future__ import annotations

import logging
from threading import Lock
from typing import TYPE_CHECKING

from coditect.errors import CoditectError
from coditect.server.memory import give_back
from coditect.server.ready.behind import Behind

if TYPE_CHECKING:
    from coditect.knowledge.service import Knowledge
    from coditect.server.service import Service

__all__ = ["Preparation"]

log = logging.getLogger(__name__)


class Preparation(Behind):
    """Makes the search replicas of a server's corpora, one after another in a thread of its own. Safe for threads.

    A corpus whose replica cannot be made is logged and passed over: questions of it say why, and the others are served.

    Args:
        service: the tenants whose corpora are meant; those that come later are made ready by their builds.
    """

    def __init__(self, service: Service) -> None:
        super().__init__("preparation")
        self._service = service
        self._lock = Lock()
        self._waiting: int | None = None

    @property
    def waiting(self) -> int | None:
        """Corpora that are not ready yet; None where nobody has counted them, 0 where all are."""
        with self._lock:
            return self._waiting

    def _run(self) -> None:
        every = [pair for knowledge in self._service.tenants.values() for pair in _corpora(knowledge)]
        for left in range(len(every), 0, -1):
            self._tell(left)
            if self._stopped.is_set():
                return
            _prepare(*every[-left])
            give_back()
        self._tell(0)

    def _tell(self, waiting: int) -> None:
        with self._lock:
            self._waiting = waiting


def _corpora(knowledge: Knowledge) -> list[tuple[Knowledge, str]]:
    try:
        return [(knowledge, each.corpus_id) for each in knowledge.store.corpora() if each.generation]
    except CoditectError as error:  # the probe asks the store itself
        log.warning("the corpora of a tenant are not known: %s", error)
        return []


def _prepare(knowledge: Knowledge, corpus_id: str) -> None:
    try:
        knowledge.searcher.refresh(knowledge.view(corpus_id))
    except CoditectError as error:
        log.warning("search of a corpus is not ready: %s", error)
    except BaseException:
        # Faults of ours, and panics of libraries in Rust, which are no Exceptions: the others are made ready.
        log.exception("search of a corpus is not ready")
