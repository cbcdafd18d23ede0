"""Every row of a corpus, of all generations: its checksum, its shape, its id, its index entries, and what it points to.

Tables are read from the bytes up, so that whatever a record points to has been seen when the record is. What is missing is
looked up once more before it is said: a build that runs meanwhile writes what it points to first.

Seven losses leave no trace in the tables, because nothing points to what is lost: a row of ``failures`` (a list of what is still to
be done; the next ingest writes it again), the end of a legal hold, a person's signature, how many of them a corpus asks for, the
intake of a document that was never built, vectors (the next question makes them again), and an ``ingested`` event of the feed. The
log tells of them. What a killed ingest or
build left behind and nothing points to is no finding either.
"""

from __future__ import annotations

from collections import Counter, defaultdict

from coditect.errors import Corrupt
from coditect.integrity.decisions import untrue_evidence
from coditect.integrity.references import blobs_of, references
from coditect.integrity.rows.blobs import WholeBlobs
from coditect.integrity.rows.commitments import Commitments
from coditect.integrity.rows.entries import IndexEntries
from coditect.integrity.rows.feed import check_feed
from coditect.integrity.rows.reading import Advance, RowReader, Say, mark
from coditect.integrity.signing.checking import SignatureCheck
from coditect.keyspace import part_text
from coditect.schemas import Corpus, DocumentVersion, Generation, PersonSignature, Record, Review, SignerKey
from coditect.schemas.record import TAG_DIGITS
from coditect.store.former import open_former
from coditect.store.intake.erasures import gone_rows
from coditect.store.item_ids import locate
from coditect.store.rows import record_tables, row_name
from coditect.store.store import Store

__all__ = ["check_tables"]

CONTENT_TABLES = frozenset(record_tables()) - {"intake", "failures", "corpus"}
"""Tables whose rows have an id of their content, or a number, that is not given again."""


def check_tables(
    store: Store, corpus_id: str, counts: Counter[str], say: Say, advance: Advance, *, ended_keys: bool = True
) -> None:
    """Read every row of a corpus, of all generations.

    Args:
        store: where.
        corpus_id: what.
        counts: rows read, by table, are added to it.
        say: told of each thing that is wrong.
        advance: told of each page, with the table's name.
        ended_keys: whether a signature by a key that had ended is wrong.
    """
    rows = RowReader(store, corpus_id, counts, say, advance)
    run = _RecordCheck(rows, SignatureCheck(store, corpus_id, ended_keys=ended_keys))
    run.blobs.read()
    for table, cls in record_tables().items():
        for key, record in rows.records(table, cls):
            run.record(table, key, record)
    if counts["corpus"] == 0 and any(counts.values()):
        say("completeness", f"corpus/{corpus_id}", "rows of this corpus are here, but its record is not")
    check_feed(rows, run.built)
    _check_former(rows)
    run.entries.check()


def _check_former(rows: RowReader) -> None:
    """Rows that say under which id release 0.1.0 finished a step; the step itself may have been swept."""
    for page in rows.pages("former"):
        for key, value in page:
            try:
                open_former(rows.keys, (key, value))
            except Corrupt as error:
                rows.say("bytes", row_name(rows.keys, key), error.message)


class _RecordCheck:
    """Records against their places, and against what was seen of those that they point to.

    Attributes:
        blobs: those of the corpus.
        entries: what records call for in the indexes.
        signatures: checks those of persons.
        built: build id by generation.
    """

    def __init__(self, rows: RowReader, signatures: SignatureCheck) -> None:
        self.blobs = WholeBlobs(rows)
        self.entries = IndexEntries(rows)
        self.commitments = Commitments(rows)
        self.signatures = signatures
        self._rows = rows
        self._gone = gone_rows(rows.store, rows.corpus_id)
        self.built: dict[int, str] = dict(self._gone.builds)
        self.commitments.know(self._gone.steps)
        self._present: set[bytes] = set()  # rows that were seen, by a hash of table and last key element
        self._documents: dict[str, set[str]] = defaultdict(set)  # ids by the tag in them

    def record(self, table: str, key: bytes, record: Record | None) -> None:
        """One record: its id, its place, what it points to and what points to it from the indexes.

        Args:
            table: its table.
            key: of its row.
            record: None where it could not be read, which was said; its row is there all the same.
        """
        self._present.add(self._row_mark(table, key))
        if table in CONTENT_TABLES and self._gone.covers(table, part_text(self._rows.keys.parts(table, key)[-1])):
            self._untrue_tombstone(table, key)
        if record is None:
            return
        name = row_name(self._rows.keys, key)
        for digest in blobs_of(record):
            self.blobs.require(digest, name)
        if isinstance(record, DocumentVersion):
            self._documents[record.tag()].add(record.document_id)
        elif isinstance(record, Review):
            for message in untrue_evidence(self._rows.store, record):
                self._rows.say("completeness", name, message)
        elif isinstance(record, SignerKey):
            for message in self.signatures.key(record):
                self._rows.say("signature", name, message)
        elif isinstance(record, PersonSignature):
            for message in self.signatures.signature(record):
                self._rows.say("signature", name, message)
        elif isinstance(record, Generation):
            self._chain(record, name)
        elif (
            isinstance(record, Corpus)
            and record.generation
            and self.built.get(record.generation, record.build_id) != record.build_id
        ):
            self._rows.say("completeness", name, f"its build is not that of generation {record.generation}")
        self.entries.expect(record)
        self.commitments.check(record, name)
        for wanted, *place in references(record):
            self._require(str(wanted), place, name)

    def _untrue_tombstone(self, table: str, key: bytes) -> None:
        """A row is there that was erased: brought back behind the erasure, or not yet gone."""
        if not any(self._gone.pending):
            message = "it was erased, and is here: restored, or put back. Open the store with its list of erasures"
            self._rows.say("completeness", row_name(self._rows.keys, key), message)

    def _chain(self, record: Generation, name: str) -> None:
        """Generations are read in order: each follows the one before."""
        before = self.built.get(record.generation - 1, "")
        if before and record.parent_build_id != before:
            self._rows.say("completeness", name, f"it does not follow generation {record.generation - 1}")
        self.built[record.generation] = record.build_id

    def _require(self, table: str, place: list[str | int], name: str) -> None:
        """A row must be there; for tiers 1 and 2 the place is the id alone."""
        if mark(table.encode(), str(place[-1]).encode()) in self._present or self._gone.covers(table, place[-1]):
            return
        places = [place]
        if table in ("extractions", "chunks", "passages", "profiles"):
            places = [[document, place[0]] for document in self._documents_of(str(place[0]))] or [["?", place[0]]]
        wanted = [self._rows.keys.key(table, self._rows.corpus_id, *each) for each in places]
        if not any(self._rows.store.engine.read(lambda transaction: transaction.get_many(wanted))):
            self._rows.say("completeness", row_name(self._rows.keys, wanted[0]), f"not there, and {name} needs it")

    def _documents_of(self, item_id: str) -> list[str]:
        tag = item_id.partition("_")[2][:TAG_DIGITS]
        known = self._documents.get(tag)
        if known is None:  # it may have been taken in since documents were read
            known = {
                document for corpus, document in locate(self._rows.store, item_id) if corpus == self._rows.corpus_id
            }
        return sorted(known)

    def _row_mark(self, table: str, key: bytes) -> bytes:
        return mark(table.encode(), str(self._rows.keys.parts(table, key)[-1]).encode())
