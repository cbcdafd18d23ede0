"""The page of a calibration: plots, outcomes in words, and nothing of a document that a browser would run."""

from __future__ import annotations

import re

import pytest

from coditect.reports.calibration import BAR, SIDE, _across, part_outcome, render_calibration_report
from coditect.schemas import CalibrationReport, FittedPart, Interval, MarkChange, ReliabilityBin, VerdictChange

HOSTILE = "<script>alert('x')</script> shall & must"


def interval(value: float) -> Interval:
    """A narrow one."""
    return Interval(value=value, low=value - 0.05, high=value + 0.05)


@pytest.fixture
def report() -> CalibrationReport:
    """A checker that improves, a gate with too few marks."""
    checker = FittedPart(
        part="checker",
        cases=178,
        positive=99,
        documents=37,
        left_out={"which rules decide, no weights": 22},
        before=interval(0.59),
        after=interval(0.86),
        difference=interval(0.27),
        log_loss_before=1.12,
        log_loss_after=0.47,
        improves=True,
        reliability_before=(ReliabilityBin(cases=100, stated=0.95, observed=0.5),),
        reliability_after=(
            ReliabilityBin(cases=90, stated=0.1, observed=0.1),
            ReliabilityBin(cases=88, stated=0.9, observed=0.9),
        ),
    )
    change = VerdictChange(
        claim_id="claim_1",
        text=HOSTILE,
        old_label="needs_review",
        new_label="supported",
        old_score=0.55,
        new_score=0.91,
    )
    mark = MarkChange(
        query=HOSTILE,
        item_id="extraction_1",
        relevant=True,
        old_probability=0.1,
        new_probability=0.4,
        old_shown=False,
        new_shown=True,
    )
    return CalibrationReport(
        corpus_id="policies",
        generation=3,
        build_id="build_1",
        in_force="",
        proposal="calibration_1",
        parts=(checker, FittedPart(part="gate", cases=2, positive=1, documents=1, needs="60 marks (2 so far)")),
        judged_again=200,
        directions={"needs_review -> supported": 1},
        changes=(change,),
        mark_changes=(mark,),
    )


def test_page_plots_both_figures_and_lists_every_change(report: CalibrationReport) -> None:
    """A point for each bin, a bar for each interval, and the changed verdict with both labels and scores."""
    page = render_calibration_report(report)
    assert page.count('<circle class="before"') == 2
    assert page.count('<circle class="after"') == 3
    assert "0.590 (0.540 to 0.640)" in page
    assert "0.860 (0.810 to 0.910)" in page
    assert "Improves on documents held out" in page
    assert "Left out: 22 which rules decide, no weights." in page
    assert "needs review -&gt; supported" in page
    assert "0.55" in page
    assert "0.91" in page
    assert "60 marks (2 so far)" in page
    assert page == render_calibration_report(report)


def test_points_lie_within_the_plot_at_what_was_stated_and_decided(report: CalibrationReport) -> None:
    """Right is more probable, up is more often right: what was stated and decided in nine of ten lies near the corner."""
    page = render_calibration_report(report)
    points = re.findall(r'<circle class="after" cx="([\d.-]+)" cy="([\d.-]+)" r="[\d.]+"><title>fitted: stated', page)
    assert points == [(f"{0.1 * SIDE:.1f}", f"{0.9 * SIDE:.1f}"), (f"{0.9 * SIDE:.1f}", f"{0.1 * SIDE:.1f}")]


def test_page_escapes_what_comes_from_documents_and_questions(report: CalibrationReport) -> None:
    """Claims and questions are text, and the page allows no script."""
    page = render_calibration_report(report)
    assert "<script" not in page
    assert page.count("&lt;script&gt;") == 2
    assert "default-src 'none'" in page


def test_page_without_a_proposal_says_so(report: CalibrationReport) -> None:
    """Nothing improves: no list of changes, and no id to apply."""
    checker = report.parts[0].model_copy(update={"improves": False})
    nothing = {
        "parts": (checker,),
        "proposal": "",
        "judged_again": 0,
        "changes": (),
        "mark_changes": (),
        "directions": {},
    }
    page = render_calibration_report(report.model_copy(update=nothing))
    assert "none: nothing improves on documents held out" in page
    assert "Does not improve on documents held out" in page
    assert "Verdicts that would change" not in page
    assert part_outcome(report.parts[1]).startswith("too few decisions")


def test_plots_are_drawn_to_the_pixel(report: CalibrationReport) -> None:
    """A square of 260 for what was stated and decided, areas by cases; a bar of 420 for intervals, which begins at 0.3."""
    few = ReliabilityBin(cases=1, stated=0.2531, observed=0.7469)
    many = ReliabilityBin(cases=100, stated=0.95, observed=0.5)
    low = Interval(value=0.5123, low=0.2, high=1.0)
    checker = report.parts[0].model_copy(update={"reliability_before": (few, many), "before": low, "after": low})
    page = render_calibration_report(report.model_copy(update={"parts": (checker,)}))
    assert '<svg class="plot" width="260" height="260" viewBox="0 0 260 260"' in page
    assert '<circle class="before" cx="65.8" cy="65.8" r="3.1">' in page
    assert '<circle class="before" cx="247.0" cy="130.0" r="9.0">' in page
    assert '<svg class="plot" width="420" height="72" viewBox="0 0 420 72"' in page
    assert '<line class="ideal" x1="120.0" y1="0" x2="120.0" y2="72"/>' in page
    assert (
        '<line class="before" x1="0.0" y1="0" x2="420.0" y2="0"/><circle class="before" cx="127.4" cy="0" r="5">'
        in page
    )


def test_part_that_was_not_fitted_has_no_bar(report: CalibrationReport) -> None:
    """Only what was measured is drawn: of figures that could be fitted but not compared, one bar."""
    checker = report.parts[0].model_copy(update={"after": None})
    page = render_calibration_report(report.model_copy(update={"parts": (checker,)}))
    assert "shipped 0.590 (0.540 to 0.640)" in page
    assert "fitted 0" not in page


def test_bar_begins_at_three_tenths_and_ends_at_one() -> None:
    """What is worse than that stands at the left edge, one at the right, and the middle between."""
    assert [_across(value) for value in (0.0, 0.3, 0.65, 1.0)] == [0.0, 0.0, BAR / 2, BAR]


def test_plot_without_bins_has_no_points(report: CalibrationReport) -> None:
    """Nothing was held out: the square is there, and nothing in it."""
    checker = report.parts[0].model_copy(update={"reliability_before": (), "reliability_after": ()})
    page = render_calibration_report(report.model_copy(update={"parts": (checker,)}))
    assert "stated" not in "".join(re.findall(r"<title>[^<]*</title>", page))
