"""The vector replica: what a generation's units mean, by the configured model, as matrices in a folder."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Self, TypeVar

from coditect.engine.folders import leased
from coditect.models.port import Embedder, IntArray, TokenVectors
from coditect.retrieve.embedding import READ, UPPER, UnitVectors
from coditect.retrieve.local.inventory import check_inventory
from coditect.retrieve.local.joined import join, link, segment_folders
from coditect.retrieve.local.meaning.coarse import CoarseVectors
from coditect.retrieve.local.meaning.dense import DENSE, DenseIndex
from coditect.retrieve.local.meaning.reading import READING, ReadIndex, ReadNearness, ReadWriter
from coditect.retrieve.local.meaning.tokens import TOKENS, Nearness, TokenIndex, TokenWriter
from coditect.retrieve.local.replica import OPEN, Replicas
from coditect.retrieve.recent import Recent
from coditect.retrieve.units import DOCUMENT_GRANULARITIES, DocumentUnits, IndexName
from coditect.store.embedded.vectors import VectorBlock
from coditect.store.view import View

if TYPE_CHECKING:
    from coditect.retrieve.prepared import Prepared

__all__ = ["Vectors"]

_SEGMENTS = "segments.json"
"""The documents whose rows were written at once, a list each segment; a document counts where it stands last."""

Progress = Callable[[str, int, int], None]

WORD_FOR_WORD = READ
"""The granularity whose units are read word for word; nobody has measured others (ADR 76)."""

Opened = TypeVar("Opened")


class Vectors:
    """The vector replicas of one tenant. Safe for threads.

    Args:
        replicas: their folders.
        embedder: the configured model.
        words: vectors of tokens, by which passages are read word for word, too; None: they are not.
        reads: they are read by the embedder's own tokens, too, where it gives them.
    """

    def __init__(
        self, replicas: Replicas, embedder: Embedder, words: TokenVectors | None = None, *, reads: bool = True
    ) -> None:
        self.replicas = replicas
        self.embedder = embedder
        self._words = words
        self._near: Recent[str, Nearness] = Recent(OPEN)
        self._read: Recent[str, ReadNearness] = Recent(OPEN)
        self._vectors = UnitVectors(replicas.store, replicas.level, embedder, reads=reads)
        self._open: Recent[tuple[str, IndexName], DenseIndex] = Recent(OPEN)

    def index(
        self, view: View, name: IndexName, progress: Progress | None = None, prepared: Prepared | None = None
    ) -> DenseIndex:
        """The vectors of a generation at a granularity; what is not there is embedded and stored first.

        Args:
            view: the generation.
            name: the granularity.
            progress: told as documents are embedded.
            prepared: what is at hand of documents.
        Raises:
            Unavailable: the replica can be neither made nor read.
            ModelError: the model failed.
        """
        return self._open.get(
            (view.shown_as, name),
            lambda: self.replicas.opened(
                view,
                self._kind,
                lambda view, work: self._make(view, work, progress, prepared),
                lambda folder: DenseIndex(folder / name),
            ),
        )

    def nearness(self, view: View) -> Nearness | None:
        """Reads the passages of a generation word for word; None without vectors of tokens. Raises as :meth:`index`."""
        words = self._words
        if words is None:
            return None
        return self._near.get(view.shown_as, lambda: Nearness(self._opened(view, TokenIndex), words))

    def read_nearness(self, view: View) -> ReadNearness | None:
        """The same by tokens as the embedder read them in their sentences; None where it gives none."""
        if self._vectors.reader is None:
            return None
        return self._read.get(view.shown_as, lambda: ReadNearness(self._opened(view, ReadIndex)))

    def _opened(self, view: View, index: Callable[[Path], Opened]) -> Opened:
        """An index of the tokens of passages."""
        return self.replicas.opened(
            view,
            self._kind,
            lambda view, work: self._make(view, work, None),
            lambda folder: index(folder / WORD_FOR_WORD),
        )

    def has(self, view: View) -> bool:
        """Whether the replica of a generation is there."""
        return self.replicas.has(view, self._kind)

    def beside(self, view: View, every: Iterable[DocumentUnits]) -> Iterator[DocumentUnits]:
        """See :meth:`UnitVectors.beside`."""
        return self._vectors.beside(view, every)

    @property
    def _kind(self) -> str:
        own = [self._vectors.recipe("all"), DENSE, self.embedder.card.model_id]
        if self._words is not None:
            own += [TOKENS, self._words.tokens_id.rpartition("@")[2]]  # the digits tell: names of folders have an end
        if self._vectors.reader is not None:
            own += [READING, self._vectors.reader.reading]
        return "-".join(own).replace("/", "-")

    def _make(self, view: View, work: Path, progress: Progress | None, prepared: Prepared | None = None) -> None:
        with ExitStack() as opened:
            before = opened.enter_context(self._before(view))
            kept = before.kept_segments(len(view.entries))
            self._write(view, work, before, kept, progress, prepared)
        for name in DOCUMENT_GRANULARITIES if kept else ():
            placed = kept.documents_of
            join(work / name, {each: placed.get(each, len(kept.segments)) for each in view.entries})
        new = [each for each in view.entries if each not in kept.documents_of]
        (work / _SEGMENTS).write_text(json.dumps([*(before.segments[at] for at in kept.segments), new]), "ascii")
        for name in UPPER:
            blocks_above = (("", block) for block in self._vectors.of_upper(view, name))
            DenseIndex.make(work / name, blocks_above, self.embedder.card.dimension)

    def _write(
        self,
        view: View,
        work: Path,
        before: _Before,
        kept: _Kept,
        progress: Progress | None,
        prepared: Prepared | None,
    ) -> None:
        """Link the segments that are kept, and write the vectors of all other documents as one more."""
        folders, dimension = {}, self.embedder.card.dimension
        with ExitStack() as opened:
            writers = {}
            for name in DOCUMENT_GRANULARITIES:
                folders[name] = work / name / str(len(kept.segments)) if kept else work / name
                rounded = before.link(name, kept, work / name)
                writers[name] = opened.enter_context(DenseIndex.writer(folders[name], dimension, rounded=rounded))
            tokens = opened.enter_context(TokenWriter(folders[WORD_FOR_WORD], self._words)) if self._words else None
            reads = self._vectors.reader is not None
            read = opened.enter_context(ReadWriter(folders[WORD_FOR_WORD])) if reads else None
            written = [each for each in view.entries if each not in kept.documents_of]
            changed = self._vectors.of_documents(view, [each for each in written if each not in before.documents])
            for done, document_id in enumerate(written, 1 + len(view.entries) - len(written)):
                if document_id in before.documents:
                    for name, index in before.indexes.items():
                        writers[name].add(document_id, index.block_of(document_id))
                    rows = range(*before.indexes[WORD_FOR_WORD].document_rows(document_id))
                    if tokens is not None and before.tokens is not None:
                        tokens.copy(before.tokens.of(rows))
                    if read is not None and before.read is not None:
                        read.add(before.read.of(rows))
                else:
                    units, blocks, known = next(changed)
                    for name, own in blocks:
                        for block in own:
                            writers[name].add(document_id, block)
                        if tokens is not None and name == WORD_FOR_WORD:
                            at_hand = _tokens_at_hand(prepared, view, document_id)
                            if at_hand is None:
                                tokens.add(_texts(units, own))
                            else:
                                tokens.copy(at_hand)
                    if read is not None:
                        read.add(each for block in known for each in block.tokens)
                if progress is not None:
                    progress("embedding documents", done, len(view.entries))

    @contextmanager
    def _before(self, view: View) -> Iterator[_Before]:
        """What a replica of an earlier build has of documents that did not change since; nothing where none helps."""
        base = self.replicas.base(view, self._kind)
        if base is None:
            yield NOTHING
            return
        folder, _, changed = base
        same = frozenset(each for each in view.entries if each not in changed)
        with leased(folder) as there:
            has_tokens, has_read = self._words is not None, self._vectors.reader is not None
            yield _Before.open(folder, same, has_tokens=has_tokens, has_read=has_read) if there else NOTHING


def _texts(units: DocumentUnits, blocks: Sequence[VectorBlock]) -> list[str]:
    """The own words of a document's passages, in the order of their vectors."""
    texts = {unit.item_id: unit.text for unit in units.of(WORD_FOR_WORD, to_embed=True)} if blocks else {}
    return [texts[item_id] for block in blocks for item_id in block.item_ids]


