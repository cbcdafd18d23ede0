"""A page of a PDF as it looks, with highlights over its words and a layer of text that can be selected."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from coditect.documents.places import UNITS_PER_POINT, PlacedPage, rectangles, stretches
from coditect.documents.source import PageSpan
from coditect.knowledge.pages.desk import PDF
from coditect.schemas import DocumentVersion
from coditect.server.explorer.shown.pieces import MarkedWords
from coditect.server.explorer.visit import Visit

__all__ = ["Picture", "PictureBox", "PictureLine", "PictureMark", "picture_of"]

_BASELINE = 0.79  # of a run's height, from its top
_LETTERS = 0.86  # of a run's height: the size of its font


@dataclass(frozen=True, slots=True)
class PictureBox:
    """A rectangle, in points from the upper left corner of the page."""

    x: float
    y: float
    width: float
    height: float


@dataclass(frozen=True, slots=True)
class PictureMark:
    """Words that can be clicked: where they lead, what they are, and where they stand."""

    href: str
    title: str
    kind: str
    boxes: tuple[PictureBox, ...]


@dataclass(frozen=True, slots=True)
class PictureLine:
    """Words beside each other: text, left end of its baseline, size of the font and width, in points."""

    text: str
    x: float
    y: float
    size: float
    width: float


@dataclass(frozen=True, slots=True)
class Picture:
    """A page.

    Attributes:
        number: the physical page.
        href: address of the picture.
        width: of the page, points.
        height: of the page, points.
        hits: what is highlighted.
        marks: what can be clicked.
        lines: the text, to be selected.
    """

    number: int
    href: str
    width: float
    height: float
    hits: tuple[PictureBox, ...]
    marks: tuple[PictureMark, ...]
    lines: tuple[PictureLine, ...]


def picture_of(
    visit: Visit,
    version: DocumentVersion,
    span: PageSpan | None,
    hits: Sequence[tuple[int, int]],
    marks: Sequence[MarkedWords],
) -> Picture | None:
    """Make the picture of a page; None where the document is no PDF, or the places of its words are not known.

    Args:
        visit: who asks.
        version: of the document.
        span: of the page.
        hits: (start, end) of what is highlighted, on this page or others.
        marks: what can be clicked on this page.
    """
    if span is None or version.media_type != PDF:
        return None
    knowledge = visit.knowledge
    found = knowledge.page_desk.placed(knowledge.store, version, span.start, span.end)
    page = next((each for each in found if each.number == span.number), None)
    if page is None:
        return None
    text = visit.source(version)[0].text
    placed = ((mark, _boxes(page, mark.start, mark.end)) for mark in marks)
    return Picture(
        number=page.number,
        href=visit.links.document(version.version_id, "pages", f"{page.number}.png"),
        width=page.width_pt,
        height=page.height_pt,
        hits=tuple(box for start, end in hits for box in _boxes(page, start, end)),
        marks=tuple(PictureMark(mark.href, mark.title, mark.kind, boxes) for mark, boxes in placed if boxes),
        lines=tuple(_lines(page, text)),
    )


def _boxes(page: PlacedPage, start: int, end: int) -> tuple[PictureBox, ...]:
    return tuple(
        PictureBox(left, top, right - left, bottom - top)
        for _, some in rectangles((page,), start, end)
        for left, top, right, bottom in some
    )


def _lines(page: PlacedPage, text: str) -> Iterator[PictureLine]:
    for run in page.runs:
        for words in stretches(run, run.words):
            left, right = words[0][2], max(word[3] for word in words)
            yield PictureLine(
                text=text[words[0][0] : words[-1][1]].replace("\n", " "),
                x=left / UNITS_PER_POINT,
                y=round((run.top + _BASELINE * run.height) / UNITS_PER_POINT, 2),
                size=round(_LETTERS * run.height / UNITS_PER_POINT, 2),
                width=(right - left) / UNITS_PER_POINT,
            )
