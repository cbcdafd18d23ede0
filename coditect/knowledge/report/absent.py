"""What the documents of a generation refer to and the corpus does not hold, by target, with examples."""

from __future__ import annotations

from coditect.documents.profile.citations import OutwardReference
from coditect.retrieve.lookup.live import LiveIndex
from coditect.schemas import AbsentTarget, CitedPlace, Extraction
from coditect.store.view import View
from coditect.tiers.findings.absent import AbsentDocument, absent_documents

__all__ = ["MOST_EXAMPLES", "absent_targets"]

MOST_EXAMPLES = 3
"""References that are shown of each target, of different documents."""

AROUND = 160
"""Code points of the line that are shown on either side of a reference, at most."""


def absent_targets(view: View) -> tuple[AbsentTarget, ...]:
    """Laws, rulebooks, standards and other documents that are referred to and not there, the most cited first."""
    index = LiveIndex(view)
    texts: dict[str, str] = {}
    found = absent_documents(index.outward_references, view.documents, view.profiles.values())
    return tuple(_target(view, each, texts) for each in found)


def _target(view: View, absent: AbsentDocument, texts: dict[str, str]) -> AbsentTarget:
    first: dict[str, OutwardReference] = {}
    for each in absent.references:
        first.setdefault(each.document_id, each)
    shown = [first[document_id] for document_id in absent.documents[:MOST_EXAMPLES]]
    return AbsentTarget(
        name=absent.name,
        references=len(absent.references),
        documents=tuple(view.documents[each].name for each in absent.documents),
        sections=absent.sections,
        examples=tuple(_example(view, each, texts) for each in shown),
    )


def _example(view: View, reference: OutwardReference, texts: dict[str, str]) -> CitedPlace:
    document_id = reference.document_id
    if document_id not in texts:
        texts[document_id] = view.text(document_id)
    (record,) = view.items(Extraction, [reference.extraction_id], [document_id])
    return CitedPlace(
        document=view.documents[document_id].name,
        text=record.source_text,
        sentence=_line(texts[document_id], record.char_offset_start, record.char_offset_end),
        char_start=record.char_offset_start,
        extraction_id=record.extraction_id,
    )


def _line(text: str, start: int, end: int) -> str:
    """The line around a place, cut at words where it is long."""
    first = max(text.rfind("\n", 0, start) + 1, start - AROUND)
    behind = text.find("\n", end)
    last = min(len(text) if behind < 0 else behind, end + AROUND)
    if first == start - AROUND and first > 0:
        first = text.find(" ", first, start) + 1 or first
    if last == end + AROUND and last < len(text):
        last = max(text.rfind(" ", end, last), end)
    return " ".join(text[first:last].split())
