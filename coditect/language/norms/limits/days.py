"""Days that times are told by: days of the week ("every Monday"), days counted from an event ("by the 15th day after")."""

from __future__ import annotations

import re

from coditect.language.marks import JsonValue
from coditect.language.norms.limits.periods import SPACE, UNIT, phrases
from coditect.language.patterns.deferred import deferred
from coditect.language.tables import read_table

__all__ = [
    "AT_SET_TIMES",
    "MONTHS",
    "ON_SET_DAYS",
    "ON_WEEKDAYS",
    "counted_day",
    "decides_whether",
    "is_rest_of_limit",
    "times_by_weekdays",
]

_I = re.IGNORECASE
_CALENDAR = read_table("time")
_ORDINALS = {word: float(value) for word, value in read_table("ordinals").mapping("days").items()}
_BUSINESS = frozenset(_CALENDAR.words("business_days"))
_NAMES, _AS_ONE = phrases(_CALENDAR, "days_of_the_week"), phrases(_CALENDAR, "working_days")

ON_WEEKDAYS = (
    rf"(?:(?:on{SPACE})?(?:every|each){SPACE}(?:other{SPACE})?(?:{_NAMES}|{_AS_ONE})(?:{SPACE}and{SPACE}{_NAMES})?"
    rf"|on{SPACE}{_NAMES}s(?:(?:,{SPACE}|{SPACE}and{SPACE}){_NAMES}s){{0,4}})"
)
"""How days of the week tell how often: "every Monday", "each weekday", "on Tuesdays and Fridays"; part of a pattern."""

# "on the first Wednesday of the month"
_ON_DAY_OF = (
    rf"on{SPACE}the{SPACE}(?:first|second|third|fourth|last){SPACE}(?:(?:working|business){SPACE}day|{_NAMES})"
    rf"{SPACE}of{SPACE}the{SPACE}(?:week|month|quarter|year)\b"
)
MONTHS = "|".join(name for names in _CALENDAR.groups("months") for name in names if len(name) > 3 or name == "may")
_JOINED = rf"(?:,?{SPACE}(?:and|or){SPACE}|,{SPACE})"
_DAY = rf"(?:(?:{MONTHS}){SPACE}\d{{1,2}}|(?:the{SPACE})?\d{{1,2}}(?:st|nd|rd|th)?{SPACE}(?:of{SPACE})?(?:{MONTHS}))"
_IN_EACH = rf"(?:of|in){SPACE}(?:each|every){SPACE}(?:(?:calendar|fiscal|financial){SPACE})?{UNIT}"
ON_SET_DAYS = (
    rf"on{SPACE}(?:or{SPACE}about{SPACE})?(?:the{SPACE})?(?:\w{{1,20}}{SPACE}(?:\(\w{{1,6}}\){SPACE})?){{1,3}}of{SPACE}(?:each|every){SPACE}(?:(?:calendar|fiscal){SPACE})?{UNIT}"
    rf"|on{SPACE}{_DAY}(?:{_JOINED}{_DAY}){{0,11}}{SPACE}{_IN_EACH}"
    rf"|{_ON_DAY_OF}"
)
# "at the end of each reporting period", "as at the end of March and June in each year": again and again, and no deadline.
AT_SET_TIMES = (
    rf"at{SPACE}the{SPACE}(?:end|beginning|start|close|commencement){SPACE}of{SPACE}"
    rf"(?:(?:each|every)\b|(?:{MONTHS})(?:{_JOINED}(?:{MONTHS})){{0,11}}{SPACE}{_IN_EACH})"
)

_HOURS = _CALENDAR.mapping("hours")
_HOURS_A_DAY = float(_HOURS["day"])
_WEEKS_A_YEAR = float(_HOURS["year"]) / float(_HOURS["week"])
_COUNTED = deferred(
    rf"(?:by|before|on{SPACE}or{SPACE}before|(?:no|not){SPACE}later{SPACE}than){SPACE}the{SPACE}"
    rf"(?:(?P<figure>\d{{1,3}})(?:st|nd|rd|th)|(?P<word>{'|'.join(_ORDINALS)}))(?:{SPACE}\(\d{{1,3}}(?:st|nd|rd|th)?\))?{SPACE}"
    rf"(?:(?P<kind>{_CALENDAR.pattern('kinds_of_days')}){SPACE})?day{SPACE}(?:after|following)\b",
    _I,
)
_WEEKDAY = deferred(rf"\b{_NAMES}s?\b", _I)
_WORKING_DAY = deferred(rf"\b(?:every|each){SPACE}{_AS_ONE}\b", _I)
_EVERY_OTHER = deferred(rf"\b(?:every|each){SPACE}other\b", _I)
_SET = deferred(rf"(?:(?:on{SPACE})?(?:every|each)|on)\b", _I)
_BY_THE_CALENDAR = read_table("limits").mapping("by_the_calendar")
_ON_ONE_DAY = deferred(r"on\s+the\s+.+?\s+of\s+the\s+(?P<period>week|month|quarter|year)", _I)
_WORKING_DAYS = 5
# "determine whether a loss occurred within ten days": a verb of its own clause; the time is that of the act.
_WHETHER_IT = deferred(
    r"\b(?:determin|decid|establish|assess|conclud|investigat)(?:e|es|ing)?\s+whether\s+"
    r"(?:(?:or\s+not|the|an?|any|such|its)\s+){0,2}(?:[\w’'-]+\s+){1,3}?[a-z]{3,}ed\s+\Z",
    _I,
)
_LIMIT_LEFT = deferred(r"\b(?:within|than)\s+\Z", _I)


def counted_day(text: str, lo: int, hi: int) -> dict[str, JsonValue | None]:
    """A limit that is told as a day counted from an event, in numbers: "by the 15th day after the quarter" is within 15 days.

    Args:
        text: the text.
        lo: where the limit begins.
        hi: one past its last.

    Returns:
        The fields that limits in numbers have; nothing where it is told otherwise.
    """
    found = _COUNTED.match(text, lo, hi)
    if found is None:
        return {}
    days = float(found["figure"]) if found["figure"] else _ORDINALS[found["word"].lower()]
    is_business = (found["kind"] or "").lower() in _BUSINESS
    return {
        "days": days,
        "hours": days * _HOURS_A_DAY,
        "comparator": "within",
        "relation": "after",
        "business_days": True if is_business else None,
    }


def times_by_weekdays(words: str) -> float | None:
    """How often a year something is due on days of the week: "every Monday", "on Tuesdays and Fridays"; None for others."""
    if _SET.match(words) is None:
        return None
    if day := _ON_ONE_DAY.fullmatch(words):  # "on the first Wednesday of the month"
        return float(_BY_THE_CALENDAR[day["period"].lower()])
    named = {each[0].lower().rstrip("s") for each in _WEEKDAY.finditer(words)}
    days = _WORKING_DAYS if _WORKING_DAY.search(words) else len(named)
    if not days:
        return None
    return round(days * round(_WEEKS_A_YEAR / (2 if _EVERY_OTHER.search(words) else 1), 2), 2)


def decides_whether(text: str, lo: int, at: int) -> bool:
    """Whether a time stands behind what has to be decided, and so says by when: "determine whether a loss occurred within"."""
    return _WHETHER_IT.search(text, lo, at) is not None


def is_rest_of_limit(text: str, lo: int, at: int) -> bool:
    """Whether a period is the rest of a limit that is none of the act: "10 days of receipt" behind "a loss that arose within"."""
    return text[at : at + 1].isdigit() and _LIMIT_LEFT.search(text, lo, at) is not None
