"""Qdrant instead of the local replicas, chosen by a setting: the command line and the sample corpus, in the client's local mode."""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Iterator
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from coditect import BuildSettings, Settings, open_knowledge
from coditect.errors import UsageError
from coditect.knowledge.service import Knowledge
from coditect.retrieve.local.search import HybridSearcher
from coditect.sample import sample_folder
from coditect.schemas import Fusion, Granularity, QueryResult, SearchFilters, SearchMode, SearchOptions
from tests.command_line import invoke
from tests.corpora import CORPUS, DOCUMENTS, folder_of
from tests.places import tenant_at, url_at

if find_spec("qdrant_client") is None:
    pytest.skip("needs the extra [qdrant]", allow_module_level=True)

SAMPLE = "sample"
TIERS: tuple[Granularity, ...] = ("corpus", "section", "chunk", "extraction", "proposition", "passage")
QUESTIONS = (
    "notify the controller of a personal data breach",
    "who approves access to production",
    "how long are backups kept",
    "training of new staff",
)
LEAST_SHARED = 0.85
"""Share of the ten best that both searchers find; lengths are compared with other means, so near ones change places."""


def settings_of(folder: Path, qdrant: str = "") -> Settings:
    """A store and a cache in a folder."""
    return Settings(
        store=url_at(folder / "store"),
        tenant=tenant_at(folder / "store"),
        cache=folder / "cache",
        jobs=1,
        qdrant=qdrant,
    )


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Knowledge, Knowledge]]:
    """The sample corpus, searched by the default searcher and by Qdrant."""
    folder = tmp_path_factory.mktemp("qdrant")
    with open_knowledge(settings_of(folder)) as knowledge:
        knowledge.ingest(SAMPLE, [sample_folder()])
        knowledge.build(SAMPLE, BuildSettings())
    with (
        open_knowledge(settings_of(folder)) as default,
        open_knowledge(settings_of(folder, ":memory:")) as native,
    ):
        # A Qdrant does not read everyday words (ADR 72): what is compared is the ranking of the words that are asked.
        assert isinstance(default.searcher, HybridSearcher)
        default.searcher = default.searcher.with_ranking(replace(default.searcher.ranking, spoken=0.0))
        yield default, native


def asked(knowledge: Knowledge, tier: Granularity, query: str, **options: Any) -> QueryResult:  # noqa: ANN401
    """An answer without the gate."""
    chosen = SearchOptions.model_validate({"gate": False, **options})
    return knowledge.query(SAMPLE, query, tier=tier, options=chosen)


@pytest.mark.parametrize("tier", TIERS)
@pytest.mark.parametrize("query", QUESTIONS)
def test_dense_answers_are_the_default_searchers(
    sample: tuple[Knowledge, Knowledge], tier: Granularity, query: str
) -> None:
    """The same scores, and the same items above the last score: only equal ones may change places."""
    wanted, mine = (asked(knowledge, tier, query, mode="dense") for knowledge in sample)
    assert wanted.hits
    assert [hit.score for hit in mine.hits] == pytest.approx([hit.score for hit in wanted.hits], abs=2e-6)
    edge = wanted.hits[-1].score + 4e-6
    assert {h.item.item_id for h in mine.hits if h.score > edge} == {
        h.item.item_id for h in wanted.hits if h.score > edge
    }


@pytest.mark.parametrize(("mode", "fusion"), [("lexical", "score"), ("hybrid", "rrf")])
def test_words_and_native_rank_fusion_agree_with_the_default_searcher(
    sample: tuple[Knowledge, Knowledge], mode: SearchMode, fusion: Fusion
) -> None:
    """Nearly the same ten best at every tier, on average over the questions."""
    for tier in TIERS:
        shared = 0.0
        for query in QUESTIONS:
            wanted, mine = (
                {h.item.item_id for h in asked(knowledge, tier, query, mode=mode, fusion=fusion).hits}
                for knowledge in sample
            )
            shared += len(wanted & mine) / max(len(wanted), 1) / len(QUESTIONS)
        assert shared >= LEAST_SHARED, tier


def test_default_question_finds_the_duty_first(sample: tuple[Knowledge, Knowledge]) -> None:
    """Hybrid, fused by score and gated, as a user asks it."""
    for knowledge in sample:
        best = knowledge.query(SAMPLE, QUESTIONS[0], tier="passage").hits[0]
        assert "notify the Controller of a Personal Data Breach" in best.item.text
        assert best.relevance == "correct"
        assert best.matched_by == "hybrid"


