"""Section numbers without any sign behind them, as acts of many countries print them: "3 (1) A keeper must", "14 Keys".

Such a number looks like any other at a line's start. It is a section's where it is one of a row: the numbers count up from 1,
each on a line of its own behind a sentence or a title that has ended, and most of them have a sentence or a subsection behind
them. A row may begin at any number that has its first part behind it or right below: "34(1) A keeper must" above "(2) A clerk
may", "3 Keys" above "3.1 A keeper must".
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from coditect.documents.source import Block
from coditect.documents.structure.labels import BARE, INSERTED, NUMBERED_RANK, LabelCandidate, LabelReading, parse_label
from coditect.language.patterns.places import line_matches

__all__ = ["bare_headings", "bare_numbers"]

_NUMBER = re.compile(
    r"(?:\A|(?<=\n))[ \t\xa0]{0,40}(?P<mark>\*?)(?P<label>(?P<number>[1-9][0-9]{0,3})(?P<letter>[A-Z]{0,2}))"
    r"(?P<gap>[ \t\xa0]{1,8}|(?=\((?:1|a|A|i)\)[ \t\xa0])|(?P<below>[ \t\xa0]*\n\s{0,40})(?=\(1\)[ \t\xa0]))"
    r"(?=\((?:1|a|A|i)\)|[A-Z\"“‘\[])(?P<rest>[^\n]{0,400})"
)
# The second subsection on a line of its own, behind the first of a section.
_SECOND = re.compile(r"\n[ \t\xa0]*\(2\)[ \t\xa0]")
_LONGEST_SUBSECTION = 4_000
_ALONE = re.compile(r"\s*(?P<label>(?P<number>[1-9][0-9]{0,2})(?P<letter>[A-Z]{0,2}))\s*")
_MARKED = re.compile(r"\((?:1|a|A|i)\)")
_MARKED_BELOW = re.compile(r"[ \t\xa0]*\n\s*\((?:1|a|A|i)\)[ \t\xa0]")
_ENDED = re.compile(r"[.;:!?—–)\]\"”’]\s*\Z|\n[ \t\xa0]*\n\s*\Z|\A\s*\Z")
_LONGEST_TITLE = 100
_LEAST = 3
"""Numbers that a row must have."""
_MOST_DIGITS = 2
_LEAST_OF_ALL = 2
"""The same where they are all headings of their level and count from 1."""
_FEWEST_COUNTED = 2
"""Numbers of a row behind which one that is far from them is no section's, but of words that an act puts into another one."""
_LARGEST_GAP = 3
_LONG = 10
_LARGEST_GAP_OF_LONG = 20
"""Sections that may be missing, repealed or reserved, in a row of some length: "25" and "30"."""
_SENTENCE_WORDS = 7
_SENTENCE_BELOW = re.compile(
    r"[ \t\xa0]*\n\s*(?=[A-Z\"“‘(])(?:(?:\S+[ \t\xa0]+){6}|[^\n]{1,200}[.;:—–][ \t\xa0]*(?:\n|\Z))"
)
_BEGINS_BELOW = re.compile(r"[ \t\xa0]*\n\s*[A-Z\"“‘(\[]")
_MONTH = re.compile(r"(?:January|February|March|April|May|June|July|August|September|October|November|December)\b")


@dataclass(slots=True)
class _Row:
    """Numbers that count up."""

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
        for found in line_matches(_NUMBER, text, start, end):
            if _MONTH.match(found["rest"]) or not _stands_apart(text, found.start("mark")):
                continue
            number = int(found["number"])
            if row is not None and _holds(text, found):
                _take_back(text, row, number)
            if row is not None and _goes_on(row, number, found["letter"]):
                row.last = number
                row.found.append(found)
            elif number == 1 or (_opens_row(text, found) and (row is None or len(row.found) < _FEWEST_COUNTED)):
                row = _Row(number, [found])
                done.append(row)
    candidates: list[LabelCandidate] = []
    for each in done:
        if _are_sections(text, each):
            titled = _are_titled(text, each)
            for found in each.found:
                is_title = titled or _holds(text, found)
                candidates += _candidates(text, found, _title_end(text, found) if is_title else 0)
    return candidates


