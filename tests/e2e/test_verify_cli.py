"""``verify`` and ``review`` from end to end: what they print, and how they end."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.command_line import invoke
from tests.corpora import CORPUS, DOCUMENTS, folder_of
from tests.integration.verify_corpus import doubted
from tests.places import copy_place

TOPICS = ("--topic", "incident", "--topic", "access", "--topic", "customer data")
TRUE = "Employees must report an incident to the security team within 4 hours."
FALSE = "Employees must report an incident to the security team within 9 hours."


@pytest.fixture(scope="module")
def built_store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store on disk with the small corpus, one of whose requirements a judge refused."""
    place = tmp_path_factory.mktemp("verify")
    folder = folder_of(place / "documents", DOCUMENTS)
    assert invoke(place / "store", "ingest", "--corpus-id", CORPUS, str(folder)).exit_code == 0
    with doubted():
        assert invoke(place / "store", "build", "--corpus-id", CORPUS, *TOPICS).exit_code == 0
    return place / "store"


@pytest.fixture
def own(built_store: Path, tmp_path: Path) -> Path:
    """A copy that a test may change."""
    return copy_place(built_store, tmp_path / "own")


@pytest.mark.parametrize(("claim", "label", "code"), [(TRUE, "supported", 0), (FALSE, "unsupported", 1)])
def test_verify_claim_says_its_label_and_ends_with_it(built_store: Path, claim: str, label: str, code: int) -> None:
    """Exit code 0 only where everything is supported; the evidence is shown with its document and offsets."""
    result = invoke(built_store, "verify", "--corpus-id", CORPUS, "--claim", claim)
    assert result.exit_code == code
    assert f"\n{label}  " in result.stdout
    assert "incident.md:" in result.stdout
    parsed = json.loads(
        invoke(built_store, "verify", "--corpus-id", CORPUS, "--claim", claim, "--format", "json").stdout
    )
    assert (parsed["label"], parsed["sentences"][0]["label"]) == (label, label)
    assert ("the claim says “9 hours”, the evidence “4 hours”" in result.stdout) == (label == "unsupported")


def test_verify_file_writes_an_annotated_page(built_store: Path, tmp_path: Path) -> None:
    """A page of its own, whole or not at all; the same text from the standard input gives the same labels."""
    answers = tmp_path / "answers.md"
    answers.write_text(f"# Answers\n\n{TRUE} {FALSE}\n", encoding="utf-8")
    page = tmp_path / "page.html"
    options = ("verify", "--corpus-id", CORPUS, "--format", "html")
    assert invoke(built_store, *options, "--file", str(answers), "--output", str(page)).exit_code == 1
    html = page.read_text(encoding="utf-8")
    assert html.startswith("<!DOCTYPE html>")
    assert "is-supported" in html
    assert '<mark class="against">9 hours</mark>' in html
    piped = invoke(built_store, *options[:3], "--format", "json", "--file", "-", stdin=answers.read_bytes())
    assert [each["label"] for each in json.loads(piped.stdout)["sentences"]] == [None, "supported", "unsupported"]


def test_verify_replay_ends_with_3_where_a_verdict_drifted(built_store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Exit code 0 and no drift on a fresh build; 3 and every claim after a change of the checker."""
    fresh = invoke(built_store, "verify", "--corpus-id", CORPUS, "--replay")
    assert fresh.exit_code == 0
    assert "no drift" in fresh.stdout
    monkeypatch.setattr("coditect.verify.checker.CHECKER", "staged/999")
    drifted = invoke(built_store, "verify", "--corpus-id", CORPUS, "--replay", "--format", "json")
    assert drifted.exit_code == 3
    report = json.loads(drifted.stdout)
    assert len(report["drift"]) == report["replayed"] > 0
    assert {each["cause"] for each in report["drift"]} == {"checker"}


@pytest.mark.parametrize(
    "words",
    [
        (),
        ("--claim", TRUE, "--replay"),
        ("--claim", " "),
        ("--file", "no-such-file.md"),
        ("--replay", "--format", "html"),
        ("--claim", TRUE, "--output", "x.txt"),
        ("--claim", TRUE, "--minimum-support", "2"),
    ],
)
def test_verify_with_nothing_or_too_much_to_do_is_refused(built_store: Path, words: tuple[str, ...]) -> None:
    """Wrong use ends with 2 and says the way out."""
    result = invoke(built_store, "verify", "--corpus-id", CORPUS, *words)
    assert result.exit_code == 2
    assert "hint:" in result.stderr


def test_verify_of_an_unknown_corpus_is_not_found(built_store: Path) -> None:
    """Names those that there are."""
    result = invoke(built_store, "verify", "--corpus-id", "nowhere", "--replay")
    assert result.exit_code == 2
    assert CORPUS in result.stderr


def test_review_lists_settles_and_takes_effect_in_the_next_build(own: Path) -> None:
    """What a judge refused is listed with its evidence, signed by name, and published by the build that follows."""
    listed = json.loads(invoke(own, "review", "--corpus-id", CORPUS, "--format", "json").stdout)
    assert {each["label"] for each in listed} == {"needs_review"}
    claim = listed[0]  # before what rules only suspect
    assert claim["evidence"]
    text = invoke(own, "review", "--corpus-id", CORPUS)
    assert f"{len(listed)} claims to be settled" in text.stdout
    assert claim["claim_id"] in text.stdout
    decision = ("--decision", "supported", "--by", "R. Viewer", "--meaning", "compared with the agreement")
    signed = invoke(own, "review", "--corpus-id", CORPUS, "--claim", claim["claim_id"], *decision)
    assert signed.exit_code == 0
    assert "It takes effect in the next build." in signed.stdout
    with doubted():
        assert invoke(own, "build", "--corpus-id", CORPUS, *TOPICS).exit_code == 0
    after = json.loads(invoke(own, "review", "--corpus-id", CORPUS, "--format", "json").stdout)
    settled = [each for each in after if each["text"] == claim["text"]]
    assert [each["label"] for each in settled] == ["supported"]
    assert settled[0]["reviews"][0]["by"] == "R. Viewer"
    assert invoke(own, "verify", "--corpus-id", CORPUS, "--replay").exit_code == 0
    assert invoke(own, "validate", "--corpus-id", CORPUS).exit_code == 0


@pytest.mark.parametrize(
    "words",
    [
        ("--claim", "claim_0", "--decision", "supported", "--by", "R", "--meaning", "m"),
        ("--claim", "claim_0", "--decision", "maybe", "--by", "R", "--meaning", "m"),
        ("--claim", "claim_0", "--decision", "supported", "--by", "R"),
        ("--decision", "supported"),
    ],
)
def test_review_without_what_a_signature_needs_is_refused(built_store: Path, words: tuple[str, ...]) -> None:
    """An unknown claim, an unknown decision, a missing meaning, a decision on nothing."""
    assert invoke(built_store, "review", "--corpus-id", CORPUS, *words).exit_code == 2
