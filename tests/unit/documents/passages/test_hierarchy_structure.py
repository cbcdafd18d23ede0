"""Where passages begin and end in documents that have a structure."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from pydantic import ValidationError

from coditect.documents.passages.hierarchy import Merging, cut
from coditect.schemas.passage import PassageSettings
from tests.unit.documents.passages.documents import PatternTokenizer, levels_of, read_text, texts_of

_FILLER = "The board of the company meets once in every quarter. "


def _leaves(text: str, size: int, *, least: int | None = None, whole: int | None = None) -> list[str]:
    """The smallest passages of a text when they may have ``size`` tokens."""
    reading = read_text(text)
    least = size // 4 if least is None else least
    merging = Merging((least,), (size if whole is None else whole,))
    return texts_of(reading, levels_of(reading, PassageSettings(chunk_levels=(size,)), merging)[0])


def test_short_document_is_one_passage_at_every_level() -> None:
    """What fits into the smallest size is the same passage four times."""
    reading = read_text("# Policy\n\nStaff shall lock the door.")
    for level in levels_of(reading, PassageSettings()):
        assert texts_of(reading, level) == ["Policy Staff shall lock the door."]


def test_sections_that_are_long_enough_are_not_glued() -> None:
    """Two sections that would fit together stay apart if each could stand alone; a short one joins its neighbour."""
    long = _FILLER * 4
    leaves = _leaves(f"# One\n\n{long}\n\n# Two\n\n{long}\n\n# Three\n\n{long}\n\n# Four\n\nShort.", 200)
    assert [leaf.split()[0] for leaf in leaves] == ["One", "Two", "Three"]
    assert leaves[2].endswith("Four Short.")


def test_sections_are_glued_as_eagerly_as_asked() -> None:
    """With the level's size as least size, whatever fits is joined; with 0, nothing."""
    text = "\n\n".join(f"# Part {name}\n\n{_FILLER}" for name in ("one", "two", "three", "four", "five", "six"))
    assert len(_leaves(text, 70, least=0)) == 6
    assert len(_leaves(text, 70, least=70)) == 2


def test_section_that_fits_is_cut_only_if_asked() -> None:
    """A section below the size for whole ones stays whole; without such a size its clauses are what stands alone."""
    text = f"# Part\n\n{_FILLER}\n\n## Clause\n\n{_FILLER * 2}\n\n## Term\n\n{_FILLER * 2}\n\n# End\n\n{_FILLER * 9}"
    assert _leaves(text, 200)[0].count("The board") == 5
    assert [leaf.count("The board") for leaf in _leaves(text, 200, least=10, whole=0)] == [1, 2, 2, 9]


def test_deeper_borders_are_used_only_where_the_outer_do_not_do() -> None:
    """A long section is cut at its subsections; the others stay whole."""
    inner = "".join(f"## Clause {name}\n\n{_FILLER * 5}\n\n" for name in ("a", "b", "c"))
    leaves = _leaves(f"# One\n\n{_FILLER * 3}\n\n# Two\n\n{inner}# Three\n\n{_FILLER * 3}", 120)
    assert [leaf[: leaf.index(" The")] for leaf in leaves] == ["One", "Two Clause a", "Clause b", "Clause c", "Three"]


def test_heading_stays_with_its_text() -> None:
    """No passage ends with a heading that has text behind it, however long the sentence that follows."""
    sentence = "and ".join(f"item {number} shall be counted " for number in range(14)) + "at noon."
    text = "\n\n".join(f"# Section {name}\n\n## Rules for {name}\n\nThe {sentence}" for name in ("one", "two", "three"))
    for size in range(16, 140, 4):
        for leaf in _leaves(text, size):
            assert not leaf.endswith(("Section one", "Section two", "Section three", "for one", "for two", "for three"))


def test_lead_in_stays_with_the_first_item() -> None:
    """The words that introduce a list are not cut off from it as long as they fit with its first item."""
    items = "\n\n".join(f"({letter}) {_FILLER * 3}" for letter in "abc")
    leaves = _leaves(f"1. Duties. {_FILLER * 3} The Supplier shall:\n\n{items}", 100, least=10)
    assert any("shall: (a)" in leaf for leaf in leaves)
    assert [leaf[:3] for leaf in leaves[-2:]] == ["(b)", "(c)"]


