"""The PDF writer of tools/make_sample.py. Needs reportlab; fixed dates and ids, standard fonts, a real text layer."""

from __future__ import annotations

import io
from typing import Any
from xml.sax.saxutils import escape

from reportlab.lib.colors import HexColor
from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import ParagraphStyle
from reportlab.lib.units import cm
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import BaseDocTemplate, Flowable, Frame, KeepTogether, PageTemplate, Paragraph, Spacer, Table
from sample_pieces import COMPANY, INK, TINT, Piece

_INK = HexColor(f"#{INK}")
_RULE = HexColor("#9AA8B2")
_TEXT_WIDTH = A4[0] - 5 * cm

_BODY = ParagraphStyle(
    "body", fontName="Times-Roman", fontSize=11, leading=14.5, spaceAfter=6.5, allowWidows=0, allowOrphans=0
)
_STYLES = {
    "title": ParagraphStyle("title", fontName="Helvetica-Bold", fontSize=22, leading=27, spaceAfter=14, textColor=_INK),
    "heading": ParagraphStyle(
        "heading",
        fontName="Helvetica-Bold",
        fontSize=13.5,
        leading=17,
        spaceBefore=13,
        spaceAfter=6,
        textColor=_INK,
        keepWithNext=1,
    ),
    "subheading": ParagraphStyle(
        "subheading",
        fontName="Helvetica-Bold",
        fontSize=11.5,
        leading=15,
        spaceBefore=8,
        spaceAfter=4,
        textColor=_INK,
        keepWithNext=1,
    ),
    "text": _BODY,
    "clause": ParagraphStyle(
        "clause", parent=_BODY, leftIndent=1.15 * cm, bulletFontName="Times-Roman", bulletFontSize=11
    ),
    "item": ParagraphStyle(
        "item", parent=_BODY, leftIndent=2 * cm, bulletIndent=1.15 * cm, bulletFontName="Times-Roman", bulletFontSize=11
    ),
}
_CELL = ParagraphStyle("cell", fontName="Helvetica", fontSize=9, leading=11.5)
_HEAD = ParagraphStyle("head", parent=_CELL, fontName="Helvetica-Bold", textColor=_INK)


class _NumberedCanvas(Canvas):  # type: ignore[misc, unused-ignore]
    """A canvas that knows the number of pages when it draws the header and the footer of each."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:  # noqa: ANN401 - reportlab's constructor, passed on
        super().__init__(*args, **kwargs)
        self._pages: list[dict[str, Any]] = []

    def showPage(self) -> None:  # noqa: N802 - reportlab's name
        """Keep the page until it is known how many there are."""
        self._pages.append(dict(self.__dict__))
        self._startPage()

    def save(self) -> None:
        """Write the pages, each with its number and how many there are."""
        for state in self._pages:
            self.__dict__.update(state)
            self._furniture(len(self._pages))
            Canvas.showPage(self)
        Canvas.save(self)

    def _furniture(self, total: int) -> None:
        width, height = A4
        self.setFont("Helvetica", 8.5)
        self.setFillColor(HexColor("#55636E"))
        self.setStrokeColor(_RULE)
        self.setLineWidth(0.5)
        self.drawString(2.5 * cm, height - 1.5 * cm, f"{COMPANY} · {self._doc.info.title}")
        self.line(2.5 * cm, height - 1.7 * cm, width - 2.5 * cm, height - 1.7 * cm)
        self.drawCentredString(width / 2, 1.3 * cm, f"Page {self._pageNumber} of {total}")


def _flowable(piece: Piece) -> Flowable:
    if piece.kind == "table":
        return _table(piece.rows)
    return Paragraph(escape(piece.text), _STYLES[piece.kind], bulletText=piece.number or None)


def _table(rows: tuple[tuple[str, ...], ...]) -> Flowable:
    # Tables without a header row are lists of label and value.
    headed = len(rows[0]) > 2 or rows[0][0] in ("Item", "Signed for the Controller")
    shares = {5: (1.7, 5.5, 1.6, 4.4, 2.2), 4: (3.2, 3, 1.2, 1.6), 3: (1, 1.3, 0.7)}.get(len(rows[0]), (1, 2.6))
    if rows[0][0].startswith("Signed"):
        shares = (1, 1)
    cells = [
        [
            Paragraph(escape(t), _HEAD if (headed and y == 0) or (not headed and x == 0) else _CELL)
            for x, t in enumerate(row)
        ]
        for y, row in enumerate(rows)
    ]
    table = Table(cells, colWidths=[_TEXT_WIDTH * s / sum(shares) for s in shares], repeatRows=int(headed))
    shaded = ((0, 0), (-1, 0)) if headed else ((0, 0), (0, -1))
    table.setStyle(
        [
            ("GRID", (0, 0), (-1, -1), 0.5, _RULE),
            ("BACKGROUND", *shaded, HexColor(f"#{TINT}")),
            ("VALIGN", (0, 0), (-1, -1), "TOP"),
            ("TOPPADDING", (0, 0), (-1, -1), 4),
            ("BOTTOMPADDING", (0, 0), (-1, -1), 5),
        ]
    )
    return KeepTogether([Spacer(1, 4), table, Spacer(1, 10)])


def make_pdf(pieces: list[Piece]) -> bytes:
    """A PDF on A4 with header, footer and page numbers."""
    title = next(piece.text for piece in pieces if piece.kind == "title")
    buffer = io.BytesIO()
    template = BaseDocTemplate(
        buffer,
        pagesize=A4,
        title=title,
        author=COMPANY,
        lang="en-IE",
        invariant=1,
        pageCompression=1,
    )
    # No padding: text, tables and the rule of the header share their edges.
    frame = Frame(2.5 * cm, 2.2 * cm, _TEXT_WIDTH, A4[1] - 4.6 * cm, 0, 0, 0, 0)
    template.addPageTemplates([PageTemplate(frames=[frame])])
    story = [_flowable(piece) for piece in pieces]
    for flowable, piece, following in zip(story, pieces, pieces[1:], strict=False):
        if piece.kind in ("text", "clause") and following.kind in ("item", "table"):
            flowable.keepWithNext = 1  # an introduction stays with what it introduces
    template.build(story, canvasmaker=_NumberedCanvas)
    return buffer.getvalue()
