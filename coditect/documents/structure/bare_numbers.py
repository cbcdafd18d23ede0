"""Section numbers without any sign behind them, as acts of many countries print them: "3 (1) A keeper must", "14 Keys".

Such a number looks like any other at a line's start. It is a section's where it is one of a row: the numbers count up from 1, each
on a line of its own behind a sentence or a title that has ended, and most of them have a sentence or a subsection behind them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from coditect.documents.structure.labels import BARE, NUMBERED_RANK, LabelCandidate, LabelReading, parse_label

__all__ = ["bare_numbers"]

_NUMBER = re.compile(
    r"(?:\A|(?<=\n))[ \t\xa0]{0,40}(?P<mark>\*?)(?P<label>(?P<number>[1-9][0-9]{0,3})(?P<letter>[A-Z]{0,2}))(?P<gap>[ \t\xa0]{1,8})"
    r"(?=\((?:1|a|A|i)\)|[A-Z\"“‘\[])(?P<rest>[^\n]{0,400})"
)
_MARKED = re.compile(r"\((?:1|a|A|i)\)")
_MARKED_BELOW = re.compile(r"[ \t\xa0]*\n\s*\((?:1|a|A|i)\)[ \t\xa0]")
_ENDED = re.compile(r"[.;:!?—–)\]\"”’]\s*\Z|\n[ \t\xa0]*\n\s*\Z|\A\s*\Z")
_LONGEST_TITLE = 100
_LEAST = 3
"""Numbers that a row must have."""
_LARGEST_GAP = 3
_SENTENCE_WORDS = 7
_MONTH = re.compile(r"(?:January|February|March|April|May|June|July|August|September|October|November|December)\b")


@dataclass(slots=True)
class _Row:
    """Numbers that count up from 1."""

    last: int
    found: list[re.Match[str]] = field(default_factory=list)


def bare_numbers(text: str, spans: Sequence[tuple[int, int]]) -> list[LabelCandidate]:
    """The numbers of sections that have no sign behind them, in order, each with what is enclosed behind it: "3", "(1)".

    Args:
        text: the canonical text.
        spans: the stretches that are searched, half-open, in order.

    Returns:
        Candidates at a line's start, for the sequence to place. Time is linear in the text.
    """
    done: list[_Row] = []
    row: _Row | None = None
    for start, end in spans:
        for found in _NUMBER.finditer(text, start, end):
            if _MONTH.match(found["rest"]) or not _stands_apart(text, found.start("mark")):
                continue
            number = int(found["number"])
            if row is not None and (
                row.last < number <= row.last + _LARGEST_GAP or (number == row.last and found["letter"])
            ):
                row.last = number
                row.found.append(found)
            elif number == 1:
                row = _Row(1, [found])
                done.append(row)
    kept = [found for each in done if _are_sections(text, each) for found in each.found]
    return [each for found in kept for each in _candidates(text, found)]


def _stands_apart(text: str, at: int) -> bool:
    """Whether what stands before has ended: a sentence, a title, or nothing."""
    before = text[max(0, at - _LONGEST_TITLE - 20) : at]
    if _ENDED.search(before):
        return True
    line = before.rstrip(" \t\xa0").rstrip("\n").rpartition("\n")[2].strip()
    return len(line) <= _LONGEST_TITLE and line[:1].isupper() and not line.endswith((",", "-"))


def _are_sections(text: str, row: _Row) -> bool:
    """Whether a row is long enough, and most of its numbers have a sentence, a subsection, or a title above one behind them."""
    said = 0
    for found in row.found:
        rest = found["rest"].rstrip()
        is_sentence = len(rest.split()) >= _SENTENCE_WORDS
        is_marked = _MARKED.match(rest) or _MARKED_BELOW.match(text, found.end())
        is_note = rest.startswith("[")  # "[Repealed", "[Reserved]"
        said += bool(is_sentence or is_marked or is_note)
    return len(row.found) >= _LEAST and said * 3 >= len(row.found) * 2


def _candidates(text: str, found: re.Match[str]) -> list[LabelCandidate]:
    """The number as a label, and the enclosed labels that follow it on its line."""
    path: tuple[int | str, ...] = (int(found["number"]),)
    reading = LabelReading(BARE, (*path, found["letter"]) if found["letter"] else path, NUMBERED_RANK)
    candidates = [LabelCandidate(found.start("mark"), found.end("label"), found["label"], (reading,), "line")]
    at = found.end("gap")
    while text.startswith("(", at) and (inner := parse_label(text[at : at + 12])) is not None:
        candidates.append(LabelCandidate(at, at + inner.end, inner.label, inner.readings, "line"))
        at += inner.end
        at += len(text[at : at + 4]) - len(text[at : at + 4].lstrip(" \t\xa0"))
    return candidates
