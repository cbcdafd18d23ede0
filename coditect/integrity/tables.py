"""Every row of a corpus, of all generations: its checksum, its shape, its id, its index entries, and what it points to.

Tables are read from the bytes up, so that whatever a record points to has been seen when the record is. What is missing is
looked up once more before it is said: a build that runs meanwhile writes what it points to first.

Three losses leave no trace, because nothing points to what is lost: a row of ``failures`` (a list of what is still to be done;
the next ingest writes it again), the intake of a document that was never built, and an ``ingested`` event of the feed. What a
killed ingest or build left behind and nothing points to is no finding either.
"""

from __future__ import annotations

import hashlib
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterator

from coditect.engine.port import Engine, Transaction
from coditect.errors import CoditectError, Corrupt, NewerRecord, Unavailable
from coditect.integrity.references import blobs_of, references
from coditect.keyspace import LAYOUT, Part, seal, unseal
from coditect.schemas import (
    Corpus,
    DocumentVersion,
    Generation,
    IndexState,
    Item,
    ModelAnswer,
    Record,
    StoreHeader,
    tag_of,
)
from coditect.schemas.record import TAG_DIGITS
from coditect.store.events import open_event
from coditect.store.header import header_key
from coditect.store.indexes.definitions import INDEXES, required_indexes
from coditect.store.indexes.states import disabled_tables, header_of, kept_indexes
from coditect.store.rows import (
    RECORD_TABLES,
    index_rows,
    open_stored,
    optional_entries,
    optional_rows,
    record_key,
    row_name,
)
from coditect.store.staging import corpus_pages
from coditect.store.store import PAGE_ROWS, Store
from coditect.store.view import CLASS_OF, locate

__all__ = ["check_tables"]

REQUIRED_TABLES = tuple(index.table for index in required_indexes().values())

Say = Callable[[str, str, str], None]
"""(check, record, message)."""

Advance = Callable[[str], None]
Row = tuple[bytes, bytes]


def check_tables(store: Store, corpus_id: str, counts: Counter[str], say: Say, advance: Advance) -> None:
    """Read every row of a corpus, of all generations.

    Args:
        store: where.
        corpus_id: what.
        counts: rows read, by table, are added to it.
        say: told of each thing that is wrong.
        advance: told of each page, with the table's name.
    """
    run = _TableCheck(store, corpus_id, counts, say, advance)
    run.blobs()
    for table, cls in RECORD_TABLES.items():
        for key, record in run.records(table, cls):
            run.record(table, key, record)
    if counts["corpus"] == 0 and any(counts.values()):
        say("completeness", f"corpus/{corpus_id}", "rows of this corpus are here, but its record is not")
    run.feed()
    run.indexes()


