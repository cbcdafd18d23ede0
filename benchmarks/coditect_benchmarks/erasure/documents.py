"""Generated policies in every format that is read, each with sentences that no other one has."""

from __future__ import annotations

import csv
import io
import json
import random
import re
import zipfile
from collections.abc import Callable, Sequence
from email.message import EmailMessage
from html import escape
from pathlib import Path

import openpyxl
from reportlab.lib.pagesizes import A4
from reportlab.pdfgen.canvas import Canvas

__all__ = ["WRITERS", "write_documents"]

_ROLES = ("system owner", "data custodian", "site manager", "records clerk", "duty officer", "vendor manager")
_VERBS = ("review", "approve", "archive", "inspect", "report", "encrypt", "reconcile", "verify")
_SYLLABLES = ("ba", "ko", "mi", "ren", "tal", "vor", "sin", "dex", "lum", "par", "gri", "qua", "zen", "fol")
_LINE_POINTS, _MARGIN_POINTS, _FONT_POINTS = 18, 40, 8
_ZIP_DATE = (2026, 1, 1, 0, 0, 0)
_PROPERTIES = "docProps/core.xml"
_TIME = re.compile(rb"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ")

_WORD_SPACE = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
_WORD_TYPES = (
    '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" '
    'ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" '
    'ContentType="application/xml"/><Override PartName="/word/document.xml" ContentType="application/'
    'vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>'
)
_WORD_RELATIONS = (
    '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" '
    'Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" '
    'Target="word/document.xml"/></Relationships>'
)


def _markdown(sentences: Sequence[str]) -> bytes:
    return ("# Policy\n\n" + "\n\n".join(sentences) + "\n").encode()


def _text(sentences: Sequence[str]) -> bytes:
    return ("Policy\n\n" + "\n\n".join(sentences) + "\n").encode()


def _html(sentences: Sequence[str]) -> bytes:
    body = "".join(f"<p>{escape(each)}</p>" for each in sentences)
    return f"<html><head><title>Policy</title></head><body><h1>Policy</h1>{body}</body></html>".encode()


def _separated(sentences: Sequence[str], delimiter: str) -> bytes:
    out = io.StringIO()
    rows = csv.writer(out, delimiter=delimiter, lineterminator="\n")
    rows.writerow(("number", "rule"))
    rows.writerows(enumerate(sentences, 1))
    return out.getvalue().encode()


def _json(sentences: Sequence[str]) -> bytes:
    return json.dumps({"title": "Policy", "rules": list(sentences)}, indent=1).encode()


def _json_lines(sentences: Sequence[str]) -> bytes:
    return b"".join(json.dumps({"number": n, "rule": each}).encode() + b"\n" for n, each in enumerate(sentences, 1))


def _xml(sentences: Sequence[str]) -> bytes:
    rules = "".join(f"<rule>{escape(each)}</rule>" for each in sentences)
    return f"<policy><title>Policy</title>{rules}</policy>".encode()


def _docx(sentences: Sequence[str]) -> bytes:
    body = "".join(f"<w:p><w:r><w:t>{escape(each)}</w:t></w:r></w:p>" for each in sentences)
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as file:
        for name, data in (
            ("[Content_Types].xml", _WORD_TYPES),
            ("_rels/.rels", _WORD_RELATIONS),
            ("word/document.xml", f"<w:document {_WORD_SPACE}><w:body>{body}</w:body></w:document>"),
        ):
            file.writestr(zipfile.ZipInfo(name, _ZIP_DATE), data, zipfile.ZIP_DEFLATED)
    return out.getvalue()


def _xlsx(sentences: Sequence[str]) -> bytes:
    book = openpyxl.Workbook()
    sheet = book.active
    assert sheet is not None
    sheet.append(("number", "rule"))
    for row in enumerate(sentences, 1):
        sheet.append(row)
    out = io.BytesIO()
    book.save(out)
    return _undated(out)


def _undated(written: io.BytesIO) -> bytes:
    """A zip without the time at which it was written, which stands beside each member and in the properties of the workbook."""
    out = io.BytesIO()
    with zipfile.ZipFile(written) as source, zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as target:
        for name in source.namelist():
            data = source.read(name)
            if name == _PROPERTIES:
                data = _TIME.sub(b"2026-01-01T00:00:00Z", data)
            target.writestr(zipfile.ZipInfo(name, _ZIP_DATE), data, zipfile.ZIP_DEFLATED)
    return out.getvalue()


def _pdf(sentences: Sequence[str]) -> bytes:
    out = io.BytesIO()
    page = Canvas(out, pagesize=A4, pageCompression=1, invariant=1)
    page.setFont("Helvetica", _FONT_POINTS)
    for n, each in enumerate(("Policy", *sentences), 1):
        page.drawString(_MARGIN_POINTS, A4[1] - _MARGIN_POINTS - n * _LINE_POINTS, each)
    page.save()
    return out.getvalue()


def _mail(sentences: Sequence[str]) -> bytes:
    message = EmailMessage()
    message["From"], message["To"], message["Subject"] = "a@house.example", "b@house.example", "Policy"
    message["Date"] = "Thu, 01 Jan 2026 09:00:00 +0000"
    message.set_content("\n\n".join(sentences), cte="quoted-printable")
    return message.as_bytes()


WRITERS: dict[str, Callable[[Sequence[str]], bytes]] = {
    ".csv": lambda sentences: _separated(sentences, ","),
    ".docx": _docx,
    ".eml": _mail,
    ".htm": _html,
    ".html": _html,
    ".json": _json,
    ".jsonl": _json_lines,
    ".markdown": _markdown,
    ".md": _markdown,
    ".ndjson": _json_lines,
    ".pdf": _pdf,
    ".text": _text,
    ".tsv": lambda sentences: _separated(sentences, "\t"),
    ".txt": _text,
    ".xhtml": _html,
    ".xlsm": _xlsx,
    ".xlsx": _xlsx,
    ".xml": _xml,
}
"""By suffix: the bytes of a file with these sentences. Every suffix that is read without an extra package has one."""


def write_documents(folder: Path, count: int, seed: int, *, sentences: int = 12) -> dict[str, list[str]]:
    """Write files, their formats one after the other.

    Args:
        folder: made.
        count: files.
        seed: of what is random.
        sentences: in a file. The last is about a rule that other files state with another figure, so that sections and claims
            quote several files.

    Returns:
        The sentences of each file, by name.
    """
    folder.mkdir(parents=True)
    written: dict[str, list[str]] = {}
    for number in range(count):
        rng = random.Random(seed * 1_000_003 + number)  # noqa: S311 - reproducible test data
        suffix = tuple(WRITERS)[number % len(WRITERS)]
        own = [_sentence(rng) for _ in range(sentences - 1)]
        own.append(f"The {_ROLES[number % len(_ROLES)]} shall review the access rights every {30 + number} days.")
        name = f"policy-{number:03d}{suffix}"
        (folder / name).write_bytes(WRITERS[suffix](own))
        written[name] = own
    return written


def _sentence(rng: random.Random) -> str:
    return (
        f"The {rng.choice(_ROLES)} shall {rng.choice(_VERBS)} the {_word(rng)} {_word(rng)} register of {_word(rng)} "
        f"within {rng.randint(2, 400)} days."
    )


def _word(rng: random.Random) -> str:
    return "".join(rng.choice(_SYLLABLES) for _ in range(rng.randint(2, 4)))
