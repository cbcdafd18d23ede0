"""A run over a made-up set, its tables, and the command's refusals."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

import pytest
from coditect_benchmarks.retrieval.__main__ import main
from coditect_benchmarks.retrieval.cuts import fixed, whole
from coditect_benchmarks.retrieval.formats import Document, Gold, Query, RetrievalSet
from coditect_benchmarks.retrieval.peers_tantivy import TantivyBm25
from coditect_benchmarks.retrieval.report import BASELINE, DEFAULT, PARTS, as_json, as_text, comparisons, ratios
from coditect_benchmarks.retrieval.runner import run, sampled
from coditect_benchmarks.retrieval.system import Span

TOPICS = ("invoices", "holidays", "passwords", "visitors", "backups", "travel")
DOCUMENTS = tuple(
    Document(topic, "", f"General remarks. The rule about {topic} is number {at}.") for at, topic in enumerate(TOPICS)
)
QUERIES = tuple(
    Query(
        f"Consider the paper {topic}; which rule on {topic}?",
        (Gold(topic, 17, len(document.text)),),
        bare=f"rule {topic}?",
        brief=f"{topic}: which rule?",
    )
    for topic, document in zip(TOPICS, DOCUMENTS, strict=True)
)
DATA = RetrievalSet("papers", DOCUMENTS, QUERIES, also_within=True)


class Oracle:
    """Finds the document whose name is in the question, every ``step``-th time."""

    def __init__(self, name: str, step: int = 1, most_queries: int | None = None) -> None:
        self.name = name
        self.most_queries = most_queries
        self._step = step
        self._documents: Sequence[Document] = ()

    def index(self, documents: Sequence[Document]) -> float | None:
        """Take documents in; says that it took a second and a half."""
        self._documents = documents
        return 1.5

    def search(self, query: str, k: int, within: str | None = None) -> list[Span]:
        """What the oracle knows of the question, in document order."""
        return [
            Span(document.id, 17, len(document.text))
            for at, document in enumerate(self._documents)
            if document.id in query and at % self._step == 0 and within in (None, document.id)
        ][:k]


def test_run_measures_every_pass_of_every_system() -> None:
    """All documents, in full and in brief, the right document, and there the bare question: four tables."""
    tables = run(DATA, [Oracle(DEFAULT), Oracle("other", 2)])
    assert [table.name.count(",") for table in tables] == [0, 1, 1, 2]
    for table in tables:
        assert [row.mean("recall@1") for row in table.rows] == [1.0, 0.5]
        assert [row.index_s for row in table.rows] == [1.5, 1.5]


def test_slow_system_is_compared_on_the_questions_it_was_asked() -> None:
    """A system that was asked two questions has values for two, and ratios over those."""
    tables = run(DATA, [Oracle(DEFAULT, 2), Oracle("slow", most_queries=2)])
    default, slow = tables[0].rows
    assert (slow.asked, sum(not math.isnan(x) for x in slow.values["recall@10"])) == (2, 2)
    ((peer, found),) = ratios(tables[0])
    assert (peer, found["recall@10"]) == ("slow", default.values["recall@10"][:2].mean())


def test_default_is_compared_with_its_best_part_and_plain_bm25() -> None:
    """Of the parts only the better one is a rival."""
    lexical, dense = PARTS
    systems = [Oracle(DEFAULT), Oracle(lexical, 3), Oracle(dense, 2), Oracle(f"{BASELINE}, x", 6)]
    found = [(rival, gap.mean) for measure, rival, gap in comparisons(run(DATA, systems)[0]) if measure == "recall@10"]
    assert found == [(dense, 0.5), (f"{BASELINE}, x", pytest.approx(5 / 6))]


def test_tables_and_json_show_the_same_figures() -> None:
    """Each system has its row in both."""
    table = run(DATA, [Oracle(DEFAULT), Oracle("other", 2)])[0]
    shown, told = as_text(table), json.loads(json.dumps(as_json(table)))
    assert [row["name"] for row in told["systems"]] == [DEFAULT, "other"]
    assert told["systems"][1]["measures"]["recall@1"] == 0.5
    assert "0.500" in next(line for line in shown.splitlines() if line.startswith("other"))


def test_sample_is_the_same_each_time_and_a_prefix_of_a_larger_one() -> None:
    """All systems of a run, and all runs, are asked the same questions."""
    small, large = sampled(DATA, 2), sampled(DATA, None)
    assert small == sampled(DATA, 2)
    assert small.queries == large.queries[:2]
    assert set(large.queries) == set(QUERIES)


def test_tantivy_finds_the_named_document_and_keeps_to_one() -> None:
    """BM25 ranks the document with the rare word first; inside another document it finds only that one's passages."""
    peer = TantivyBm25("x", fixed)
    peer.index(DOCUMENTS)
    assert peer.search("rule on passwords", 3)[0].document == "passwords"
    assert {hit.document for hit in peer.search("rule on passwords", 3, "travel")} == {"travel"}
    assert peer.search("?!", 3) == []


def test_fixed_passages_cover_all_words_within_their_size() -> None:
    """No passage is longer than asked, none overlaps another, and only white space is left out."""
    text = "  alpha beta\n\n" + "x" * 25 + " gamma  delta "
    cuts = fixed([Document("a", "", text)], 10)
    assert all(0 < cut.end - cut.start <= 10 for cut in cuts)
    assert all(one.end <= other.start for one, other in pairwise(cuts))
    assert "".join(text[cut.start : cut.end] for cut in cuts).replace(" ", "") == "".join(text.split())
    assert whole([Document("a", "", text), Document("b", "", "")]) == [Span("a", 0, len(text))]


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["--data", "{}/absent"], 2),
        (["--data", "{}/empty"], 2),
        (["--data", "{}/set", "--sets", "nothing"], 2),
        (["--data", "{}/bad"], 1),
    ],
)
def test_command_refuses_what_it_cannot_measure(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], code: int
) -> None:
    """A folder without sets and an unknown set are wrong usage; a damaged set is an error; all say so in a line."""
    for name, text in (("set", '{"id": "a", "text": "x"}'), ("bad", "{")):
        (tmp_path / name).mkdir()
        (tmp_path / name / "documents.jsonl").write_text(text, encoding="utf-8")
        (tmp_path / name / "queries.jsonl").write_text('{"query": "x", "gold": [{"document": "a"}]}', encoding="utf-8")
    (tmp_path / "empty").mkdir()
    assert main([argument.format(tmp_path) for argument in arguments]) == code
    assert capsys.readouterr().err.startswith("error: ")
