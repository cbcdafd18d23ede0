"""Plain text, Markdown and HTML."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from coditect.documents.readers import ReadLimits, read_source
from coditect.documents.readers.markdown import read_text
from coditect.documents.readers.text.front_matter import FrontMatter, read_front_matter
from coditect.documents.source import SourceText
from coditect.errors import ReadError
from tests.effort import times
from tests.growth import require_linear
from tests.unit.documents.documents import assert_well_formed, blocks

# fmt: off
_MARKUP = st.lists(
    st.sampled_from(
        ["# h", "## h\n", "##h", "text *em* `code`", "\n\n", "\n", "- item", "  1. item", "(a) item", "> quote", "| a | b |",
         "|---|---|", "```", "{{var}}", "{{#x}}", "{{/x}}", "<!-- c -->", "<b>x</b>", "<p>para</p>", "<li>i", "***",
         "<table><tr><td>c", "[l](u)", "\\", "&amp;", "---", "e\u0301", "\u00a0", "  ", "</div>", "<pre>a\n b", "<br>",
         "\r\n", "a,b", ";", '"', "{", "[1", "}", "]", ":", "<?xml", "<a>", "</a>"]
    )
    | st.text(max_size=8),
    min_size=1, max_size=30,
).map("".join)
# fmt: on
_NAMES = ("a.md", "a.html", "a.txt", "a.csv", "a.json", "a.xml", "a.jsonl", "a", "a.docx", "a.xlsx", "a.pdf", "a.zip")


def _read_or_refuse(raw: bytes, name: str) -> SourceText | ReadError:
    try:
        return read_source(raw, name)
    except ReadError as error:
        return error


def _check(raw: bytes, name: str) -> None:
    """Well-formed text, twice the same, or a ReadError that helps."""
    outcome = _read_or_refuse(raw, name)
    if isinstance(outcome, ReadError):
        assert outcome.hint
        assert outcome.context["name"] == name
    else:
        assert_well_formed(outcome)
        assert outcome == read_source(raw, name)


@pytest.mark.parametrize("name", _NAMES)
@settings(max_examples=times(60, least=10), deadline=None)
@given(_MARKUP)
def test_every_reader_gives_well_formed_text_or_a_read_error(name: str, text: str) -> None:
    """Whatever a text file holds, blocks lie in order in canonical text, twice the same, or ReadError is raised."""
    _check(text.encode("utf-8", "replace"), name)


@settings(max_examples=times(150, least=10), deadline=None)
@given(st.binary(max_size=200), st.sampled_from(_NAMES))
def test_every_reader_meets_arbitrary_bytes_with_text_or_a_read_error(raw: bytes, name: str) -> None:
    """No other exception leaves a reader."""
    _check(raw, name)


def test_plain_text_keeps_hard_wrapped_lines() -> None:
    """Offsets are those of the file's own characters; blank lines separate paragraphs."""
    source = read_source(b"\n  First line\r\nsecond line\r\n \t\r\nNext.\n", "a.txt")
    assert source.text == "\n  First line\nsecond line\n \t\nNext.\n"
    assert blocks(source) == [("paragraph", 0, "First line\nsecond line"), ("paragraph", 0, "Next.")]


def test_markdown_text_has_no_markup() -> None:
    """Emphasis marks, heading marks, link targets and comments go; code and template variables stay."""
    raw = b"# A *b* `c`\n\nOne **two**\nthree [link](http://x.y), {{name}} &amp; \\*.\n"
    raw += b"\n<!-- gone -->\n\n    code  here\n"
    source = read_source(raw, "a.md")
    assert blocks(source) == [
        ("heading", 1, "A b c"),
        ("paragraph", 0, "One two three link, {{name}} & *."),
        ("code", 0, "code  here"),
    ]
    assert source.title == "A b c"
    assert source.text == "A b c\n\nOne two three link, {{name}} & *.\n\ncode  here"


def test_markdown_lists_print_their_enumerators() -> None:
    """Ordered items print number and delimiter, bullets print nothing, lettered lines are items of their own."""
    raw = b"3. three\n4. four\n   - inner\n\n0) zero\n\nIntro:\n(a) first\nwraps\n(b) second\n"
    assert blocks(read_source(raw, "a.md")) == [
        ("list_item", 1, "3. three"),
        ("list_item", 1, "4. four"),
        ("list_item", 2, "inner"),
        ("list_item", 1, "0) zero"),
        ("paragraph", 0, "Intro:"),
        ("list_item", 1, "(a) first wraps"),
        ("list_item", 1, "(b) second"),
    ]


