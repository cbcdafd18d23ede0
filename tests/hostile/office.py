"""Hostile office files: zip archives whose members are bombs, damaged, or nested beyond reason."""

from __future__ import annotations

import io
import struct
import zipfile
from functools import partial

from tests.hostile.kinds import Kind

__all__ = ["OFFICE_KINDS", "docx", "xlsx"]

_MILLION = 1_000_000
_W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
_S = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_R = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_P = "http://schemas.openxmlformats.org/package/2006"
_OFFICE = "application/vnd.openxmlformats-officedocument"
_DUTY = "<w:p><w:r><w:t>The clerk shall sign the form within 3 days.</w:t></w:r></w:p>"


def _types(*parts: tuple[str, str]) -> str:
    overrides = "".join(f'<Override PartName="{part}" ContentType="{kind}"/>' for part, kind in parts)
    relations = '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
    plain = '<Default Extension="xml" ContentType="application/xml"/>'
    return f'<Types xmlns="{_P}/content-types">{relations}{plain}{overrides}</Types>'


def _relations(*targets: tuple[str, str]) -> str:
    each = "".join(
        f'<Relationship Id="r{n}" Type="{_R}/{kind}" Target="{to}"/>' for n, (kind, to) in enumerate(targets)
    )
    return f'<Relationships xmlns="{_P}/relationships">{each}</Relationships>'


