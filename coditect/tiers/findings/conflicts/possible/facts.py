"""What a sentence fixes, by family, so that two sentences can be seen to fix different things in whatever words.

A person reads what is found by it: figures count whatever they are of, and a time is told by any words that say when.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import get_args

from coditect.language.marks import Mark
from coditect.language.patterns.beginnings import quick
from coditect.language.quantities.dates import find_dates
from coditect.language.tables import read_table
from coditect.language.terms import terms
from coditect.schemas.conflict import DifferenceFamily
from coditect.tiers.findings.conflicts.approvals import deciders_of
from coditect.tiers.findings.conflicts.assertions.limits import GONE, KEPT, limits_of
from coditect.tiers.findings.conflicts.assertions.places import place_of
from coditect.tiers.findings.conflicts.assertions.tallies import tallies_of
from coditect.tiers.findings.conflicts.figures import figures_of, is_reviewed
from coditect.tiers.findings.conflicts.lines import line_of

__all__ = ["FEWEST_WORDS", "FactDifference", "SentenceFacts", "differences", "says_of_what", "sentence_facts"]

_FAMILIES: Mapping[str, DifferenceFamily] = {
    "frequency": "time",
    "deadline": "time",
    "duration": "time",
    "notice": "time",
    "role": "approval",
    **{each: each for each in get_args(DifferenceFamily)},
}
_ORDER = {each: number for number, each in enumerate(get_args(DifferenceFamily))}
_TIME: tuple[DifferenceFamily, str] = ("time", "")

_SIDES = frozenset(("before", "after"))

FEWEST_WORDS = 3
"""Words of a sentence that say of what it speaks; a line of document control ("Valid from: 1 March") has fewer."""

_OCCASIONS = read_table("occasions")
_PERIODS = _OCCASIONS.pattern("periods")
_VALID = quick(rf"\b(?:{_OCCASIONS.pattern('validity')})\b", re.IGNORECASE)
_OUTLASTING = frozenset((KEPT, GONE))
_KEEPS = frozenset((*read_table("limits").words("keeping"), *read_table("limits").words("doing_away")))
_WEEKDAYS = read_table("time").pattern("days_of_the_week")
_WHEN = quick(
    rf"\b(?:(?P<at_once>{_OCCASIONS.pattern('at_once')})|(?P<before>{_OCCASIONS.pattern('before')})|"
    rf"(?P<after>{_OCCASIONS.pattern('after')})|{_OCCASIONS.pattern('by_periods')}|"
    rf"(?:{_OCCASIONS.pattern('at')}) [a-z]+|"
    rf"(?:{_OCCASIONS.pattern('which')}) (?:(?:working|business) )?(?:{_PERIODS}|{_WEEKDAYS})|"
    rf"every [a-z]+ (?:{_PERIODS}))\b",
    re.IGNORECASE,
)
_APART = quick(
    rf"\b(?:{read_table('negation').pattern('negators')}|{_OCCASIONS.pattern('apart')})\b|n['’]t\b", re.IGNORECASE
)
_PERMITS = quick(rf"\b(?:{read_table('modality').pattern('permitting')})\b")
_LABELLED = quick(
    rf"\b(?P<noun>(?i:{read_table('places').pattern('labelled')})) (?P<label>(?!I\b)[A-Z]\d?|\d{{1,3}}[A-Z]?)(?![\w:%]|\.\d)"
)
""""Muster point B", which is another place than muster point C."""

_BOUND = quick(r"\b(?:no|not) (?:more|less|[a-z]+er) than\b", re.IGNORECASE)
"""\"No fewer than\" rules nothing out beside its figure."""

_NUMBER = quick(r"(?:\A|\|)\W*Nos?\b\.?(?=\s*[|:])|\b[Nn]os?\b\.?(?=\s*[A-Z]?\d)|\bNos?\.(?=\s*\|)")
"""\"No.\" that stands for a number: before one, and as the head of a column."""

_NAMED_BY_DAY = quick(r"\bdated(?:\s+as)?(?:\s+of)?(?:\s+the)?\s*\Z", re.IGNORECASE)
"""What stands before a day by which a paper is called: "the Agreement dated 1 March 2024"."""

_OPENS_A_PAPER = quick(
    r"\b(?:this|the\s+present)\s+(?:[\w-]+\s+){0,4}[^.;:]{0,80}?\b(?:made|entered\s+into|executed|concluded|dated)\b"
    r"[^.;]{0,80}\b(?:between|among(?:st)?|by\s+and|as\s+of|on\s+(?:the|this|\d)|effective)\b",
    re.IGNORECASE,
)
"""The preamble of an agreement or of its amendment: when it was made, and by whom, is said of itself alone."""


@dataclass(frozen=True, slots=True)
class SentenceFacts:
    """What a sentence fixes.

    Attributes:
        values: by family and what is counted or measured ("" where nothing more is known), each value with how it is printed.
        worded: whether the time is told by words alone ("before", "by the end of the month").
        apart: the word by which it rules something out, gives it to one alone or leaves it open; "" where it has none.
        lasting: "kept" where its time says how long something is there, "valid" where it says how long something holds good,
            "again" where it says how often something else is done; else "".
        permits: the word by which it allows something; "" where it has none.
    """

    values: Mapping[tuple[DifferenceFamily, str], Mapping[object, str]] = field(default_factory=dict)
    worded: bool = False
    apart: str = ""
    lasting: str = ""
    permits: str = ""

    def __bool__(self) -> bool:
        return bool(self.values or self.apart or self.permits)


