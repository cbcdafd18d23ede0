"""Tier 2 of a draft, read chunk by chunk as far as somebody asks for its words."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from coditect.documents.profile.citations import OutwardReference
from coditect.schemas import Chunk
from coditect.store.view import View
from coditect.tiers.findings.missing import FEWEST_HOUSE
from coditect.tiers.findings.said.printed import PrintedWords
from coditect.tiers.findings.said.statements import Statement, statements_of
from coditect.tiers.findings.standing import Standings
from coditect.tiers.findings.telling import MeasuredPlace, NamedPlace, Telling, wanted_of
from coditect.tiers.sections.composition import MemberSentence
from coditect.tiers.sections.topics import Topic
from coditect.tiers.shares.codes import code_of
from coditect.tiers.shares.joined.columns import JoinedShares
from coditect.tiers.shares.kept import KeptShare
from coditect.tiers.shares.speakers import Speaker

__all__ = ["KeptMember", "KeptStatements", "Tier2"]


class Tier2:
    """The chunks of a draft by the number of their document and their own.

    Args:
        view: the draft.
        shares: of all documents, in the order of the documents.
    """

    def __init__(self, view: View, shares: Sequence[KeptShare]) -> None:
        self.view = view
        self.shares = shares
        self._chunks: dict[tuple[int, int], Chunk] = {}
        self._numbers = {share.document_id: number for number, share in enumerate(shares)}

    def chunk(self, document: int, number: int) -> Chunk:
        """A chunk of a document.

        Raises:
            Corrupt: it is missing or changed.
        """
        self.read([(document, number)])
        return self._chunks[document, number]

    def read(self, places: Iterable[tuple[int, int]]) -> None:
        """Read some chunks together, as far as they were not read yet.

        Args:
            places: (number of a document, number of a chunk) of each.
        """
        wanted = [each for each in dict.fromkeys(places) if each not in self._chunks]
        ids = [self.shares[document].chunks[number] for document, number in wanted]
        documents = [self.shares[document].document_id for document, _ in wanted]
        self._chunks.update(zip(wanted, self.view.items(Chunk, ids, documents) if wanted else (), strict=True))

    def find(self, document_id: str, chunk_id: str) -> Chunk | None:
        """A chunk of a document by its id; None where the document has none of it."""
        document = self._numbers.get(document_id)
        if document is None or chunk_id not in self.shares[document].chunks:
            return None
        return self.chunk(document, self.shares[document].chunks.index(chunk_id))

    def chunks(self, document: int) -> list[Chunk]:
        """All chunks of a document, in order."""
        places = [(document, number) for number in range(len(self.shares[document].chunks))]
        self.read(places)
        return [self._chunks[each] for each in places]

    def statements(self, places: Sequence[tuple[int, int]]) -> list[Statement]:
        """Statements by the number of their document and their own number there, read together."""
        of = [int(self.shares[document].array("sentence_chunks", "<u4")[number]) for document, number in places]
        self.read((document, chunk) for (document, _), chunk in zip(places, of, strict=True))
        found = []
        for (document, number), own in zip(places, of, strict=True):
            chunk = self._chunks[document, own]
            first = int(np.searchsorted(self.shares[document].array("sentence_chunks", "<u4"), own))
            found.append(Statement(chunk, chunk.selected_sentences[number - first]))
        return found


class KeptStatements:
    """The statements of a draft, as the rules of gaps read them: those that tell something, and others if one asks for them.

    Args:
        tier2: where they are read from.
        standings: what the documents are.
    """

    def __init__(self, tier2: Tier2, standings: Standings) -> None:
        self._tier2, self._standings = tier2, standings
        self._numbers = {share.document_id: number for number, share in enumerate(tier2.shares)}

    @cached_property
    def telling(self) -> Sequence[Statement]:
        """Those that tell some rule something, in order."""
        shares, standings = JoinedShares(self._tier2.shares), self._standings
        told, owners = shares.array("tells"), shares.owners("tells")
        is_dated = bool((told & Telling.LAST).any())
        is_house = sum(standings.is_normative(each) for each in self._numbers) >= FEWEST_HOUSE
        wanted = [wanted_of(each, standings, is_house=is_house, is_dated=is_dated) for each in self._numbers]
        own = np.flatnonzero(told & np.array(wanted, dtype=np.uint16)[owners])
        firsts = np.searchsorted(owners, owners[own])
        places = list(zip(owners[own].tolist(), (own - firsts).tolist(), strict=True))
        return sorted(self._tier2.statements(places), key=lambda statement: statement.order)

    @cached_property
    def every(self) -> Sequence[Statement]:
        """All of them, in order."""
        own = (statement for each in self._numbers for statement in self.of_document(each))
        return sorted(own, key=lambda statement: statement.order)

    @property
    def named(self) -> Iterable[NamedPlace]:
        """The documents that statements speak of, by document and place."""
        for share in self._tier2.shares:
            for start, name in share.container.value("named"):
                yield NamedPlace(share.document_id, start, name)

    @cached_property
    def defined(self) -> Collection[str]:
        """The terms that sentences with definitions print in quotation marks."""
        return {key for share in self._tier2.shares for key in share.container.value("defined")}

    @cached_property
    def self_names(self) -> Sequence[frozenset[str]]:
        """The stems of what documents call themselves."""
        return sorted(
            {frozenset(e) for share in self._tier2.shares for e in share.container.value("itself")}, key=sorted
        )

    @property
    def measures(self) -> Iterable[MeasuredPlace]:
        """The measures of all statements, by document and place."""
        for share in self._tier2.shares:
            for _, kind, head, verb in share.measures:
                yield MeasuredPlace(share.document_id, kind, head, verb)

    @cached_property
    def _measured(self) -> dict[tuple[str, ...], list[tuple[int, int]]]:
        """(number of a document, of a statement there) of all that fix something, by kind and head."""
        found: dict[tuple[str, ...], list[tuple[int, int]]] = {}
        for number, share in enumerate(self._tier2.shares):
            for own, kind, head, _ in share.measures:
                found.setdefault((kind, head), []).append((number, own))
        return found

    def shown(self, reference: OutwardReference) -> tuple[str, int] | None:
        """The place of the last statement that holds a reference; None where none does."""
        start = self._tier2.shares[self._numbers[reference.document_id]].shown.get(reference.extraction_id)
        return None if start is None else (reference.document_id, start)

    def fixing(self, kind: str, documents: Iterable[str]) -> Sequence[Statement]:
        """The statements of some documents that fix a measure of a kind, by document and place."""
        places: list[tuple[int, int]] = []
        for document_id in documents:
            number = self._numbers[document_id]
            own = {row[0] for row in self._tier2.shares[number].measures if row[1] == kind}
            places += [(number, each) for each in sorted(own)]
        return self._tier2.statements(places)

    def of_document(self, document_id: str) -> Sequence[Statement]:
        """All statements of a document, in order."""
        number = self._numbers.get(document_id)
        return [] if number is None else statements_of(self._tier2.chunks(number))

    @property
    def documents(self) -> Collection[str]:
        """All documents, in their order."""
        return self._numbers

    def printed(self, document_id: str) -> PrintedWords:
        """What a document prints, without its statements."""
        return self._tier2.shares[self._numbers[document_id]].printed

    def numbers(self, document_id: str) -> frozenset[str]:
        """The numbers of the sections of a document."""
        number = self._numbers.get(document_id)
        return frozenset() if number is None else frozenset(self._tier2.shares[number].container.value("numbers"))

    def speakers(self, register: Topic) -> list[Speaker]:
        """The chunks that hold a sentence which a register admits (:meth:`Topic.admits`), in their order.

        Args:
            register: of any kind but "topic".
        """
        found: dict[tuple[int, int], None] = {}
        if register.kind == "measure":
            for number, statement in self._measured.get(register.measure, ()):
                found[number, int(self._tier2.shares[number].array("sentence_chunks", "<u4")[statement])] = None
        for document_id, start in register.disputed:
            number = self._numbers[document_id]
            share = self._tier2.shares[number]
            own = np.flatnonzero(share.array("sentence_starts", "<u4") == start).tolist()
            found |= dict.fromkeys((number, int(share.array("sentence_chunks", "<u4")[each])) for each in own)
        return [Speaker(number, chunk, 1.0) for number, chunk in sorted(found)]


@dataclass(frozen=True, slots=True)
class KeptMember:
    """A chunk that speaks to a topic, as its document's share tells of it; words are their codes.

    Attributes:
        tier2: where it is read from.
        speaker: which chunk it is.
    """

    tier2: Tier2
    speaker: Speaker

    @property
    def _share(self) -> KeptShare:
        return self.tier2.shares[self.speaker.document]

    @property
    def chunk(self) -> Chunk:
        """The chunk, an item of Tier 2."""
        return self.tier2.chunk(self.speaker.document, self.speaker.chunk)

    @property
    def chunk_id(self) -> str:
        """Its id."""
        return self._share.chunks[self.speaker.chunk]

    @property
    def document_id(self) -> str:
        """The document that it stands in."""
        return self._share.document_id

    @property
    def char_start(self) -> int:
        """Where it begins."""
        return int(self._share.array("chunk_starts", "<u4")[self.speaker.chunk])

    @property
    def relevance(self) -> float:
        """How much it speaks to the topic, 0..1."""
        return self.speaker.relevance

    @property
    def is_headed_once(self) -> bool:
        """Whether at most one heading stands in it."""
        return int(self._share.array("chunk_headings", "|u1")[self.speaker.chunk]) < 2

    @property
    def headed(self) -> frozenset[Hashable]:
        """The codes of the words of its headings."""
        return frozenset(self._share.codes_in("headed", "headed_ends", self.speaker.chunk))

    def named(self, stems: Iterable[str]) -> frozenset[Hashable]:
        """The codes of some stems."""
        return frozenset(map(code_of, stems))

    def told(self, topic: Topic) -> list[MemberSentence]:
        """Its sentences."""
        share = self._share
        of = share.array("sentence_chunks", "<u4")
        first, last = np.searchsorted(of, [self.speaker.chunk, self.speaker.chunk + 1]).tolist()
        starts = share.array("sentence_starts", "<u4")[first:last].tolist()
        scores = share.array("sentence_scores", "<f8")[first:last].tolist()
        groups = share.array("sentence_groups", "|u1")[first:last].tolist()
        return [
            MemberSentence(
                number,
                start,
                score,
                group & 15,
                group >= 16,
                frozenset(share.codes_in("stems", "stem_ends", first + number)),
            )
            for number, (start, score, group) in enumerate(zip(starts, scores, groups, strict=True))
            if self._is_admitted(topic, first + number, start)
        ]

    def _is_admitted(self, topic: Topic, number: int, start: int) -> bool:
        """Whether a topic admits a sentence of the document (:meth:`Topic.admits`)."""
        match topic.kind:
            case "topic":
                return True
            case "measure":
                return any(row[0] == number and row[1:3] == topic.measure for row in self._share.measures)
        return (self.document_id, start) in topic.disputed
