"""JSON, OSCAL, RegML and other XML; choosing the reader; limits."""

from __future__ import annotations

import json
import sys

import pytest

from coditect.documents.readers import SUPPORTED_SUFFIXES, ReadLimits, read_source
from coditect.documents.readers.failures import LIBRARY_FAILURES
from coditect.errors import ReadError
from tests.unit.documents.documents import archive, assert_well_formed, blocks, pdf

_LABELS = [{"name": "label", "value": "AC-09", "class": "zero-padded"}, {"name": "label", "value": "AC-9"}]
_CHOICE = {"how-many": "one-or-more", "choice": ["now", "after {{ insert: param, ac-9_prm_1 }}"]}
_DEEP_ITEM = {
    "id": "ac-9_smt.a.1",
    "name": "item",
    "props": [{"name": "label", "value": "1."}],
    "prose": "Within {{ ac-9_prm_1 }}.",
}
_ITEM = {
    "id": "ac-9_smt.a",
    "name": "item",
    "props": [{"name": "label", "value": "a."}],
    "prose": "Acts {{ insert: param, p2 }};",
    "parts": [_DEEP_ITEM],
}
_CONTROL = {
    "id": "ac-9",
    "title": "Sample Control",
    "params": [{"id": "ac-9_prm_1", "label": "organization-defined time"}, {"id": "p2", "select": _CHOICE}],
    "props": _LABELS,
    "parts": [
        {"id": "ac-9_smt", "name": "statement", "prose": "The organization:", "parts": [_ITEM]},
        {"id": "ac-9_gdn", "name": "guidance", "prose": "First.\\n\\nSecond."},
    ],
    "controls": [{"id": "ac-9.1", "title": "Enhancement"}],
}
_CATALOG = {
    "catalog": {
        "metadata": {"title": "Sample catalogue"},
        "groups": [{"id": "ac", "title": "Access", "controls": [_CONTROL]}],
    }
}
_CATALOG_XML = b"""<?xml version="1.0"?><catalog xmlns="http://csrc.nist.gov/ns/oscal/1.0"><metadata><title>Sample
 catalogue</title></metadata><group id="ac"><title>Access</title><control id="ac-9"><title>Sample Control</title>
<param id="ac-9_prm_1"><label>organization-defined time</label></param><prop name="label" value="AC-9"/>
<part id="ac-9_smt" name="statement"><p>The organization acts
  within <insert type="param" id-ref="ac-9_prm_1"/>.</p></part></control></group></catalog>"""
_REGULATION = b"""<?xml version="1.0"?><regulation xmlns="eregs">
<fdsys><date>2020-01-01</date><title>SAMPLE</title></fdsys>
<preamble><agency>Agency</agency></preamble><part label="9">
<tableOfContents><tocSecEntry>toc</tocSecEntry></tableOfContents>
<content><subpart label="9-A" subpartLetter="A">
<content><section label="9-1"><subject>\xc2\xa7 9.1 Scope.</subject>
<paragraph label="9-1-a" marker="(a)"><title type="keyterm">Who.</title><content>Every <ref target="x">bank</ref> and
<def term="y">lender</def>.</content><paragraph label="9-1-a-1" marker="(1)"><content>One.</content>
</paragraph></paragraph>
<paragraph label="9-1-p1" marker="none"><content>Plain.</content></paragraph></section></content></subpart></content>
<interpretations label="9-Interp"><title>Supplement</title>
<interpSection label="9-1-Interp"><title>Section 9.1</title>
<interpParagraph label="9-1-a-Interp"><title>1(a) Who</title>
<content/><interpParagraph label="9-1-a-Interp-1" marker="1.">
<title>General.</title><content>A comment.</content></interpParagraph></interpParagraph></interpSection>
</interpretations>
</part></regulation>"""


