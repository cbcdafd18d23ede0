"""Exact vector search, and vectors in the store."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from coditect.errors import Corrupt, SchemaError, UsageError
from coditect.models.port import ModelCard
from coditect.retrieve.local.meaning.dense import DenseIndex
from coditect.retrieve.port import unit_number
from coditect.schemas import Derivation, derivation_id_for
from coditect.store.embedded.vectors import VECTORS, VectorBlock, VectorStore
from coditect.store.store import Store
from coditect.testing.engine.memory import MemoryEngine
from tests.effort import times

CARD = ModelCard("fake@1", 4)


def ids(count: int) -> tuple[str, ...]:
    """Item ids as hashes make them."""
    return tuple(f"extraction_{number:040x}" for number in range(count))


def index_of(folder: Path, rows: np.ndarray[tuple[int, ...], np.dtype[np.float32]]) -> DenseIndex:
    """An index over one document."""
    DenseIndex.make(folder, [("document_a", VectorBlock(ids(len(rows)), rows))], rows.shape[1])
    return DenseIndex(folder)


@settings(max_examples=times(40, least=10), deadline=None)
@given(st.integers(1, 60), st.integers(1, 70), st.randoms(use_true_random=False))
def test_search_is_the_exact_order(
    tmp_path_factory: pytest.TempPathFactory, n: int, limit: int, random: object
) -> None:
    """The nearest by cosine, equal ones in the order of the rows, as many as asked."""
    generator = np.random.default_rng(n * 100 + limit)
    rows = generator.integers(-2, 3, (n, 4)).astype(np.float32)
    index = index_of(tmp_path_factory.mktemp("dense") / "i", rows)
    vector = np.array([1, 0, 2, 1], np.float32)
    wanted = sorted(range(n), key=lambda row: (-float(rows[row] @ vector), row))[:limit]
    assert [row for row, _ in index.search(vector, limit)] == wanted


def test_search_with_a_filter_looks_at_nothing_else(tmp_path: Path) -> None:
    """A filter is applied before ranking: the best of what is allowed, not what is allowed of the best."""
    rows = np.eye(4, dtype=np.float32)
    found = index_of(tmp_path / "i", rows).search(np.array([4, 3, 2, 1], np.float32), 1, np.array([2, 3]))
    assert [row for row, _ in found] == [2]


@settings(max_examples=times(40, least=10), deadline=None)
@given(st.lists(st.integers(1, 12), min_size=1, max_size=12), st.integers(1, 20), st.integers(0, 1_000))
def test_nearest_of_a_document_are_those_among_its_rows(
    tmp_path_factory: pytest.TempPathFactory, lengths: list[int], limit: int, seed: int
) -> None:
    """The same rows and cosines as a search that lets its rows alone through, whether it is most of the corpus or little of it."""
    rows = np.random.default_rng(seed).integers(-2, 3, (sum(lengths), 4)).astype(np.float32)
    edges = np.cumsum([0, *lengths]).tolist()
    every = ids(len(rows))
    blocks = [(f"document_{n}", VectorBlock(every[a:b], rows[a:b])) for n, (a, b) in enumerate(pairwise(edges))]
    folder = tmp_path_factory.mktemp("dense") / "i"
    DenseIndex.make(folder, blocks, 4)
    index, vector = DenseIndex(folder), np.array([1, 0, 2, 1], np.float32)
    for number, (first, after) in enumerate(pairwise(edges)):
        found, cosines = index.nearest_of(f"document_{number}", vector, limit)
        wanted = index.search(vector, limit, np.arange(first, after))
        assert list(zip(found.tolist(), cosines.tolist(), strict=True)) == wanted
    assert not len(index.nearest_of("document_unknown", vector, limit)[0])


def test_rows_are_found_by_unit_number(tmp_path: Path) -> None:
    """A unit without a vector has no row."""
    index = index_of(tmp_path / "i", np.ones((3, 4), np.float32))
    numbers = np.array([unit_number(each) for each in (*ids(3)[::-1], "extraction_" + "f" * 40)])
    assert index.rows_of(numbers).tolist() == [2, 1, 0, -1]


def test_index_without_rows_finds_nothing(tmp_path: Path) -> None:
    """A corpus may have no unit of a kind."""
    index = index_of(tmp_path / "i", np.zeros((0, 4), np.float32))
    assert index.search(np.ones(4, np.float32), 5) == []


def test_search_with_another_dimension_is_refused(tmp_path: Path) -> None:
    """A vector of another model is no vector here."""
    with pytest.raises(UsageError, match="another dimension"):
        index_of(tmp_path / "i", np.ones((2, 4), np.float32)).search(np.ones(5, np.float32), 1)


def test_folder_whose_parts_do_not_fit_is_refused(tmp_path: Path) -> None:
    """A replica that lost rows is made again, not searched."""
    index_of(tmp_path / "i", np.ones((3, 4), np.float32))
    np.save(tmp_path / "i" / "numbers.npy", np.zeros(1, np.int64))
    with pytest.raises(ValueError, match="do not fit"):
        DenseIndex(tmp_path / "i")


@pytest.fixture
def vectors() -> tuple[VectorStore, Derivation]:
    """A store with a finished derivation of three outputs."""
    store = Store(MemoryEngine())
    own_id = derivation_id_for("c", "extractions", ("version_1",), "rules", {}, "1")
    source = Derivation(
        derivation_id=own_id,
        corpus_id="c",
        stage="extractions",
        inputs=("version_1",),
        method="rules",
        parameters={},
        code_version="1",
        outputs=ids(3),
    )
    store.put_derivations([source])
    return VectorStore(store, "c", CARD, "recipe"), source


def test_vectors_come_back_as_they_were_given(vectors: tuple[VectorStore, Derivation]) -> None:
    """To the precision of 16 bits, for the outputs that have one, and equal to what putting them returned."""
    store, source = vectors
    rows = np.array([[1, 0, 0, 0], [0.6, 0.8, 0, 0]], np.float32)
    put = store.put(source, [source.outputs[0], source.outputs[2]], rows)
    block = store.get([source.derivation_id])[source.derivation_id]
    assert block.item_ids == (source.outputs[0], source.outputs[2])
    assert np.array_equal(block.rows, put.rows)
    assert np.abs(block.rows - rows).max() < 1e-3


def test_vectors_of_another_model_lie_beside_these(vectors: tuple[VectorStore, Derivation]) -> None:
    """A model change embeds again what that model lacks, and going back costs nothing."""
    store, source = vectors
    store.put(source, list(source.outputs), np.ones((3, 4), np.float32))
    other = VectorStore(store.store, "c", ModelCard("fake@2", 4), "recipe")
    assert other.get([source.derivation_id]) == {}
    assert source.derivation_id in store.get([source.derivation_id])


@pytest.mark.parametrize("shape", [(3, 5), (2, 4), (4, 4)])
def test_vectors_of_another_shape_are_refused_whole(
    vectors: tuple[VectorStore, Derivation], shape: tuple[int, int]
) -> None:
    """Wrong dimension or number: nothing is written."""
    store, source = vectors
    with pytest.raises(SchemaError, match="shape"):
        store.put(source, list(source.outputs), np.ones(shape, np.float32))
    assert store.get([source.derivation_id]) == {}


def test_vectors_cut_between_block_and_promise_are_not_there(vectors: tuple[VectorStore, Derivation]) -> None:
    """Killed after the block and before the derivation: the next run embeds again, and finds the same block."""
    store, source = vectors
    store.put(source, list(source.outputs), np.ones((3, 4), np.float32))
    store.store.remove("derivations", "c", store.id_for(source.derivation_id))
    assert store.get([source.derivation_id]) == {}
    store.put(source, list(source.outputs), np.ones((3, 4), np.float32))
    assert source.derivation_id in store.get([source.derivation_id])


def test_vectors_of_a_forged_block_are_corrupt(vectors: tuple[VectorStore, Derivation]) -> None:
    """A derivation that names other bytes is told of."""
    store, source = vectors
    digest = store.store.put_blob("c", b"no vectors")
    forged = Derivation(
        derivation_id=store.id_for(source.derivation_id),
        corpus_id="c",
        stage="vectors",
        inputs=(source.derivation_id,),
        method=CARD.model_id,
        parameters=store.parameters,
        code_version=VECTORS,
        outputs=(f"{digest}:10",),
    )
    store.store.put_derivations([forged])
    with pytest.raises(Corrupt, match="shape"):
        store.get([source.derivation_id])
