"""A server answers of the generation before while search of one that was built elsewhere is made."""

from __future__ import annotations

import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from coditect import BuildSettings, Settings
from coditect.compose import open_knowledge
from coditect.errors import Unavailable
from coditect.knowledge.service import Knowledge
from coditect.server.ready.following import Following
from coditect.server.running import Serving, opened_application
from tests.corpora import folder_of
from tests.integration.server.served import Served, settings_at, store_of_two, tokens_at

ASKED = {"query": "weigh parcel", "tier": "extraction"}


def elsewhere(place: Path) -> Settings:
    """The same store from another machine, with a cache of its own."""
    return settings_at(place).model_copy(update={"cache": Path(f"{place}-elsewhere")})


def built(place: Path, text: str) -> None:
    """Another machine takes a document in, and builds."""
    with open_knowledge(elsewhere(place)) as knowledge:
        knowledge.ingest("policies", [folder_of(Path(f"{place}-more"), {"rule.md": text})])
        knowledge.build("policies", BuildSettings(topics=("incident",), today="2026-06-01"))


def test_the_generation_before_answers_until_search_is_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """And says so; then the new one does, without a word."""
    place = tmp_path / "store"
    store_of_two(place)
    tokens = tokens_at(place)
    monkeypatch.setattr("coditect.server.ready.following.LOOKS_EVERY_S", 3600.0)
    with opened_application(settings_at(place), Serving(work=tmp_path / "work", apart=False)) as app:
        app.state.preparation._thread.join(60)
        client = Served(app, tokens).client("reader")
        built(place, "# Rule\n\n1 The clerk shall weigh each parcel.\n")
        former: Any = client.get("/api/v1/corpora/policies/query", params=ASKED).json()
        assert (former["generation"], former["hits"]) == (1, [])
        assert "generation 2 is being made; this is of generation 1" in former["note"]
        named: Any = client.get("/api/v1/corpora/policies/query", params={**ASKED, "as_of": 2}).json()
        assert named["hits"][0]["item"]["document_name"] == "rule.md"
        now: Any = client.get("/api/v1/corpora/policies/query", params=ASKED).json()
        assert (now["generation"], now["note"]) == (2, "")
        assert now["hits"][0]["item"]["document_name"] == "rule.md"


def test_the_search_page_shows_at_once_what_is_searched_and_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The generation before answers, and its links lead there; where none is searched, one is made, behind the page if need be."""
    place = tmp_path / "store"
    store_of_two(place)
    monkeypatch.setattr("coditect.server.ready.following.LOOKS_EVERY_S", 3600.0)
    with opened_application(settings_at(place), Serving(work=tmp_path / "work", apart=False, anonymous=True)) as app:
        app.state.preparation._thread.join(60)
        client = Served(app, {}).client()
        address = "/explorer/c/policies/search?tier=extraction&gate=off&q="
        built(place, "# Rule\n\n1 The clerk shall weigh each parcel.\n")
        former = client.get(address + "share+passwords").text
        assert "Search of generation 2 is being made; this is of generation 1." in former
        assert "as_of=1" in former.partition('class="hits"')[2]
        assert "as_of=1" not in former.partition('class="hits"')[0]
        monkeypatch.setattr("coditect.knowledge.cases.asking.LOOKED_BACK", 1)
        waits = client.get(address + "weigh+parcel").text
        assert "Search of this generation is being made" in waits
        assert "data-waits" in waits
        app.state.following._seen[(settings_at(place).tenant, "policies")] = (2, "")  # it tried, and could not
        shown = waits
        end = time.monotonic() + 60
        while "data-waits" in shown and time.monotonic() < end:
            time.sleep(0.05)
            shown = client.get(address + "weigh+parcel").text
        assert "rule.md" in shown
        assert "is being made" not in shown


def test_what_was_erased_since_is_no_answer_of_the_one_before(tmp_path: Path) -> None:
    """A replica that holds what was erased is none of that generation any more; whoever asks waits for a new one."""
    place = tmp_path / "store"
    store_of_two(place)
    with open_knowledge(settings_at(place)) as knowledge:
        before = knowledge.view("policies")
        knowledge.searcher.refresh(before)
        assert knowledge.searcher.is_ready(before)
        assert knowledge.searched_generation("policies") == 1
        gone = sorted(before.entries)[0]
        knowledge.erase("policies", documents=(gone,), reason="asked for", by="analyst")
        assert not knowledge.searcher.is_ready(knowledge.view("policies"))


def test_search_is_made_behind_the_server(tmp_path: Path) -> None:
    """In a process of its own; what a job is at, and what failed already, is left alone."""
    place = tmp_path / "store"
    store_of_two(place)
    with opened_application(settings_at(place), Serving(work=tmp_path / "work", anonymous=True)) as app:
        app.state.preparation._thread.join(60)
        knowledge: Knowledge = next(iter(app.state.service.tenants.values()))
        built(place, "# Rule\n\n1 The clerk shall weigh each parcel.\n")
        end = time.monotonic() + 60
        while not knowledge.searcher.is_ready(knowledge.view("policies")) and time.monotonic() < end:
            time.sleep(0.05)
        assert knowledge.view("policies").generation == 2
        assert knowledge.searcher.is_ready(knowledge.view("policies"))


def test_what_a_job_is_at_and_what_failed_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """A generation is looked at once, also where its search cannot be made; another one, or behind an erasure, again."""
    erased: dict[str, str] = {}
    monkeypatch.setattr("coditect.server.ready.following.erased_since", lambda _, corpus_id: erased.get(corpus_id, ""))
    opened: list[str] = []

    def view(corpus_id: str) -> str:
        opened.append(corpus_id)
        return corpus_id

    corpora = [SimpleNamespace(corpus_id=name, generation=1) for name in ("busy", "broken", "made")]
    corpora.append(SimpleNamespace(corpus_id="empty", generation=0))
    tried: list[str] = []

    def refresh(_: str, corpus_id: str) -> None:
        tried.append(corpus_id)
        raise Unavailable("the search replica cannot be written or read")

    knowledge: Any = SimpleNamespace(
        store=SimpleNamespace(corpora=lambda: corpora),
        view=view,
        searcher=SimpleNamespace(is_ready=lambda corpus_id: corpus_id == "made"),
    )
    service: Any = SimpleNamespace(tenants={"t": knowledge})
    following = Following(service, refresh, lambda _, corpus_id: corpus_id == "busy")
    following._look("t", knowledge)
    following._look("t", knowledge)
    assert (tried, opened) == (["broken"], ["broken", "made"])
    erased["made"] = "0123456789ab"
    corpora[1].generation = 2
    following._look("t", knowledge)
    assert (tried, opened) == (["broken", "broken"], ["broken", "made", "broken", "made"])
