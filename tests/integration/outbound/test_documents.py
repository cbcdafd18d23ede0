"""Documents that name addresses: nothing on this machine is asked for them, and no file of it is quoted."""

from __future__ import annotations

import importlib.util
import io
import zipfile
from collections.abc import Callable
from pathlib import Path

import docx
import pytest
from openpyxl import Workbook

from coditect.documents.sandbox.budget import ReadBudget
from coditect.documents.sandbox.process import ReadingProcess
from coditect.errors import CoditectError
from tests.integration.outbound.listening import SECRET, Ear, listening

_WORDS = "The keeper shall report within 30 days."


def _xml(before: str, inside: str) -> bytes:
    return f'<?xml version="1.0"?>{before}<regulation><title>Rule</title><p>{_WORDS} {inside}</p></regulation>'.encode()


def _entity(to: str) -> bytes:
    return _xml(f'<!DOCTYPE regulation [<!ENTITY e SYSTEM "{to}">]>', "&e;")


def _parameter_entity(to: str) -> bytes:
    return _xml(f'<!DOCTYPE regulation [<!ENTITY % e SYSTEM "{to}"> %e;]>', "")


def _external_dtd(to: str) -> bytes:
    return _xml(f'<!DOCTYPE regulation SYSTEM "{to}">', "&e;")


def _include(to: str) -> bytes:
    return _xml("", f'<xi:include xmlns:xi="http://www.w3.org/2001/XInclude" href="{to}" parse="text"/>')


def _style_sheet(to: str) -> bytes:
    schema = f'<x xmlns:s="http://www.w3.org/2001/XMLSchema-instance" s:schemaLocation="urn:x {to}"/>'
    return _xml(f'<?xml-stylesheet href="{to}" type="text/xsl"?>', schema)


def _html(to: str) -> bytes:
    return (
        f'<html><head><base href="{to}"><link rel="stylesheet" href="{to}"><script src="{to}"></script>'
        f'<meta http-equiv="refresh" content="0;url={to}"><style>@import url("{to}");</style></head><body><p>{_WORDS}</p>'
        f'<img src="{to}"><iframe src="{to}"></iframe><object data="{to}"></object><video src="{to}"></video>'
        f'<svg><image href="{to}"/></svg><p style="background:url({to})">A page.</p></body></html>'
    ).encode()


def _xhtml(to: str) -> bytes:
    return (
        f'<?xml version="1.0"?><!DOCTYPE html [<!ENTITY e SYSTEM "{to}">]>'
        f'<html xmlns="http://www.w3.org/1999/xhtml"><body><p>{_WORDS} &e;</p></body></html>'
    ).encode()


def _markdown(to: str) -> bytes:
    return (
        f'# Rule\n\n{_WORDS}\n\n![a picture]({to} "x")\n\n<img src="{to}">\n\n[a]: {to}\n\n![b][a]\n\n<{to}>\n'.encode()
    )


def _repacked(raw: bytes, change: Callable[[str, bytes], bytes], more: dict[str, str] | None = None) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(raw)) as source, zipfile.ZipFile(out, "w") as target:
        for info in source.infolist():
            target.writestr(info.filename, change(info.filename, source.read(info)))
        for name, text in (more or {}).items():
            target.writestr(name, text)
    return out.getvalue()


def _plain_docx() -> bytes:
    out, made = io.BytesIO(), docx.Document()
    made.add_paragraph(_WORDS)
    made.save(out)
    return out.getvalue()


_TYPE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"


def _docx(to: str) -> bytes:
    """Template, picture, sub-document, frame and object of elsewhere."""
    return _linked_docx(to, ("attachedTemplate", "image", "subDocument", "frame", "oleObject", "hyperlink"))


def _docx_parts(to: str) -> bytes:
    """Parts that only the document itself can have."""
    return _linked_docx(to, ("footnotes", "endnotes", "comments", "styles", "numbering"))


def _linked_docx(to: str, kinds: tuple[str, ...]) -> bytes:
    links = "".join(
        f'<Relationship Id="x{number}" Type="{_TYPE}/{kind}" Target="{to}" TargetMode="External"/>'
        for number, kind in enumerate(kinds)
    )

    def change(name: str, raw: bytes) -> bytes:
        if not name.endswith("document.xml.rels"):
            return raw
        return raw.replace(b"</Relationships>", links.encode() + b"</Relationships>")

    settings = (
        f'<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">{links}</Relationships>'
    )
    return _repacked(_plain_docx(), change, {"word/_rels/settings.xml.rels": settings})


