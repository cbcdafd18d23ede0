"""``verify --llm claude`` from end to end: claims, folders as SARIF, dry runs, failures, kept reports given again."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.command_line import invoke
from tests.integration.agents import CORPUS, INJECTION, POLICIES, folder_of
from tests.llm_server import Fault, LlmServer, llm_server
from tests.places import copy_place

OWN = "Each user has to possess an account of their own."
ABSENT = "The moon is green and belongs to administrators."


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store on disk that rules built."""
    place = tmp_path_factory.mktemp("examined-cli")
    documents = {name: text.replace(INJECTION, "") for name, text in POLICIES.items()}
    folder = folder_of(place / "documents", documents)
    for words in (("ingest", "--corpus-id", CORPUS, str(folder)), ("build", "--corpus-id", CORPUS)):
        assert invoke(place / "store", *words).exit_code == 0
    return place / "store"


@pytest.fixture
def store(built: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy that a test may change; the command runs in an empty folder."""
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    return copy_place(built, tmp_path / "own")


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[LlmServer]:
    """The model's service, where the environment says it is."""
    with llm_server() as running:
        monkeypatch.setenv("CODITECT_LLM_BASE_URL", running.base_url)
        monkeypatch.setenv("CODITECT_API_KEY", "sk-of-tests")
        yield running


def verify(store: Path, *words: str) -> tuple[int, str, str]:
    """Exit code and both streams."""
    result = invoke(store, "verify", "--corpus-id", CORPUS, *words)
    return result.exit_code, result.stdout, result.stderr


def test_model_is_asked_only_if_the_command_says_so(
    store: Path, server: LlmServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What the environment switches on for builds sends nothing here; with the option the claim is settled."""
    monkeypatch.setenv("CODITECT_LLM", "claude")
    assert verify(store, "--claim", OWN)[0] == 1
    assert server.messages == []
    code, shown, told = verify(store, "--claim", OWN, "--llm", "claude")
    assert (code, len(server.messages)) == (0, 1)
    assert "read by a model: The passage says so." in shown
    assert "Every user shall have an account of their own" in shown
    assert "1 call, 0 from the store" in told


def test_folder_as_sarif_has_what_the_model_left(store: Path, server: LlmServer) -> None:
    """One log; a sentence that the model settled is no result, and one that it did not has its reason."""
    Path("answers").mkdir()
    Path("answers/one.md").write_text(f"# One\n\n{OWN}\n", encoding="utf-8")
    Path("answers/two.md").write_text(f"# Two\n\n{OWN}\n\n{ABSENT}\n", encoding="utf-8")
    code, shown, _ = verify(store, "--llm", "claude", "--format", "sarif", "answers")
    (result,) = json.loads(shown)["runs"][0]["results"]
    assert (code, result["ruleId"]) == (1, "needs_review")
    assert result["properties"]["sentence"] == ABSENT
    assert "the model finds it not stated" in result["message"]["text"]
    assert 2 <= len(server.messages) <= 3


def test_dry_run_tells_what_would_be_asked_and_sends_nothing(store: Path, server: LlmServer) -> None:
    """For people and for programs; it needs the option that it is a dry run of."""
    code, shown, _ = verify(store, "--claim", OWN, "--llm", "claude", "--dry-run", "--format", "json")
    found = json.loads(shown)
    assert (code, found["dry_run"], found["agents"]["total"]["sent"]) == (0, True, 1)
    assert found["agents"]["total"]["usd"] > 0
    assert "examiner" in verify(store, "--claim", OWN, "--llm", "claude", "--dry-run")[1]
    code, _, told = verify(store, "--claim", OWN, "--dry-run")
    assert code == 2
    assert "--llm claude" in told
    assert server.messages == []


@pytest.mark.parametrize("form", ["text", "sarif"])
def test_failure_of_the_service_is_told_and_ends_in_three(store: Path, server: LlmServer, form: str) -> None:
    """The checker's verdict stands; where another sentence fails as well, that counts."""
    server.terms.faults = [Fault("error", status=400)]
    Path("one.md").write_text(f"{OWN}\n", encoding="utf-8")
    code, shown, told = verify(store, "--llm", "claude", "--format", form, "one.md")
    assert code == 3
    assert "needs" in shown
    assert "1 sentence not answered, as the checker left it" in told
    Path("two.md").write_text("Passwords are at least 12 characters long.\n", encoding="utf-8")
    assert verify(store, "--llm", "claude", "--format", form, "one.md", "two.md")[0] == 1


def test_budget_in_dollars_is_kept(store: Path, server: LlmServer) -> None:
    """Nothing is sent that could exceed it."""
    code, _, told = verify(store, "--claim", OWN, "--llm", "claude", "--budget-usd", "0.0001")
    assert (code, server.messages) == (3, [])
    assert "budget" in told


@pytest.mark.parametrize("words", [("--llm", "claude", "--output", "found.txt"), ("--llm-reads", "all")])
def test_what_cannot_be_is_refused_before_anything_is_asked(
    store: Path, server: LlmServer, words: tuple[str, ...]
) -> None:
    """Text for people into a file, and what a model reads where there is none."""
    code, _, told = verify(store, "--claim", OWN, *words)
    assert (code, server.messages) == (2, [])
    assert "hint" in told


def test_kept_reports_are_given_again_without_a_model(store: Path, server: LlmServer) -> None:
    """One report, or those of a folder; a file that is none is refused, as is another corpus."""
    Path("texts").mkdir()
    for name in ("a", "b"):
        Path(f"texts/{name}.md").write_text(f"# {name}\n\n{OWN}\n\n{ABSENT}\n", encoding="utf-8")
    verify(store, "--llm", "claude", "--format", "json", "--output", "kept.json", "texts")
    verify(store, "--llm", "claude", "--claim", OWN, "--format", "json", "--output", "one.json")
    asked = len(server.messages)
    code, shown, _ = verify(store, "--replay", "kept.json", "one.json", "--format", "json")
    assert code == 0
    assert (json.loads(shown)["replayed"], json.loads(shown)["identical"]) == (5, 5)
    assert "5 verdicts, 5 identical, no drift" in verify(store, "--replay", "kept.json", "one.json")[1]
    assert len(server.messages) == asked
    changed = Path("one.json").read_text(encoding="utf-8").replace('"label": "supported"', '"label": "unsupported"')
    Path("changed.json").write_text(changed, encoding="utf-8")
    assert verify(store, "--replay", "changed.json")[0] == 3
    Path("bad.json").write_text("{}", encoding="utf-8")
    for words in (("bad.json",), ("absent.json",), ("one.json", "--llm", "claude"), ("one.json", "--as-of", "1")):
        assert verify(store, "--replay", *words)[0] == 2
    other = Path("one.json").read_text(encoding="utf-8").replace(f'"corpus_id": "{CORPUS}"', '"corpus_id": "other"')
    Path("other.json").write_text(other, encoding="utf-8")
    code, _, told = verify(store, "--replay", "other.json")
    assert code == 2
    assert "another corpus" in told
