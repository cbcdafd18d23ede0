"""Structural passages. All texts are invented."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from coditect.documents.passages.structural import passages
from coditect.documents.source import Block, SourceText
from coditect.documents.structure.outline import outline
from coditect.errors import UsageError
from tests.effort import times

SENTENCE = "The vendor keeps each log for one year. "


def plain(text: str) -> SourceText:
    return SourceText(text, "text/plain")


def test_small_siblings_are_joined() -> None:
    """Clauses that together fit the target make one passage, of the section that holds them all."""
    source = plain("1. Logs\n\n" + "".join(f"({c}) {SENTENCE}\n\n" for c in "abc"))
    sections = outline(source)
    found = passages(source, sections)
    assert len(found) == 1
    assert sections[found[0].section].section_id == "sec_1"


def test_large_clause_is_split_at_paragraphs() -> None:
    """A clause over the maximum is cut at blank lines where that gives pieces of the target size."""
    paragraph = SENTENCE * 20
    source = plain("1. Logs\n\n" + "\n\n".join([paragraph.strip()] * 12))
    found = passages(source, outline(source))
    assert len(found) > 3
    assert all(source.text[p.start : p.end].endswith("year.") for p in found)
    assert all(p.start == 0 or source.text[p.start - 2 : p.start] == "\n\n" for p in found)


def test_large_paragraph_is_split_at_sentence_ends() -> None:
    """A paragraph over the maximum is cut after sentences."""
    source = plain(SENTENCE * 300)
    found = passages(source, outline(source))
    assert len(found) > 3
    assert all(source.text[p.start : p.end].endswith("year.") for p in found)
    assert max(p.end - p.start for p in found) <= 2400


def test_text_without_any_break_is_cut_hard() -> None:
    """Nothing is longer than the maximum, whatever the text."""
    source = plain("x" * 20_000)
    assert max(p.end - p.start for p in passages(source, outline(source))) <= 6000


def test_top_level_border_is_kept_once_a_passage_is_long_enough() -> None:
    """A passage of at least the minimum size ends with its top-level section."""
    source = plain(f"1. Logs. {SENTENCE * 15}\n\n2. Keys. {SENTENCE * 15}\n")
    sections = outline(source)
    assert [sections[p.section].section_id for p in passages(source, sections)] == ["sec_1", "sec_2"]


def test_table_is_a_passage_of_its_own() -> None:
    """Rows are not joined with running text that is long enough to stand alone."""
    prose = (SENTENCE * 12).strip()
    text = f"{prose}\n\nPump | 3\nSeal | 4"
    a = len(prose) + 2
    blocks = (Block(0, len(prose), "paragraph"), Block(a, a + 8, "table_row"), Block(a + 9, a + 17, "table_row"))
    source = SourceText(text, "text/markdown", blocks=blocks)
    assert [p.kind for p in passages(source, outline(source))] == ["text", "table"]


def test_heading_alone_is_heading_only() -> None:
    """A passage that holds no body says so."""
    source = SourceText("Logs", "text/markdown", blocks=(Block(0, 4, "heading", 1),))
    assert [p.kind for p in passages(source, outline(source))] == ["heading_only"]


def test_sizes_out_of_order_are_refused() -> None:
    """The three sizes must increase."""
    source = plain("x")
    with pytest.raises(UsageError):
        passages(source, outline(source), target_chars=100, max_chars=50, min_chars=10)


@given(
    st.lists(
        st.sampled_from([SENTENCE, "1. Foo\n", "2. Bar\n", "(a) x\n", "(b) y\n", "\n\n", "word ", "ARTICLE I\n"]),
        max_size=80,
    ),
    st.integers(1, 60),
    st.integers(0, 80),
    st.integers(0, 200),
)
@settings(max_examples=times(200, least=10), deadline=None)
def test_passages_cover_the_text_in_order(parts: list[str], least: int, more: int, most: int) -> None:
    """Every character that is not white space is in exactly one passage, none is too long, sections contain them."""
    source = plain("".join(parts))
    sections = outline(source)
    sizes = {"min_chars": least, "target_chars": least + more, "max_chars": least + more + most}
    found = passages(source, sections, **sizes)
    position = 0
    for passage in found:
        assert position <= passage.start < passage.end
        assert not source.text[position : passage.start].strip()
        assert source.text[passage.start : passage.end].strip() == source.text[passage.start : passage.end]
        assert passage.end - passage.start <= sizes["max_chars"]
        assert sections[passage.section].start <= passage.start < passage.end <= sections[passage.section].end
        position = passage.end
    assert not source.text[position:].strip()
    assert found == passages(source, sections, **sizes)
