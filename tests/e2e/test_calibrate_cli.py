"""``mark`` and ``calibrate`` from end to end: what they print, what they store, and how they end."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from coditect.compose import open_knowledge
from coditect.schemas import SearchOptions
from coditect.settings import Settings
from tests.command_line import invoke
from tests.corpora import CORPUS, folder_of
from tests.integration.calibration_corpus import DOCUMENTS, questions
from tests.places import copy_place, tenant_at, url_at

HITS, NAMESAKES = 2, 6
"""Hits of a question that are marked, and of what only its branch was looked up by: people mark what they were shown."""
SIGNED = ("--by", "C. Alibrator", "--meaning", "read what would change")


@pytest.fixture(scope="module")
def marked_once(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store on disk in which people marked what they were shown: what is asked for counts, not the branch that is named."""
    place = tmp_path_factory.mktemp("calibrate")
    store = place / "store"
    assert invoke(store, "ingest", "--corpus-id", CORPUS, str(folder_of(place / "in", DOCUMENTS))).exit_code == 0
    assert invoke(store, "build", "--corpus-id", CORPUS, "--topic", "records", "--topic", "access").exit_code == 0
    settings = Settings(store=url_at(store), tenant=tenant_at(store), cache=Path(f"{store}-cache"), jobs=1)
    with open_knowledge(settings) as knowledge:
        for question, telling in questions():
            options = SearchOptions(gate=False)
            branch = question[question.index("branch") :]
            found = [
                hit.item
                for words, limit in ((question, HITS), (branch, NAMESAKES))
                for hit in knowledge.query(CORPUS, words, tier="extraction", limit=limit, options=options).hits
            ]
            for item in {each.item_id: each for each in found}.values():
                relevant = all(word in item.text for word in telling)
                knowledge.mark(CORPUS, question, item.item_id, relevant=relevant, by="R. Eader")
    return store


@pytest.fixture
def marked(marked_once: Path, tmp_path: Path) -> Path:
    """A copy that a test may change."""
    return copy_place(marked_once, tmp_path / "own")


def calibrate(store: Path, *words: str) -> dict[str, object]:
    """What the command prints as JSON."""
    result = invoke(store, "calibrate", "--corpus-id", CORPUS, "--format", "json", *words)
    assert result.exit_code == 0, result.output
    found = json.loads(result.stdout)
    assert isinstance(found, dict)
    return found


def test_calibrate_proposes_reports_and_waits_to_be_applied(marked: Path, tmp_path: Path) -> None:
    """Proposal and page first; then a signed switch that answers heed at once, its history, and the way back."""
    page = tmp_path / "page.html"
    report = calibrate(marked, "--output", str(page))
    parts = {part["part"]: part for part in report["parts"]}  # type: ignore[attr-defined]
    assert parts["checker"]["needs"].startswith("60 reviews (0 so far)")
    assert parts["gate"]["improves"]
    assert parts["gate"]["difference"]["low"] > 0.0
    proposal = str(report["proposal"])
    assert proposal.startswith("calibration_")
    html = page.read_text(encoding="utf-8")
    assert "<svg" in html
    assert proposal in html
    assert "<script" not in html
    before = calibrate(marked, "--list")
    assert before["in_force"] == ""
    assert [each["calibration_id"] for each in before["proposals"]] == [proposal]  # type: ignore[attr-defined]
    question = next(iter(questions()))[0]
    asked = ("query", "--corpus-id", CORPUS, "--tier", "extraction", "--query", question, "--format", "json")
    told = [json.loads(invoke(marked, *asked).stdout)]
    applied = invoke(marked, "calibrate", "--corpus-id", CORPUS, "--apply", proposal, *SIGNED)
    assert "Answers heed it at once" in applied.stdout
    told.append(json.loads(invoke(marked, *asked).stdout))
    assert calibrate(marked, "--list")["in_force"] == proposal
    assert invoke(marked, "calibrate", "--corpus-id", CORPUS, "--revert", *SIGNED).exit_code == 0
    told.append(json.loads(invoke(marked, *asked).stdout))
    shown = [[(hit["item"]["item_id"], hit["probability"]) for hit in each["hits"]] for each in told]
    assert shown[0] == shown[2] != shown[1]
    history = invoke(marked, "calibrate", "--corpus-id", CORPUS, "--list").stdout
    assert "in force: the shipped figures" in history
    assert history.count("read what would change") == 2
    assert invoke(marked, "validate", "--corpus-id", CORPUS).exit_code == 0


