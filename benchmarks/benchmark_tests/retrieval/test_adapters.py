"""Sets as their authors publish them, in miniature."""

from __future__ import annotations

import csv
import hashlib
import json
from pathlib import Path

import pytest
from coditect_benchmarks.retrieval.adapters import find_sets
from coditect_benchmarks.retrieval.adapters_rulebooks import DEVELOPMENT
from coditect_benchmarks.retrieval.formats import Gold, RetrievalSet

from coditect.errors import SchemaError, UsageError

CLAUSE = "Fees are due in 30 days."


def write_csv(path: Path, rows: list[dict[str, str]]) -> None:
    """Write rows with the keys of the first for a head."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)


def make_contracts(folder: Path, span: tuple[int, int] = (6, 30)) -> Path:
    """Write a contract and a question about it, with the gold at ``span``; returns the folder."""
    (folder / "docs").mkdir(parents=True)
    (folder / "docs" / "A & B.txt").write_text(f"Lease\n{CLAUSE}", encoding="utf-8")
    row = {
        "query": 'Consider the LEASE (Acme, Inc. ("A"); B); When are fees due?',
        "file": "A & B.txt",
        "spans": [list(span)],
    }
    (folder / "queries.jsonl").write_text(json.dumps(row), encoding="utf-8")
    return folder


def make_policyqa(folder: Path) -> Path:
    """Write three paragraphs, and a question that is asked of two; returns the folder."""
    folder.mkdir(parents=True)
    asked = {"question": "Who sees it?", "answers": [{"text": "Partners", "answer_start": 0}]}
    paragraphs = [
        {"context": "Nothing here.", "qas": []},
        {"context": "Partners see it.", "qas": [asked]},
        {"context": "Partners again.", "qas": [asked, asked]},
    ]
    data = {"version": 1, "data": [{"title": "example.org", "paragraphs": paragraphs}]}
    (folder / "dev.json").write_text(json.dumps(data), encoding="utf-8")
    return folder


def make_chroma(folder: Path) -> Path:
    """Write a text with foreign line ends, and a question about it, below folders; returns the folder."""
    inner = folder / "deep" / "data"
    (inner / "corpora").mkdir(parents=True)
    (inner / "corpora" / "wiki.md").write_bytes(b"one\r\ntwo three")
    references = [{"content": "two", "start_index": 4, "end_index": 7}]
    write_csv(
        inner / "questions_df.csv", [{"question": "2?", "references": json.dumps(references), "corpus_id": "wiki"}]
    )
    return folder


def make_scifact(folder: Path) -> Path:
    """Write two abstracts, one of three sentences, and two claims, one of them twice; returns the folder."""
    abstract = "['It''s one.'\n \"It's two.\" 'A \\'three\\'.']"
    write_csv(
        folder / "corpus_train.csv",
        [
            {"doc_id": "7", "title": "Cells", "abstract": abstract},
            {"doc_id": "8", "title": "Bones", "abstract": "['x']"},
        ],
    )
    claims = [("1", "Cells grow.", "[7 8]"), ("1", "Cells grow.", "[7 8]"), ("2", "None.", "[]")]
    rows = [{"id": number, "claim": claim, "cited_doc_ids": cited} for number, claim, cited in claims]
    write_csv(folder / "claims_train.csv", rows)
    return folder


def read(folder: Path) -> RetrievalSet:
    """The only set of a folder."""
    ((reader, place),) = find_sets(folder).values()
    return reader(place)


def test_contracts_keep_spans_and_know_the_bare_question(tmp_path: Path) -> None:
    """Gold offsets fit the text, and the words that name the contract can be left out."""
    found = read(make_contracts(tmp_path / "x"))
    (query,) = found.queries
    (gold,) = query.gold
    assert found.documents[0].text[gold.start : gold.end] == CLAUSE
    assert (found.name, found.also_within, query.bare) == ("contracts", True, "When are fees due?")
    assert query.brief == "Acme: When are fees due?"


def test_contracts_refuse_a_span_outside_the_file(tmp_path: Path) -> None:
    """The place of the wrong line is told."""
    with pytest.raises(SchemaError) as caught:
        read(make_contracts(tmp_path / "x", (6, 99)))
    assert caught.value.context["line"] == 1


def test_policyqa_gathers_answers_of_a_policy(tmp_path: Path) -> None:
    """The same question in several paragraphs is one question with several spans, asked within its policy."""
    found = read(make_policyqa(tmp_path / "x"))
    (query,) = found.queries
    text = found.documents[0].text
    assert [text[item.start : item.end] for item in query.gold] == ["Partners", "Partners"]
    assert len({item.start for item in query.gold}) == 2
    assert query.within == "example.org"


def test_policyqa_of_another_shape_is_refused(tmp_path: Path) -> None:
    """A missing field is an error of ours."""
    place = make_policyqa(tmp_path / "x")
    (place / "dev.json").write_text('{"data": [{"title": "t", "paragraphs": [{"qas": []}]}]}', encoding="utf-8")
    with pytest.raises(SchemaError):
        read(place)


def test_chroma_offsets_count_universal_newlines(tmp_path: Path) -> None:
    """Windows line ends are one character, as when the excerpts were located."""
    found = read(make_chroma(tmp_path / "x"))
    (gold,) = found.queries[0].gold
    assert found.documents[0].text[gold.start : gold.end] == "two"


def test_scifact_reads_printed_arrays_and_joins_claims(tmp_path: Path) -> None:
    """Sentences come out of both kinds of quotes; a claim's rows are one question; claims without abstracts are counted."""
    found = read(make_scifact(tmp_path / "x"))
    assert found.documents[0].text.startswith("Cells\n\nIt")
    assert found.documents[0].text.endswith("It's two. A 'three'.")
    assert [query.gold for query in found.queries] == [(Gold("7"), Gold("8"))]
    assert found.unscored == 1


