"""Tables for people, and the same figures as JSON."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any

from coditect_benchmarks.retrieval.bootstrap import Interval, difference
from coditect_benchmarks.retrieval.runner import Measured, Table

__all__ = ["BASELINE", "DEFAULT", "PARTS", "as_json", "as_text", "comparisons"]

DEFAULT = "coditect hybrid (default)"
PARTS = ("coditect lexical", "coditect dense")
BASELINE = "tantivy BM25"
"""How the names of the plain BM25 rows begin."""

_HEADLINES = ("nDCG@10", "MAP@10", "recall@10", "char R@8", "char R@64", "char P@1", "token R@5", "token IoU@5")
_COLUMNS = (
    *(f"recall@{k}" for k in (1, 5, 8, 10, 64)),
    "MAP@10",
    "nDCG@10",
    "document first",
    *(f"char P@{k}" for k in (1, 5, 8, 10, 64)),
    *(f"char R@{k}" for k in (1, 5, 8, 10, 64)),
    "chars@8",
    "token R@5",
    "token P@5",
    "token IoU@5",
)


def comparisons(table: Table) -> Iterator[tuple[str, str, Interval]]:
    """The default against its best single part (by that measure's mean) and against plain BM25: measure, rival, interval."""
    default = table.row(DEFAULT)
    if default is None:
        return
    parts = [row for row in map(table.row, PARTS) if row]
    baselines = [row for row in table.rows if row.system.startswith(BASELINE)]
    for measure in _HEADLINES:
        if math.isnan(default.mean(measure)):
            continue
        rivals = [max(parts, key=lambda row: row.mean(measure))] if parts else []
        for rival in [*rivals, *baselines]:
            if not math.isnan(rival.mean(measure)):
                yield measure, rival.system, difference(default.values[measure], rival.values[measure])


def ratios(table: Table) -> Iterator[tuple[str, dict[str, float]]]:
    """The default divided by each peer on the questions that both were asked: peer, ratio by measure ("p50", "p99" of the time)."""
    default = table.row(DEFAULT)
    if default is None:
        return
    for row in table.rows:
        if row.system.startswith("coditect"):
            continue
        found = {}
        for measure in _HEADLINES:
            ours, theirs = default.values.get(measure), row.values.get(measure)
            if ours is None or theirs is None:
                continue
            both = ~(_nan(ours) | _nan(theirs))
            if both.any() and theirs[both].mean() > 0:
                found[measure] = float(ours[both].mean() / theirs[both].mean())
        for percent in (50, 99):
            found[f"p{percent}"] = default.percentile_ms(percent) / row.percentile_ms(percent)
        yield row.system, found


def as_text(table: Table) -> str:
    """A set's tables."""
    lines = [
        f"## {table.name}: {table.documents:,} documents, {table.characters:,} characters, {table.queries:,} questions"
    ]
    if table.note:
        lines.append(table.note)
    shown = [name for name in _COLUMNS if any(not math.isnan(row.mean(name)) for row in table.rows)]
    for part in (shown[:8], shown[8:]):
        if part:
            lines += ["", *_grid(["system", *part], [[row.system, *_cells(row, part)] for row in table.rows])]
    timed = [
        [row.system, f"{row.asked:,}", f"{row.index_s:.1f}", *(f"{row.percentile_ms(p):.2f}" for p in (50, 99))]
        for row in table.rows
    ]
    lines += ["", *_grid(["system", "asked", "index s", "p50 ms", "p99 ms"], timed)]
    compared = [
        [measure, rival, f"{gap.mean:+.4f}", f"[{gap.low:+.4f}, {gap.high:+.4f}]", gap.verdict]
        for measure, rival, gap in comparisons(table)
    ]
    if compared:
        lines += ["", *_grid(["default against", "system", "difference", "95 % interval", ""], compared)]
    divided = list(ratios(table))
    if divided:
        names = [name for name in (*_HEADLINES, "p50", "p99") if any(name in found for _, found in divided)]
        cells = [[peer, *(f"{found[name]:.2f}" if name in found else "-" for name in names)] for peer, found in divided]
        lines += ["", *_grid(["default divided by", *names], cells)]
    return "\n".join(lines)


def as_json(table: Table) -> dict[str, Any]:
    """The same, for programs."""
    return {
        "set": table.name,
        "documents": table.documents,
        "characters": table.characters,
        "queries": table.queries,
        "note": table.note,
        "systems": [
            {
                "name": row.system,
                "asked": row.asked,
                "index_s": row.index_s,
                "p50_ms": row.percentile_ms(50),
                "p99_ms": row.percentile_ms(99),
                "measures": {name: row.mean(name) for name in row.values},
            }
            for row in table.rows
        ],
        "differences": [
            {
                "measure": measure,
                "default": DEFAULT,
                "rival": rival,
                "mean": gap.mean,
                "low": gap.low,
                "high": gap.high,
                "n": gap.n,
                "verdict": gap.verdict,
            }
            for measure, rival, gap in comparisons(table)
        ],
        "ratios": dict(ratios(table)),
    }


def _nan(values: Any) -> Any:  # noqa: ANN401 - an array of either shape
    return values != values


def _cells(row: Measured, names: Sequence[str]) -> list[str]:
    means = ((name, row.mean(name)) for name in names)
    return ["-" if math.isnan(mean) else f"{mean:.0f}" if name == "chars@8" else f"{mean:.3f}" for name, mean in means]


def _grid(head: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    """A table with aligned columns, the first to the left."""
    widths = [max(len(row[at]) for row in [head, *rows]) for at in range(len(head))]
    return [
        " | ".join(
            cell.ljust(width) if at == 0 else cell.rjust(width)
            for at, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        for row in [head, *rows]
    ]
