"""Pages of a PDF as PNG: as wide as they were asked for, grey where nothing is coloured."""

from __future__ import annotations

import io
import struct
import zlib

import pytest
from reportlab.pdfgen.canvas import Canvas

from coditect.documents.readers.pdf.picture import draw
from coditect.errors import ReadError


def _pdf(*colours: tuple[float, float, float], width: float = 200.0, height: float = 100.0) -> bytes:
    """Pages whose left half has a colour."""
    out = io.BytesIO()
    canvas = Canvas(out, pagesize=(width, height), invariant=1)
    for colour in colours:
        canvas.setFillColorRGB(*colour)
        canvas.rect(0, 0, width / 2, height, stroke=0, fill=1)
        canvas.showPage()
    canvas.save()
    return out.getvalue()


def _seen(png: bytes) -> tuple[int, int, int, bytes]:
    """(width, height, channels, the pixels of the first row) of a PNG; every checksum is right."""
    assert png.startswith(b"\x89PNG\r\n\x1a\n")
    at, parts = 8, {}
    while at < len(png):
        (size,) = struct.unpack(">I", png[at : at + 4])
        name, body = png[at + 4 : at + 8], png[at + 8 : at + 8 + size]
        assert struct.unpack(">I", png[at + 8 + size : at + 12 + size]) == (zlib.crc32(name + body),)
        parts[name] = body
        at += 12 + size
    assert list(parts) == [b"IHDR", b"IDAT", b"IEND"]
    wide, high, depth, kind, *rest = struct.unpack(">IIBBBBB", parts[b"IHDR"])
    assert (depth, rest) == (8, [0, 0, 0])
    channels = {0: 1, 2: 3}[kind]
    rows = zlib.decompress(parts[b"IDAT"])
    assert len(rows) == high * (1 + wide * channels)
    assert not any(rows[:: 1 + wide * channels])  # no filter
    return wide, high, channels, rows[1 : 1 + wide * channels]


@pytest.mark.parametrize(
    ("colour", "channels", "pixel"),
    [((0.0, 0.0, 0.0), 1, b"\x00"), ((1.0, 0.0, 0.0), 3, b"\xff\x00\x00"), ((0.0, 0.0, 1.0), 3, b"\x00\x00\xff")],
)
def test_picture_has_the_colours_of_its_page(colour: tuple[float, float, float], channels: int, pixel: bytes) -> None:
    """A page without any is grey, which makes it a third as large; what nothing is drawn on is white."""
    pages, png = draw(_pdf((0.5, 0.5, 0.5), colour), "a.pdf", 2, 400)
    wide, high, found, row = _seen(png)
    assert (pages, wide, high, found) == (2, 400, 200, channels)
    assert row[: 150 * channels] == pixel * 150
    assert row[-150 * channels :] == b"\xff" * channels * 150


@pytest.mark.parametrize(("asked", "wide"), [(0, 200), (200, 200), (333, 333), (2400, 2400), (9999, 2400)])
def test_picture_is_as_wide_as_was_asked_for_within_bounds(asked: int, wide: int) -> None:
    """From 200 to 2400 pixels."""
    assert _seen(draw(_pdf((0.0, 0.0, 0.0)), "a.pdf", 1, asked)[1])[0] == wide


def test_picture_of_a_long_page_has_twelve_million_pixels_at_most() -> None:
    """It is drawn smaller than was asked for."""
    wide, high, *_ = _seen(draw(_pdf((0.0, 0.0, 0.0), width=100.0, height=4000.0), "a.pdf", 1, 2400)[1])
    assert 0.99 * 12_000_000 < wide * high < 1.01 * 12_000_000
    assert high == pytest.approx(40 * wide, rel=0.01)


@pytest.mark.parametrize("page", [-1, 0, 2])
def test_page_that_is_not_there_has_no_picture(page: int) -> None:
    """How many there are is told all the same."""
    assert draw(_pdf((0.0, 0.0, 0.0)), "a.pdf", page, 300) == (1, b"")


def test_damaged_file_cannot_be_drawn() -> None:
    """The message names it."""
    with pytest.raises(ReadError, match="cannot be drawn") as refused:
        draw(b"%PDF-1.7\nnothing", "broken.pdf", 1, 300)
    assert refused.value.context["name"] == "broken.pdf"
