"""The figures as text, JSON and one HTML page with reliability plots."""

from __future__ import annotations

import html
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from coditect_benchmarks.verification.figures import Bin, Estimate
from coditect_benchmarks.verification.run import Calibration, Result
from coditect_benchmarks.verification.speed import Speed

__all__ = ["PRODUCTS", "Report", "as_html", "as_json", "as_text"]

PRODUCTS = ("coditect, words", "coditect, vectors")
"""Names of the product's rows."""

_ACCURACIES = ("balanced accuracy", "by share accepted", "from the set's middle")
_MEASURED = ("balanced_accuracy", "balanced_accuracy_by_share", "balanced_accuracy_from_middle")
_AVERAGED = ("auroc", *_MEASURED)
_SIDE = 220
_STYLE = (
    "body{font:15px/1.5 system-ui,sans-serif;max-width:72rem;margin:2rem auto;padding:0 1rem;color:#1b1f24}"
    "table{border-collapse:collapse;margin:1rem 0}td,th{padding:.25rem .7rem;border-bottom:1px solid #d5d9de;text-align:right}"
    "td:first-child,th:first-child{text-align:left}figure{display:inline-block;margin:0 1rem 1rem 0}"
    "figcaption{font-size:13px;max-width:16rem}svg{background:#f7f8fa}"
)


@dataclass(frozen=True, slots=True)
class Report:
    """Everything that one run found."""

    results: tuple[Result, ...]
    calibrations: tuple[Calibration, ...]
    speed: Speed | None


def as_text(report: Report) -> str:
    """Tables for people."""
    lines = []
    for split in dict.fromkeys(each.split for each in report.results):
        rows = [each for each in report.results if each.split == split]
        lines += [f"## {split}: {rows[0].cases:,} claims, {rows[0].supported:.0%} supported"]
        head = "".join(f"{each:>24}" for each in _ACCURACIES)
        lines += [f"{'':24}{'AUROC':>22}{head}{'ECE':>8}"]
        for row in rows:
            told = "".join(f"{_interval(getattr(row, each)):>24}" for each in _MEASURED)
            lines.append(f"{row.system:24}{_interval(row.auroc):>22}{told}{row.calibration_error:8.3f}")
        lines += [f"  {text}" for text in _kinds(rows[0])] + [""]
    for name, auroc, accuracy, share, middle in _means(report.results):
        told = f"AUROC {auroc:.3f}, balanced {accuracy:.3f}, by share {share:.3f}, from the middle {middle:.3f}"
        lines.append(f"mean over the domains of edited summaries: {name:24} {told}")
    for each in report.calibrations:
        lines.append(f"held-out documents, all sets: {each.system}: ECE {each.calibration_error:.3f}")
    if report.speed:
        lines.append(_speed(report.speed))
    return "\n".join(lines) + "\n"


def as_json(report: Report) -> dict[str, Any]:
    """The same for programs."""
    return {
        "results": [
            {
                "held_out": each.split,
                "system": each.system,
                "claims": each.cases,
                "supported": each.supported,
                "auroc": _estimate(each.auroc),
                "balanced_accuracy": _estimate(each.balanced_accuracy),
                "threshold": each.threshold,
                "balanced_accuracy_by_share": _estimate(each.balanced_accuracy_by_share),
                "share": each.share,
                "balanced_accuracy_from_middle": _estimate(each.balanced_accuracy_from_middle),
                "calibration_error": each.calibration_error,
                "reliability": [_bin(one) for one in each.bins],
                "kinds": [
                    {
                        "kind": kind.name,
                        "claims": kind.count,
                        "supported": kind.supported,
                        "accepted": kind.accepted,
                        "auroc": kind.auroc,
                    }
                    for kind in each.kinds
                ],
            }
            for each in report.results
        ],
        "edited_means": [
            {"system": name, **dict(zip(_AVERAGED, means, strict=True))} for name, *means in _means(report.results)
        ],
        "held_out_documents": [
            {
                "system": each.system,
                "calibration_error": each.calibration_error,
                "reliability": [_bin(b) for b in each.bins],
            }
            for each in report.calibrations
        ],
        "speed": None
        if report.speed is None
        else {
            "claims_per_s": report.speed.claims_per_s,
            "support_per_s": report.speed.support_per_s,
            "cpu_claims_per_s": report.speed.cpu_claims_per_s,
            "memory_mb": report.speed.memory_mb,
        },
    }