def bare_headings(text: str, blocks: Sequence[Block]) -> dict[int, LabelCandidate]:
    """The numbers without a sign with which headings of the format begin, by the heading's first code point.

    They count up from 1 through the document, and are most of the headings of their level: "26 Parties must try to agree".
    """
    headings = [block for block in blocks if block.marks_section]
    found: dict[int, LabelCandidate] = {}
    for level in sorted({block.level for block in headings}):
        beside = [block for block in headings if block.level == level]
        numbers = [_NUMBER.match(text, block.start, block.end) for block in beside]
        first = numbers[0]
        # Below the title of a paper a row may begin anywhere where every heading has a number: an excerpt.
        is_excerpt = first is not None and level > 1 and len(first["label"]) <= _MOST_DIGITS and all(numbers)
        row = _Row(int(first["number"]) - 1 if first is not None and is_excerpt else 0)
        for block, number in zip(beside, numbers, strict=True):
            alone = _ALONE.fullmatch(text, block.start, block.end)
            if alone is not None:
                found[block.start] = _alone(alone)
            if number is not None and _goes_on(row, int(number["number"]), number["letter"]):
                row.last = int(number["number"])
                row.found.append(number)
        least = 1 if is_excerpt else _LEAST_OF_ALL
        are_all = len(row.found) == len(beside) >= least and (is_excerpt or row.found[0]["label"] == "1")
        if are_all or (len(row.found) >= _LEAST and len(row.found) * 2 > len(beside)):
            found.update((each.start("mark"), _candidates(text, each)[0]) for each in row.found)
    return found


def _holds(text: str, found: re.Match[str]) -> bool:
    """Whether the first of a number's own parts stands right below its title: "3 Keys" above "3.1 The keeper"."""
    below = text[found.end() : found.end() + 20]
    return len(found["rest"]) <= _LONGEST_TITLE and re.match(rf"\s*\n\s*{found['number']}\.1\b", below) is not None


def _take_back(text: str, row: _Row, number: int) -> None:
    """Drop the last numbers of a row that hold nothing where one comes again that does: those before count rows of a table."""
    while len(row.found) > 1 and int(row.found[-1]["number"]) >= number and not _holds(text, row.found[-1]):
        row.found.pop()
    row.last = int(row.found[-1]["number"])


def _opens_row(text: str, found: re.Match[str]) -> bool:
    """Whether a number may be the first of a row, whichever it is."""
    return _has_first(text, found) or _holds(text, found)


def _has_first(text: str, found: re.Match[str]) -> bool:
    """Whether a number has its first subsection behind it or right below, and the second one on a line further down."""
    end = min(len(text), found.end() + _LONGEST_SUBSECTION)
    return found["rest"].startswith("(1)") and _SECOND.search(text, found.start("rest"), end) is not None


def _alone(found: re.Match[str]) -> LabelCandidate:
    """A heading that is a number and nothing else."""
    number, letter = int(found["number"]), found["letter"]
    reading = LabelReading(
        f"{INSERTED}{BARE}" if letter else BARE, (number, letter) if letter else (number,), NUMBERED_RANK
    )
    return LabelCandidate(found.start("label"), found.end("label"), found["label"], (reading,), "line")


def _goes_on(row: _Row, number: int, letter: str) -> bool:
    """Whether a number may be the next of a row."""
    gap = _LARGEST_GAP if len(row.found) < _LONG else _LARGEST_GAP_OF_LONG
    return row.last < number <= row.last + gap or (number == row.last and letter != "")


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
        is_title = len(rest) <= _LONGEST_TITLE and _SENTENCE_BELOW.match(text, found.end()) is not None
        is_note = rest.startswith("[")  # "[Repealed", "[Reserved]"
        said += bool(is_sentence or is_marked or is_title or is_note or _holds(text, found))
    # Such a number needs no row of three; alone on its line it may be that of a page.
    first = row.found[0]
    is_sure = _has_first(text, first) or _holds(text, first)
    least = 1 + (first["below"] is not None) if is_sure else _LEAST
    return len(row.found) >= least and said * 3 >= len(row.found) * 2


def _are_titled(text: str, row: _Row) -> bool:
    """Whether the lines of a row are titles, whatever their words are: "82 Officer may keep a thing" above "(1) The officer"."""
    return sum(_title_end(text, each) > 0 for each in row.found) * 3 >= len(row.found) * 2


def _title_end(text: str, found: re.Match[str]) -> int:
    """One past a number's line where it may be a title: short, without a stop, above a sentence or a first part; else 0."""
    rest = found["rest"].rstrip()
    if not rest or len(rest) > _LONGEST_TITLE or rest[-1] in ".;:,—–-" or rest[0] in "([":
        return 0
    end = found.start("rest") + len(rest)
    return end if _BEGINS_BELOW.match(text, end) or _holds(text, found) else 0


def _candidates(text: str, found: re.Match[str], title_end: int = 0) -> list[LabelCandidate]:
    """The number as a label, and the enclosed labels that follow it on its line."""
    number, letter = int(found["number"]), found["letter"]
    reading = LabelReading(
        f"{INSERTED}{BARE}" if letter else BARE, (number, letter) if letter else (number,), NUMBERED_RANK
    )
    candidates = [
        LabelCandidate(found.start("mark"), found.end("label"), found["label"], (reading,), "line", title_end)
    ]
    at = found.end("gap")
    while text.startswith("(", at) and (inner := parse_label(text[at : at + 12])) is not None:
        candidates.append(LabelCandidate(at, at + inner.end, inner.label, inner.readings, "line"))
        at += inner.end
        at += len(text[at : at + 4]) - len(text[at : at + 4].lstrip(" \t\xa0"))
    return candidates
