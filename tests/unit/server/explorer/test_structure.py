"""A document as structured text: nothing is lost, and what stands together is shown together."""

from __future__ import annotations

import itertools

from coditect.documents.source import Block, SourceText
from coditect.documents.structure.outline import outline
from coditect.server.explorer.shown.reading.pieces import MarkedPiece, Overlay
from coditect.server.explorer.shown.reading.structure import WINDOW, Element, blocks_of, structured, windows


def _text(cells: tuple[tuple[MarkedPiece, ...], ...]) -> list[str]:
    return ["".join(piece.text for piece in cell) for cell in cells]


def _shown(text: str, blocks: tuple[Block, ...], start: int = 0, end: int | None = None) -> tuple[Element, ...]:
    return structured(text, blocks, start, len(text) if end is None else end, Overlay())


def _blocks(*given: tuple[str, str, int]) -> tuple[str, tuple[Block, ...]]:
    text, blocks = "", []
    for words, kind, level in given:
        start = len(text)
        text += words
        blocks.append(Block(start, len(text), kind, level))  # type: ignore[arg-type]
        text += "\n\n"
    return text, tuple(blocks)


def test_lists_and_tables_stand_together() -> None:
    """Items that follow each other are one list, rows one table with its cells; a paragraph between them parts them."""
    text, blocks = _blocks(
        ("one", "list_item", 1),
        ("two", "list_item", 2),
        ("A | B", "table_row", 0),
        ("c |", "table_row", 0),
        ("Words.", "paragraph", 0),
        ("three", "list_item", 1),
    )
    shown = _shown(text, blocks)
    assert [element.kind for element in shown] == ["list", "table", "paragraph", "list"]
    assert [line.depth for line in shown[0].lines] == [1, 2]
    assert [_text(line.cells) for line in shown[1].lines] == [["A", "B"], ["c", ""]]


def test_a_bar_inside_of_a_cell_parts_nothing() -> None:
    """Only what readers write between cells parts them."""
    text, blocks = _blocks(("a|b | c||d", "table_row", 0))
    assert _text(_shown(text, blocks)[0].lines[0].cells) == ["a|b", "c||d"]


def test_headings_never_skip_a_level() -> None:
    """Screen readers walk by levels: a page that begins below a heading begins with level 2."""
    text, blocks = _blocks(("A", "heading", 4), ("B", "heading", 6), ("C", "heading", 1), ("D", "heading", 3))
    assert [element.level for element in _shown(text, blocks)] == [2, 3, 2, 3]


def test_a_text_without_layout_has_paragraphs_and_the_outlines_headings() -> None:
    """Blank lines part paragraphs; a paragraph that is nothing but a section's heading is a heading."""
    source = SourceText(
        "1. Purpose\n\n1.1 The clerk shall sign.\nAt once.\n\n2. Scope\n\n2.1 Everybody must.\n", "text/plain"
    )
    shown = _shown(source.text, blocks_of(source, outline(source)))
    assert [(each.kind, _text(each.lines[0].cells)[0]) for each in shown] == [
        ("heading", "1. Purpose"),
        ("paragraph", "1.1 The clerk shall sign.\nAt once."),
        ("heading", "2. Scope"),
        ("paragraph", "2.1 Everybody must."),
    ]


def test_items_that_print_their_label_have_no_bullet() -> None:
    """ "(a)" is the document's own label."""
    text, blocks = _blocks(("(a) first", "list_item", 1), ("2.1 second", "list_item", 1), ("A plan", "list_item", 1))
    assert [line.is_labelled for line in _shown(text, blocks)[0].lines] == [True, True, False]


def test_windows_hold_the_whole_text_once() -> None:
    """Also of a text with one block that is longer than any page; no page is much longer than a page is."""
    text, blocks = _blocks(*[(f"{n} " * 400, "paragraph", 0) for n in range(40)], ("x" * 10 * WINDOW, "paragraph", 0))
    found = windows(len(text), blocks)
    assert found[0][0] == 0
    assert found[-1][1] == len(text)
    assert all(before[1] == after[0] for before, after in itertools.pairwise(found))
    assert all(0 < end - start <= 4 * WINDOW for start, end in found)
    joined = "".join(
        piece.text
        for start, end in found
        for element in structured(text, blocks, start, end, Overlay())
        for line in element.lines
        for cell in line.cells
        for piece in cell
    )
    assert joined == "".join(text[block.start : block.end] for block in blocks)
