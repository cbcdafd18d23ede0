"""The calibration of the checker's second stage, and pairs of statements that are at odds."""

from __future__ import annotations

import numpy as np
import pytest
from coditect_benchmarks.pairs.scoring import Pair, Side, _pair, told
from coditect_benchmarks.tier4.calibrate import _measures, fit, mixed
from coditect_benchmarks.tier4.told import Told

from coditect.verify.staged.calibration import FEATURES

OWN = "The supplier of pumps shall deliver them to the buyer in June."


@pytest.mark.parametrize(
    ("others", "made"),
    [
        (["The buyer of pumps must pay the whole price in cash."], ["The supplier of pumps must pay the whole price in cash."]),
        (["The supplier of pumps must pay the whole price in cash."], []),
        (["THE SUPPLIER OF PUMPS must pay the whole price in cash."], []),
        (["The buyer of pumps must not pay the whole price in cash."], []),
        (["The buyer must pay it.", "The owner may inspect all of the pumps.", "The agent will check all of the pumps."],
         ["The supplier of pumps may inspect all of the pumps."]),
        ([], []),
    ],
)  # fmt: skip
def test_subject_is_put_before_the_predicate_of_another(others: list[str], made: list[str]) -> None:
    """Of the first sentence that says what somebody else must do; every word stands in the evidence."""
    assert list(mixed(OWN, others)) == made


def test_sentence_without_a_duty_is_mixed_with_none() -> None:
    """Nor is one whose duty is denied."""
    other = ["The buyer of pumps must pay the whole price in cash."]
    assert list(mixed("Pumps are blue.", other)) == []
    assert list(mixed(OWN.replace("shall", "shall not"), other)) == []


@pytest.mark.parametrize(
    ("chances", "labels", "told"),
    [
        ([0.9, 0.9, 0.1, 0.1], [1, 1, 0, 0], "ECE 0.100  right from 0.7 on 100.0% of    2  supported kept 100.0%"),
        ([0.7, 0.65, 0.1], [1, 1, 0], "ECE 0.250  right from 0.7 on 100.0% of    1  supported kept  50.0%"),
        ([0.7, 0.8], [0, 0], "ECE 0.750  right from 0.7 on   0.0% of    2  supported kept -"),
        ([0.2], [1], "ECE 0.800  right from 0.7 on -  supported kept   0.0%"),
        ([1.0, 1.0, 0.5, 0.5], [1, 0, 1, 0], "ECE 0.250  right from 0.7 on  50.0% of    2  supported kept  50.0%"),
    ],
)
def test_calibration_is_measured_in_ten_bins(chances: list[float], labels: list[int], told: str) -> None:
    """With the share that is right from 0.7 on, and how many of the supported ones are there."""
    assert _measures(np.array(chances), np.array(labels, bool)) == told


def test_calibration_is_fitted_on_one_half_and_told_of_the_other(capsys: pytest.CaptureFixture[str]) -> None:
    """Every set counts its share whatever its size; sets of twenty or fewer are told among all only."""
    generator = np.random.default_rng(4)
    x = generator.normal(size=(600, len(FEATURES)))
    y = x[:, 0] + generator.normal(size=600) > 0
    sources = np.array(["edits/dev", "absent/dev", "mixed/dev", "wice", "own"])[np.arange(600) % 5]
    sources[:20] = "tiny"
    half = generator.random(600) < 0.5
    half[:20] = False
    fit(x, y, sources, half)
    lines = capsys.readouterr().out.splitlines()
    assert [line.partition(" =")[0] for line in lines[:2]] == ["INTERCEPT", "COEFFICIENTS"]
    assert [line.split()[0] for line in lines[2:]] == ["absent/dev", "edits/dev", "mixed/dev", "own", "wice", "all"]
    assert int(lines[-1].split()[3]) == (~half).sum()
    first, *others = (float(part.rpartition(": ")[2].strip(" }")) for part in lines[1].partition("{")[2].split(","))
    assert first > 1.0
    assert max(map(abs, others)) < 0.4
    weighted = np.where(np.char.startswith(sources, "edits"), y, ~y)  # what the edits say outweighs what two others say
    fit(x, weighted, sources, half)
    again = capsys.readouterr().out.splitlines()[1]
    assert -0.9 < float(again.partition(": ")[2].partition(",")[0]) < 0.4


def test_labels_are_told_by_kind() -> None:
    """Numbers of pairs, shares of each label, and speed."""
    found = Told(seconds=2.0)
    found.labels.update({("a", "supported"): 3, ("a", "unsupported"): 1, ("b", "needs_review"): 2})
    assert found.row() == {
        "kinds": {
            "a": {"pairs": 4, "supported": 0.75, "needs_review": 0.0, "unsupported": 0.25},
            "b": {"pairs": 2, "supported": 0.0, "needs_review": 1.0, "unsupported": 0.0},
        },
        "claims_per_s": 3.0,
    }


@pytest.mark.parametrize(
    ("one", "other", "conflicts"),
    [
        ("Backups must be kept for 30 days.", "Backups must be kept for 90 days.", 1),
        ("Backups must be kept for 30 days.", "Backups must be kept for 30 days.", 0),
        ("Backups must be kept for 30 days.", "Visitors must wear a badge.", 0),
    ],
)
def test_statements_of_two_documents_are_told_as_at_odds(one: str, other: str, conflicts: int) -> None:
    """Where they cannot both be followed, and only there."""
    pair = Pair("value", True, (Side("Backup Policy", one), Side("Storage Policy", other)))
    assert len(told(pair)) == conflicts


def test_pair_is_read_from_its_line() -> None:
    """Kind, verdict, and twice a title with what it says."""
    found = _pair("value || conflict || A Policy || One. || B Policy || Two.")
    assert found == Pair("value", True, (Side("A Policy", "One."), Side("B Policy", "Two.")))
    assert not _pair("value || none || A || One. || B || Two.").is_conflict
