"""Which rows of a corpus something refers to, and which nothing does.

Tables are read once each (derivations twice), every one after all that refer to it: corpus, generations, manifests, trees, intake,
derivations, and so on down to the blobs. So when a table is read it is known which of its rows are live, and what they refer to is
marked for the tables below. In memory are the marks, eight bytes for each row, and one page.

Live are, beside what a generation reaches: what the intake names; what a program stored step by step and may still publish;
vectors of live derivations, for they were paid for in hours of a graphics card; and always answers of models, which were paid
for, and what persons decided and signed: reviews, relevance marks, calibrations, switches, policies, signatures and their keys.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TypeVar

from coditect.errors import Corrupt, NewerRecord
from coditect.integrity.references import BY_PROGRAM, blobs_of, inputs_of, references
from coditect.integrity.sweeping.id_set import IdSet
from coditect.keyspace import LAYOUT, POINTER, Keyspace, part_text, unseal
from coditect.schemas import OF_BLOBS, Derivation, DocumentVersion, Record, RowCount
from coditect.store.blobs import Row
from coditect.store.indexes.definitions import optional_indexes
from coditect.store.indexes.states import disabled_tables, header_in
from coditect.store.intake.erasures import gone_rows
from coditect.store.intake.staging import corpus_pages
from coditect.store.item_ids import CLASS_OF
from coditect.store.rows import open_stored, record_tables, row_name
from coditect.store.store import Store

__all__ = ["SWEPT", "Advance", "Inventory", "RowSizes", "index_tables", "take_inventory"]

R = TypeVar("R", bound=Record)

KEPT = frozenset(
    (
        *("corpus", "generations", "failures", "intake", "answers", "reviews", "marks", "calibrations", "switches"),
        *("signers", "policies", "signatures"),
        *("erasures", "tombstones", "certificates", "holds", "releases", "retentions"),
    )
)
"""Tables of which no row is ever removed."""

SWEPT = tuple(table for table in reversed(record_tables()) if table not in KEPT)
"""Tables of records that are swept, each after all that refer to it."""

_EVENTS = ("feed", "heads")
"""Tables of events, which all stay."""

_READ = frozenset(
    (
        *("corpus", "generations", "manifests", "trees", "intake", "derivations", "summaries", "verdicts", "documents"),
        "tombstones",
    )
)
"""Tables whose records refer to rows that may be removed."""

Advance = Callable[[str], None]
"""Told of each page, with its table's name."""


def index_tables(keys: Keyspace) -> list[str]:
    """The tables of index entries; of a store of release 0.1.0 those that are read."""
    unread = [index.table for index in optional_indexes().values()] if keys.format == 1 else []
    return [name for name in LAYOUT if name.startswith("idx/") and name not in unread]


class RowSizes:
    """Rows and bytes by table."""

    def __init__(self) -> None:
        self._rows: Counter[str] = Counter()
        self._bytes: Counter[str] = Counter()

    def add(self, table: str, size_bytes: int, rows: int = 1) -> None:
        """Count rows of a table."""
        self._rows[table] += rows
        self._bytes[table] += size_bytes

    @property
    def by_table(self) -> dict[str, RowCount]:
        """What was counted, in the order of the layout."""
        return {
            table: RowCount(rows=self._rows[table], size_bytes=self._bytes[table])
            for table in LAYOUT
            if self._rows[table]
        }


@dataclass(slots=True)
class Inventory:
    """The rows of a corpus.

    Attributes:
        live: what something refers to, or is kept for its own sake.
        dead: the rest.
        marks: ids of live rows by table; of documents, for their locators, under "idx/locator".
        damage: what a live row needs and is not there, or cannot be read.
        disabled: tables of indexes that nobody reads, all of whose rows are dead.
    """

    live: RowSizes = field(default_factory=RowSizes)
    dead: RowSizes = field(default_factory=RowSizes)
    marks: dict[str, IdSet] = field(default_factory=lambda: defaultdict(IdSet))
    damage: list[str] = field(default_factory=list)
    disabled: tuple[str, ...] = ()

    def split(self, keys: Keyspace, table: str, rows: Sequence[Row]) -> tuple[list[Row], list[Row]]:
        """(live, dead) rows of a table that was marked. A key that cannot be read is live: nobody knows what it stands for."""
        if table in self.disabled:
            return [], list(rows)
        if table in KEPT or table == "idx/answer":
            self._holds(table, [_last_part(keys, table, key) for key, _ in rows])  # met; kept whether marked or not
            return list(rows), []
        live: list[Row] = []
        dead: list[Row] = []
        wanted: dict[str, list[str]] = defaultdict(list)
        named = [_named(keys, table, key) for key, _ in rows]
        for where, item_id in named:
            wanted[where].append(item_id)
        answers = {where: iter(self._holds(where, ids)) for where, ids in wanted.items()}
        for row, (where, _) in zip(rows, named, strict=True):
            (live if next(answers[where]) else dead).append(row)
        return live, dead

    def _holds(self, where: str, ids: Sequence[str]) -> Sequence[bool]:
        return self.marks[where].holds(ids) if where else [True] * len(ids)


def _last_part(keys: Keyspace, table: str, key: bytes) -> str:
    with suppress(Corrupt):
        return part_text(keys.parts(table, key)[-1])
    return ""


