"""Figures of whole runs, over a corpus of two documents."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest
from coditect_benchmarks import corpus
from coditect_benchmarks.agents.material import documents_from
from coditect_benchmarks.agents.savings import READERS, naive_usd, savings_of
from coditect_benchmarks.tier4 import measure as claims
from coditect_benchmarks.tier4.planted import plant

from coditect.agents.asking.prices import Prices
from coditect.compose import open_knowledge
from coditect.models.llm import Usage
from coditect.schemas import BuildSettings
from coditect.settings import Settings
from coditect.store.view import View
from tests.llm_server.journal import Call

FIRST = "# Logging policy\n\n1.1 Audit logs must be kept for 12 months.\n\n1.2 Keys are kept in the safe.\n"
SECOND = "# Retention policy\n\n2.1 Audit logs must be kept for 90 days.\n\n2.2 A guest must wear a badge.\n"


@pytest.fixture(scope="module")
def view(tmp_path_factory: pytest.TempPathFactory) -> Iterator[View]:
    """A generation of two documents."""
    place = tmp_path_factory.mktemp("runs")
    source = place / "source"
    source.mkdir()
    (source / "access.txt").write_text(FIRST, encoding="utf-8")
    (source / "guests.txt").write_text(SECOND, encoding="utf-8")
    settings = Settings(store=f"lmdb://{place / 'store'}", cache=place / "cache", embedder="none", jobs=1)
    with open_knowledge(settings) as knowledge:
        knowledge.ingest("demo", [source])
        knowledge.build("demo", BuildSettings())
        yield knowledge.view("demo")


def test_latencies_are_told_at_the_middle_and_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    """In milliseconds; the first question is asked once before, and counts for nothing."""
    asked: list[str] = []

    def query(corpus_id: str, text: str, *, tier: str, include_sources: bool) -> None:
        assert include_sources
        asked.append(text)

    took = [0.004, 0.001, 0.002, 0.003]
    moments = itertools.chain.from_iterable((10.0 * n, 10.0 * n + seconds) for n, seconds in enumerate(took))
    monkeypatch.setattr(corpus, "time", SimpleNamespace(perf_counter=lambda: next(moments)))
    found = corpus._latency(SimpleNamespace(query=query), "demo", list("abcd"), "chunk")  # type: ignore[arg-type]
    assert found == {"p50": 3.0, "p99": 4.0}
    assert asked == list("aabcd")


def test_questions_are_taken_from_all_over_the_list(tmp_path: Path) -> None:
    """At most 300, what stands behind the last semicolon of each; without a list the usual ones."""
    assert corpus._queries(tmp_path) == corpus.FALLBACK
    path = tmp_path / "contracts" / "queries.jsonl"
    path.parent.mkdir()
    for count, first in ((299, ["q 0", "q 1"]), (300, ["q 0", "q 1"]), (700, ["q 0", "q 2"])):
        path.write_text("\n".join(json.dumps({"query": f"contract; q {n}"}) for n in range(count)), encoding="utf-8")
        found = corpus._queries(tmp_path)
        assert (found[:2], len(found)) == (first, min(count, 300))
    path.write_text("", encoding="utf-8")
    assert corpus._queries(tmp_path) == corpus.FALLBACK


def test_claims_are_edited_and_their_citations_followed(view: View) -> None:
    """Every citation leads to its words; what is published although it was edited is counted by kind."""
    found = claims.measure(view)
    assert found.claims == len(view.summary.claims) > 0
    assert found.citations == found.true_citations == sum(len(view.claims[c].citations) for c in view.summary.claims)
    assert sum(found.edits.values()) == sum(len(list(plant(view.claims[c], 6))) for c in view.summary.claims)
    assert found.claims_hit <= found.claims
    assert sum(found.published.values()) == len(found.missed)
    found.seconds, found.review = 2.0, 3
    row = found.row()
    assert (row["citation_accuracy"], row["edits_held_for_review"]) == (1.0, 3)
    assert row["checks_per_s"] == round(row["edits"] / 2, 1)
    assert row["hallucination_rate"] == row["edits_published"] / row["edits"]
    assert claims.Result().row()["checks_per_s"] == claims.Result().row()["citation_accuracy"] == 0.0


def _call(role: str, *, fresh: int, written: int = 0, read: int = 0, batched: bool = True) -> Call:
    values: dict[str, object] = dict.fromkeys(Call.__slots__, "")
    numbers = dict.fromkeys(("number", "status", "began", "ended", "concurrency", "attempt", "output_tokens"), 0)
    counted = {"input_tokens": fresh, "cache_creation_input_tokens": written, "cache_read_input_tokens": read}
    endpoint = "batches.request" if batched else "messages"
    values |= {**numbers, **counted, "cache_creation_1h_input_tokens": 0, "role": role, "endpoint": endpoint}
    return Call(**{**values, "model": "claude-haiku-5-5"})  # type: ignore[arg-type]


def test_each_saving_is_told_alone() -> None:
    """Caching, batches, grouping, routing and repeats, against one call for each passage and role."""
    prices, model = Prices.load(), "claude-haiku-5-5"
    calls = [_call("mapper", fresh=1_000, written=2_000, read=3_000), _call("mapper", fresh=500, batched=False)]
    naive = {role: {"usd": 0.5 * at, "calls": 10 * at} for at, role in enumerate(READERS, 1)}
    agents = {"roles": {"mapper": {"reused": 3}}}
    found = savings_of(calls, naive, agents, prices)

    def usd(*tokens: int, batched: bool) -> float:
        return prices.usd(model, Usage(*tokens, 0) if len(tokens) == 3 else Usage(*tokens), batched=batched)

    paid = usd(1_000, 2_000, 3_000, batched=True) + usd(500, batched=False)
    assert found.paid == {"mapper": pytest.approx(paid), "selector": 0.0, "contextualiser": 0.0}
    assert found.alone == {
        "caching": pytest.approx(usd(6_000, batched=True) + usd(500, batched=False) - paid),
        "batches": pytest.approx(usd(1_000, 2_000, 3_000, batched=False) + usd(500, batched=False) - paid),
        "grouping of passages (mapper)": pytest.approx(0.5 - usd(6_000, batched=False) - usd(500, batched=False)),
        "routing to chunks that leave a choice (selector)": 1.0,
        "repeats (the same request)": pytest.approx(3 * paid / 2),
    }
    report = found.report()
    assert report["saved_share"] == round(1 - paid / 3.0, 4)
    assert report["saved_share_by_role"] == {"mapper": round(1 - paid / 0.5, 4), "selector": 1.0, "contextualiser": 1.0}
    assert report["calls"] == {
        "naive mapper": 10, "naive selector": 20, "naive contextualiser": 30,
        "made mapper": 2, "made selector": 0, "made contextualiser": 0,
    }  # fmt: skip


def test_peer_asks_once_for_each_smallest_passage_and_role(view: View) -> None:
    """And pays the full price for all that it sends."""
    smallest = sum(passage.level == 0 for each in view.documents for passage in view.passages(each))
    found = naive_usd(view, Prices.load())
    assert {role: each["calls"] for role, each in found.items()} == dict.fromkeys(READERS, smallest)
    assert all(0 < each["usd"] < 0.01 * smallest for each in found.values())
    assert found["mapper"]["usd"] > found["selector"]["usd"]


def test_documents_are_cut_where_a_paragraph_ends(tmp_path: Path) -> None:
    """Every seventh goes to the others, as long as they need some; what is left over is no document."""
    docs = tmp_path / "contracts" / "docs"
    docs.mkdir(parents=True)
    paragraph = "word " * 20
    (docs / "a.txt").write_text("\n\n".join([paragraph] * 40), encoding="utf-8")
    (docs / "b.txt").write_text("short", encoding="utf-8")
    (docs / "c.txt").write_text("x" * 1_000, encoding="utf-8")
    sizes: dict[tuple[int, int], tuple[int, list[str], list[str]]] = {}
    for documents, pilots in ((100, 1), (100, 9), (5, 1), (7, 1)):
        work = tmp_path / f"{documents}-{pilots}"
        options = SimpleNamespace(data=tmp_path, documents=documents, chars=250)
        count = documents_from(options, work / "in", work / "pilot", pilots)  # type: ignore[arg-type]
        written, apart = (sorted(each.name for each in (work / name).iterdir()) for name in ("in", "pilot"))
        sizes[documents, pilots] = (count, written, apart)
    parts = [each.stat().st_size for each in sorted((tmp_path / "100-1" / "in").iterdir())]
    assert parts[:3] == [304, 304, 304]
    assert (tmp_path / "100-1" / "in" / "b-00.txt").read_text() == "short"
    assert {key: (count, len(written), apart) for key, (count, written, apart) in sizes.items()} == {
        (100, 1): (15, 15, ["a-06.txt"]), (100, 9): (14, 14, ["a-06.txt", "a-13.txt"]),
        (5, 1): (5, 5, []), (7, 1): (7, 7, ["a-06.txt"]),
    }  # fmt: skip
