"""What holds an item: proposition → passage → section → document."""

from __future__ import annotations

from bisect import bisect_right

from coditect.errors import UsageError
from coditect.knowledge.sources import SourceBuilder
from coditect.schemas import Chunk, Expansion, Extraction, Item, Passage, Source
from coditect.store.view import View
from coditect.text.layout import decode_layout
from coditect.text.structure import Section as OutlineSection
from coditect.text.structure import outline
from coditect.tiers.document import printed
from coditect.tiers.passages import PassageTree

__all__ = ["Surroundings"]

KEPT_DOCUMENTS = 16
"""Documents whose passages and outlines are kept in memory."""

SUMMARY_SENTENCES = 10
"""Sentences that stand for a document: the most salient of its chunks."""


class Surroundings:
    """Finds what holds items of one generation.

    Args:
        view: the generation.
        sources: makes the nodes.
    """

    def __init__(self, view: View, sources: SourceBuilder) -> None:
        self.view = view
        self.sources = sources
        self._trees: dict[str, PassageTree] = {}
        self._outlines: dict[str, tuple[OutlineSection, ...]] = {}
        self._summaries: dict[str, Source] = {}

    def tree(self, document_id: str) -> PassageTree:
        """The passages of a document."""
        if document_id not in self._trees:
            while len(self._trees) >= KEPT_DOCUMENTS:
                del self._trees[next(iter(self._trees))]
            self._trees[document_id] = PassageTree(self.view.passages(document_id))
        return self._trees[document_id]

    def around(self, item: Item, upto: Expansion) -> tuple[Source, ...]:
        """What holds an item, nearest first.

        Args:
            item: an extraction, a passage or a chunk.
            upto: the last step: its passage, its section, or its document.
        Raises:
            UsageError: the item stands in no document.
        """
        if not isinstance(item, Extraction | Passage | Chunk):
            raise UsageError(
                "only what stands in a document can be expanded",
                item_id=item.item_id,
                hint="Use --expand with the tiers chunk, extraction, proposition or passage.",
            )
        start, end = item.char_offset_start, item.char_offset_end
        found: list[Source] = []
        passage = self._passage(item)
        if passage is not None:
            found.append(self.sources.passage(passage))
        if upto != "passage":
            found.append(self._section(item.document_id, start, end))
        if upto == "document":
            found.append(self._document(item.document_id))
        return tuple(found)

    def _passage(self, item: Extraction | Passage | Chunk) -> Passage | None:
        """The smallest passage that holds the item, and is not the item."""
        tree = self.tree(item.document_id)
        if isinstance(item, Passage):
            return tree.parent(item)
        passage = tree.leaf_at(item.char_offset_start)
        while passage is not None and passage.char_offset_end < item.char_offset_end:
            passage = tree.parent(passage)
        return passage

    def _section(self, document_id: str, start: int, end: int) -> Source:
        sections = self._outline(document_id)
        index = max(bisect_right([section.start for section in sections], start) - 1, 0)
        while index > 0 and sections[index].end < end:
            index = sections[index].parent
        section = sections[index]
        return self.sources.stretch(
            document_id, "structural section", section.section_id, printed(section), section.start, section.end
        )

    def _outline(self, document_id: str) -> tuple[OutlineSection, ...]:
        if document_id not in self._outlines:
            while len(self._outlines) >= KEPT_DOCUMENTS:
                del self._outlines[next(iter(self._outlines))]
            version = self.view.document(document_id)
            layout = self.view.store.get_blob(version.corpus_id, version.layout_sha256, version.layout_bytes)
            source = decode_layout(
                self.sources.text(version),
                layout,
                media_type=version.media_type,
                title=version.title,
                reader=version.reader,
            )
            self._outlines[document_id] = outline(source)
        return self._outlines[document_id]

    def _document(self, document_id: str) -> Source:
        """The document, by the most salient sentences of its chunks: all verbatim, in document order."""
        if document_id not in self._summaries:
            version = self.view.document(document_id)
            chunks = self.view.chunks(document_id)
            best = sorted(
                (s for chunk in chunks for s in chunk.selected_sentences if s.score > 0),
                key=lambda s: (s.rank, -s.score, s.char_start),
            )[:SUMMARY_SENTENCES]
            node = self.sources.stretch(document_id, "document", document_id, version.title or version.name, 0, 0)
            text = "\n".join(s.text for s in sorted(best, key=lambda s: s.char_start))
            self._summaries[document_id] = node.model_copy(
                update={"text": text, "char_offset_end": version.text_length}
            )
        return self._summaries[document_id]
