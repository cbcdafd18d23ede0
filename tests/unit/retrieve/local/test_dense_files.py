"""The files of a matrix of vectors."""

from __future__ import annotations

import io
from itertools import accumulate
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from coditect.retrieve.local.meaning.dense import DenseIndex
from coditect.retrieve.port import unit_number
from coditect.store.embedded.vectors import VectorBlock
from tests.effort import times

DIMENSION = 3

item_ids = st.tuples(
    st.sampled_from(["claim", "extraction"]), st.integers(0, 2**100), st.sampled_from(["", "0" * 20])
).map(lambda parts: f"{parts[0]}_{parts[2]}{parts[1]:015x}")
blocks = st.lists(
    st.tuples(st.sampled_from(["", "document_a", "document_b", "document_long_c"]), st.lists(item_ids, max_size=5)),
    max_size=8,
)


def block_of(ids: list[str], seed: int) -> VectorBlock:
    """Vectors for ids."""
    rows = np.random.default_rng(seed).normal(size=(len(ids), DIMENSION)).astype(np.float32)
    return VectorBlock(tuple(ids), rows)


@settings(max_examples=times(80, least=10), deadline=None)
@given(blocks)
def test_index_tells_what_was_written(
    tmp_path_factory: pytest.TempPathFactory, written: list[tuple[str, list[str]]]
) -> None:
    """Rows, ids, documents and numbers are those of the blocks, in order, however they are looked up."""
    folder = tmp_path_factory.mktemp("files") / "i"
    made = [(document, block_of(ids, seed)) for seed, (document, ids) in enumerate(written)]
    DenseIndex.make(folder, made, DIMENSION)
    index = DenseIndex(folder)
    rows = np.concatenate([np.zeros((0, DIMENSION), np.float32), *(block.rows for _, block in made)])
    ids = [each for _, some in written for each in some]
    documents = [document for document, some in written for _ in some]
    assert index.rows.tobytes() == rows.tobytes()
    assert list(index.item_ids) == index.item_ids[:] == ids
    assert list(index.document_ids) == index.document_ids[:] == index.documents_of(np.arange(len(ids))) == documents
    assert index.numbers.tolist() == [unit_number(each) for each in ids]
    if len({unit_number(each) for each in ids}) == len(ids):
        assert index.rows_of(index.numbers).tolist() == list(range(len(ids)))
    for name in set(documents):
        first, after = index.document_rows(name)
        assert (first, documents[after - 1]) == (documents.index(name), name)
    assert index.document_rows("document_of_another_corpus") == (0, 0)


def test_rows_file_is_the_one_that_numpy_writes(tmp_path: Path) -> None:
    """A matrix written block by block is, byte for byte, the array saved at once."""
    made = [("document_a", block_of([f"claim_{number:015x}" for number in range(size)], size)) for size in (3, 0, 11)]
    DenseIndex.make(tmp_path / "i", made, DIMENSION)
    at_once = io.BytesIO()
    np.save(at_once, np.concatenate([block.rows for _, block in made]))
    assert (tmp_path / "i" / "rows.npy").read_bytes() == at_once.getvalue()


def write_in_part(folder: Path) -> None:
    """Fail after the first block."""
    with DenseIndex.writer(folder, DIMENSION) as writer:
        writer.add("document_a", block_of(["claim_000000000000001"], 1))
        raise KeyError


def test_files_of_a_failed_writer_are_no_index(tmp_path: Path) -> None:
    """What was interrupted cannot be opened."""
    with pytest.raises(KeyError):
        write_in_part(tmp_path / "i")
    with pytest.raises(FileNotFoundError):
        DenseIndex(tmp_path / "i")


@pytest.mark.parametrize("name", ["ids", "ends", "numbers", "sorted", "order", "starts", "documents"])
def test_index_with_a_part_of_another_is_refused(tmp_path: Path, name: str) -> None:
    """Parts that do not belong together are told when the index is opened."""
    sizes = list(accumulate((2, 3)))
    for at, size in enumerate(sizes):
        made = [(f"document_{each}", block_of([f"claim_{each:015x}"], each)) for each in range(size)]
        DenseIndex.make(tmp_path / str(at), made, DIMENSION)
    file = "documents.txt" if name == "documents" else f"{name}.npy"
    (tmp_path / "0" / file).write_bytes((tmp_path / "1" / file).read_bytes())
    with pytest.raises(ValueError, match="do not fit"):
        DenseIndex(tmp_path / "0")