def test_oscal_json_reads_like_the_printed_catalogue() -> None:
    """Labels are printed, parameters spelled out, and a heading's label is the control's id."""
    source = read_source(json.dumps(_CATALOG).encode(), "c.json")
    assert_well_formed(source)
    assert source.reader == "oscal/1"
    assert [(b.kind, b.label, source.text[b.start : b.end]) for b in source.blocks] == [
        ("heading", "", "Sample catalogue"),
        ("heading", "ac", "Access"),
        ("heading", "ac-9", "AC-9 Sample Control"),
        ("paragraph", "ac-9_smt", "The organization:"),
        (
            "list_item",
            "ac-9_smt.a",
            "a. Acts [Selection (one or more): now; after [Assignment: organization-defined time]];",
        ),
        ("list_item", "ac-9_smt.a.1", "1. Within [Assignment: organization-defined time]."),
        ("heading", "ac-9_gdn", "Guidance"),
        ("paragraph", "ac-9_gdn", "First."),
        ("paragraph", "ac-9_gdn", "Second."),
        ("heading", "ac-9.1", "Enhancement"),
    ]


def test_oscal_xml_reads_like_oscal_json() -> None:
    """The XML form of a catalogue gives the same blocks."""
    source = read_source(_CATALOG_XML, "c.xml")
    assert [(b.label, source.text[b.start : b.end]) for b in source.blocks] == [
        ("", "Sample catalogue"),
        ("ac", "Access"),
        ("ac-9", "AC-9 Sample Control"),
        ("ac-9_smt", "The organization acts within [Assignment: organization-defined time]."),
    ]


def test_oscal_parameters_that_name_each_other_end() -> None:
    """A circle of parameters is left as it is written after a few steps."""
    catalog = {"params": [{"id": "p", "label": "{{ p }}"}], "parts": [], "controls": [
        {"id": "c", "title": "C", "parts": [{"name": "statement", "prose": "Do {{ p }}."}]}
    ]}  # fmt: skip
    assert "{{ p }}" in read_source(json.dumps({"catalog": catalog}).encode(), "c.json").text


@pytest.mark.parametrize("catalog", [{"groups": 3}, {"groups": [3]}, {"groups": [{"parts": [[]]}]}, {"params": [{}]}])
def test_oscal_malformed_is_refused(catalog: dict[str, object]) -> None:
    """A catalogue of another shape is a ReadError, not a KeyError."""
    with pytest.raises(ReadError, match="OSCAL catalogue is malformed"):
        read_source(json.dumps({"catalog": catalog}).encode(), "c.json")


def test_regml_keeps_labels_and_prints_markers() -> None:
    """Markers stand before their paragraphs, definitions and references stay in line, contents and preamble go."""
    source = read_source(_REGULATION, "r.xml")
    assert_well_formed(source)
    assert source.title == "SAMPLE"
    assert [(b.kind, b.level, b.label, source.text[b.start : b.end]) for b in source.blocks] == [
        ("heading", 1, "9", "Part 9—SAMPLE"),
        ("heading", 2, "9-A", "Subpart A"),
        ("heading", 3, "9-1", "§ 9.1 Scope."),
        ("list_item", 1, "9-1-a", "(a) Who. Every bank and lender."),
        ("list_item", 2, "9-1-a-1", "(1) One."),
        ("paragraph", 0, "9-1-p1", "Plain."),
        ("heading", 2, "9-Interp", "Supplement"),
        ("heading", 3, "9-1-Interp", "Section 9.1"),
        ("heading", 4, "9-1-a-Interp", "1(a) Who"),
        ("list_item", 1, "9-1-a-Interp-1", "1. General. A comment."),
    ]


def test_xml_of_any_kind_reads_as_its_text() -> None:
    """Elements with text of their own are blocks; inline elements stay inside them."""
    raw = b"<doc><title>T</title><a><b>One <i>two</i> three.</b><b>Four</b></a></doc>"
    assert blocks(read_source(raw, "d.xml")) == [
        ("heading", 1, "T"),
        ("paragraph", 0, "One two three."),
        ("paragraph", 0, "Four"),
    ]


@pytest.mark.parametrize(
    "raw",
    [
        b'<!DOCTYPE a [<!ENTITY x "y">]><a>&x;</a>',
        b'<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/hostname">]><a>&x;</a>',
        b'<!DOCTYPE a [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;"><!ENTITY c "&b;&b;">]><a>&c;</a>',
    ],
)
def test_xml_with_entities_is_refused(raw: bytes) -> None:
    """Entities can expand without bound or name other files."""
    with pytest.raises(ReadError, match="declares entities"):
        read_source(raw, "a.xml")