def test_filters_and_small_to_big_work_over_qdrant(sample: tuple[Knowledge, Knowledge]) -> None:
    """What stands above the searcher need not know which one it is."""
    _, native = sample
    filters = SearchFilters(documents=("access-control*",), kinds=("obligation",))
    hits = asked(native, "extraction", QUESTIONS[0], filters=filters).hits
    assert len(hits) == 10
    assert {(hit.item.document_name, hit.item.kind) for hit in hits} == {("access-control-policy.md", "obligation")}
    above = asked(native, "passage", QUESTIONS[0], return_level=2).hits
    assert {(hit.matched_at_level, hit.returned_at_level) for hit in above} == {(0, 2)}
    assert all(hit.matched_child_ids for hit in above)


def test_question_about_nothing_in_the_corpus_has_no_answer(sample: tuple[Knowledge, Knowledge]) -> None:
    """The relevance gate stands above both searchers."""
    _, native = sample
    assert native.query(SAMPLE, "xylophone", tier="passage").hits == ()


def test_no_qdrant_is_opened_where_none_is_named(tmp_path: Path) -> None:
    """The default is the local replicas."""
    with open_knowledge(settings_of(tmp_path)) as knowledge:
        assert isinstance(knowledge.searcher, HybridSearcher)


def found_by(store: Path) -> list[str]:
    """Ids of what a question on the command line finds."""
    words = (
        "--tier",
        "extraction",
        "--query",
        "notify customers of an incident",
        "--format",
        "json",
        "--mode",
        "dense",
    )
    result = invoke(store, "query", "--corpus-id", CORPUS, *words)
    assert result.exit_code == 0, result.stderr
    return [hit["item"]["item_id"] for hit in json.loads(result.stdout)["hits"]]


def test_commands_search_the_qdrant_of_the_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Build fills the folder, questions read it, and a folder that was deleted is filled again; the answers are the default's."""
    store, place = tmp_path / "store", tmp_path / "vectors"
    folder = folder_of(tmp_path / "documents", {"incident.md": DOCUMENTS["incident.md"]})
    monkeypatch.setenv("CODITECT_QDRANT", str(place))
    assert invoke(store, "ingest", "--corpus-id", CORPUS, str(folder)).exit_code == 0
    assert not place.exists()
    assert invoke(store, "build", "--corpus-id", CORPUS, "--topic", "incident").exit_code == 0
    assert place.is_dir()
    assert not Path(f"{store}-cache").exists()
    first = found_by(store)
    shutil.rmtree(place)
    assert found_by(store) == first
    monkeypatch.delenv("CODITECT_QDRANT")
    assert found_by(store) == first


def test_missing_client_is_told_before_anything_is_done(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The extra to install stands in the hint; the build has not begun."""
    folder = folder_of(tmp_path / "documents", DOCUMENTS)
    with open_knowledge(settings_of(tmp_path)) as knowledge:
        knowledge.ingest(CORPUS, [folder])
        monkeypatch.setitem(sys.modules, "qdrant_client", None)
        with (
            pytest.raises(UsageError, match=r"\[qdrant\]") as told,
            open_knowledge(settings_of(tmp_path, str(tmp_path / "vectors"))),
        ):
            pass
        assert "pip install" in str(told.value.hint)
        assert knowledge.store.corpus(CORPUS).generation == 0


def test_key_of_the_server_is_never_shown() -> None:
    """Settings are logged and printed; a secret is not."""
    settings = Settings.model_validate({"qdrant": "https://vectors.example", "qdrant_api_key": "s3cret-words"})
    assert "s3cret-words" not in repr(settings)
    assert "s3cret-words" not in settings.model_dump_json()


@pytest.mark.parametrize("as_json", [True, False])
def test_credentials_in_the_address_of_the_server_are_never_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], *, as_json: bool
) -> None:
    """Neither in what a command says, nor in its logs, nor in what a program is told of settings and errors."""
    folder = folder_of(tmp_path / "documents", DOCUMENTS)
    # A port on which nobody listens: the client says with which address it failed.
    address = "http://auditor:s3cret-w0rds@127.0.0.1:9/?api_key=s3cret-w0rds"
    assert "s3cret" not in repr(Settings.model_validate({"qdrant": address}))
    monkeypatch.setenv("CODITECT_QDRANT", address)
    monkeypatch.setenv("CODITECT_LOG_LEVEL", "DEBUG")
    assert invoke(tmp_path / "store", "ingest", "--corpus-id", CORPUS, str(folder)).exit_code == 0
    words = ["--format", "json"] if as_json else []
    result = invoke(tmp_path / "store", "build", "--corpus-id", CORPUS, *words)
    shown = result.stdout + result.stderr + "".join(capsys.readouterr())
    assert result.exit_code == 4
    assert "the vector store does not answer" in shown
    assert "127.0.0.1:9" in shown
    assert "s3cret" not in shown
    assert "auditor" not in shown