def as_html(report: Report) -> str:
    """One page that needs nothing else."""
    body = [
        "<h1>Claim verification</h1><p>Every set is judged by systems that saw only the others; 95 % intervals.</p>"
    ]
    for split in dict.fromkeys(each.split for each in report.results):
        rows = [each for each in report.results if each.split == split]
        head = f"<h2>{html.escape(split)}</h2><p>{rows[0].cases:,} claims, {rows[0].supported:.0%} supported</p>"
        cells = [
            (
                r.system,
                *(_interval(getattr(r, each)) for each in _AVERAGED),
                f"{r.calibration_error:.3f}",
            )
            for r in rows
        ]
        body += [head, _table(("", "AUROC", *_ACCURACIES, "ECE"), cells)]
        kinds = [(k.name, str(k.count), f"{k.accepted:.0%}", f"{k.auroc:.3f}") for k in rows[0].kinds]
        body.append(_table((f"{rows[0].system}, by kind", "claims", "accepted", "AUROC"), kinds))
        body += [_plot(f"{row.system} on {split}", row.bins) for row in rows if row.system in PRODUCTS]
    means = [(name, *(f"{each:.3f}" for each in figures)) for name, *figures in _means(report.results)]
    if means:
        body.append("<h2>Edited summaries, mean over domains</h2>" + _table(("", "AUROC", *_ACCURACIES), means))
    if report.calibrations:
        body.append("<h2>Calibration on held-out documents of all sets</h2>")
    for each in report.calibrations:
        body.append(_plot(f"{each.system}, ECE {each.calibration_error:.3f}", each.bins))
    if report.speed:
        body.append(f"<p>{html.escape(_speed(report.speed))}</p>")
    return (
        '<!doctype html><html lang="en"><meta charset="utf-8"><title>Claim verification</title>'
        f"<style>{_STYLE}</style><body>{''.join(body)}</body></html>\n"
    )


def _plot(title: str, found: Sequence[Bin]) -> str:
    """A reliability plot: probability said against share found; the area of a point is its number of claims."""
    most = max((each.count for each in found), default=1)
    points = "".join(
        f'<circle cx="{each.said * _SIDE:.1f}" cy="{(1 - each.found) * _SIDE:.1f}" r="{2 + 8 * (each.count / most) ** 0.5:.1f}"'
        f' fill="#2457a6" fill-opacity=".6">'
        f"<title>said {each.said:.2f}, found {each.found:.2f}, {each.count} claims</title></circle>"
        for each in found
    )
    return (
        f'<figure><svg width="{_SIDE}" height="{_SIDE}" viewBox="0 0 {_SIDE} {_SIDE}" role="img">'
        f'<title>{html.escape(title)}</title><line x1="0" y1="{_SIDE}" x2="{_SIDE}" y2="0" stroke="#9aa4b0"/>{points}</svg>'
        f"<figcaption>{html.escape(title)}: probability said (across), share supported (up)</figcaption></figure>"
    )


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    cells = "".join(f"<th>{html.escape(each)}</th>" for each in head)
    lines = "".join("<tr>" + "".join(f"<td>{html.escape(each)}</td>" for each in row) + "</tr>" for row in rows)
    return f"<table><tr>{cells}</tr>{lines}</table>"


def _kinds(row: Result) -> list[str]:
    return [
        f"{each.name}: {each.count} claims, {each.accepted:.0%} accepted, AUROC {each.auroc:.3f}" for each in row.kinds
    ]


def _means(results: Sequence[Result]) -> list[tuple[str, float, float, float, float]]:
    """System, mean AUROC and the mean balanced accuracies over domains."""
    inside = [each for each in results if "/" in each.split]
    found = []
    for name in dict.fromkeys(each.system for each in inside):
        rows = [each for each in inside if each.system == name]
        columns = ([getattr(each, of).value for each in rows] for of in _AVERAGED)
        auroc, accuracy, share, middle = (float(np.mean(column)) for column in columns)
        found.append((name, auroc, accuracy, share, middle))
    return found


def _interval(estimate: Estimate) -> str:
    return f"{estimate.value:.3f} ({estimate.low:.3f}-{estimate.high:.3f})"


def _estimate(estimate: Estimate) -> dict[str, float]:
    return {"value": estimate.value, "low": estimate.low, "high": estimate.high}


def _bin(found: Bin) -> dict[str, float]:
    return {"claims": found.count, "said": found.said, "found": found.found}


def _speed(speed: Speed) -> str:
    return (
        f"two processes, ten sentences a claim, no embedder: {speed.claims_per_s:.0f} claims/s"
        f" ({speed.support_per_s:.0f} without the rules for contradictions; {speed.cpu_claims_per_s:.0f} by processor time),"
        f" {speed.memory_mb:.0f} MB each at most"
    )
