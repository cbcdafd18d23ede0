"""Hostile PDFs: streams that expand, forms that show each other, trees without an end."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Sequence

from tests.hostile.kinds import Kind

__all__ = ["PDF_KINDS"]

_MILLION = 1_000_000
_FONT = b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>"
_DUTY = b"BT /F1 10 Tf 72 700 Td (The clerk shall sign the form within 3 days.) Tj ET\n"


def _file(objects: Sequence[bytes]) -> bytes:
    """A PDF of numbered objects; the first is the catalogue."""
    out = bytearray(b"%PDF-1.7\n")
    offsets = []
    for number, body in enumerate(objects, 1):
        offsets.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    at = len(out)
    out += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    out += b"".join(b"%010d 00000 n \n" % offset for offset in offsets)
    out += b"trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (len(objects) + 1, at)
    return bytes(out)


def _stream(content: bytes, entries: bytes = b"", packs: int = 1) -> bytes:
    filters = b"/FlateDecode " * packs
    for _ in range(packs):
        content = zlib.compress(content, 9)
    return b"<< %s /Filter [%s] /Length %d >>\nstream\n%s\nendstream" % (entries, filters, len(content), content)


def _repeated(unit: bytes, size: int, packs: int = 1) -> bytes:
    """A stream of many times the same, packed without holding it whole."""
    packer = zlib.compressobj(9)
    block = unit * (1 + 1_000_000 // len(unit))
    parts = [packer.compress(_DUTY)]
    for begin in range(0, size, len(block)):
        parts.append(packer.compress(block[: size - begin]))
    body = b"".join((*parts, packer.flush()))
    for _ in range(packs - 1):
        body = zlib.compress(body, 9)
    return b"<< /Filter [%s] /Length %d >>\nstream\n%s\nendstream" % (b"/FlateDecode " * packs, len(body), body)


def _document(content: bytes, *more: bytes, resources: bytes = b"", page: bytes = b"", catalogue: bytes = b"") -> bytes:
    """A document of one page; ``more`` objects begin with number 6."""
    return _file(
        [
            b"<< /Type /Catalog /Pages 2 0 R %s >>" % catalogue,
            b"<< /Type /Pages /Kids [4 0 R] /Count 1 >>",
            _FONT,
            b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 5 0 R %s "
            b"/Resources << /Font << /F1 3 0 R >> %s >> >>" % (page, resources),
            content,
            *more,
        ]
    )


def _forms(levels: int, width: int = 10) -> bytes:
    """Forms that each show the next one ten times: ten to the number of levels."""
    entries = b"/Type /XObject /Subtype /Form /BBox [0 0 612 792] /Resources << /Font << /F1 3 0 R >> %s >>"
    forms = []
    for level in range(levels):
        last = level == levels - 1
        inner = b"" if last else b"/XObject << /X %d 0 R >>" % (7 + level)
        forms.append(_stream(_DUTY if last else b"/X Do " * width, entries % inner))
    return _document(_stream(_DUTY + b"/X Do " * width), *forms, resources=b"/XObject << /X 6 0 R >>")


def _pages(count: int) -> bytes:
    """A tree of pages that names the same page again and again."""
    return _file(
        [
            b"<< /Type /Catalog /Pages 2 0 R >>",
            b"<< /Type /Pages /Kids [%s] /Count %d >>" % (b"4 0 R " * count, count),
            _FONT,
            b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 5 0 R "
            b"/Resources << /Font << /F1 3 0 R >> >> >>",
            _stream(_DUTY),
        ]
    )


def _page_loop(count: int) -> bytes:
    """A tree of pages that holds itself."""
    kids = b"2 0 R 4 0 R " * count
    return _document(_stream(_DUTY)).replace(b"/Kids [4 0 R]", b"/Kids [%s]" % kids).replace(b"/Count 1", b"/Count 9")


def _previous_loop(count: int) -> bytes:
    """A cross-reference table whose predecessor is itself."""
    raw = _document(_stream(_DUTY * count))
    at = raw.rindex(b"xref\n0 ")
    return raw.replace(b"/Root 1 0 R", b"/Root 1 0 R /Prev %d" % at)


def _labels_loop(count: int) -> bytes:
    """A tree of page labels that holds itself."""
    return _document(_stream(_DUTY), b"<< /Kids [%s] >>" % (b"6 0 R " * count), catalogue=b"/PageLabels 6 0 R")


def _character_map(size: int) -> bytes:
    """A font that says that each of its characters stands for many."""
    long = b"0041" * 100
    lines = b"".join(b"<%02X> <%s>\n" % (code, long) for code in range(32, 127))
    cmap = b"begincmap\n1 begincodespacerange <00> <FF> endcodespacerange\n95 beginbfchar\n%sendbfchar\nendcmap" % lines
    font = b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /ToUnicode 7 0 R >>"
    shown = b"BT /F2 10 Tf 72 600 Td (%s) Tj ET\n" % (b"shall " * 1_000)
    content = _repeated(shown, size)
    return _document(content, font, _stream(cmap)).replace(b"/F1 3 0 R", b"/F1 3 0 R /F2 6 0 R")


def _nested(opening: bytes, closing: bytes) -> Callable[[int], bytes]:
    return lambda depth: _document(_stream(_DUTY), page=b"/X " + opening * depth + closing * depth)


def _contents(count: int) -> bytes:
    """A page whose content is the same stream many times."""
    raw = _document(_repeated(b"(shall) Tj ", 10_000))
    return raw.replace(b"/Contents 5 0 R", b"/Contents [%s]" % (b"5 0 R " * count))


def _title(size: int) -> bytes:
    raw = _document(_stream(_DUTY), b"<< /Title (%s) >>" % (b"Form " * size))
    return raw.replace(b"/Root 1 0 R", b"/Root 1 0 R /Info 6 0 R")


def _states(depth: int) -> bytes:
    return _document(_stream(b"q " * depth + _DUTY + b"Q " * depth))


def _operators(size: int) -> bytes:
    return _document(_repeated(b"BT /F1 9 Tf 1 1 Td (shall sign) Tj ET\n", size))


PDF_KINDS = (
    Kind("pdf-operators", ".pdf", _operators, 500_000, (60 * _MILLION, 600 * _MILLION)),
    Kind("pdf-spaces", ".pdf", lambda n: _document(_repeated(b" ", n)), _MILLION, (200 * _MILLION, 2_000 * _MILLION)),
    Kind(
        "pdf-shown-spaces",
        ".pdf",
        lambda n: _document(_stream(_DUTY + b"BT /F1 9 Tf (" + b" " * n + b") Tj ET")),
        20_000,
        (20 * _MILLION,),
    ),
    Kind("pdf-forms", ".pdf", _forms, 2, (7, 20)),
    Kind("pdf-filters", ".pdf", lambda n: _document(_repeated(b" ", n, packs=3)), _MILLION, (900 * _MILLION,)),
    Kind("pdf-pages", ".pdf", _pages, 60, (9_999, 500_000)),
    Kind("pdf-page-loop", ".pdf", _page_loop, 3, (1_000,)),
    Kind("pdf-previous-loop", ".pdf", _previous_loop, 1, (1_000,)),
    Kind("pdf-label-loop", ".pdf", _labels_loop, 3, (1_000,)),
    Kind("pdf-character-map", ".pdf", _character_map, 2_000, (_MILLION, 20 * _MILLION)),
    Kind("pdf-nested-lists", ".pdf", _nested(b"[", b"]"), 500, (5 * _MILLION,)),
    Kind("pdf-nested-dictionaries", ".pdf", _nested(b"<< /A ", b">>"), 300, (2 * _MILLION,)),
    Kind("pdf-contents", ".pdf", _contents, 5, (1_000, 200_000)),
    Kind("pdf-title", ".pdf", _title, 5_000, (5 * _MILLION,)),
    Kind("pdf-states", ".pdf", _states, 5_000, (100_000, 20 * _MILLION)),
)
