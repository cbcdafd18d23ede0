"""Small documents made for the reader tests, and the checks that every reader must pass."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Sequence

from coditect.documents.readers import read_source
from coditect.documents.readers.canonical import canonicalize
from coditect.documents.source import SourceText
from coditect.documents.structure.locators import find_locators
from coditect.tiers.extractions.document import document_lists, read_document


def assert_well_formed(source: SourceText) -> None:
    """Blocks and pages are in order, inside the text and not empty; the text is canonical."""
    assert source.text == canonicalize(source.text)
    assert source.reader
    assert source.media_type
    position = 0
    for block in source.blocks:
        assert position <= block.start < block.end <= len(source.text)
        assert source.text[block.start : block.end].strip()
        assert (1 <= block.level <= 6) if block.kind == "heading" else block.level >= 0
        position = block.end
    position = 0
    for page in source.pages:
        assert position <= page.start <= page.end <= len(source.text)
        position = page.end


def blocks(source: SourceText) -> list[tuple[str, int, str]]:
    """Kind, level and text of each block."""
    return [(b.kind, b.level, source.text[b.start : b.end]) for b in source.blocks]


def pdf(pages: Sequence[Sequence[tuple[float, float, str]]], trailer: bytes = b"") -> bytes:
    """A PDF; each page a list of (left, bottom, text) in 10 point Helvetica; ``trailer`` adds to the trailer."""
    objects = [b"<< /Type /Catalog /Pages 2 0 R >>", b"", b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>"]
    kids = []
    for lines in pages:
        shown = "".join(f"BT /F1 10 Tf 1 0 0 1 {x} {y} Tm ({text}) Tj ET\n" for x, y, text in lines).encode("latin-1")
        objects.append(b"<< /Length %d >>\nstream\n%s\nendstream" % (len(shown), shown))
        objects.append(
            b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources << /Font << /F1 3 0 R >> >> "
            b"/Contents %d 0 R >>" % len(objects)
        )
        kids.append(b"%d 0 R" % len(objects))
    objects[1] = b"<< /Type /Pages /Kids [%s] /Count %d >>" % (b" ".join(kids), len(kids))
    out = bytearray(b"%PDF-1.4\n")
    offsets = []
    for number, body in enumerate(objects, 1):
        offsets.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    xref = len(out)
    out += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    out += b"".join(b"%010d 00000 n \n" % offset for offset in offsets)
    out += b"trailer\n<< /Size %d /Root 1 0 R %s >>\nstartxref\n%d\n%%%%EOF\n" % (len(objects) + 1, trailer, xref)
    return bytes(out)


def archive(members: dict[str, bytes]) -> bytes:
    """A zip archive."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as out:
        for name, body in members.items():
            out.writestr(name, body)
    return buffer.getvalue()


def locators_by_word(text: str, name: str = "act.txt") -> dict[str, str]:
    """The locator of each sentence of a file, without blanks, by each of its words."""
    reading = read_document(read_source(text.encode(), name))
    shown = reading.source.text
    found = find_locators(shown, reading.sections, reading.sentences, document_lists(reading))
    return {
        word.strip(".;:,"): "".join(locator.split())
        for each, locator in zip(reading.sentences, found, strict=True)
        for word in shown[each.start : each.end].split()
    }
