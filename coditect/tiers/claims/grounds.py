"""Grounds: what the claims of a generation are rendered from, read once and only as far as a claim asks for it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

from coditect.schemas import Chunk, Citation, DocumentVersion, Extraction, SectionPart, SelectedSentence
from coditect.tiers.claims.versions import TODAY
from coditect.tiers.findings.absent import AbsentDocument
from coditect.tiers.findings.conflicts.entries import entries_of, weights
from coditect.tiers.findings.counts import FigureSource, absents, section_numbers_of, standings_of
from coditect.tiers.findings.missing import find_missing
from coditect.tiers.findings.naming import KnownNames, known_names
from coditect.tiers.findings.open_points import Gap, newest_event
from coditect.tiers.findings.said.statements import Statement, statements_of
from coditect.tiers.findings.standing import Standings
from coditect.tiers.findings.tables import cells
from coditect.tiers.findings.telling import AllStatements

__all__ = ["CitedStatement", "Grounds", "KnownOfAll"]


@dataclass(frozen=True, slots=True)
class CitedStatement:
    """A quote that a claim cites, as the statement that it is.

    Attributes:
        document: the record of its document.
        statement: the Tier 2 sentence, with what was read from it.
        extractions: the Tier 1 items inside it.
    """

    document: DocumentVersion
    statement: Statement
    extractions: tuple[Extraction, ...]

    @property
    def name(self) -> str:
        """The name of its document."""
        return self.document.name

    @property
    def text(self) -> str:
        """Its words, verbatim."""
        return self.statement.sentence.text

    @property
    def place(self) -> tuple[str, int]:
        """(document id, first code point)."""
        return self.statement.place


class KnownOfAll(Protocol):
    """What all documents of a generation tell together, made by whoever builds it, which :class:`Grounds` makes alone otherwise."""

    @property
    def standings(self) -> Standings:
        """See :attr:`Grounds.standings`."""
        ...

    @property
    def weights(self) -> Mapping[str, float]:
        """See :attr:`Grounds.weights`."""
        ...

    def chunk(self, document_id: str, chunk_id: str) -> Chunk | None:
        """A chunk by its id; None where the document has none of it."""
        ...

    def of_document(self, document_id: str) -> Sequence[Statement]:
        """See :meth:`Grounds.statements`."""
        ...

    def numbers(self, document_id: str) -> frozenset[str]:
        """See :meth:`Grounds.numbers`."""
        ...

    @property
    def absent(self) -> Mapping[str, AbsentDocument]:
        """See :attr:`Grounds.absent`."""
        ...

    @property
    def missing(self) -> dict[str, list[Gap]]:
        """See :attr:`Grounds.missing`."""
        ...

    @property
    def newest(self) -> tuple[str, tuple[str, int]] | None:
        """See :attr:`Grounds.newest`."""
        ...

    @property
    def self_names(self) -> Sequence[frozenset[str]]:
        """See :attr:`Grounds.self_names`."""
        ...


class Grounds:
    """What one generation of a corpus offers to its claims: quotes as statements, and what only all documents together tell.

    Args:
        source: the generation through its indexes.
        extractions: Tier 1 by id, at least the items behind the quotes of its sections.
        known: what was made of all documents already; None: nothing was.
        wording: by which its claims are told (:mod:`coditect.tiers.claims.versions`).
    """

    def __init__(
        self,
        source: FigureSource,
        extractions: Mapping[str, Extraction],
        known: KnownOfAll | None = None,
        wording: int = TODAY,
    ) -> None:
        self._known = known
        self.wording = wording
        self.source = source
        self.extractions = extractions
        self._statements: dict[str, Sequence[Statement]] = {}
        self._numbers: dict[str, frozenset[str]] = {}
        self._cited: dict[tuple[object, ...], CitedStatement | None] = {}

    @cached_property
    def standings(self) -> Standings:
        """Whom the documents bind, and what day it is."""
        return standings_of(self.source) if self._known is None else self._known.standings

    @cached_property
    def absent(self) -> Mapping[str, AbsentDocument]:
        """The documents that are referred to and not there, by name."""
        return absents(self.source) if self._known is None else self._known.absent

    @cached_property
    def names(self) -> KnownNames:
        """What the documents are called."""
        return known_names(self.source.documents.values())

    @cached_property
    def names_of_themselves(self) -> KnownNames:
        """What documents call themselves."""
        return KnownNames(self.self_names)

    def cited(self, part: SectionPart) -> CitedStatement | None:
        """A quote of a section as a statement; None where Tier 2 has no such sentence, or its text or Tier 1 differs from it.

        Looked up once: a claim is composed of a quote, weighed by it, and made again for the checker.
        """
        citation = part.citation
        if citation is None:
            return None
        quoted = citation.document_id, citation.document_name, citation.chunk_id, citation.char_start
        key = (*quoted, part.content, citation.extraction_ids)
        if key not in self._cited:
            self._cited[key] = self._looked_up(citation, part.content)
        return self._cited[key]

    def _looked_up(self, citation: Citation, content: str) -> CitedStatement | None:
        document = self.source.documents.get(citation.document_id)
        if document is None or document.name != citation.document_name:
            return None
        place = citation.char_start, content, citation.extraction_ids
        chunk = self._chunk(citation.document_id, citation.chunk_id)
        for sentence in () if chunk is None else chunk.selected_sentences:
            if chunk is not None and place == (sentence.char_start, sentence.text, sentence.extraction_ids):
                own = tuple(self.extractions[each] for each in sentence.extraction_ids if each in self.extractions)
                statement = Statement(chunk, sentence)
                return CitedStatement(document, statement, own) if _agree(sentence, own) else None
        return None

    def _chunk(self, document_id: str, chunk_id: str) -> Chunk | None:
        """A chunk by its id; None where the document has none of it."""
        if self._known is not None:
            return self._known.chunk(document_id, chunk_id)
        chunks = (each.chunk for each in self.statements(document_id))
        return next((each for each in chunks if each.chunk_id == chunk_id), None)

    def statements(self, document_id: str) -> Sequence[Statement]:
        """Every Tier 2 statement of a document, in document order."""
        if document_id not in self._statements:
            self._statements[document_id] = (
                statements_of(self.source.view.chunks(document_id))
                if self._known is None
                else self._known.of_document(document_id)
            )
        return self._statements[document_id]

    def numbers(self, document_id: str) -> frozenset[str]:
        """The numbers of the sections of a document, read from Tier 2 once."""
        if document_id not in self._numbers:
            self._numbers[document_id] = (
                section_numbers_of(self.source, document_id)
                if self._known is None
                else self._known.numbers(document_id)
            )
        return self._numbers[document_id]

    @cached_property
    def weights(self) -> Mapping[str, float]:
        """How much a shared word says among all statements of the corpus that fix or ask for something."""
        if self._known is not None:
            return self._known.weights
        return weights(entries_of(self._all_statements()))

    @cached_property
    def newest(self) -> tuple[str, tuple[str, int]] | None:
        """(ISO date, place) of the newest thing that the corpus reports done; None where it reports none."""
        return newest_event(self._all_statements()) if self._known is None else self._known.newest

    @cached_property
    def missing(self) -> dict[str, list[Gap]]:
        """What is cited, used or required and not there, by kind."""
        if self._known is not None:
            return self._known.missing
        return find_missing(self._all_statements(), self.source.documents, self.standings)

    @cached_property
    def self_names(self) -> Sequence[frozenset[str]]:
        """The stems of what documents call themselves."""
        return AllStatements(self._all_statements()).self_names if self._known is None else self._known.self_names

    def _all_statements(self) -> list[Statement]:
        return [statement for document_id in self.source.documents for statement in self.statements(document_id)]


def _agree(sentence: SelectedSentence, extractions: Sequence[Extraction]) -> bool:
    """Whether what Tier 2 says of a sentence is printed in it, and what Tier 1 fixes and asks for there."""
    line = " ".join(sentence.text.split())
    labels = [place.partition("|")[0] for place in sentence.places]
    printed = [sentence.open_point, *sentence.documents, *labels, *(measure.text for measure in sentence.measures)]
    fixed = {
        (each.kind, each.head, each.verb, float(each.value), each.text)
        for extraction in extractions
        for each in extraction.measures
    }
    kinds = {extraction.extraction_kind for extraction in extractions}
    return (
        all(each in line for each in printed)
        and cells(sentence.text).keys().isdisjoint(sentence.empty)
        and len(extractions) == len(sentence.extraction_ids)
        and kinds == set(sentence.kinds)
        and all(duty.kind in kinds for duty in sentence.duties)
        and all((m.kind, m.head, m.verb, m.value, m.text) in fixed for m in sentence.measures)
    )
