"""What is put into a vector store: units with their vectors, under states that name what they were made of.

How an item can be filtered depends on more than the item: which chunks hold an extraction is the chunks' affair. So all units
of a document stand under one *state*, a hash of the document's entry in the manifest; sections and claims under one of
theirs. A state's units never change. A generation is a set of states, and generations share those that they have in common.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from coditect.errors import SchemaError
from coditect.models.port import FloatArray
from coditect.retrieve.local.vectors import Vectors
from coditect.retrieve.units import DOCUMENT_GRANULARITIES, DocumentUnits, IndexName, Unit, upper_units
from coditect.schemas.record import canonical_json, sha256_hex
from coditect.store.view import View

__all__ = ["GRANULARITIES", "UnitSource", "Vectored", "states_of"]

UPPER: tuple[IndexName, ...] = ("section", "corpus")
GRANULARITIES: tuple[IndexName, ...] = (*DOCUMENT_GRANULARITIES, *UPPER)

_STATE_DIGITS = 32


@dataclass(frozen=True, slots=True)
class Vectored:
    """A unit with its vector.

    Attributes:
        unit: the unit.
        vector: shape (dimension,).
    """

    unit: Unit
    vector: FloatArray


def states_of(view: View) -> dict[str, str]:
    """The states of a generation, each with its document's id; "" for that of sections and claims."""
    states = {}
    for document_id, entry in view.entries.items():
        states[_state(view.corpus_id, entry.payload().decode())] = document_id
    manifest = view.manifest
    upper = [f"{derivation} {section}" for derivation, section in manifest.sections]
    states[_state(view.corpus_id, "upper", manifest.summary_derivation, manifest.summary_id, *upper)] = ""
    return states


def _state(*parts: str) -> str:
    return sha256_hex(canonical_json(parts))[:_STATE_DIGITS]


class UnitSource(Vectors):
    """Units with vectors, from the key-value store where it has them; the others are embedded and stored."""

    def units(self, view: View, document_id: str) -> Iterator[tuple[IndexName, list[Vectored]]]:
        """(granularity, units) pairs of a document, or, for "", of what stands above documents.

        Raises:
            ModelError: the model failed.
            SchemaError: its vectors do not have the dimension that its card states.
        """
        if not document_id:
            for name in UPPER:
                yield name, self._vectored(list(upper_units(view, name)), self._upper(view, name))
            return
        source = DocumentUnits(view, document_id, self.replicas.level)
        for name in DOCUMENT_GRANULARITIES:
            units = list(source.of(name))
            yield name, self._vectored(units, self._rows(view, name, units))

    def _vectored(self, units: Sequence[Unit], rows: Mapping[str, FloatArray]) -> list[Vectored]:
        for row in rows.values():
            self.require(row)
        return [Vectored(unit, rows[unit.item_id]) for unit in units]

    def require(self, vector: FloatArray) -> None:
        """Refuse a vector that is not of the model.

        Raises:
            SchemaError: it has another dimension than the model's card states.
        """
        card = self.embedder.card
        if vector.shape != (card.dimension,):
            raise SchemaError(
                "vectors do not have the shape that their model's card states",
                model=card.model_id,
                expected=(card.dimension,),
                found=vector.shape,
                hint="The model's folder was changed, or is not of this model; configure another embedder.",
            )

    def _rows(self, view: View, name: IndexName, units: list[Unit]) -> dict[str, FloatArray]:
        vectors = self._store(view, name)
        ids = list(dict.fromkeys(unit.derivation_id for unit in units))
        known = vectors.get(ids)
        known.update(self._embed(vectors, [each for each in ids if each not in known], units))
        return {item: row for block in known.values() for item, row in zip(block.item_ids, block.rows, strict=True)}

    def _upper(self, view: View, name: IndexName) -> dict[str, FloatArray]:
        return {
            item: row
            for _, block in self._of_upper(view, name)
            for item, row in zip(block.item_ids, block.rows, strict=True)
        }
