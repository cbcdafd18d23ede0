"""Columns of shares: what is read of many at once is what each of them says."""

from __future__ import annotations

import random
from collections.abc import Sequence

import numpy as np
import pytest

from coditect.tiers.findings.said.statements import statements_of
from coditect.tiers.shares.joined.blocks import blocks_of
from coditect.tiers.shares.joined.columns import JoinedShares, ShareColumns, are_as_packed, columns_of
from coditect.tiers.shares.kept import ARRAYS, KeptShare, opened
from coditect.tiers.shares.packing import packed
from coditect.tiers.shares.share import share_of
from tests.unit.tiers.corpora import chunks_of
from tests.unit.tiers.shares.test_shares import MANY

SOURCE = ("derivation_1", "derivation_2")


@pytest.fixture(scope="module")
def alone() -> list[KeptShare]:
    """Shares that lie in no columns."""
    found = []
    for name, text in MANY.items():
        chunks = chunks_of({name: text})
        statements = statements_of(chunks)
        data = packed(share_of(chunks, statements, ()), chunks, statements, SOURCE)
        found.append(opened(data, chunks[0].document_id if chunks else name, SOURCE))
    return found


def _lying(shares: Sequence[KeptShare]) -> list[KeptShare]:
    columns = ShareColumns(columns_of(shares))
    return [KeptShare(each.document_id, each.container, (columns, number)) for number, each in enumerate(shares)]


def test_arrays_of_many_shares_are_those_of_each(alone: list[KeptShare]) -> None:
    """Of all, of some, of one, of none, in any order, with others between that lie in no columns or in other ones."""
    half = len(alone) // 2
    lying = [*_lying(alone[:half]), *_lying(alone[half:])]
    chance = random.Random(7)  # noqa: S311 - drawn for a test
    for count in (0, 1, 2, half, len(alone), len(alone)):
        numbers = sorted(chance.sample(range(len(alone)), count))
        mixed = [chance.choice((lying, lying, alone))[number] for number in numbers]
        if count == 2:
            mixed.reverse()
        joined = JoinedShares(mixed)
        for name, kind in ARRAYS.items():
            own = [share.array(name, kind) for share in mixed]
            assert joined.array(name).tolist() == [value for each in own for value in each.tolist()], name
            assert joined.array(name).dtype == np.dtype(kind)
            assert joined.lengths(name).tolist() == [len(each) for each in own]
            assert joined.owners(name).tolist() == [number for number, each in enumerate(own) for _ in each]


def test_words_are_the_same_in_columns_and_without(alone: list[KeptShare]) -> None:
    """Each word with its code, and the list that it stands in, among those of all documents."""
    for name, ends in (("stems", "stem_ends"), ("entry_words", "entry_word_ends"), ("headed", "headed_ends")):
        told = [
            [(block.codes.tolist(), block.owners.tolist()) for block in blocks_of(shares, name, ends)]
            for shares in (alone, _lying(alone))
        ]
        assert told[0] == told[1]
        codes = [code for each in told[0] for code in each[0]]
        assert codes == [int(share.codes[number]) for share in alone for number in share.array(name, "<u4").tolist()]
        assert codes


def test_places_in_one_share_are_places_in_all(alone: list[KeptShare]) -> None:
    """An entry's statement is found among the statements of all."""
    joined = JoinedShares(_lying(alone))
    starts = joined.array("sentence_starts")[joined.placed("entry_statements", "sentence_starts")].tolist()
    own = [share.array("sentence_starts", "<u4")[share.array("entry_statements", "<u4")] for share in alone]
    assert starts == [start for each in own for start in each.tolist()]
    assert starts


def test_columns_that_say_something_else_are_told(alone: list[KeptShare]) -> None:
    """Those of another document under this one's number; and bytes that are no columns are refused."""
    (first, *_), other = _lying(alone), ShareColumns(columns_of(alone[1:]))
    assert are_as_packed(first)
    assert are_as_packed(alone[0])
    assert not are_as_packed(KeptShare(first.document_id, first.container, (other, 0)))
    data = columns_of(alone)
    for harmed in (data[:-9], data.replace(b'"columns/1"', b'"columns/0"'), b""):
        with pytest.raises((ValueError, KeyError, TypeError)):
            ShareColumns(harmed)
