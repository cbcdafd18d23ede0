"""What holds of every resolution of every document."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from coditect_benchmarks.standalone import GOLD, measure_gold, read_statements, resolve_document
from hypothesis import given, settings
from hypothesis import strategies as st

import coditect.sample
from coditect.documents.sentences import Span
from coditect.documents.source import SourceText
from coditect.schemas.standalone import Standalone
from coditect.tiers.extractions.document import DocumentReading, read_document
from coditect.tiers.propositions.wording import worded
from tests.unit.tiers.propositions.documents import reading_of

CORPUS = Path(coditect.sample.__file__).parent / "corpus"

LINES = st.sampled_from(
    [
        "# Backup Standard",
        "## 2 Duties of the Supplier",
        "1.1 The Supplier shall:",
        "(a) encrypt all backups;",
        "(b) report on:",
        "(i) uptime; and",
        "- keep its records of tests",
        "- This standard: as printed",
        "| Service | Time | Point |\n|---|---|---|\n| Mail | 4 hours | 1 hour |",
        "It shall meet monthly. Its members are named.",
        "They must not be shared.",
        "The Security Committee approves this standard.",
        "Such complete records shall be kept. The Vendor shall keep complete records of tests.",
        "Exceptions from this Standard expire. However, it may be renewed.",
        "7 years after the end.",
        "Fees under this Article: ARTICLE 4 it is",
        "“Data” means   data\u00a0in it.",
    ]
)


def assert_traced(reading: DocumentReading, found: dict[tuple[int, int], Standalone]) -> None:
    """Every word that was put in is the document's, and nothing else was changed but what the wording allows."""
    text = reading.source.text
    for (start, end), each in found.items():
        assert each.synthetic is True
        assert each.resolutions
        at = start
        for part in each.resolutions:
            assert text[part.source_start : part.source_end] == part.text != ""
            assert text[part.char_offset_start : part.char_offset_end] == part.replaces
            assert at <= part.char_offset_start <= part.char_offset_end <= end
            at = part.char_offset_end
        assert each.text == worded(text, start, end, each.resolutions)


@settings(deadline=None)
@given(st.lists(LINES, min_size=1, max_size=14))
def test_inserted_words_are_verbatim_anywhere(lines: list[str]) -> None:
    """Whatever follows whatever, what is put in stands in the document at its source, and two runs agree."""
    reading = reading_of("\n\n".join(lines))
    spans = [Span(span.start, span.end) for span in reading.sentences]
    found = resolve_document(reading, spans)
    assert_traced(reading, found)
    assert found == resolve_document(reading, spans)
    assert set(found) <= {(span.start, span.end) for span in spans}


@settings(deadline=None)
@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=300))
def test_any_text_is_read_without_failure(text: str) -> None:
    """No text makes the rules fail."""
    reading = read_document(SourceText(text=text, media_type="text/plain"))
    assert_traced(reading, resolve_document(reading, reading.sentences))


@pytest.mark.parametrize("name", sorted(path.name for path in CORPUS.iterdir()))
def test_sample_documents_are_traced(name: str) -> None:
    """The sample corpus: every inserted word has its place."""
    reading, statements = read_statements(CORPUS / name)
    assert_traced(reading, resolve_document(reading, statements))


def test_only_asked_statements_are_resolved() -> None:
    """A sentence that is no statement gives nothing, though others may need it."""
    reading = reading_of("# Backup Standard\n\nThe Committee approves plans. It shall meet monthly.\n")
    assert resolve_document(reading, []) == {}


def test_gold_is_kept(capsys: pytest.CaptureFixture[str]) -> None:
    """Of the resolutions on the gold at least 95 in 100 are right, and statements that stand on their own are left."""
    assert measure_gold() >= 0.95
    out = capsys.readouterr().out
    assert "left as they are 1.00" in out


def test_gold_is_of_the_sample_corpus() -> None:
    """The gold's offsets are inside the documents that it names."""
    for entry in json.loads(GOLD.read_text(encoding="utf-8")):
        assert (CORPUS / entry["file"]).is_file()
        assert 0 <= entry["start"] < entry["end"]
