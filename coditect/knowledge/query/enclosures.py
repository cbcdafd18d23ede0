"""What encloses an item: proposition → passage → section → document."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from functools import cached_property, lru_cache, partial
from typing import TYPE_CHECKING

from coditect.documents.layout import version_source
from coditect.errors import Corrupt, UsageError
from coditect.knowledge.query.kept import Kept
from coditect.knowledge.query.sources import SourceBuilder
from coditect.schemas import Chunk, Expansion, Extraction, Item, Passage, Source
from coditect.store.view import View

if TYPE_CHECKING:
    from coditect.documents.structure.outline import OutlineSection

__all__ = ["DocumentPassages", "Enclosures"]

KEPT_DOCUMENTS = 16
"""Documents whose outlines are kept in memory."""

KEPT_TREES = 512
"""Documents whose lists of passages, and whose summaries, are kept in memory: 5 KB for ten pages."""

KEPT_PASSAGES = 8_192
"""Passages that are kept in memory, about 2 KB each."""

READ_AT_ONCE = 16
"""Largest passages that are read together."""

SUMMARY_SENTENCES = 10
"""Sentences that stand for a document: the most salient of its chunks."""


class Enclosures:
    """Finds what encloses the items of one generation. Safe for threads: what is kept is the same whoever reads it.

    Args:
        view: the generation.
        sources: makes the nodes.
    """

    def __init__(self, view: View, sources: SourceBuilder) -> None:
        self.view = view
        self.sources = sources
        self._passages: Kept[str, Passage] = Kept(KEPT_PASSAGES)
        self._tree = lru_cache(KEPT_TREES)(partial(DocumentPassages, self))
        self._outline = lru_cache(KEPT_DOCUMENTS)(self._read_outline)
        self._summary = lru_cache(KEPT_TREES)(self._summarised)

    def tree(self, document_id: str) -> DocumentPassages:
        """The passages of a document."""
        return self._tree(document_id)

    def passages(self, passage_ids: Sequence[str], document_ids: Sequence[str]) -> list[Passage]:
        """Passages by id, in order; those read before are not read again.

        Args:
            passage_ids: of passages of this generation.
            document_ids: the document of each.
        Raises:
            Corrupt: one is missing or changed.
        """
        wanted = dict(zip(passage_ids, document_ids, strict=True))
        known = {each: passage for each in wanted if (passage := self._passages.get(each)) is not None}
        missing = [each for each in wanted if each not in known]
        if missing:
            for passage in self.view.items(Passage, missing, [wanted[each] for each in missing]):
                known[passage.passage_id] = self._passages.put(passage.passage_id, passage)
        return [known[each] for each in passage_ids]

    def parent(self, passage: Passage) -> Passage | None:
        """The passage of the next level that holds it; None at the top."""
        return self.passages([passage.parent_id], [passage.document_id])[0] if passage.parent_id else None

    def around(self, item: Item, upto: Expansion) -> tuple[Source, ...]:
        """What encloses an item, nearest first.

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
            found.append(self._summary(item.document_id))
        return tuple(found)

    def _passage(self, item: Extraction | Passage | Chunk) -> Passage | None:
        """The smallest passage that holds the item, and is not the item."""
        if isinstance(item, Passage):
            return self.parent(item)
        passage = self.tree(item.document_id).leaf_at(item.char_offset_start)
        while passage is not None and passage.char_offset_end < item.char_offset_end:
            passage = self.parent(passage)
        return passage

    def _section(self, document_id: str, start: int, end: int) -> Source:
        from coditect.documents.structure.outline import printed  # few questions ask for it

        sections = self._outline(document_id)
        index = max(bisect_right([section.start for section in sections], start) - 1, 0)
        while index > 0 and sections[index].end < end:
            index = sections[index].parent
        section = sections[index]
        return self.sources.stretch(
            document_id, "structural section", section.section_id, printed(section), section.start, section.end
        )

    def _read_outline(self, document_id: str) -> tuple[OutlineSection, ...]:
        from coditect.documents.structure.outline import outline

        version = self.view.document(document_id)
        layout = self.view.store.get_blob(version.corpus_id, version.layout_sha256, version.layout_bytes)
        return outline(version_source(version, self.sources.text(version), layout))

    def _summarised(self, document_id: str) -> Source:
        """The document, by the most salient sentences of its chunks: all verbatim, in document order."""
        sentences = (s for chunk in self.view.chunks(document_id) for s in chunk.selected_sentences if s.score > 0)
        best = sorted(sentences, key=lambda s: (s.rank, -s.score, s.char_start))[:SUMMARY_SENTENCES]
        text = "\n".join(s.text for s in sorted(best, key=lambda s: s.char_start))
        return self.sources.document(document_id).model_copy(update={"text": text})


class DocumentPassages:
    """The passages of one document, of which only those that are needed are read.

    A derivation lists its passages level by level, the largest first, each level in document order. So where a passage stands in
    that list follows from its level and number.

    Args:
        enclosures: reads passages, and keeps them.
        document_id: the document that they cut.
    """

    def __init__(self, enclosures: Enclosures, document_id: str) -> None:
        self._enclosures = enclosures
        self._document_id = document_id

    @cached_property
    def _ids(self) -> tuple[str, ...]:
        view = self._enclosures.view
        sources = view.entries[self._document_id].passages
        found = view.store.derivations(view.corpus_id, sources)
        if len(found) != len(sources):
            raise Corrupt("a derivation that the manifest reaches is missing", document_id=self._document_id)
        return tuple(each for source in sources for each in found[source].outputs)

    @cached_property
    def _largest(self) -> list[Passage]:
        """The passages of the highest level."""
        found: list[Passage] = []
        while len(found) < len(self._ids):
            found += self._read(len(found), min(READ_AT_ONCE, len(self._ids) - len(found)))
            if found[-1].level != found[0].level:
                break
        return [passage for passage in found if passage.level == found[0].level]

    @cached_property
    def _blocks(self) -> list[int]:
        """Where each level begins in the list, the highest level first."""
        begins = [0]
        last = self._largest[-1]
        while last.level > 0:
            begins.append(begins[-1] + last.ordinal + 1)
            last = self._read(begins[-1] + last.first_child + last.child_count - 1, 1)[0]
        return begins

    def leaf_at(self, offset: int) -> Passage | None:
        """The first smallest passage that holds a code point; None between passages.

        Args:
            offset: in the document's canonical text.
        """
        found: Passage | None = None
        siblings = self._largest
        for begin in (*self._blocks[1:], None) if siblings else ():
            index = bisect_right(siblings, offset, key=lambda each: each.char_offset_end)
            if index == len(siblings) or siblings[index].char_offset_start > offset:
                return None
            found = siblings[index]
            if begin is not None:
                siblings = self._read(begin + found.first_child, found.child_count)
        return found

    def _read(self, begin: int, count: int) -> list[Passage]:
        ids = self._ids[begin : begin + count]
        return self._enclosures.passages(ids, [self._document_id] * len(ids))
