"""What of a document only a tracked change says that nobody accepted: told beside each statement that holds words of it."""

from __future__ import annotations

from coditect.documents.layout import version_source
from coditect.documents.source import Proposal, SourceText
from coditect.documents.unseen import holds_proposals
from coditect.schemas import DocumentVersion, Extraction
from coditect.store.view import View

__all__ = ["laid_out", "proposals_of", "proposed_in"]


def laid_out(view: View, version: DocumentVersion) -> SourceText:
    """A document's pages and proposals, without its text."""
    layout = view.store.get_blob(version.corpus_id, version.layout_sha256, version.layout_bytes)
    return version_source(version, "", layout)


def proposals_of(view: View, version: DocumentVersion) -> tuple[Proposal, ...]:
    """What tracked changes insert into a document; nothing is read of one whose reader met none."""
    return laid_out(view, version).proposed if holds_proposals(version.warnings) else ()


def proposed_in(extraction: Extraction, proposed: tuple[Proposal, ...]) -> str:
    """The words of a statement that a tracked change inserted and nobody accepted, with who did so and when; "" for none.

    Args:
        extraction: the statement.
        proposed: of its document, in order.
    """
    start, end = extraction.char_offset_start, extraction.char_offset_end
    told = []
    for each in proposed:
        if each.start < end and start < each.end:
            words = extraction.source_text[max(0, each.start - start) : each.end - start]
            by = ", ".join(filter(None, (each.author, each.day)))
            told.append(f"“{' '.join(words.split())}”" + (f" ({by})" if by else ""))
    return "; ".join(told)
