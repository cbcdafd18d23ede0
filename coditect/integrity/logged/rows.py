"""The rows of a corpus as they are held against what its log tells: what both readers of rows have in common."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterator
from typing import TypeVar

from coditect.integrity.logged.belongings import CHANGED, GONE, PLANTED
from coditect.integrity.logged.history import CorpusHistory
from coditect.integrity.rows.reading import Advance, RowReader
from coditect.schemas import Record
from coditect.store.intake.erasures import gone_rows
from coditect.store.rows import payload_of, row_name
from coditect.store.store import Store

__all__ = ["LoggedRows"]

R = TypeVar("R", bound=Record)


class LoggedRows:
    """Compares rows with what is told of them, and keeps what is told of none.

    Args:
        store: the tenant's store.
        history: what the log tells of the corpus.
        corpus_id: the corpus.
        say: told (name of a row, what is wrong with it).
        advance: told of each page of rows, with the table's name.

    Attributes:
        by_right: what is gone since an erasure, or retention, took it.
        unknown: rows of which the log does not tell and need not, by what they are.
    """

    def __init__(
        self, store: Store, corpus_id: str, history: CorpusHistory, say: Callable[[str, str], None], advance: Advance
    ) -> None:
        self.store, self.corpus_id, self.history, self.say = store, corpus_id, history, say
        self.advance = advance
        self.rows = self.reader(corpus_id)
        self.unknown: Counter[str] = Counter()
        self.by_right = gone_rows(store, corpus_id)

    def reader(self, corpus_id: str) -> RowReader:
        """Reads the rows of a corpus, or of the tenant; what cannot be read is said where rows are checked."""
        return RowReader(self.store, corpus_id, Counter(), lambda check_name, record, message: None, self.advance)

    def digests(
        self, table: str, cls: type[R], rows: RowReader | None = None, wanted: Callable[[R], bool] | None = None
    ) -> Iterator[tuple[str, R, str]]:
        """(name, record, SHA-256 of the stored bytes) of the rows of a table that can be read.

        Args:
            table: the table.
            cls: of its records.
            rows: reads them; None: those of the corpus.
            wanted: which records; None: all.
        """
        for key, record in (rows or self.rows).records(table, cls):
            if not isinstance(record, cls) or (wanted is not None and not wanted(record)):
                continue
            place = self.store.keys.parts(table, key)
            value = self.store.engine.read(lambda transaction, key=key: transaction.get(key))  # type: ignore[misc]
            if value is not None:
                payload = payload_of(self.store.engine, self.store.keys, place, key, value)
                yield row_name(self.store.keys, key), record, hashlib.sha256(payload).hexdigest()

    def compare(self, name: str, told: str | None, found: str, what: str, *, bound: bool | None = None) -> None:
        """Say if a row is not what is told of it.

        Args:
            name: of the row.
            told: SHA-256 of its bytes, as the log tells; None: it does not.
            found: of those that are there.
            what: such rows, in words.
            bound: whether the log tells of all of them; None: it does if it tells how the corpus was made.
        """
        if told == found:
            return
        if told is not None:
            self.say(name, CHANGED)
        elif self.history.begun == "corpus" if bound is None else bound:
            self.say(name, PLANTED)
        else:
            self.unknown[what] += 1

    def gone(self, name: str) -> None:
        """Say that a row is gone of which the log tells."""
        self.say(name, GONE)
