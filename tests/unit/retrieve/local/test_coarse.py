"""Vectors in eight bits: a detour that changes no answer."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from coditect.models.port import FloatArray, IntArray
from coditect.retrieve.local.meaning import coarse, dense
from coditect.retrieve.local.meaning.coarse import CoarseVectors, _least_of_the_greatest, _rounded, possible
from coditect.retrieve.local.meaning.dense import DenseIndex
from coditect.store.embedded.vectors import VectorBlock
from tests.effort import times


def unit_rows(seed: int, n: int, dimension: int, clusters: int) -> np.ndarray[tuple[int, ...], np.dtype[np.float32]]:
    """Rows of unit length around some centres: many lie close together, as sentences do; stored in 16 bits."""
    generator = np.random.default_rng(seed)
    centres = generator.standard_normal((clusters, dimension))
    rows = centres[generator.integers(0, clusters, n)] + 0.05 * generator.standard_normal((n, dimension))
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    return rows.astype(np.float16).astype(np.float32)


def possible_of(opened: CoarseVectors, vector: FloatArray, limit: int, allowed: IntArray | None = None) -> IntArray:
    """The rows that may be among the nearest, as an index asks for them."""
    return possible(*opened.bounds(vector), limit, allowed)


@settings(max_examples=times(60, least=10), deadline=None)
@given(st.integers(0, 10_000), st.integers(1, 400), st.integers(1, 30), st.integers(1, 500), st.booleans())
def test_possible_rows_hold_all_that_are_nearest(
    tmp_path_factory: pytest.TempPathFactory, seed: int, n: int, clusters: int, limit: int, some: bool
) -> None:
    """No row that the full product ranks among the wanted, or equal to the last of them, is left out."""
    folder = tmp_path_factory.mktemp("coarse")
    rows = unit_rows(seed, n, 32, clusters)
    CoarseVectors.make(folder, rows)
    vector = unit_rows(seed + 1, 1, 32, 1)[0]
    allowed = np.flatnonzero(np.random.default_rng(seed).random(n) < 0.5) if some and n > 20 else np.arange(n)
    found = possible_of(CoarseVectors.open(folder), vector, limit, allowed if some else None)
    cosines = np.vecdot(rows, vector)[allowed]
    last = np.sort(cosines)[::-1][: min(limit, len(cosines))][-1]
    assert set(allowed[cosines >= last].tolist()) <= set(found.tolist()) <= set(allowed.tolist())
    assert (np.diff(found) > 0).all()


def test_few_rows_are_left_where_many_stand(tmp_path: Path) -> None:
    """Of twenty thousand scattered rows a few hundred are compared in full."""
    CoarseVectors.make(tmp_path, unit_rows(1, 20_000, 128, 20_000))
    found = possible_of(CoarseVectors.open(tmp_path), unit_rows(2, 1, 128, 1)[0], 50)
    assert 50 <= len(found) < 1_000


def test_large_index_answers_as_without_the_detour(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Rows and cosines are those of the full product to the last bit, with a filter, too."""
    rows = unit_rows(3, 3_000, 64, 40)
    rows[100:200] = rows[0]  # equal rows stand in their order
    monkeypatch.setattr(dense, "COARSE_FROM", 1_000)
    block = VectorBlock(tuple(f"extraction_{number:040x}" for number in range(len(rows))), rows)
    DenseIndex.make(tmp_path / "i", [("document_a", block)], 64)
    short = DenseIndex(tmp_path / "i")
    monkeypatch.setattr(dense, "COARSE_FROM", 1_000_000)
    whole = DenseIndex(tmp_path / "i")
    most = np.arange(0, 3_000, 2)
    for vector in (rows[0], rows[1_234], unit_rows(4, 1, 64, 1)[0]):
        for limit in (1, 10, 200, 2_999, 5_000):
            assert short.search(vector, limit) == whole.search(vector, limit)
            assert short.search(vector, limit, most) == whole.search(vector, limit, most)


def test_truncated_replica_is_refused(tmp_path: Path) -> None:
    """Parts of different lengths are no replica."""
    CoarseVectors.make(tmp_path, unit_rows(6, 20, 16, 3))
    np.save(tmp_path / "steps.npy", np.ones(3, np.float32))
    with pytest.raises(ValueError, match="do not fit"):
        CoarseVectors.open(tmp_path)


def test_row_of_zeros_has_no_error(tmp_path: Path) -> None:
    """A text without a known word has a vector of zeros; it is as far from everything."""
    rows = np.zeros((3, 8), np.float32)
    rows[1, 0] = 1.0
    CoarseVectors.make(tmp_path, rows)
    opened = CoarseVectors.open(tmp_path)
    assert opened.errors.tolist() == [0.0, 0.0, 0.0]
    assert 1 in possible_of(opened, rows[1], 1).tolist()


