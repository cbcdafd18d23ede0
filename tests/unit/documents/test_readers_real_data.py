"""Real documents, where they are at hand beside the repository; nothing of them is quoted here."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path

import pytest

from coditect.documents.readers import read_source
from coditect.documents.source import SourceText
from tests.unit.documents.documents import assert_well_formed

_DATA = Path(__file__).parents[3] / ".." / "shared" / "data"


def _read(path: Path) -> SourceText:
    source = read_source(path.read_bytes(), path.name)
    assert_well_formed(source)
    return source


def _files(pattern: str) -> list[Path]:
    found = sorted(_DATA.glob(pattern))
    if not found:
        pytest.skip("the shared data are not at hand")
    return found


@pytest.mark.parametrize("pattern", ["pdf/*.pdf", "cfpb/*.xml", "nist/*", "policies/*/*.tmpl", "contracts/docs/*.txt"])
def test_real_files_are_well_formed(pattern: str) -> None:
    """Every real file gives canonical text with blocks in order."""
    for path in _files(pattern):
        assert _read(path).blocks


def test_real_pdfs_hold_their_sentences_whole() -> None:
    """Hardly a paragraph goes on, in lower case, where the one before it was not finished; all pages are mapped."""
    for path in _files("pdf/*.pdf"):
        source = _read(path)
        assert source.pages[0].start == 0
        assert source.pages[-1].end == len(source.text)
        assert "\ufffe" not in source.text
        texts = [source.text[b.start : b.end] for b in source.blocks if b.kind != "table_row"]
        cut = sum(1 for a, b in pairwise(texts) if b[0].islower() and re.search(r"[a-z,]$", a))
        assert cut <= 0.02 * len(texts), path.name


def test_real_regulations_label_their_sections() -> None:
    """Each section heading carries the element's label, and each marker is printed."""
    for path in _files("cfpb/*.xml"):
        source = _read(path)
        wanted = set(re.findall(r'<section [^>]*label="([^"]+)"', path.read_text("utf-8")))
        assert wanted <= {b.label for b in source.blocks if b.kind == "heading"}, path.name


def test_real_catalogues_have_no_parameter_left() -> None:
    """Every insertion point is spelled out."""
    for path in (p for p in _files("nist/*") if "catalog" in p.name):
        source = _read(path)
        assert source.reader == "oscal/1"
        assert "insert:" not in source.text
        assert not re.search(r"\{\{\s*[a-z]{2}-\d", source.text)