def test_markdown_tables_and_quotes_are_blocks() -> None:
    """A table row is one line; a quotation is marked as one."""
    raw = b"| H | *I* |\n|---|---|\n| 1 | 2 |\n\n> said\n> so\n"
    assert blocks(read_source(raw, "a.md")) == [
        ("table_row", 0, "H | I"),
        ("table_row", 0, "1 | 2"),
        ("quote", 0, "said so"),
    ]


def test_markdown_front_matter_gives_the_title_and_what_it_tells_of_the_document() -> None:
    """Labels of document control are lines of the text, all else is left out; without keys the dashes are a thematic break."""
    raw = b"""---
title: 'Access'
id: 1
tags: [a, b]
policy_owner: "Head of IT"  # since May
effectiveDate: 2025-01-15
next-review:   2026-01-15
version: 1.10
layout: page
approved_by:
  - A. Board
  - B. Board
...
## 1 Use

Body.
"""
    source = read_source(raw, "a.md")
    assert (source.title, blocks(source)) == (
        "Access",
        [
            ("table_row", 0, "policy owner: Head of IT"),
            ("table_row", 0, "effective Date: 2025-01-15"),
            ("table_row", 0, "next review: 2026-01-15"),
            ("table_row", 0, "version: 1.10"),
            ("table_row", 0, "approved by: A. Board, B. Board"),
            ("heading", 2, "1 Use"),
            ("paragraph", 0, "Body."),
        ],
    )
    assert read_source(b"---\nowner: A. Board\n---\n## Use\n\nBody.\n", "a.md").title == "Use"
    assert read_source(b"+++\nowner = 'A. Board' # x\n+++\nBody.\n", "a.md").text == "owner: A. Board\n\nBody."
    assert read_source(b"---\nBody.\n\n---\nMore.\n", "a.md").text == "Body.\n\nMore."


@pytest.mark.parametrize(
    "text",
    [
        "---\nEmployees must follow these rules: lock the door.\n---\nMore.\n",
        "---\ntitle: Rules\nLock the door at night.\n---\nMore.\n",
        "---\n\n---\nMore.\n",
    ],
)
def test_text_between_thematic_breaks_is_text(text: str) -> None:
    """Nothing of it is left out, though one of its lines may look like a key."""
    assert read_front_matter(text) == FrontMatter("", (), text)


def test_keys_below_another_one_tell_nothing_of_the_document() -> None:
    """The title of its author is not its own, nor is the day of something else its day."""
    text = "---\nauthor:\n  title: CISO\n  date: 2020-01-01\nEffective date: 2026-03-01\n# said once\n---\nText.\n"
    assert read_front_matter(text) == FrontMatter("", ("Effective date: 2026-03-01",), "Text.\n")


def test_lists_of_front_matter_cost_time_in_proportion() -> None:
    """However many items one has: a label of so many is left out, and the next one is read."""

    def work(size: int) -> Callable[[], object]:
        text = "---\nowner:\n" + "- A. Board\n" * size + "version: 2\n---\nBody."
        return lambda: told.append(read_front_matter(text))

    told: list[FrontMatter] = []
    require_linear(work, 200_000)
    assert (told[-1].lines, told[-1].body) == (("version: 2",), "Body.")


@pytest.mark.parametrize(
    ("raw", "shown"),
    [
        ("####9.4.3 Return of assets\n\nAll.", [("heading", 4, "9.4.3 Return of assets"), ("paragraph", 0, "All.")]),
        ("##Scope\n###5.1 *Use* ###\nAll.", [("heading", 2, "Scope"), ("heading", 3, "5.1 Use"), ("paragraph", 0, "All.")]),
        ("##Written in C#", [("heading", 2, "Written in C#")]),
        ("> ###Étendue", [("heading", 3, "Étendue")]),
        ("#hashtag\n\n#1 is fixed", [("paragraph", 0, "#hashtag"), ("paragraph", 0, "#1 is fixed")]),
        ("See\n##Scope", [("paragraph", 0, "See ##Scope")]),
        ("- ##Scope", [("list_item", 1, "##Scope")]),
        ("```\n##Scope\n```\n\n    ##Scope", [("code", 0, "##Scope"), ("code", 0, "##Scope")]),
        ("\\##Scope", [("paragraph", 0, "##Scope")]),
        ("`##Scope`", [("paragraph", 0, "##Scope")]),
        ("##", []),
        ("#######Scope\n\n##-- x\n\n##_x", [("paragraph", 0, text) for text in ("#######Scope", "##-- x", "##_x")]),
    ],
)  # fmt: skip
def test_markdown_headings_without_a_blank_behind_their_marks(raw: str, shown: list[tuple[str, int, str]]) -> None:
    """Marks before a letter or digit head what begins a block; a single mark, code, items and lines inside a paragraph do not."""
    source = read_source(f"{raw}\n\nEnd.".encode(), "a.md")
    assert blocks(source) == [*shown, ("paragraph", 0, "End.")]


