"""Written pairs of requirements and what a house says: how they are read, split, told and counted."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from coditect_benchmarks.crosswalk.written import __main__ as command
from coditect_benchmarks.crosswalk.written.scoring import FAMILIES, LOUD, looked_at, read_written, told_of

PAIRS = read_written()


def test_pairs_are_forty_of_two_families_with_labels_of_every_loud_kind() -> None:
    """Each has a requirement, a paper and a sentence; a third and more of them are to be told as nothing loud."""
    assert Counter(each.family for each in PAIRS) == dict.fromkeys(FAMILIES, 20)
    assert all(each.title and each.requirement and each.paper and each.says for each in PAIRS)
    loud = Counter(label for each in PAIRS for label in each.right & LOUD)
    assert set(loud) == LOUD
    assert 12 <= sum(not each.right & LOUD for each in PAIRS) <= 20


def test_half_of_each_family_may_be_looked_at() -> None:
    """The same half each time."""
    seen = looked_at(PAIRS)
    assert seen == looked_at(read_written())
    assert Counter(each.family for each in PAIRS if each.number in seen) == dict.fromkeys(FAMILIES, 10)


def test_a_pair_is_told_by_its_own_paper(tmp_path: Path) -> None:
    """A law and a table are frameworks; what another paper of the house says is not counted."""
    some = [next(each for each in PAIRS if each.family == family and "more" in each.requirement) for family in FAMILIES]
    told = told_of(some, tmp_path)
    assert set(told) == {each.number for each in some}
    for each in some:
        found = told[each.number]
        assert found is not None
        assert found.document == each.document


def test_command_counts_each_set(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """What nobody may look at is counted and not printed."""
    monkeypatch.setattr(command, "told_of", lambda pairs, folder: {each.number: None for each in pairs})
    command.main(["--wrong"])
    out = capsys.readouterr().out
    quiet = sum(not each.right & LOUD for each in PAIRS if each.number in looked_at(PAIRS) and each.family == "law")
    assert f"looked-at, law: right {quiet} of 10" in out
    unseen = [each.says for each in PAIRS if each.number not in looked_at(PAIRS)]
    assert not any(each in out for each in unseen)
    command.main(["--set", "unseen"])
    assert "looked-at" not in capsys.readouterr().out