def _named(keys: Keyspace, table: str, key: bytes) -> tuple[str, str]:
    """(table of marks, id) by which it is told whether a row is live; no table where it is live in any case."""
    with suppress(Corrupt):
        parts = keys.parts(table, key)
        if table == "blobs":
            return table, part_text(parts[1])
        last = part_text(parts[-1])
        if table == "idx/locator":  # that of the corpus itself names no document
            return (table, last) if last else ("", "")
        if table.startswith("idx/"):
            return CLASS_OF[last.partition("_")[0]][0] if last.partition("_")[0] in CLASS_OF else "", last
        return table, last
    return "", ""


def take_inventory(store: Store, corpus_id: str, advance: Advance) -> Inventory:
    """Read every row of a corpus, and tell the live from the dead.

    What is written meanwhile may be missed: where rows are going to be removed, nobody may be at work on the corpus.

    Args:
        store: the tenant's store.
        corpus_id: the corpus.
        advance: told of each page, with its table's name.
    """
    walk = _Walk(store, corpus_id, advance)
    for table, cls in reversed(record_tables().items()):
        if table == "derivations":
            walk.follow_derivations()
        walk.table(table, cls)
    walk.table("blobs", None)
    for table in (*_EVENTS, *index_tables(store.keys)):
        walk.sizes(table)
    return walk.inventory


class _Walk:
    """One reading of a corpus, from what refers down to what is referred to."""

    def __init__(self, store: Store, corpus_id: str, advance: Advance) -> None:
        self.store = store
        self.corpus_id = corpus_id
        self.advance = advance
        header = store.engine.read(lambda transaction: header_in(transaction, store.keys.tenant))
        self.inventory = Inventory(disabled=disabled_tables(header, store.keys.format))
        self._gone = gone_rows(store, corpus_id)

    def table(self, table: str, cls: type[Record] | None) -> None:
        """Count a table's rows, and mark what the live ones refer to.

        Args:
            table: all tables that refer to it were read.
            cls: its records; None for blobs.
        """
        marks = self.inventory.marks
        marks[table].settle()
        for page in self._pages(table):
            live, dead = self.inventory.split(self.store.keys, table, page)
            self._count(table, live, dead)
            if cls is None:
                continue
            for row in live:
                self._mark_pointer(row)
            for record in self._records(live, cls) if table in _READ else ():
                self._mark_references(record)
        if table == "documents":
            marks["idx/locator"].settle()
        if (table not in KEPT or table == "generations") and marks[table].missing:
            self._damaged(f"{marks[table].missing} rows of {table} that are needed are not there")

    def sizes(self, table: str) -> None:
        """Count the rows of a table of index entries, or of the feed, of which all are live."""
        for page in self._pages(table):
            live, dead = (page, []) if table in _EVENTS else self.inventory.split(self.store.keys, table, page)
            self._count(table, live, dead)

    def follow_derivations(self) -> None:
        """Mark the derivations that are kept because others are: what they were made from, their vectors and their shares."""
        marks = self.inventory.marks["derivations"]
        links = bytearray()
        for page in self._pages("derivations"):
            for record in self._records(page, Derivation, tell=False):
                sources = [each for table, each in inputs_of(record) if table == "derivations"]
                if record.stage in OF_BLOBS:
                    links += b"".join(IdSet.link(str(source), [record.derivation_id]) for source in sources)
                else:
                    links += IdSet.link(record.derivation_id, map(str, sources))
                if record.method == BY_PROGRAM:
                    marks.add(record.derivation_id)
        marks.follow(bytes(links))

    def _mark_references(self, record: Record) -> None:
        marks = self.inventory.marks
        for table, *place in references(record):
            if not self._gone.covers(str(table), place[-1]):
                marks[str(table)].add(str(place[-1]))
        for digest in blobs_of(record):
            marks["blobs"].add(digest)
        if isinstance(record, Derivation):
            for table, each in inputs_of(record):
                if table != "derivations" and not self._gone.covers(str(table), each):
                    marks[str(table)].add(str(each), needed=False)
        elif isinstance(record, DocumentVersion):
            marks["idx/locator"].add(record.document_id, needed=False)

    def _mark_pointer(self, row: Row) -> None:
        """A record that is too long for one value lies in a blob."""
        key, value = row
        try:
            form, payload = unseal(self.store.keys.relative(key), value)
        except Corrupt as error:
            self._damaged(f"{row_name(self.store.keys, key)}: {error.message}")
            return
        if form == POINTER:
            self.inventory.marks["blobs"].add(payload.decode("ascii", "replace").partition(":")[0])

    def _records(self, rows: Sequence[Row], cls: type[R], *, tell: bool = True) -> Iterator[R]:
        for row in rows:
            try:
                found = open_stored(self.store.engine, self.store.keys, row, cls)
            except (Corrupt, NewerRecord) as error:
                if tell:
                    self._damaged(f"{row_name(self.store.keys, row[0])}: {error.message}")
            else:
                yield found

    def _pages(self, table: str) -> Iterator[list[Row]]:
        for page in corpus_pages(self.store, self.corpus_id, table):
            self.advance(table)
            yield page

    def _count(self, table: str, live: Sequence[Row], dead: Sequence[Row]) -> None:
        for key, value in live:
            self.inventory.live.add(table, len(key) + len(value))
        for key, value in dead:
            self.inventory.dead.add(table, len(key) + len(value))

    def _damaged(self, what: str) -> None:
        self.inventory.damage.append(what)
