"""Calibrations for people at a terminal."""

from __future__ import annotations

from pathlib import Path

from coditect.cli.console import FAINT, GOOD, TITLE, WARN, Screen, counted
from coditect.reports.calibration import part_outcome
from coditect.schemas import CalibrationReport, CalibrationState, CalibrationSwitch, FittedPart, Interval

__all__ = ["write_report", "write_state", "write_switch"]

_SHOWN = 20
"""Changes that are written out; the page and the JSON have all of them."""


def write_report(report: CalibrationReport, page_at: Path | None) -> None:
    """What a calibration gave, and what it would change."""
    page = Screen()
    page.line((f"Calibration of {report.corpus_id}, generation {report.generation}", TITLE))
    for part in report.parts:
        _write_part(page, part)
    page.line()
    if not report.proposal:
        page.line(("No proposal: nothing improves on documents held out. What is in force stays.", WARN))
    elif report.proposal == report.in_force:
        page.line("What improves is in force already: ", (report.proposal, FAINT))
    else:
        page.line(("proposal", GOOD), "  ", (report.proposal, FAINT))
        _write_changes(page, report)
        page.line(
            "Nothing is switched. To put it in force: coditect knowledge calibrate --apply ID --by NAME --meaning TEXT"
        )
    if page_at is not None:
        page.line(f"The report stands in {page_at}")


def _write_part(page: Screen, part: FittedPart) -> None:
    page.line()
    decisions = f"{counted(part.cases, 'decision')} ({part.positive} for), {counted(part.documents, 'document')}"
    page.line((part.part, TITLE), f"  {decisions}")
    for reason, count in part.left_out.items():
        page.line("  ", (f"left out: {count} {reason}", FAINT))
    if part.needs:
        page.line("  ", ("too few", WARN), f": it needs {part.needs}")
        return
    measure = "pairs in order" if part.part == "fusion" else "AUROC"
    page.line(f"  {measure}, held out: shipped {_told(part.before)}, fitted {_told(part.after)}")
    page.line(
        f"  difference {_told(part.difference, signed=True)}: ", (part_outcome(part), GOOD if part.improves else WARN)
    )


def _write_changes(page: Screen, report: CalibrationReport) -> None:
    page.line(
        f"  of {counted(report.judged_again, 'verdict')} that the figures have a say in, {len(report.changes)} would change"
    )
    for direction, count in report.directions.items():
        page.line(f"    {count:5}  {direction.replace('_', ' ')}")
    for each in report.changes[:_SHOWN]:
        was, becomes = (label.replace("_", " ") for label in (each.old_label, each.new_label))
        moved = f"{was} {each.old_score:.2f} -> {becomes} {each.new_score:.2f}"
        page.line("  ", moved, "  ", (each.claim_id, FAINT))
        page.block(4, each.text)
    if len(report.changes) > _SHOWN:
        page.line(f"  and {len(report.changes) - _SHOWN} more; --format json and --output have all")
    if report.mark_changes:
        shown = sum(each.new_shown for each in report.mark_changes)
        page.line(
            f"  of the marked hits {shown} would be shown that are withheld now, {len(report.mark_changes) - shown} withheld"
        )


def _told(value: Interval | None, *, signed: bool = False) -> str:
    if value is None:
        return "-"
    form = "{:+.3f} ({:+.3f} to {:+.3f})" if signed else "{:.3f} ({:.3f} to {:.3f})"
    return form.format(value.value, value.low, value.high)


def write_switch(made: CalibrationSwitch) -> None:
    """Who switched to what, and from when on it holds."""
    page = Screen()
    page.line((made.calibration_id or "the shipped figures", GOOD), f"  {made.by}, {made.at}")
    page.block(2, made.meaning)
    page.line("Answers heed it at once, verdicts in the next build.")


def write_state(state: CalibrationState) -> None:
    """Proposals and switches."""
    page = Screen()
    page.line("in force: ", (state.in_force or "the shipped figures", GOOD))
    page.line((counted(len(state.proposals), "proposal"), TITLE))
    for each in state.proposals:
        better = ", ".join(part.part for part in each.fitted if part.improves)
        made_of = f"{counted(len(each.reviews), 'review')}, {counted(len(each.marks), 'mark')}"
        page.line(f"  {better}  from {made_of}, generation {each.generation}  ", (each.calibration_id, FAINT))
    page.line((f"{len(state.switches)} switched" if state.switches else "nobody switched", TITLE))
    for made in state.switches:
        page.line(f"  {made.at}  {made.by}  ", (made.calibration_id or "the shipped figures", FAINT))
        page.block(4, made.meaning)
