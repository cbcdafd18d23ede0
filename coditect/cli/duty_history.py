"""What ``coditect knowledge changes --over-time`` prints: what became of duties from state to state."""

from __future__ import annotations

from typing import TYPE_CHECKING

from coditect.cli.output import write_json
from coditect.cli.tables import table_file, wrote_table

if TYPE_CHECKING:
    from pathlib import Path

    from coditect.schemas import DutyHistory

__all__ = ["BAR", "write_history_as"]

BAR = 40
"""Signs of the longest bar."""


def write_history_as(history: DutyHistory, form: str, output: Path | None) -> None:
    """Write a history.

    Args:
        history: of the corpus, or of editions.
        form: what ``--format`` says.
        output: what ``--output`` says; None is the standard output.

    Raises:
        UsageError: the file cannot be written, or is asked for with a format that has none.
    """
    from coditect.reports.history import render_duty_history
    from coditect.reports.registers.changes import write_history

    if form == "html":
        with table_file(output, form) as file:
            file.write(render_duty_history(history).encode())
    elif not wrote_table(form, output, lambda file, table: write_history(history, file, table)):
        if form == "json":
            write_json(history.model_dump(mode="json"), output)
        else:
            _show(history)


def _show(history: DutyHistory) -> None:
    """A state a line with its bar, and the documents that differ under it."""
    from coditect.cli.console import FAINT, TITLE, WARN, Screen, counted
    from coditect.reports.plots import duties_told, duty_bars, state_named

    page = Screen()
    page.line(
        ("Duties over time", TITLE),
        f" of corpus {history.corpus_id}, from {state_named(history.first)} to {state_named(history.last)}",
    )
    if history.erased_documents:
        erased = counted(history.erased_documents, "document")
        page.line((f"{erased} of these generations erased since: no figure here counts it", WARN))
    bars = duty_bars(history.points)
    if not bars:
        page.block(2, ("No duty changed in this time.", FAINT))
    longest = max((bar.total for bar in bars), default=0)
    for bar, point in zip(bars, history.points, strict=False):
        page.line()
        drawn = "#" * max(round(BAR * bar.total / longest), 1 if bar.total else 0)
        page.line((f"{bar.day} {bar.name}".strip(), TITLE), f"  {drawn}{' ' if drawn else ''}{bar.told}")
        for each in point.documents:
            renamed = f" (was {each.former})" if each.former else ""
            page.block(2, (f"{each.document}{renamed}: {each.status}; {duties_told(each.duties)}", FAINT))