@dataclass(frozen=True, slots=True)
class FactDifference:
    """In what two sentences differ.

    Attributes:
        family: what both of them fix.
        first: as printed in the first; "" where it has nothing of it.
        second: as printed in the second.
        exact: whether both are figures, days, persons or places, and not words that say when, or a negation.
    """

    family: DifferenceFamily
    first: str
    second: str
    exact: bool = True


@lru_cache(maxsize=1 << 14)
def sentence_facts(text: str) -> SentenceFacts:
    """What a sentence or a row of a table fixes; nothing where it has too few words to say of what.

    Args:
        text: as it stands in its document.
    """
    line = line_of(text)
    days = _days(line)
    if not _is_of_something(line, days) or _OPENS_A_PAPER.search(line):
        return SentenceFacts()
    values: dict[tuple[DifferenceFamily, str], dict[object, str]] = {}
    for mark in () if is_reviewed(line) else days:
        if _NAMED_BY_DAY.search(line, 0, mark.start):
            continue
        values.setdefault(("day", ""), {}).setdefault(str(mark.data["iso"]), line[mark.start : mark.end])
    for family, of, value, says in _fixed(line):
        values.setdefault((family, of), {}).setdefault(value, says)
    worded = _TIME not in values
    if worded:
        for each in _WHEN.finditer(line):
            values.setdefault(_TIME, {}).setdefault(each.lastgroup or each[0].casefold(), each[0])
    apart = _APART.search(_NUMBER.sub(" ", _BOUND.sub(" ", line)))
    permits = _PERMITS.search(line)
    return SentenceFacts(
        values,
        worded,
        "" if apart is None else apart[0],
        _lasting(line),
        "" if apart is not None or permits is None else permits[0],
    )


def _lasting(line: str) -> str:
    """Of which sort the time in a line is: how long something is kept or holds good, or how often another thing is done."""
    limits = [each for each in limits_of(line) if _FAMILIES[each.kind] == "time"]
    if any(each.of in _OUTLASTING for each in limits):
        return "kept"
    if _VALID.search(line):
        return "valid"
    again = bool(limits) and all(each.kind == "frequency" for each in limits)
    return "again" if again and _KEEPS.isdisjoint(line.casefold().split()) else ""


def says_of_what(text: str) -> bool:
    """Whether a sentence or a row of a table has words enough to say of what it speaks, its dates aside."""
    line = line_of(text)
    return _is_of_something(line, _days(line))


def _days(line: str) -> list[Mark]:
    """The dates of a line that are known to the day."""
    return [mark for mark in find_dates(line, 0, len(line)) if mark.data.get("iso")]


def _is_of_something(line: str, days: Sequence[Mark]) -> bool:
    words = line
    for mark in reversed(days):
        words = words[: mark.start] + words[mark.end :]
    return len({each for each in terms(words) if each.isalpha()}) >= FEWEST_WORDS


def _fixed(line: str) -> Iterator[tuple[DifferenceFamily, str, object, str]]:
    """(family, of what, value, as printed) of what is read as a figure, a day, somebody who decides, or a place."""
    for limit in limits_of(line):
        family = _FAMILIES[limit.kind]
        yield family, "" if family == "time" else limit.of, limit.value, limit.says
    for each in (*figures_of(line), *deciders_of(line), *place_of(line)):
        family = _FAMILIES.get(each.kind, "polarity")
        if family not in ("polarity", "amount", "size", "day"):  # amounts and sizes are limits, too
            yield family, "", each.value, each.says
    for match in _LABELLED.finditer(line):
        yield "place", match["noun"].casefold().removesuffix("s"), match["label"], match[0]
    for noun, says, number in tallies_of(line):
        yield "count", noun, number, says


def differences(first: SentenceFacts, second: SentenceFacts) -> tuple[FactDifference, ...]:
    """In what two sentences differ: what both of them fix with nothing in common; else which of them is apart.

    Args:
        first: of a sentence.
        second: of another.
    Returns:
        In the order of :data:`~coditect.schemas.conflict.DifferenceFamily`; empty where they may be followed together as
        far as this can be seen.
    """
    exact = not (first.worded or second.worded)
    # A badge holds good for a year and is checked monthly, and its record is kept for six.
    of_two_sorts = {first.lasting, second.lasting} in ({"kept", "valid"}, {"kept", "again"})
    beside = first.worded != second.worded  # "four hours" and "before loading" may well be one time
    found = [
        FactDifference(key[0], _printed(first.values[key]), _printed(second.values[key]), key[0] != "time" or exact)
        for key in sorted(first.values.keys() & second.values.keys(), key=lambda each: (_ORDER[each[0]], each[1]))
        if not first.values[key].keys() & second.values[key].keys()
        and not (key == _TIME and of_two_sorts)
        and not (key == _TIME and beside and (first if first.worded else second).values[key].keys() <= _SIDES)
    ]
    if found or bool(first.apart) == bool(second.apart):
        return tuple(found)
    return (FactDifference("polarity", first.apart, second.apart, exact=False),)


def _printed(values: Mapping[object, str]) -> str:
    return ", ".join(dict.fromkeys(values.values()))
