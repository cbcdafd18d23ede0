"""Where words stand on pages: the stored form, rectangles of spans, and what a second program finds in them."""

from __future__ import annotations

import json
import re
import shutil
from base64 import b64encode
from contextlib import suppress
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from coditect.documents.layout import decode_layout, encode_layout
from coditect.documents.places import PlacedPage, Run, decode_places, encode_places, rectangles
from coditect.documents.readers import read_source
from coditect.documents.source import SourceText
from coditect.errors import Corrupt
from tests.unit.documents.documents import pdf

GOLDEN = Path(__file__).with_name("places-1.json")

PAGES = (
    PlacedPage(1, 2448, 3168, (Run(100, 40, ((0, 5, 288, 400), (6, 9, 410, 500))), Run(90, 20, ((9, 10, 502, 510),)))),
    PlacedPage(3, 3168, 2448, (Run(7, 300, ((12, 900, 0, 3168),)),)),
)


def _boxes(source: SourceText, words: str) -> list[tuple[int, tuple[float, ...]]]:
    start = source.text.index(words)
    found = rectangles(decode_places(source.places), start, start + len(words))
    return [(page.number, box) for page, boxes in found for box in boxes]


def test_stored_form_is_that_of_version_1() -> None:
    """The golden copy is read, and written again the same, for ever."""
    golden = json.loads(GOLDEN.read_text("utf-8"))
    pages = tuple(
        PlacedPage(
            p["number"], p["width"], p["height"], tuple(Run(t, h, tuple(map(tuple, w))) for t, h, w in p["runs"])
        )
        for p in golden["pages"]
    )
    assert pages == PAGES
    assert decode_places(golden["stored"]) == PAGES
    assert encode_places(PAGES) == golden["stored"]


_small = st.integers(0, 5000)
_word = st.tuples(st.integers(0, 3), st.integers(1, 30), st.integers(-4000, 4000), st.integers(0, 4000))


@st.composite
def _placed(draw: st.DrawFn) -> tuple[PlacedPage, ...]:
    pages, number, at = [], 0, 0
    for runs in draw(
        st.lists(st.lists(st.tuples(_small, _small, st.lists(_word, min_size=1, max_size=4)), max_size=4))
    ):
        number += draw(st.integers(1, 200))
        made = []
        for top, height, words in runs:
            placed = []
            for gap, length, left, width in words:
                at += gap
                placed.append((at, at + length, left, left + width))
                at += length
            made.append(Run(top, height, tuple(placed)))
        pages.append(PlacedPage(number, draw(_small), draw(_small), tuple(made)))
    return tuple(pages)


@given(_placed())
def test_places_come_back_as_they_were(pages: tuple[PlacedPage, ...]) -> None:
    """Whatever pages, runs and words; single pages are the same when they are read alone."""
    stored = encode_places(pages)
    assert decode_places(stored) == pages
    for page in pages:
        assert decode_places(stored, {page.number}) == (page,)


@given(st.binary(max_size=60))
def test_bytes_that_are_no_places_are_refused(data: bytes) -> None:
    """With the error of stored bytes that are not what was stored, and no other."""
    with suppress(Corrupt):
        decode_places(b64encode(data).decode())


@pytest.mark.parametrize("stored", ["é", "AQ", "AgA=", encode_places(PAGES)[:-8], encode_places(PAGES)[:-4] + "////"])
def test_damaged_places_are_refused(stored: str) -> None:
    """Cut off, of another version, or not base64."""
    with pytest.raises(Corrupt):
        decode_places(stored)


def test_words_have_the_rectangles_where_the_file_sets_them() -> None:
    """10 point Helvetica at (72, 700) of a page of 792: the rectangle is around the baseline, from the left edge on."""
    source = read_source(pdf([[(72, 700, "The clerk shall sign."), (72, 680, "Every page.")]]), "a.pdf")
    [(page, (left, top, right, bottom))] = _boxes(source, "clerk")
    assert page == 1
    assert 72 < left < 100 < right < 120
    assert 792 - 700 - 10 < top < 792 - 700 < bottom < 792 - 700 + 4
    [(_, whole)] = _boxes(source, "The clerk shall sign.")
    assert 71.5 <= whole[0] <= 72.5