STYLED = "##Scope\n\nAll.\n\n###Terms\n\n"


@pytest.mark.parametrize(
    ("raw", "shown"),
    [
        ("Read on.\n##Rules\nKeep it.\n###1.1 More\n\nDone.",
         [("paragraph", "Read on."), ("heading", "Rules"), ("paragraph", "Keep it."), ("heading", "1.1 More"),
          ("paragraph", "Done.")]),
        ("- Lock it.\n##Rules\nKeep it.",
         [("list_item", "Lock it."), ("heading", "Rules"), ("paragraph", "Keep it.")]),
        ("- ##Scope\n- Lock it.", [("list_item", "##Scope"), ("list_item", "Lock it.")]),
        ("See `a\n##b`.\n\n```\nx\n##y\n```", [("paragraph", "See `a"), ("heading", "b`."), ("code", "x\n##y")]),
        ("Read on.\n#Rules\n\\##Not", [("paragraph", "Read on. #Rules ##Not")]),
    ],
)  # fmt: skip
def test_markdown_written_without_blanks_has_headings_inside_of_paragraphs(
    raw: str, shown: list[tuple[str, str]]
) -> None:
    """Where several headings are written so, and most of all; a line that begins an item, code and escaped marks are none."""
    source = read_source((STYLED + raw).encode(), "a.md")
    assert [(kind, text) for kind, _, text in blocks(source)][3:] == shown


@pytest.mark.parametrize(
    "others", ["", "##Scope\n\n", "##Scope\n\n## A\n\n##Terms\n\n## B\n\n", "```\n##a\n```\n\n##b\n\n"]
)
def test_markdown_written_otherwise_keeps_lines_inside_of_paragraphs(others: str) -> None:
    """One heading without a blank, or as many with one, do not tell how a document is written."""
    source = read_source(f"{others}Read on.\n##Rules\nKeep it.".encode(), "a.md")
    assert blocks(source)[-1] == ("paragraph", 0, "Read on. ##Rules Keep it.")


def test_markdown_title_may_be_a_heading_without_a_blank() -> None:
    """The heading that opens a document is its title, as with a blank."""
    assert read_source(b"##Access Policy\n\n##Scope\n\nAll staff.", "a.md").title == "Access Policy"


def test_markdown_of_a_converter_has_blanks_behind_its_marks() -> None:
    """What a converter writes without a blank is the words of the document."""
    source = read_text("##Scope\n\nAll staff.", "a.rtf", ReadLimits())
    assert blocks(source) == [("paragraph", 0, "##Scope"), ("paragraph", 0, "All staff.")]


def test_markdown_of_many_such_headings_is_read_in_linear_time() -> None:
    """Each heading is cut off once, and runs of marks and blanks are looked at once."""

    def work(size: int) -> Callable[[], object]:
        raw = b"##h\n" + b"##b" + b" #" * size + b"x"
        return lambda: read_source(raw, "a.md")

    require_linear(work, 20_000)


@pytest.mark.parametrize("name", ["p.md.tmpl", "p.md.j2", "P.MD.TMPL"])
def test_markdown_templates_lose_lines_of_section_tags_only(name: str) -> None:
    """Standalone section tags print nothing; a tag inside a line stays."""
    source = read_source(b"{{#need}}\nText {{var}}.\n {{/need}} \n{% if x %}\nmore {{#in}}line{{/in}}\n", name)
    assert source.text == "Text {{var}}. more {{#in}}line{{/in}}"
    assert source.reader == "markdown/6"