def _docx_entity(to: str) -> bytes:
    def change(name: str, raw: bytes) -> bytes:
        if name != "word/document.xml":
            return raw
        declared = f'<!DOCTYPE x [<!ENTITY e SYSTEM "{to}">]>'.encode()
        return raw.replace(b"?>", b"?>" + declared, 1).replace(_WORDS.encode(), _WORDS.encode() + b" &e;")

    return _repacked(_plain_docx(), change)


def _plain_xlsx() -> bytes:
    out, book = io.BytesIO(), Workbook()
    sheet = book.active
    assert sheet is not None
    for row in (("Duty", "Days"), (_WORDS, 30)):
        sheet.append(row)
    book.save(out)
    return out.getvalue()


def _xlsx(to: str) -> bytes:
    """A formula over the web, and a link to another workbook."""
    out, book = io.BytesIO(), Workbook()
    sheet = book.active
    assert sheet is not None
    for row in (("Duty", "Days"), (_WORDS, f'=WEBSERVICE("{to}")'), ("Other", f"='{to}[b.xlsx]S'!A1")):
        sheet.append(row)
    book.save(out)
    return out.getvalue()


def _xlsx_entity(to: str) -> bytes:
    def change(name: str, raw: bytes) -> bytes:
        declared = f'<!DOCTYPE x [<!ENTITY e SYSTEM "{to}">]>'.encode()
        if name.startswith("xl/worksheets/sheet"):
            return declared + raw
        return declared + raw.replace(_WORDS.encode(), _WORDS.encode() + b" &e;") if "sharedStrings" in name else raw

    return _repacked(_plain_xlsx(), change)


def _pdf(to: str) -> bytes:
    """What opens, sends, launches or embeds something of elsewhere, and a picture whose bytes are elsewhere."""
    stream = f"BT /F1 12 Tf 50 700 Td ({_WORDS}) Tj ET /I Do"
    objects = [
        f"<</Type/Catalog/Pages 2 0 R/OpenAction<</S/URI/URI({to})>>/AA<</WC<</S/SubmitForm/F<</FS/URL/F({to})>>>>>>>>",
        "<</Type/Pages/Kids[3 0 R]/Count 1>>",
        "<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Contents 4 0 R/Annots[6 0 R 7 0 R]"
        "/Resources<</Font<</F1 5 0 R>>/XObject<</I 8 0 R>>>>>>",
        f"<</Length {len(stream)}>>stream\n{stream}\nendstream",
        "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
        f"<</Type/Annot/Subtype/Link/Rect[0 0 600 800]/A<</S/Launch/F({to})>>>>",
        f"<</Type/Annot/Subtype/Link/Rect[0 0 600 800]/A<</S/GoToR/F<</FS/URL/F({to})>>/D[0/Fit]>>>>",
        f"<</Type/XObject/Subtype/Image/Width 1/Height 1/BitsPerComponent 8/ColorSpace/DeviceGray/F<</FS/URL/F({to})>>/Length 0>>"
        "stream\n\nendstream",
    ]
    out, places = b"%PDF-1.7\n", []
    for number, each in enumerate(objects, 1):
        places.append(len(out))
        out += f"{number} 0 obj{each}endobj\n".encode()
    table = "".join(f"{place:010d} 00000 n \n" for place in places)
    size = len(objects) + 1
    tail = f"xref\n0 {size}\n0000000000 65535 f \n{table}trailer<</Size {size}/Root 1 0 R>>\nstartxref\n{len(out)}\n%%EOF\n"
    return out + tail.encode()


def _json(to: str) -> bytes:
    return f'{{"$schema": "{to}", "$ref": "{to}", "import": {{"href": "{to}"}}, "text": "{_WORDS}"}}'.encode()


ATTACKS: dict[str, tuple[str, Callable[[str], bytes]]] = {
    "entity": (".xml", _entity),
    "parameter-entity": (".xml", _parameter_entity),
    "external-dtd": (".xml", _external_dtd),
    "include": (".xml", _include),
    "style-sheet": (".xml", _style_sheet),
    "html": (".html", _html),
    "xhtml": (".xhtml", _xhtml),
    "markdown": (".md", _markdown),
    "docx": (".docx", _docx),
    "docx-parts": (".docx", _docx_parts),
    "docx-entity": (".docx", _docx_entity),
    "xlsx": (".xlsx", _xlsx),
    "xlsx-entity": (".xlsx", _xlsx_entity),
    "pdf": (".pdf", _pdf),
    "json": (".json", _json),
}


