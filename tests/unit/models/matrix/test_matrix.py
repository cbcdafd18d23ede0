"""The matrix that torch multiplies: what it finds is what numpy finds."""

from __future__ import annotations

import subprocess
import sys
import threading
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from coditect.errors import Unavailable, UsageError
from coditect.models.flag import matrix as matrices
from coditect.models.flag.matrix import Precision, TorchMatrix
from coditect.models.port import FloatArray, IntArray

if find_spec("torch") is None or find_spec("FlagEmbedding") is None:
    pytest.skip("needs the extra [gpu]", allow_module_level=True)

PRECISIONS: tuple[Precision, ...] = ("float32", "float16")


@pytest.fixture(scope="module", autouse=True)
def _one_thread() -> None:
    """Tests run beside others on few cores."""
    import torch

    torch.set_num_threads(1)


def unit_rows(count: int, dimension: int, seed: int) -> FloatArray:
    """Random directions."""
    rows = np.random.default_rng(seed).standard_normal((count, dimension)).astype(np.float32)
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    return rows


def by_numpy(
    rows: FloatArray, vector: FloatArray, limit: int, allowed: IntArray | None = None
) -> tuple[list[int], list[float]]:
    """The reference: all products, sorted."""
    products = np.vecdot(rows, vector)
    among = range(len(rows)) if allowed is None else allowed.tolist()
    best = sorted(among, key=lambda row: (-float(products[row]), row))[:limit]
    return best, [float(products[row]) for row in best]


def found(
    matrix: TorchMatrix, vector: FloatArray, limit: int, allowed: IntArray | None = None
) -> tuple[list[int], list[float]]:
    """What the matrix finds, as lists."""
    rows, products = matrix.nearest(vector, limit, allowed)
    return rows.tolist(), products.tolist()


@pytest.mark.parametrize("precision", PRECISIONS)
@settings(max_examples=40, deadline=None)
@given(st.integers(1, 300), st.integers(1, 40), st.integers(1, 350), st.integers(0, 9))
def test_nearest_is_numpys_to_the_last_bit(
    precision: Precision, count: int, dimension: int, limit: int, seed: int
) -> None:
    """The same rows in the same order with the same products, in either precision."""
    rows = unit_rows(count, dimension, seed)
    vector = unit_rows(1, dimension, seed + 100)[0]
    assert found(TorchMatrix(rows, device="cpu", precision=precision), vector, limit) == by_numpy(rows, vector, limit)


@pytest.mark.parametrize("precision", PRECISIONS)
def test_equal_products_come_in_the_order_of_the_rows(precision: Precision) -> None:
    """Also where the limit cuts through them."""
    rows = np.repeat(unit_rows(4, 8, 1), 50, axis=0)
    matrix = TorchMatrix(rows, device="cpu", precision=precision)
    for limit in (1, 30, 50, 77, 200):
        assert found(matrix, rows[0], limit) == by_numpy(rows, rows[0], limit)


def test_rows_that_half_precision_cannot_tell_apart_are_told_apart() -> None:
    """Candidates are multiplied again in single precision: differences below a half's last digit decide."""
    base = unit_rows(1, 64, 2)[0]
    rows = (base * (1.0 - np.arange(200, dtype=np.float32)[:, None] * 2e-6)).astype(np.float32)[::-1].copy()
    assert len(np.unique(rows.astype(np.float16), axis=0)) < 50
    assert found(TorchMatrix(rows, device="cpu", precision="float16"), base, 20) == by_numpy(rows, base, 20)


@pytest.mark.parametrize("precision", PRECISIONS)
@settings(max_examples=40, deadline=None)
@given(st.sets(st.integers(0, 199)), st.integers(0, 60))
def test_filter_is_applied_before_ranking(precision: Precision, chosen: set[int], limit: int) -> None:
    """The best of what is allowed, few or many, and nothing else."""
    rows, vector = unit_rows(200, 16, 3), unit_rows(1, 16, 4)[0]
    allowed = np.array(sorted(chosen), np.int64)
    matrix = TorchMatrix(rows, device="cpu", precision=precision)
    assert found(matrix, vector, limit, allowed) == by_numpy(rows, vector, limit, allowed)


