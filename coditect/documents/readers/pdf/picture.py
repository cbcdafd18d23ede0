"""A page of a PDF as it looks: drawn by PDFium, written as PNG. The same bytes give the same picture with the same fonts.

Fonts that a file does not carry are taken from the machine, so two machines may draw such a file differently.
"""

from __future__ import annotations

import struct
import zlib
from typing import Any

from coditect.documents.readers.failures import LIBRARY_FAILURES, broken
from coditect.documents.readers.pdf.reader import PDFIUM
from coditect.errors import ReadError

__all__ = ["LEAST_WIDTH_PX", "MOST_PIXELS", "MOST_WIDTH_PX", "draw"]

LEAST_WIDTH_PX = 200
MOST_WIDTH_PX = 2400
"""Of a picture, pixels."""

MOST_PIXELS = 12_000_000
"""Of a picture; a page that would have more at the width that is asked for is drawn smaller."""

_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_GREY, _COLOUR = 0, 2
_LEVEL = 6
_ROUNDING_PX = 0.01  # the library rounds upward: without it a picture may be a pixel wider than was asked for


def draw(raw: bytes, name: str, page: int, width_px: int) -> tuple[int, bytes]:
    """How many pages there are, and one of them as PNG; b"" where there is no such page.

    Args:
        raw: the bytes of the PDF.
        name: its relative name, for messages.
        page: 1-based.
        width_px: of the picture; brought between :data:`LEAST_WIDTH_PX` and :data:`MOST_WIDTH_PX`.

    Raises:
        ReadError: PDFium cannot open or draw it.
    """
    from pypdfium2 import PdfDocument

    with PDFIUM:
        try:
            document = PdfDocument(raw)
        except LIBRARY_FAILURES as error:
            raise _undrawn(name, error) from error
        try:
            if not 1 <= page <= len(document):
                return len(document), b""
            shown = document[page - 1]
            width, height = shown.get_size()
            wide = min(max(width_px, LEAST_WIDTH_PX), MOST_WIDTH_PX)
            scale = (wide - _ROUNDING_PX) / max(width, 1.0)
            scale = min(scale, (MOST_PIXELS / max(width * height, 1.0)) ** 0.5)
            bitmap = shown.render(scale=scale, rev_byteorder=True, may_draw_forms=False)
            try:
                return len(document), _png(bitmap)
            finally:
                bitmap.close()
        except LIBRARY_FAILURES as error:
            raise _undrawn(name, error) from error
        finally:
            document.close()


def _undrawn(name: str, error: Exception) -> ReadError:
    return broken("the page cannot be drawn", name, error, "Open the file in a PDF viewer and print it to a new file.")


def _png(bitmap: Any) -> bytes:  # noqa: ANN401 - PDFium's own
    """A bitmap as PNG: grey where no pixel has a colour, which makes it a third as large."""
    wide, high, stride, channels = bitmap.width, bitmap.height, bitmap.stride, bitmap.n_channels
    data = bytes(bitmap.buffer)
    pixels = b"".join(data[row * stride : row * stride + wide * channels] for row in range(high))
    kind = _COLOUR
    if channels == 1 or pixels[::channels] == pixels[1::channels] == pixels[2::channels]:
        pixels, kind = pixels[::channels], _GREY
    elif channels == 4:  # without what lies below it, which is white
        kept = bytearray(wide * high * 3)
        for n in range(3):
            kept[n::3] = pixels[n::4]
        pixels = bytes(kept)
    line = wide * (1 if kind == _GREY else 3)
    rows = b"".join(b"\0" + pixels[n : n + line] for n in range(0, len(pixels), line))
    header = struct.pack(">IIBBBBB", wide, high, 8, kind, 0, 0, 0)
    return _SIGNATURE + b"".join(
        _chunk(name, body) for name, body in ((b"IHDR", header), (b"IDAT", zlib.compress(rows, _LEVEL)), (b"IEND", b""))
    )


def _chunk(name: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))
