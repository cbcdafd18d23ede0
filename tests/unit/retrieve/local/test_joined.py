"""Matrices that are joined of others: they tell and find what one tells and finds that was written at once."""

from __future__ import annotations

from itertools import accumulate
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from coditect.retrieve.local.files import DenseWriter
from coditect.retrieve.local.joined import join
from coditect.retrieve.local.meaning import dense
from coditect.retrieve.local.meaning.coarse import CoarseVectors
from coditect.retrieve.local.meaning.dense import DenseIndex
from coditect.retrieve.local.meaning.tokens import TokenIndex, TokenWriter
from coditect.store.embedded.vectors import VectorBlock
from tests.effort import times

DIMENSION = 8


class _Tokens:
    """A text is its tokens."""

    tokens_id = "numbers@1"

    def tokens(self, texts: list[str]) -> list[np.ndarray[tuple[int, ...], np.dtype[np.int64]]]:
        return [np.unique(np.asarray([int(each) for each in text.split()], np.int64)) for text in texts]


def _block(document: str, version: int, size: int) -> VectorBlock:
    """A version of a document: some of its rows are those of the version before, and of other documents."""
    rows = np.random.default_rng(version * 7 + size).integers(-1, 2, (size, DIMENSION)).astype(np.float32)
    ids = tuple(
        f"claim_{(hash_of(document) + (number if number % 3 else version * 100 + number)):015x}"
        for number in range(size)
    )
    return VectorBlock(ids, rows)


def hash_of(document: str) -> int:
    """The same in every process."""
    return sum(ord(letter) for letter in document) * 10_000_000


def _texts(block: VectorBlock) -> list[str]:
    return [
        " ".join(str(int(value) + 5) for value in row[: 1 + at % 4]) if at % 5 else ""
        for at, row in enumerate(block.rows)
    ]


def _write(folder: Path, documents: dict[str, VectorBlock], *, rounded: bool) -> None:
    with DenseIndex.writer(folder, DIMENSION, rounded=rounded) as writer, TokenWriter(folder, _Tokens()) as tokens:  # type: ignore[arg-type]
        for document, block in documents.items():
            writer.add(document, block)
            tokens.add(_texts(block))


versions = st.lists(
    st.dictionaries(st.sampled_from([f"document_{letter}" for letter in "abcdef"]), st.integers(0, 12), max_size=6),
    min_size=1,
    max_size=4,
)


@settings(max_examples=times(120, least=20), deadline=None)
@given(versions, st.sets(st.sampled_from([f"document_{letter}" for letter in "abcdef"]), max_size=3), st.booleans())
def test_joined_matrix_is_the_one_that_is_written_at_once(
    tmp_path_factory: pytest.TempPathFactory, written: list[dict[str, int]], gone: set[str], rounded: bool
) -> None:
    """Documents are written again and again, and some go: rows, ids, tokens, look-ups and what is nearest are the same."""
    folder = tmp_path_factory.mktemp("joined")
    last: dict[str, tuple[int, VectorBlock]] = {}
    for number, sizes in enumerate(written):
        blocks = {document: _block(document, number, size) for document, size in sizes.items()}
        _write(folder / "j" / str(number), blocks, rounded=rounded)
        last |= {document: (number, block) for document, block in blocks.items()}
    there = {document: last[document] for document in sorted(last) if document not in gone}
    join(folder / "j", {document: number for document, (number, _) in there.items()})
    _write(folder / "w", {document: block for document, (_, block) in there.items()}, rounded=rounded)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(dense, "COARSE_FROM", 5)
        joined, whole = DenseIndex(folder / "j"), DenseIndex(folder / "w")
    _compare(joined, whole)
    tokens, wanted = TokenIndex(folder / "j"), TokenIndex(folder / "w")
    every = range(len(whole))
    assert [each.tolist() for each in tokens.of(every)] == [each.tolist() for each in wanted.of(every)]
    some = np.arange(9)
    assert tokens.rarity(some).tolist() == wanted.rarity(some).tolist()


