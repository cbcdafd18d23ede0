"""Upgrade: the store of a tenant in the format of this release, beside the former one until nobody reads that any more.

Every row is copied to the key that it has in the new format. The bytes of records stay as they are, so that ids, digests and
archives are the same afterwards; index entries are written again from the records. Copying goes page by page: each page is one
bounded transaction that also says, in the store's header, how far it is, so a killed upgrade goes on where it was, and a
transaction that runs again after it has committed writes the same once more.

Until the end readers see the former rows, and nothing else. Then both are compared, and one transaction *flips* the header:
whoever opens the store from now on sees the new rows; whoever had it open goes on reading the former ones, which stay until
:func:`clear_former`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from pydantic import JsonValue

import coditect as package
from coditect.engine.batches import batches
from coditect.engine.limits import TRANSACTION_BYTES
from coditect.engine.port import Engine, Transaction
from coditect.errors import Conflict, Corrupt, NotFound
from coditect.keyspace import FORMAT, LAYOUT, POINTER, Keyspace, seal, unseal
from coditect.keyspace.compression import DICTIONARY_OF
from coditect.keyspace.encoding import seal_compressed
from coditect.knowledge.archive.export import corpus_digest
from coditect.knowledge.progress import Progress, silent
from coditect.schemas import Corpus, Derivation, LogAct, StoreHeader, UpgradeProgress, tag_of
from coditect.store.acts.events import event_payload, seal_event_payload
from coditect.store.blobs import Row, get_blob, part_row, put_rows
from coditect.store.former import former_rows
from coditect.store.header import header_key, new_header, read_header
from coditect.store.intake.staging import published_rows
from coditect.store.rows import index_rows, record_tables
from coditect.store.store import Store
from coditect.telemetry import Logger
from coditect.transparency.events import append_act

__all__ = ["UpgradeReport", "clear_former", "upgrade"]

log = Logger(__name__)

PAGE_ROWS = 250
"""Rows that are read at once: 25 MB where every record is as long as one can be."""

PAGE_PARTS = 6
"""Parts of blobs that are read at once: 0.6 MB."""

BULK = "upgrade"
"""What kind of work the engine is told that this is."""

ROUNDS = 3
"""Times that a store is copied, at most, where somebody writes to it meanwhile."""

COPIED = tuple(
    name
    for name in LAYOUT
    if not name.startswith("idx/") and name not in ("asked", "former", "heads", "indexing", "work")
)
"""Tables whose rows are copied: index entries are made of records, and what is under way at the moment is told anew.