@pytest.fixture(scope="module")
def ear() -> object:
    """What must hear nothing."""
    with listening() as found:
        yield found


def _targets(ear: Ear, folder: Path) -> list[str]:
    """Addresses of this machine under several schemes and spellings, and a file of it."""
    secret = folder / "secret.txt"
    secret.write_text(SECRET)
    (folder / "secret.dtd").write_text(f'<!ENTITY e "{SECRET}">')
    port = ear.port
    return [
        f"http://127.0.0.1:{port}/a", f"http://localhost:{port}/a", f"http://2130706433:{port}/a", f"http://[::ffff:127.0.0.1]:{port}/a",
        f"https://127.0.0.1:{port}/a", f"ftp://127.0.0.1:{port}/a", f"gopher://127.0.0.1:{port}/_a", f"//127.0.0.1:{port}/a",
        secret.as_uri(), (folder / "secret.dtd").as_uri(), str(secret),
    ]  # fmt: skip


@pytest.mark.parametrize("attack", ATTACKS)
def test_a_document_makes_nobody_fetch_anything(attack: str, ear: Ear, tmp_path: Path) -> None:
    """Read in the process that reads what strangers send: refused, or read without what it names."""
    suffix, make = ATTACKS[attack]
    with ReadingProcess(ReadBudget()) as reading:
        for to in _targets(ear, tmp_path):
            try:
                source = reading.read(make(to), f"rule{suffix}")
            except CoditectError as refused:
                assert SECRET not in str(refused)  # noqa: PT017 - either is right
            else:
                assert "keeper shall report" in source.text
                assert SECRET not in source.text
    assert ear.heard() == 0


def test_the_attacks_are_what_their_readers_read(tmp_path: Path) -> None:
    """Those that are whole without what they name are documents: it is not a refusal that keeps them from anything."""
    read = [name for name in ATTACKS if "entity" not in name and name != "docx-parts"]
    with ReadingProcess(ReadBudget()) as reading:
        for name in read:
            suffix, make = ATTACKS[name]
            assert "keeper shall report" in reading.read(make("http://inside.example/"), f"rule{suffix}").text


def test_a_picture_of_a_page_is_drawn_without_what_it_names(ear: Ear, tmp_path: Path) -> None:
    """The picture is the same wherever the address leads."""
    with ReadingProcess(ReadBudget()) as reading:
        drawn = {reading.draw(_pdf(to), "rule.pdf", 1, 400)[1] for to in _targets(ear, tmp_path)}
    assert len(drawn) == 1
    assert ear.heard() == 0


def test_a_questionnaire_makes_nobody_fetch_anything(ear: Ear, tmp_path: Path) -> None:
    """Its parts are parsed by another parser than documents are."""
    from coditect.reports.questionnaires.filling import _parse

    for to in _targets(ear, tmp_path):
        for declared in (f'<!ENTITY e SYSTEM "{to}">', f'<!ENTITY % e SYSTEM "{to}"> %e;'):
            root = _parse(f"<!DOCTYPE x [{declared}]><x>{'&e;' if '%' not in declared else ''}</x>".encode())
            assert SECRET not in "".join(map(str, root.itertext()))
        assert _parse(f'<!DOCTYPE x SYSTEM "{to}"><x>a</x>'.encode()).text == "a"
    assert ear.heard() == 0


@pytest.mark.skipif(importlib.util.find_spec("markitdown") is None, reason="the converter is not installed")
def test_a_converted_notebook_makes_nobody_fetch_anything(ear: Ear, tmp_path: Path) -> None:
    """The converter is one that could fetch: it is given bytes and a converter, and no address."""
    import json

    with ReadingProcess(ReadBudget()) as reading:
        for to in _targets(ear, tmp_path):
            cell = {
                "cell_type": "markdown",
                "source": [f"# Rule\n{_WORDS}\n![x]({to})\n<img src='{to}'>"],
                "metadata": {},
            }
            raw = json.dumps({"cells": [cell], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}).encode()
            assert "keeper shall report" in reading.read(raw, "rule.ipynb").text
    assert ear.heard() == 0
