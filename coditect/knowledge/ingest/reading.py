"""Reading one file into a document version: what a worker process does for an ingest."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from coditect.documents.layout import encode_layout
from coditect.documents.readers import ReadLimits, read_source
from coditect.errors import CoditectError, ReadError
from coditect.knowledge.failures import SLIPS, failure_of
from coditect.knowledge.ingest.files import read_bytes
from coditect.schemas import DocumentVersion, Failure, document_id_for, sha256_hex

__all__ = ["FileRead", "ReadTask", "crashed_read", "read_file"]

SLIPPED = ("the reader failed on this file", "Convert it to plain text, and report what it held.")


@dataclass(frozen=True, slots=True)
class ReadTask:
    """A file that is to be read.

    Attributes:
        name: the document's name in the corpus.
        path: where the file lies.
        corpus_id: the corpus that takes it in.
        size_bytes: its length when it was found.
    """

    name: str
    path: Path
    corpus_id: str
    size_bytes: int


@dataclass(frozen=True, slots=True)
class FileRead:
    """A file that was read, or its failure.

    Attributes:
        name: the document's name in the corpus.
        version: the document version; None where reading failed.
        raw: the file's bytes.
        text: its canonical text in UTF-8.
        layout: its encoded blocks and page map.
        failure: why it could not be read; None where it was.
    """

    name: str
    version: DocumentVersion | None = None
    raw: bytes = b""
    text: bytes = b""
    layout: bytes = b""
    failure: Failure | None = None


def read_file(task: ReadTask) -> FileRead:
    """Read one file; a failure is a result, so that one bad file costs one file."""
    digest = ""
    try:
        raw = read_bytes(task.path, ReadLimits().max_file_bytes)
        digest = sha256_hex(raw)
        source = read_source(raw, task.name)
        text, layout = source.text.encode(), encode_layout(source)
    except (CoditectError, *SLIPS) as error:
        failure = failure_of(task.corpus_id, task.name, error, digest, slip=ReadError, slipped=SLIPPED)
        return FileRead(task.name, failure=failure)
    version = DocumentVersion.create(
        corpus_id=task.corpus_id,
        document_id=document_id_for(task.corpus_id, task.name),
        name=task.name,
        title=source.title,
        media_type=source.media_type,
        raw_sha256=digest,
        raw_bytes=len(raw),
        text_sha256=sha256_hex(text),
        text_bytes=len(text),
        text_length=len(source.text),
        layout_sha256=sha256_hex(layout),
        layout_bytes=len(layout),
        page_count=len(source.pages),
        reader=source.reader,
        warnings=source.warnings,
    )
    return FileRead(task.name, version, raw, text, layout)


def crashed_read(task: ReadTask) -> FileRead:
    """The result for a file that took its reader's process down."""
    error = ReadError("the reader's process died on this file", hint="Repair the file, or convert it to plain text.")
    return FileRead(task.name, failure=failure_of(task.corpus_id, task.name, error))
