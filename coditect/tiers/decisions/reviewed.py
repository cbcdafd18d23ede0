"""An extraction as it is signed: its sentence, its quote and its reading, without what a rebuild changes while these stand."""

from __future__ import annotations

from bisect import bisect_right

from pydantic import JsonValue

from coditect.schemas import Extraction, ExtractionKind, ReviewedExtraction
from coditect.tiers.extractions.document import DocumentReading
from coditect.tiers.readings.told import READ_BY

__all__ = ["Signable", "read_without_places"]

_PLACES = frozenset(("start", "end"))


class Signable:
    """The extractions of one document version as they are signed.

    Args:
        document: the document's name.
        reading: its text and sentences.
    """

    def __init__(self, document: str, reading: DocumentReading) -> None:
        self.document = document
        self.reading = reading
        self._starts = [sentence.start for sentence in reading.sentences]

    def sentence(self, record: Extraction) -> tuple[str, int]:
        """The sentence, or sentences, that hold an extraction, verbatim, and their first code point in the canonical text."""
        matched = self.reading.matched
        start, end = (matched.position(at) for at in (record.char_offset_start, record.char_offset_end))
        first = max(bisect_right(self._starts, start) - 1, 0)
        last = max(bisect_right(self._starts, max(start, end - 1)) - 1, first)
        spans = self.reading.sentences[first : last + 1]
        begin = min(start, spans[0].start) if spans else start
        text, begin, _ = self.reading.quote(begin, max([end, *(span.end for span in spans)]))
        return text, begin

    def reviewed(self, record: Extraction) -> ReviewedExtraction:
        """An extraction as it is signed; of one that was corrected, what had been read before."""
        kind, data = read_without_places(record)
        text, begin = self.sentence(record)
        return ReviewedExtraction(
            document=self.document,
            sentence=text,
            quote=record.source_text,
            quote_start=record.char_offset_start - begin,
            kind=kind,
            data=data,
        )


def read_without_places(record: Extraction) -> tuple[ExtractionKind, dict[str, JsonValue]]:
    """The kind and the data as which a quote was read before any correction, without places in the document and who read it."""
    decided = record.decided
    kind, data = record.extraction_kind, record.tier1_data.fields()
    if decided is not None and decided.original_kind is not None:
        kind, data = decided.original_kind, decided.original_data or {}
    return kind, {name: _without_places(value) for name, value in data.items() if name != READ_BY}


def _without_places(value: JsonValue) -> JsonValue:
    """What was read, without where in the document it stands: that moves with every word before it."""
    if isinstance(value, dict):
        return {name: _without_places(each) for name, each in value.items() if name not in _PLACES}
    return [_without_places(each) for each in value] if isinstance(value, list) else value
