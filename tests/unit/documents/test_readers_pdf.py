"""PDF files, made on the spot."""

from __future__ import annotations

import pytest

from coditect.documents.readers import ReadLimits, read_source
from coditect.documents.readers.pdf.layout import Line, assemble
from coditect.errors import ReadError
from tests.unit.documents.documents import assert_well_formed, blocks, pdf

_WIDE = "The quick brown fox jumps over the lazy dog and then it runs away from the very angry"


def _line(text: str) -> Line:
    return Line(text, None, False, False)


def test_pdf_lines_of_a_paragraph_are_joined() -> None:
    """Full lines at the usual distance are one paragraph; a wider gap or an indented line starts the next."""
    page = [
        (72, 700, "Heading"),
        (72, 670, _WIDE),
        (72, 658, _WIDE),
        (72, 646, "dogs."),
        (90, 634, f"Next {_WIDE[:60]}"),
    ]
    page += [(72, 600, "\\(a\\) First item."), (72, 588, "\\(b\\) Second item.")]
    source = read_source(pdf([page]), "a.pdf")
    assert_well_formed(source)
    assert blocks(source) == [
        ("paragraph", 0, "Heading"),
        ("paragraph", 0, f"{_WIDE} {_WIDE} dogs."),
        ("paragraph", 0, f"Next {_WIDE[:60]}".strip()),
        ("list_item", 1, "(a) First item."),
        ("list_item", 1, "(b) Second item."),
    ]


def test_pdf_page_map_covers_each_page_and_a_sentence_may_run_over() -> None:
    """A paragraph that goes on in lower case on the next page stays whole; the page map says where each page lies."""
    pages = [
        [(72, 700, f"Alpha {_WIDE}"), (72, 688, "regula-")],
        [(72, 700, "tion applies to all.")],
        [(72, 700, "End.")],
    ]
    source = read_source(pdf(pages), "a.pdf")
    assert_well_formed(source)
    assert source.text == f"Alpha {_WIDE} regulation applies to all.\n\nEnd."
    assert [source.text[p.start : p.end] for p in source.pages] == [
        f"Alpha {_WIDE} regula",
        "tion applies to all.",
        "End.",
    ]
    assert [p.number for p in source.pages] == [1, 2, 3]


def test_pdf_running_lines_are_removed_with_a_warning() -> None:
    """What stands on most pages but for its digits is no text of the document."""
    pages = [
        [(72, 760, "ACME policy"), (72, 700, f"Body of page {word}."), (300, 30, f"Page {n}")]
        for n, word in enumerate(("one", "two", "three"), 1)
    ]
    source = read_source(pdf(pages), "a.pdf")
    assert source.text == "Body of page one.\n\nBody of page two.\n\nBody of page three."
    assert [w.rsplit(": ", 1)[1] for w in source.warnings] == ["ACME policy", "Page #"]


@pytest.mark.parametrize(("pages", "removed"), [(3, True), (2, False)])
def test_pdf_line_is_running_from_three_pages_of_five(pages: int, removed: bool) -> None:
    """A line at the top of three of five pages is no text of the document; on two of five it may be."""
    body = ("one", "two", "three", "four", "five")
    lines = [
        [*([_line("ACME policy")] if n < pages else []), _line(f"Body of page {word}.")] for n, word in enumerate(body)
    ]
    text, _, _, warnings, _ = assemble(lines, [""] * 5)
    assert ("ACME policy" not in text) == removed
    assert bool(warnings) == removed


@pytest.mark.parametrize(
    ("lines", "removed"),
    [
        (["12 340", "7 81", "95 2"], False),
        (["Net sales 12", "Net sales 95", "Net sales 7"], False),
        (["0", "0", "0"], False),
        (["340", "81", "2"], False),
        (["2023 2022", "2023 2022", "2023 2022"], False),
        (["3", "4", "5"], True),
        (["- 1 -", "- 2 -", "- 3 -"], True),
        (["7 / 9", "8 / 9", "9 / 9"], True),
        (["Policy 12 of 2026", "Policy 12 of 2026", "Policy 12 of 2026"], True),
        (["Page 1 of 3", "Page 2 of 3", "Page 3 of 3"], True),
        (["Page " + "9" * 5_000] * 3, True),
    ],
)
def test_pdf_cells_at_the_edges_of_pages_are_text(lines: list[str], removed: bool) -> None:
    """What differs in its digits is a running line only if these count the pages; the figures of a table stay."""
    pages = [
        [_line(f"Body of page {word}."), _line(line)] for word, line in zip(("one", "two", "three"), lines, strict=True)
    ]
    text, _, _, warnings, _ = assemble(pages, [""] * 3)
    assert bool(warnings) == removed
    assert [line in text for line in lines] == [not removed] * 3


