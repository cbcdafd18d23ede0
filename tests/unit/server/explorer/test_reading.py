"""Where marks, statements and pages of a text begin and end: each border from both its sides."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from coditect.documents.source import Block, SourceText
from coditect.server.explorer.shown.reading.pieces import MarkedWords, Overlay
from coditect.server.explorer.shown.reading.structure import blocks_of, structured, windows
from coditect.server.explorer.shown.statements import ShownStatement, Statements, resting_claims, statements_of
from tests.unit.server.explorer.visits import view_of, visit_of


def mark(start: int, end: int, kind: str = "k") -> MarkedWords:
    """A mark."""
    return MarkedWords(start, end, kind, "/", kind)


def said(start: int, end: int, name: str = "s") -> ShownStatement:
    """A statement."""
    return ShownStatement(start, end, "obligation", name, ())


@pytest.mark.parametrize(
    ("start", "end", "found"),
    [(0, 10, []), (0, 11, [(10, 20)]), (9, 10, []), (19, 25, [(10, 20)]), (20, 25, []), (19, 30, [(10, 20)]),
     (19, 31, [(10, 20), (30, 35)]), (34, 99, [(30, 35)]), (35, 99, []), (12, 13, [(10, 20), (12, 13)]), (13, 14, [(10, 20)])],
)  # fmt: skip
def test_what_reaches_into_a_stretch_is_found(start: int, end: int, found: list[tuple[int, int]]) -> None:
    """With its last character or its first; what is empty is nowhere."""
    spans = [(30, 35), (10, 20), (12, 13), (15, 15)]
    overlay = Overlay([], [mark(*each) for each in spans])
    assert [(each.start, each.end) for each in overlay.marks_in(start, end)] == found
    statements = Statements(said(*each) for each in spans if each != (15, 15))
    assert [(each.start, each.end) for each in statements.between(start, end)] == found
    assert not Statements(()).between(start, end)
    assert not Overlay().marks_in(start, end)


def test_statements_stand_in_the_order_of_the_text_the_longer_first() -> None:
    """And are counted by their kinds."""
    found = Statements([said(5, 6, "b"), said(5, 6, "a"), said(5, 9, "long"), said(0, 1, "first")])
    assert [each.item_id for each in found.between(0, 9)] == ["first", "long", "a", "b"]
    assert found.counts == {"obligation": 4}


def test_only_defined_terms_of_a_statement_are_terms() -> None:
    """By where they stand; read once for a document."""
    entities = [SimpleNamespace(kind=kind, char_offset_start=n, char_offset_end=n + 1)
                for n, kind in enumerate(("actor", "defined_term", "defined_term"))]  # fmt: skip
    extraction = SimpleNamespace(
        entities=entities, char_offset_start=0, char_offset_end=9, extraction_kind="k", extraction_id="e"
    )
    reads: Any = []
    view = view_of(each_extraction=lambda document: reads.append(document) or [extraction])
    visit = visit_of(view)
    for _ in range(2):
        (found,) = statements_of(visit, "d").between(0, 1)
        assert found.terms == ((1, 2), (2, 3))
    assert reads == ["d"]


def test_quotes_that_findings_rest_on_are_known_by_their_document() -> None:
    """In the order of the text; a citation of a section that is gone, or of the program's own words, is none."""

    def citation(document: str, start: int) -> Any:  # noqa: ANN401 - a double
        return SimpleNamespace(document_id=document, char_start=start, char_end=start + 2)

    parts = [SimpleNamespace(citation=each) for each in (citation("b", 7), None, citation("a", 5), citation("b", 3))]
    cited = [
        SimpleNamespace(section_id=section, part=part) for section, part in (("s", 0), ("s", 1), ("s", 2), ("gone", 0))
    ]
    claims = {"c1": SimpleNamespace(citations=cited), "c2": SimpleNamespace(citations=[SimpleNamespace(section_id="s", part=3)]),
              "out": SimpleNamespace(citations=cited)}  # fmt: skip
    view = view_of(
        claims=claims,
        section_by_id={"s": SimpleNamespace(content=parts)},
        summary=SimpleNamespace(claims=("c1", "c2"), filtered=("out",)),
    )
    found = resting_claims(visit_of(view))
    assert {document: [tuple(each) for each in places] for document, places in found.items()} == {
        "a": [(5, 7, "c1", "s", 2)],
        "b": [(3, 5, "c2", "s", 3), (7, 9, "c1", "s", 0)],
    }


def test_a_highlight_outside_of_a_stretch_cuts_nothing_there() -> None:
    """Nor does an empty one; one that begins before it has its first piece elsewhere."""
    text = "abcdefghijklmnopqrst"
    shown = Overlay([(0, 3), (5, 5), (4, 12), (15, 20)], [mark(5, 8)]).pieces(text, 4, 14)
    assert [(each.text, each.hit, each.first, bool(each.mark)) for each in shown] == [
        ("e", True, True, False), ("fgh", True, False, True), ("ijkl", True, False, False), ("mn", False, False, False),
    ]  # fmt: skip
    inside = Overlay([(0, 20)]).pieces(text, 4, 14)
    assert [(each.text, each.hit, each.first) for each in inside] == [("efghijklmn", True, False)]
    assert Overlay([(0, 9)], [mark(0, 9)]).pieces(text, 4, 4) == ()


