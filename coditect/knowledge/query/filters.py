"""From what a user wants answers restricted to, to the units that may answer."""

from __future__ import annotations

from collections.abc import Iterable
from fnmatch import fnmatchcase

from coditect.errors import NotFound
from coditect.keyspace.terms import topic_key
from coditect.knowledge.query.opened import Opened
from coditect.language.entities.names import entity_name
from coditect.retrieve.port import Filter
from coditect.retrieve.units import modality_of
from coditect.schemas import Chunk, Extraction, Granularity, Item, Passage, SearchFilters, Section
from coditect.store.view import View

__all__ = ["lets_through", "matching_documents", "matching_sections", "resolve_filters"]

NAMED = 5
"""Examples of what there is, in an error."""


def resolve_filters(view: View, filters: SearchFilters, granularity: Granularity) -> Filter | None:
    """The filter that a searcher applies before it ranks; None where nothing is restricted.

    Args:
        view: the generation.
        filters: what the user wants answers restricted to.
        granularity: the kind of units that is searched.
    Raises:
        NotFound: no document, topic or entity is called that; the hint names some that there are.
    """
    restricted = any((filters.documents, filters.topics, filters.entities, filters.kinds, filters.modalities))
    if not restricted and granularity != "proposition":
        return None
    chunks = items = None
    if filters.topics:
        sections = matching_sections(view, filters.topics)
        if granularity == "section":
            items = frozenset(section.section_id for section in sections)
        elif granularity == "corpus":
            wanted = {topic_key(section.topic) for section in sections}
            items = frozenset(c.claim_id for c in view.claims.values() if topic_key(c.topic) in wanted)
        else:
            chunks = frozenset(chunk for section in sections for chunk in section.source_chunks)
    return Filter(
        documents=matching_documents(view, filters.documents) if filters.documents else None,
        kinds=frozenset(filters.kinds) or None,
        modalities=frozenset(filters.modalities) or None,
        entities=frozenset(map(entity_name, filters.entities)) or None,
        chunks=chunks,
        items=items,
        listed=granularity == "proposition",
    )


def matching_documents(view: View, wanted: Iterable[str]) -> frozenset[str]:
    """Ids of the documents that a user names: by name, id, or a pattern of names.

    Raises:
        NotFound: one of them names none; the hint names some that there are.
    """
    found: set[str] = set()
    for each in wanted:
        # A name may hold brackets: it is taken as it is before it is taken as a pattern.
        matching = {d for d, version in view.documents.items() if each in (d, version.name)} or {
            d for d, version in view.documents.items() if fnmatchcase(version.name, each)
        }
        if not matching:
            names = ", ".join(version.name for version in list(view.documents.values())[:NAMED])
            raise NotFound("no document of this name", document=each, hint=f"Documents of this corpus: {names} …")
        found |= matching
    return frozenset(found)


def matching_sections(view: View, topics: Iterable[str]) -> list[Section]:
    """Sections on topics.

    Raises:
        NotFound: there is none on one of them; the hint names some that there are.
    """
    found: list[Section] = []
    for topic in topics:
        matching = [section for section in view.sections if topic_key(section.topic) == topic_key(topic)]
        if not matching:
            names = ", ".join(section.topic for section in view.sections[:NAMED])
            raise NotFound("no section on this topic", topic=topic, hint=f"Topics of this corpus: {names} …")
        found += matching
    return found


def lets_through(opened: Opened, only: Filter, item: Item) -> bool:
    """Whether a filter lets an exact match through; asked of the records, as :func:`resolve_filters` asks the index."""
    view = opened.view
    if only.items is not None and item.item_id not in only.items:
        return False
    if not isinstance(item, Extraction | Chunk | Passage):
        # A section or claim that the question names: what it quotes is told by the index.
        return not any((only.documents, only.kinds, only.modalities, only.entities)) or only.items is not None
    if only.documents is not None and item.document_id not in only.documents:
        return False
    start, end = item.char_offset_start, item.char_offset_end
    inside = (
        [item]
        if isinstance(item, Extraction)
        else [e for e in view.extractions(item.document_id) if start <= e.char_offset_start < end]
    )
    if only.kinds is not None and not any(e.extraction_kind in only.kinds for e in inside):
        return False
    if only.modalities is not None and not any(modality_of(e) in only.modalities for e in inside):
        return False
    if only.entities is not None and not any(entity.name in only.entities for e in inside for entity in e.entities):
        return False
    if only.listed:
        leaf = opened.enclosures.tree(item.document_id).leaf_at(start)
        if leaf is None or item.item_id not in leaf.proposition_ids:
            return False
    if only.chunks is None:
        return True
    holders = (c for c in view.chunks(item.document_id) if c.char_offset_start < end and c.char_offset_end > start)
    return any(chunk.chunk_id in only.chunks for chunk in holders)
