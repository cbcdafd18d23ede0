"""The tree of a document's passages."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from coditect.errors import NotFound, UsageError
from coditect.schemas.passage import Passage, PassageSettings
from coditect.tiers.extractions.document import DocumentReading
from coditect.tiers.passages import PassageTree, passage_records
from tests.unit.documents.passages.documents import DERIVATION, PatternTokenizer, documents, read_text, version_of

_LONG = "\n\n".join(f"# Part {name}\n\n" + "The board meets in every quarter. " * 9 for name in ("one", "two", "three"))


def _passages(reading: DocumentReading, overlap: float = 0.0) -> list[Passage]:
    settings = PassageSettings(chunk_levels=(24, 48, 96), overlap_ratio=overlap)
    return list(passage_records(version_of(reading), reading, DERIVATION, [], settings, PatternTokenizer()))


@given(documents, st.sampled_from([0.0, 0.25]))
def test_tree_leads_up_and_down(reading: DocumentReading, overlap: float) -> None:
    """A passage is among its parent's children; its ancestor at a level holds it."""
    passages = _passages(reading, overlap)
    tree = PassageTree(passages[::-1])
    assert [tree.at(level) for level in (2, 1, 0)] == [tuple(p for p in passages if p.level == n) for n in (2, 1, 0)]
    for each in passages:
        assert tree.by_id[each.passage_id] is each
        assert all(tree.parent(child) is each for child in tree.children(each))
        top = tree.ancestor(each, 2)
        assert top.level == 2
        assert top.char_offset_start <= each.char_offset_start < each.char_offset_end <= top.char_offset_end
        assert tree.ancestor(each, each.level) is each


@given(documents, st.sampled_from([0.0, 0.5]))
def test_leaf_is_found_at_every_letter(reading: DocumentReading, overlap: float) -> None:
    """Every code point that is not white space lies in a smallest passage; the first of those that hold it is found."""
    tree, text = PassageTree(_passages(reading, overlap)), reading.source.text
    for offset in range(0, len(text) + 2, 7):
        holding = [p for p in tree.at(0) if p.char_offset_start <= offset < p.char_offset_end]
        found = tree.leaf_at(offset)
        if offset < len(text) and not text[offset].isspace():
            assert found is holding[0]
        else:
            assert found is None or found in holding


def test_levels_that_are_not_there_are_refused() -> None:
    """Level 3 of three, a negative one, and an ancestor below are errors."""
    tree = PassageTree(_passages(read_text(_LONG)))
    assert tree.level_count == 3
    for wrong in (3, -1):
        with pytest.raises(UsageError, match="no such level"):
            tree.at(wrong)
    with pytest.raises(UsageError, match="no such level"):
        tree.ancestor(tree.at(0)[0], 3)
    with pytest.raises(UsageError, match="no ancestor"):
        tree.ancestor(tree.at(1)[0], 0)


def test_tree_without_a_parent_says_so() -> None:
    """A parent that is not among the passages is an error, not None."""
    passages = _passages(read_text(_LONG))
    tree = PassageTree([each for each in passages if each.level != 1])
    with pytest.raises(NotFound, match="parent is missing"):
        tree.parent(passages[-1])
    assert tree.parent(passages[0]) is None


def test_empty_tree_holds_nothing() -> None:
    """A document without passages has no levels and no leaves."""
    tree = PassageTree([])
    assert tree.level_count == 0
    assert tree.leaf_at(0) is None
