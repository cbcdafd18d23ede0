"""What search indexes know of each item: its words, where they stand, and what it can be filtered by."""

from __future__ import annotations

import re
from array import array
from bisect import bisect_left, bisect_right
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import PurePosixPath
from typing import Literal, Protocol

from coditect.language.matched import as_matched
from coditect.language.tables import read_table
from coditect.schemas import Chunk, Claim, DocumentVersion, Extraction, Granularity, NormData, Passage, Section
from coditect.schemas.tier1.data import SPAN_KINDS
from coditect.store.view import View

__all__ = [
    "DOCUMENT_GRANULARITIES",
    "UNITS",
    "DocumentParts",
    "DocumentUnits",
    "IndexName",
    "Unit",
    "asked_as",
    "document_units",
    "head_of",
    "indexed_as",
    "modality_of",
    "name_of",
    "upper_units",
]

UNITS = "units/1"
"""Version of what is indexed and embedded of an item."""

IndexName = Literal["corpus", "section", "chunk", "extraction", "passage", "document"]

DOCUMENT_GRANULARITIES: tuple[IndexName, ...] = ("extraction", "chunk", "passage")
"""Granularities whose units belong to one document; propositions are extractions."""

HEAD_CHARACTERS = 1_000
"""How far into a document its name may be looked for, beside title and file name."""


def indexed_as(granularity: Granularity) -> IndexName:
    """The index that serves a granularity: propositions are extractions."""
    return "extraction" if granularity == "proposition" else granularity


@dataclass(frozen=True, slots=True)
class Said:
    """What a unit says that questions can be filtered by.

    Attributes:
        kinds: of the statements that it is or holds.
        modalities: of those statements.
        entities: that they mention, by normalised name.
    """

    kinds: tuple[str, ...] = ()
    modalities: tuple[str, ...] = ()
    entities: tuple[str, ...] = ()


NOTHING_SAID = Said()


@dataclass(frozen=True, slots=True)
class Unit:
    """An item as search indexes see it.

    Attributes:
        item_id: the item.
        document_id: its document, or "".
        text: its own words.
        heading: of where it stands, with those above.
        context: words that situate it, or complete it; synthetic.
        situated: a model wrote the context, to be embedded with it.
        title: of the document.
        said: what it says, for filters.
        chunks: the chunks that hold it.
        listed: it stands for its passage (propositions).
        derivation_id: what it is an output of.
        cited_documents: for tiers 3 and 4, the documents that they quote.
    """

    item_id: str
    document_id: str
    text: str
    heading: str = ""
    context: str = ""
    situated: bool = False
    title: str = ""
    said: Said = NOTHING_SAID
    chunks: tuple[str, ...] = ()
    listed: bool = False
    derivation_id: str = ""
    cited_documents: tuple[str, ...] = ()

    @property
    def documents(self) -> tuple[str, ...]:
        """The documents that a filter on documents finds it by."""
        return (self.document_id,) if self.document_id else self.cited_documents

    @property
    def embedded(self) -> str:
        """The text that its vector is made from."""
        above = self.context if self.situated else self.heading
        return as_matched(f"{above}\n{self.text}" if above else self.text)


class DocumentParts(Protocol):
    """Gives the records of documents: a generation, or whoever has them in memory."""

    def document(self, document_id: str) -> DocumentVersion:
        """The version of a document."""
        ...

    def text_of(self, version: DocumentVersion) -> str:
        """Its canonical text."""
        ...

    def chunks(self, document_id: str) -> Sequence[Chunk]:
        """Its chunks, in document order."""
        ...

    def passages(self, document_id: str) -> Sequence[Passage]:
        """Its passages, each level in document order."""
        ...

    def each_extraction(self, document_id: str) -> Iterator[Extraction]:
        """Its extractions, in document order."""
        ...


