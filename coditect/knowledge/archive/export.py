"""Export: one corpus, all its generations, as one archive; and the digest by which two stores are compared.

No store can be read as a whole in one snapshot (FoundationDB ends one after five seconds), so a corpus is read twice: for
the sums in the header, and for the rows. Its tables only grow, but for those of the pointers; if both readings have the
same sums, both are the corpus as it stood between them. If not, somebody was writing, and the export says so.
Source of the method: "double collect", Afek et al., Atomic Snapshots of Shared Memory, J. ACM 40(4), 1993.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass, field
from typing import BinaryIO

import structlog

import coditect as package
from coditect.errors import Conflict, Corrupt
from coditect.knowledge.archive.format import Tally, header_line, trailer_line
from coditect.knowledge.archive.lines import (
    TABLES,
    BlobPart,
    LongRecord,
    ShortRecord,
    blob_line,
    long_line,
    record_line,
)
from coditect.knowledge.archive.rows import (
    DAMAGED,
    Survey,
    require_blobs,
    restored_row,
    stored_row,
    survey,
    table_pages,
)
from coditect.knowledge.progress import Progress, silent
from coditect.schemas import Corpus, DocumentVersion
from coditect.schemas.archive import ArchiveHeader
from coditect.store.blobs import Row, get_blob
from coditect.store.rows import row_name
from coditect.store.store import Store

__all__ = ["ExportReport", "corpus_digest", "export_corpus"]

log = structlog.wrap_logger(logging.getLogger(__name__))


@dataclass(frozen=True, slots=True)
class ExportReport:
    """What an archive holds.

    Attributes:
        corpus_id: whose.
        generation: the current one; 0 before the first build.
        build_id: of it.
        corpus_digest: see :func:`corpus_digest`.
        rows: lines by table.
        size_bytes: of the archive.
        incomplete: SHA-256 of blobs that a killed ingest left half written and nothing needs; they were left out.
    """

    corpus_id: str
    generation: int
    build_id: str
    corpus_digest: str
    rows: dict[str, int] = field(default_factory=dict)
    size_bytes: int = 0
    incomplete: tuple[str, ...] = ()


def corpus_digest(store: Store, corpus_id: str, *, progress: Progress = silent) -> str:
    """SHA-256 of everything that a corpus holds, the same in every store, for every tenant and on every engine.

    It covers the lines that an archive of the corpus has between header and trailer: every row of every generation but the
    index entries, which are functions of the records, and the keys of the feed, which the engine assigns.

    Args:
        store: where.
        corpus_id: what.
        progress: told as pages are read.
    Returns:
        64 hex digits.
    Raises:
        NotFound: no such corpus.
        Corrupt: a stored row does not have its checksum.
    """
    store.corpus(corpus_id)
    return survey(store, corpus_id, tell=lambda done: progress("reading", done, 0)).tally.digest


def export_corpus(store: Store, corpus_id: str, file: BinaryIO, *, progress: Progress = silent) -> ExportReport:
    """Write a corpus as one archive. The same corpus gives the same bytes. Holds one page of rows in memory.

    Args:
        store: where.
        corpus_id: what.
        file: where to; what is in it is an archive only if this returns.
        progress: told after each page.
    Raises:
        NotFound: no such corpus.
        Conflict: somebody wrote to the corpus meanwhile.
        Corrupt: a row is damaged, or a document's bytes are missing; nothing that cannot be restored is exported.
    """
    corpus = store.corpus(corpus_id)
    before = survey(store, corpus_id, tell=lambda done: progress("reading", done, 0))
    header = ArchiveHeader(
        tool_version=package.__version__,
        corpus_id=corpus_id,
        generation=corpus.generation,
        build_id=corpus.build_id,
        corpus_digest=before.tally.digest,
        rows=before.tally.rows,
    )
    first = header_line(header)
    file.write(first)
    run = _Export(store, corpus, before, file, progress)
    for table in TABLES:
        run.table(table)
    trailer = run.tally.trailer(first)
    if trailer != before.tally.trailer(first):
        raise _changed(corpus_id)
    last = trailer_line(trailer)
    file.write(last)
    log.info("exported", corpus_id=corpus_id, generation=corpus.generation, corpus_digest=trailer.corpus_digest)
    return ExportReport(
        corpus_id,
        corpus.generation,
        corpus.build_id,
        trailer.corpus_digest,
        run.tally.rows,
        len(first) + trailer.size_bytes + len(last),
        tuple(sorted(before.incomplete)),
    )


def _changed(corpus_id: str) -> Conflict:
    return Conflict(
        "the corpus changed while it was exported",
        corpus_id=corpus_id,
        hint="Run the export again when no ingest or build of this corpus is running.",
    )


class _Export:
    """The second reading: every row is checked as an import would, and written."""

    def __init__(self, store: Store, corpus: Corpus, before: Survey, file: BinaryIO, progress: Progress) -> None:
        self.store = store
        self.corpus = corpus
        self.before = before
        self.file = file
        self.progress = progress
        self.tally = Tally()
        self.total = before.tally.total

    def table(self, table: str) -> None:
        """Write a table, page by page."""
        for page in table_pages(self.store, self.corpus.corpus_id, table):
            versions: list[DocumentVersion] = []
            lines = [line for row in page if (line := self._line(table, row, versions))]
            require_blobs(self.store, self.corpus.corpus_id, versions, self.before.incomplete)
            joined = b"".join(lines)
            self.tally.add(table, joined, len(lines))
            self.file.write(joined)
            self.progress("writing", min(self.tally.total, self.total), self.total)

    def _line(self, table: str, row: Row, versions: list[DocumentVersion]) -> bytes:
        """The line of a row; empty for a part of a blob that is not whole."""
        found = stored_row(self.store.keys, self.corpus.corpus_id, table, row)
        match found:
            case BlobPart(sha256, n, data):
                return b"" if sha256 in self.before.incomplete else blob_line(sha256, n, data)
            case ShortRecord(payload):
                line = record_line(table, payload)
            case LongRecord(sha256, size_bytes):
                payload = get_blob(self.store.engine, self.store.keys, self.corpus.corpus_id, sha256, size_bytes)
                line = long_line(table, sha256, size_bytes)
        restored = restored_row(self.store.keys, self.corpus.corpus_id, table, payload)
        key, value = restored.row
        if value != row[1] or (key != row[0] and table != "feed"):
            raise Corrupt("a row is not where it must be", row=row_name(self.store.keys, row[0]), hint=DAMAGED)
        if isinstance(restored.record, DocumentVersion):
            versions.append(restored.record)
        if isinstance(restored.record, Corpus) and restored.record != self.corpus:
            raise _changed(self.corpus.corpus_id)
        return line
