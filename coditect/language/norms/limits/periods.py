"""How periods are written, as parts of patterns: "[60] days", "twenty-one (21) Business Days", "at least three years"."""

from __future__ import annotations

from coditect.language.tables import WordTable, read_table

__all__ = [
    "BOUND",
    "COUNT",
    "INTERVAL",
    "MAYBE_SPACE",
    "MOST_SPACE",
    "PERIOD",
    "PERIOD_FROM",
    "SPACE",
    "UNIT",
    "phrases",
]

_WORDS, _CALENDAR, _NUMERALS = read_table("adjuncts"), read_table("time"), read_table("numbers")

MOST_SPACE = 40
"""Characters of white space inside of a phrase, at most; so a long gap costs no more than a short one."""

SPACE = rf"\s{{1,{MOST_SPACE}}}"
MAYBE_SPACE = rf"\s{{0,{MOST_SPACE}}}"


def phrases(table: WordTable, entry: str) -> str:
    """An entry as one group, with bounded white space between the words of a phrase."""
    return f"(?:{table.pattern(entry, space=SPACE)})"


UNIT = rf"(?:{phrases(_CALENDAR, 'kinds_of_days')}{SPACE}){{0,3}}{phrases(_CALENDAR, 'units')}(?:['’]s?)?"
_IN_WORDS = "|".join(sorted(_NUMERALS.mapping("units"), key=len, reverse=True)) + r"|an?"
_TENS = "|".join(_NUMERALS.mapping("tens"))
_SCALES = "|".join(_NUMERALS.mapping("scales"))
_HUNDREDS = rf"(?:(?:{_IN_WORDS})[\s-](?:{_SCALES}){SPACE}(?:and{SPACE})?)?"
_NUMBER = rf"(?:\d[\d.,]{{0,20}}|_{{2,20}}|\[[^\[\]]{{1,40}}\]|{_HUNDREDS}(?:{_TENS})?-?(?:{_IN_WORDS}|{_TENS}))"
COUNT = rf"{_NUMBER}(?:{MAYBE_SPACE}\({MAYBE_SPACE}[\w\[\]*-]{{1,40}}{MAYBE_SPACE}\))?"
BOUND = rf"(?:{phrases(_WORDS, 'bounds')}{SPACE})?"
PERIOD = rf"{BOUND}{COUNT}[\s-]{{1,{MOST_SPACE}}}{UNIT}"
_NO_LONGER = rf"(?:not|no){SPACE}(?:exceeding|(?:longer|greater|more){SPACE}than)"
INTERVAL = rf"at{SPACE}intervals{SPACE}(?:of(?:{SPACE}{_NO_LONGER})?|{_NO_LONGER}){SPACE}{PERIOD}"
_OF_PERIODS, _COUNTED_FROM = phrases(_WORDS, "adjectives_of_periods"), phrases(_WORDS, "counted_from")
_EVENT_OF = (
    rf"of(?={SPACE}(?:the|an?|its|his|her|their|our|your|such|this|that|any|each|[a-z]+ing|receipt|notice|delivery|termination"
    rf"|expiry|[A-Z])\b)"
)
PERIOD_FROM = (
    rf"(?:{BOUND}{COUNT}{SPACE}(?:{UNIT}{SPACE})?(?:and|nor|but|or){SPACE})?{PERIOD}(?:{SPACE}\([^()]{{1,200}}\))?(?:{SPACE}(?:in{SPACE})?{_OF_PERIODS}){{0,3}}"
    rf"{SPACE}(?:{_COUNTED_FROM}|{_EVENT_OF})\b"
)
