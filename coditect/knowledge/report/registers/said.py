"""What a document says, sentence by sentence and row by row, each place once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import get_args

from coditect.documents.layout import version_source
from coditect.documents.source import PageSpan
from coditect.knowledge.review.amendments import title_of
from coditect.schemas import DocumentVersion, Extraction, ExtractionKind
from coditect.schemas.tier1.data import SPAN_KINDS
from coditect.store.view import View

__all__ = ["SaidSentence", "pages_in", "said_in", "title_of"]

_READ: frozenset[ExtractionKind] = (frozenset(get_args(ExtractionKind)) - SPAN_KINDS) | {"cross_reference"}
_BAR = "|"


@dataclass(frozen=True, slots=True)
class SaidSentence:
    """A sentence, or a whole row of a table, whose cells may be several sentences: the first item in it, and where it stands."""

    item: Extraction
    start: int
    end: int


def said_in(view: View, document_id: str, text: str) -> tuple[list[SaidSentence], list[Extraction]]:
    """(the sentences and rows of a document, each place once; its cross-references), both in order.

    Args:
        view: the generation.
        document_id: the document.
        text: its text.
    """
    items: list[Extraction] = []
    references: list[Extraction] = []
    for each in view.each_extraction_of(document_id, _READ):
        (references if each.extraction_kind == "cross_reference" else items).append(each)
    said: list[SaidSentence] = []
    for each in sorted(items, key=lambda each: (each.char_offset_start, -each.char_offset_end)):
        start, end = each.char_offset_start, each.char_offset_end
        if _BAR in each.source_text:
            start = text.rfind("\n", 0, start) + 1
            end = (text.find("\n", end) + 1 or len(text) + 1) - 1
        if not said or start >= said[-1].end:
            said.append(SaidSentence(each, start, end))
    return said, references


def pages_in(view: View, version: DocumentVersion) -> tuple[PageSpan, ...]:
    """The pages of a document, in order; empty where its file has none."""
    if not version.page_count:
        return ()
    layout = view.store.get_blob(version.corpus_id, version.layout_sha256, version.layout_bytes)
    return version_source(version, "", layout).pages
