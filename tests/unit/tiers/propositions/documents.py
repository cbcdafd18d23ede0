"""Small documents for the tests of self-contained statements."""

from __future__ import annotations

from coditect_benchmarks.standalone import resolve_document

from coditect.documents.readers import read_source
from coditect.schemas.standalone import Standalone
from coditect.tiers.extractions.document import DocumentReading, read_document


def reading_of(text: str, name: str = "document.md") -> DocumentReading:
    """A document as a reader gives it."""
    return read_document(read_source(text.encode(), name))


def resolved(reading: DocumentReading) -> dict[str, Standalone]:
    """Every sentence that does not stand on its own, by its words."""
    text = reading.source.text
    return {text[start:end]: each for (start, end), each in resolve_document(reading, reading.sentences).items()}


def standalone(text: str, statement: str, name: str = "document.md") -> str | None:
    """What a sentence of a document says on its own; None where it is left."""
    reading = reading_of(text, name)
    assert any(reading.source.text[s.start : s.end] == statement for s in reading.sentences), "not a sentence"
    found = resolved(reading).get(statement)
    return found.text if found else None
