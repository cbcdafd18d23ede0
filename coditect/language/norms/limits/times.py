"""When a clause is due: its deadlines with the events that they are counted from, from when on, and how often."""

from __future__ import annotations

import re
from collections.abc import Sequence

from coditect.language.marks import JsonValue, Mark, sort_data
from coditect.language.norms.limits.compound import whole_limits
from coditect.language.norms.limits.days import counted_day, times_by_weekdays
from coditect.language.norms.limits.openings import OF_KIND, SHORT, Adjunct, AdjunctKind
from coditect.language.norms.limits.periods import COUNT, MOST_SPACE, PERIOD, SPACE, UNIT
from coditect.language.patterns.beginnings import quick
from coditect.language.patterns.deferred import deferred
from coditect.language.tables import read_table

__all__ = ["times_granted", "times_of", "times_within"]

_I = re.IGNORECASE
_ADJUNCTS = read_table("adjuncts")
_RECURRING = deferred(
    rf"\s+(?:\w+\s+){{0,2}}?(?:{read_table('time').pattern('recurring_checks')})\b(?!\s+(?:schedule|plan|program|calendar|polic|procedure|report))",
    _I,
)
_TRIGGER = deferred(
    r"(?:\b(?:as\s+soon\s+as(?!\s+(?:reasonably\s+)?(?:possible|practicable|feasible|may\s+be)\b)|after|before|following|upon|prior\s+to|in\s+advance\s+of|preceding|subsequent\s+to|from|(?<!\bcase\s)of|on\s+the\s+date\s+of|when|(?<=forthwith\s)on|(?<=promptly\s)on|(?<=immediately\s)on|(?:no|not)\s+later\s+than(?=\s+the\s+(?-i:[A-Z]))|(?:concurrently|simultaneously|contemporaneously)\s+with|at(?!\s+(?:least|most|once|any\s+time|the\s+(?:very\s+)?latest)\b))\s+)(?P<event>[^;]+)\Z",
    _I,
)
# "on any of the first ten days on which it sits after it is told": not of the days, but after what.
_ON_ANY_OF = deferred(r"on\s+any\s+of\b", _I)
_LATER = deferred(r"\b(?:after|following)\s+(?P<event>[^;]+)\Z", _I)
# "the time of disclosure", "2 minutes of inactivity": the event stands behind.
_OF_EVENT = deferred(
    r"\A(?:the\s+)?(?:time|date|day|moment)\s+(?:(?:on|at)\s+which\s+|when\s+|(?:that\s+)?(?=(?:the|an?|any|such|this|it|they)\s))"
    r"|\A(?:(?:the\s+)?(?:time|date|day|moment)|[\w()-]+(?:\s+\w+){0,2}?\s+(?:seconds|minutes|hours|days|weeks|months|years))\s+of\s+",
    _I,
)
# "pay an annual fee": how often is in no quantity, which leaves kinds of payments out.
_A_YEAR = {word: float(often) for word, often in read_table("time").mapping("times_a_year").items() if "/" not in often}
_NUMERALS = read_table("numbers")
_COUNTS = "|".join(
    sorted({*_NUMERALS.mapping("units"), *_NUMERALS.mapping("tens")}, key=lambda word: (-len(word), word))
)
_MONTHS = "|".join(name for names in read_table("time").groups("months") for name in names)
_DETERMINED = deferred(
    r"\b(?:the|its|their|our|your|his|her|this|that|such|any|each|no|next|last|previous|following|current|mean|average|maximum|minimum|through)\s+\Z",
    _I,
)
_TELLS_EVENT = deferred(
    r"(?!subject|in\s+(?:this|that|such|any\s+other)\b|so\b|as\b|to\b|on\s+condition|only|under|over|provided|providing|in\s+respect)",
    _I,
)
_NO_EVENT = deferred(
    rf"(?:(?:the\s+)?(?:end|date|day|beginning|close|start|commencement)\b(?!\s+of)|(?:the\s+)?\d|business\b|(?:the\s+)?(?!first\b|last\b)[\w-]+(?:st|nd|rd|th)(?:\s+\(\w+\))?\s+(?:\w+\s+)?day\s+of\s+(?:each|every|the\s+(?:next|following|month|calendar))\b|(?:the\s+)?(?:first|second|third|fourth|last|final)\s+(?:full\s+)?(?:calendar\s+)?(?:week|month|quarter)\s+of\s+(?:the|each|every|an?)\b|(?:the\s+)?(?:next|following|same|current|previous)\s+(?:\w+\s+){{0,2}}?(?:day|week|month|quarter|year)\b|(?:each|every)\s+(?:(?:calendar|fiscal|financial|business)\s+)?(?:day|week|month|quarter|year)\b|time\Z|(?:noon|midnight)\b|time\s+to\s+time\b|any\s+event|(?:{_COUNTS})\b|(?:{_MONTHS})\s+\d)",
    _I,
)

