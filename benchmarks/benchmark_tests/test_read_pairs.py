"""What is reported of conflicts that a model read: rounds with the stand-in, planted ones, and the file for a blind reader."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from coditect_benchmarks.company import Told
from coditect_benchmarks.read_pairs import (
    ReadConflict,
    conflicts_in,
    gap_report,
    house_built,
    planted_report,
    write_blind,
)
from coditect_benchmarks.stand_in.folder import StandInFolder
from coditect_benchmarks.stand_in.records import AnswerGiven

BADGES = "A lost badge shall be reported to the porter within four hours."
GUIDE = "Whoever has lost a badge tells the porter by the following Friday."
DOCUMENTS = {
    "badges.md": f"# Badge Policy\n\n{BADGES} Visitors shall wear a red badge.\n",
    "guide.md": f"# Guide for Guards\n\n{GUIDE} The night guard shall lock all doors.\n",
}
PLANTED = {
    "conflicts": [
        {
            "id": "C1",
            "kind": "lost badges",
            "passages": [{"file": "badges.md", "quote": BADGES}, {"file": "guide.md", "quote": GUIDE}],
        },
        {
            "id": "C2",
            "kind": "another",
            "passages": [
                {"file": "badges.md", "quote": "no such words"},
                {"file": "guide.md", "quote": "nor these words"},
            ],
        },
    ],
    "not_conflicts": [],
    "gaps": [],
}
FOUND = ReadConflict(
    "pairs", "supported", True, "badges.md and guide.md are at odds.", (("badges.md", BADGES), ("guide.md", GUIDE)), ""
)


def _answer(user: str) -> dict[str, Any]:
    """What a reader says who finds nothing but the two sentences on lost badges at odds."""
    if user.startswith("<statements-"):
        told = [json.loads(line) for line in user.splitlines() if line.startswith("{")]
        numbers = [each["n"] for each in told if each.get("text") in (BADGES, GUIDE)]
        return {"at_odds": [{"between": numbers, "kind": "value", "about": "lost badges", "words": [BADGES, GUIDE]}]}
    if not user.startswith("<sets-"):
        return {"duplicates": [], "conflicts": []}
    answer: dict[str, Any] = {"conflicts": [], "others": []}
    for line in user.splitlines():
        if line.startswith('{"n":'):
            one = json.loads(line)
            texts = [each["text"] for each in one["statements"]]
            if texts == [BADGES, GUIDE]:
                answer["conflicts"].append({"n": one["n"], "kind": "value", "about": "lost badges", "words": texts})
            else:
                answer["others"].append({"n": one["n"], "why": "other_matter"})
    return answer


def test_unanswered_pairs_are_collected_and_answered_ones_are_told(tmp_path: Path) -> None:
    """The first build asks, the second is answered; without a validator what is found needs review."""
    documents = tmp_path / "documents"
    documents.mkdir()
    for name, text in DOCUMENTS.items():
        (documents / name).write_text(text, "utf-8")
    stand_in = tmp_path / "stand-in"
    asked = ("reducer",)
    with house_built(documents, "2026-11-28", stand_in, agents=asked, embedder="wordllama", pairs=9) as built:
        assert built.report.partial
        assert built.open >= 1
    folder = StandInFolder(stand_in)
    folder.add(*(AnswerGiven(key=each.key, answer=_answer(each.user)) for each in folder.open_requests().values()))
    with house_built(documents, "2026-11-28", stand_in, agents=asked, embedder="wordllama", pairs=9) as built:
        (found,) = conflicts_in(built.view)
    assert (found.by, found.label, found.published) == ("pairs", "needs_review", False)
    assert [text for _, text in found.quotes] == [BADGES, GUIDE]


def test_report_counts_what_is_published_and_what_is_proposed() -> None:
    """A proposed conflict that nobody publishes is found by the reducer alone."""
    told = [Told("conflict", "", FOUND.text, FOUND.quotes)]
    lines = planted_report(told, [FOUND], PLANTED)
    assert lines[:2] == ["published: 1 of 2 conflicts, 0 of 0 look-alikes (), 0 others", "  not published: C2"]
    lines = planted_report([], [FOUND], PLANTED)
    assert lines[0].startswith("published: 0 of 2 conflicts")
    assert lines[2].startswith("proposed: 1 of 2 conflicts")


def test_planted_gaps_and_their_look_alikes_are_counted_apart() -> None:
    """A gap is told where a claim on something missing quotes it; a claim of another kind tells none."""
    passages = [{"file": "badges.md", "quote": BADGES}]
    planted = {
        "gaps": [{"id": "G1", "kind": "", "passages": passages}],
        "not_gaps": [{"id": "M1", "kind": "", "passages": passages}],
    }
    told = Told("gap", "", "Something is missing.", (("badges.md", BADGES),))
    assert gap_report([told], planted) == [
        "published: 1 of 1 gaps (G1)",
        "published: 1 of 1 look-alikes of gaps (M1)",
    ]
    assert gap_report([Told("requirement", "", "", told.quotes)], {**planted, "not_gaps": []}) == [
        "published: 0 of 1 gaps ()"
    ]


def test_blind_file_does_not_say_who_found_a_conflict(tmp_path: Path) -> None:
    """Only published ones are in it; the key has the same ids."""
    unread = ReadConflict("rules", "needs_review", False, "Unread.", FOUND.quotes, "denied")
    blind, key = tmp_path / "blind.jsonl", tmp_path / "key.jsonl"
    write_blind([FOUND, unread], "house", blind, key, seed=1)
    (shown,) = map(json.loads, blind.read_text("utf-8").splitlines())
    assert shown == {
        "id": "house-1",
        "sides": [{"document": "badges.md", "text": BADGES}, {"document": "guide.md", "text": GUIDE}],
    }
    assert json.loads(key.read_text("utf-8")) == {"id": "house-1", "by": "pairs", "text": FOUND.text}
