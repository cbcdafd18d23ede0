"""The seam between a question and whatever finds items by text and meaning."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, Protocol

from coditect.models.port import FusionParameters, ModelCard
from coditect.retrieve.spoken import Spoken
from coditect.schemas import Fusion, Granularity, Relevance, SearchMode
from coditect.store.view import View

if TYPE_CHECKING:
    from coditect.retrieve.prepared import Prepared

__all__ = [
    "Answer",
    "Background",
    "Filter",
    "Folders",
    "Found",
    "Match",
    "Part",
    "Request",
    "Searcher",
    "unit_number",
]


def unit_number(item_id: str) -> int:
    """The number that an item has in search indexes: 60 bits of the hash in its id."""
    return int(item_id[-15:], 16)


@dataclass(frozen=True, slots=True)
class Match:
    """An item that one part of a search found.

    Attributes:
        item_id: the item.
        document_id: its document for tiers 1 and 2 and passages, else "".
        score: higher is better; comparable within one search.
        way: how it was looked up, "index" or "scan", where there are two ways to the same answer.
    """

    item_id: str
    document_id: str
    score: float
    way: str = ""


@dataclass(frozen=True, slots=True)
class Filter:
    """What may answer. None: no restriction; an empty set: nothing.

    Attributes:
        documents: document ids.
        kinds: of statements.
        modalities: of statements.
        entities: normalised names.
        chunks: ids of the chunks that hold it.
        items: ids of items.
        listed: statements that stand for their passage only.
    """

    documents: frozenset[str] | None = None
    kinds: frozenset[str] | None = None
    modalities: frozenset[str] | None = None
    entities: frozenset[str] | None = None
    chunks: frozenset[str] | None = None
    items: frozenset[str] | None = None
    listed: bool = False

    def fields(self) -> Iterator[tuple[str, frozenset[str] | None]]:
        """Each index field with the values that it may have; None: any."""
        yield "document", self.documents
        yield "kind", self.kinds
        yield "modality", self.modalities
        yield "entity", self.entities
        yield "chunk", self.chunks
        yield "item_id", self.items
        yield "listed", frozenset(("yes",)) if self.listed else None


@dataclass(frozen=True, slots=True)
class Request:
    """A question as it is put to a searcher.

    Attributes:
        query: words, and phrases in quotation marks.
        granularity: which units answer.
        limit: how many, at least 1.
        mode: which parts take part; "exact" is not a searcher's.
        fusion: how lexical and dense are joined.
        only: what may answer; None: everything.
        rerank: let the reranker order the best.
        fitted: the fusion that was fitted for this corpus, by the embedder that it was fitted with; of others the card's is used.
    """

    query: str
    granularity: Granularity
    limit: int
    mode: SearchMode = "hybrid"
    fusion: Fusion = "score"
    only: Filter | None = None
    rerank: bool = False
    fitted: Mapping[str, FusionParameters] = field(default_factory=dict)

    def fusion_for(self, card: ModelCard) -> FusionParameters:
        """The fusion that was fitted for this corpus, or that of the embedder's card."""
        return self.fitted.get(card.model_id, card.fusion)


class Part(NamedTuple):
    """What one part of a search said of a unit; see :class:`coditect.schemas.PartScore`.

    A question makes two hundred of them, each in a quarter of the time that a frozen dataclass takes.
    """

    name: str
    rank: int | None
    score: float
    weight: float
    contribution: float


@dataclass(frozen=True, slots=True)
class Found:
    """A unit that a searcher found.

    Attributes:
        item_id: the item.
        document_id: its document, or "".
        score: higher is better; comparable within one answer.
        parts: what each part of the search contributed.
        probability: calibrated, that it is relevant; None where no gate was fitted.
        relevance: what the gate makes of that.
    """

    item_id: str
    document_id: str
    score: float
    parts: tuple[Part, ...] = ()
    probability: float | None = None
    relevance: Relevance | None = None


