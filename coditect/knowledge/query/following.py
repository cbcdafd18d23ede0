"""Where the cross-references and defined terms inside an item lead, also across documents."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from coditect.knowledge.query.sources import SourceBuilder
from coditect.retrieve.lookup.definitions import defined
from coditect.retrieve.lookup.live import LiveIndex
from coditect.schemas import Chunk, Extraction, Item, Passage, Reference, Source
from coditect.store.view import View

if TYPE_CHECKING:
    from coditect.retrieve.lookup.references import Resolver

__all__ = ["Links"]

MOST_DEFINITIONS = 3
"""Definitions that are shown of one term."""


class Links:
    """Follows references through one generation; everything is read from stored records.

    Args:
        view: the generation.
        index: its indexes.
        sources: makes the nodes.
    """

    def __init__(self, view: View, index: LiveIndex, sources: SourceBuilder) -> None:
        self.view = view
        self.index = index
        self.sources = sources

    @cached_property
    def _resolver(self) -> Resolver:
        from coditect.retrieve.lookup.references import Resolver

        return Resolver(self.view, self.index)

    def follow(self, item: Item) -> tuple[Reference, ...]:
        """What the references in an item lead to, in the order of the text; then the defined terms that it uses, by name."""
        if not isinstance(item, Extraction | Chunk | Passage):
            return ()
        start, end = item.char_offset_start, item.char_offset_end
        inside = [
            e
            for e in self.view.extractions(item.document_id)
            if start <= e.char_offset_start and e.char_offset_end <= end
        ]
        references = [self._reference(e) for e in inside if e.extraction_kind == "cross_reference"]
        terms: dict[str, str] = {}
        for each in inside:
            terms.update((entity.name, entity.text) for entity in each.entities if entity.kind == "defined_term")
        for name, printed in sorted(terms.items()):
            own = [e for e in defined(self.index, name, item.document_id) if e.extraction_id != item.item_id]
            references += [
                Reference(kind="definition", text=printed, resolved=True, reason="", target=self.sources.extraction(e))
                for e in own[:MOST_DEFINITIONS]
            ]
        return tuple(references)

    def _reference(self, item: Extraction) -> Reference:
        found = self._resolver.resolve(item)
        if not found.is_resolved:
            return Reference(kind="cross_reference", text=item.source_text, resolved=False, reason=found.reason)
        how = found.how if found.is_exact else f"{found.how}, the smallest section around it"
        return Reference(
            kind="cross_reference",
            text=item.source_text,
            resolved=True,
            reason=how,
            target=self._target(found.document_id, found.section_id, found.chunk_ids, found.extraction_ids),
        )

    def _target(
        self, document_id: str, section_id: str, chunk_ids: tuple[str, ...], extraction_ids: tuple[str, ...]
    ) -> Source:
        """The statements there; else the chunk; else the document by name."""
        if section_id and extraction_ids:
            items = self.view.items(Extraction, list(extraction_ids), [document_id] * len(extraction_ids))
            start = min(e.char_offset_start for e in items)
            end = max(e.char_offset_end for e in items)
            return self.sources.stretch(document_id, "target", section_id, items[0].heading, start, end)
        if chunk_ids:
            return self.sources.chunk(self.view.items(Chunk, [chunk_ids[0]], [document_id])[0], deep=False)
        return self.sources.document(document_id)