def test_pdf_lines_with_plain_dashes_at_one_edge_are_items() -> None:
    """However long they are; an item goes on behind its first line, and one line that begins with a dash is none."""
    page = [(72, 700, "Leavers:"), (80, 688, f"- {_WIDE}"), (88, 676, "at once."), (80, 664, "- lock their screens")]
    page += [(80, 652, "- hand in their keys")]
    assert blocks(read_source(pdf([page]), "a.pdf")) == [
        ("paragraph", 0, "Leavers:"),
        ("list_item", 1, f"- {_WIDE} at once."),
        ("list_item", 1, "- lock their screens"),
        ("list_item", 1, "- hand in their keys"),
    ]
    alone = [
        (72, 700, _WIDE),
        (72, 688, "- it barks - and goes."),
        (90, 676, "- or sleeps, as all dogs do at the end of a day"),
    ]
    found = blocks(read_source(pdf([alone]), "a.pdf"))
    assert found[0] == ("paragraph", 0, f"{_WIDE} - it barks - and goes.")
    assert {kind for kind, _, _ in found} == {"paragraph"}


def test_pdf_table_rows_stay_lines() -> None:
    """Cells far apart, or a row of numbers, are not run together with the text around them."""
    cells = (("Year", "Sales"), ("2022", "14,544"), ("2023", "14,694"))
    page = [(x, 700 - 12 * n, cell) for n, row in enumerate(cells) for x, cell in zip((72, 300), row, strict=True)]
    rows = blocks(read_source(pdf([page]), "a.pdf"))
    assert rows == [("table_row", 0, f"{year} | {sales}") for year, sales in cells]


def test_pdf_cells_stay_apart_and_signs_stay_with_their_amounts() -> None:
    """A currency sign at the edge of a column and a percent sign behind it are no cells of their own; offsets lead to the row."""
    page = [
        (72, 700, "Net sales of the year"),
        (300, 700, "$"),
        (340, 700, "14,544"),
        (430, 700, "12"),
        (480, 700, "%"),
    ]
    source = read_source(pdf([page]), "a.pdf")
    assert source.text == "Net sales of the year | $ 14,544 | 12 %"
    assert [(each.start, each.end, each.number) for each in source.pages] == [(0, len(source.text), 1)]
    assert_well_formed(source)


@pytest.mark.parametrize(
    ("lines", "text"),
    [
        (["the regula-", "tion of it"], "the regulation of it"),
        (["co-sourced it is co-", "sourced"], "co-sourced it is co-sourced"),
        (["a long time and a long-", "time one, a long time"], "a long time and a long-time one, a long time"),
        (["of Austro-", "Mechana"], "of Austro-Mechana"),
    ],
)
def test_pdf_hyphens_at_line_ends(lines: list[str], text: str) -> None:
    """A hyphen goes before lower case, unless the document writes the word with it or both halves are words."""
    assert assemble([[_line(line) for line in lines]], [""])[0] == text


def test_pdf_failures_have_their_own_messages() -> None:
    """No PDF, cut off, damaged, without text layer and too long are told apart."""
    good = pdf([[(72, 700, "Text of the page.")]])
    cases = {
        "not a PDF": b"hello, world",
        "cut off": good[:-200],
        "damaged": b"%PDF-1.4\n%%EOF\n",
        "no text layer": pdf([[], []]),
    }
    for message, raw in cases.items():
        with pytest.raises(ReadError, match=message) as caught:
            read_source(raw, "a.pdf")
        assert caught.value.hint
    with pytest.raises(ReadError, match="too many pages"):
        read_source(pdf([[(72, 700, "x")]] * 3), "a.pdf", ReadLimits(max_pages=2))
    assert "OCR" in str(_hint(pdf([[]])))


def _hint(raw: bytes) -> str | None:
    with pytest.raises(ReadError) as caught:
        read_source(raw, "a.pdf")
    return caught.value.hint


def test_pdf_with_some_pages_scanned_warns() -> None:
    """Pages without a text layer are named."""
    source = read_source(pdf([[(72, 700, "Text of the page.")], []]), "a.pdf")
    assert source.warnings == ("1 of 2 pages have no text layer: 2",)


def test_pdf_encrypted_is_said_to_be() -> None:
    """A document that asks for a password has a message of its own."""
    keys = b"/O <%s> /U <%s>" % (b"41" * 32, b"42" * 32)  # no password yields these
    encrypt = b"/Encrypt << /Filter /Standard /V 1 /R 2 /P -4 %s >> /ID [<%s> <%s>]" % (keys, b"43" * 16, b"43" * 16)
    with pytest.raises(ReadError, match="the PDF is encrypted"):
        read_source(pdf([[(72, 700, "x")]], encrypt), "a.pdf")


