"""What is read from a sentence of an agreement, and the words and lengths of time that its readers have in common."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from coditect.language.quantities.dates import find_dates
from coditect.language.quantities.durations import TIME_UNIT, duration_hours, normalise_unit
from coditect.language.quantities.numbers import NUMBER, parse_number
from coditect.language.tables import read_table
from coditect.schemas import AgreementField

__all__ = [
    "BLANK",
    "ENDING_BY_ITSELF",
    "OTHERS",
    "RECITAL",
    "SELF",
    "AgreementFact",
    "Length",
    "days_in",
    "lengths_in",
    "words_pattern",
]

_TABLE = read_table("agreements")

SELF = (
    r"(?:(?:this|the|said|such|present)\s+"
    r"(?:(?!(?:may|shall|will|can|must|is|are|has|have|to|of|by|in|and|under|for)\b)[\w&’'/“”\"-]+\s+){0,5}?"
    rf"(?:{_TABLE.pattern('kinds')})|this\s+(?-i:[A-Z]{{2,6}})\b)"
)
"""How an agreement names itself: "this Agreement", "the present Supply Contract", "this MOU"."""

BLANK = "not filled in"
"""What is said where an agreement has a blank, or somebody made the words unreadable."""

OTHERS = re.compile(
    r"\bsurviv|\bconfidential|\bwarrant(?:y|ies)\b|\bnon-compet|\bstatute of limitations", re.IGNORECASE
)
"""What else runs for a time in agreements: duties that outlive them, warranties, secrets."""

ENDING_BY_ITSELF = (
    r"(?:(?<=terminate\s)|(?<=terminates\s)|(?<=terminated\s)|(?<=expire\s)|(?<=expires\s)|(?<=lapse\s)|(?<=lapses\s)"
    r"|(?<=cease\s)|(?<=ceases\s)|(?<=end\s)|(?<=ends\s))automatic|automatic(?:ally)?\s+"
    r"(?:(?:be|become|and|or|immediately|without|any|further|prior|notice)\s+){0,5}"
    r"(?:terminat|expir|cancel|laps|ceas|ends?\b|ended|void|null|revert|convert)"
)
"""Where "automatically" belongs to an end, not to a renewal: "terminate automatically", "automatically expire"."""

RECITAL = re.compile(r"\W*(?:\w\.\s+)?whereas\b", re.IGNORECASE)
"""How a recital begins, which tells why an agreement was made."""

_LENGTH = re.compile(
    rf"(?<![\w.,$€£-])(?P<n>{NUMBER}|an?(?=\s+(?:year|month|week)\b))[\s-]*"
    rf"(?:(?:full|consecutive|additional|successive|further|more)[\s-]+)?{TIME_UNIT}",
    re.IGNORECASE,
)

_BEGIN = re.compile(
    r"(?:(?:effective|commencement|start|starting|signing|signature|execution|agreement|contract)\s+date"
    r"|date\s+(?:hereof|of\s+(?:this|the|its|execution|signature|signing)|first|on\s+which\s+(?:this|the)|indicated|above|set)"
    r"|its\s+(?:date|execution|signature|commencement)|execution|signature"
    r"|(?:\d|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)\w*\b)",
    re.IGNORECASE,
)
"""How agreements call the day on which they begin; a printed day is one, too."""

_THAT_DAY = re.compile(r"(?:that|such|said|this)\s+(?:date|day)", re.IGNORECASE)
"""A day that the sentence has named before."""


@dataclass(frozen=True, slots=True)
class Length:
    """A length of time as it is printed.

    Attributes:
        value: how many.
        unit: of day, week, month, quarter, year, ...: singular.
        start: first code point in the text that it was read from.
        end: one past the last.
    """

    value: float
    unit: str
    start: int
    end: int

    @property
    def hours(self) -> float:
        """The same in hours; a month is 30.4375 days."""
        return duration_hours(self.value, self.unit)

    def __str__(self) -> str:
        return f"{self.value:g} {self.unit}{'' if self.value == 1 else 's'}"


@dataclass(frozen=True, slots=True)
class AgreementFact:
    """One thing that a sentence says of its agreement.

    Attributes:
        field: what it is about.
        value: what it says of it, as one of the field's words ("automatic", "with consent"), a date, a place, or the event in the
            text's own words.
        start: first code point of the words that say it, in the sentence.
        end: one past the last.
        length: how long, where that is said.
        times: how often it may be renewed; None where that is not said.
        who: who may end it, in the text's own words.
        since: of a length, what it is counted from, in the text's own words; "" where that is not said.
        starts: the day on which it begins, ISO 8601, where the sentence names one.
        weight: how directly it is said, 1 to 4: of several sentences on one field the heaviest counts.
    """

    field: AgreementField
    value: str
    start: int
    end: int
    length: Length | None = None
    times: int | None = None
    who: str = ""
    since: str = ""
    starts: str = ""
    weight: int = 1

    @property
    def from_begin(self) -> bool:
        """Whether a length is counted from the day on which the agreement begins, by whatever name that day has."""
        named = _BEGIN.match(self.since) or (self.starts and _THAT_DAY.fullmatch(self.since))
        return bool(named) and " or " not in self.since


def words_pattern(entry: str) -> re.Pattern[str]:
    """The words of an entry of the table of agreements, whole, in any case."""
    return re.compile(rf"\b(?:{_TABLE.pattern(entry)})(?![\w-])", re.IGNORECASE)


def days_in(text: str, start: int, end: int) -> Iterator[tuple[str, int, int]]:
    """The whole calendar dates in a part of a text, in order: (ISO 8601, first code point, one past the last).

    Args:
        text: a sentence.
        start: first code point.
        end: one past the last.
    """
    for mark in find_dates(text, start, end):
        iso = str(mark.data.get("iso") or "")
        if len(iso) == len("2026-01-31"):
            yield iso, mark.start, mark.end


def lengths_in(text: str, start: int, end: int) -> Iterator[Length]:
    """The lengths of time in a part of a text, in order.

    Args:
        text: a sentence.
        start: first code point.
        end: one past the last.
    """
    for found in _LENGTH.finditer(text, start, end):
        said = found["n"].casefold()
        value = 1.0 if said in ("a", "an") else parse_number(found["n"])
        unit = normalise_unit(found["unit"])
        if value and unit:
            yield Length(value, unit, found.start(), found.end())
