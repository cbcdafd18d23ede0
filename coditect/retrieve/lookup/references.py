"""Cross-references, followed to the items that they mean, within one generation and across its documents.

Everything is read from stored records: the reference's own data, the section ids of chunks, and the term index. Matching labels
with sections is :mod:`coditect.language.references.targets`; here it is decided which document is meant.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from coditect.documents.profile.citations import code_of, codes_of, documents_called
from coditect.keyspace.terms import section_term
from coditect.language.matched import as_matched
from coditect.language.references.targets import ReferenceTarget, Sections, find_targets, label_parts, regulation_parts
from coditect.retrieve.lookup.live import LiveIndex
from coditect.schemas import Chunk, CrossReferenceData, Extraction
from coditect.schemas.tier1.data import SPAN_KINDS
from coditect.store.view import View

__all__ = ["How", "ReferencePlace", "ResolvedReference", "Resolver"]

How = Literal["", "same document", "named document", "number", "whole document"]
"""How: in the reference's own document, in one called by name, by a number that a document has, or a document as such."""

_KEPT_DOCUMENTS = 64
_MOST_CHUNKS = 40
_NAMED = frozenset(("document", "policy", "standard", "statute", "regulation"))
_PART_NUMBER = re.compile(r"\d{3,4}\.\d")
"""Of a regulation: "§ 1012.235" in another part's text needs no "12 CFR"."""
_CODE_BEFORE = re.compile(
    r"(?<!\w)(?P<code>[A-Z]{2,7})\s+(?:(?:Rules?|Chapters?|Sections?|Regulations?|Principles?)\s+)?\Z"
)
_AROUND = 40
"""Code points before a reference in which the code of its document is looked for."""
_TITLED = re.compile(r"sec_(?:\d+_)+(?=[a-z]{3})")


@dataclass(frozen=True, slots=True)
class ReferencePlace:
    """A section of a document, or the whole of it where ``section_id`` is ""."""

    document_id: str
    section_id: str = ""


@dataclass(frozen=True, slots=True)
class ResolvedReference:
    """The place that a cross-reference points to, or the reason why none was found.

    Attributes:
        document_id: of the target; "" if unresolved.
        section_id: the section that is named; "" where a whole document is meant, or unresolved.
        section_ids: of a range all that it spans, in order; else the one.
        chunk_ids: chunks that hold the target or a part of it, in document order; at most 40, none for a whole document.
        extraction_ids: what Tier 1 says there, in document order; references and quantities are left out.
        how: how it was found.
        is_exact: whether the whole label was matched; else the target is the smallest section around it.
        alternatives: other places that the words fit as well.
        reason: why it is unresolved, or "".
    """

    document_id: str = ""
    section_id: str = ""
    section_ids: tuple[str, ...] = ()
    chunk_ids: tuple[str, ...] = ()
    extraction_ids: tuple[str, ...] = ()
    how: How = ""
    is_exact: bool = True
    alternatives: tuple[ReferencePlace, ...] = ()
    reason: str = ""

    @property
    def is_resolved(self) -> bool:
        """Whether a target was found."""
        return self.document_id != ""


