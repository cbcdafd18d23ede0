"""Quantities with their meaning: amounts, percentages, durations, deadlines, frequencies, dates and counts."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from coditect.language.marks import JsonValue, Mark, sort_data
from coditect.language.patterns.beginnings import quick
from coditect.language.patterns.deferred import deferred
from coditect.language.quantities.comparators import comparator_before, or_more
from coditect.language.quantities.dates import find_dates
from coditect.language.quantities.durations import (
    ADVERB_FREQUENCY,
    RECURRING_NOUN,
    TIME_UNIT,
    duration_hours,
    normalise_unit,
    period_per_year,
)
from coditect.language.quantities.money import find_money
from coditect.language.quantities.numbers import NUMBER, parse_number
from coditect.language.tables import read_table

__all__ = ["find_quantities"]

_I = re.IGNORECASE
_CALENDAR, _QUANTITIES = read_table("time"), read_table("quantities")
_BUSINESS_DAYS = _CALENDAR.words("business_days")

_EVENT = deferred(
    r"[,\s]+(?:(?:advance|prior|written|calendar|immediately|days?)[,\s]+){0,4}?"
    rf"(?:(?P<before>{_CALENDAR.pattern('before_events')}|(?:in\s+advance|notice)\b)"
    rf"|(?P<after>{_CALENDAR.pattern('after_events')}))(?![\w-])",
    _I,
)
_IN_AT = deferred(r"\b(?:in|by)\s*$", _I)
_TIMES = quick(
    rf"\b(?P<n>once|twice|{NUMBER}\s+times?)\s+(?:(?:per|a|an|each|every|in\s+(?:each|every|any|a))\s+)"
    rf"(?P<k>{NUMBER}\s+|\w+[\s-])??{TIME_UNIT}",
    _I,
)
_EVERY_UNIT = deferred(rf"\b(?:every|each)\s+(?P<k>{NUMBER}[\s-]+)?(?P<other>other\s+)?{TIME_UNIT}", _I)
_ADVERB = deferred(
    r"\b(?:" + "|".join(sorted(ADVERB_FREQUENCY, key=lambda w: (-len(w), w))) + r")\b",
    _I,
)
_TIMES_BEFORE = deferred(rf"\b(?P<n>once|twice|{NUMBER}\s+times)\s+\Z", _I)  # "twice yearly"
_TIMES_TOLD = {"once": 1.0, "twice": 2.0}
_MOST_BEFORE = 40
# "monthly payment" names a kind of payment, and says of no act how often it is due.
_PERIODIC = deferred(rf"\s+(?:\w+\s+)?(?:{_CALENDAR.pattern('periodic_payments')})\b")
_NUMBER_AHEAD = quick(rf"(?<![\w.,:/$€£¥-])(?P<n>{NUMBER})(?=[\s%-]|\s*per)", _I)
_TIME = deferred(rf"[\s-]*(?:additional\s+|full\s+|more\s+)?{TIME_UNIT}(?P<tail>\s+(?:period|term))?", _I)
_PERCENT = deferred(r"\s?(?:%|percent\b|per\s?cent(?:um)?\b)|\s+(?P<bp>basis\s+points?\b)", _I)
_RATE = deferred(r"\s*(?:per|a|each)\s+(?P<per>annum|year|month|day|week|quarter)\b", _I)
_COUNTED = deferred(rf"[\s-]+(?P<unit>(?:[a-z]+\s+){{0,2}}?(?:{_QUANTITIES.pattern('counted')}))\b")
# Units of measurement keep their capitals: "mg/l" and "Mg/l" are different things.
_MEASURED = deferred(rf"[\s-](?P<unit>dB\([A-Z]\)|{_QUANTITIES.pattern('measured')})(?![\w/])")
_WORD_HINT = quick(
    "|".join(case(word) for case in (str.lower, str.title, str.upper) for word in read_table("numbers").words("common"))
    + "|half"
)
_DIGIT = deferred(r"[\d½¼¾]")
# Literal beginnings only: they let the engine skip ahead, where a leading \b would make it try every character.
_FREQUENCY_HINT = deferred(r"ly\b|nnual|once|twice|times?\b|Once|Twice|every|each|Every|Each|EVERY|EACH")
_TIMES_HINT = deferred(r"once|twice|times?\b|Once|Twice")
_EVERY_HINT = deferred(r"every\b|each\b|Every\b|Each\b|EVERY\b|EACH\b")
_ADVERB_HINT = deferred(r"nnual|early\b|terly\b|onthly\b|eekly\b|aily\b|ightly\b|ourly\b|ennial")
_IN_FIGURES = deferred(r"\s*\(\s*[\d.,½¼¾]{1,8}\s?%\s*\)")  # "five percent (5%)"
_OLD = deferred(r"\s+(?:old|of\s+age)\b", _I)
_SUBJECT_CUT = deferred(r".*[,;:()|\n“”\"]|.*\b(?:if|that|which|and|or|unless|provided)\b", _I | re.DOTALL)
_SUBJECT_TAIL = deferred(rf"(?:\s+(?:{_QUANTITIES.pattern('behind_subjects')}))+$", _I)


def find_quantities(text: str, start: int, end: int) -> list[Mark]:
    """Every quantity in ``text[start:end]``, in order, not overlapping.

    Args:
        text: the canonical text.
        start: first code point to read.
        end: one past the last; at most a few thousand beyond ``start``.

    Returns:
        Marks of kind "quantity". Confidence is 0.95 for dates, amounts and percentages, 0.9 for times with a unit,
        0.75 for bare adverbs of frequency and counts, 0.7 where the text is ambiguous.
    """
    if start and not text[start - 1].isspace():
        return _read(text, start, end)
    found = _read_alone(text[start:end])
    return [Mark(m.kind, m.start + start, m.end + start, m.data, m.confidence) for m in found] if start else [*found]


@lru_cache(maxsize=4_096)
def _read_alone(stretch: str) -> tuple[Mark, ...]:
    """The quantities of a stretch that nothing or white space stands before: what is looked at before it, one character at most,
    lets the same be read either way. A sentence is asked for its quantities by the reader of norms, as a statement, and for its
    limits, one after the other, and of those of one document the answer is kept.
    """
    return tuple(_read(stretch, 0, len(stretch)))


def _read(text: str, start: int, end: int) -> list[Mark]:
    found: list[Mark] = []
    has_number = (_DIGIT.search(text, start, end) or _WORD_HINT.search(text, start, end)) is not None
    if has_number:
        found += find_money(text, start, end)
        found += find_dates(text, start, end)
    if _FREQUENCY_HINT.search(text, start, end):
        found += _frequencies(text, start, end)
    if has_number:
        taken = sorted((mark.start, mark.end) for mark in found)
        found += _numbers(text, start, end, taken)
    return _with_subjects(text, start, _without_overlaps(found))


def _without_overlaps(found: list[Mark]) -> list[Mark]:
    """The marks in order; of two that overlap the earlier and then the longer one stays."""
    kept: list[Mark] = []
    for mark in sorted(found, key=lambda m: (m.start, -m.end, str(m.data.get("quantity_kind")))):
        if not kept or mark.start >= kept[-1].end:
            kept.append(mark)
    return kept


def _with_subjects(text: str, start: int, marks: list[Mark]) -> list[Mark]:
    """The same marks, each with the words before it that say what is measured."""
    out = []
    for mark in marks:
        _, at, _ = comparator_before(text, start, mark.start)
        words = text[max(start, at - 120) : at]
        cut = _SUBJECT_CUT.match(words)
        words = words[cut.end() :] if cut else words
        words = _SUBJECT_TAIL.sub("", " " + words.rstrip()).strip(" -–—.*")
        pieces = words.split()
        subject = words[words.rfind(pieces[-8]) :] if len(pieces) > 8 else words
        if len(subject) < 3 or not any(c.isalpha() for c in subject):
            out.append(mark)
            continue
        out.append(Mark(mark.kind, mark.start, mark.end, sort_data({**mark.data, "subject": subject}), mark.confidence))
    return out


def _frequencies(text: str, start: int, end: int) -> Iterator[Mark]:
    """Read "twice a year", "every 90 days", "each quarter" and "annually"."""
    for match in _TIMES.finditer(text, start, end) if _TIMES_HINT.search(text, start, end) else ():
        times = {"once": 1.0, "twice": 2.0}.get(match["n"].lower()) or parse_number(
            re.sub(r"\s+times?$", "", match["n"], flags=_I)
        )
        value = parse_number(match["k"]) if match["k"] else 1.0
        if times:
            unit = normalise_unit(match["unit"])
            per_year = round(times * period_per_year(value or 1.0, unit), 2)
            yield _frequency(text, start, match.start(), match.end(), times, "per " + unit, per_year, 0.9)
    for match in _EVERY_UNIT.finditer(text, start, end) if _EVERY_HINT.search(text, start, end) else ():
        unit = normalise_unit(match["unit"])
        if not match["k"] and not match["other"] and unit in ("second", "minute"):
            continue
        value = parse_number(match["k"].strip(" -\n")) if match["k"] else (2.0 if match["other"] else 1.0)
        if value:
            per_year = period_per_year(value, unit)
            yield _frequency(
                text, start, match.start(), match.end(), value, unit, per_year, 0.9 if match["k"] else 0.75
            )
    for match in _ADVERB.finditer(text, start, end) if _ADVERB_HINT.search(text, start, end) else ():
        word = match[0].lower()
        often = _TIMES_BEFORE.search(text, max(start, match.start() - _MOST_BEFORE), match.start())
        count = _TIMES_TOLD.get(often["n"].lower()) or parse_number(often["n"].split()[0]) if often else None
        if often and count:
            per_year = round(count * ADVERB_FREQUENCY[word], 2)
            yield _frequency(text, start, often.start("n"), match.end(), count, word, per_year, 0.85)
            continue
        if _PERIODIC.match(text, match.end(), end):
            continue
        if not word.endswith("ly") and not RECURRING_NOUN.match(text, match.end(), end):
            continue
        yield _frequency(text, start, match.start(), match.end(), 1.0, word, round(ADVERB_FREQUENCY[word], 2), 0.75)


def _frequency(
    text: str, lo: int, start: int, end: int, value: float, unit: str, per_year: float, confidence: float
) -> Mark:
    """A frequency; its length in months is given where it is a whole number of them."""
    comparator, _, _ = comparator_before(text, lo, start)
    months = 12.0 / per_year if per_year else 0.0
    data: dict[str, JsonValue | None] = {
        "quantity_kind": "frequency",
        "text": text[start:end],
        "value": value,
        "unit": unit,
        "per_year": per_year,
        "months": round(months, 2) if months >= 1 and abs(months - round(months)) < 0.02 else None,
        "comparator": comparator,
    }
    return Mark("quantity", start, end, sort_data(data), confidence)


def _numbers(text: str, start: int, end: int, taken: list[tuple[int, int]]) -> Iterator[Mark]:
    """Numbers that a unit of time, a percent sign or a counted noun follows."""
    for match in _NUMBER_AHEAD.finditer(text, start, end):
        if any(lo < match.end() and match.start() < hi for lo, hi in taken):
            continue
        value = parse_number(match["n"])
        if value is None:
            continue
        percent = _PERCENT.match(text, match.end(), end)
        if percent:
            yield _percentage(text, start, end, match.start(), percent, value)
            continue
        time = _TIME.match(text, match.end(), end)
        if time:
            yield _time(text, start, end, match.start(), time, value)
            continue
        counted = _MEASURED.match(text, match.end(), end) or _COUNTED.match(text, match.end(), end)
        if counted:
            comparator, _, _ = comparator_before(text, start, match.start())
            data: dict[str, JsonValue | None] = {
                "quantity_kind": "count",
                "text": text[match.start() : counted.end()],
                "value": value,
                "unit": counted["unit"],
                "comparator": comparator or or_more(text, counted.end(), end)[0],
            }
            yield Mark("quantity", match.start(), counted.end(), sort_data(data), 0.75)


def _percentage(text: str, lo: int, hi: int, start: int, match: re.Match[str], value: float) -> Mark:
    """A percentage, or basis points turned into one; "per annum" is kept as ``per``."""
    end = match.end()
    rest = _IN_FIGURES.match(text, end, hi)
    end = rest.end() if rest else end
    comparator, _, _ = comparator_before(text, lo, start)
    rate = _RATE.match(text, end, hi)
    data: dict[str, JsonValue | None] = {
        "quantity_kind": "percentage",
        "text": text[start:end],
        "value": round(value / 100, 6) if match["bp"] else value,
        "unit": "percent",
        "comparator": comparator or or_more(text, end, hi)[0],
        "per": rate["per"].lower() if rate else None,
    }
    return Mark("quantity", start, end, sort_data(data), 0.95)


def _time(text: str, lo: int, hi: int, start: int, match: re.Match[str], value: float) -> Mark:
    """A duration; a deadline when words around it set a limit relative to an event."""
    unit, end = normalise_unit(match["unit"]), match.end()
    comparator, _, limit = comparator_before(text, lo, start)
    if not comparator:
        comparator, _ = or_more(text, end, hi)
    event = _EVENT.match(text, end, hi)
    relation = "" if event is None else ("before" if event["before"] else "after")
    if event is not None and event[0].strip().lower() in ("of", "from", "upon") and not comparator:
        relation = ""  # "a period of 30 days of leave"
    is_deadline = limit or bool(relation) or (_IN_AT.search(text, max(lo, start - 4), start) is not None)
    age = _OLD.match(text, end, hi)
    data: dict[str, JsonValue | None] = {
        "quantity_kind": "deadline" if is_deadline and not age else "duration",
        "text": text[start:end],
        "value": value,
        "unit": unit,
        "hours": duration_hours(value, unit),
        "days": value if unit == "day" else None,
        "months": value if unit == "month" else None,
        "years": value if unit == "year" else None,
        "business_days": True if (match["dayclass"] or "").lower() in _BUSINESS_DAYS else None,
        "comparator": comparator or relation,
        "relation": relation,
    }
    return Mark("quantity", start, end, sort_data(data), 0.9)
