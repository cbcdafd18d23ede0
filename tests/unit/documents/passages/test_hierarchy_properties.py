"""What holds of passages whatever the document and the settings."""

from __future__ import annotations

import sys
from bisect import bisect_left
from collections.abc import Callable
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from coditect.documents.passages import hierarchy
from coditect.documents.passages.hierarchy import Cut, Level, Merging, anchored, count_tokens, cut
from coditect.documents.source import SourceText
from coditect.errors import UsageError
from coditect.schemas.passage import BoundaryMethod, PassageSettings
from coditect.tiers.extractions.document import DocumentReading, read_document
from tests.growth import require_linear
from tests.unit.documents.passages.documents import PatternTokenizer, anchored_tokens, documents, levels_of, read_text

_METHODS: tuple[BoundaryMethod, ...] = ("semantic", "sentence", "fixed")
_SIZES = st.lists(st.integers(16, 200), min_size=1, max_size=4, unique=True).map(lambda sizes: tuple(sorted(sizes)))
_SETTINGS = st.builds(
    PassageSettings,
    chunk_levels=_SIZES,
    overlap_ratio=st.sampled_from([0.0, 0.1, 0.25, 0.5]),
    boundaries=st.sampled_from(_METHODS),
)


def _siblings(level: Level) -> list[list[Cut]]:
    groups: dict[int, list[Cut]] = {}
    for each in level.cuts:
        groups.setdefault(each.parent, []).append(each)
    return list(groups.values())


def _assert_covered(text: str, start: int, end: int, inside: list[Cut]) -> None:
    at = start
    for each in inside:
        assert not text[at : each.start].strip()
        at = max(at, each.end)
    assert not text[at:end].strip()


@given(documents, _SETTINGS)
def test_children_lie_in_their_parent_and_cover_it(reading: DocumentReading, settings: PassageSettings) -> None:
    """Every child lies inside its one parent, which counts it; children together leave out nothing but white space."""
    text = reading.source.text
    levels = levels_of(reading, settings)
    assert [level.size for level in levels] == list(settings.chunk_levels)
    _assert_covered(text, 0, len(text), list(levels[-1].cuts))
    assert all(each.parent == -1 for each in levels[-1].cuts)
    for below, above in pairwise(levels):
        assert [each.parent for each in below.cuts] == sorted(each.parent for each in below.cuts)
        for index, parent in enumerate(above.cuts):
            children = list(below.cuts[parent.first_child : parent.first_child + parent.child_count])
            assert children
            assert all(each.parent == index for each in children)
            assert all(parent.start <= each.start and each.end <= parent.end for each in children)
            _assert_covered(text, parent.start, parent.end, children)
        assert sum(parent.child_count for parent in above.cuts) == len(below.cuts)
    assert all(each.child_count == 0 for each in levels[0].cuts)


@given(documents, _SETTINGS)
def test_passages_keep_to_their_size(reading: DocumentReading, settings: PassageSettings) -> None:
    """No passage has more tokens than its level's size, and each says how many begin in it."""
    tokens = anchored_tokens(reading)
    for level in levels_of(reading, settings):
        for each in level.cuts:
            assert each.tokens == count_tokens(tokens, each.start, each.end)
            assert 1 <= each.tokens <= level.size


@given(documents, _SETTINGS)
def test_passages_are_trimmed_and_none_lies_in_its_sibling(reading: DocumentReading, settings: PassageSettings) -> None:
    """Passages begin and end with ink; those of one parent begin and end one after the other."""
    text = reading.source.text
    for level in levels_of(reading, settings):
        for each in level.cuts:
            assert text[each.start : each.end] == text[each.start : each.end].strip() != ""
        for group in _siblings(level):
            assert all(a.start < b.start and a.end < b.end for a, b in pairwise(group))


@given(documents, _SETTINGS)
def test_overlap_keeps_to_its_ratio_and_begins_where_it_may(
    reading: DocumentReading, settings: PassageSettings
) -> None:
    """A passage repeats at most its share of the one before, from the start of a sentence, or of a token if fixed."""
    tokens = anchored_tokens(reading)
    sentence_starts = {sentence.start for sentence in reading.sentences}
    for level in levels_of(reading, settings):
        for before, after in (pair for group in _siblings(level) for pair in pairwise(group)):
            shared = bisect_left(tokens, before.end) - bisect_left(tokens, after.start)
            assert shared <= settings.overlap_ratio * level.size
            if after.start < before.end:
                assert settings.overlap_ratio > 0
                assert after.start in (tokens if settings.boundaries == "fixed" else sentence_starts)


@given(documents, _SETTINGS)
def test_cutting_is_deterministic(reading: DocumentReading, settings: PassageSettings) -> None:
    """The same document and settings give the same passages."""
    assert levels_of(reading, settings) == levels_of(reading, settings)


@given(documents, st.sampled_from(_METHODS[:2]))
def test_no_sentence_is_cut_that_fits(reading: DocumentReading, boundaries: BoundaryMethod) -> None:
    """Except for 'fixed', passages end at sentence ends wherever the sentence, with its headings, is not too long."""
    size = 80
    tokens = anchored_tokens(reading)
    level = levels_of(reading, PassageSettings(chunk_levels=(size,), boundaries=boundaries))[0]
    ends = {sentence.end for sentence in reading.sentences}
    heads = max((section.body_start - section.start for section in reading.sections[1:]), default=0)
    for each in level.cuts:
        if each.end not in ends:
            around = next(s for s in reading.sentences if s.start < each.end < s.end)
            assert count_tokens(tokens, around.start, around.end) > size - 4 * heads


