"""Which rows a register holds."""

from __future__ import annotations

import re
from dataclasses import dataclass

from coditect.errors import UsageError
from coditect.language.quantities.durations import duration_hours, normalise_unit, working_days_span
from coditect.language.tables import read_table
from coditect.schemas import RegisterKind, RegisterRow, Severity

__all__ = ["RegisterFilters", "hours_of", "is_in_working_days"]

_KINDS = read_table("divisions").mapping("kinds")
_SIGNS = ("§", "§§")
_KIND = re.compile(
    rf"(?P<word>{'|'.join(re.escape(each) for each in sorted(_KINDS, key=len, reverse=True) if ' ' not in each)})\.?(?=[(\d])"
)
_TIME = re.compile(
    rf"\s*(\d+(?:\.\d+)?)\s*(?:(?P<kind>{read_table('time').pattern('kinds_of_days')})\s+(?=days?\b))?(?P<unit>[a-zA-Z]+)\s*",
    re.IGNORECASE,
)
# "for no more than 90 days": the act has an end by then.
_UPPER = re.compile(
    r"(?:for\s+)?(?:(?:no|not)\s+(?:more|longer)\s+than|(?:a\s+)?(?:maximum|period)\s+(?:of\s+)?(?:not\s+exceeding|up\s+to)|up\s+to|at\s+(?:the\s+)?most|not\s+exceeding|a\s+maximum\s+of)\b",
    re.IGNORECASE,
)
_WORKING = frozenset(read_table("time").words("business_days"))


def hours_of(text: str) -> float:
    """A length of time that a person typed ("72 hours", "10d", "2 weeks", "3 business days"), in hours.

    A business day counts as one day, as it does in what registers hold; :func:`is_in_working_days` tells it apart.

    Raises:
        UsageError: it is none.
    """
    found = _TIME.fullmatch(text)
    unit = (
        normalise_unit(
            {"h": "hour", "d": "day", "w": "week", "m": "month", "y": "year"}.get(found["unit"], found["unit"])
        )
        if found
        else ""
    )
    if found is None or not unit:
        raise UsageError(
            "not a length of time",
            given=text,
            hint="Write a number and a unit: '72 hours', '10 days', '3 business days', '3 months'.",
        )
    return duration_hours(float(found[1]), unit)


def is_in_working_days(text: str) -> bool:
    """Whether a length of time that a person typed is one in business or working days."""
    found = _TIME.fullmatch(text)
    return found is not None and (found["kind"] or "").casefold() in _WORKING


def _at_most(row: RegisterRow, working: bool) -> float | None:
    """Within how many hours something is due at the latest; None where its deadline is no time.

    Days on which nobody works are not counted in a deadline of working days, so that it ends later by the calendar: two of
    them from a Friday on end on Tuesday. The weekends that it may span are added, holidays are not.
    """
    hours = row.deadline_hours
    return hours if hours is None or working or not row.deadline_in_working_days else working_days_span(hours)[1]


@dataclass(frozen=True, slots=True)
class RegisterFilters:
    """What the rows of a register have in common; what is empty restricts nothing.

    Attributes:
        kinds: statements of Tier 1 by kind, "claim", and "possible".
        forces: mandatory, recommended, optional, prohibited.
        actors: words of whoever acts, in any case; any of them.
        documents: names, or patterns of names with ``*``.
        topics: of Tier 3; statements that stand in what was gathered under them.
        locators: paths, each with what stands below it: 4.2 lets 4.2, 4.2.1 and 4.2(a) through, and not 4.20.
        words: words that the text holds, in any case; all of them.
        due_within: hours within which something is due, at most; a deadline in working days may span weekends.
        in_working_days: whether these hours are those of working days, in which deadlines of working days are then counted.
        severities: of claims.
        timed: only what has a deadline, a date, a frequency, or an upper limit of how long it lasts.
        in_force: leave out what stands in superseded, expired and not yet effective documents.
    """

    kinds: frozenset[RegisterKind] = frozenset()
    forces: frozenset[str] = frozenset()
    actors: tuple[str, ...] = ()
    documents: tuple[str, ...] = ()
    topics: tuple[str, ...] = ()
    locators: tuple[str, ...] = ()
    words: tuple[str, ...] = ()
    due_within: float | None = None
    in_working_days: bool = False
    severities: frozenset[Severity] = frozenset()
    timed: bool = False
    in_force: bool = False

    def take(self, row: RegisterRow) -> bool:
        """Whether a row belongs to the register; documents, topics and kinds are restricted before rows are made."""
        actor, text = row.actor.casefold(), row.text.casefold()
        return (
            (not self.forces or row.force in self.forces)
            and (not self.actors or any(each.casefold() in actor for each in self.actors))
            and (not self.locators or any(_below(row.locator, each) for each in self.locators))
            and all(each.casefold() in text for each in self.words)
            and (not self.severities or row.severity in self.severities)
            and self._is_soon(row)
            and (not self.timed or bool(row.deadline or row.due or row.frequency or _UPPER.search(row.duration)))
        )

    def _is_soon(self, row: RegisterRow) -> bool:
        """Whether something is due within the time that was asked for."""
        if self.due_within is None:
            return True
        hours = _at_most(row, self.in_working_days)
        return hours is not None and hours <= self.due_within


def _below(locator: str, path: str) -> bool:
    """Whether a locator is a path or stands below it; both without spaces, in any case.

    "§", "Sec." and "Section" are one word; a path without such a word is of any: 164.404 is § 164.404, too.
    """
    (kind, whole), (wanted, part) = _taken_apart(locator), _taken_apart(path)
    if wanted:
        whole, part = kind + whole, wanted + part
    elif not whole.startswith(part):
        whole = kind + whole
    return whole.startswith(part) and not (whole[len(part) :][:1].isalnum() and part[-1:].isalnum())


def _taken_apart(locator: str) -> tuple[str, str]:
    """(the word before the first number, in one form; the rest), without spaces and in small letters."""
    folded = re.sub(r"\s+", "", locator).casefold()
    found = _KIND.match(folded)
    if found is None:
        return "", folded
    word = found["word"]
    kind = _KINDS[word]
    return kind if word[:3] == kind[:3] or word in _SIGNS else word, folded[found.end() :]
