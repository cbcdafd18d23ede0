"""Edits of quantities, dates and places: to another value, or to the same one in another form."""

from __future__ import annotations

import datetime
import random
import re

from coditect.language.quantities.dates import find_dates
from coditect.language.quantities.numbers import NUMBER, parse_number
from coditect_benchmarks.edits.grammar import Family, in_words, replaced

__all__ = ["amount", "date", "duration", "number", "percentage", "reference"]

_UNIT = r"(?P<class>(?:business|calendar|working) )?(?P<unit>hours?|days?|weeks?|months?|years?)\b"
_DURATION = re.compile(rf"(?<![\w.,$-])(?P<n>{NUMBER})(?P<gap>[ -]){_UNIT}", re.I)
_PERCENT = re.compile(rf"(?<![\w.,$-])(?P<n>{NUMBER}) ?(?:%|percent\b)(?: \(\d+(?:\.\d+)?%\))?", re.I)
_AMOUNT = re.compile(r"(?<![\w.])\$ ?(?P<n>\d{1,3}(?:,\d{3})+|\d+)(?P<cents>\.00)?(?![\d,]|\.\d| (?:million|billion))")
_TWICE = re.compile(r"(?:dollars?|US|USD|U\.S\.|of) ?(?:US|USD|U\.S\.)? ?\($|(?:USD|US|U\.S\.) ?$", re.I)
_COUNT = re.compile(
    rf"(?<![\w.,$-])(?P<n>{NUMBER}) (?=(?:or more )?(?:copies|records|consumers?|persons?|employees"
    rf"|members|times|units|shares|accounts?|transfers?|pages"
    r"|parties|installments?|payments?|directors|representatives|arbitrators?|occasions|credit cards"
    r"|locations|Units|Products|calls|extensions?)\b)", re.I
)  # fmt: skip
_PLACE = re.compile(
    r"\b(?P<head>Sections?|Articles?|Clause|Exhibit|Schedule|Annex|Appendix|Attachment|§|paragraph"
    r"|part|subpart) ?(?P<label>\(?[A-Za-z0-9]+(?:[.)(-]+[A-Za-z0-9]+\)?)*(?<![.]))"
)
_FACTORS = {"dev": (2, 3, 4), "heldout": (5, 6, 1.5)}
_UNITS = {
    "dev": {"day": "month", "month": "year", "hour": "day", "year": "month", "week": "month"},
    "heldout": {"day": "hour", "month": "week", "hour": "week", "year": "day", "week": "day"},
}


def _table(listed: str) -> tuple[tuple[float, str, float, str], ...]:
    """Equal lengths of time, "12 month = 1 year; 72 hour = 3 day"."""
    rows = (re.split(r" = | ", row) for row in listed.split("; "))
    return tuple((float(one), first, float(other), second) for one, first, other, second in rows)


_SAME = {
    "dev": _table(
        "12 month = 1 year; 1 year = 12 month; 24 month = 2 year; 2 year = 24 month; 72 hour = 3 day"
        "; 7 day = 1 week; 36 month = 3 year; 5 year = 60 month; 3 day = 72 hour; 14 day = 2 week"
        "; 18 month = 1.5 year"
    ),
    "heldout": _table(
        "3 year = 36 month; 24 hour = 1 day; 48 hour = 2 day; 2 week = 14 day; 2 day = 48 hour"
        "; 21 day = 3 week; 28 day = 4 week; 4 year = 48 month; 10 year = 120 month; 48 month = 4 year"
        "; 60 month = 5 year; 1 week = 7 day; 1 day = 24 hour; 12 month = 1 year; 1 year = 12 month"
    ),
}


def _value(text: str) -> int | None:
    value = parse_number(text)
    return int(value) if value is not None and value == int(value) and 0 < value < 1000 else None


def _like(value: int, form: str, family: Family) -> str:
    """A number in the form of another: "thirty (30)", "thirty" or "30"."""
    if "(" in form:
        return f"{in_words(value)} ({value})" if family == "dev" else in_words(value)
    if any(c.isdigit() for c in form):
        return str(value)
    return in_words(value) if family == "dev" else str(value)


def _plural(unit: str, value: float, gap: str) -> str:
    return unit if gap == "-" or value == 1 else unit + "s"


def duration(text: str, rng: random.Random, family: Family, *, same: bool) -> str | None:
    """Another length of time, or the same in another unit.

    Args:
        text: the sentence.
        rng: draws the new value.
        family: which templates.
        same: whether the value must stay.
    """
    matches = [m for m in _DURATION.finditer(text) if _value(m["n"])]
    if not matches:
        return None
    match = rng.choice(matches)
    value, unit, gap = _value(match["n"]) or 1, match["unit"].lower().removesuffix("s"), match["gap"]
    kind = match["class"] or ""
    if same:
        for one, first, other, second in _SAME[family]:
            if (value, unit) == (one, first) and not kind and gap == " " and second != first:
                words = in_words(int(other)) if other == int(other) and rng.random() < 0.5 else f"{other:g}"
                return replaced(text, match, f"{words} {_plural(second, other, gap)}")
        return None
    if rng.random() < 0.4 and not kind and unit in _UNITS[family]:
        return replaced(text, match, f"{match['n']}{gap}{_plural(_UNITS[family][unit], value, gap)}")
    new = max(1, round(value * rng.choice(_FACTORS[family])))
    new = new + 1 if new == value else new
    if new > 900:
        return None
    return replaced(text, match, f"{_like(new, match['n'], family)}{gap}{kind}{_plural(unit, new, gap)}")