class DocumentUnits:
    """The units of one document. What a granularity does not need is not read.

    Args:
        view: the generation, or the records of the document.
        document_id: the document.
        level: the passages that are searched; 0 is the smallest.
    """

    def __init__(self, view: DocumentParts, document_id: str, level: int) -> None:
        self.version: DocumentVersion = view.document(document_id)
        self.title = self.version.title or self.version.name
        self._view = view
        self._level = level
        self._told: tuple[Sequence[int], Sequence[Said]] | None = None
        self._kept: dict[IndexName, Sequence[Unit]] = {}

    @cached_property
    def text(self) -> str:
        """The document's canonical text, which all offsets refer to."""
        return self._view.text_of(self.version)

    @cached_property
    def chunks(self) -> Sequence[Chunk]:
        """The document's chunks (tier 2), in document order; several may begin at one place."""
        return self._view.chunks(self.version.document_id)

    @cached_property
    def passages(self) -> Sequence[Passage]:
        """The passages that are searched, in document order."""
        return [p for p in self._view.passages(self.version.document_id) if p.level == self._level]

    @cached_property
    def listed(self) -> frozenset[str]:
        """The statements that stand for their passage."""
        return frozenset(each for p in self.passages for each in p.proposition_ids)

    def _extractions(self) -> Iterator[Extraction]:
        """The document's extractions (tier 1), in document order; of those that were read it keeps what they say, and no more."""
        starts, said = array("q"), []
        known: dict[Said, Said] = {}
        for item in self._view.each_extraction(self.version.document_id):
            own = _said(item)
            starts.append(item.char_offset_start)
            said.append(known.setdefault(own, own))
            yield item
        self._told = starts, said

    @cached_property
    def _chunk_starts(self) -> list[int]:
        return [c.char_offset_start for c in self.chunks]

    def of(self, granularity: IndexName, *, to_embed: bool = False) -> Iterator[Unit]:
        """Its units at a granularity, in document order.

        Args:
            granularity: which.
            to_embed: leave out what no vector is made from: what units can be filtered by; not of those that are kept.
        """
        if granularity in self._kept:
            yield from self._kept[granularity]
            return
        match granularity:
            case "extraction":
                every = self._view.each_extraction(self.version.document_id) if to_embed else self._extractions()
                # Spans of a few words are found by exact look-up and through their sentence, and noise in a ranking.
                kept = (e for e in every if e.extraction_kind not in SPAN_KINDS)
                yield from (self._extraction(e, to_embed) for e in kept)
            case "chunk":
                yield from (self._chunk(chunk, to_embed) for chunk in self.chunks)
            case "passage":
                yield from (self._passage(passage, to_embed) for passage in self.passages)
            case "document":
                head = head_of(self.version, self.text)
                own = self.version.document_id
                yield Unit(own, own, self.text, heading=head, title=name_of(self.version))

    def keep(self, granularity: IndexName) -> Sequence[Unit]:
        """Its units at a granularity, in document order, held for whoever asks for them again."""
        if granularity not in self._kept:
            self._kept[granularity] = list(self.of(granularity))
        return self._kept[granularity]

    def _extraction(self, item: Extraction, to_embed: bool) -> Unit:
        standalone = item.standalone
        return Unit(
            item.extraction_id,
            item.document_id,
            item.source_text,
            heading=item.heading,
            context="" if standalone is None else standalone.text,
            title=self.title,
            said=NOTHING_SAID if to_embed else _said(item),
            chunks=() if to_embed else self._chunks_at(item.char_offset_start, item.char_offset_end),
            listed=not to_embed and item.extraction_id in self.listed,
            derivation_id=item.derivation_id,
        )

    def _chunk(self, chunk: Chunk, to_embed: bool) -> Unit:
        start, end = chunk.char_offset_start, chunk.char_offset_end
        return Unit(
            chunk.chunk_id,
            chunk.document_id,
            self.text[start:end],
            heading=" ".join((*chunk.parent_chain, chunk.heading, *chunk.headings)),
            title=self.title,
            said=NOTHING_SAID if to_embed else self._said_between(start, end),
            chunks=(chunk.chunk_id,),
            derivation_id=chunk.derivation_id,
        )

    def _passage(self, passage: Passage, to_embed: bool) -> Unit:
        start, end = passage.char_offset_start, passage.char_offset_end
        return Unit(
            passage.passage_id,
            passage.document_id,
            self.text[start:end],
            heading=" ".join((*passage.parent_chain, passage.heading)),
            # What no model wrote repeats the headings, which have a field of their own.
            context=passage.context if passage.context_by is not None else "",
            situated=passage.context_by is not None,
            title=self.title,
            said=NOTHING_SAID if to_embed else self._said_between(start, end),
            chunks=() if to_embed else self._chunks_at(start, end),
            derivation_id=passage.derivation_id,
        )

    def _said_between(self, start: int, end: int) -> Said:
        """What the extractions say that begin in a stretch of the text."""
        if self._told is None:
            deque(self._extractions(), maxlen=0)
        starts, said = self._told or ((), ())
        first, after = (bisect_left(starts, at) for at in (start, end))
        return _together(said[first:after])

    def _chunks_at(self, start: int, end: int) -> tuple[str, ...]:
        starts = self._chunk_starts
        last = bisect_right(starts, start) - 1
        first = bisect_left(starts, starts[last]) if last >= 0 else 0  # several may begin at one place
        found = []
        for chunk in self.chunks[first:]:
            if chunk.char_offset_start >= end:
                break
            if chunk.char_offset_end > start:
                found.append(chunk.chunk_id)
        return tuple(found)