def test_products_in_shares_are_those_in_one_piece(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Threads change the time, not the rows."""
    CoarseVectors.make(tmp_path, unit_rows(7, 5_000, 32, 9))
    opened, vector = CoarseVectors.open(tmp_path), unit_rows(8, 1, 32, 1)[0]
    one = possible_of(opened, vector, 40).tolist()
    monkeypatch.setattr(coarse, "_SHARED_FROM", 100)
    assert possible_of(opened, vector, 40).tolist() == one


def test_question_that_is_rounded_much_keeps_its_nearest_row(tmp_path: Path) -> None:
    """What a question loses when it is rounded widens the bounds: here rounding alone would swap the nearest two rows."""
    rows = np.asarray([[127, 10, 0, 11], [127, 0, 11, 10]], np.float32)
    vector = np.asarray([127, 1.49, 1, 0], np.float32)
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    vector /= np.linalg.norm(vector)
    CoarseVectors.make(tmp_path, rows)
    opened = CoarseVectors.open(tmp_path)
    assert opened.errors.max() < 1e-6, "rows that are whole multiples of their step leave no doubt of their own"
    assert np.argmax(rows @ vector) == 0
    assert np.argmax(rows @ np.rint(vector * 127 / vector.max())) == 1
    assert 0 in possible_of(opened, vector, 1).tolist()


def test_row_that_is_rounded_much_stays_among_the_nearest(tmp_path: Path) -> None:
    """What rows lose when they are rounded widens the bounds, too: here rounding alone would swap the nearest two."""
    rows = np.asarray([[127, 1.49, 0], [127, 0, 1.51]], np.float32)
    vector = np.asarray([127, 10, 9], np.float32)
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    vector /= np.linalg.norm(vector)
    CoarseVectors.make(tmp_path, rows)
    opened = CoarseVectors.open(tmp_path)
    assert np.argmax(rows @ vector) == 0
    assert np.argmax(opened.rows * opened.steps[:, None] @ vector) == 1
    assert 0 in possible_of(opened, vector, 1).tolist()


def test_rounded_rows_are_whole_steps_of_a_127th_of_their_greatest() -> None:
    """The greatest magnitude becomes 127 of its sign, the rest the nearest step; what that loses is the distance that is told."""
    rows = np.array([[0.5, -0.3, 0.0], [-1.0, 1.0, 0.004], [0.0, 0.0, 0.0]], np.float32)
    small, steps, errors = _rounded(rows)
    assert small.tolist() == [[127, -76, 0], [-127, 127, 1], [0, 0, 0]]
    assert steps.tolist() == pytest.approx([0.5 / 127, 1 / 127, 1.0])
    assert errors.tolist() == pytest.approx([abs(-0.3 + 76 * 0.5 / 127), abs(0.004 - 1 / 127), 0.0], rel=1e-4, abs=1e-7)


@pytest.mark.parametrize("limit", [1, 2, 3])
def test_least_of_few_is_the_last_of_those_wanted(limit: int) -> None:
    """Of fewer values than make blocks it is exact; where all are wanted nothing is too small."""
    values = np.array([0.1, 0.9, 0.5, 0.7], np.float32)
    assert _least_of_the_greatest(values, limit) == np.sort(values)[::-1][limit - 1]
    assert _least_of_the_greatest(values, 4) == -np.inf
    assert _least_of_the_greatest(values, 5) == -np.inf


@pytest.mark.parametrize("count", [31, 32, 33, 1_000, 1_007])
@pytest.mark.parametrize("limit", [1, 2])
def test_least_of_many_is_reached_by_those_wanted_and_by_few_more(count: int, limit: int) -> None:
    """As many values reach it as are wanted, and not many more."""
    values = np.random.default_rng(count).permutation(count).astype(np.float32)
    reaching = int((values >= _least_of_the_greatest(values, limit)).sum())
    assert limit <= reaching <= 4 * limit


def test_parts_that_do_not_fit_together_are_refused(tmp_path: Path) -> None:
    """Rows of another type, of one dimension, or steps and errors of another number."""
    rows = unit_rows(5, 6, 8, 3)
    for name, wrong in (
        ("coarse.npy", np.zeros((6, 8), np.int16)),
        ("coarse.npy", np.zeros(6, np.int8)),
        ("steps.npy", np.ones(5, np.float32)),
        ("errors.npy", np.ones(7, np.float32)),
    ):
        CoarseVectors.make(tmp_path, rows)
        CoarseVectors.open(tmp_path)
        np.save(tmp_path / name, wrong)
        with pytest.raises(ValueError, match="do not fit together"):
            CoarseVectors.open(tmp_path)
