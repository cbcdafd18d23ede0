"""Tokens of passages as an encoder read them: what a replica keeps of them, and how near they come to those of a question."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

from coditect.models.port import ReadTokens
from coditect.models.rows import unit_rows
from coditect.retrieve.local.meaning.reading import GROWTH, ReadIndex, ReadNearness, ReadWriter
from coditect.store.embedded.tokens import coded, decoded

WIDTH = 64


def _tokens(*ids: int, turned: float = 0.0) -> ReadTokens:
    """Each token a direction of its own, turned by its neighbours."""
    own = np.random.default_rng(7).standard_normal((100, WIDTH))
    rows = own[list(ids)] + turned * own[[(each + 50) % 100 for each in ids]]
    return ReadTokens(np.asarray(ids, np.int64), unit_rows(rows.reshape(-1, WIDTH)))


def _index(folder: Path, *units: ReadTokens) -> ReadIndex:
    with ReadWriter(folder) as writer:
        writer.add(map(coded, units))
    return ReadIndex(folder)


def test_tokens_of_a_unit_are_kept(tmp_path: Path) -> None:
    """By row, by token; one without words has none."""
    index = _index(tmp_path, _tokens(5, 3, 5), _tokens(), _tokens(1))
    assert [each.ids.tolist() for each in index.of([2, 0, 1])] == [[1], [3, 5, 5], []]
    assert (decoded(index.of([2])[0].codes) @ _tokens(1).vectors.T).item() > 0.98
    assert np.load(tmp_path / "codes.npy").shape == (4, WIDTH // 2)


def test_no_units_are_an_index_too(tmp_path: Path) -> None:
    """A corpus may have no passages."""
    index = _index(tmp_path)
    assert len(index) == 0
    assert ReadNearness(index).of(_tokens(1), np.zeros(0, np.int64)).tolist() == []


def test_what_a_token_tells_is_how_few_units_hold_it(tmp_path: Path) -> None:
    """However often one of them does; nothing where nearly all do."""
    index = _index(tmp_path, _tokens(5, 5, 5, 3), _tokens(3), _tokens(3, 4), _tokens(3))
    found = index.rarity(np.asarray([5, 4, 3, 99], np.int64)).tolist()
    assert found == pytest.approx([math.log(5 / 1.5), math.log(5 / 1.5), math.log(5 / 4.5), math.log(5 / 0.5)])


def test_nearest_is_the_unit_that_says_it_the_same_way(tmp_path: Path) -> None:
    """The same token among other words is farther, another one farther still; the mean is 0."""
    index = _index(tmp_path, _tokens(9, 8), _tokens(1, 2, turned=0.9), _tokens(1, 2))
    near = ReadNearness(index).of(_tokens(1, 2), np.arange(3, dtype=np.int64))
    assert near.argsort().tolist() == [0, 1, 2]
    assert near.sum() == pytest.approx(0)


def test_longer_units_lose_what_they_come_nearer_by_chance(tmp_path: Path) -> None:
    """Of two that say it alike, the shorter one is nearer by the growth of the logarithm of their lengths."""
    index = _index(tmp_path, _tokens(1), _tokens(1, 1, 1, 1))
    near = ReadNearness(index).of(_tokens(1), np.asarray([0, 1], np.int64))
    assert near[0] - near[1] == pytest.approx(GROWTH * math.log(4))


def test_a_unit_without_tokens_stands_where_it_stood(tmp_path: Path) -> None:
    """So do all where the question has none that tells something."""
    index = _index(tmp_path, _tokens(), _tokens(1), _tokens(2))
    near = ReadNearness(index).of(_tokens(1), np.arange(3, dtype=np.int64))
    assert near[0] == 0
    assert near[1] > near[2]
    assert not ReadNearness(index).of(_tokens(), np.arange(3, dtype=np.int64)).any()


def test_files_that_do_not_fit_together_are_no_index(tmp_path: Path) -> None:
    """A truncated replica is made again."""
    _index(tmp_path, _tokens(1, 2))
    np.save(tmp_path / "read.npy", np.zeros(1, np.uint16))
    with pytest.raises(ValueError, match="do not fit"):
        ReadIndex(tmp_path)
