"""What the dates of documents say on a given day: superseded, not yet in force, expired, or past their review.

All is told from profiles: what a manifest states, or what a document says itself. A build knows the day; the days on which one of
these findings begins are known before, so that two days between which none of them lies give the same build (:func:`held_day`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import date, timedelta

from coditect.schemas import Profile, ProfileFact
from coditect.tiers.findings.said.statements import Statement
from coditect.tiers.findings.standing import Standings
from coditect.tiers.findings.tables import due_cells, due_lines

__all__ = ["TimelyFinding", "due_days", "find_timely", "held_day", "is_due", "places_of", "words_of"]

_DUE = re.compile(r"\b(?:next|due|expir\w*|until|deadline|plan\w*|target)\b", re.IGNORECASE)
_DAY = re.compile(r"\d(?<!\w\d)\d{3}-\d{2}-\d{2}\b")
_NEVER = date.max.isoformat()


@dataclass(frozen=True, slots=True)
class TimelyFinding:
    """What the dates of a document say.

    Attributes:
        kind: "superseded", "not_yet" (in force), "expired" or "overdue" (for review).
        document_id: the document.
        day: when it comes into force, expired, or was to be reviewed; "" for what is superseded.
        other_id: what has taken its place; "" where nothing has.
        facts: what this rests on, by document.
    """

    kind: str
    document_id: str
    day: str = ""
    other_id: str = ""
    facts: tuple[tuple[str, ProfileFact], ...] = ()


def find_timely(standings: Standings) -> list[TimelyFinding]:
    """What the dates of the documents say today, by kind and document; nothing but successions where no day is known."""
    found = []
    for succession in standings.superseded.values():
        found.append(
            TimelyFinding("superseded", succession.former, other_id=succession.successor, facts=succession.facts)
        )
    today = standings.today
    for document_id, profile in standings.profiles.items() if today else ():
        dates = (
            ("not_yet", profile.effective_from),
            ("expired", profile.effective_to),
            ("overdue", profile.next_review),
        )
        for kind, fact in dates:
            is_so = fact is not None and (today < fact.value if kind == "not_yet" else fact.value < today)
            # What is superseded or has expired need not be reviewed.
            if fact is not None and is_so and not (kind == "overdue" and standings.is_past(document_id)):
                found.append(TimelyFinding(kind, document_id, fact.value, facts=((document_id, fact),)))
    names = {each: version.name for each, version in standings.documents.items()}
    return sorted(found, key=lambda each: (_KINDS.index(each.kind), each.day, names.get(each.document_id, "")))


_FIRST = date.min.isoformat()


def places_of(
    finding: TimelyFinding, statements: Callable[[str], Iterable[Statement]]
) -> tuple[tuple[tuple[str, int], ProfileFact], ...]:
    """Where selected sentences hold the words that a finding rests on, with the fact; () where none does.

    Args:
        finding: what dates say.
        statements: the Tier 2 statements of a document.
    """
    found = []
    for document_id, fact in finding.facts:
        start, end = fact.char_start, fact.char_end
        if start is None or end is None:
            continue
        holding = next(
            (s for s in statements(document_id) if s.sentence.char_start <= start and end <= s.sentence.char_end), None
        )
        if holding is not None:
            found.append((holding.place, fact))
    return tuple(found)


def words_of(finding: TimelyFinding, standings: Standings) -> dict[str, str]:
    """What stands in a claim of a finding, by name."""
    words = {"document": standings.documents[finding.document_id].name, "day": finding.day}
    if finding.other_id:
        words["by"] = standings.documents[finding.other_id].name
    return {name: value for name, value in words.items() if value}


_KINDS = ("superseded", "not_yet", "expired", "overdue")


def due_days(text: str) -> tuple[str, ...]:
    """The days that lines of a text name together with a word for what is due, sorted, each once.

    Args:
        text: the canonical text; one row of a table is one line.
    """
    found: set[str] = set()
    read, is_due_line = 0, False
    for match in _DAY.finditer(text):
        if match.start() >= read:  # the first day of another line
            start = max(read, text.rfind("\n", read, match.start()) + 1)
            end = text.find("\n", match.end())
            read = len(text) if end < 0 else end + 1
            is_due_line = _DUE.search(text, start, read) is not None
        if is_due_line and is_due(match[0], _NEVER):
            found.add(match[0])
    lines = {*(due for _, due in due_lines(text)), *due_cells(text)}
    return tuple(sorted(found | {due for due in lines if is_due(due, _NEVER)}))


def is_due(day: str, today: str) -> bool:
    """Whether a day is one and lies before today."""
    try:
        return date.fromisoformat(day) is not None and day < today
    except ValueError:
        return False


def held_day(profiles: Iterable[Profile], today: str, due: Iterable[str] = ()) -> str | None:
    """The last day, up to today, on which something began to be in force, overdue or expired; None where nothing did.

    Args:
        profiles: of all documents.
        today: ISO 8601.
        due: further days on which something falls due or ends.
    """
    days = set(map(_after, due))
    for profile in profiles:
        if profile.effective_from is not None:
            days.add(profile.effective_from.value)
        ended = [fact.value for fact in (profile.effective_to, profile.next_review) if fact is not None]
        days |= {_after(day) for day in (*ended, *profile.due_days)}
        # Before it comes into force a document is "not yet" in force on whatever day: some day must be told.
        if profile.effective_from is not None and today < profile.effective_from.value:
            days |= {_FIRST, profile.told("date") or _FIRST}
    return max((day for day in days if day <= today), default=None)


def _after(day: str) -> str:
    found = date.fromisoformat(day)
    return day if found == date.max else (found + timedelta(days=1)).isoformat()