_JOINED = re.compile(r"(?<=[a-z])(?=[A-Z])|[_\W]+")


def head_of(version: DocumentVersion, text: str) -> str:
    """What names a document: its title, its file's name taken apart, and how it begins."""
    return "\n".join((version.title, " ".join(_JOINED.split(version.name)), version.name, text[:HEAD_CHARACTERS]))


def name_of(version: DocumentVersion) -> str:
    """The words of a document's title, or of its file's name without folders and ending, taken apart."""
    return " ".join(_JOINED.split(version.title or PurePosixPath(version.name).stem)).strip()


def document_units(view: View, document_ids: Iterable[str], level: int) -> Iterator[DocumentUnits]:
    """The units of documents, one document at a time, in the order of their ids."""
    for document_id in sorted(document_ids):
        yield DocumentUnits(view, document_id, level)


def upper_units(view: View, granularity: IndexName, *, to_embed: bool = False) -> Iterator[Unit]:
    """Sections, or published claims, in the order of the report.

    Args:
        view: the generation.
        granularity: "section" or "corpus".
        to_embed: leave out what no vector is made from: what units can be filtered by.
    """
    if granularity == "section":
        for section in view.sections:
            quotes = " ".join(part.content for part in section.content if part.citation is not None)
            cited = [] if to_embed else _cited(view, (section,))
            yield _upper(section.section_id, section.derivation_id, quotes, section.topic, "", cited)
    elif granularity == "corpus":
        for claim_id in view.summary.claims:
            claim = view.claims[claim_id]
            asked = asked_as(claim)
            cited = [] if to_embed else _cited(view, _sections_of(view, claim), claim)
            yield _upper(
                claim_id, claim.derivation_id, claim.text, f"{claim.topic} {asked}".strip(), claim.topic, cited
            )


def asked_as(claim: Claim) -> str:
    """Words that a claim of its kind is asked for by, beside its own."""
    return _asked_as().get(claim.claim_kind, "")


@cache
def _asked_as() -> dict[str, str]:
    return read_table("looking_up").mapping("claim_kinds")


def _upper(item_id: str, derivation_id: str, text: str, heading: str, title: str, cited: Sequence[Extraction]) -> Unit:
    return Unit(
        item_id,
        "",
        text,
        heading=heading,
        title=title,
        said=_together(map(_said, cited)),
        derivation_id=derivation_id,
        cited_documents=tuple(sorted({item.document_id for item in cited})),
    )


def _sections_of(view: View, claim: Claim) -> list[Section]:
    return [view.section_by_id[each] for each in dict.fromkeys(c.section_id for c in claim.citations)]


def _cited(view: View, sections: Sequence[Section], claim: Claim | None = None) -> list[Extraction]:
    """The extractions inside the quotes of sections, or inside those that a claim cites."""
    wanted: dict[str, str] = {}
    for section in sections:
        cited = None if claim is None else {c.part for c in claim.citations if c.section_id == section.section_id}
        for number, part in enumerate(section.content):
            if part.citation is not None and (cited is None or number in cited):
                wanted.update(dict.fromkeys(part.citation.extraction_ids, part.citation.document_id))
    return view.items(Extraction, list(wanted), list(wanted.values())) if wanted else []


def _said(item: Extraction) -> Said:
    """Kind, modality and entities of a statement, for filters."""
    modality = modality_of(item)
    names = tuple(sorted({entity.name for entity in item.entities}))
    return Said((item.extraction_kind,), (modality,) if modality else (), names)


def _together(parts: Iterable[Said]) -> Said:
    """What is said by at least one of some."""
    found = set(parts)
    return Said(
        tuple(sorted({kind for each in found for kind in each.kinds})),
        tuple(sorted({modality for each in found for modality in each.modalities})),
        tuple(sorted({entity for each in found for entity in each.entities})),
    )


def modality_of(item: Extraction) -> str:
    """The force of a statement: mandatory, recommended, optional or prohibited; "" for a statement of fact."""
    match item.extraction_kind:
        case "prohibition":
            return "prohibited"
        case "permission":
            return "optional"
        case "obligation":
            return item.read_as(NormData).strength or "mandatory"
    return ""
