"""Provisions below headings that a format marks: each is cited by the numbers that are printed, as in plain text."""

from __future__ import annotations

import html

import pytest

from coditect.documents.readers import read_source
from coditect.documents.structure.locators import find_locators
from coditect.tiers.extractions.document import document_lists, read_document

Lines = list[tuple[str, str]]

ACT: Lines = [
    ("h", "Short title"), ("p", "1 This Act may be cited as the Ferry Act."),
    ("h", "Application"), ("p", "2 (1) This Act applies to every ferry that carries passengers."),
    ("h", "Exception"), ("p", "(2) It does not apply to a ferry that carries sheep."),
    ("h", "Bells"), ("p", "3 (1) The ferryman must ring the bell before departure."), ("p", "(a) loudly; and"), ("p", "(b) twice."),
    ("h", "Fog"), ("p", "(2) The mate must sound the horn in fog."),
    ("h", "Lights"), ("p", "5 The lamplighter must light the lanterns at dusk."),
]  # fmt: skip
REGULATION: Lines = [
    ("h", "CHAPTER I"), ("h", "General provisions"),
    ("h", "Article 1"), ("h", "Subject matter"), ("p", "1. This Regulation lays down rules for kites."),
    ("p", "2. Beekeepers shall fly no kite."),
    ("h", "Article 2"), ("h", "Duties"), ("p", "1. Tailors shall sew the tail."), ("p", "2. Weavers shall weave the string."),
]  # fmt: skip


def _html(lines: Lines) -> bytes:
    parts = [
        f"<{'h3' if kind == 'h' else 'p'}>{html.escape(text)}</{'h3' if kind == 'h' else 'p'}>" for kind, text in lines
    ]
    return f"<!DOCTYPE html><html><body>{''.join(parts)}</body></html>".encode()


def _markdown(lines: Lines) -> bytes:
    return "\n\n".join(f"### {text}" if kind == "h" else text for kind, text in lines).encode()


def _locators(data: bytes, name: str) -> dict[str, str]:
    """The locator of each sentence, by each of its words."""
    reading = read_document(read_source(data, name))
    shown = reading.source.text
    found = find_locators(shown, reading.sections, reading.sentences, document_lists(reading))
    return {
        word.strip(".;:,"): "".join(locator.split())
        for each, locator in zip(reading.sentences, found, strict=True)
        for word in shown[each.start : each.end].split()
    }


@pytest.mark.parametrize(("name", "write"), [("act.html", _html), ("act.md", _markdown)])
def test_a_note_in_the_margin_closes_no_section(name: str, write: object) -> None:
    """Sections are counted through the act, whatever heading stands between; "(2)" behind one belongs to the section of "(1)"."""
    found = _locators(write(ACT), name)  # type: ignore[operator]
    assert {
        word: found[word] for word in ("cited", "passengers", "sheep", "ferryman", "twice", "mate", "lamplighter")
    } == {
        "cited": "1",
        "passengers": "2(1)",
        "sheep": "2(2)",
        "ferryman": "3(1)",
        "twice": "3(1)(b)",
        "mate": "3(2)",
        "lamplighter": "5",
    }


@pytest.mark.parametrize(("name", "write"), [("rule.html", _html), ("rule.md", _markdown)])
def test_the_heading_behind_a_bare_label_is_its_title(name: str, write: object) -> None:
    """ "Article 2" and "Duties" as headings of one level are one section."""
    data = write(REGULATION)  # type: ignore[operator]
    found = _locators(data, name)
    assert found["Beekeepers"].endswith("Article1(2)")
    assert found["Tailors"].endswith("Article2(1)")
    assert found["Weavers"].endswith("Article2(2)")
    titles = {
        section.label: section.heading for section in read_document(read_source(data, name)).sections if section.label
    }
    assert titles["Article 2"] == "Duties"


def test_headings_of_their_own_stay_sections() -> None:
    """A list that begins anew below a heading is that heading's, and a heading behind text is nobody's title."""
    text = (
        "## Article 1\n\nKites are toys.\n\n## Strings\n\n(a) Weavers shall weave.\n\n(b) Dyers shall dye.\n\n"
        "## Tails\n\n(a) Tailors shall sew.\n"
    )
    sections = read_document(read_source(text.encode(), "kites.md")).sections
    headings = [each.heading for each in sections if each.level == 1]
    assert headings == ["", "Strings", "Tails"]
    assert _locators(text.encode(), "kites.md")["Tailors"] == "(a)"