@dataclass(frozen=True, slots=True)
class Background:
    """What a question says by itself, whatever answers it; the relevance gate compares hits with it.

    Attributes:
        units: that were searched, before any filter.
        rarity: by stem of the question, how many nats of information it carries among them, >= 0; 0 for those that only ask.
        nearest: the cosine that one in 8192 of them reaches, or the nearest of fewer, filters aside; None without an embedder.
        ordinary: mean cosine of the question and the everyday words nearest to it; None without an embedder.
        spoken: for each way of speaking whose terms were looked for, too, the stems of its words, and by stem of its terms how many
            nats of information it carries, >= 0.
        common: mean cosine of the question and all of them; None without an embedder.
        around: mean cosine of the question and the nearest of them, one in 200, filters aside; None without an embedder.
    """

    units: int
    rarity: Mapping[str, float]
    nearest: float | None = None
    ordinary: float | None = None
    spoken: tuple[tuple[frozenset[str], Mapping[str, float]], ...] = ()
    common: float | None = None
    around: float | None = None


@dataclass(frozen=True, slots=True)
class Answer:
    """What a searcher found, best first; equal scores in the order of their ids.

    Attributes:
        found: the units.
        embedder: model id of the vectors that took part; "" for none.
        naming: stems of words that only say which document is meant.
        mode: the parts that took part: lexical where a hybrid search was asked for and there is no embedder.
        background: of the question, for the relevance gate; None where the searcher does not know it.
        read_as: the question as it was looked for, where words of it were spelled as the corpus spells them; "" for as it was put.
        spoken: what the question says in everyday words, with the terms that were looked for, too.
        named: units that print a number of a provision which the question names.
    """

    found: tuple[Found, ...] = field(default=())
    embedder: str = ""
    mode: SearchMode = "hybrid"
    naming: frozenset[str] = frozenset()
    background: Background | None = None
    read_as: str = ""
    named: tuple[Match, ...] = ()
    spoken: tuple[Spoken, ...] = ()


class Searcher(Protocol):
    """Finds units of one generation by what they say."""

    def search(self, view: View, request: Request) -> Answer:
        """Find the units that answer best.

        Args:
            view: the generation; the searcher catches up to it first.
            request: the question.
        Raises:
            UsageError: dense search is asked for, and no embedder is configured.
            Unavailable: the replica can be neither made nor read.
        """
        ...

    def rerank(self, query: str, found: Sequence[Found], texts: Sequence[str]) -> tuple[Found, ...]:
        """The first units of an answer, whose texts are given, in the reranker's order; then the others.

        Raises:
            UsageError: no reranker is configured.
        """
        ...

    def forget(self, corpus_id: str) -> Sequence[str]:
        """Remove every replica of a corpus; what is asked for next is made again from the store.

        Returns:
            Those that could not be removed, because another process has them open.
        """
        ...

    def preparing(self, corpus_id: str) -> AbstractContextManager[Prepared | None]:
        """What is to be made of each document where it is derived, and takes it until the end; None: nothing is.

        Args:
            corpus_id: whose documents they are.
        """
        ...

    def refresh(
        self, view: View, progress: Callable[[str, int, int], None] | None = None, prepared: Prepared | None = None
    ) -> None:
        """Catch up to a generation now, vectors included, so that the first question does not wait.

        Args:
            view: the generation.
            progress: told as documents are read.
            prepared: what was made of documents where they were derived, as :meth:`preparing` gave it.
        """
        ...

    def is_ready(self, view: View) -> bool:
        """Whether a question of a generation finds all that it asks, so that it makes nothing first. Cheap: it opens nothing."""
        ...


class Folders(Protocol):
    """Folders of files beside the store that follow its generations and go with their corpus, and with what is erased from it."""

    def newest(self, corpus_id: str, kind: str) -> AbstractContextManager[Path | None]:
        """The folder of the newest generation that has one, whole, which nobody removes meanwhile; None where there is none.

        Args:
            corpus_id: the corpus.
            kind: what is in it, with its version; part of the folder's name.
        """
        ...

    def put(self, view: View, kind: str, make: Callable[[Path], None]) -> None:
        """Make the folder of a generation, unless it is there.

        Args:
            view: the generation.
            kind: as for :meth:`newest`.
            make: fills a new folder.
        Raises:
            Unavailable: it cannot be made.
        """
        ...