def _archive(members: dict[str, str | bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", method) as out:
        for name, body in members.items():
            info = zipfile.ZipInfo(name, (2020, 1, 1, 0, 0, 0))
            info.compress_type = method
            out.writestr(info, body)
    return buffer.getvalue()


def docx(
    body: str, *, before: str = "", extra: dict[str, str | bytes] | None = None, method: int = zipfile.ZIP_DEFLATED
) -> bytes:
    """A Word document.

    Args:
        body: what its body holds, as XML.
        before: what stands before the document's element.
        extra: more members.
        method: how members are compressed.
    """
    members: dict[str, str | bytes] = {
        "[Content_Types].xml": _types(("/word/document.xml", f"{_OFFICE}.wordprocessingml.document.main+xml")),
        "_rels/.rels": _relations(("officeDocument", "word/document.xml")),
        "word/document.xml": f'{before}<w:document xmlns:w="{_W}"><w:body>{body}</w:body></w:document>',
    }
    return _archive({**members, **(extra or {})}, method)


def xlsx(rows: str, *, shared: str = "", sheets: int = 1) -> bytes:
    """A workbook.

    Args:
        rows: what each sheet holds, as XML.
        shared: the items of the table of shared strings, as XML.
        sheets: how many there are.
    """
    names = [f"xl/worksheets/sheet{n}.xml" for n in range(sheets)]
    book = "".join(f'<sheet name="S{n}" sheetId="{n + 1}" r:id="r{n}"/>' for n in range(sheets))
    targets = [("worksheet", f"worksheets/sheet{n}.xml") for n in range(sheets)]
    members: dict[str, str | bytes] = {
        "[Content_Types].xml": _types(
            ("/xl/workbook.xml", f"{_OFFICE}.spreadsheetml.sheet.main+xml"),
            ("/xl/sharedStrings.xml", f"{_OFFICE}.spreadsheetml.sharedStrings+xml"),
            *((f"/{name}", f"{_OFFICE}.spreadsheetml.worksheet+xml") for name in names),
        ),
        "_rels/.rels": _relations(("officeDocument", "xl/workbook.xml")),
        "xl/workbook.xml": f'<workbook xmlns="{_S}" xmlns:r="{_R}"><sheets>{book}</sheets></workbook>',
        "xl/_rels/workbook.xml.rels": _relations(*targets, ("sharedStrings", "sharedStrings.xml")),
        "xl/sharedStrings.xml": f'<sst xmlns="{_S}">{shared}</sst>',
    }
    for name in names:
        members[name] = f'<worksheet xmlns="{_S}"><sheetData>{rows}</sheetData></worksheet>'
    return _archive(members)


def _paragraphs(count: int) -> bytes:
    return docx(_DUTY * count)


def _spaces(size: int) -> bytes:
    return docx(_DUTY + f'<w:p><w:r><w:t xml:space="preserve">{" " * size}</w:t></w:r></w:p>')


def _nested(tag: str, inner: str, depth: int) -> bytes:
    return docx(_DUTY + f"<w:{tag}>{inner}" * depth + _DUTY + _closed(inner, tag) * depth)


def _closed(inner: str, tag: str) -> str:
    opened = [part.partition(">")[0] for part in inner.split("<") if part]
    return "".join(f"</{name}>" for name in reversed(opened)) + f"</w:{tag}>"


def _damaged(method: int, size: int) -> bytes:
    """Members whose packed bytes were overwritten in the middle."""
    raw = bytearray(docx("".join(_DUTY.replace("3", str(n)) for n in range(size)), method=method))
    with zipfile.ZipFile(io.BytesIO(raw)) as packed:
        for info in packed.infolist():
            begin = info.header_offset + 30 + len(info.filename) + min(9, info.compress_size // 2)
            for at in range(begin, min(begin + 12, info.header_offset + 30 + len(info.filename) + info.compress_size)):
                raw[at] ^= 0xFF
    return bytes(raw)


def _patched(local_offset: int, central_offset: int, value: int, size: int) -> bytes:
    """Two bytes of each member's headers replaced, in the local header and in the directory."""
    raw = bytearray(_paragraphs(size))
    for mark, offset in ((b"PK\x03\x04", local_offset), (b"PK\x01\x02", central_offset)):
        at = raw.find(mark)
        while at >= 0:
            raw[at + offset : at + offset + 2] = struct.pack("<H", value)
            at = raw.find(mark, at + 4)
    return bytes(raw)


def _lzma_dictionary(size: int) -> bytes:
    """LZMA members that ask for a dictionary of up to four gigabytes."""
    raw = bytearray(docx(_DUTY * size, method=zipfile.ZIP_LZMA))
    with zipfile.ZipFile(io.BytesIO(raw)) as packed:
        for info in packed.infolist():
            begin = info.header_offset + 30 + len(info.filename) + 4 + 1  # version, length, and the first property
            raw[begin : begin + 4] = b"\xff\xff\xff\xff"
    return bytes(raw)


def _overlapping(count: int) -> bytes:
    """Many entries of the directory that all unpack the same member: a bomb that is no archive in an archive.

    Source: Fifield, "A better zip bomb", WOOT 2019 (in its plainest form).
    """
    raw = _spaces(_MILLION)
    with zipfile.ZipFile(io.BytesIO(raw)) as packed:
        info = packed.getinfo("word/document.xml")
    directory = raw.index(b"PK\x01\x02")
    end = raw.rindex(b"PK\x05\x06")
    entries = raw[directory:end]
    begin = entries.index(b"word/document.xml") - 46
    stop = begin + 46 + len("word/document.xml") + len(info.extra)
    made = entries + b"".join(
        entries[begin:stop].replace(b"word/document.xml", b"word/docum%07d" % n) for n in range(count)
    )
    names = min(made.count(b"PK\x01\x02"), 0xFFFF)
    tail = raw[end : end + 8] + struct.pack("<HHII", names, names, len(made), directory) + raw[end + 20 :]
    return raw[:directory] + made + tail


def _entities(levels: int) -> bytes:
    made = ['<!ENTITY e0 "ha">', *(f'<!ENTITY e{k} "{f"&e{k - 1};" * 10}">' for k in range(1, levels))]
    body = f"<w:p><w:r><w:t>&e{levels - 1};</w:t></w:r></w:p>"
    return docx(_DUTY + body, before=f"<!DOCTYPE d [{''.join(made)}]>")


def _shared_string(count: int) -> bytes:
    """One long string that every cell shows: 30 bytes a cell that read as 30,000."""
    cells = "".join(f'<row r="{n}"><c r="A{n}" t="s"><v>0</v></c></row>' for n in range(1, count))
    return xlsx(cells, shared=f"<si><t>{'shall ' * 5_000}</t></si>")


def _members(count: int) -> bytes:
    return docx(_DUTY, extra={f"word/media/{n}": b"" for n in range(count)})


OFFICE_KINDS = (
    Kind("docx-spaces", ".docx", _spaces, 200_000, (60 * _MILLION, 300 * _MILLION)),
    Kind("docx-paragraphs", ".docx", _paragraphs, 100, (100_000,)),
    Kind("docx-nested-tables", ".docx", partial(_nested, "tbl", "<w:tr><w:tc>"), 50, (80, 50_000)),
    Kind("docx-nested-controls", ".docx", partial(_nested, "sdt", "<w:sdtContent>"), 100, (120, 100_000)),
    Kind("docx-entities", ".docx", _entities, 9, (30,)),
    Kind("docx-overlapping-members", ".docx", _overlapping, 50, (19_000,)),
    Kind("docx-members", ".docx", _members, 300, (60_000,)),
    Kind("docx-damaged-deflate", ".docx", partial(_damaged, zipfile.ZIP_DEFLATED), 20, (20_000,), refused=True),
    Kind("docx-damaged-bzip2", ".docx", partial(_damaged, zipfile.ZIP_BZIP2), 20, (20_000,), refused=True),
    Kind("docx-damaged-lzma", ".docx", partial(_damaged, zipfile.ZIP_LZMA), 20, (20_000,), refused=True),
    Kind("docx-damaged-stored", ".docx", partial(_damaged, zipfile.ZIP_STORED), 20, (20_000,), refused=True),
    Kind("docx-unknown-method", ".docx", partial(_patched, 8, 10, 99), 5, (1_000,), refused=True),
    Kind("docx-zstandard", ".docx", partial(_patched, 8, 10, 93), 5, (1_000,), refused=True),
    Kind("docx-encrypted", ".docx", partial(_patched, 6, 8, 1), 5, (1_000,), refused=True),
    Kind("docx-lzma-dictionary", ".docx", _lzma_dictionary, 20, (20_000,)),
    Kind("xlsx-far-cell", ".xlsx", lambda n: xlsx(f'<row r="{n}"><c r="XFD{n}"><v>1</v></c></row>'), 50, (1_048_576,)),
    Kind("xlsx-shared-string", ".xlsx", _shared_string, 3, (2_000, 20_000)),
    Kind("xlsx-cells", ".xlsx", lambda n: xlsx("<row>" + "<c><v>1</v></c>" * n + "</row>"), 1_000, (500_000,)),
    Kind("xlsx-rows", ".xlsx", lambda n: xlsx("<row/>" * n), 1_000, (900_000, 9 * _MILLION)),
    Kind("xlsx-sheets", ".xlsx", lambda n: xlsx("<row><c><v>1</v></c></row>", sheets=n), 20, (5_000,)),
)
