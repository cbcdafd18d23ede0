"""What reports show as pictures: findings by severity and kind, and what became of duties from state to state, as bars."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from coditect.reports.model import ReportClaim
from coditect.reports.wording import counted
from coditect.schemas import ClaimKind, DutyClass, DutyPoint, Severity

__all__ = ["DUTY_NAMES", "DutyBar", "SeverityBar", "duties_told", "duty_bars", "severity_bars", "state_named"]

DUTY_NAMES: Mapping[DutyClass, str] = {
    "added": "added",
    "stricter": "stricter",
    "changed": "changed otherwise",
    "looser": "looser",
    "removed": "removed",
    "moved": "moved",
}
"""What became of duties, in words, in the order in which a bar tells it."""

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


@dataclass(frozen=True, slots=True)
class DutyBar:
    """What became of duties up to one state.

    Attributes:
        day: when, as a date; "" where nobody knows.
        name: of the state, in words.
        told: all of it in words.
        total: how many duties.
        counts: how many, in the order of :data:`DUTY_NAMES`.
        parts: (class, what it is in words with its number, where its part begins, how wide it is), of 100 for the longest bar.
        documents: how many documents differ.
    """

    day: str
    name: str
    told: str
    total: int
    counts: tuple[int, ...]
    parts: tuple[tuple[DutyClass, str, float, float], ...]
    documents: int


def duty_bars(points: Sequence[DutyPoint]) -> list[DutyBar]:
    """A bar for each state, in their order; none where no duty changed at all.

    Args:
        points: of a history.
    """
    longest = max((sum(each.duties.values()) for each in points), default=0)
    return [_duty_bar(each, longest) for each in points] if longest else []


def duties_told(duties: Mapping[DutyClass, int]) -> str:
    """What became of duties in words: "2 added, 1 stricter"."""
    told = [f"{duties[name]:,} {word}" for name, word in DUTY_NAMES.items() if duties.get(name)]
    return ", ".join(told) or "no duty changed"


def state_named(state: str) -> str:
    """A state of a history in words: a generation by its number, an edition by its name."""
    return f"generation {state}" if state.isdecimal() else state


def _duty_bar(point: DutyPoint, longest: int) -> DutyBar:
    at, parts = 0.0, []
    for name, word in DUTY_NAMES.items():
        width = _WIDTH * point.duties.get(name, 0) / longest
        if width:
            parts.append((name, f"{point.duties[name]:,} {word}", round(at, 2), round(width, 2)))
        at += width
    return DutyBar(
        day=point.at[:10],
        name=state_named(point.state),
        told=duties_told(point.duties),
        total=sum(point.duties.values()),
        counts=tuple(point.duties.get(name, 0) for name in DUTY_NAMES),
        parts=tuple(parts),
        documents=len(point.documents),
    )


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