class Resolver:
    """Follows references through one view; keeps the outlines of the documents that it last looked at.

    Args:
        view: the generation.
        index: its indexes.
    """

    def __init__(self, view: View, index: LiveIndex) -> None:
        self._view = view
        self._index = index
        self._read = ("", "")
        self._outlines: dict[str, tuple[list[Chunk], Sections]] = {}

    def resolve(self, extraction: Extraction) -> ResolvedReference:
        """Where a cross-reference points.

        Args:
            extraction: of kind "cross_reference"; anything else is unresolved.
        """
        if extraction.extraction_kind != "cross_reference":
            return ResolvedReference(reason="not a cross-reference")
        data = extraction.read_as(CrossReferenceData)
        name, kind, label = data.document or "", data.target_kind or "", data.label or ""
        if not name and (coded := self._coded_before(extraction)):
            return self._at(coded, self._find(extraction, coded, from_here=False), "named document")
        if not name:
            own = self._find(extraction, extraction.document_id)
            if not own.section_id and _PART_NUMBER.match(label):
                return self._numbered(extraction)
            return self._at(extraction.document_id, own, "same document")
        if kind == "control" or regulation_parts(name):
            return self._numbered(extraction)
        named = documents_called(name, self._view.documents.values(), exactly=kind == "statute")
        if len(named) != 1:
            here = self._find(extraction, extraction.document_id)
            if here.section_id and not code_of(name):  # "§ 1002.2 of Regulation B", in Regulation B itself
                return self._at(extraction.document_id, here, "same document")
            reason = "several documents have that name" if named else "the corpus has no document of that name"
            return ResolvedReference(alternatives=tuple(ReferencePlace(each) for each in named), reason=reason)
        if kind in _NAMED and label in ("", name):
            return ResolvedReference(document_id=named[0], how="whole document")
        return self._at(named[0], self._find(extraction, named[0], from_here=False), "named document")

    def _coded_before(self, extraction: Extraction) -> str:
        """The other document whose code stands right before a reference, "MIR Rule 3.2.1"; "" for none, or several.

        Reading may begin behind the code. What is cited by a code is in that document, whatever number the own one has.
        """
        document_id, start = extraction.document_id, extraction.char_offset_start
        if self._read[0] != document_id:
            self._read = document_id, self._view.text_of(self._view.document(document_id))
        before = _CODE_BEFORE.search(as_matched(self._read[1][max(0, start - _AROUND) : start]))
        found = sorted(self._codes.get(before["code"], ())) if before else []
        return found[0] if len(found) == 1 and found[0] != document_id else ""

    @cached_property
    def _codes(self) -> Mapping[str, frozenset[str]]:
        """The documents by the codes that they are cited by."""
        found: dict[str, frozenset[str]] = {}
        for each in self._view.documents.values():
            for code in codes_of(each):
                found[code] = found.get(code, frozenset()) | {each.document_id}
        return found

    def _find(self, extraction: Extraction, document_id: str, *, from_here: bool = True) -> ReferenceTarget:
        """The target in one document; relative places are read from where the reference stands, unless it names the document."""
        _, sections = self._outline(document_id)
        return find_targets(
            extraction.read_as(CrossReferenceData), extraction.section_id if from_here else "", sections
        )

    def _numbered(self, extraction: Extraction) -> ResolvedReference:
        """A regulation's or control's own number: in this document, or in the one that has it."""
        here = self._find(extraction, extraction.document_id)
        if here.section_id and here.is_exact:
            return self._at(extraction.document_id, here, "same document")
        label = extraction.read_as(CrossReferenceData).label or ""
        parts = regulation_parts(label) or label_parts(label)
        for depth in range(len(parts), 0, -1):
            section_id = "sec_" + "_".join(parts[:depth])
            documents = list(dict.fromkeys(self._with_section(section_id)))
            if documents:
                first, *others = documents
                found = ReferenceTarget((section_id,), is_exact=depth == len(parts))
                return self._at(first, found, "number", [ReferencePlace(each, section_id) for each in others])
        return ResolvedReference(reason="no document of the corpus has that number")

    def _with_section(self, section_id: str) -> Iterator[str]:
        """Documents that have a section of this id, by the term index."""
        live = self._view.live_derivations
        rows = self._view.store.scan_index("idx/term", section_term(section_id), self._view.corpus_id)
        return (str(place[2]) for place, derivation in rows if derivation in live)

    def _at(
        self, document_id: str, found: ReferenceTarget, how: How, others: Iterable[ReferencePlace] = ()
    ) -> ResolvedReference:
        """The target in a document, with the chunks and statements that stand there."""
        alternatives = (*(ReferencePlace(document_id, each) for each in found.alternatives), *others)
        if not found.section_ids:
            return ResolvedReference(alternatives=alternatives, reason=found.reason)
        chunks = [c for c in self._outline(document_id)[0] if _touches(c, found.section_ids)][:_MOST_CHUNKS]
        said = self._index.extractions(document_id, [each for chunk in chunks for each in chunk.source_extractions])
        return ResolvedReference(
            document_id=document_id,
            section_id=found.section_id,
            section_ids=found.section_ids,
            chunk_ids=tuple(chunk.chunk_id for chunk in chunks),
            extraction_ids=tuple(
                item.extraction_id
                for item in said
                if item.extraction_kind not in SPAN_KINDS and _is_within(item.section_id, found.section_ids)
            ),
            how=how,
            is_exact=found.is_exact,
            alternatives=alternatives,
        )

    def _outline(self, document_id: str) -> tuple[list[Chunk], Sections]:
        """The chunks of a document, and its sections as they are stored there."""
        if document_id not in self._outlines:
            if len(self._outlines) >= _KEPT_DOCUMENTS:
                self._outlines.clear()
            chunks = self._view.chunks(document_id)
            printed: dict[str, str] = {}
            for chunk in chunks:
                for section_id in chunk.section_ids:
                    printed.setdefault(section_id, "")
                printed[chunk.section_id] = chunk.heading
            self._outlines[document_id] = chunks, Sections(printed)
        return self._outlines[document_id]


def _touches(chunk: Chunk, section_ids: tuple[str, ...]) -> bool:
    return any(_is_within(each, section_ids) for each in chunk.section_ids)


def _is_within(section_id: str, section_ids: tuple[str, ...]) -> bool:
    """Whether a section is one of these or below one: by its id, "sec_3_1" below "sec_3" and below "sec_3_definitions"."""
    return any(
        section_id == each
        or section_id.startswith(each + "_")
        or (
            (titled := _TITLED.match(each)) is not None
            and section_id.startswith(titled[0])
            and section_id[titled.end()].isdigit()
        )
        for each in section_ids
    )