Entries of required indexes, that is: the store is upgraded without optional ones, which are built again while it is in use."""


@dataclass(frozen=True, slots=True)
class UpgradeReport:
    """What an upgrade did.

    Attributes:
        from_format: what the store had.
        to_format: what it has now.
        rows: copied by this run, without index entries.
        digests: of each corpus, the same before and after.
        upgraded: False if the store had this format already, and nothing was written.
    """

    from_format: int
    to_format: int
    rows: int
    digests: dict[str, str]
    upgraded: bool = True


def upgrade(engine: Engine, tenant: str, at: str, *, progress: Progress = silent) -> UpgradeReport:
    """Bring a tenant's store to the format of this release. Runs again after a crash; readers go on meanwhile.

    Args:
        engine: the opened storage engine.
        tenant: whose store.
        at: the time now, RFC 3339.
        progress: told as rows are copied and compared.

    Raises:
        NotFound: nothing is stored.
        NewerRecord: a later release wrote the store.
        Corrupt: a row is damaged; the store stays as it was.
        Conflict: a program of the former release goes on writing.
    """
    engine = engine.bulk(BULK)
    header = read_header(engine, tenant)
    if header is None:
        raise NotFound("nothing is stored for this tenant", tenant=tenant)
    if header.format == FORMAT:
        return UpgradeReport(FORMAT, FORMAT, 0, {}, upgraded=False)
    run = _Upgrade(engine, tenant, header, progress)
    for _ in range(ROUNDS):
        run.copy()
        digests = run.compared()
        if digests is not None:
            break
        run.begin_again()
    else:
        raise Conflict(
            "the store changes while it is upgraded",
            hint="End programs of the former release that write to it, and run the upgrade again.",
        )
    run.flip(at)
    log.info("upgraded", tenant=tenant, from_format=header.format, to_format=FORMAT, rows=run.rows)
    return UpgradeReport(header.format, FORMAT, run.rows, digests)


class _Upgrade:
    """One upgrade: where it reads, where it writes, and how far it is."""

    def __init__(self, engine: Engine, tenant: str, header: StoreHeader, progress: Progress) -> None:
        self.engine = engine
        self.tenant = tenant
        self.header = header
        self.progress = progress
        self.before = Keyspace(tenant, header.format)
        self.after = Keyspace(tenant)
        self.source = Store(engine, tenant)
        self.rows = 0

    def copy(self) -> None:
        """Copy what is not copied yet."""
        done = self.header.upgrade or UpgradeProgress(to_format=FORMAT)
        first = COPIED.index(done.table) if done.table else 0
        for table in COPIED[first:]:
            after = bytes.fromhex(done.after) if table == done.table else b""
            for page in self._pages(table, after):
                self._write_page(table, page)
                self.progress("copying", self.rows, 0)
            done = UpgradeProgress(to_format=FORMAT)
        for corpus in self.source.corpora():
            steps = (step for _, step in self.source.scan("derivations", Derivation, corpus.corpus_id))
            bare = [step.model_copy(update={"outputs": ()}) for step in steps]
            put_rows(self.engine, former_rows(self.after, corpus.corpus_id, bare))

    def _pages(self, table: str, after: bytes) -> Iterator[tuple[Row, ...]]:
        begin, end = self.before.bounds(table)
        if after:
            begin = after + b"\x00"
        yield from self.source.pages(begin, end, limit=PAGE_PARTS if table == "blobs" else PAGE_ROWS)

    def _write_page(self, table: str, page: tuple[Row, ...]) -> None:
        rewritten = ((key, self._rewritten(table, key, value)) for key, value in page)
        for batch in batches(rewritten, _size_bytes, TRANSACTION_BYTES * 8 // 10):
            self.rows += len(batch)
            self._write(table, batch[-1][0], [row for _, rows in batch for row in rows])

    def _write(self, table: str, last: bytes, rows: list[Row]) -> None:
        """Write rows, and in the same transaction that the upgrade is behind ``last``."""
        done = UpgradeProgress(to_format=FORMAT, table=table, after=last.hex(), rows=self.rows)
        header = self.header.model_copy(update={"upgrade": done})

        def body(transaction: Transaction) -> None:
            for key, value in rows:
                transaction.set(key, value)
            transaction.set(header_key(self.tenant), header.payload())

        self.engine.run(body)
        self.header = header

    def _rewritten(self, table: str, key: bytes, value: bytes) -> list[Row]:
        """The rows that a row of the former format becomes.

        Raises:
            Corrupt: it is damaged.
        """
        parts = self.before.parts(table, key)
        own = parts[LAYOUT[table].corpus_field]
        corpus = own if isinstance(own, bytes) else str(own)
        if table == "feed":
            payload = event_payload(self.before, corpus, value)
            return [(self.after.key("feed", *parts), seal_event_payload(self.after, corpus, payload))]
        form, payload = unseal(self.before.relative(key), value)
        if table == "blobs":
            _, digest, n = parts
            return [part_row(self.after, corpus, str(digest), int(n), payload)]
        moved = self.after.key(table, *parts)
        if form == POINTER:
            sealed = seal(self.after.relative(moved), payload, POINTER)
            digest, _, size = payload.decode().partition(":")
            payload = get_blob(self.engine, self.before, corpus, digest, int(size))
        else:
            sealed = seal_compressed(self.after.relative(moved), payload, DICTIONARY_OF.get(table))
        return [(moved, sealed), *self._index(table, payload)]

    def _index(self, table: str, payload: bytes) -> tuple[Row, ...]:
        """The entries of required indexes that the record of these bytes calls for; other rows call for none."""
        cls = record_tables().get(table)
        if cls is None:
            return ()
        record = cls.parse(payload)
        if isinstance(record, Corpus):
            return (published_rows(self.after, record.corpus_id, payload)[1],)
        return index_rows(self.after, record)

    def compared(self) -> dict[str, str] | None:
        """The digest of each corpus; None if any is another than before."""
        copied = Store(self.engine, self.tenant)
        copied.keys = self.after
        found: dict[str, str] = {}
        corpora = self.source.corpora()
        for number, corpus in enumerate(corpora, 1):
            self.progress("comparing", number, len(corpora))
            found[corpus.corpus_id] = corpus_digest(self.source, corpus.corpus_id)
            if found[corpus.corpus_id] != corpus_digest(copied, corpus.corpus_id):
                return None
        return found

    def begin_again(self) -> None:
        """Remove what was copied: somebody wrote behind it."""
        self.header = self.header.model_copy(update={"upgrade": None})
        _clear(self.engine, self.after, self.progress)

    def flip(self, at: str) -> None:
        """Make the new rows the store, in one transaction with the event that tells of it."""
        header = new_header().model_copy(
            update={
                "created_by": self.header.created_by or "0.1.0",
                "created_at": self.header.created_at,
                "upgraded_by": package.__version__,
                "upgraded_at": at,
                "former_format": self.header.format,
            }
        )
        # Of corpora that are older than the log no event tells how they came about; this one says which they are.
        details: dict[str, JsonValue] = {
            "before": {"format": self.header.format},
            "after": {"format": FORMAT},
            "corpora": [*sorted(tag_of(each.corpus_id) for each in self.source.corpora())],
        }
        act = LogAct(kind="upgrade", at=at, details=details)  # it says nothing that is not in other entries

        def body(transaction: Transaction) -> None:
            transaction.set(header_key(self.tenant), header.payload())
            append_act(transaction, self.after, act)

        self.engine.run(body)


def _size_bytes(rewritten: tuple[bytes, list[Row]]) -> int:
    return sum(len(key) + len(value) for key, value in rewritten[1])


def clear_former(engine: Engine, tenant: str, *, progress: Progress = silent) -> int:
    """Remove the rows of the former format, in bounded transactions; who still reads them must be gone.

    Args:
        engine: the opened storage engine.
        tenant: whose store.
        progress: told as rows go.

    Returns:
        How many rows went.

    Raises:
        NotFound: nothing is stored.
        Corrupt: the header names a format that the store itself has.
    """
    engine = engine.bulk(BULK)
    header = read_header(engine, tenant)
    if header is None:
        raise NotFound("nothing is stored for this tenant", tenant=tenant)
    if not header.former_format:
        return 0
    if header.former_format == header.format:
        raise Corrupt("the header names the store's own format as the former one", format=header.format)
    gone = _clear(engine, Keyspace(tenant, header.former_format), progress)
    cleared = header.model_copy(update={"former_format": 0})
    engine.run(lambda transaction: transaction.set(header_key(tenant), cleared.payload()))
    return gone


def _clear(engine: Engine, keyspace: Keyspace, progress: Progress) -> int:
    """Remove every row of a tenant's format, a page in a transaction."""
    begin, end = keyspace.space
    gone = 0
    while keys := [
        key for key, _ in engine.read(lambda transaction: transaction.range(begin, end, limit=PAGE_ROWS)).rows
    ]:
        last = keys[-1] + b"\x00"
        engine.run(lambda transaction, last=last: transaction.clear_range(begin, last))  # type: ignore[misc]
        gone += len(keys)
        progress("clearing", gone, 0)
    return gone
