"""What a killed import left behind: nobody sees it, and the next import of the corpus removes it.

It goes from the top down, each record in one transaction with its index entries. So what is still there is whole at every
moment, should this be killed in its turn: an item has its index entries, a derivation its outputs, a document its bytes. An
ingest that makes the corpus then, in place of another import, may use it, as it uses what a killed build left.
"""

from __future__ import annotations

from coditect.engine.limits import TRANSACTION_BYTES
from coditect.errors import Corrupt
from coditect.knowledge.archive.index import index_pages
from coditect.knowledge.archive.lease import Claim
from coditect.knowledge.archive.lines import RECORDS, BlobPart, LongRecord
from coditect.knowledge.archive.rows import restored_row, stored_row, table_pages
from coditect.store.blobs import Row, get_blob
from coditect.store.store import Store

__all__ = ["clear_leftovers"]

BATCH_BYTES = TRANSACTION_BYTES // 2
"""Keys of one transaction."""

_NO_KEYS: frozenset[bytes] = frozenset()


def clear_leftovers(store: Store, corpus_id: str, claim: Claim) -> None:
    """Remove every row of a corpus that has no corpus record, but for its feed, which the claim has cleared.

    Raises:
        Conflict: the claim was lost.
    """
    run = _Clearing(store, corpus_id, claim)
    for table in reversed(RECORDS):
        if table not in ("corpus", "feed"):
            run.table(table)
    if run.damaged:  # index entries of records that cannot be read are known by their own keys alone
        for rows in index_pages(store, corpus_id):
            claim.clear([key for key, _ in rows])
    if next(table_pages(store, corpus_id, "blobs")):
        claim.clear(spans=[store.keys.bounds("blobs", corpus_id)])


class _Clearing:
    """Keys that wait to be removed.

    Attributes:
        damaged: whether a record could not be read.
    """

    def __init__(self, store: Store, corpus_id: str, claim: Claim) -> None:
        self.store = store
        self.corpus_id = corpus_id
        self.claim = claim
        self.damaged = False
        self.batch: list[bytes] = []
        self.batch_bytes = 0

    def table(self, table: str) -> None:
        """Remove the records of a table and their index entries."""
        last, held = b"", _NO_KEYS
        for page in table_pages(self.store, self.corpus_id, table):
            for row in page:
                index = self._index(table, row)
                # The versions of a document follow each other and share its locator, which goes with the last.
                self._remove(last, held - index)
                last, held = row[0], index
        self._remove(last, held)
        self._flush()

    def _index(self, table: str, row: Row) -> frozenset[bytes]:
        """Keys of the index entries of a stored record."""
        keys = self.store.keys
        try:
            found = stored_row(keys, self.corpus_id, table, row)
            assert not isinstance(found, BlobPart)  # noqa: S101 - a table of records
            if isinstance(found, LongRecord):
                payload = get_blob(self.store.engine, keys, self.corpus_id, found.sha256, found.size_bytes)
            else:
                payload = found.payload
            return frozenset(key for key, _ in restored_row(keys, self.corpus_id, table, payload).index)
        except Corrupt:
            self.damaged = True
            return _NO_KEYS

    def _remove(self, record: bytes, index: frozenset[bytes]) -> None:
        """Remove a record and its index entries in one transaction."""
        if not record:
            return
        cost = len(record) + sum(map(len, index))
        if self.batch_bytes + cost > BATCH_BYTES:
            self._flush()
        self.batch += [record, *sorted(index)]
        self.batch_bytes += cost

    def _flush(self) -> None:
        self.claim.clear(self.batch)
        self.batch, self.batch_bytes = [], 0
