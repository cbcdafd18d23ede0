"""``review`` on any claim and extraction, from end to end: what it prints, what the next build makes of it, how it ends."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, get_args

import pytest

from coditect.cli.review import DECISIONS, STATES
from coditect.schemas import Decision, DecisionState
from tests.command_line import invoke
from tests.corpora import CORPUS, DOCUMENTS, folder_of
from tests.places import copy_place

SIGNED = ("--by", "R. Viewer", "--reason", "read the policy")
QUERY = ("query", "--corpus-id", CORPUS, "--tier", "extraction", "--query", "disable the account of a leaver")


@pytest.fixture(scope="module")
def built_store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store on disk with the small corpus."""
    place = tmp_path_factory.mktemp("decisions")
    folder = folder_of(place / "documents", DOCUMENTS)
    assert invoke(place / "store", "ingest", "--corpus-id", CORPUS, str(folder)).exit_code == 0
    assert invoke(place / "store", "build", "--corpus-id", CORPUS).exit_code == 0
    return place / "store"


@pytest.fixture
def own(built_store: Path, tmp_path: Path) -> Path:
    """A copy that a test may change."""
    return copy_place(built_store, tmp_path / "own")


def found(store: Path, kind: str = "obligation") -> list[dict[str, Any]]:
    """The statements on leavers in access.md that search finds."""
    answer = json.loads(invoke(store, *QUERY, "--format", "json").stdout)
    items = [hit["item"] for hit in answer["hits"]]
    return [each for each in items if "24 hours" in each["text"] and each["kind"] == kind and "leaver" in each["text"]]


def review(store: Path, *words: str) -> Any:  # noqa: ANN401 - whatever JSON it prints
    """What ``review`` prints as JSON."""
    result = invoke(store, "review", "--corpus-id", CORPUS, "--format", "json", *words)
    assert result.exit_code == 0, result.stderr
    return json.loads(result.stdout)


def test_review_offers_the_decisions_and_states_that_records_know() -> None:
    """The options repeat them, because the module of the records loads pydantic."""
    assert tuple(each.replace("_", "-") for each in get_args(Decision)) == DECISIONS
    assert tuple(each.replace(" ", "-") for each in get_args(DecisionState)) == STATES


def test_dismissed_extraction_is_not_found_any_more_and_is_in_the_list(own: Path) -> None:
    """Search hides it from the next build on; the list has it, and a withdrawal by its id brings it back."""
    (item,) = found(own)
    signed = review(own, "--item", item["item_id"], "--decision", "dismiss", *SIGNED)
    assert [each["state"] for each in review(own, "--list")] == ["next build"]
    assert invoke(own, "build", "--corpus-id", CORPUS).exit_code == 0
    assert found(own) == []
    (listed,) = review(own, "--list", "--state", "in-force", "--document", "access.md", "--decision", "dismiss")
    assert listed["review"]["review_id"] == signed["review_id"]
    assert [each["state"] for each in review(own, "--list", "--document", "acc*.md")] == ["in force"]
    assert review(own, "--list", "--document", "incident.md") == []
    assert review(own, "--list", "--by", "Somebody Else") == []
    text = invoke(own, "review", "--corpus-id", CORPUS, "--list").stdout
    assert "in force" in text
    assert "read the policy" in text
    review(own, "--item", signed["review_id"], "--decision", "withdraw", *SIGNED)
    assert invoke(own, "build", "--corpus-id", CORPUS).exit_code == 0
    assert found(own) == [item]


def test_corrected_extraction_is_shown_beside_what_had_been_read(own: Path) -> None:
    """``query`` says who corrected it and what it was, as text and as JSON."""
    (item,) = found(own)
    words = ("--item", item["item_id"], "--decision", "correct", "--set", "kind=permission", "--set", "condition=")
    review(own, *words, *SIGNED)
    assert invoke(own, "build", "--corpus-id", CORPUS).exit_code == 0
    assert found(own) == []
    (after,) = found(own, "permission")
    assert (after["decided"]["by"], after["decided"]["original_kind"]) == ("R. Viewer", "obligation")
    text = " ".join(invoke(own, *QUERY).stdout.split())
    assert "correct by R. Viewer: read the policy; had been read as obligation" in text


def test_changed_sentence_is_listed_with_both_wordings(own: Path, tmp_path: Path) -> None:
    """``review`` without options says what was decided on, and what the sentence says now."""
    (item,) = found(own)
    review(own, "--item", item["item_id"], "--decision", "accept-risk", "--until", "2999-12-31", *SIGNED)
    changed = DOCUMENTS["access.md"].replace("leaver within 24 hours", "leaver within 36 hours")
    folder = folder_of(tmp_path / "documents", {**DOCUMENTS, "access.md": changed})
    assert invoke(own, "ingest", "--corpus-id", CORPUS, str(folder)).exit_code == 0
    assert invoke(own, "build", "--corpus-id", CORPUS).exit_code == 0
    (waiting,) = (each for each in review(own) if each["reopened"])
    assert waiting["reopened"]["decision"] == "accept_risk"
    assert "36 hours" in waiting["text"]
    text = " ".join(invoke(own, "review", "--corpus-id", CORPUS).stdout.split())
    assert "1 decision to be made again" in text
    assert "leaver within 24 hours" in text
    assert "the sentence now reads" in text


@pytest.mark.parametrize(
    "words",
    [
        ("--item", "extraction_0", "--decision", "accept", *SIGNED),
        ("--item", "ID", "--decision", "correct", *SIGNED),
        ("--item", "ID", "--decision", "correct", "--set", "actor", *SIGNED),
        ("--item", "ID", "--decision", "correct", "--set", "actor=the board of directors", *SIGNED),
        ("--item", "ID", "--decision", "accept", "--until", "2999-01-01", *SIGNED),
        ("--list", "--item", "ID"),
        ("--list", "--document", "nowhere.md"),
        ("--state", "in-force"),
    ],
)
def test_review_that_cannot_be_is_refused(built_store: Path, words: tuple[str, ...]) -> None:
    """Exit code 2, one line on standard error, and nothing is stored."""
    (item,) = found(built_store)
    given = [item["item_id"] if word == "ID" else word for word in words]
    result = invoke(built_store, "review", "--corpus-id", CORPUS, *given)
    assert result.exit_code == 2, result.stdout
    assert result.stderr
    assert review(built_store, "--list") == []
