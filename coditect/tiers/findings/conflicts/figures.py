"""Figures beside those that Tier 1 measures: amounts of money, sizes with a unit, days of the calendar, and times of notice."""

from __future__ import annotations

import re
from functools import lru_cache

from coditect.language.patterns.beginnings import quick
from coditect.language.quantities.comparators import comparator_before, or_more
from coditect.language.quantities.dates import find_dates
from coditect.language.quantities.durations import duration_hours
from coditect.language.quantities.money import find_money
from coditect.language.quantities.numbers import WORDS, parse_number
from coditect.language.tables import read_table
from coditect.tiers.findings.conflicts.lines import LONGEST, Assertion, line_of

__all__ = [
    "AMOUNT",
    "DAY",
    "NOTICE",
    "SIZE",
    "figures_of",
    "is_reviewed",
]

AMOUNT, SIZE, DAY, NOTICE = "amount", "size", "day", "notice"
"""Kinds of figures."""

_BOUNDS, _MATTERS = read_table("bounds"), read_table("matters")
_UNITS = {unit: meaning.split() for unit, meaning in _MATTERS.mapping("units").items()}
_UNIT = "|".join(re.escape(each).replace(r"\ ", r"\s+") for each in sorted(_UNITS, key=len, reverse=True))
_NUMBER = rf"(?P<n>\d+(?:[.,]\d+)*|{WORDS})"
_SIZED = quick(rf"(?<![\w.,/-]){_NUMBER}[\s-]?(?P<unit>{_UNIT})(?![\w/])", re.IGNORECASE)
_NUMBERED = re.compile(r"\W*\d+(?:\.\d+)*\s+[A-Z][a-z]+$")
"""The number of a section and the first word behind it: "1.1 Meter", whose unit is no unit. A size has its unit in lower case or in
capitals: "10 metres", "5 GB"."""
_NOTICE = quick(
    rf"(?P<says>{_NUMBER}(?:\s*\([^)]{{1,12}}\))?\s+(?P<kind>(?:working|business|calendar)\s+)?(?P<unit>days?|weeks?|months?|years?)[’']?\s+(?:(?:prior|written|advance|formal)\s+){{0,3}}notice)\b"
    rf"|\bnotice(?:\s+period)?\s+of\s+(?:at\s+least\s+|not\s+less\s+than\s+|no\s+less\s+than\s+|a\s+minimum\s+of\s+)?(?P<says2>(?P<n2>\d+|{WORDS})(?:\s*\([^)]{{1,12}}\))?\s+(?P<unit2>days?|weeks?|months?|years?))\b",
    re.IGNORECASE,
)
_ENDING = quick(r"\bterminat|\bnotice\s+(?:of\s+termination|period)|\bcancel|\bend(?:s|ed)?\s+th", re.IGNORECASE)
_ONLY = re.compile(r"\bnot\s+be\s+\w+\s+|\b(?:must|may|shall)\s+not\b|\bnever\b", re.IGNORECASE)
_HINT = re.compile(
    r"[$€£¥₹%°]|\d|\bnotice\b|\b[A-Z]{3}\b|euros?|pounds|dollars|degrees|metres|litres|percent|per cent", re.IGNORECASE
)
_MONEY_ABOVE = (*_BOUNDS.phrases("more"),)
_MONEY_BELOW = (*_BOUNDS.phrases("less"),)
_REQUIRES = re.compile(
    r"\b(?:must|shall|should|may|can|will|is|are|has|have|applies|apply|changes?|begins?|starts?|takes?|ends?|comes?|receives?|gets?|asks?|obtains?|needs?|pays?|holds?)\b"
)
_PAST = quick(r"\b(?:was|were|had|has been|have been)\b")
_OWN = re.compile(
    r"\bthis\s+(?:[\w-]+\s+){0,3}(?:policy|standard|procedure|plan|agreement|document|version|handbook|guideline|charter|licen[cs]e|edition|notice|letter)\b",
    re.IGNORECASE,
)
_REVIEWED = re.compile(
    r"\b(?:next|last)\s+(?:scheduled\s+|planned\s+)?(?:review(?:ed)?|revised|updated?)\b", re.IGNORECASE
)
"""A day on which a document itself is looked at again; others have their own."""

_WINDOW = 24


