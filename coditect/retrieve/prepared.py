"""What search keeps of a document, made by whoever derives it: to be indexed, it need not be read from the store again.

A process that derives a document has its records at hand. It writes the document's units into a file of a folder that goes with
the build, and gives their vectors back where a model of static vectors makes them, which costs little and loads nothing. Whoever
makes the replica takes both; what is not there is read and made as ever, with the same result.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import cast

import zstandard

from coditect.models.port import Embedder, FloatArray
from coditect.retrieve.units import DOCUMENT_GRANULARITIES, DocumentUnits, IndexName, Unit, UnitsOf
from coditect.schemas import Chunk, Derivation, DocumentVersion, Extraction, Passage
from coditect.store.embedded.vectors import packed_block
from coditect.store.view import View

__all__ = ["MOST_BYTES", "HeldDocument", "MadeVectors", "Prepared", "PreparedUnits", "Preparing", "vectors_of"]

MOST_BYTES = 1 << 30
"""Bytes of units, compressed, that wait in files; those of further documents are read from the store."""

_LEVEL = 1
_NAMES: tuple[IndexName, ...] = (*DOCUMENT_GRANULARITIES, "document")

MadeVectors = Mapping[IndexName, bytes]
"""The vectors of a document's units by granularity, as blocks of :func:`~coditect.store.embedded.vectors.packed_block`."""


@dataclass(frozen=True, slots=True)
class Preparing:
    """What a searcher wants made of documents; can be sent to worker processes.

    Attributes:
        level: the level of passages that is searched.
        embedder: opens the model of static vectors by which units are embedded; None: no vectors are made.
    """

    level: int
    embedder: Callable[[], Embedder | None] | None = None


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

    def write_units(self, level: int, target: Path) -> DocumentUnits:
        """Write the document's units into a file that :class:`PreparedUnits` reads, and give them.

        Args:
            level: the level of passages that is searched.
            target: the file, which is made.
        """
        units = DocumentUnits(self, self.version.document_id, level)
        writer = zstandard.ZstdCompressor(_LEVEL)
        kept = {each: writer.compress(pickle.dumps(units.keep(each), pickle.HIGHEST_PROTOCOL)) for each in _NAMES}
        target.write_bytes(pickle.dumps(kept, pickle.HIGHEST_PROTOCOL))
        return units


def vectors_of(embedder: Embedder, units: UnitsOf, sources: Mapping[IndexName, Derivation]) -> MadeVectors:
    """The vectors of a document's units.

    Args:
        embedder: makes them.
        units: of the document.
        sources: the derivations whose outputs they are, finished, by granularity.
    Raises:
        ModelError: the model failed.
    """
    made: dict[IndexName, bytes] = {}
    for name, source in sources.items():
        own = {unit.item_id: unit.embedded for unit in units.keep(name)}
        ids = [each for each in source.outputs if each in own]
        rows: FloatArray = embedder.embed([own[each] for each in ids])
        made[name] = packed_block(source, ids, rows)[0]
    return made


class PreparedUnits:
    """The units of one document in a file; see :class:`~coditect.retrieve.units.UnitsOf`.

    Args:
        version: the document version.
        path: the file.
    """

    def __init__(self, version: DocumentVersion, path: Path) -> None:
        self.version = version
        # Written by a process of this build, as all that processes hand to each other; nobody else may write there.
        self._packed: dict[IndexName, bytes] = pickle.loads(path.read_bytes())  # noqa: S301 - see above

    def of(self, granularity: IndexName, *, to_embed: bool = False) -> Iterator[Unit]:
        """Its units at a granularity, in document order."""
        return iter(self.keep(granularity))

    def keep(self, granularity: IndexName) -> Sequence[Unit]:
        """The same as a sequence."""
        data = zstandard.ZstdDecompressor().decompress(self._packed[granularity])
        return cast("Sequence[Unit]", pickle.loads(data))  # noqa: S301 - as above


@dataclass
class Prepared:
    """The units of documents that one build derived.

    Attributes:
        preparing: what the searcher wants made.
        folder: of the files; whoever made it removes it.
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

    def of(self, view: View, document_id: str) -> PreparedUnits | None:
        """The units of a document of a generation; None where they are not there."""
        entry = view.entries[document_id]
        path = self._files.get((*entry.extractions, *entry.chunks, *entry.passages))
        return None if path is None else PreparedUnits(view.document(document_id), path)