@pytest.mark.parametrize("precision", PRECISIONS)
def test_possible_rows_are_few_and_hold_the_nearest(precision: Precision) -> None:
    """What is compared in full beside the rows that are wanted is what the error bound cannot tell from them."""
    rows, vector = unit_rows(3000, 64, 22), unit_rows(1, 64, 23)[0]
    matrix = TorchMatrix(rows, device="cpu", precision=precision)
    possible = matrix.possible(vector, 20)
    assert possible.tolist() == sorted(set(possible.tolist()) | set(by_numpy(rows, vector, 20)[0]))
    assert len(possible) < 40


@pytest.mark.parametrize("precision", PRECISIONS)
def test_products_are_within_the_stated_error(precision: Precision) -> None:
    """Of numpy's, for vectors of any length; the bound is not idle: it is small beside what a half can tell apart."""
    for scale in (1.0, 37.5):
        rows, vector = unit_rows(500, 256, 5) * np.float32(scale), unit_rows(1, 256, 6)[0] * np.float32(scale)
        matrix = TorchMatrix(rows, device="cpu", precision=precision)
        off = np.abs(matrix.products(vector) - np.vecdot(rows, vector)).max()
        assert off <= matrix.error(vector) <= 2e-3 * scale * scale


def test_half_precision_loses_nothing_of_stored_vectors() -> None:
    """The key-value store keeps halves, so their bound is that of single precision."""
    rows = unit_rows(300, 64, 7).astype(np.float16).astype(np.float32)
    vector = unit_rows(1, 64, 8)[0]
    half, single = (TorchMatrix(rows, device="cpu", precision=each) for each in PRECISIONS[::-1])
    assert half.error(vector) == single.error(vector)
    assert np.abs(half.products(vector) - single.products(vector)).max() <= 2 * single.error(vector)


@pytest.mark.parametrize("precision", PRECISIONS)
def test_more_rows_than_a_block_are_all_searched(precision: Precision, monkeypatch: pytest.MonkeyPatch) -> None:
    """Blocks are an affair of memory alone; the last one may be short."""
    monkeypatch.setattr(matrices, "_BLOCK_ROWS", 7)
    rows, vector = unit_rows(100, 12, 9), unit_rows(1, 12, 10)[0]
    matrix = TorchMatrix(rows, device="cpu", precision=precision)
    assert len(matrix) == 100
    assert found(matrix, vector, 25) == by_numpy(rows, vector, 25)


def test_rows_are_mapped_from_a_file_that_cannot_be_written(tmp_path: Path) -> None:
    """As replicas are; torch does not warn of it, and the file stays as it is."""
    rows, vector = unit_rows(50, 8, 11), unit_rows(1, 8, 12)[0]
    np.save(tmp_path / "rows.npy", rows)
    mapped = np.load(tmp_path / "rows.npy", mmap_mode="r")
    assert found(TorchMatrix(mapped, device="cpu"), vector, 9) == by_numpy(rows, vector, 9)


def test_matrix_without_rows_finds_nothing() -> None:
    """Neither does a limit of nothing."""
    empty = TorchMatrix(np.zeros((0, 8), np.float32), device="cpu")
    assert found(empty, np.ones(8, np.float32), 5) == ([], [])
    assert empty.products(np.ones(8, np.float32)).shape == (0,)
    assert found(TorchMatrix(unit_rows(3, 8, 13), device="cpu"), np.ones(8, np.float32), 0) == ([], [])