@pytest.mark.parametrize("raw", [b"<a>", b"<a></b>", b"hello", b"<a>" * 100_000])
def test_xml_malformed_is_refused(raw: bytes) -> None:
    """Bad nesting, plain text and endless depth are malformed."""
    with pytest.raises(ReadError, match="malformed XML"):
        read_source(raw, "a.xml")


def test_json_is_flattened_with_the_digits_that_it_has() -> None:
    """Each leaf is a line with its path; numbers are not rounded; empty strings are no text."""
    raw = b'{"a": {"b": [1.10, 12345678901234567890, true, null, ""]}, "c": "x\\ny"}'
    assert read_source(raw, "a.json").text == (
        "a.b[0]: 1.10\na.b[1]: 12345678901234567890\na.b[2]: true\na.b[3]: null\nc: x y"
    )
    assert read_source(b'{"q": 1}\n\n{"q": 2}\n', "a.jsonl").text == "[1].q: 1\n[3].q: 2"


def test_json_malformed_is_refused_with_its_place() -> None:
    """The message is static, the place is in the context."""
    with pytest.raises(ReadError, match="malformed JSON") as caught:
        read_source(b'{"a": 1,\n "b": }', "a.json")
    assert (caught.value.context["line"], caught.value.context["column"]) == (2, 7)
    with pytest.raises(ReadError, match="nested too deeply"):
        read_source(b"[" * 200_000, "a.json")


def test_json_with_lone_surrogates_is_canonical() -> None:
    """An escape that is no character becomes U+FFFD."""
    assert_well_formed(read_source(b'{"a": "x\\ud800\\u0000y"}', "a.json"))


@pytest.mark.parametrize(
    ("raw", "name", "reader"),
    [
        (b"some text", "README", "plain/1"),
        (b"some text", "a.unknown", "plain/1"),
        (b"<!DOCTYPE html><p>x", "page", "html/5"),
        (b"<?xml version='1.0'?><a>x</a>", "data", "xml/1"),
        (pdf([[(72, 700, "x y")]]), "scan", "pdf/6"),
        (b"a,b\n1,2\n", "dir.md/T.CSV", "csv/1"),
        (b"# x", "dir\\a.markdown", "markdown/6"),
        (b"text", ".md", "plain/1"),
    ],
)
def test_reader_is_chosen_by_suffix_then_content(raw: bytes, name: str, reader: str) -> None:
    """The suffix decides; without a known one the content does."""
    assert read_source(raw, name).reader == reader


@pytest.mark.parametrize("name", ["a.md", "a.csv", "a.json", "a.html", "a.txt"])
def test_reader_refuses_binary_documents_under_text_names(name: str) -> None:
    """A PDF or an office file under a text suffix is not read as characters."""
    for raw in (archive({"word/document.xml": b"x"}), pdf([[(72, 700, "x")]])):
        with pytest.raises(ReadError, match="not text although its name says so"):
            read_source(raw, name)


def test_reader_names_what_it_supports_for_unknown_formats() -> None:
    """The way out of an unknown format is in the hint."""
    with pytest.raises(ReadError, match="unknown format"):
        read_source(b"{\\rtf1 x}", "a.rtf")
    with pytest.raises(ReadError, match="unknown format") as caught:
        read_source(b"\x89PNG\r\n\x00\x00", "a.png")
    assert caught.value.hint
    assert ".docx" in caught.value.hint
    assert "markitdown" in caught.value.hint


def test_an_archive_is_to_be_unpacked() -> None:
    """The way out is another one than for a format that is not known."""
    with pytest.raises(ReadError, match="an archive of files") as caught:
        read_source(b"PK\x03\x04\x00\x00\x00\x00", "policies.ZIP")
    assert "Unpack it" in str(caught.value.hint)


def test_reader_limits_are_kept() -> None:
    """Empty and oversized files are refused, and so is too much text."""
    with pytest.raises(ReadError, match="the file is empty"):
        read_source(b"", "a.md")
    with pytest.raises(ReadError, match="the file is too large"):
        read_source(b"123456", "a.md", ReadLimits(max_file_bytes=5))
    for name in ("a.md", "a.txt", "a.html", "a.csv"):
        with pytest.raises(ReadError, match="too much text"):
            read_source(b"one two three", name, ReadLimits(max_text_chars=5))
    with pytest.raises(ReadError, match="no text"):
        read_source(b"<!-- nothing -->", "a.md")


