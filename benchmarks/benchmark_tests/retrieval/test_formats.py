"""The plain format, and what is said of lines that are not in it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from coditect_benchmarks.retrieval.alignment import Alignment
from coditect_benchmarks.retrieval.formats import Document, Gold, read_plain
from hypothesis import given
from hypothesis import strategies as st

from coditect.documents.readers.canonical import canonicalize
from coditect.errors import SchemaError

DOCUMENTS = '{"id": "a", "title": "Leave", "text": "Staff have 25 days."}\n\n{"id": "b", "text": "Else."}\n'
QUERY = {
    "query": "how many days?",
    "gold": [{"document": "a", "start": 11, "end": 18}, {"document": "b"}],
    "within": "a",
}

awkward = st.text(
    st.sampled_from("ab \n\r\té\u0301\ufeff\u2028\u1100\u1161\x00\xad\u0344\U0001d15e\u212a"), max_size=24
)


def folder(tmp_path: Path, queries: str, documents: str = DOCUMENTS) -> Path:
    """Write a set in JSONL, and return its folder."""
    (tmp_path / "documents.jsonl").write_text(documents, encoding="utf-8")
    (tmp_path / "queries.jsonl").write_text(queries, encoding="utf-8")
    return tmp_path


def test_plain_set_is_read_as_written(tmp_path: Path) -> None:
    """Titles and restrictions are optional, blank lines are skipped, questions without gold are counted apart."""
    found = read_plain(folder(tmp_path, json.dumps(QUERY) + "\n" + '{"query": "x", "gold": []}'))
    assert [document.label for document in found.documents] == ["Leave", "b"]
    assert found.name == tmp_path.name
    (query,) = found.queries
    assert query.gold == (Gold("a", 11, 18), Gold("b"))
    assert (query.within, found.unscored) == ("a", 1)
    assert found.documents[0].text[11:18] == "25 days"


@pytest.mark.parametrize(
    "line",
    [
        "{",
        "[1]",
        '{"gold": []}',
        '{"query": 3, "gold": []}',
        '{"query": "x"}',
        '{"query": "x", "gold": "a"}',
        '{"query": "x", "gold": ["a"]}',
        '{"query": "x", "gold": [{"document": "c"}]}',
        '{"query": "x", "gold": [{"document": "a", "start": 3}]}',
        '{"query": "x", "gold": [{"document": "a", "start": 3, "end": 3}]}',
        '{"query": "x", "gold": [{"document": "a", "start": -1, "end": 3}]}',
        '{"query": "x", "gold": [{"document": "a", "start": 3, "end": 300}]}',
        '{"query": "x", "gold": [{"document": "a", "start": true, "end": 3}]}',
        '{"query": "x", "gold": [{"document": "a", "start": 1.5, "end": 3}]}',
        '{"query": "x", "gold": [{"document": "a"}], "within": "c"}',
        '{"query": "\\ud800", "gold": [{"document": "a"}]}',
    ],
)
def test_malformed_query_names_file_and_line(tmp_path: Path, line: str) -> None:
    """A line that is not as the format says is refused with its place."""
    with pytest.raises(SchemaError) as caught:
        read_plain(folder(tmp_path, json.dumps(QUERY) + "\n" + line + "\n"))
    assert (caught.value.context["file"], caught.value.context["line"]) == ("queries.jsonl", 2)


@pytest.mark.parametrize("line", ['{"id": "a"}', '{"id": "", "text": "x"}', '{"id": "a", "text": "twice"}', "null"])
def test_malformed_document_names_file_and_line(tmp_path: Path, line: str) -> None:
    """Documents need an id of their own and a text."""
    with pytest.raises(SchemaError) as caught:
        read_plain(folder(tmp_path, json.dumps(QUERY), '{"id": "a", "text": "x"}\n' + line))
    assert (caught.value.context["file"], caught.value.context["line"]) == ("documents.jsonl", 2)


def test_bytes_that_are_not_utf8_name_their_line(tmp_path: Path) -> None:
    """A damaged file is an error of ours, not Python's."""
    place = folder(tmp_path, "")
    (place / "documents.jsonl").write_bytes(b'{"id": "\xff", "text": "x"}')
    with pytest.raises(SchemaError) as caught:
        read_plain(place)
    assert caught.value.context["line"] == 1


@pytest.mark.parametrize(
    ("documents", "queries"), [("", "{}"), (DOCUMENTS, ""), (DOCUMENTS, '{"query": "x", "gold": []}')]
)
def test_set_without_documents_or_gold_is_refused(tmp_path: Path, documents: str, queries: str) -> None:
    """There is nothing to measure."""
    with pytest.raises(SchemaError):
        read_plain(folder(tmp_path, queries, documents))


@given(awkward)
def test_alignment_is_what_the_product_reads(text: str) -> None:
    """The parts made canonical are the whole made canonical, whatever stands beside what."""
    assert Alignment.of(Document("a", "", text)).text == canonicalize(text)


@given(awkward)
def test_alignment_maps_offsets_in_order_and_within_the_document(text: str) -> None:
    """Offsets never go back, begin at the beginning and end at the end."""
    aligned = Alignment.of(Document("a", "A title", text))
    mapped = [aligned.original(offset) for offset in range(len(aligned.text) + 1)]
    assert mapped == sorted(mapped)
    assert mapped[-1] == len(text)
    assert not mapped or mapped[0] == 0 or len(mapped) == 1


def test_alignment_finds_words_behind_what_changes() -> None:
    """Windows line ends, soft hyphens and decomposed letters before a word do not move it."""
    text = "one\r\ntwo\xad cafe\u0301\u2028 target!"
    aligned = Alignment.of(Document("a", "Title", text))
    start = aligned.text.index("target")
    assert aligned.text.startswith("Title\n\none\ntwo caf\xe9\n")
    assert text[aligned.original(start) : aligned.original(start + 6)] == "target"


def test_alignment_does_not_repeat_a_title() -> None:
    """A text that begins with its title is left as it is."""
    assert Alignment.of(Document("a", "Leave", "Leave\n\nText")).text == "Leave\n\nText"