def _compare(joined: DenseIndex, whole: DenseIndex) -> None:
    assert len(joined) == len(whole)
    assert joined.rows.tobytes() == whole.rows.tobytes()
    assert joined.numbers.tolist() == whole.numbers.tolist()
    assert list(joined.item_ids) == joined.item_ids[:] == whole.item_ids[:]
    assert list(joined.document_ids) == list(whole.document_ids)
    assert joined.sample(3).tobytes() == whole.sample(3).tobytes()
    assert joined.sampled.tobytes() == whole.sampled.tobytes() == whole.rows.tobytes()
    for document in (*set(whole.document_ids), "document_of_another_corpus"):
        assert joined.document_rows(document) == whole.document_rows(document)
        assert joined.block_of(document).item_ids == whole.block_of(document).item_ids
        assert joined.block_of(document).rows.tobytes() == whole.block_of(document).rows.tobytes()
    asked = np.append(whole.numbers, 5)
    if len(set(whole.numbers.tolist())) == len(whole):
        assert joined.rows_of(asked).tolist() == whole.rows_of(asked).tolist()
    vector = (np.arange(DIMENSION) / 12).astype(np.float32)
    for limit in (1, 3, 100):
        assert joined.search(vector, limit) == whole.search(vector, limit)
        allowed = np.arange(0, len(whole), 2)
        assert joined.search(vector, limit, allowed) == whole.search(vector, limit, allowed)


def test_rows_that_no_longer_count_are_found_nowhere(tmp_path: Path) -> None:
    """A former version of a document lies in its segment; no number, token or nearest row leads to it."""
    old, new = _block("document_a", 1, 4), _block("document_a", 2, 2)
    _write(tmp_path / "0", {"document_a": old, "document_b": _block("document_b", 1, 3)}, rounded=False)
    _write(tmp_path / "1", {"document_a": new}, rounded=False)
    join(tmp_path, {"document_a": 1, "document_b": 0})
    index = DenseIndex(tmp_path)
    assert index.document_rows("document_a") == (0, 2)
    assert (len(index), index.item_ids[:2]) == (5, list(new.item_ids))
    lost = np.asarray([int(each.rpartition("_")[2], 16) for each in set(old.item_ids) - set(new.item_ids)])
    assert len(lost)
    assert (index.rows_of(lost) == -1).all()


@pytest.mark.parametrize("places", [[4, 0], [-1, 0, 7], [4, 6, 7], [4, 0, 11]])
def test_places_that_are_not_those_of_the_segments_are_refused(tmp_path: Path, places: list[int]) -> None:
    """Runs without rows, or beyond the rows that there are, and more or fewer of them than documents."""
    with DenseWriter(tmp_path / "0", DIMENSION) as writer:
        writer.add("document_a", _block("document_a", 1, 4))
        writer.add("document_b", _block("document_b", 1, 3))
    join(tmp_path, {"document_b": 0, "document_a": 0})
    assert DenseIndex(tmp_path).document_ids[:] == ["document_b"] * 3 + ["document_a"] * 4
    np.save(tmp_path / "places.npy", np.asarray(places, np.int64))
    with pytest.raises(ValueError, match="do not fit"):
        DenseIndex(tmp_path)


def test_segments_of_which_one_is_not_rounded_are_compared_in_full(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Eight bits are used where all have them."""
    monkeypatch.setattr(dense, "COARSE_FROM", 1)
    _write(tmp_path / "0", {"document_a": _block("document_a", 1, 40)}, rounded=True)
    with DenseWriter(tmp_path / "1", DIMENSION) as writer:
        writer.add("document_b", _block("document_b", 1, 9))
    join(tmp_path, {"document_a": 0, "document_b": 1})
    assert [CoarseVectors.is_in(tmp_path / each) for each in "01"] == [True, False]
    vector = np.ones(DIMENSION, np.float32)
    index = DenseIndex(tmp_path)
    cosines = index.rows @ vector
    assert [row for row, _ in index.search(vector, 5)] == sorted(range(49), key=lambda row: (-cosines[row], row))[:5]
    assert list(accumulate(map(len, (index.document_ids[:40], index.document_ids[40:])))) == [40, 49]