def test_vectors_of_zeros_are_equal_to_each_other() -> None:
    """Texts without a word have no direction; a question without one is as far from all."""
    rows = np.concatenate([np.zeros((3, 8), np.float32), unit_rows(3, 8, 14)])
    matrix = TorchMatrix(rows, device="cpu", precision="float16")
    assert found(matrix, np.zeros(8, np.float32), 6) == ([0, 1, 2, 3, 4, 5], [0.0] * 6)
    assert found(matrix, rows[4], 6) == by_numpy(rows, rows[4], 6)


def test_threads_share_a_matrix() -> None:
    """Each gets its own answer."""
    rows, vectors = unit_rows(400, 16, 15), unit_rows(16, 16, 16)
    matrix = TorchMatrix(rows, device="cpu", precision="float16")
    answers: dict[int, tuple[list[int], list[float]]] = {}

    def ask(number: int) -> None:
        answers[number] = found(matrix, vectors[number], 10)

    threads = [threading.Thread(target=ask, args=(number,)) for number in range(len(vectors))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert answers == {number: by_numpy(rows, vector, 10) for number, vector in enumerate(vectors)}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"precision": "int4"}, "unknown precision"),
        ({"device": "abacus"}, "unknown device"),
        ({"rows": np.zeros(4, np.float32)}, "not a matrix"),
        ({"rows": np.zeros((4, 4), np.float64)}, "not a matrix"),
        ({"rows": np.full((2, 2), 1e6, np.float32), "precision": "float16"}, "too large"),
        ({"rows": np.full((2, 2), np.nan, np.float32)}, "not finite"),
    ],
)
def test_wrong_arguments_are_told(arguments: dict[str, object], message: str) -> None:
    """By the way in, before a question is asked."""
    chosen = {"rows": np.zeros((2, 4), np.float32), "device": "cpu", **arguments}
    with pytest.raises(UsageError, match=message):
        TorchMatrix(**chosen)  # type: ignore[arg-type]


def test_vector_of_another_dimension_is_refused() -> None:
    """A vector of another model is no vector here."""
    matrix = TorchMatrix(unit_rows(3, 8, 17), device="cpu")
    for call in (matrix.products, lambda vector: matrix.nearest(vector, 1)):
        with pytest.raises(UsageError, match="another dimension"):
            call(np.ones(9, np.float32))


def test_missing_gpu_is_told() -> None:
    """A device that this machine lacks is no crash of torch's."""
    import torch

    beyond = torch.cuda.device_count() if torch.cuda.is_available() else 0
    with pytest.raises(Unavailable) as told:
        TorchMatrix(unit_rows(3, 8, 18), device=f"cuda:{beyond}")
    assert told.value.hint


def test_full_device_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """torch says of memory that is short by a RuntimeError; what comes out names the setting that helps."""
    import torch

    def full(*_: object, **__: object) -> object:
        raise torch.OutOfMemoryError("CUDA out of memory.\nTried to allocate much")

    monkeypatch.setattr(torch, "empty", full)
    with pytest.raises(Unavailable, match="cannot be multiplied") as told:
        TorchMatrix(unit_rows(3, 8, 19), device="cpu")
    assert told.value.context["reason"] == "CUDA out of memory."
    assert "CODITECT_DENSE" in str(told.value.hint)


def test_module_loads_without_torch() -> None:
    """torch takes seconds to load, which only who chose it pays."""
    code = "import sys, coditect.models.flag.matrix; sys.exit('torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


@pytest.mark.gpu
def test_gpu_finds_what_numpy_finds() -> None:
    """In half precision, over more rows than a block, with and without a filter."""
    import torch

    if not torch.cuda.is_available():
        pytest.skip("needs a GPU")
    rows, vectors = unit_rows(200_000, 256, 20), unit_rows(5, 256, 21)
    allowed = np.arange(0, len(rows), 3, dtype=np.int64)
    for precision in PRECISIONS:
        matrix = TorchMatrix(rows, device="cuda", precision=precision)
        for vector in vectors:
            assert found(matrix, vector, 200) == by_numpy(rows, vector, 200)
            assert found(matrix, vector, 50, allowed) == by_numpy(rows, vector, 50, allowed)
