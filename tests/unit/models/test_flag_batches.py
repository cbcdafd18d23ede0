"""Batches whose shape depends on a text's own length only."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from hypothesis import example, given
from hypothesis import strategies as st

from coditect.models.flag.batches import Batch, batches

LENGTHS = st.lists(st.integers(1, 128), max_size=40)


def tokenised(lengths: Sequence[int]) -> list[dict[str, list[int]]]:
    """Texts of these numbers of tokens; each token says to which text it belongs."""
    return [{"input_ids": [row + 10] * length, "attention_mask": [1] * length} for row, length in enumerate(lengths)]


def made(lengths: Sequence[int], batch_tokens: int, longest: int = 128) -> list[Batch]:
    return list(batches(tokenised(lengths), batch_tokens=batch_tokens, longest=longest, padding_id=7))


@given(LENGTHS, st.sampled_from([0, 32, 100, 256, 1024]))
def test_each_text_is_in_one_batch_with_its_tokens(lengths: list[int], batch_tokens: int) -> None:
    """Every text is there once, with its own tokens, padded with what the mask hides."""
    found = made(lengths, batch_tokens)
    assert sorted(row for batch in found for row in batch.rows) == list(range(len(lengths)))
    for batch in found:
        ids, mask = batch.inputs["input_ids"], batch.inputs["attention_mask"]
        assert ids.shape == mask.shape
        assert ids.dtype == mask.dtype == np.int64
        for place, row in enumerate(batch.rows):
            assert ids[place][mask[place] == 1].tolist() == [row + 10] * lengths[row]
            assert set(ids[place][mask[place] == 0].tolist()) <= {7}


@given(LENGTHS, st.integers(1, 128), st.sampled_from([0, 32, 100, 256, 1024]))
def test_shape_does_not_depend_on_neighbours(lengths: list[int], length: int, batch_tokens: int) -> None:
    """A text is computed in the same shape alone and among any others."""
    alone = made([length], batch_tokens)[0].inputs["input_ids"].shape
    among = made([*lengths, length], batch_tokens)
    assert {batch.inputs["input_ids"].shape for batch in among if len(lengths) in batch.rows} == {alone}


@given(LENGTHS, st.integers(1, 128), st.sampled_from([32, 100, 256, 1024]))
@example([20, 31], 32, 256)
@example([128, 128], 100, 1024)
def test_whether_anything_is_padded_does_not_depend_on_neighbours(
    lengths: list[int], length: int, batch_tokens: int
) -> None:
    """A batch is padded in all of its rows or in none: an attention without a mask is another kernel on a GPU."""
    alone = made([length], batch_tokens)[0].inputs["attention_mask"].all()
    for batch in made([*lengths, length], batch_tokens):
        padded = (batch.inputs["attention_mask"] == 0).any(axis=1)
        assert padded.all() or not padded.any()
        if len(lengths) in batch.rows:
            assert padded.any() != alone


@given(LENGTHS, st.sampled_from([32, 100, 256, 1024]))
def test_batches_stay_within_their_tokens(lengths: list[int], batch_tokens: int) -> None:
    """A batch is no larger than asked for, unless one text is."""
    for batch in made(lengths, batch_tokens):
        height, width = batch.inputs["input_ids"].shape
        assert height == 1 or height * width <= batch_tokens
        assert width <= 128


def test_texts_alone_are_not_padded() -> None:
    """Without batches each text has its own length, longest first."""
    assert [batch.inputs["input_ids"].shape for batch in made([3, 5, 1], 0)] == [(1, 5), (1, 3), (1, 1)]


def test_padding_stops_at_what_the_model_reads() -> None:
    """Lengths are rounded up to powers of two, but not beyond the model's limit."""
    assert made([65], 1024, longest=100)[0].inputs["input_ids"].shape[1] == 100
    assert made([65], 1024, longest=0)[0].inputs["input_ids"].shape[1] == 128


def test_no_text_is_no_batch() -> None:
    """Nothing in, nothing out."""
    assert made([], 0) == made([], 256) == []
