"""Tier 2 of a draft, read chunk by chunk as far as somebody asks for its words."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from coditect.schemas import Chunk
from coditect.store.view import View
from coditect.tiers.findings.statements import Statement
from coditect.tiers.sections.composition import MemberSentence
from coditect.tiers.sections.topics import Topic
from coditect.tiers.shares.codes import code_of
from coditect.tiers.shares.kept import KeptShare
from coditect.tiers.shares.spoken import Speaker

__all__ = ["KeptMember", "Tier2"]


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

    def chunk(self, document: int, number: int) -> Chunk:
        """A chunk of a document.

        Raises:
            Corrupt: it is missing or changed.
        """
        place = document, number
        if place not in self._chunks:
            share = self.shares[document]
            self._chunks[place] = self.view.items(Chunk, [share.chunks[number]], [share.document_id])[0]
        return self._chunks[place]

    def statement(self, document: int, number: int) -> Statement:
        """A statement of a document by its number there."""
        of = self.shares[document].array("sentence_chunks", "<u4")
        chunk = self.chunk(document, int(of[number]))
        return Statement(chunk, chunk.selected_sentences[number - int(np.searchsorted(of, of[number]))])


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
        share = self._share
        own = share.lists("headed", "headed_ends").of(self.speaker.chunk)
        return frozenset(share.codes[own].tolist())

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
        stems = share.lists("stems", "stem_ends")
        return [
            MemberSentence(
                number, start, score, group & 15, group >= 16, frozenset(share.codes[stems.of(first + number)].tolist())
            )
            for number, (start, score, group) in enumerate(zip(starts, scores, groups, strict=True))
        ]