def test_sets_are_found_below_a_folder_and_others_passed_over(tmp_path: Path) -> None:
    """Published sets, plain ones and strangers may lie beside one another; plain sets are called as their folders."""
    make_contracts(tmp_path / "one")
    make_policyqa(tmp_path / "two")
    make_chroma(tmp_path / "three")
    make_scifact(tmp_path / "four")
    plain = tmp_path / "own"
    plain.mkdir()
    (plain / "documents.jsonl").write_text('{"id": "a", "text": "x"}', encoding="utf-8")
    (plain / "queries.jsonl").write_text('{"query": "x", "gold": [{"document": "a"}]}', encoding="utf-8")
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "dev.json").write_text("{}", encoding="utf-8")
    found = find_sets(tmp_path)
    assert set(found) == {"contracts", "policyqa", "chroma", "scifact", "own"}
    assert all(reader(place).queries for reader, place in found.values())


@pytest.mark.parametrize("name", ["empty", "absent"])
def test_folder_without_sets_is_refused(tmp_path: Path, name: str) -> None:
    """Neither a set nor a folder of sets."""
    (tmp_path / "empty").mkdir()
    with pytest.raises(UsageError):
        find_sets(tmp_path / name)


def make_rulebooks(folder: Path) -> Path:
    """Write the rulebooks of ObliQA that are for development, nearly empty, and two questions; returns the folder."""
    texts = folder / "scripts" / "StandartizedRegulatoryDocumentsTXT"
    texts.mkdir(parents=True)
    (folder / "StructuredRegulatoryDocuments").mkdir()
    for number, name in DEVELOPMENT.items():
        (texts / f"{name}.txt").write_text(f"1.\tRULES\n1.1\tFees of {number}\n\u200eare due.", encoding="utf-8")
        rows = [{"DocumentID": number, "PassageID": "1.1", "Passage": f"Fees of {number} are due."}]
        (folder / "StructuredRegulatoryDocuments" / f"{number}.json").write_text(json.dumps(rows), encoding="utf-8")
    own = {"DocumentID": 4, "PassageID": "1.1", "Passage": "Fees of 4 are due."}
    foreign = {"DocumentID": 1, "PassageID": "1.1", "Passage": "Nobody reads this."}
    asked = [{"Question": "When?", "Passages": [own]}, {"Question": "Who?", "Passages": [own, foreign]}]
    (folder / "ObliQA_dev.json").write_text(json.dumps(asked), encoding="utf-8")
    return folder


def test_rulebooks_are_two_sets(tmp_path: Path) -> None:
    """Each passage a document, and each rulebook a document with the passage's span, whatever its white space and marks are."""
    found = find_sets(make_rulebooks(tmp_path))
    passages, whole = (reader(folder) for reader, folder in found.values())
    assert (len(passages.documents), len(whole.documents)) == (len(DEVELOPMENT), len(DEVELOPMENT))
    assert [query.gold for query in passages.queries] == [(Gold("4 1.1"),)]
    (query,) = whole.queries
    (gold,) = query.gold
    text = next(each.text for each in whole.documents if each.id == gold.document)
    assert text[gold.start : gold.end] == "Fees of 4\n\u200eare due."


def test_rulebooks_for_development_are_those_of_an_even_hash() -> None:
    """The other half is for acceptance."""
    assert len(DEVELOPMENT) == 20
    assert all(hashlib.sha1(name.encode(), usedforsecurity=False).digest()[0] % 2 == 0 for name in DEVELOPMENT.values())
