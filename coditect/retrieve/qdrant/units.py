"""What is put into a vector store: units with their vectors, under states that name what they were made of.

How an item can be filtered depends on more than the item: which chunks hold an extraction is the chunks' affair. So all units
of a document stand under one *state*, a hash of the document's entry in the manifest; sections and claims under one of
theirs. A state's units never change. A generation is a set of states, and generations share those that they have in common.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from coditect.errors import SchemaError
from coditect.models.port import FloatArray, ModelCard
from coditect.retrieve.embedding import UPPER, UnitVectors
from coditect.retrieve.units import DOCUMENT_GRANULARITIES, IndexName, Unit, upper_units
from coditect.schemas.record import canonical_json, sha256_hex
from coditect.store.embedded.vectors import VectorBlock
from coditect.store.view import View

__all__ = ["GRANULARITIES", "EmbeddedUnit", "embedded_units", "require_dimension", "states_of"]

GRANULARITIES: tuple[IndexName, ...] = (*DOCUMENT_GRANULARITIES, *UPPER)

_STATE_DIGITS = 32


@dataclass(frozen=True, slots=True)
class EmbeddedUnit:
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


def embedded_units(
    vectors: UnitVectors, view: View, document_id: str
) -> Iterator[tuple[IndexName, list[EmbeddedUnit]]]:
    """(granularity, units) pairs of a document, or, for "", of what stands above documents.

    Raises:
        ModelError: the model failed.
        SchemaError: its vectors do not have the dimension that its card states.
    """
    card = vectors.embedder.card
    if not document_id:
        for name in UPPER:
            yield name, _joined(card, upper_units(view, name), vectors.of_upper(view, name))
        return
    for units, blocks, _ in vectors.of_documents(view, [document_id]):
        for name, own in blocks:
            yield name, _joined(card, units.of(name), own)


def _joined(card: ModelCard, units: Iterable[Unit], blocks: Iterable[VectorBlock]) -> list[EmbeddedUnit]:
    rows = {item_id: row for block in blocks for item_id, row in zip(block.item_ids, block.rows, strict=True)}
    for row in rows.values():
        require_dimension(card, row)
    return [EmbeddedUnit(unit, rows[unit.item_id]) for unit in units]


def require_dimension(card: ModelCard, vector: FloatArray) -> None:
    """Refuse a vector that is not of the model.

    Raises:
        SchemaError: it has another dimension than the model's card states.
    """
    if vector.shape != (card.dimension,):
        raise SchemaError(
            "vectors do not have the shape that their model's card states",
            model=card.model_id,
            expected=(card.dimension,),
            found=vector.shape,
            hint="The model's folder was changed, or is not of this model; configure another embedder.",
        )
