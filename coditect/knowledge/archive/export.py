"""Export: one corpus, all its generations, as one archive; and the digest by which two stores are compared.

No store can be read as a whole in one snapshot (FoundationDB ends one after five seconds), so a corpus is read twice: for
the sums in the header, and for the rows. Its tables only grow, but for those of the pointers; if both readings have the
same sums, both are the corpus as it stood between them. If not, somebody was writing, and the export says so.
Source of the method: "double collect", Afek et al., Atomic Snapshots of Shared Memory, J. ACM 40(4), 1993.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import BinaryIO

import coditect as package
from coditect.engine.limits import VALUE_BYTES
from coditect.errors import Conflict, Corrupt
from coditect.keyspace import ENVELOPE_BYTES
from coditect.knowledge.archive.format import PROGRESS_ROWS, Tally, header_line, trailer_line
from coditect.knowledge.archive.lines import BlobPart, LongRecord, ShortRecord, row_line
from coditect.knowledge.archive.rows import DAMAGED, opened, require_blobs, stored_rows, survey
from coditect.knowledge.progress import Progress, silent
from coditect.schemas import DocumentVersion, Record
from coditect.schemas.archive import ArchiveHeader
from coditect.store.blobs import Row
from coditect.store.intake.staging import PAGE_ROWS
from coditect.store.rows import place_of, row_name
from coditect.store.store import Store
from coditect.telemetry import Logger

__all__ = ["ExportReport", "corpus_digest", "export_corpus"]

log = Logger(__name__)


@dataclass(frozen=True, slots=True)
class ExportReport:
    """What an archive holds.

    Attributes:
        corpus_id: the corpus.
        generation: its current generation; 0 before the first build.
        build_id: the build of that generation; empty before the first.
        corpus_digest: SHA-256 of all that the corpus holds, the same in every store.
        rows: number of lines by table.
        size_bytes: length of the archive.
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
        store: the store that it is in.
        corpus_id: the corpus.
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
        store: the store that it is in.
        corpus_id: the corpus.
        file: written to; what is in it is an archive only if this returns.
        progress: told as rows are read and written.
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
    tally = Tally()
    versions: list[DocumentVersion] = []
    for table, row, content in stored_rows(store, corpus_id):
        if isinstance(content, BlobPart):
            if content.sha256 in before.incomplete:
                continue
        else:
            record = _restorable(store, corpus_id, table, row, content)
            versions += [record] if isinstance(record, DocumentVersion) else []
        if versions and (len(versions) >= PAGE_ROWS or table != "documents"):
            require_blobs(store, versions, before.incomplete)
            versions = []
        line = row_line(table, content)
        tally.add(table, line)
        file.write(line)
        if tally.total % PROGRESS_ROWS == 0:
            progress("writing", min(tally.total, before.tally.total), before.tally.total)
    trailer = tally.trailer(first)
    if trailer != before.tally.trailer(first) or store.corpus(corpus_id) != corpus:
        raise Conflict(
            "the corpus changed while it was exported",
            corpus_id=corpus_id,
            hint="Run the export again when no ingest or build of this corpus is running.",
        )
    last = trailer_line(trailer)
    file.write(last)
    progress("writing", tally.total, tally.total)
    log.info("exported", corpus_id=corpus_id, generation=corpus.generation, corpus_digest=trailer.corpus_digest)
    return ExportReport(
        corpus_id,
        corpus.generation,
        corpus.build_id,
        trailer.corpus_digest,
        tally.rows,
        len(first) + trailer.size_bytes + len(last),
        tuple(sorted(before.incomplete)),
    )


def _restorable(store: Store, corpus_id: str, table: str, row: Row, content: ShortRecord | LongRecord) -> Record:
    """The record of a row, which must be what an import of its line would write.

    Raises:
        Corrupt: it is not.
    """
    record, payload = opened(store, corpus_id, table, content)
    is_long = len(payload) + ENVELOPE_BYTES > VALUE_BYTES
    moved = table != "feed" and store.keys.key(table, *place_of(table, record)) != row[0]
    if moved or (table != "feed" and is_long != isinstance(content, LongRecord)):
        raise Corrupt("a row is not where it must be", row=row_name(store.keys, row[0]), hint=DAMAGED)
    return record
