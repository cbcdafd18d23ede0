"""What local replicas take of a document, made where it is derived and kept in a file (:mod:`coditect.retrieve.prepared`)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from coditect.errors import ModelError, Unavailable
from coditect.language.matched import as_matched
from coditect.models.port import Embedder, IntArray, ModelCard, TokenVectors
from coditect.retrieve.local.lexical import Fields, fields_of
from coditect.retrieve.local.meaning.made import write_prepared
from coditect.retrieve.prepared import HeldDocument, MadeVectors
from coditect.retrieve.units import DOCUMENT_GRANULARITIES, DocumentUnits, IndexName
from coditect.schemas import Derivation
from coditect.store.embedded.vectors import packed_block

__all__ = ["LocalPreparing"]

_WORDS: tuple[IndexName, ...] = (*DOCUMENT_GRANULARITIES, "document")
_READ: IndexName = "passage"
"""The granularity that is read word for word."""


@dataclass(frozen=True, slots=True)
class LocalPreparing:
    """Makes the fields of indexes of words, vectors, and tokens. See :class:`~coditect.retrieve.prepared.Preparing`.

    Attributes:
        level: the level of passages that is searched.
        embedder: opens the model of static vectors by which units are embedded; None: no vectors are made.
        words: opens vectors of tokens, by which passages are read word for word; None: they are not.
    """

    level: int
    embedder: Callable[[], Embedder | None] | None
    words: Callable[[], TokenVectors] | None

    def card(self) -> ModelCard | None:
        """See :class:`~coditect.retrieve.prepared.Preparing`."""
        embedder = self.embedder() if self.embedder is not None else None
        return None if embedder is None else embedder.card

    def make(self, held: HeldDocument, sources: Mapping[IndexName, Derivation], target: Path) -> MadeVectors:
        """See :class:`~coditect.retrieve.prepared.Preparing`."""
        units = DocumentUnits(held, held.version.document_id, self.level)
        fields: dict[IndexName, list[Fields]] = {
            name: [fields_of(unit) for unit in units.keep(name)] for name in _WORDS
        }
        made: MadeVectors = {}
        tokens: Sequence[IntArray] | None = None
        with suppress(ModelError, Unavailable):  # whoever asks for vectors makes them, or is told
            made = self._vectors(units, sources)
            if _READ in made and self.words is not None:
                texts = {unit.item_id: as_matched(unit.text) for unit in units.keep(_READ)}
                tokens = self.words().tokens([texts[each] for each in sources[_READ].outputs if each in texts])
        try:
            write_prepared(target, fields, tokens)
        except OSError:  # a disk that is full: it is read from the store then
            target.unlink(missing_ok=True)
        return made

    def _vectors(self, units: DocumentUnits, sources: Mapping[IndexName, Derivation]) -> MadeVectors:
        embedder = self.embedder() if self.embedder is not None else None
        if embedder is None:
            return {}
        made: dict[IndexName, bytes] = {}
        for name, source in sources.items():
            own = {unit.item_id: unit.embedded for unit in units.keep(name)}
            ids = [each for each in source.outputs if each in own]
            made[name] = packed_block(source, ids, embedder.embed([own[each] for each in ids]))[0]
        return made