# A deadline inside of what is done: "give thirty days' prior notice", "take immediate action".
_NOTICE_GIVEN = quick(
    rf"\b(?:give|provide|serve|send)s?\b[^,;]{{0,90}}?\s(?P<time>(?:{PERIOD}(?:{SPACE}(?:prior|advance|written|business))+"
    rf"|(?:immediate|prompt|reasonable{SPACE}(?:prior|advance))(?:{SPACE}written)?)"
    rf"{SPACE}(?:\w{{1,20}}{SPACE})?(?:notice|notification))\b"
    rf"|\btake{SPACE}(?:\w{{1,20}}{SPACE}){{0,3}}?(?P<at_once>immediate|prompt){SPACE}(?:\w{{1,20}}{SPACE})?(?:action|steps|measures)\b",
    _I,
)
# How often something is due that is paid again and again: "pay an annual fee".
_PAID_OFTEN = deferred(
    rf"\bpay{SPACE}(?:[\w’'&.-]{{1,40}}{SPACE}){{0,5}}?an?{SPACE}(?P<often>annual|quarterly|monthly|weekly|semi-?annual)"
    rf"(?={SPACE}(?:\w{{1,30}}{SPACE}){{0,4}}?(?:fee|rent|retainer|premium|contribution|royalty|levy)\b)",
    _I,
)
# A time that words of force give to somebody: "shall have thirty (30) days after receipt to".
_GRANTED = deferred(
    rf"\bhave{SPACE}(?P<time>(?:up{SPACE}to{SPACE}|at{SPACE}least{SPACE})?(?:an?{SPACE}(?:\w{{1,20}}{SPACE})?period{SPACE}of{SPACE})?{COUNT}[\s-]{{1,{MOST_SPACE}}}{UNIT}(?:{SPACE}[^,;:]{{1,80}}?)?)(?:{SPACE}in{SPACE}which)?{SPACE}to\Z",
    _I,
)
# "after the alarm, and in any case no later than five minutes": the event of the first limit alone.
_OTHER_LIMIT = deferred(
    r",?\s+(?:(?:and|but|or)\s+in\s+any\s+(?:case|event)|whichever|or\s+(?=(?:within|(?:no|not)\s+later\s+than|(?:[\w-]+\s+)?(?:\(\d+\)\s+)?(?:\w+\s+)?(?:hours|days|weeks|months|years))\s))\b|\s+\((?:or|and)\s"
)
# "any conflict of interest (a member, or a relative of a member, is named)": what an event is, in brackets.
_EXPLAINED = deferred(r"\s*\([^()]{20,}\)\Z")
_AT_ONCE = deferred(rf"(?:{_ADJUNCTS.pattern('at_once')})\b", _I)
# "after the review", "following approval": not before; a number or a value to be filled in makes a limit of it.
_NOT_BEFORE = deferred(rf"(?:after|following)\s+(?!\d|\[|(?:the\s+)?(?:{_COUNTS})\b)", _I)
# "within the time specified": somebody sets it, and no event does.
_SET = deferred(rf"\b(?:time|date|day|period|deadline)s?(?:\s+limit)?\s+(?:{_ADJUNCTS.pattern('set_times')})\b", _I)
_INTERVAL = deferred(r"\bat\s+intervals\b", _I)
_HOURS_A_YEAR = 8_766.0
_IN_NUMBERS = ("hours", "days", "months", "years", "comparator", "relation", "business_days", "iso")
_OF_FREQUENCY = ("per_year", "months", "comparator")


