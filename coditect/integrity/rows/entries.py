"""Index entries against the records that call for them, both ways."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from coditect.errors import Corrupt, NewerRecord
from coditect.integrity.rows.reading import RowReader, mark
from coditect.keyspace import Part, seal, unseal
from coditect.schemas import DocumentVersion, IndexState, Item, ModelAnswer, Record, StoreHeader, tag_of
from coditect.store.blobs import Row
from coditect.store.indexes.definitions import INDEXES, required_indexes
from coditect.store.indexes.states import disabled_tables, header_in, kept_indexes
from coditect.store.intake.staging import corpus_pages
from coditect.store.item_ids import CLASS_OF
from coditect.store.rows import index_rows, optional_entries, optional_rows, record_key, record_tables, row_name

__all__ = ["IndexEntries"]

_REQUIRED_TABLES = tuple(index.table for index in required_indexes().values())


class IndexEntries:
    """The index entries that the records of a corpus call for, and those that there are.

    Args:
        rows: of the corpus.
    """

    def __init__(self, rows: RowReader) -> None:
        self._rows = rows
        self._expected: dict[bytes, object] = {}  # those that were not found yet, by hash
        # The optional indexes that the store had when this began, and those of which every entry must be there.
        self._states = self._states_now()
        self._readable = frozenset(name for name, state in self._states.items() if state.state == "readable")

    def _states_now(self) -> dict[str, IndexState]:
        """The optional indexes of the store that this release keeps, by name."""
        header = self._header()
        kept = kept_indexes(header)
        return {state.name: state for state in (header.indexes if header is not None else ()) if state.name in kept}

    def _header(self) -> StoreHeader | None:
        tenant = self._rows.keys.tenant
        return self._rows.store.engine.read(lambda transaction: header_in(transaction, tenant))

    def expect(self, record: Record) -> None:
        """Take in what a record calls for; all of them are taken in before :meth:`check`."""
        self._expected.update((mark(*row), None) for row in self._called_for(record, self._readable))

    def _called_for(self, record: Record, names: Collection[str]) -> list[Row]:
        """The index entries that a record calls for, of optional indexes those of these names."""
        rows = [*index_rows(self._rows.keys, record)]
        optional = optional_entries(record) if names else ()
        if optional and isinstance(record, Item):
            rows += optional_rows(self._rows.keys, record_key(self._rows.keys, record), optional, names)
        return rows

    def check(self) -> None:
        """Index against records, both ways: every entry has its record, every record its entries.

        Of an index that is still being built, whose older entries may be missing, the first alone. Of a disabled one what is left
        is counted as dead: nothing reads it, and it says nothing of what is stored.
        """
        locator, own = b"", b""
        if self._rows.counts["corpus"]:
            locator = self._rows.keys.key("idx/locator", tag_of(self._rows.corpus_id), self._rows.corpus_id, "")
            own = mark(locator, seal(self._rows.keys.relative(locator), b""))
            self._expected[own] = None
        for table in (*_REQUIRED_TABLES, *(INDEXES[name].table for name in self._states)):
            for rows in self._rows.pages(table):
                for key, value in rows:
                    if self._expected.pop(mark(key, value), self) is self:
                        self._unexpected(table, key, value)
        if self._expected:
            self._name_missing()
        if own in self._expected:
            self._rows.say("index", row_name(self._rows.keys, locator), "not there, or changed")
        self._count_dead()

    def _count_dead(self) -> None:
        """Count what is left of disabled indexes."""
        for table in disabled_tables(self._header(), self._rows.keys.format):
            for rows in corpus_pages(self._rows.store, self._rows.corpus_id, table):
                self._rows.advance(table)
                if rows:
                    self._rows.counts[f"{table} (dead)"] += len(rows)

    def _unexpected(self, table: str, key: bytes, value: bytes) -> None:
        name = row_name(self._rows.keys, key)
        try:
            unseal(self._rows.keys.relative(key), value)
        except Corrupt as error:
            self._rows.say("bytes", name, error.message)
            return
        parts = self._rows.keys.parts(table, key)
        if table == "idx/answer":
            self._unanswered(name, parts[0])
            return
        try:
            item = self._item_of(table, parts)
        except NewerRecord:  # told of where the item itself was read; its entries are a later release's matter
            return
        # The item may have been written after its table was read.
        if item is None or (key, value) not in self._called_for(item, self._states):
            self._rows.say("index", name, "an index entry without a record that says so")

    def _unanswered(self, name: str, request: Part) -> None:
        """An index entry for an answer that was not read."""
        try:
            if self._rows.store.get("answers", ModelAnswer, self._rows.corpus_id, request) is not None:
                return  # written since its table was read
        except (Corrupt, NewerRecord):  # told of where the answer itself was read
            return
        answer = row_name(self._rows.keys, self._rows.keys.key("answers", self._rows.corpus_id, request))
        self._rows.say("index", name, "an index entry without an answer to that request")
        self._rows.say("completeness", answer, f"not there, and {name} says that it is")

    def _item_of(self, table: str, parts: tuple[Part, ...]) -> Item | None:
        """The item that an index entry names; None where there is none, or none that can be read."""
        try:
            if table == "idx/locator":
                found = self._rows.store.scan("documents", DocumentVersion, self._rows.corpus_id, parts[2])
                return next((version for _, version in found), None)
            owner, cls = CLASS_OF.get(str(parts[-1]).partition("_")[0], ("", Item))
            document = {"idx/term": 2, "idx/entity": 2}.get(table)
            between = () if document is None else (parts[document],)
            return self._rows.store.get(owner, cls, self._rows.corpus_id, *between, parts[-1]) if owner else None
        except Corrupt:  # told of where the item itself was read
            return None

    def _name_missing(self) -> None:
        """Say which entries are missing, and of which records: rare, so the records are read again for it.

        What a sweep removed since it was read is not there any more, and calls for nothing; nor does an index that was dropped.
        """
        now = self._states_now()
        names = frozenset(name for name in self._readable if name in now and now[name] == self._states[name])
        for table, cls in record_tables().items():
            if not issubclass(cls, Item | ModelAnswer):
                continue
            for key, _ in self._raw(table):
                record = self._rows.again(key, cls)
                for index_key, index_value in self._called_for(record, names) if record is not None else ():
                    if self._expected.pop(mark(index_key, index_value), self) is not self:
                        message = f"not there, or changed, and {row_name(self._rows.keys, key)} calls for it"
                        self._rows.say("index", row_name(self._rows.keys, index_key), message)

    def _raw(self, table: str) -> Iterator[Row]:
        for page in self._rows.store.pages(*self._rows.keys.bounds(table, self._rows.corpus_id)):
            yield from page
