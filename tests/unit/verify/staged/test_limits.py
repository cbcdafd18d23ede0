"""What the stages say at the very thresholds: equal is enough, or it is not."""

from __future__ import annotations

import json
import math
from types import SimpleNamespace
from typing import Any, cast

import pytest

from coditect.schemas import Signal, SupportFigures, VerdictLabel
from coditect.verify.alignment.evidence import EvidenceIndex
from coditect.verify.contradictions.kinds import Contradiction
from coditect.verify.learned.classifier import ReadingClassifier
from coditect.verify.staged import second_reading
from coditect.verify.staged.calibration import FEATURES, calibrated, features
from coditect.verify.staged.comparison import Comparison
from coditect.verify.staged.second_reading import read_again
from coditect.verify.staged.stages import ruled_score
from coditect.verify.support.assessment import ClaimPart, Support

FOREIGN = Signal(name="contradiction_role", passed=False, detail="of others", weight=0.5)


def _support(probability: float = 0.5, *, novel: int = 0, unreadable: str = "", **measures: float) -> Support:
    """What the statistics say of a claim of one part with so many new words."""
    all_measures = {
        "common_sequence": 0.0,
        "covered_best": 0.0,
        "near_min": 0.0,
        "away_words": 0.0,
        "held": 1.0,
        "held_least": 1.0,
        "strange_names": 0.0,
    } | measures
    part = ClaimPart(0, 9, probability, 1.0, (), ((0, 1),) * novel)
    return Support(probability, unreadable, all_measures, (part,), "words/1", "0" * 64)


def _compared(*severities: float, foreign: bool = False, held: float = 1.0, probability: float = 0.5) -> Comparison:
    found = tuple(Contradiction("number", each, (0, 1), 0, (0, 1), "differs") for each in severities)
    supported = _support(probability, held=held)
    return Comparison("A claim.", EvidenceIndex(["A quote."]), found, supported, FOREIGN if foreign else None)


@pytest.mark.parametrize(
    ("severities", "foreign", "worst"),
    [((), False, 0.0), ((0.3, 0.4), False, 0.4), ((0.3,), True, 0.5), ((0.9,), True, 0.9), ((), True, 0.5)],
)
def test_worst_is_the_greatest_severity(severities: tuple[float, ...], foreign: bool, worst: float) -> None:
    """A foreign subject is as bad as the least that is serious."""
    assert _compared(*severities, foreign=foreign).worst == worst


@pytest.mark.parametrize(
    ("severity", "held", "score", "minimum", "label"),
    [
        (0.0, 1.0, 0.7, 0.7, "supported"),
        (0.0, 1.0, 0.69, 0.7, "needs_review"),
        (0.49, 1.0, 0.9, 0.7, "supported"),
        (0.5, 1.0, 0.9, 0.7, "needs_review"),
        (0.99, 1.0, 0.9, 0.7, "needs_review"),
        (1.0, 1.0, 0.99, 0.7, "unsupported"),
        (0.7, 1.0, 0.3, 0.7, "unsupported"),
        (0.7, 1.0, 0.31, 0.7, "needs_review"),
        (0.69, 1.0, 0.3, 0.7, "needs_review"),
        (0.7, 1.0, 0.25, 0.2, "needs_review"),
        (0.7, 1.0, 0.2, 0.2, "unsupported"),
        (0.0, 0.49, 0.3, 0.7, "unsupported"),
        (0.0, 0.5, 0.3, 0.7, "needs_review"),
        (0.0, 0.49, 0.31, 0.7, "needs_review"),
        (0.0, 0.49, 0.7, 0.7, "supported"),
    ],
)
def test_label_at_each_threshold(severity: float, held: float, score: float, minimum: float, label: str) -> None:
    """A certain contradiction refutes; a grave one, or absence, only with a score of at most 0.3 and at most the minimum."""
    assert _compared(severity, held=held).label(score, minimum) == label


@pytest.mark.parametrize(("severity", "score"), [(0.49, 0.8), (0.5, 0.5), (0.9, 0.1), (1.0, 0.0), (0.1, 0.8)])
def test_score_is_capped_by_what_is_serious(severity: float, score: float) -> None:
    """A probability of 0.8 stands beside remarks, and not above what a serious contradiction leaves."""
    figures = SupportFigures(version="f/1", intercept=math.log(4.0), coefficients={})
    probability, capped = ruled_score(_compared(severity, probability=0.8), figures)
    assert capped == pytest.approx(score if severity >= 0.5 else max(score, 0.85))
    assert probability == pytest.approx(0.8 if severity >= 0.5 else 0.85)


def test_measures_of_the_calibration_are_in_their_order() -> None:
    """Log odds, new words squeezed, the worst remark, then four measures as they are; log odds end at a thousand to one."""
    found = _support(0.8, novel=3, common_sequence=0.1, covered_best=0.2, near_min=0.3, away_words=0.4)
    assert features(found, 0.45) == pytest.approx((math.log(4.0), 0.75, 0.45, 0.1, 0.2, 0.3, 0.4))
    assert features(_support(1.0), 0.0)[0] == pytest.approx(math.log(999.0))
    assert features(_support(0.0), 0.0)[0] == pytest.approx(-math.log(999.0))
    assert features(_support(0.5), 0.0)[1] == 0.0