def percentage(text: str, rng: random.Random, family: Family, *, same: bool) -> str | None:
    """Another percentage, or the same in words or signs."""
    matches = [m for m in _PERCENT.finditer(text) if _value(m["n"])]
    if not matches:
        return None
    match = rng.choice(matches)
    value = _value(match["n"]) or 1
    new = value if same else (value * 2 if family == "dev" else value + 7)
    new = max(1, value // 2) if new > 100 and not same else new
    if new == value and not same:
        return None
    sign = "%" in match[0] and "(" not in match[0]
    if same:
        if family == "dev":
            return replaced(text, match, f"{value} percent" if sign else f"{value}%")
        return replaced(text, match, f"{in_words(value)} percent" if sign else f"{value} %")
    return replaced(
        text, match, f"{new}%" if sign or family == "dev" else f"{in_words(new)} percent" if new < 1000 else f"{new}%"
    )


def amount(text: str, rng: random.Random, family: Family, *, same: bool) -> str | None:
    """Another amount or currency, or the same in another form."""
    matches = [
        m for m in _AMOUNT.finditer(text) if float(m["n"].replace(",", "")) > 0 and not _TWICE.search(text[: m.start()])
    ]
    if not matches:
        return None
    match = rng.choice(matches)
    value = int(match["n"].replace(",", ""))
    if same:
        if family == "dev":
            return replaced(text, match, f"USD {value:,}")
        return replaced(text, match, f"{value:,} dollars" if value % 1_000_000 else f"${value // 1_000_000} million")
    if family == "heldout" and rng.random() < 0.4:
        return replaced(text, match, f"€{value:,}")
    return replaced(text, match, f"${value * (10 if family == 'dev' else 3):,}")


def number(text: str, rng: random.Random, family: Family) -> str | None:
    """Another count."""
    matches = [m for m in _COUNT.finditer(text) if (_value(m["n"]) or 0) > 1]
    if not matches:
        return None
    match = rng.choice(matches)
    value = _value(match["n"]) or 2
    new = value + 3 if family == "dev" else value * 2 + 1
    return replaced(text, match, _like(new, match["n"], family) + " ") if new < 1000 else None


def date(text: str, rng: random.Random, family: Family, *, same: bool) -> str | None:
    """Another full date, or the same in another form."""
    found = [
        m
        for m in find_dates(text, 0, len(text))
        if len(str(m.data.get("iso"))) == 10 and not str(m.data.get("iso")).startswith("-")
    ]
    if not found:
        return None
    mark = rng.choice(found)
    try:
        day = datetime.date.fromisoformat(str(mark.data["iso"]))
    except ValueError:
        return None
    if same:
        words = (
            f"{day.day} {day:%B} {day.year}"
            if family == "dev"
            else rng.choice(
                (day.isoformat(), f"{day:%b}. {day.day}, {day.year}" if day.month != 5 else day.isoformat())
            )
        )
    else:
        day = (
            day.replace(year=day.year + 1, day=min(day.day, 28))
            if family == "dev"
            else day + datetime.timedelta(days=rng.choice((14, 45)))
        )
        words = f"{day:%B} {day.day}, {day.year}"
    if text[mark.start : mark.end] == words:
        return None
    return text[: mark.start] + words + text[mark.end :]


def reference(text: str, rng: random.Random, family: Family) -> str | None:
    """Another section, exhibit or paragraph."""
    matches = [
        m
        for m in _PLACE.finditer(text)
        if any(c.isdigit() or (c.isalpha() and c.isupper()) for c in m["label"]) and len(m["label"]) < 16
    ]
    matches = [m for m in matches if re.search(r"\d", m["label"]) or len(m["label"]) == 1]
    if not matches:
        return None
    match = rng.choice(matches)
    label = match["label"]
    numbers = list(re.finditer(r"\d+", label))
    if numbers:
        part = numbers[-1] if family == "dev" else numbers[0]
        new = label[: part.start()] + str(int(part[0]) + (1 if family == "dev" else 4)) + label[part.end() :]
    else:
        new = "".join(chr((ord(label) - 65 + (1 if family == "dev" else 5)) % 26 + 65))
    if f"{match['head']} {new}" in text or new in text:
        return None
    start, end = match.span("label")
    return text[:start] + new + text[end:]
