"""Who read what, when: kept in memory and logged in batches, so that a read is hardly slowed.

A batch is one act of the log. It holds the salted hash of each question, never its words: who has the question can show that it was
asked, and nobody can read it here. A process that is killed loses the reads since its last batch.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping, Sequence

from pydantic import JsonValue

from coditect.errors import Unwritable
from coditect.knowledge.progress import Clock
from coditect.schemas import LogAct
from coditect.store.store import Store
from coditect.transparency.events import append_act
from coditect.transparency.salts import salted_sha256

__all__ = ["BATCH_READS", "BATCH_S", "AccessLog"]

BATCH_READS = 256
"""Reads of a batch, at most: 45 kB where each shows ten items."""

BATCH_S = 10.0
"""How old the first read of a batch gets, in seconds, before the next read logs it."""

MOST_ITEMS = 10
"""Items that a read names; how many more there were is told by their number."""


class AccessLog:
    """Collects reads, and logs them. Safe for threads.

    Args:
        store: where they are logged.
        clock: tells the time that is written.
        settings: what answers depend on and no build covers: embedder, reranker and the like.
        act: called before a batch is written, to learn on whose behalf.
        now: seconds that only grow.
    """

    def __init__(
        self,
        store: Store,
        clock: Clock,
        settings: Mapping[str, str],
        act: Callable[[], None],
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self._store = store
        self._clock = clock
        self._settings = dict(settings)
        self._act = act
        self._now = now
        self._lock = threading.Lock()
        self._salt = ""
        self._corpus_id = ""
        self._reads: list[JsonValue] = []
        self._first_s = 0.0

    def note(
        self, corpus_id: str, what: str, generation: int, items: Sequence[str] = (), words: str | None = None
    ) -> None:
        """Keep a read; log what is kept where that is enough, of another corpus, or old.

        Args:
            corpus_id: of the corpus that was read.
            what: the use case: "query", "report".
            generation: that answered.
            items: ids of what was shown.
            words: the question, or the text that was checked; None: there was none.
        """
        with self._lock:
            full = len(self._reads) >= BATCH_READS or self._now() - self._first_s > BATCH_S
            if self._reads and (full or corpus_id != self._corpus_id):
                self._write()
            if not self._reads:
                self._salt, self._corpus_id, self._first_s = self._store.acting.salts(), corpus_id, self._now()
            read: dict[str, JsonValue] = {"at": self._clock(), "what": what, "generation": generation}
            if items:
                read |= {"items": list(items[:MOST_ITEMS]), "count": len(items)}
            if words is not None:
                read["question_sha256"] = salted_sha256(self._salt, words)
            self._reads.append(read)

    def flush(self) -> None:
        """Log what is kept.

        Raises:
            Unwritable: the store can only be read, and what is read in somebody's name is not read unlogged.
        """
        with self._lock:
            if self._reads:
                self._write()

    def _write(self) -> None:
        try:
            self._append()
        except Unwritable as error:
            raise Unwritable(
                "what is read in somebody's name is logged, and this store can only be read",
                reason=error.message,
                hint="Unset CODITECT_PRINCIPAL to read it unlogged, or read a store that may be written.",
                **error.context,
            ) from error

    def _append(self) -> None:
        self._act()
        details: dict[str, JsonValue] = {"reads": self._reads, "settings": dict(self._settings)}
        act = LogAct(kind="access", corpus_id=self._corpus_id, at=self._clock(), details=details, salt=self._salt)
        store, self._reads = self._store, []
        store.update(lambda transaction: append_act(transaction, store.keys, act, store.acting.by))