def _tokens_at_hand(prepared: Prepared | None, view: View, document_id: str) -> Sequence[IntArray] | None:
    """The different tokens of each of a document's passages, in the order of their vectors; None where nobody made them."""
    from coditect.retrieve.local.meaning.made import PreparedDocument  # no question needs it

    file = None if prepared is None else prepared.of(view.entries[document_id])
    return None if file is None else PreparedDocument(file).tokens


@dataclass(frozen=True, slots=True)
class _Kept:
    """Segments of a replica that its successor links.

    Attributes:
        segments: their numbers there, increasing.
        documents_of: the documents whose rows in them count, with the number of the segment in the successor.
    """

    segments: Sequence[int] = ()
    documents_of: Mapping[str, int] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return bool(self.segments)


@dataclass(frozen=True, slots=True)
class _Before:
    """The vectors of documents in a replica of an earlier build.

    Attributes:
        documents: that are the same now.
        indexes: by granularity.
        tokens: of passages, where they are read word for word.
        folder: of the replica; None without one.
        segments: the documents whose rows were written at once, by segment.
        read: the tokens of passages as the embedder read them in their sentences, where it gives them.
    """

    documents: frozenset[str] = frozenset()
    indexes: Mapping[IndexName, DenseIndex] = field(default_factory=dict)
    tokens: TokenIndex | None = None
    folder: Path | None = None
    segments: Sequence[Sequence[str]] = ()
    read: ReadIndex | None = None

    @classmethod
    def open(cls, folder: Path, same: frozenset[str], *, has_tokens: bool, has_read: bool) -> Self:
        """That of a folder; nothing of one whose files are damaged.

        Args:
            folder: of the replica.
            same: documents of the generation of which one is made that the folder's has, too.
            has_tokens: passages are read word for word.
            has_read: their tokens are kept as the embedder read them.
        """
        try:
            check_inventory(folder, folder.name)
            tokens = TokenIndex(folder / WORD_FOR_WORD) if has_tokens else None
            read = ReadIndex(folder / WORD_FOR_WORD) if has_read else None
            indexes = {name: DenseIndex(folder / name) for name in DOCUMENT_GRANULARITIES}
            return cls(same, indexes, tokens, folder, json.loads((folder / _SEGMENTS).read_bytes()), read)
        except (OSError, ValueError):
            return cls()

    def kept_segments(self, count: int) -> _Kept:
        """The segments that are worth keeping.

        One of which more than a quarter no longer counts is written again. So is one that is at most twice as large as what is
        written beside it: each is more than twice as large as the next, so that there are few, and a document is written again
        as often as it takes to double what it lies in.

        Args:
            count: documents of the generation of which a replica is made.
        """
        last = {each: at for at, own in enumerate(self.segments) for each in own}
        live = Counter(at for each, at in last.items() if each in self.documents)
        kept = [at for at, own in enumerate(self.segments) if live[at] * 4 >= len(own) * 3 and live[at]]
        written = count - sum(live[at] for at in kept)
        while kept and live[kept[-1]] <= 2 * written:
            written += live[kept.pop()]
        number = {at: new for new, at in enumerate(kept)}
        return _Kept(kept, {each: number[at] for each, at in last.items() if at in number and each in self.documents})

    def link(self, name: IndexName, kept: _Kept, target: Path) -> bool:
        """Put the files of segments below a new folder; whether their vectors are kept in eight bits, too."""
        folders = segment_folders(self.folder / name) if self.folder is not None and kept else []
        for number, at in enumerate(kept.segments):
            link(folders[at], target / str(number))
        return any(CoarseVectors.is_in(folders[at]) for at in kept.segments)


NOTHING = _Before()