def is_reviewed(line: str) -> bool:
    """Whether a sentence tells when its own document is, or was, looked at.

    Args:
        line: a sentence on one line.
    """
    return _REVIEWED.search(line) is not None


@lru_cache(maxsize=1 << 14)
def figures_of(text: str) -> tuple[Assertion, ...]:
    """The amounts, sizes, days and times of notice that a sentence fixes, of each kind where it names one alone.

    Args:
        text: a sentence.
    """
    if len(text) > LONGEST or _HINT.search(text) is None:
        return ()
    line = line_of(text)
    if _PAST.search(line):
        return ()
    binding = (_amount(line), _day(line), _notice(line)) if _REQUIRES.search(line) else ()
    return tuple(each for each in (*binding, _size(line)) if each is not None)


def _amount(line: str) -> Assertion | None:
    marks = list(find_money(line, 0, len(line)))
    values = {mark.data.get("value") for mark in marks}
    if not marks or len(values) > 1 or not isinstance(marks[0].data.get("value"), int | float):
        return None
    mark = marks[0]
    says = line[mark.start : mark.end]
    head = str(mark.data.get("currency") or "")
    return Assertion(
        AMOUNT,
        f"{head} {_direction(line, mark.start, mark.end)}".strip(),
        says,
        float(str(mark.data["value"])),
        "",
        _without(line, mark.start, mark.end),
    )


def _size(line: str) -> Assertion | None:
    matches = list(_SIZED.finditer(line))
    if len(matches) != 1:
        return None
    match = matches[0]
    number = parse_number(match["n"])
    if number is None or _NUMBERED.match(line, 0, match.end()):
        return None
    dimension, scale, factor = _UNITS[" ".join(match["unit"].casefold().split())]
    value = float(number) * float(factor)
    if scale == "f":
        value = (value - 32.0) / 1.8
    elif scale == "k":
        value -= 273.15
    return Assertion(
        SIZE,
        dimension,
        match[0],
        round(value, 6),
        "",
        _without(line, *match.span()),
    )


def _day(line: str) -> Assertion | None:
    marks = [mark for mark in find_dates(line, 0, len(line)) if mark.data.get("iso")]
    if (
        len(marks) != 1
        or _OWN.search(line)
        or _REVIEWED.search(line)
        or " | " in line
        or len(str(marks[0].data["iso"])) != len("2026-01-01")
    ):
        return None
    mark = marks[0]
    return Assertion(
        DAY, "day", line[mark.start : mark.end], str(mark.data["iso"]), "", _without(line, mark.start, mark.end)
    )


def _notice(line: str) -> Assertion | None:
    if not _ENDING.search(line):
        return None
    matches = list(_NOTICE.finditer(line))
    if len(matches) != 1:
        return None
    match = matches[0]
    number = parse_number(match["n"] or match["n2"])
    if number is None or number <= 0:
        return None
    unit = (match["unit"] or match["unit2"]).casefold()
    hours = duration_hours(float(number), unit) * (
        WORKING if match["kind"] and match["kind"].strip().casefold() != "calendar" else 1.0
    )
    says = match["says"] or match["says2"]
    return Assertion(NOTICE, "notice", says, round(hours, 4), "", line.replace(says, " "))


WORKING = 1.4
"""Days of the calendar that a working day takes, of five in a week."""


def _direction(line: str, start: int, end: int) -> str:
    """The word "more" for what holds from a figure on, "less" for what holds up to it, "" for a figure that is itself fixed."""
    said = comparator_before(line, 0, start)[0] or or_more(line, end, len(line))[0]
    before = line[max(0, start - _WINDOW) : start].casefold().rstrip()
    if said in ("at_most", "less_than", "within"):
        is_more = False
    elif said in ("more_than", "at_least") or before.endswith(_MONEY_ABOVE):
        is_more = True
    elif before.endswith(_MONEY_BELOW):
        is_more = False
    else:
        return ""
    # "Must not be higher than four metres" bounds from above.
    if _ONLY.search(line[:start]) and said in ("more_than", "") and is_more:
        is_more = False
    return "more" if is_more else "less"


def _without(line: str, start: int, end: int) -> str:
    """The clause of a figure without it: what stands behind a semicolon is of something else."""
    return f"{line[:start].rpartition('; ')[2]} {line[end:].partition('; ')[0]}"
