"""The figures of a statement as a claim tells them, and what they are to each other: two or one, and which is the stricter.

That a figure is the least or the most that its statement allows is taken from plain words of a duty alone ("shall … within four
hours"). Of what is permitted, conditional or denied, nobody is told a direction.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from coditect.language.marks import Mark
from coditect.language.matched import as_matched, as_seen
from coditect.language.quantities.comparators import comparator_before, or_more
from coditect.language.quantities.meaning import find_quantities
from coditect.language.tables import read_table
from coditect.language.terms import terms
from coditect.tiers.findings.conflicts.strictness import SAME

__all__ = ["CONDITION", "StatedFigure", "are_two", "figures_in", "is_within", "stricter_of", "words_of_act"]

Bound = Literal["least", "most", ""]

_NOUNS = {
    "amount": "amount",
    "count": "number",
    "date": "date",
    "deadline": "deadline",
    "duration": "period",
    "frequency": "interval",
    "percentage": "percentage",
}
_MEASURED = {"frequency": "per_year", "date": "iso", "deadline": "hours", "duration": "hours"}
"""Where the value of a quantity is, in one unit for all of its kind."""

_TIMES = frozenset(("deadline", "duration"))
_WHOLE_DAY = len("2026-06-30")
_FLOORS = frozenset(("at_least",))
_CEILINGS = frozenset(("at_most", "within"))
_DUTY = re.compile(r"\b(?:must|shall|(?:has|have)\s+to|(?:is|are)\s+required\s+to)\b", re.IGNORECASE)
_CONDITIONS = read_table("conditions")
CONDITION = re.compile(
    rf"\b(?:{_CONDITIONS.pattern('if')}|{_CONDITIONS.pattern('when')}|{_CONDITIONS.pattern('unless')}|whose|whom?|which|that|"
    r"before|after|only|solely|(?:more|less|further|longer|later)\s+than|otherwise|provided)\b",
    re.IGNORECASE,
)
"""What a duty or a prohibition may hang on: beside it nobody can tell that it and another cover the same case."""
_EARLIEST = re.compile(r"\b(?:(?:no|not)\s+(?:earlier|sooner)\s+than|not\s+before)\s+$", re.IGNORECASE)
_TURNED = re.compile(
    r"\b(?:not|no|never|none|neither|nor|may|can|could|should|might|entitled)\b|n[’']t\b", re.IGNORECASE
)
"""What turns a bound around, or makes it none of a duty."""


@dataclass(frozen=True)
class StatedFigure:
    """A figure of a statement.

    Attributes:
        mark: as the quantity was read.
        line: the statement.
        start: first code point in it of the figure, with the words before it that make it the least or the most.
        end: one past the last, with "or more" behind it.
        comparator: by which it is the least or the most, as :mod:`coditect.language.quantities.comparators` names it; "" for none.
    """

    mark: Mark
    line: str
    start: int
    end: int
    comparator: str

    @property
    def kind(self) -> str:
        """Of the quantity."""
        return str(self.mark.data["quantity_kind"])

    @property
    def noun(self) -> str:
        """What it is called: "period"; a time before which nothing is to be done is no deadline."""
        return "time" if _EARLIEST.search(self.line, 0, self.mark.start) else _NOUNS[self.kind]

    @property
    def printed(self) -> str:
        """As it stands in the statement, on one line; that it is no more than so much only where it says so."""
        bounds = self.comparator in _FLOORS | _CEILINGS  # "shall not be more than 700" fixes 700
        return " ".join(as_seen(self.line[self.start if bounds else self.mark.start : self.end]).split())

    @property
    def value(self) -> tuple[float, str]:
        """By which two of a kind are ordered: a number, or a day."""
        found = self.mark.data[_MEASURED.get(self.kind, "value")]
        return (0.0, found) if isinstance(found, str) else (float(str(found)), "")

    @property
    def act(self) -> frozenset[str]:
        """The words of its statement beside the figure: what is done, to what, by whom, from which event."""
        return words_of_act(f"{self.line[: self.start]} {self.line[self.end :]}")

    @property
    def of(self) -> str:
        """What is counted, or the currency; "" for other kinds."""
        if self.kind not in ("amount", "count"):
            return ""
        return str(self.mark.data.get("currency") or self.mark.data.get("unit"))

    @property
    def is_working(self) -> bool:
        """Whether it is told in working days, whose length in others nobody knows."""
        return bool(self.mark.data.get("business_days"))

    @cached_property
    def bound(self) -> Bound:
        """Whether it is the least or the most that a duty allows; "" where its sentence does not plainly say so."""
        ahead, behind = self.line[: self.start], self.line[self.end :]
        if not _DUTY.search(ahead) or self.mark.data.get("relation") or CONDITION.search(ahead):
            return ""
        if _TURNED.search(ahead) or _TURNED.search(behind):
            return ""
        if self.comparator in _FLOORS and self.kind != "date":
            return "least"
        is_day = (
            self.kind == "date" and self.mark.data.get("comparator") == "before" and len(self.value[1]) == _WHOLE_DAY
        )
        return "most" if is_day or (self.comparator in _CEILINGS and self.kind not in ("date", "frequency")) else ""


_STANCE = frozenset(
    terms("must shall should may can could will would have has is are be not never no allowed permitted")
)
"""Words that say whether something is to be done, and not what."""


def words_of_act(text: str) -> frozenset[str]:
    """The stems of what a statement says is done, to what, by whom and how, whether it is required or ruled out.

    Args:
        text: of the statement, or of what stands around a figure in it.
    """
    return frozenset(terms(as_matched(text))) - _STANCE


def figures_in(text: str, words: str) -> list[StatedFigure]:
    """The figures of a statement that some of its words hold, wholly or in part.

    Args:
        text: of the statement.
        words: of it; where it does not have them, it is read from its beginning on.
    """
    line, words = as_matched(text), as_matched(words)
    at = max(line.find(words), 0)
    found = []
    for mark in find_quantities(line, 0, len(line)):
        before, start, _ = comparator_before(line, 0, mark.start)
        behind, end = or_more(line, mark.end, len(line))
        if start < at + len(words) and at < end and mark.data.get("quantity_kind") in _NOUNS:
            found.append(StatedFigure(mark, line, start, end, behind or before))
    return found


def are_two(first: StatedFigure, second: StatedFigure) -> bool:
    """Whether two figures are of one kind, and not the same one in other words: 30 days and a month."""
    if first.kind != second.kind and not {first.kind, second.kind} <= _TIMES:
        return False
    if first.of != second.of:
        return False
    (ours, _), (theirs, _) = first.value, second.value
    if first.kind in _TIMES or first.kind == "frequency":
        return abs(ours - theirs) > SAME * max(ours, theirs)
    return first.value != second.value


def is_within(exact: StatedFigure, limit: StatedFigure) -> bool:
    """Whether a figure that bounds nothing is one that a bound allows: seven years are at least five."""
    if exact.kind != limit.kind or exact.is_working != limit.is_working or exact.comparator:
        return False
    if limit.bound == "least":
        return exact.value >= limit.value
    return limit.bound == "most" and exact.value <= limit.value


def stricter_of(first: StatedFigure, second: StatedFigure) -> StatedFigure | None:
    """Which of two figures keeps the other, too; None where they are no bounds of one direction, or of two acts or events."""
    if (
        not first.bound
        or first.bound != second.bound
        or first.kind != second.kind
        or first.is_working != second.is_working
    ):
        return None
    low, high = sorted((first, second), key=lambda each: each.value)
    return (high if first.bound == "least" else low) if first.act == second.act else None