def test_html_shows_what_a_browser_shows() -> None:
    """White space collapses, hidden elements go, rows and items are lines, numbers are printed."""
    raw = (
        b"<html><head><title> The\n title </title><style>x{}</style></head><body><nav>menu</nav><h2>A &amp; B</h2>"
        b"<p>one\n  two<br>three<script>x()</script></p>bare<ol type=a start=2><li>b<ul><li>in</ul></ol>"
        b"<table><tr><th>H<th>I<tr><td>1<td><p>2<p>3</table><blockquote>q</blockquote><pre>x\n  y</pre>"
    )
    source = read_source(raw, "a.html")
    assert source.title == "The title"
    assert blocks(source) == [
        ("heading", 2, "A & B"),
        ("paragraph", 0, "one two\nthree"),
        ("paragraph", 0, "bare"),
        ("list_item", 1, "b. b"),
        ("list_item", 2, "in"),
        ("table_row", 0, "H | I"),
        ("table_row", 0, "1 | 2 3"),
        ("quote", 0, "q"),
        ("code", 0, "x\n  y"),
    ]


def test_html_nested_without_end_is_refused_fast() -> None:
    """The parser's time grows with the square of the depth, so the depth is bounded."""

    def work(size: int) -> Callable[[], object]:
        raw = b"<div>" * size + b"x"

        def refused() -> None:
            with pytest.raises(ReadError, match="cannot be parsed"):
                read_source(raw, "a.html")

        return refused

    require_linear(work, 300_000)


def test_markdown_headings_cost_time_in_proportion() -> None:
    """Many headings cost time in proportion, and are refused unless the limit is raised."""

    def work(size: int) -> Callable[[], object]:
        raw = b"# heading of a section\n\n" * size
        return lambda: found.append(len(read_source(raw, "a.md", ReadLimits(max_headings=100_000)).blocks))

    found: list[int] = []
    require_linear(work, 3_000)
    assert found[-1] == 3_000
    with pytest.raises(ReadError, match="too many headings"):
        read_source(b"# heading of a section\n\n" * 50_001, "a.md")


@pytest.mark.parametrize("name", ["a.md", "a.txt", "a.csv", "a.html"])
def test_a_single_huge_line_costs_time_in_proportion(name: str) -> None:
    """A line of megabytes costs time in proportion, in every text format, and is refused unless the limit is raised."""

    def work(size: int) -> Callable[[], object]:
        raw = b"word *and* more, " * (size // 17)
        return lambda: found.append(read_source(raw, name, ReadLimits(max_line_chars=30_000_000)))

    found: list[SourceText] = []
    require_linear(work, 600_000)
    assert_well_formed(found[-1])
    with pytest.raises(ReadError, match="single line"):
        read_source(b"word *and* more, " * (2_100_000 // 15), name)


@pytest.mark.parametrize(
    ("name", "raw", "message"),
    [
        ("a.txt", b"The clerk shall sign " + b"!a" * 100_001, "a single word is too long"),
        ("a.txt", b"The clerk shall sign.\n" + b" sign" * 400_001, "a single line is too long"),
        ("a.txt", b"The clerk shall sign.\n" * 100 + b"\n" * 1_000_001, "nearly all white space"),
        ("a.txt", b"The clerk shall sign.\n" + "\u2003\n".encode() * 500_001, "nearly all white space"),
        ("a.html", b"<title>" + b"Form " * 2_001 + b"</title><p>The clerk shall sign.</p>", "the title is too long"),
        ("a.html", b"<p " + b"a=b " * 5_000 + b">The clerk shall sign.</p>", "a tag has 5000 attributes"),
    ],
)
def test_text_that_has_the_shape_of_no_document_is_refused(name: str, raw: bytes, message: str) -> None:
    """What no document has, and what costs time or memory out of proportion to its length."""
    with pytest.raises(ReadError, match=message):
        read_source(raw, name)


@pytest.mark.parametrize(
    ("name", "raw"),
    [
        ("a.txt", b"The clerk shall sign " + b"!a" * 99_999),
        ("a.txt", (b"The clerk shall sign the form." + b"\n" * 50) * 19_000),
        ("a.html", b"<p " + b"a=b " * 4_999 + b">The clerk shall sign.</p>"),
    ],
)
def test_text_that_a_document_may_have_is_read(name: str, raw: bytes) -> None:
    """Just below the bounds; also white space of which there is much, but no more than between blocks far apart."""
    assert read_source(raw, name).text.startswith("The clerk shall sign")