def times_of(text: str, limits: Sequence[Adjunct], near: Sequence[Mark]) -> dict[str, JsonValue | None]:
    """The times of a clause by the names of their fields.

    Args:
        text: the text.
        limits: the adjuncts of the clause, in order.
        near: the quantities of the clause, in order.

    Returns:
        ``deadline`` is the first limit by when; ``further_deadlines`` are those behind it; ``commencement`` says from when on;
        ``further_frequencies`` are those behind the first.
    """
    limits = whole_limits(text, limits)
    deadlines = [
        _limit(text, each, limits, near) for each in limits if each.kind == "deadline" and not _begins(text, each)
    ]
    begins = [_limit(text, each, limits, near) for each in limits if _begins(text, each)]
    often = _frequencies(text, limits, near)
    return {
        "deadline": deadlines[0] if deadlines else None,
        "further_deadlines": [*deadlines[1:]] or None,
        "commencement": begins[0] if begins else None,
        "frequency": often[0] if often else None,
        "further_frequencies": [*often[1:]] or None,
    }


def times_within(text: str, lo: int, hi: int) -> list[Adjunct]:
    """The times that what is to be done holds itself and keeps: "give thirty days' prior notice", "pay an annual fee"."""
    given = _NOTICE_GIVEN.search(text, lo, hi)
    paid = _PAID_OFTEN.search(text, lo, hi)
    found: list[tuple[AdjunctKind, tuple[int, int]]] = []
    if given:
        found.append(("deadline", given.span("time" if given["time"] else "at_once")))
    if paid:
        found.append(("frequency", paid.span("often")))
    return [Adjunct(kind, start, start, end) for kind, (start, end) in found]


def times_granted(text: str, lo: int, hi: int) -> list[Adjunct]:
    """The time that words of force give to somebody: "shall have thirty (30) days to"."""
    found = _GRANTED.search(text, lo, hi)
    return [Adjunct("deadline", found.start("time"), found.start("time"), found.end("time"))] if found else []


def _begins(text: str, each: Adjunct) -> bool:
    """Whether an adjunct says from when on, and not by when: "from 1 May", "after the review"."""
    return each.kind == "start" or (
        each.kind == "deadline" and _NOT_BEFORE.match(text, each.start, each.end) is not None
    )


def _inside(each: Adjunct, mark: Mark) -> bool:
    return each.start <= mark.start and mark.end <= each.end


def _limit(text: str, each: Adjunct, limits: Sequence[Adjunct], near: Sequence[Mark]) -> JsonValue:
    """A time limit, in numbers or in words such as "promptly", with the event that it is counted from."""
    number = next(
        (
            mark
            for mark in near
            if _inside(each, mark) and mark.data.get("quantity_kind") in ("deadline", "date", "duration")
        ),
        None,
    )
    picked: dict[str, JsonValue | None] = {key: number.data.get(key) for key in _IN_NUMBERS} if number else {}
    picked = picked or counted_day(text, each.start, each.end)
    if not picked:
        picked["comparator"] = "promptly" if _AT_ONCE.match(text, each.start, each.end) else None
    picked |= {"text": text[each.start : each.end], "trigger": _trigger(text, each, limits)}
    return sort_data({**picked, "start": each.start, "end": each.end})


