"""Chains of evidence: from an item down to the characters of a file, tier by tier."""

from __future__ import annotations

from collections.abc import Sequence

from coditect.documents.layout import page_of, version_source
from coditect.documents.source import PageSpan
from coditect.errors import UsageError
from coditect.knowledge.query.kept import Kept
from coditect.schemas import (
    Chunk,
    Citation,
    Claim,
    CorpusSummary,
    Decision,
    DocumentVersion,
    Extraction,
    Item,
    ItemDecision,
    Passage,
    Section,
    SectionPart,
    Source,
    Verdict,
)
from coditect.store.view import View

__all__ = ["SourceBuilder"]


KEPT_NODES = 1000
"""Nodes of tiers 3 and 4 that are kept in memory: they never change, and there are few of them."""

KEPT_PAGE_MAPS = 10_000
"""Documents of which it is kept in memory where their pages begin."""

KEPT_CHARACTERS = 20_000_000
"""Text of documents that is kept in memory."""


class SourceBuilder:
    """Makes :class:`~coditect.schemas.query.Source` nodes of one generation's items. Safe for threads.

    Args:
        view: the generation.
    """

    def __init__(self, view: View) -> None:
        self.view = view
        self._pages: Kept[str, tuple[PageSpan, ...]] = Kept(KEPT_PAGE_MAPS)
        self._texts: Kept[str, str] = Kept(KEPT_CHARACTERS, len)
        self._nodes: Kept[tuple[str, bool], Source] = Kept(KEPT_NODES)

    def source(self, item: Item, *, deep: bool) -> Source:
        """An item as a node; with ``deep``, with its whole chain.

        Raises:
            UsageError: an item that stands in no tier.
        """
        match item:
            case Extraction():
                return self.extraction(item)
            case Chunk():
                return self.chunk(item, deep=deep)
            case Passage():
                return self.passage(item)
            case Section() | Claim() | CorpusSummary():
                key = (item.item_id, deep)
                return self._nodes.get(key) or self._nodes.put(key, self._upper(item, deep=deep))
        raise UsageError(
            "this item stands in no tier", item_id=item.item_id, hint="Ask for a claim, section, chunk or extraction."
        )

    def _upper(self, item: Section | Claim | CorpusSummary, *, deep: bool) -> Source:
        match item:
            case Section():
                return self.section(item, deep=deep)
            case Claim():
                return self.claim(item, deep=deep)
            case CorpusSummary():
                return self.summary(item, deep=deep)

    def below(self, item: Item) -> list[Source]:
        """The items one tier below, each without its own chain."""
        match item:
            case Chunk():
                return [self.extraction(e) for e in self._extractions(item, item.source_extractions)]
            case Section():
                return [self.chunk(chunk, deep=False) for chunk in self._chunks_of(item)]
            case Claim():
                return self._cited(item, deep=False)
            case CorpusSummary():
                return [self.section(section, deep=False) for section in self.view.sections]
        return []

    def extraction(self, item: Extraction) -> Source:
        """Tier 1: where it stands in the file."""
        version = self.view.document(item.document_id)
        return Source(
            item_id=item.extraction_id,
            tier=1,
            kind=item.extraction_kind,
            text=item.source_text,
            heading=item.heading,
            locator=item.locator,
            confidence=item.confidence,
            decided=item.decided,
            **self._place(version, item.char_offset_start, item.char_offset_end),
        )

    def chunk(self, item: Chunk, *, deep: bool) -> Source:
        """Tier 2: the selected sentences."""
        sources: list[Source] = []
        if deep:
            ids = [each for sentence in item.selected_sentences for each in sentence.extraction_ids]
            sources = [self.extraction(e) for e in self._extractions(item, ids)]
        return self._chunk(item, " ".join(s.text for s in item.selected_sentences), sources)

    def passage(self, item: Passage) -> Source:
        """A passage: the document's text at its offsets."""
        return self.stretch(
            item.document_id, "passage", item.passage_id, item.heading, item.char_offset_start, item.char_offset_end
        )

    def text_of(self, item: Passage) -> str:
        """The text of a passage, where its place does not matter."""
        return self.text(self.view.document(item.document_id))[item.char_offset_start : item.char_offset_end]

    def document(self, document_id: str) -> Source:
        """A document as a whole, by its title, without its text."""
        version = self.view.document(document_id)
        node = self.stretch(document_id, "document", document_id, version.title or version.name, 0, 0)
        return node.model_copy(update={"char_offset_end": version.text_length})

    def stretch(self, document_id: str, kind: str, item_id: str, heading: str, start: int, end: int) -> Source:
        """Any stretch of a document's text, e.g. a structural section."""
        version = self.view.document(document_id)
        return Source(
            item_id=item_id,
            tier=0,
            kind=kind,
            text=self.text(version)[start:end],
            heading=heading,
            **self._place(version, start, end),
        )

    def text(self, version: DocumentVersion) -> str:
        """A document's text, kept for the next passage of it."""
        found = self._texts.get(version.version_id)
        return self._texts.put(version.version_id, self.view.text_of(version)) if found is None else found

    def _chunk(self, item: Chunk, text: str, sources: Sequence[Source]) -> Source:
        version = self.view.document(item.document_id)
        return Source(
            item_id=item.chunk_id,
            tier=2,
            kind="chunk",
            text=text,
            heading=item.heading,
            sources=tuple(sources),
            **self._place(version, item.char_offset_start, item.char_offset_end),
        )

    def section(self, item: Section, *, deep: bool, only: Sequence[int] | None = None) -> Source:
        """Tier 3: its content, or with ``only`` some of its quotes."""
        parts = [part for index, part in enumerate(item.content) if only is None or index in only]
        return Source(
            item_id=item.section_id,
            tier=3,
            kind=item.section_kind,
            text="\n".join(part.content for part in parts),
            synthetic=tuple(part.content for part in parts if part.type == "synthetic"),
            heading=item.topic,
            sources=tuple(self._quotes(parts)) if deep else (),
        )

    def _quotes(self, parts: Sequence[SectionPart]) -> list[Source]:
        """The chunk of each quote, narrowed to the quote and the extractions inside it."""
        cited = [(part, part.citation) for part in parts if part.citation is not None]
        chunks = self.view.items(Chunk, [c.chunk_id for _, c in cited], [c.document_id for _, c in cited])
        wanted = [(each, c.document_id) for _, c in cited for each in c.extraction_ids]
        extractions = self.view.items(Extraction, [i for i, _ in wanted], [d for _, d in wanted])
        by_id = {e.extraction_id: self.extraction(e) for e in extractions}
        return [
            self._quote(chunk, part, citation, [by_id[each] for each in citation.extraction_ids])
            for (part, citation), chunk in zip(cited, chunks, strict=True)
        ]

    def _quote(self, chunk: Chunk, part: SectionPart, citation: Citation, sources: Sequence[Source]) -> Source:
        version = self.view.document(chunk.document_id)
        narrowed = self._chunk(chunk, part.content, sources)
        return narrowed.model_copy(update=self._place(version, citation.char_start, citation.char_end))

    def claim(self, item: Claim, *, deep: bool) -> Source:
        """Tier 4: a claim with its verdict's scores."""
        verdict = self.view.verdicts.get(item.claim_id)
        return Source(
            item_id=item.claim_id,
            tier=4,
            kind=item.claim_kind,
            text=item.text,
            heading=item.topic,
            support_score=None if verdict is None else verdict.support_score,
            confidence=item.confidence if item.confidence is not None or verdict is None else verdict.confidence,
            severity=item.severity,
            finding_id=item.finding_id,
            decided=None if verdict is None else _decided(verdict),
            sources=tuple(self._cited(item, deep=True)) if deep else (),
        )

    def _cited(self, item: Claim, *, deep: bool) -> list[Source]:
        """The sections that a claim cites, of each the quotes that it rests on and no others."""
        wanted: dict[str, list[int]] = {}
        for citation in item.citations:
            wanted.setdefault(citation.section_id, []).append(citation.part)
        return [self.section(self.view.section_by_id[each], deep=deep, only=only) for each, only in wanted.items()]

    def summary(self, item: CorpusSummary, *, deep: bool) -> Source:
        """Tier 4 as a whole: its claims as sources."""
        claims = [self.view.claims[each] for each in item.claims] if deep else []
        return Source(
            item_id=item.summary_id,
            tier=4,
            kind="summary",
            text=item.summary_text,
            sources=tuple(self.claim(claim, deep=True) for claim in claims),
        )

    def _extractions(self, chunk: Chunk, ids: Sequence[str]) -> list[Extraction]:
        wanted = list(dict.fromkeys(ids))
        return self.view.items(Extraction, wanted, [chunk.document_id] * len(wanted))

    def _chunks_of(self, section: Section) -> list[Chunk]:
        """The chunks of a section: those that it quotes first, then the others that speak to its topic."""
        cited = [part.citation.chunk_id for part in section.content if part.citation is not None]
        ids = list(dict.fromkeys([*cited, *section.source_chunks]))
        by_tag = {document_id.partition("_")[2][:12]: document_id for document_id in self.view.entries}
        return self.view.items(Chunk, ids, [by_tag[each.partition("_")[2][:12]] for each in ids])

    def _place(self, version: DocumentVersion, start: int, end: int) -> dict[str, object]:
        return {
            "document_id": version.document_id,
            "document_name": version.name,
            "version_id": version.version_id,
            "raw_sha256": version.raw_sha256,
            "char_offset_start": start,
            "char_offset_end": end,
            "page": page_of(self._page_map(version), start) if version.page_count else None,
        }

    def _page_map(self, version: DocumentVersion) -> tuple[PageSpan, ...]:
        found = self._pages.get(version.version_id)
        if found is None:
            layout = self.view.store.get_blob(version.corpus_id, version.layout_sha256, version.layout_bytes)
            found = self._pages.put(version.version_id, version_source(version, "", layout).pages)
        return found


def _decided(verdict: Verdict) -> ItemDecision | None:
    """The last decision of a person in a verdict."""
    reviews = [each for each in verdict.opinions if each.judge == "review"]
    if not reviews:
        return None
    last = reviews[-1]
    settles: Decision = "supported" if last.label == "supported" else "unsupported"
    return ItemDecision(
        review_id=last.review_id,
        decision=last.decision or settles,
        by=last.who,
        at=last.at,
        meaning=last.reason,
        until=last.until,
    )
