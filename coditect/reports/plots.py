"""What the audit report shows as a picture: findings that ask something of somebody, by severity and kind, as bars."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from coditect.reports.model import ReportClaim
from coditect.reports.wording import counted
from coditect.schemas import ClaimKind, Severity

__all__ = ["SeverityBar", "severity_bars"]

_KINDS: tuple[tuple[ClaimKind, str], ...] = (
    ("conflict", "conflict"),
    ("gap", "gap"),
    ("standing", "document to look at"),
)
"""Kinds of claims that ask something of somebody, and a word for one of each."""

_SEVERITIES: tuple[Severity, ...] = ("high", "medium", "low", "information")

_WIDTH = 100.0


@dataclass(frozen=True, slots=True)
class SeverityBar:
    """The findings of one severity.

    Attributes:
        severity: of all of them.
        total: how many there are.
        parts: (kind, what it is in words with its number, where its part begins, how wide it is), of 100 for the longest bar.
    """

    severity: Severity
    total: int
    parts: tuple[tuple[str, str, float, float], ...]


def severity_bars(claims: Sequence[ReportClaim]) -> list[SeverityBar]:
    """The bars, the most severe first; none where nothing asks anything.

    Args:
        claims: the published ones.
    """
    kinds = {kind for kind, _ in _KINDS}
    counts = Counter((each.severity or "information", each.kind) for each in claims if each.kind in kinds)
    totals = {name: sum(counts[name, kind] for kind, _ in _KINDS) for name in _SEVERITIES}
    longest = max(totals.values(), default=0)
    bars = []
    for name in _SEVERITIES:
        at, parts = 0.0, []
        for kind, word in _KINDS:
            width = round(_WIDTH * counts[name, kind] / max(longest, 1), 2)
            if counts[name, kind]:  # one of very many is too narrow to be seen, and is told beside the bar
                parts.append((kind, counted(counts[name, kind], word, _many(word)), round(at, 2), width))
            at += width
        if parts:
            bars.append(SeverityBar(name, totals[name], tuple(parts)))
    return bars


def _many(word: str) -> str:
    return "documents to look at" if word.startswith("document") else f"{word}s"