def _trigger(text: str, each: Adjunct, limits: Sequence[Adjunct]) -> str | None:
    """The event that a time is counted from: in its own phrase, or the condition of the clause."""
    words = text[each.start : each.end]
    if event := _own_event(words):
        return event
    if _SET.search(text, each.start, each.end) or words.lower() == "beforehand":
        return None
    for other in limits:
        if SHORT.fullmatch(text, other.start, other.end):
            continue  # "if necessary" tells no event
        if other.kind == "condition" and _TELLS_EVENT.match(text, other.start):
            return _EXPLAINED.sub("", text[other.head : other.end].strip(" ,:")) or None
        if other is not each and (told := _event(text, other)):
            return told
    return None


def _own_event(words: str) -> str:
    """The event that a time names itself, or ""."""
    pattern, at = _LATER if _ON_ANY_OF.match(words) else _TRIGGER, 0
    while found := pattern.search(words, at):
        event = _OTHER_LIMIT.split(_OF_EVENT.sub("", found["event"]), maxsplit=1)[0].strip()
        other = _NO_EVENT.match(event)
        if event and not other:
            return event
        at = found.start("event") + (other.end() if other else 0)
    return ""


def _event(text: str, each: Adjunct) -> str | None:
    """The event of "After being told, the clerk must promptly", which sets off what is due as well."""
    found = _NOT_BEFORE.match(text, each.start, each.end) if each.kind in ("deadline", "start") else None
    return text[found.end() : each.end].strip(" ,:") or None if found else None


def _interval_hours(each: Adjunct, near: Sequence[Mark]) -> float:
    """How long an interval is in hours: "at intervals not exceeding 12 months"; 0 where no length is told."""
    told = (mark.data.get("hours") for mark in near if _inside(each, mark))
    return next((float(hours) for hours in told if isinstance(hours, int | float)), 0.0)


def _recurs(text: str, mark: Mark) -> bool:
    """Whether a frequency says how often an act is due: "annual review"; an "annual report" is a kind of report."""
    if OF_KIND.match(text, mark.end):
        return False
    is_adverb = text[mark.start : mark.end].lower().endswith("ly") and not _DETERMINED.search(text[: mark.start][-12:])
    return is_adverb or _RECURRING.match(text, mark.end) is not None


def _frequencies(text: str, limits: Sequence[Adjunct], near: Sequence[Mark]) -> list[JsonValue]:
    """How often the act is due: the adjuncts that say so; where there is none the first quantity that does."""
    often = [mark for mark in near if mark.data.get("quantity_kind") == "frequency"]
    found: list[JsonValue] = []
    for each in limits:
        if each.kind == "frequency":
            number = next((mark for mark in often if _inside(each, mark)), None)
            picked: dict[str, JsonValue | None] = {key: number.data.get(key) for key in _OF_FREQUENCY} if number else {}
            if number is None and (a_year := _A_YEAR.get(text[each.start : each.end].lower())):
                picked = {"per_year": round(a_year, 2)}
            words = text[each.start : each.end]
            if number is None and not picked and (weekly := times_by_weekdays(words)):
                picked = {"per_year": weekly}
            if number is None and not picked and (length := _interval_hours(each, near)):
                picked = {"per_year": round(_HOURS_A_YEAR / length, 2)}
            event = "" if _INTERVAL.search(words) else _own_event(words)
            picked |= {"text": words, "trigger": event or None}
            found.append(sort_data({**picked, "start": each.start, "end": each.end}))
    if found:
        return found
    for mark in often:
        if _recurs(text, mark) and not any(
            _inside(each, mark) for each in limits if each.kind in ("condition", "exception")
        ):
            picked = {key: mark.data.get(key) for key in (*_OF_FREQUENCY, "text")}
            return [sort_data({**picked, "start": mark.start, "end": mark.end})]
    return []
