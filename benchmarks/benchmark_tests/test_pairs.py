"""Pairs of statements that are at odds or only look so: how they are written down, told and counted."""

from __future__ import annotations

import sys

import pytest
from coditect_benchmarks.pairs import __main__ as command
from coditect_benchmarks.pairs.scoring import SETS, Pair, Side, _document, read_pairs, told


def _pair(kind: str, verdict: bool, word: str = "") -> Pair:
    return Pair(kind, verdict, (Side("One", word), Side("Other", word)))


@pytest.mark.parametrize("name", SETS)
def test_pairs_of_a_set_are_read_with_their_sides(name: str) -> None:
    """Each has a kind, a verdict and two titled statements; of every kind some are conflicts and some look like one."""
    pairs = read_pairs(name)
    assert all(side.title and side.text for pair in pairs for side in pair.sides)
    assert {pair.kind for pair in pairs if pair.is_conflict} == {pair.kind for pair in pairs if not pair.is_conflict}
    assert not any(pair.kind.startswith("#") for pair in pairs)


@pytest.mark.parametrize(
    ("first", "other", "kinds"),
    [
        (("Log Policy", "Audit logs are kept for 7 years."), ("Log Standard", "Audit logs are kept for 90 days."), 1),
        (
            ("Service Agreement", "Invoices shall be paid within 30 days."),
            ("Supply Agreement", "Invoices shall be paid within 60 days."),
            1,  # between the same parties
        ),
        (("Log Policy", "Audit logs are kept for 7 years."), ("Badge Rules", "Guests shall wear a badge."), 0),
    ],
)
def test_pair_is_told_as_of_two_documents_of_one_house(
    first: tuple[str, str], other: tuple[str, str], kinds: int
) -> None:
    """Beside others that say something else."""
    assert len(told(Pair("duration", bool(kinds), (Side(*first), Side(*other))))) == kinds


def test_lines_of_a_statement_are_rows_of_a_table() -> None:
    """Of as many columns as the first has; a single line is a paragraph with a number."""
    assert _document(Side("Limits", "Work | Limit\\nRepair | 3 days")) == (
        "# Limits\n\n## 1 Rules\n\n| Work | Limit |\n| ---|--- |\n| Repair | 3 days |\n"
    )
    assert _document(Side("Limits", "Work is done.")) == "# Limits\n\n## 1 Rules\n\n1.1 Work is done.\n"


def test_command_counts_what_is_told_by_kind(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Conflicts that are told and look-alikes that are not are right; the others are printed where that is wanted."""
    pairs = [_pair("a", True, "told"), _pair("a", True), _pair("a", False), _pair("b", False, "told"), _pair("b", True)]
    monkeypatch.setattr(command, "read_pairs", {"develop": pairs, "held": pairs[:1]}.__getitem__)
    monkeypatch.setattr(command, "told", lambda pair: ["it"] if pair.sides[0].text else [])
    said = []
    for options in ([], ["--kind", "b", "--wrong"], ["--set", "held"]):
        monkeypatch.setattr(sys, "argv", ["pairs", *options])
        command.main()
        said.append(capsys.readouterr().out.splitlines())
    assert said[0] == [
        "a            conflicts   1 of   2   look-alikes left alone   1 of   1",
        "b            conflicts   0 of   1   look-alikes left alone   0 of   1",
        "conflicts told: 1 of 3",
        "look-alikes left alone: 1 of 2",
    ]
    assert said[1] == [
        "b, wrongly told: One: 'told' // Other: 'told' ['it']",
        "b, missed: One: '' // Other: '' []",
        "b            conflicts   0 of   1   look-alikes left alone   0 of   1",
        "conflicts told: 0 of 1",
        "look-alikes left alone: 0 of 1",
    ]
    assert said[2][1:] == ["conflicts told: 1 of 1", "look-alikes left alone: 0 of 0"]
