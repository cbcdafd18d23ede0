"""What PDF/A-3b asks of a file, read by two libraries that did not write it: marks, colours, fonts, attachment, nothing that runs.

This is no validation: glyphs, operators of content streams, transparency, the ICC profile's own bytes and the rest of ISO 19005-3
are not looked at. Who has a validator runs it on ``coditect knowledge report --format pdf``.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from typing import Any

import pytest

from coditect.reports.editions.pdf import render_pdf
from coditect.reports.editions.printed import EDITIONS, Edition
from tests.unit.reports.reports import report

FORBIDDEN = (
    "/JavaScript",
    "/JS",
    "/Launch",
    "/Sound",
    "/Movie",
    "/ResetForm",
    "/ImportData",
    "/Rendition",
    "/XFA",
    "/AA",
)
"""Keys and names of actions that PDF/A-3 forbids."""


def _pikepdf(made: bytes) -> Any:  # noqa: ANN401 - a library that may not be there
    return pytest.importorskip("pikepdf").open(io.BytesIO(made))


def _pypdf(made: bytes) -> Any:  # noqa: ANN401 - a library that may not be there
    return pytest.importorskip("pypdf").PdfReader(io.BytesIO(made), strict=True)


def _fonts(page: Any) -> Iterator[Any]:  # noqa: ANN401 - of either library
    """The fonts of a page, those inside of composed ones too; of forms that it draws as well."""
    resources = page.get("/Resources", {})
    for font in dict(resources.get("/Font", {})).values():
        yield from _inner(font)
    for drawn in dict(resources.get("/XObject", {})).values():
        if str(_known(drawn).get("/Subtype")) == "/Form":
            yield from _fonts(_known(drawn))


def _inner(font: Any) -> Iterator[Any]:  # noqa: ANN401 - of either library
    font = _known(font)
    if str(font.get("/Subtype")) == "/Type0":
        for each in font["/DescendantFonts"]:
            yield _known(each)
    else:
        yield font


def _known(thing: Any) -> Any:  # noqa: ANN401 - of either library
    """What a reference points at: one of the two libraries follows them by itself."""
    return thing.get_object() if hasattr(thing, "get_object") else thing


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("read", [_pikepdf, _pypdf])
def test_pages_bring_their_fonts(read: Any, edition: Edition) -> None:  # noqa: ANN401 - a reader
    """Each font's program is in the file, whichever page or drawing uses it."""
    pages = read(render_pdf(report(), edition)).pages
    fonts = [font for page in pages for font in _fonts(page)]
    assert fonts
    for font in fonts:
        described = _known(font["/FontDescriptor"])
        assert {"/FontFile", "/FontFile2", "/FontFile3"} & set(map(str, described.keys())), font.get("/BaseFont")


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("read", [_pikepdf, _pypdf])
def test_colours_and_attachment_are_declared(read: Any, edition: Edition) -> None:  # noqa: ANN401 - a reader
    """An output intent with its profile, and the report attached with what it is to the document."""
    found = read(render_pdf(report(), edition))
    root = found.Root if hasattr(found, "Root") else found.trailer["/Root"]
    (intent,) = [_known(each) for each in root["/OutputIntents"]]
    assert str(intent["/S"]) == "/GTS_PDFA1"
    profile = _known(intent["/DestOutputProfile"])
    data = profile.read_bytes() if hasattr(profile, "read_bytes") else profile.get_data()
    assert data[36:40] == b"acsp"  # the signature of an ICC profile
    assert int(profile["/N"]) == {b"RGB ": 3, b"GRAY": 1, b"CMYK": 4}[bytes(data[16:20])]
    (attached,) = [_known(each) for each in root["/AF"]]
    assert str(attached["/AFRelationship"]) in {"/Data", "/Source", "/Alternative", "/Supplement", "/Unspecified"}
    assert (str(attached["/F"]), str(attached["/UF"])) == ("report.json", "report.json")
    assert str(_known(_known(attached["/EF"])["/F"])["/Subtype"]).replace("#2F", "/") == "/application/json"


@pytest.mark.parametrize("edition", EDITIONS)
def test_marks_say_the_same_in_both_libraries(edition: Edition) -> None:
    """Part 3, conformance B, in XMP that is not compressed; dates of the XMP and of the document's information agree."""
    made = render_pdf(report(), edition)
    first, second = _pikepdf(made), _pypdf(made)
    with first.open_metadata() as metadata:
        assert (metadata["pdfaid:part"], metadata["pdfaid:conformance"]) == ("3", "B")
        assert metadata.pdfa_status == "3B"
    raw = second.trailer["/Root"]["/Metadata"].get_object()
    assert "/Filter" not in raw
    assert re.search(rb"<pdfaid:part>3</pdfaid:part>\s*<pdfaid:conformance>B<", raw.get_data())
    assert second.metadata.creation_date == second.xmp_metadata.xmp_create_date.replace(
        tzinfo=second.metadata.creation_date.tzinfo
    )
    assert second.metadata.title == second.xmp_metadata.dc_title["x-default"]


@pytest.mark.parametrize("edition", EDITIONS)
def test_nothing_is_encrypted_and_nothing_runs(edition: Edition) -> None:
    """No key of an action that is forbidden in any object, no password, an identity of the file."""
    library = pytest.importorskip("pikepdf")
    found = _pikepdf(render_pdf(report(), edition))
    assert not found.is_encrypted
    assert found.check_pdf_syntax() == []
    assert "/ID" in found.trailer
    for each in found.objects:
        if isinstance(each, (library.Dictionary, library.Stream)):
            keys = set(each.keys())
            assert not (keys | {str(each.get("/S"))}) & set(FORBIDDEN)
