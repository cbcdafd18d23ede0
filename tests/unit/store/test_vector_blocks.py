"""Blocks of vectors as bytes: what is stored comes back, and what is no block is told so."""

from __future__ import annotations

import struct
from typing import Any

import numpy as np
import pytest

from coditect.errors import Corrupt, SchemaError
from coditect.models.cards import card_for
from coditect.schemas import Derivation
from coditect.store.embedded.blocks import outputs_at
from coditect.store.embedded.vectors import VectorStore, _parsed
from coditect.store.store import Store
from coditect.testing.engine.memory import MemoryEngine

ITEMS = ("extraction_1", "extraction_2", "extraction_3")
SOURCE = Derivation.create("c", "extractions", ("version_1",), "rules", {}, "1", ITEMS)


def _block(positions: list[int], rows: list[list[float]], *, count: int | None = None, width: int = 2) -> bytes:
    head = struct.pack("<II", len(positions) if count is None else count, width)
    return head + np.asarray(positions, "<u4").tobytes() + np.asarray(rows, "<f2").tobytes()


@pytest.fixture
def vectors() -> VectorStore:
    """Of a derivation with three outputs."""
    store = Store(MemoryEngine())
    store.put_derivations([SOURCE])
    return VectorStore(store, "c", card_for("model@000000000000", 2, name="of tests"), "units/1-extraction")


@pytest.mark.parametrize(
    ("positions", "rows"), [([], []), ([0], [[1, 2]]), ([0, 1], [[1, 2], [3, 4]]), ([1, 5], [[0.5, -2], [0, 0]])]
)
def test_block_is_its_positions_and_its_rows(positions: list[int], rows: list[list[float]]) -> None:
    """In that order, however many there are."""
    found, vectors = _parsed(_block(positions, rows), 2, "derivation_1")
    assert found.tolist() == positions
    assert vectors.dtype == np.float32
    assert vectors.tolist() == rows
    assert vectors.shape == (len(positions), 2)


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\0" * 7,
        _block([0], [[1, 2]])[:-1],
        _block([0], [[1, 2]]) + b"\0",
        _block([0], [[1, 2, 3]], width=3),
        _block([0], [[1]], width=1),
        _block([0, 1], [[1, 2]], count=1),
        _block([0], [[1, 2]], count=2),
        _block([0], [[1, 2]], count=0),
    ],
    ids=["empty", "half a head", "cut off", "longer", "wider", "narrower", "positions", "rows", "none"],
)
def test_bytes_of_another_length_are_no_block(data: bytes) -> None:
    """Nor is a block of another dimension."""
    with pytest.raises(Corrupt, match="does not have its shape"):
        _parsed(data, 2, "derivation_1")


@pytest.mark.parametrize("width", [1, 2, 3, 7])
def test_block_of_any_dimension_has_the_length_of_its_rows(width: int) -> None:
    """Four bytes for the position of each, and two for each of its numbers."""
    rows = [[float(n + m) for m in range(width)] for n in range(3)]
    data = _block([0, 1, 2], rows, width=width)
    assert len(data) == 8 + 3 * 4 + 3 * width * 2
    assert _parsed(data, width, "derivation_1")[1].tolist() == rows


def test_empty_bytes_are_no_block_of_no_dimension() -> None:
    """A head is eight bytes, and nothing less is one."""
    assert _parsed(bytes(8), 0, "derivation_1")[0].tolist() == []
    assert _parsed(struct.pack("<II", 0, 2), 2, "derivation_1")[1].shape == (0, 2)


@pytest.mark.parametrize(
    ("positions", "rows"),
    [
        ([0, 0], [[1, 2], [3, 4]]),
        ([1, 0], [[1, 2], [3, 4]]),
        ([0, 1], [[1, 2], [np.nan, 4]]),
        ([0, 1], [[1, np.inf], [3, 4]]),
        ([1, 0], [[1, np.inf], [3, 4]]),
    ],
    ids=["twice", "backwards", "no number", "infinite", "both"],
)
def test_positions_grow_and_numbers_are_finite(positions: list[int], rows: list[list[float]]) -> None:
    """Each item has one vector."""
    with pytest.raises(Corrupt, match="what is no vector"):
        _parsed(_block(positions, rows), 2, "derivation_1")


@pytest.mark.parametrize("items", [(), ITEMS[:1], ITEMS[1:], ITEMS[::2], ITEMS])
def test_vectors_of_some_outputs_are_read_with_their_items(vectors: VectorStore, items: tuple[str, ...]) -> None:
    """Also of the last output alone, and of none."""
    rows = np.arange(2 * len(items), dtype=np.float32).reshape(len(items), 2)
    put = vectors.put(SOURCE, items, rows)
    found = vectors.get([SOURCE.derivation_id, "derivation_other"])[SOURCE.derivation_id]
    assert put.item_ids == found.item_ids == items
    assert put.rows.tolist() == found.rows.tolist() == rows.tolist()


def test_vectors_that_reach_beyond_the_outputs_are_damage(vectors: VectorStore) -> None:
    """One position more than there are outputs, or no derivation at all, of which they could be."""
    vectors.put(SOURCE, ITEMS, np.zeros((3, 2), dtype=np.float32))
    shorter = SOURCE.model_copy(update={"outputs": ITEMS[:2]})
    for source in (shorter, None):
        (own,) = vectors.store.derivations("c", [vectors.id_for(SOURCE.derivation_id)]).values()
        with pytest.raises(Corrupt, match="do not fit what they were made of"):
            outputs_at([0, 1, 2], source, own)


@pytest.mark.parametrize("shape", [(3, 3), (3, 1), (2, 2), (4, 2), (6,)])
def test_rows_of_another_shape_than_the_card_states_are_refused(vectors: VectorStore, shape: Any) -> None:  # noqa: ANN401
    """Another dimension, or another number of rows than items: the model is not the one that its card says."""
    with pytest.raises(SchemaError, match="do not have the shape"):
        vectors.put(SOURCE, ITEMS, np.zeros(shape, dtype=np.float32))