def test_reader_needs_the_extra_for_other_formats(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without markitdown the message says how to get it."""
    monkeypatch.setitem(sys.modules, "markitdown", None)
    monkeypatch.setattr("coditect.documents.readers.other.available", lambda: False)
    with pytest.raises(ReadError, match="needs the optional converter") as caught:
        read_source(b"PK..", "a.pptx")
    assert caught.value.hint
    assert "markitdown" in caught.value.hint


def test_reader_suffixes_are_lower_case_with_their_dot() -> None:
    """Callers compare them with a lower-cased suffix."""
    assert all(s.startswith(".") and s == s.lower() for s in SUPPORTED_SUFFIXES)
    assert {".md", ".txt", ".html", ".docx", ".xlsx", ".csv", ".pdf", ".json", ".xml"} <= SUPPORTED_SUFFIXES


def test_library_failures_never_hide_our_own_errors() -> None:
    """ReadError must pass through the readers' except clauses."""
    assert not issubclass(ReadError, LIBRARY_FAILURES)


_POINT = '<table width="100%"><tbody><tr><td valign="top"><p>{}</p></td><td valign="top">{}</td></tr></tbody></table>'


def _html_blocks(body: str) -> list[tuple[str, int, str]]:
    return blocks(read_source(f"<!DOCTYPE html><html><body>{body}</body></html>".encode(), "act.html"))


def test_html_points_that_a_table_places_are_items_of_a_list() -> None:
    """As official journals set them: a table for each point, a number beside its text, points within points."""
    inner = _POINT.format("(i)", "<p>by day;</p>") + _POINT.format("(ii)", "<p>by night.</p>")
    page = "<p>2. Masters shall:</p>" + _POINT.format("(a)", "<p>ring the bell;</p>")
    page += _POINT.format("(b)", f"<p>keep watch:</p>{inner}") + _POINT.format("—", "<p>and sleep.</p><p>Later.</p>")
    assert _html_blocks(page) == [
        ("paragraph", 0, "2. Masters shall:"),
        ("list_item", 1, "(a) ring the bell;"),
        ("list_item", 1, "(b) keep watch:"),
        ("list_item", 2, "(i) by day;"),
        ("list_item", 2, "(ii) by night."),
        ("list_item", 1, "— and sleep."),
        ("paragraph", 0, "Later."),
    ]


def test_html_points_that_columns_place_are_items_of_a_list() -> None:
    """A number in a block of its own goes before the text beside it; one that nothing follows stays, and so does a second one."""
    page = "<div><div><span>(a)</span></div><div><p>ring the bell;</p></div></div><p>(b)</p><h2>Fares</h2><p>(1)</p><p>(2)</p>"
    assert _html_blocks(page) == [
        ("list_item", 1, "(a) ring the bell;"),
        ("paragraph", 0, "(b)"),
        ("heading", 2, "Fares"),
        ("paragraph", 0, "(1)"),
        ("paragraph", 0, "(2)"),
    ]


def test_html_tables_of_numbered_rows_stay_tables() -> None:
    """With heads, with three cells in a row, or without any number."""
    for rows in (
        "<tr><th>No.</th><th>Duty</th></tr><tr><td>(1)</td><td>Ring</td></tr>",
        "<tr><td>(1)</td><td>Ring</td><td>Mate</td></tr><tr><td>(2)</td><td>Row</td><td>Crew</td></tr>",
        "<tr><td>Mate</td><td>Ring</td></tr>",
        "<tr><td>1</td><td>Ring</td></tr>",
        "<thead><tr><th>Class</th><th>Kept</th></tr></thead><tbody><tr><td>A.</td><td>90 days</td></tr></tbody>",
        "<thead><tr><td>No.</td><td>Duty</td></tr></thead><tbody><tr><td>1.</td><td>Ring</td></tr></tbody>",
        "<tr><td>(5)</td><td>(7)</td></tr>",
    ):
        assert {kind for kind, *_ in _html_blocks(f"<table>{rows}</table>")} == {"table_row"}
