"""The statements of a document as they are compared with requirements: with lead-ins, headings and how they speak."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass

from coditect.documents.layout import version_source
from coditect.documents.profile.role import kind_of, title_line
from coditect.documents.structure.series.worded_headings import with_sentences
from coditect.knowledge.report.crosswalk.speaking import FORCES, force_of
from coditect.language.provisions.composed import ComposedText
from coditect.schemas import Extraction, NormData
from coditect.store.view import View
from coditect.verify.requirements.decision import SaidByPolicy
from coditect.verify.requirements.laid_down.quoting import gives_open_parameters

__all__ = ["PolicySentence", "statements_of"]

_LONGEST = 1_000
_SHORTEST = 3


@dataclass(frozen=True, slots=True)
class PolicySentence:
    """A statement of a document.

    Attributes:
        item: the extraction.
        composed: of an item of a list the statement that it makes with its lead-in; else "".
        headings: above it, joined.
        said: ready to be compared.
    """

    item: Extraction
    composed: str
    headings: str
    said: SaidByPolicy


def statements_of(view: View, document_id: str) -> Iterator[PolicySentence]:
    """The statements of a document that could answer a requirement, in the order of its text."""
    version = view.document(document_id)
    text = view.text_of(version)
    layout = view.store.get_blob(version.corpus_id, version.layout_sha256, version.layout_bytes)
    role = _role_of(view, document_id, text)
    leaves_open = gives_open_parameters(text)
    starts, above = [], []
    path: list[tuple[int, str]] = []
    for block in with_sentences(version_source(version, text, layout)).blocks:
        if block.kind == "heading":
            path = [*(each for each in path if each[0] < block.level), (block.level, text[block.start : block.end])]
            starts.append(block.start)
            above.append(" / ".join(title for _, title in path))
    for item in view.each_extraction(document_id):
        if item.extraction_kind not in FORCES or len(item.source_text.split()) < _SHORTEST:
            continue
        spans = item.tier1_data.spans if isinstance(item.tier1_data, NormData) else None
        composed = ""
        if spans:
            places = [(span.start, span.end) for span in spans]
            composed = ComposedText(text, places[:-1], places[-1:]).text
        at = bisect_right(starts, item.char_offset_start) - 1
        headings = above[at] if at >= 0 else ""
        around = f"{headings}. {version.title or version.name}"
        yield PolicySentence(
            item,
            composed,
            headings,
            SaidByPolicy(
                (composed or item.source_text)[:_LONGEST],
                item.source_text[:_LONGEST],
                around,
                force_of(item),
                conditional=isinstance(item.tier1_data, NormData) and bool(item.tier1_data.conditions),
                document=version.name,
                role=role,
                leaves_open=leaves_open,
            ),
        )


def _role_of(view: View, document_id: str, text: str) -> str:
    """The role of a document that a manifest states, or that its printed title names and nothing else outweighs; "" for none."""
    profile = view.profiles.get(document_id)
    role = profile.role if profile is not None else None
    if role is None:
        return ""
    printed = title_line(text)
    is_printed = printed is not None and kind_of(printed.quote) == role.value
    return role.value if role.is_given or is_printed else ""
