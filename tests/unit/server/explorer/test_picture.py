"""A page of a PDF as it looks: where its words, its highlights and its marks stand, in points."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from coditect.documents.places import UNITS_PER_POINT, PlacedPage, PlacedRun
from coditect.documents.source import PageSpan
from coditect.schemas import DocumentVersion
from coditect.server.explorer.shown.reading.picture import Picture, PictureBox, picture_of
from coditect.server.explorer.shown.reading.pieces import MarkedWords
from coditect.server.explorer.visit import Visit
from tests.unit.server.explorer.visits import partly, view_of, visit_of

TEXT = "The clerk\nsigns it."
POINT = UNITS_PER_POINT
SPAN = PageSpan(2, 0, 19)


def placed(number: int) -> PlacedPage:
    """A page with two runs: three words, the last of which stands apart, and one below."""
    words = ((0, 3, 10 * POINT, 30 * POINT), (4, 9, 35 * POINT, 60 * POINT), (10, 15, 300 * POINT, 330 * POINT))
    first = PlacedRun(100 * POINT, 10 * POINT, words)
    second = PlacedRun(120 * POINT, 20 * POINT, ((16, 19, 10 * POINT, 20 * POINT),))
    return PlacedPage(number, 500 * POINT, 800 * POINT, (first, second))


def picture(
    monkeypatch: pytest.MonkeyPatch,
    *pages: PlacedPage,
    span: PageSpan | None = SPAN,
    media: str = "application/pdf",
) -> Picture | None:
    """The picture of a page."""
    asked: Any = []
    desk = SimpleNamespace(placed=lambda _store, _version, *at: asked.append(at) or pages)
    monkeypatch.setattr(Visit, "source", lambda *_: (SimpleNamespace(text=TEXT), ()))
    version = partly(DocumentVersion, version_id="v", media_type=media)
    marks = [MarkedWords(4, 9, "term", "/term", "Defined term"), MarkedWords(90, 99, "term", "/far", "far")]
    found = picture_of(visit_of(view_of(), page_desk=desk), version, span, [(0, 9), (12, 17)], marks)
    assert asked == ([] if span is None or media != "application/pdf" else [(span.start, span.end)])
    return found


def test_a_page_shows_its_words_where_they_stand(monkeypatch: pytest.MonkeyPatch) -> None:
    """To be selected: each line by the left end of its baseline, with the size of its letters."""
    found = picture(monkeypatch, placed(1), placed(2))
    assert found is not None
    assert (found.number, found.width, found.height) == (2, 500.0, 800.0)
    assert found.href == "/e/c/c/documents/v/pages/2.png"
    assert [(each.text, each.x, each.y, each.size, each.width) for each in found.lines] == [
        ("The clerk", 10.0, 107.9, 8.6, 50.0), ("signs", 300.0, 107.9, 8.6, 30.0), ("it.", 10.0, 135.8, 17.2, 10.0),
    ]  # fmt: skip


def test_highlights_and_marks_stand_over_their_words(monkeypatch: pytest.MonkeyPatch) -> None:
    """A box for each line, or cell; what stands on another page has none."""
    found = picture(monkeypatch, placed(2))
    assert found is not None
    assert found.hits == (
        PictureBox(10.0, 100.0, 50.0, 10.0), PictureBox(300.0, 100.0, 30.0, 10.0), PictureBox(10.0, 120.0, 10.0, 20.0),
    )  # fmt: skip
    (mark,) = found.marks
    assert (mark.href, mark.title, mark.kind) == ("/term", "Defined term", "term")
    assert mark.boxes == (PictureBox(35.0, 100.0, 25.0, 10.0),)


def test_heights_are_told_to_a_hundredth_of_a_point(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever they are."""
    run = PlacedRun(1, 7 * POINT + 1, ((0, 3, 0, POINT), (4, 9, POINT, 2 * POINT)))
    found = picture(monkeypatch, PlacedPage(2, POINT, POINT, (run,)))
    assert found is not None
    (line,) = found.lines
    height, top = (7 * POINT + 1) / POINT, 1 / POINT
    assert (line.y, line.size) == (round(top + 0.79 * height, 2), round(0.86 * height, 2))


@pytest.mark.parametrize(
    ("pages", "span", "media"),
    [((1, 3), SPAN, "application/pdf"), ((2,), None, "application/pdf"), ((2,), SPAN, "text/html"), ((), SPAN, "application/pdf")],
)  # fmt: skip
def test_what_is_no_page_of_a_pdf_has_no_picture(
    monkeypatch: pytest.MonkeyPatch, pages: tuple[int, ...], span: PageSpan | None, media: str
) -> None:
    """Nor has one whose words nobody has placed."""
    assert picture(monkeypatch, *map(placed, pages), span=span, media=media) is None