class _TableCheck:
    """What was seen so far.

    Attributes:
        whole: SHA-256 of the blobs that have it.
        present: the record rows that were seen, by a hash of table and last key element.
        documents: document ids by the tag in them.
        built: build id by generation.
        expected: the index entries that records call for and that were not found yet, by hash.
        states: the optional indexes that the store has, as its header told when this began.
        readable: the names of those whose entries must all be there.
    """

    def __init__(self, store: Store, corpus_id: str, counts: Counter[str], say: Say, advance: Advance) -> None:
        self.store = store
        self.keys = store.keys
        self.corpus_id = corpus_id
        self.counts = counts
        self.say = say
        self.advance = advance
        self.whole: set[str] = set()
        self.present: set[bytes] = set()
        self.documents: dict[str, set[str]] = defaultdict(set)
        self.built: dict[int, str] = {}
        self.expected: dict[bytes, object] = {}
        self.states = self._states()
        self.readable = frozenset(name for name, state in self.states.items() if state.state == "readable")

    def _states(self) -> dict[str, IndexState]:
        """The optional indexes of the store that this release keeps, by name."""
        header = self._header()
        kept = kept_indexes(header)
        return {state.name: state for state in (header.indexes if header is not None else ()) if state.name in kept}

    def _header(self) -> StoreHeader | None:
        tenant = self.keys.tenant
        return header_of(self.store.engine.read(lambda transaction: transaction.get(header_key(tenant))), tenant)

    def pages(self, table: str) -> Iterator[list[Row]]:
        """A table's rows in the corpus, by pages; rows whose keys cannot be read are findings."""
        position = LAYOUT[table].corpus_field
        begin, end = self.keys.bounds(table, self.corpus_id) if position == 0 else self.keys.bounds(table)
        if table == "corpus":  # its whole key is the corpus
            begin = self.keys.key(table, self.corpus_id)
            end = begin + b"\x00"
        own = self.keys.own_part(self.corpus_id)
        # A blob's rows are long: a page of eight is under a megabyte, as one of a thousand short ones is.
        for page in self.store.pages(begin, end, limit=8 if table == "blobs" else PAGE_ROWS):
            self.advance(table)
            rows = []
            for key, value in page:
                try:
                    if self.keys.parts(table, key)[position] == own:
                        rows.append((key, value))
                except Corrupt as error:
                    self.say("bytes", row_name(self.keys, key), error.message)
            self.counts[table] += len(rows)
            yield rows

    def records(self, table: str, cls: type[Record]) -> Iterator[tuple[bytes, Record]]:
        """A table's records; those that cannot be read are findings."""
        for rows in self.pages(table):
            for key, value in rows:
                found = self._open(self.store.engine, key, value, cls)
                if isinstance(found, CoditectError):
                    check = "newer" if isinstance(found, NewerRecord) else str(found.context.get("check", "bytes"))
                    self.say(check, row_name(self.keys, key), str(found))
                    self.present.add(self._row_mark(table, key))
                else:
                    yield key, found

    def _open(
        self, source: Engine | Transaction, key: bytes, value: bytes, cls: type[Record]
    ) -> Record | CoditectError:
        try:
            return open_stored(source, self.keys, (key, value), cls)
        except Unavailable:
            raise
        except CoditectError as error:
            return error

    def record(self, table: str, key: bytes, record: Record) -> None:
        """One record: its id, its place, what it points to and what points to it from the indexes."""
        name = row_name(self.keys, key)
        self.present.add(self._row_mark(table, key))
        for digest in blobs_of(record):
            if digest not in self.whole:
                self._broken_blob(digest, name)
        if isinstance(record, DocumentVersion):
            self.documents[record.tag()].add(record.document_id)
        elif isinstance(record, Generation):
            self._chain(record, name)
        elif (
            isinstance(record, Corpus)
            and record.generation
            and self.built.get(record.generation, record.build_id) != record.build_id
        ):
            self.say("completeness", name, f"its build is not that of generation {record.generation}")
        self.expected.update((_mark(*row), None) for row in self._called_for(record, self.readable))
        for wanted, *place in references(record):
            self._require(str(wanted), place, name)

    def _called_for(self, record: Record, names: Collection[str]) -> list[Row]:
        """The index entries that a record calls for, of optional indexes those of these names."""
        rows = [*index_rows(self.keys, record)]
        optional = optional_entries(record) if names else ()
        if optional and isinstance(record, Item):
            rows += optional_rows(self.keys, record_key(self.keys, record), optional, names)
        return rows

    def _chain(self, record: Generation, name: str) -> None:
        """Generations are read in order: each follows the one before."""
        before = self.built.get(record.generation - 1, "")
        if before and record.parent_build_id != before:
            self.say("completeness", name, f"it does not follow generation {record.generation - 1}")
        self.built[record.generation] = record.build_id

    def _require(self, table: str, place: list[str | int], name: str) -> None:
        """A row must be there; for tiers 1 and 2 the place is the id alone."""
        if _mark(table.encode(), str(place[-1]).encode()) in self.present:
            return
        places = [place]
        if table in ("extractions", "chunks", "passages", "profiles"):
            places = [[document, place[0]] for document in self._documents_of(str(place[0]))] or [["?", place[0]]]
        wanted = [self.keys.key(table, self.corpus_id, *each) for each in places]
        if not any(self.store.engine.read(lambda transaction: transaction.get_many(wanted))):
            self.say("completeness", row_name(self.keys, wanted[0]), f"not there, and {name} needs it")

    def _documents_of(self, item_id: str) -> list[str]:
        tag = item_id.partition("_")[2][:TAG_DIGITS]
        known = self.documents.get(tag)
        if known is None:  # it may have been taken in since documents were read
            known = {document for corpus, document in locate(self.store, item_id) if corpus == self.corpus_id}
        return sorted(known)

    def _row_mark(self, table: str, key: bytes) -> bytes:
        return _mark(table.encode(), str(self.keys.parts(table, key)[-1]).encode())

    def blobs(self) -> None:
        """Parts in order, each against its checksum, the whole against the hash that is its name."""
        current, hasher = "", hashlib.sha256()
        for rows in self.pages("blobs"):
            for key, value in rows:
                digest = str(self.keys.parts("blobs", key)[1])
                if digest != current:
                    self._end_blob(current, hasher)
                    current, hasher = digest, hashlib.sha256()
                try:
                    hasher.update(unseal(self.keys.relative(key), value)[1])
                except Corrupt as error:
                    self.say("bytes", row_name(self.keys, key), error.message)
        self._end_blob(current, hasher)

    def _end_blob(self, digest: str, hasher: hashlib._Hash) -> None:
        if digest and hasher.hexdigest() == digest:
            self.whole.add(digest)

    def _broken_blob(self, digest: str, name: str) -> None:
        """Read again what was not whole when blobs were read: an ingest may have written it since."""
        begin, end = self.keys.bounds("blobs", self.corpus_id, digest)
        hasher = hashlib.sha256()
        count = 0
        try:
            for rows in self.store.pages(begin, end):
                for key, value in rows:
                    count += 1
                    hasher.update(unseal(self.keys.relative(key), value)[1])
        except Corrupt:
            count = -1
        if count < 1 or hasher.hexdigest() != digest:
            message = "a part is not there" if count == 0 else "the bytes do not have the SHA-256 that names them"
            self.say("hash", f"blobs/{self.corpus_id}/{digest}", f"{message}, and {name} needs them")

    def feed(self) -> None:
        """Events against their checksums; one event for each generation, in order."""
        begin, end = self.keys.bounds("feed", self.corpus_id)
        number = last = 0
        told: dict[int, str] = {}
        for page in self.store.pages(begin, end):
            for _, value in page:
                number += 1
                self.counts["feed"] += 1
                name = f"feed/{self.corpus_id}/{number}"
                try:
                    event = open_event(self.keys, self.corpus_id, value)
                except Corrupt as error:
                    self.say("bytes", name, error.message)
                    continue
                if event.event == "generation":
                    if event.generation < last:
                        self.say("completeness", name, "an event out of order")
                    last = event.generation
                    told[last] = event.build_id
        for generation, build_id in sorted(self.built.items()):
            if told.get(generation) != build_id:
                self.say("completeness", f"feed/{self.corpus_id}", f"no event tells of generation {generation}")

    def indexes(self) -> None:
        """Index against records, both ways: every entry has its record, every record its entries.

        Of an index that is still being built, whose older entries may be missing, the first alone. Of a disabled one what is left
        is counted as dead: nothing reads it, and it says nothing of what is stored.
        """
        locator, own = b"", b""
        if self.counts["corpus"]:
            locator = self.keys.key("idx/locator", tag_of(self.corpus_id), self.corpus_id, "")
            own = _mark(locator, seal(self.keys.relative(locator), b""))
            self.expected[own] = None
        for table in (*REQUIRED_TABLES, *(INDEXES[name].table for name in self.states)):
            for rows in self.pages(table):
                for key, value in rows:
                    if self.expected.pop(_mark(key, value), self) is self:
                        self._unexpected(table, key, value)
        if self.expected:
            self._name_missing()
        if own in self.expected:
            self.say("index", row_name(self.keys, locator), "not there, or changed")
        self._count_dead()

    def _count_dead(self) -> None:
        """Count what is left of disabled indexes."""
        for table in disabled_tables(self._header(), self.keys.format):
            for rows in corpus_pages(self.store, self.corpus_id, table):
                self.advance(table)
                if rows:
                    self.counts[f"{table} (dead)"] += len(rows)

    def _unexpected(self, table: str, key: bytes, value: bytes) -> None:
        name = row_name(self.keys, key)
        try:
            unseal(self.keys.relative(key), value)
        except Corrupt as error:
            self.say("bytes", name, error.message)
            return
        parts = self.keys.parts(table, key)
        if table == "idx/answer":
            self._unanswered(name, parts[0])
            return
        try:
            item = self._item_of(table, parts)
        except NewerRecord:  # told of where the item itself was read; its entries are a later release's matter
            return
        # The item may have been written after its table was read.
        if item is None or (key, value) not in self._called_for(item, self.states):
            self.say("index", name, "an index entry without a record that says so")

    def _unanswered(self, name: str, request: Part) -> None:
        """An index entry for an answer that was not read."""
        try:
            if self.store.get("answers", ModelAnswer, self.corpus_id, request) is not None:
                return  # written since its table was read
        except CoditectError:  # told of where the answer itself was read
            return
        answer = row_name(self.keys, self.keys.key("answers", self.corpus_id, request))
        self.say("index", name, "an index entry without an answer to that request")
        self.say("completeness", answer, f"not there, and {name} says that it is")

    def _item_of(self, table: str, parts: tuple[Part, ...]) -> Item | None:
        """The item that an index entry names."""
        try:
            if table == "idx/locator":
                found = self.store.scan("documents", DocumentVersion, self.corpus_id, parts[2])
                return next((version for _, version in found), None)
            owner, cls = CLASS_OF.get(str(parts[-1]).partition("_")[0], ("", Item))
            document = {"idx/term": 2, "idx/entity": 2}.get(table)
            between = () if document is None else (parts[document],)
            return self.store.get(owner, cls, self.corpus_id, *between, parts[-1]) if owner else None
        except NewerRecord:
            raise
        except CoditectError:  # told of where the item itself was read
            return None

    def _name_missing(self) -> None:
        """Say which entries are missing, and of which records: rare, so the records are read again for it.

        What a sweep removed since it was read is not there any more, and calls for nothing; nor does an index that was dropped.
        """
        now = self._states()
        names = frozenset(name for name in self.readable if name in now and now[name] == self.states[name])
        for table, cls in RECORD_TABLES.items():
            if not issubclass(cls, Item | ModelAnswer):
                continue
            for key, _ in self._raw(table):
                record = self._again(key, cls)
                for index_key, index_value in self._called_for(record, names) if isinstance(record, Record) else ():
                    if self.expected.pop(_mark(index_key, index_value), self) is not self:
                        message = f"not there, or changed, and {row_name(self.keys, key)} calls for it"
                        self.say("index", row_name(self.keys, index_key), message)

    def _raw(self, table: str) -> Iterator[Row]:
        for page in self.store.pages(*self.keys.bounds(table, self.corpus_id)):
            yield from page

    def _again(self, key: bytes, cls: type[Record]) -> Record | CoditectError | None:
        def body(transaction: Transaction) -> Record | CoditectError | None:
            value = transaction.get(key)
            return None if value is None else self._open(transaction, key, value, cls)

        return self.store.engine.read(body)


def _mark(*parts: bytes) -> bytes:
    return hashlib.blake2b(b"\x00".join(parts), digest_size=16).digest()
