"""What search keeps of a document, made by whoever derives it: to be indexed, it need not be read from the store again.

A process that derives a document has its records at hand. It writes what a replica takes of them into a file of a folder that goes
with the build, and gives the vectors back where a model of static vectors makes them, which costs little and loads nothing. Whoever
makes the replica takes both; what is not there is read and made as ever, with the same result.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from coditect.models.port import ModelCard
from coditect.retrieve.units import IndexName
from coditect.schemas import Chunk, Derivation, DocumentVersion, Extraction, Passage, TreeEntry

__all__ = ["MOST_BYTES", "HeldDocument", "MadeVectors", "Prepared", "Preparing"]

MOST_BYTES = 1 << 30
"""Bytes of files that wait; what further documents give is read from the store."""

MadeVectors = Mapping[IndexName, bytes]
"""The vectors of a document's units by granularity, as blocks of :func:`~coditect.store.embedded.vectors.packed_block`."""


@dataclass(frozen=True, slots=True)
class HeldDocument:
    """The records of one document in memory, as a generation would give them.

    Attributes:
        version: the document version.
        text: its canonical text.
        tier1: its extractions, in document order.
        tier2: its chunks, likewise.
        cut: its passages, likewise, of all levels.
    """

    version: DocumentVersion
    text: str
    tier1: list[Extraction] = field(default_factory=list)
    tier2: list[Chunk] = field(default_factory=list)
    cut: list[Passage] = field(default_factory=list)

    def add(self, record: Extraction | Chunk | Passage) -> None:
        """Take the next record in."""
        match record:
            case Extraction():
                self.tier1.append(record)
            case Chunk():
                self.tier2.append(record)
            case Passage():
                self.cut.append(record)

    def document(self, document_id: str) -> DocumentVersion:
        """See :class:`~coditect.retrieve.units.DocumentParts`."""
        return self.version

    def text_of(self, version: DocumentVersion) -> str:
        """See :class:`~coditect.retrieve.units.DocumentParts`."""
        return self.text

    def chunks(self, document_id: str) -> Sequence[Chunk]:
        """See :class:`~coditect.retrieve.units.DocumentParts`."""
        return self.tier2

    def passages(self, document_id: str) -> Sequence[Passage]:
        """See :class:`~coditect.retrieve.units.DocumentParts`."""
        return self.cut

    def each_extraction(self, document_id: str) -> Iterator[Extraction]:
        """See :class:`~coditect.retrieve.units.DocumentParts`."""
        return iter(self.tier1)


class Preparing(Protocol):
    """Makes what a searcher wants of documents; can be sent to worker processes."""

    @property
    def level(self) -> int:
        """The level of passages that is searched."""
        ...

    def card(self) -> ModelCard | None:
        """Of the model that makes the vectors; None where none does."""
        ...

    def make(self, held: HeldDocument, sources: Mapping[IndexName, Derivation], target: Path) -> MadeVectors:
        """Write a file of a document, where that can be written, and give its vectors, or none.

        Args:
            held: its records.
            sources: the finished derivations whose outputs they are, by the granularity of their units.
            target: the file.
        """
        ...


@dataclass
class Prepared:
    """The files of documents that one build derived.

    Attributes:
        preparing: makes them.
        folder: where they lie; whoever made it removes it.
    """

    preparing: Preparing
    folder: Path
    _files: dict[tuple[str, ...], Path] = field(default_factory=dict)
    _bytes: int = 0

    def add(self, steps: tuple[str, ...], path: Path) -> None:
        """Take a document's file in; one for which there is no room goes.

        Args:
            steps: the derivations of its extractions, chunks and passages.
            path: the file.
        """
        self._bytes += path.stat().st_size
        if self._bytes > MOST_BYTES:
            path.unlink()
        else:
            self._files[steps] = path

    def add_sent(self, steps: tuple[str, ...], data: bytes) -> None:
        """The same of a file that was made on another machine, where there is room for it and a disk that takes it.

        Args:
            steps: the derivations of its extractions, chunks and passages.
            data: what it holds.
        """
        path = self.folder / f"{len(self._files)}.sent"
        if self._bytes + len(data) > MOST_BYTES:
            return
        try:
            path.write_bytes(data)
        except OSError:  # a disk that is full: it is read from the store then
            path.unlink(missing_ok=True)
        else:
            self.add(steps, path)

    def of(self, entry: TreeEntry) -> Path | None:
        """The file of a document of a generation; None where there is none."""
        return self._files.get((*entry.extractions, *entry.chunks, *entry.passages))