def _raised(text: str, by: int = 4) -> str:
    """Small characters above the line, inside a string of a PDF."""
    return f") Tj {by} Ts /F1 6 Tf ({text}) Tj 0 Ts /F1 10 Tf ("


@pytest.mark.parametrize(
    ("shown", "text"),
    [
        (f"within 30{_raised('1')} days", "within 30¹ days"),
        (f"within 30{_raised('12')} days", "within 30¹² days"),
        (f"of notice{_raised('3')}, and", "of notice³, and"),
        (f"of notice.{_raised('4')}", "of notice.⁴"),
        (f"CO{_raised('2', -3)} and 301 days", "CO2 and 301 days"),
        (f"the 5{_raised('th')} day", "the 5th day"),
        (f"{_raised('1')} See Annex", "1 See Annex"),
    ],
)
def test_pdf_marks_of_notes_do_not_join_numbers(shown: str, text: str) -> None:
    """Small digits above the line are raised digits of the text; below the line, and letters, they are what they are."""
    source = read_source(pdf([[(72, 700, shown)]]), "a.pdf")
    assert " ".join(source.text.split()).replace(" ,", ",") == text


def _centred(height: float, text: str, *, width: float = 5.3) -> tuple[float, float, str]:
    """A line in the middle of a page whose text runs from 72 to some 520 points."""
    return (296 - len(text) * width / 2, height, text)


def test_pdf_centred_titles_stand_apart_from_the_text_around_them() -> None:
    """Behind the end of a sentence, at the usual distance; before a text; a title of two lines stays one."""
    page = [
        (72, 700, _WIDE),
        (72, 688, f"{_WIDE[:-12]} end it."),
        _centred(676, "Article 35 of these Rules"),
        (72, 664, f"{_WIDE}"),
        (72, 652, f"{_WIDE[:-12]} end it."),
        _centred(640, "Designation of the competent authorities"),
        _centred(628, "and of the Keepers of the Rolls"),
        (72, 616, _WIDE),
        (72, 604, "dogs."),
    ]
    assert [text for *_, text in blocks(read_source(pdf([page]), "a.pdf"))] == [
        f"{_WIDE} {_WIDE[:-12]} end it.",
        "Article 35 of these Rules",
        f"{_WIDE} {_WIDE[:-12]} end it.",
        "Designation of the competent authorities and of the Keepers of the Rolls",
        f"{_WIDE} dogs.",
    ]


@pytest.mark.parametrize(("pages", "said"), [(1, 2), (2, 2)])
def test_pdf_numbers_of_pages_are_no_text_where_there_are_too_few_pages_to_compare(pages: int, said: int) -> None:
    """ "Rules - Page 1 of 2" at the edge of one page or two; a text that speaks of a page stays."""
    body = [
        [(72, 30, f"Rules - Page {number} of {said}"), (72, 720, "Rules"), (72, 700, "Keep the keys.")]
        for number in range(1, pages + 1)
    ]
    source = read_source(pdf(body), "a.pdf")
    assert "Page" not in source.text
    assert source.warnings == (f"running line removed from {pages} pages (# stands for digits): Rules - Page # of #",)
    other = read_source(pdf([[(72, 700, "See page 2 of 9 of the annex.")], [(72, 700, "Keep the keys.")]]), "a.pdf")
    assert "page 2 of 9" in other.text
    for line in ("Rules - Version 2.1 - Page 1 of 1", "Complete page 1 of 3 and return it."):
        kept = read_source(pdf([[(72, 30, line), (72, 720, "Rules"), (72, 700, "Keep the keys.")]]), "a.pdf")
        assert line in kept.text


def test_pdf_cells_that_stand_close_are_parted_by_the_columns_of_their_table() -> None:
    """Rows that are seen to be a table by a wide gap are parted at each column that they have in common."""
    rows = [("System", "RTO", "RPO"), ("Core ledger", "4 hours", "15 minutes"), ("Card switch", "2 hours", "5 minutes")]
    rows.append(("Data warehouse machine", "3 days", "24 hours"))
    page = [
        (left, 700 - 14 * n, text) for n, row in enumerate(rows) for left, text in zip((72, 205, 250), row, strict=True)
    ]
    assert [text for *_, text in blocks(read_source(pdf([page]), "a.pdf"))] == [" | ".join(row) for row in rows]