@given(documents)
def test_fixed_passages_are_full(reading: DocumentReading) -> None:
    """Cutting after a fixed number of tokens leaves only the last passage of a parent with fewer."""
    level = levels_of(reading, PassageSettings(chunk_levels=(32,), boundaries="fixed"))[0]
    tokens = anchored_tokens(reading)
    for before, after in pairwise(level.cuts):
        first = bisect_left(tokens, before.start)
        # A token that did not fit any more may be one of several at one code point.
        assert bisect_left(tokens, after.start) - first >= 31


def test_fixed_overlap_is_exact() -> None:
    """With fixed boundaries each passage repeats just its share of the one before."""
    reading = read_text("word " * 400, "words.txt")
    level = levels_of(reading, PassageSettings(chunk_levels=(100,), overlap_ratio=0.25, boundaries="fixed"))[0]
    tokens = anchored_tokens(reading)
    assert [each.tokens for each in level.cuts] == [100, 100, 100, 100, 100]
    assert [bisect_left(tokens, each.start) for each in level.cuts] == [0, 75, 150, 225, 300]


def test_sentence_overlap_is_there() -> None:
    """With sentences much shorter than the overlap, each passage but the first repeats some of the one before."""
    reading = read_text("The board met in May. " * 120, "minutes.txt")
    level = levels_of(reading, PassageSettings(chunk_levels=(100,), overlap_ratio=0.2))[0]
    tokens = anchored_tokens(reading)
    shared = [bisect_left(tokens, a.end) - bisect_left(tokens, b.start) for a, b in pairwise(level.cuts)]
    assert len(shared) > 5
    assert all(14 <= each <= 20 for each in shared)


@pytest.mark.parametrize("boundaries", _METHODS)
@pytest.mark.parametrize("text", ["", " \n\t ", "\u3000"])
def test_blank_text_has_no_passages(text: str, boundaries: BoundaryMethod) -> None:
    """There are all levels, and nothing on them."""
    reading = read_document(SourceText(text, "text/plain"))
    levels = levels_of(reading, PassageSettings(boundaries=boundaries))
    assert [level.cuts for level in levels] == [(), (), (), ()]


@given(st.text(alphabet="ab \n😀", max_size=40))
def test_anchored_tokens_stay_in_order_and_leave_white_space(text: str) -> None:
    """Tokens keep their number and order, and none that reaches into a word begins before it."""
    tokens = PatternTokenizer().starts(text)
    moved = anchored(text, tokens)
    assert len(moved) == len(tokens)
    assert moved == sorted(moved)
    for before, after, following in zip(tokens.tolist(), moved, [*moved[1:], len(text)], strict=False):
        assert before <= after
        if text[after].isspace():
            assert not text[after:following].strip()


@given(st.data(), st.text(alphabet="ab \n\x85\u2009\u3000\ufeff😀\ud800", max_size=40), st.integers(1, 9))
def test_anchored_token_begins_at_the_ink_before_the_next(data: st.DataObject, text: str, at_once: int) -> None:
    """Each token moves over white space to the ink behind it, if the next token does not begin before; in blocks of any size."""
    tokens = sorted(data.draw(st.lists(st.integers(0, len(text)), max_size=20)))
    expected = []
    for start, following in zip(tokens, [*tokens[1:], len(text)], strict=False):
        ink = [at for at in range(start, following) if not text[at].isspace()]
        expected.append(ink[0] if ink else start)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(hierarchy, "_TOKENS_AT_ONCE", at_once)
        assert anchored(text, np.array(tokens, dtype=np.int64)) == expected


def test_white_space_behind_the_table_of_ink_there_is_none() -> None:
    """The last entry of the table stands for all characters behind it."""
    assert not any(chr(code).isspace() for code in range(len(hierarchy._INK) - 1, sys.maxunicode + 1))


@pytest.mark.parametrize("tokens", [[3, 1], [-1, 2], [0, 99]])
def test_tokens_of_another_text_are_refused(tokens: list[int]) -> None:
    """Offsets that cannot be those of the text are an error, not wrong passages."""
    with pytest.raises(UsageError, match="out of order"):
        anchored("some text", np.array(tokens, dtype=np.int64))


def test_semantic_boundaries_need_similarities() -> None:
    """Without one value for each pair of sentences there is an error that names the way out."""
    reading = read_text("One thing. Another thing. A third.")
    tokens = PatternTokenizer().starts(reading.source.text)
    settings = PassageSettings(boundaries="semantic")
    with pytest.raises(UsageError, match="need similarities"):
        cut(reading.source, reading.sections, reading.sentences, tokens, settings)
    for wrong in (np.zeros(7, np.float32), np.full(2, np.nan, np.float32)):
        with pytest.raises(UsageError, match="not one similarity"):
            cut(reading.source, reading.sections, reading.sentences, tokens, settings, wrong)


def test_merging_must_name_every_level() -> None:
    """One least size for four levels is an error."""
    with pytest.raises(UsageError, match="least sizes"):
        levels_of(read_text("Text."), PassageSettings(), Merging((1,), (1,)))


@pytest.mark.parametrize("blank", [" ", "\t", "\n", "\xa0"])
def test_anchored_over_a_long_gap_is_linear(blank: str) -> None:
    """Each token of the white space looks no further than the next; the last one reaches the word behind it."""

    def work(size: int) -> Callable[[], None]:
        text, tokens = blank * size + "word", np.arange(size, dtype=np.int64)
        return lambda: found.append(anchored(text, tokens))

    found: list[list[int]] = []
    require_linear(work, 40_000)
    assert all(starts == [*range(len(starts) - 1), len(starts)] for starts in found)
