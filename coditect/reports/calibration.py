"""What a calibration would change as one HTML page: plots of both figures on documents held out, and every changed verdict.

The page needs nothing else and runs no script; everything that comes from documents and questions is escaped. The same report gives
the same bytes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from jinja2 import Environment

from coditect.reports.pages import page_environment
from coditect.schemas import CalibrationReport, FittedPart, Interval, ReliabilityBin

__all__ = ["part_outcome", "render_calibration_report"]

SIDE = 260
"""Width and height of a reliability plot, in CSS pixels."""

BAR = 420
"""Width of the plot of intervals."""

_LEAST = 0.3
"""Where the axis of intervals begins: an AUROC below is told as if it were there."""

_SMALLEST, _LARGEST = 2.5, 9.0

PARTS = {
    "checker": ("The checker", "the probability that the evidence supports a claim, fitted on reviews"),
    "gate": ("The relevance gate", "whether a hit answers a question, fitted on marks"),
    "fusion": ("The fusion", "how much meaning counts beside words, fitted on pairs of marks, each counted both ways"),
}


@dataclass(frozen=True, slots=True)
class _Point:
    """A bin in a reliability plot, in CSS pixels from the upper left corner."""

    x: float
    y: float
    radius: float
    told: str


@dataclass(frozen=True, slots=True)
class _Bar:
    """An interval in its plot, in CSS pixels from the left."""

    name: str
    low: float
    value: float
    high: float
    told: str


def part_outcome(part: FittedPart) -> str:
    """Whether fitting a part improves it, in words."""
    if part.needs:
        return f"too few decisions: it needs {part.needs}"
    if part.improves:
        return "improves on documents held out"
    return "does not improve on documents held out, and is not proposed"


def render_calibration_report(report: CalibrationReport) -> str:
    """The page of a calibration.

    Args:
        report: of :func:`coditect.knowledge.calibration.proposal.calibrate`.
    """
    return (
        _environment()
        .get_template("calibration.html.j2")
        .render(report=report, parts=PARTS, side=SIDE, bar=BAR, middle=_across(0.5))
    )


def _points(bins: Sequence[ReliabilityBin]) -> list[_Point]:
    """The area of a point is its number of cases."""
    if not bins:
        return []
    most = max(each.cases for each in bins)
    return [
        _Point(
            round(each.stated * SIDE, 1),
            round((1.0 - each.observed) * SIDE, 1),
            round(_SMALLEST + (_LARGEST - _SMALLEST) * (each.cases / most) ** 0.5, 1),
            f"stated {each.stated:.2f}, decided {each.observed:.2f}, {each.cases} cases",
        )
        for each in bins
    ]


def _bars(part: FittedPart) -> list[_Bar]:
    return [
        _Bar(name, _across(each.low), _across(each.value), _across(each.high), _told(each))
        for name, each in (("shipped", part.before), ("fitted", part.after))
        if each is not None
    ]


def _across(value: float) -> float:
    return round(max(0.0, value - _LEAST) / (1.0 - _LEAST) * BAR, 1)


def _told(value: Interval) -> str:
    return f"{value.value:.3f} ({value.low:.3f} to {value.high:.3f})"


@cache
def _environment() -> Environment:
    return page_environment({"points": _points, "bars": _bars, "told": _told, "outcome": part_outcome})