@pytest.mark.parametrize("block", ["- The keeper locks the gate at night.\n", "| The keeper | locks the gate |\n"])
def test_table_and_list_that_fit_are_kept_whole(block: str) -> None:
    """A table or list is not cut if it fits into one passage, wherever the cuts around it fall."""
    block = ("| Who | What |\n| --- | --- |\n" if block.startswith("|") else "") + block * 6
    for before in range(1, 12):
        leaves = _leaves(f"# Part\n\n{_FILLER * before}\n\n{block}\n\n{_FILLER * 12}", 120)
        assert max(leaf.count("The keeper") for leaf in leaves) == 6


def test_table_that_does_not_fit_is_cut_between_rows() -> None:
    """Rows of a long table stay whole."""
    rows = "| The keeper of the gate | locks it at night and opens it at dawn |\n"
    for leaf in _leaves("| Who | What |\n| --- | --- |\n" + rows * 30, 60):
        assert leaf.endswith(("dawn", "dawn |", "What"))
        assert leaf.lstrip("| ").startswith(("The keeper", "Who"))


def test_paragraphs_come_before_sentences() -> None:
    """Where a long section must be cut, it is at paragraphs if these are not too far from the middle."""
    paragraphs = "\n\n".join(f"{_FILLER * 3}End of paragraph {number}." for number in range(6))
    leaves = _leaves(f"# Part\n\n{paragraphs}", 120)
    assert len(leaves) > 2
    assert all(leaf.rstrip(".")[:-1].endswith("End of paragraph ") for leaf in leaves)


def test_pieces_of_a_long_section_are_of_about_one_size() -> None:
    """No small rest is left over at the end."""
    reading = read_text("# Part\n\n" + _FILLER * 23)
    level = levels_of(reading, PassageSettings(chunk_levels=(100,)))[0]
    sizes = [each.tokens for each in level.cuts]
    assert max(sizes) - min(sizes) <= 30


def test_monstrous_word_is_cut_by_tokens() -> None:
    """A word without end fills passages to the brim."""
    reading = read_text("x" * 4000, "word.txt")
    level = levels_of(reading, PassageSettings(chunk_levels=(100,)))[0]
    assert [each.tokens for each in level.cuts] == [100] * 10
    assert all(a.end == b.start for a, b in pairwise(level.cuts))


def test_semantic_cuts_lie_where_the_meaning_drops() -> None:
    """A long paragraph about two things is cut between them, although the middle is elsewhere."""
    first = [f"Invoices are paid by the bank on day {number} after the feast. " for number in range(5)]
    second = [f"Dogs bark at night near barn {number} of the old farm. " for number in range(11)]
    reading = read_text("".join(first + second), "two.txt")
    similarity = np.full(15, 0.9, np.float32)
    similarity[4] = 0.1
    similarity[8] = 0.8
    tokens = PatternTokenizer().starts(reading.source.text)
    semantic = PassageSettings(chunk_levels=(220,), boundaries="semantic")
    levels = cut(reading.source, reading.sections, reading.sentences, tokens, semantic, similarity)
    texts = texts_of(reading, levels[0])
    assert [text.split()[0] for text in texts] == ["Invoices", "Dogs"]
    plain = texts_of(reading, levels_of(reading, PassageSettings(chunk_levels=(220,)))[0])
    assert plain != texts


def test_semantic_passages_are_not_slivers() -> None:
    """A drop close to the border of a passage does not cut off less than a quarter of the size."""
    reading = read_text(_FILLER * 40, "long.txt")
    similarity = np.linspace(0.9, 0.5, 39, dtype=np.float32)
    similarity[1] = -1.0
    tokens = PatternTokenizer().starts(reading.source.text)
    settings = PassageSettings(chunk_levels=(160,), boundaries="semantic")
    level = cut(reading.source, reading.sections, reading.sentences, tokens, settings, similarity)[0]
    assert min(each.tokens for each in level.cuts) >= 40


@pytest.mark.parametrize(
    "settings",
    [
        {"chunk_levels": (512, 256)},
        {"chunk_levels": (256, 256)},
        {"chunk_levels": ()},
        {"chunk_levels": (8, 256)},
        {"chunk_levels": (16, 32, 64, 128, 256, 512, 1024)},
        {"chunk_levels": (256, 65_536)},
        {"overlap_ratio": 0.6},
        {"overlap_ratio": -0.1},
        {"overlap_ratio": float("nan")},
        {"boundaries": "paragraph"},
        {"min_propositions": 11},
        {"max_propositions": 0},
    ],
)
def test_impossible_settings_are_refused(settings: dict[str, object]) -> None:
    """Sizes out of order, too many levels, too much overlap and unknown methods are errors."""
    with pytest.raises(ValidationError):
        PassageSettings.model_validate(settings)