def test_calibrate_as_text_says_what_it_found_and_that_nothing_is_switched(marked: Path) -> None:
    """For people: measures with intervals, the number of marked hits that are treated otherwise, and the next step."""
    found = invoke(marked, "calibrate", "--corpus-id", CORPUS)
    assert found.exit_code == 0
    assert "AUROC, held out: shipped" in found.stdout
    assert "improves on documents held out" in found.stdout
    assert "Nothing is switched." in found.stdout
    assert "of the marked hits" in found.stdout


def test_mark_is_listed_and_replaced_by_a_later_one(marked: Path) -> None:
    """The mark that no other follows is in force; saying the same again adds nothing."""
    listed = json.loads(invoke(marked, "mark", "--corpus-id", CORPUS, "--list", "--format", "json").stdout)
    first = listed[0]
    words = (
        "mark",
        "--corpus-id",
        CORPUS,
        "--query",
        first["query"],
        "--item-id",
        first["judged_id"],
        "--format",
        "json",
    )
    same = json.loads(
        invoke(marked, *words, "--relevant" if first["relevant"] else "--not-relevant", "--by", first["by"]).stdout
    )
    assert same == first
    other = json.loads(
        invoke(marked, *words, "--not-relevant" if first["relevant"] else "--relevant", "--by", "A. Nother").stdout
    )
    assert other["follows"] == [first["mark_id"]]
    after = json.loads(invoke(marked, "mark", "--corpus-id", CORPUS, "--list", "--format", "json").stdout)
    assert len(after) == len(listed)
    assert first["mark_id"] not in {each["mark_id"] for each in after}
    assert "A. Nother" in invoke(marked, "mark", "--corpus-id", CORPUS, "--list").stdout


def test_calibrate_with_nothing_to_learn_from_ends_with_two(tmp_path: Path) -> None:
    """How many decisions it needs, and where they come from."""
    folder = folder_of(tmp_path / "in", {name: DOCUMENTS[name] for name in sorted(DOCUMENTS)[:1]})
    assert invoke(tmp_path / "store", "ingest", "--corpus-id", CORPUS, str(folder)).exit_code == 0
    assert invoke(tmp_path / "store", "build", "--corpus-id", CORPUS).exit_code == 0
    found = invoke(tmp_path / "store", "calibrate", "--corpus-id", CORPUS)
    assert found.exit_code == 2
    assert "the checker needs 60 reviews (0 so far)" in found.stderr
    assert "the gate needs 60 marks (0 so far)" in found.stderr
    assert "coditect knowledge mark" in found.stderr


@pytest.mark.parametrize(
    "words",
    [
        ("calibrate", "--apply", "calibration_0"),
        ("calibrate", "--apply", "calibration_0", *SIGNED),
        ("calibrate", "--revert", *SIGNED),
        ("calibrate", "--revert", "--list"),
        ("calibrate", "--by", "C. Alibrator"),
        ("calibrate", "--list", "--seed", "3"),
        ("calibrate", "--seed", "-1"),
        ("mark",),
        ("mark", "--list", "--by", "R"),
        ("mark", "--query", "q", "--item-id", "section_0", "--relevant", "--by", "R"),
        ("mark", "--query", "q", "--item-id", "section_0", "--by", "R"),
    ],
)
def test_wrong_use_of_mark_and_calibrate_ends_with_two(marked_once: Path, words: tuple[str, ...]) -> None:
    """Wrong use says what is right."""
    assert invoke(marked_once, words[0], "--corpus-id", CORPUS, *words[1:]).exit_code == 2
