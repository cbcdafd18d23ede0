"""How periods are written, as parts of patterns: "[60] days", "twenty-one (21) Business Days", "at least three years"."""

from __future__ import annotations

from coditect.language.tables import WordTable, read_table

__all__ = ["BOUND", "COUNT", "MAYBE_SPACE", "MOST_SPACE", "PERIOD", "SPACE", "UNIT", "phrases"]

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