@pytest.mark.parametrize(
    ("intercept", "held_least", "strange", "worst", "probability"),
    [
        (2.0, 0.75, 0.0, 0.0, 1 / (1 + math.exp(-2.0))),
        (0.0, 0.75, 0.0, 0.0, 0.85),
        (0.0, 0.749, 0.0, 0.0, 0.5),
        (2.0, 0.749, 0.0, 0.0, 0.6),
        (2.0, 0.75, 1.0, 0.0, 0.6),
        (2.0, 0.75, 0.0, 0.49, 1 / (1 + math.exp(-2.0))),
        (2.0, 0.75, 0.0, 0.5, 0.5),
        (99.0, 1.0, 0.0, 0.0, 1.0),
        (-99.0, 0.0, 0.0, 0.0, 1 / (1 + math.exp(60.0))),
        (-59.5, 0.0, 0.0, 0.0, 1 / (1 + math.exp(59.5))),
    ],
)
def test_calibration_where_both_readings_agree_and_where_not(
    intercept: float, held_least: float, strange: float, worst: float, probability: float
) -> None:
    """Three quarters held in each sentence and no strange name: at least 0.85; else at most 0.6; beside what is serious its own."""
    figures = SupportFigures(version="f/1", intercept=intercept, coefficients={})
    found = calibrated(_support(0.5, held_least=held_least, strange_names=strange), worst, figures)
    assert found == pytest.approx(probability, rel=1e-9)


def test_calibration_adds_each_measure_by_its_coefficient() -> None:
    """One that has none counts nothing; what cannot be read has no probability."""
    found = _support(
        0.6, novel=1, held_least=0.0, common_sequence=0.5, covered_best=0.25, near_min=0.125, away_words=0.0625
    )
    coefficients = dict(zip(FEATURES, (0.5, -1.0, 2.0, -0.25, -0.5, -1.0, -3.0), strict=True))
    total = -0.5 + 0.5 * math.log(1.5) - 0.5 + 0.2 - 0.125 - 0.125 - 0.125 - 0.1875
    assert calibrated(
        found, 0.1, SupportFigures(version="f/1", intercept=-0.5, coefficients=coefficients)
    ) == pytest.approx(1 / (1 + math.exp(-total)))
    assert calibrated(_support(0.9, unreadable="empty"), 0.0) == 0.0


def _classifier(probability: float) -> ReadingClassifier:
    """One that gives the same probability to whatever it reads; it supports from 0.8 on, and refuses up to 0.2."""
    row = {
        "format": 2,
        "version": "readings/test",
        "base": math.log(probability / (1 - probability)),
        "supports_from": 0.8,
        "refuses_to": 0.2,
        "measures": ["kept"],
        "trees": [],
    }
    return ReadingClassifier.parse(json.dumps(row).encode())


@pytest.mark.parametrize(
    ("probability", "label", "score", "expected"),
    [
        (0.8, "supported", 0.9, ("supported", 0.7, False)),
        (0.79, "supported", 0.9, ("needs_review", 0.6870, True)),
        (0.9, "supported", 0.75, ("supported", 0.75, False)),
        (0.2, "needs_review", 0.6, ("unsupported", 0.0, True)),
        (0.21, "needs_review", 0.6, ("needs_review", 0.6, False)),
        (0.2, "unsupported", 0.1, ("unsupported", 0.1, False)),
        (0.21, "unsupported", 0.1, ("needs_review", 0.3, True)),
        (0.9, "unsupported", 0.45, ("needs_review", 0.45, True)),
    ],
)
def test_second_reader_at_its_thresholds(
    monkeypatch: pytest.MonkeyPatch,
    probability: float,
    label: VerdictLabel,
    score: float,
    expected: tuple[str, float, bool],
) -> None:
    """It withholds what it does not support, refuses what it holds for false, and leaves the rest as the rules have it."""
    classifier = _classifier(probability)
    exact = SimpleNamespace(
        load=lambda: SimpleNamespace(
            probability=lambda _: probability,
            scaled=classifier.scaled,
            refuses_to=classifier.refuses_to,
            against=classifier.against,
        )
    )
    monkeypatch.setattr(second_reading, "ReadingClassifier", exact)
    index = EvidenceIndex(["The clerk keeps a quote."])
    compared: Any = SimpleNamespace(worst=0.0, is_restated=False, measures={"kept": 0.5}, text="A claim.", index=index)
    again = read_again(cast(Comparison, compared), label, score, 0.7)
    told, capped, has_signal = expected
    if told == "unsupported" and has_signal:
        capped = min(score, round(classifier.scaled(probability), 4))
    assert (again.label, again.signal is not None) == (told, has_signal)
    assert again.score == pytest.approx(capped, abs=1e-3)
    if again.signal is not None:
        assert again.signal.weight == pytest.approx(1.0 - probability)
        assert f"{probability:.0%} probable" in again.signal.detail
        agrees = probability == 0.9
        assert ("the readings agree apart from that" in again.signal.detail) is agrees


def test_second_reader_is_not_asked_of_what_is_told_again() -> None:
    """A statement of the evidence in the same words."""
    compared: Any = SimpleNamespace(worst=0.0, is_restated=True)
    again = read_again(cast(Comparison, compared), "supported", 0.9, 0.7)
    assert (again.label, again.score, again.signal) == ("supported", 0.9, None)
