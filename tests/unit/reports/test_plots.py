"""Findings by severity as bars: the most severe first, the longest as wide as the picture."""

from __future__ import annotations

from coditect.reports.html import render_html
from coditect.reports.plots import severity_bars
from tests.unit.reports.reports import claim, report

CLAIMS = (
    claim(1, "conflict", "Times differ.", (1,), severity="high"),
    claim(2, "gap", "Nobody reviews.", (1,), severity="high"),
    claim(3, "gap", "Nobody signs.", (1,), severity="low"),
    claim(4, "theme", "Access is reviewed.", (1,), severity="high"),
)


def test_bars_are_as_long_as_there_are_findings() -> None:
    """Only of what asks something of somebody; parts stand side by side, and the longest bar fills the width."""
    assert [(bar.severity, bar.total, bar.parts) for bar in severity_bars(CLAIMS)] == [
        ("high", 2, (("conflict", "1 conflict", 0.0, 50.0), ("gap", "1 gap", 50.0, 50.0))),
        ("low", 1, (("gap", "1 gap", 0.0, 50.0),)),
    ]


def test_no_findings_are_no_picture() -> None:
    """A report without any has no empty axes."""
    assert severity_bars(CLAIMS[3:]) == []
    assert '<figure class="severities">' in render_html(report(claims=CLAIMS))
    assert '<figure class="severities">' not in render_html(report(claims=CLAIMS[3:]))


def test_one_finding_among_very_many_is_told() -> None:
    """Its part is too narrow for two digits, and stands in words all the same."""
    many = [claim(1, "gap", "Nobody reviews.", (1,), severity="high")] * 30_000
    bars = severity_bars([*many, claim(2, "conflict", "Times differ.", (1,), severity="low")])
    assert [(bar.severity, bar.total, [told for _, told, _, _ in bar.parts]) for bar in bars] == [
        ("high", 30_000, ["30,000 gaps"]),
        ("low", 1, ["1 conflict"]),
    ]
