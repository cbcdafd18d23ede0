"""The scores of two readings of the same units side by side: rules alone, and with a model as reader."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from coditect_benchmarks.gold.scoring import SHARES

__all__ = ["COLUMNS", "TARGETS", "beside_as_text", "targets_as_text"]

COLUMNS = (
    "fully right",
    *(name for name in SHARES if name != "fully right"),
    "deadlines and frequencies F1",
)

TARGETS: Mapping[str, tuple[bool, float]] = {
    "fully right": (True, 0.80),
    "kind": (True, 0.94),
    "polarity": (True, 0.99),
    "holder": (True, 0.90),
    "locator": (True, 0.97),
    "missed": (False, 0.05),
    "invented": (False, 0.04),
    "deadlines and frequencies F1": (True, 0.90),
    "definitions F1": (True, 0.95),
}
"""What is asked of text that nobody tuned to: whether more is better, and the line."""

Figures = Mapping[str, Mapping[str, Any]]


def beside_as_text(first: Figures, second: Figures, *, families: bool = False) -> str:
    """One row a genre, each cell "first → second", shares in per cent with Wilson intervals of 95 %.

    Args:
        first: as :func:`coditect_benchmarks.gold.scoring.score` gives them.
        second: of the same units.
        families: a row for each family, too.
    """
    lines = ["| | " + " | ".join(COLUMNS) + " |", "|---" * (len(COLUMNS) + 1) + "|"]
    for key in sorted({*first, *second}, key=lambda key: (key != "all", key)):
        if ": " in key and not families:
            continue
        cells = (f"{_cell(first.get(key, {}), name)} → {_cell(second.get(key, {}), name)}" for name in COLUMNS)
        lines.append(f"| {key} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def targets_as_text(figures: Mapping[str, Any]) -> str:
    """Which lines are met by a row of figures, and by how much the others are short."""
    told = []
    for name, (more, line) in TARGETS.items():
        share = _definitions(figures) if name == "definitions F1" else figures[name]["share"]
        if share is None:
            told.append(f"{name}: nothing to count")
            continue
        met = share >= line if more else share <= line
        sign = ">=" if more else "<="
        short = "" if met else f", short by {100 * abs(share - line):.1f}"
        told.append(f"{name}: {100 * share:.1f} (asked {sign} {100 * line:.0f}): {'met' if met else 'not met' + short}")
    return "\n".join(told)


def _definitions(figures: Mapping[str, Any]) -> float | None:
    """F1 of definitions: 2 of those in both by those of the gold and those that were read."""
    missed, invented = figures["definitions missed"], figures["definitions invented"]
    total = missed["n"] + invented["n"]
    if not total:
        return None
    both = missed["n"] - (missed["share"] or 0.0) * missed["n"]
    return float(2 * both / total)


def _cell(row: Mapping[str, Any], name: str) -> str:
    value = row.get(name)
    if value is None or value["share"] is None:
        return "-"
    interval = value.get("interval")
    around = f" [{100 * max(0.0, interval[0]):.0f}-{100 * interval[1]:.0f}]" if interval else ""
    return f"{100 * value['share']:.1f}{around} of {value['n']}"
