"""The figures of the checks, for people and as data."""

from __future__ import annotations

from typing import Any

from coditect_benchmarks.edits.check import CHECKS, Report, Row

__all__ = ["TARGETS", "as_json", "as_text"]

TARGETS = {"contradicted": 0.95, "faithful": 0.05}
"""At least this share of the contradicting held-out edits is to be held back, at most this of the faithful ones."""
_HEADS = {"rules_sentence": "rules, alone", "rules": "rules", "support": "statistics", "both": "both"}
_FAMILIES = {"dev": "developed on", "heldout": "held out: other templates, other documents"}


def as_text(report: Report, *, statistics: bool = True) -> str:
    """The tables for people."""
    names = [name for name in CHECKS if statistics or name.startswith("rules")]
    lines: list[str] = []
    for family, title in _FAMILIES.items():
        lines += [title, f"  {'label':13}{'kind':20}{'pairs':>6}" + "".join(f"{_HEADS[name]:>14}" for name in names)]
        for row in report.rows:
            if row.family == family:
                lines.append(_line(row, names))
        lines.append("")
    lines += [
        "shares held back: of contradicting edits most should be, of faithful restatements few; evidence is the source"
        " sentence alone (first column) or with up to 9 neighbours",
        f"rules: {report.rules_per_s:.0f} claims/s on one core with neighbours",
    ]
    if statistics:
        lines.append(
            f"statistics: {report.support_per_s:.0f} claims/s; held back below {report.threshold:.3f},"
            " fixed so that 97 % of the faithful pairs developed on are spared"
        )
    return "\n".join(lines)


def _line(row: Row, names: list[str]) -> str:
    shares = "".join(f"{row.held[name] / row.pairs:>14.1%}" for name in names)
    return f"  {row.label:13}{row.kind:20}{row.pairs:>6}{shares}"


def as_json(report: Report) -> dict[str, Any]:
    """The same as data; speeds are left out, so that the same input gives the same bytes."""
    return {
        "threshold": round(report.threshold, 6),
        "targets": TARGETS,
        "rows": [
            {
                "family": row.family,
                "label": row.label,
                "kind": row.kind,
                "pairs": row.pairs,
                "held": row.held,
            }
            for row in report.rows
        ],
    }