def test_the_smallest_mark_counts_and_of_equal_ones_the_first() -> None:
    """A mark that only touches a piece does not."""
    shown = Overlay([], [mark(0, 9, "wide"), mark(2, 5, "left"), mark(3, 6, "right")]).pieces("abcdefghij", 0, 10)
    assert [(each.text, each.mark and each.mark.kind) for each in shown] == [
        ("ab", "wide"), ("cde", "left"), ("f", "right"), ("ghi", "wide"), ("j", None),
    ]  # fmt: skip


def _block(start: int, end: int) -> Block:
    return Block(start, end, "paragraph")


@pytest.mark.parametrize(
    ("length", "blocks", "edges"),
    [
        (8_999, [(0, 8_999)], [0]),
        (20_000, [(0, 8_999), (8_999, 20_000)], [0]),
        (20_000, [(0, 8_999), (9_000, 20_000)], [0, 9_000]),
        (20_000, [(0, 9_000), (9_001, 9_500), (17_000, 17_500), (18_000, 18_001), (18_001, 20_000)], [0, 9_001, 18_001]),
        (27_000, [(0, 27_000)], [0]),
        (27_001, [(0, 27_001)], [0, 9_000]),
        (36_001, [(0, 36_001)], [0, 9_000, 18_000]),
        (50_000, [(0, 10_000), (10_000, 38_000), (38_000, 50_000)], [0, 10_000, 19_000, 38_000]),
        (0, [], [0]),
    ],
)  # fmt: skip
def test_a_page_ends_with_the_block_that_fills_it(length: int, blocks: list[tuple[int, int]], edges: list[int]) -> None:
    """At nine thousand characters; a block of more than three pages is cut."""
    found = windows(length, [_block(*each) for each in blocks])
    assert found == list(zip(edges, [*edges[1:], length], strict=True))


def _section(start: int, body: int, level: int = 1, heading: str = "x", label: str = "1") -> Any:  # noqa: ANN401 - a double
    return SimpleNamespace(start=start, body_start=body, level=level, heading=heading, label=label)


@pytest.mark.parametrize(
    ("kind", "section", "level"),
    [("paragraph", _section(0, 7), 1), ("list_item", _section(0, 7), 1), ("paragraph", _section(0, 6), 1),
     ("paragraph", _section(0, 7, level=6), 6), ("paragraph", _section(0, 7, level=7), 6),
     ("paragraph", _section(0, 3), None), ("paragraph", _section(1, 7), None), ("paragraph", _section(0, 7, level=0), None),
     ("paragraph", _section(0, 7, heading=""), None), ("paragraph", _section(0, 7, heading="", label="Article 4"), 1),
     ("paragraph", _section(0, 7, heading="", label="§ 4"), 1), ("paragraph", _section(0, 7, heading="", label="(b)"), None),
     ("paragraph", _section(0, 3, heading="", label="Article 4"), None),
     ("table_row", _section(0, 7), None), ("code", _section(0, 7), None)],
)  # fmt: skip
def test_a_block_that_is_nothing_but_a_heading_is_one(kind: Any, section: Any, level: int | None) -> None:  # noqa: ANN401 - doubles
    """Where the outline reads it so, and no words of the section's own stand in it."""
    source = SourceText("1 Aims \n\nThe clerk.", "text/plain", blocks=(Block(0, 7, kind, 2, "id"),))
    (found,) = blocks_of(source, [section])
    assert found == (Block(0, 7, kind, 2, "id") if level is None else Block(0, 7, "heading", level, "id"))


def test_only_blocks_of_the_stretch_are_shown_and_cut_at_its_edges() -> None:
    """One that only touches it is not; headings go down by one level at a time, to the sixth."""
    text = "one two three four"
    blocks = [Block(0, 3, "quote"), Block(4, 7, "paragraph"), Block(8, 13, "code"), Block(14, 18, "paragraph")]
    shown = structured(text, blocks, 3, 14, Overlay())
    assert [(each.kind, "".join(p.text for p in each.lines[0].cells[0])) for each in shown] == [
        ("paragraph", "two"), ("code", "three"),
    ]  # fmt: skip
    shown = structured(text, blocks, 2, 15, Overlay())
    assert ["".join(p.text for p in each.lines[0].cells[0]) for each in shown] == ["e", "two", "three", "f"]
    levels = (1, 2, 3, 4, 5, 6, 6, 3, 1, 6)
    headings = [Block(n, n + 1, "heading", level) for n, level in enumerate(levels)]
    assert [each.level for each in structured(text, headings, 0, 18, Overlay())] == [2, 3, 4, 5, 6, 6, 6, 4, 2, 3]


def test_labels_and_depths_are_of_lists_alone() -> None:
    """A paragraph that begins like an item has none; two quotes are two, two rows one table."""
    text = "(a) one\n(b) two\n(c) three"
    at = ((0, 7), (8, 15), (16, 25))
    for kind, shown in (
        ("paragraph", [("paragraph", 1, False)] * 3), ("quote", [("quote", 1, False)] * 3), ("list_item", [("list", 3, True)]),
        ("table_row", [("table", 3, False)]),
    ):  # fmt: skip
        found = structured(text, [Block(*each, kind, 0) for each in at], 0, 25, Overlay())  # type: ignore[arg-type]
        assert [(each.kind, len(each.lines), each.lines[-1].is_labelled) for each in found] == shown
        assert {line.depth for each in found for line in each.lines} == {1}
    mixed = [Block(0, 7, "list_item", 2), Block(8, 15, "table_row"), Block(16, 25, "list_item", 3)]
    assert [(each.kind, each.lines[0].depth) for each in structured(text, mixed, 0, 25, Overlay())] == [
        ("list", 2), ("table", 1), ("list", 3),
    ]  # fmt: skip
