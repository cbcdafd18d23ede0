"""What became of duties over time as one HTML page: a bar for each state, the same figures as a table, and which documents differ.

The page needs nothing else and runs no script; everything that comes from documents is escaped. The same history gives the same
bytes.
"""

from __future__ import annotations

from functools import cache

from jinja2 import Environment

from coditect.reports.pages import page_environment
from coditect.reports.plots import DUTY_NAMES, duties_told, duty_bars, state_named
from coditect.schemas import DutyHistory

__all__ = ["render_duty_history"]


def render_duty_history(history: DutyHistory) -> str:
    """The page of a history.

    Args:
        history: of :meth:`coditect.Knowledge.duty_history`.
    """
    bars = duty_bars(history.points)
    return _environment().get_template("history.html.j2").render(history=history, bars=bars, names=DUTY_NAMES)


@cache
def _environment() -> Environment:
    return page_environment(
        {
            "state": state_named,
            "thousands": lambda number: f"{number:,}",
            "told": duties_told,
            "when": lambda time: time[:10],
        }
    )
