"""PDF: text page by page, put together to paragraphs, with a page map.

PDFium gives lines and character positions; :mod:`coditect.documents.readers.pdf.layout` decides which lines belong together.
PDFium is not safe to use from two threads at once, so a lock guards it.
"""

from __future__ import annotations

import re
import threading
from typing import TYPE_CHECKING

from coditect.documents.readers.canonical import canonicalize
from coditect.documents.readers.failures import LIBRARY_FAILURES, broken
from coditect.documents.readers.limits import ReadLimits
from coditect.documents.readers.pdf import layout as pdf_layout
from coditect.documents.readers.pdf.layout import Line
from coditect.documents.readers.pdf.placing import Box, Frame, frame_of
from coditect.documents.source import SourceText
from coditect.documents.unseen import raised
from coditect.errors import ReadError

if TYPE_CHECKING:
    from pypdfium2 import PdfDocument, PdfTextPage

__all__ = ["PDFIUM", "read"]

PDFIUM = threading.Lock()
"""Held by whoever uses PDFium."""

_PASSWORD_ERRORS = frozenset({4, 5})  # FPDF_ERR_PASSWORD, FPDF_ERR_SECURITY
_TAIL_BYTES = 4096
# PDFium writes U+FFFE for a hyphen at the end of a line, and leaves out the line end after it.
_WORD = re.compile("[^\\s\ufffe]+\ufffe?|\ufffe")
# Digits behind something else, with stops and brackets behind them: they may be the mark of a note.
_DIGITS_LAST = re.compile(r"(\d\)?)[.,;:)\]”’\"']*\Z")
_RAISED_SIZE = 0.8  # of the height of the word's first character
_RAISED_BY = 0.15
_MAX_LISTED_PAGES = 10


def read(raw: bytes, name: str, limits: ReadLimits) -> SourceText:
    """Read a PDF that has a text layer.

    Args:
        raw: the bytes of the file.
        name: its relative name.
        limits: the bounds on what is read.

    Raises:
        ReadError: no PDF, encrypted, cut off, damaged, too many pages, or without a text layer.
    """
    if b"%PDF" not in raw[:1024]:
        raise ReadError(
            "not a PDF although its name says so", hint="Give the file the suffix of its real format.", name=name
        )
    if b"%%EOF" not in raw.rstrip(b"\0\r\n\t ")[-_TAIL_BYTES:]:
        raise ReadError("the PDF is cut off", hint="Fetch or copy the file again, in full.", name=name)
    with PDFIUM:
        pages, frames, labels, title = _pages(raw, name, limits)
    if not any(pages):
        raise ReadError(
            "the PDF has no text layer",
            hint="It is probably a scan: run optical character recognition (OCR) first, for example with ocrmypdf.",
            name=name,
            pages=len(pages),
        )
    text, blocks, spans, warnings, places = pdf_layout.assemble(pages, labels, frames)
    blank = [number for number, lines in enumerate(pages, 1) if not lines]
    if blank:
        listed = ", ".join(map(str, blank[:_MAX_LISTED_PAGES])) + (", ..." if len(blank) > _MAX_LISTED_PAGES else "")
        warnings = (*warnings, f"{len(blank)} of {len(pages)} pages have no text layer: {listed}")
    if len(text) > limits.max_text_chars:
        raise ReadError(
            "the file holds too much text",
            hint="Split the file, or raise ReadLimits.max_text_chars.",
            name=name,
            limit_chars=limits.max_text_chars,
        )
    return SourceText(text, "application/pdf", title, blocks, spans, "pdf/6", warnings, places)


def _pages(raw: bytes, name: str, limits: ReadLimits) -> tuple[list[list[Line]], list[Frame], list[str], str]:
    """Lines, frame and printed label of each page, and the title."""
    from pypdfium2 import PdfDocument, PdfiumError

    try:
        document = PdfDocument(raw)
    except PdfiumError as error:
        if error.err_code in _PASSWORD_ERRORS:
            raise ReadError(
                "the PDF is encrypted", hint="Save it without a password, then read it again.", name=name
            ) from error
        raise _damaged(name, error) from error
    except LIBRARY_FAILURES as error:
        raise _damaged(name, error) from error
    try:
        count = len(document)
        if count > limits.max_pages:
            raise ReadError(
                "the PDF has too many pages",
                hint="Split it, or raise ReadLimits.max_pages.",
                name=name,
                pages=count,
                limit=limits.max_pages,
            )
        title = canonicalize(document.get_metadata_dict().get("Title", ""))
        pages: list[list[Line]] = []
        frames: list[Frame] = []
        chars = 0
        for index in range(count):
            lines, frame = _page(document, index)
            pages.append(lines)
            frames.append(frame)
            chars += sum(len(line.text) for line in pages[-1])
            if chars > limits.max_text_chars:
                break  # refused by the caller; no need to read on
        labels = [document.get_page_label(index) for index in range(len(pages))]
        return pages, frames, labels, " ".join(title.split())
    except LIBRARY_FAILURES as error:
        raise _damaged(name, error) from error
    finally:
        document.close()


def _damaged(name: str, error: Exception) -> ReadError:
    return broken("the PDF is damaged", name, error, "Open it in a PDF viewer and print it to a new file.")


def _page(document: PdfDocument, index: int) -> tuple[list[Line], Frame]:
    page = document[index]
    try:
        text_page = page.get_textpage()
        try:
            return _lines(text_page), frame_of(page)
        finally:
            text_page.close()
    finally:
        page.close()


def _lines(page: PdfTextPage) -> list[Line]:
    """Lines in reading order. Where PDFium missed a line end, the position of the next word shows it."""
    text: str = page.get_text_range()
    # Positions are per character of PDFium, which counts UTF-16 units; without a one-to-one match they are not used.
    located = len(text) == page.count_chars()
    lines: list[Line] = []
    start = 0
    for raw_line in text.split("\n"):
        words = _WORD.finditer(raw_line)
        if located:
            found = [_located(page, word, start) for word in words]
            lines.extend(pdf_layout.split_words([word for word, _ in found], [shown for _, shown in found]))
        else:
            lines.extend(pdf_layout.split_words([(word.group(), None) for word in words]))
        start += len(raw_line) + 1
    return lines


def _located(page: PdfTextPage, word: re.Match[str], start: int) -> tuple[pdf_layout.Word, Box]:
    """A word, its raised digits as such, with its box (left, bottom, right, top) in points: of its line, and all that it covers."""
    first, last = start + word.start(), start + word.end() - 1
    left, bottom, right, top = page.get_charbox(first, loose=True)
    end = page.get_charbox(last, loose=True) if last > first else (left, bottom, right, top)
    box = (left, bottom, max(left, end[2] if last > first else left), top)
    shown = (min(left, end[0]), min(bottom, end[1]), max(right, end[2]), max(top, end[3]))
    text = word.group()
    tail = _DIGITS_LAST.search(text, 1)
    if tail is None:
        return (text, box), shown
    stop = at = tail.end(1)
    while at > 1 and _is_raised(page.get_charbox(first + at - 1, loose=True), bottom, top):
        at -= 1
    return (f"{text[:at]}{raised(text[at:stop])}{text[stop:]}", box), shown


def _is_raised(box: Box, bottom: float, top: float) -> bool:
    """Whether a character is small and stands above the line of one that reaches from ``bottom`` to ``top``."""
    height = top - bottom
    return box[3] - box[1] < _RAISED_SIZE * height and box[1] - bottom > _RAISED_BY * height