def test_span_within_a_word_has_the_whole_word() -> None:
    """A word is the smallest thing with a rectangle."""
    source = read_source(pdf([[(72, 700, "The clerk shall sign.")]]), "a.pdf")
    assert _boxes(source, "ler") == _boxes(source, "clerk")


def test_span_over_lines_and_pages_has_a_rectangle_on_each() -> None:
    """One for each line, in the order of the text; a hyphen that was taken off a word leaves both halves their places."""
    line = "The clerk of the company shall sign each and every page of the agree-"
    pages = [
        [(72, 700, line), (72, 688, "ment before the term ends and shall keep it with the minutes, so that")],
        [(72, 700, "nobody can say that the agreement was not read by the clerk.")],
    ]
    source = read_source(pdf(pages), "a.pdf")
    assert [page for page, _ in _boxes(source, "agreement before")] == [1, 1]
    start, end = source.text.index("ends and"), source.text.index("nobody") + 6
    assert [page.number for page, _ in rectangles(decode_places(source.places), start, end)] == [1, 2]


def test_cells_of_a_row_have_rectangles_of_their_own() -> None:
    """What stands between the cells is not highlighted."""
    source = read_source(pdf([[(72, 700, "Net sales"), (300, 700, "14,544"), (400, 700, "14,694")]]), "a.pdf")
    assert " | " in source.text
    boxes = [box for _, box in _boxes(source, source.text)]
    assert len(boxes) == 3
    assert all(left[2] < right[0] for left, right in pairwise(boxes))


@pytest.mark.parametrize("turn", [0, 90, 180, 270])
def test_turned_and_cropped_pages_are_placed_as_they_are_shown(turn: int) -> None:
    """The place of a word on a page that is turned, and cut out of a larger one."""
    raw = pdf([[(72, 700, "The clerk shall sign each page.")]])
    boxed = b"/MediaBox [0 0 612 792]"
    turned = b"/MediaBox [0 0 612 792] /CropBox [50 100 550 750] /Rotate %d" % turn
    source = read_source(_with_offsets(raw.replace(boxed, turned)), "a.pdf")
    [(_, box)] = _boxes(source, "The")
    middle = ((box[0] + box[2]) / 2, (box[1] + box[3]) / 2)
    x, y = 80 - 50, 750 - 703
    wanted = {0: (x, y), 90: (650 - y, x), 180: (500 - x, 650 - y), 270: (y, 500 - x)}[turn]
    assert middle == pytest.approx(wanted, abs=4)


def _with_offsets(raw: bytes) -> bytes:
    """A PDF whose objects were changed, with a table of where they begin that is right again."""
    body = raw[: raw.index(b"xref\n")]
    offsets = [found.start() for found in re.finditer(rb"^\d+ 0 obj", body, re.MULTILINE)]
    table = b"xref\n0 %d\n0000000000 65535 f \n" % (len(offsets) + 1)
    table += b"".join(b"%010d 00000 n \n" % each for each in offsets)
    trailer = raw[raw.index(b"trailer\n") : raw.index(b"startxref")]
    return body + table + trailer + b"startxref\n%d\n%%%%EOF\n" % len(body)


def test_layout_without_places_is_read_and_written_as_before() -> None:
    """As earlier releases stored it; with places it comes back with them."""
    source = read_source(pdf([[(72, 700, "The clerk shall sign.")]]), "a.pdf")
    plain = SourceText(source.text, source.media_type, blocks=source.blocks, pages=source.pages)
    assert b"places" not in encode_layout(plain)
    for each in (source, plain):
        again = decode_layout(each.text, encode_layout(each), media_type=each.media_type, title="", reader="")
        assert again.places == each.places


@pytest.mark.skipif(shutil.which("pdftotext") is None, reason="pdftotext is not installed")
@pytest.mark.parametrize("name", ["data-processing-agreement.pdf", "internal-audit-report-ia-2026-04.pdf"])
def test_another_program_finds_the_words_under_their_rectangles(name: str) -> None:
    """Random spans of the sample's PDFs, read by poppler under the rectangles."""
    pages = pytest.importorskip("coditect_benchmarks.pages")
    import coditect.sample

    path = Path(coditect.sample.__file__).parent / "corpus" / name
    source = read_source(path.read_bytes(), name)
    for _, start, end in pages.spans([source.text], 8, seed=7):
        found = pages.compared(pages.found_under(path, source, start, end))
        assert found == pages.compared(source.text[start:end])
