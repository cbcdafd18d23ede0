"""Headings that are cited by a code, in running text: "AC-2(7) Privileged accounts", "CC6.1 Access", "204.7303 Procedures.".

A code looks like a name with a number ("COVID-19"), or like an amount. It is a heading's where it is one of a row: several codes of
one family, each with a title behind it, alone on lines of their own. Codes of numbers alone are those of a code of laws whose parts
leave out sections: what holds "204.7303" is its part, 204, and "204.7303-2" is inside of it; those of towns have a chapter of more
digits and fewer behind it: "1361.07 HEIGHT.". In a supplement with official comments
the code is that of the paragraph commented on: "10(e)(1) Credit".
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from itertools import pairwise

from coditect.documents.structure.labels import CODE_RANK, LabelCandidate, LabelReading
from coditect.documents.structure.series.beginnings import is_apart
from coditect.language.patterns.places import line_matches

__all__ = ["coded_headings"]

_CODED = re.compile(
    r"(?:\A|(?<=\n))[ \t\xa0]{0,40}(?P<label>(?P<family>[A-Z]{2,5}(?:\.[A-Z]{2,3})?|[A-Z](?=-[0-9]{1,3}(?:\([A-Z]\))?[—–]))"
    r"(?P<sign>-?)"
    r"(?P<number>[0-9]{1,3}(?:\.[0-9]{1,3}){0,3})"
    r"(?:\((?P<inside>[0-9]{1,3})\))?(?:\([A-Z]\))?)(?:[ \t\xa0]*[:.–—-]?[ \t\xa0]{1,8}|[—–])"
    r"(?P<title>[A-Z][^\n]{2,160}?)[ \t\xa0]*(?=\n|\Z)"
)
_NUMBERED = re.compile(
    r"(?:\A|(?<=\n))[ \t\xa0]{0,40}(?P<label>(?P<family>[0-9]{1,3}|(?P<long>[0-9]{4,5}))"
    r"\.(?P<number>(?(long)[0-9]{2,4}|[0-9]{3,4})(?:-[0-9]{1,4}){0,3}))\.?"
    r"[ \t\xa0]{1,8}(?=(?P<title>[A-Z\"“\[(][^\n]{0,80}))"
)
# A title in capitals, at a line's end or behind a full stop, as no amount has.
_CAPITALS = re.compile(r"[A-Z][A-Z \t,;&'’/()-]{3,}(?:\.|\Z)")
# What a commentary is on, above its comments: "10(e)(1) Credit", "Paragraph 9(a)(3)."
_COMMENTED = re.compile(
    r"(?<=\n)[ \t\xa0]{0,40}(?P<label>(?:Paragraph |Comment )?[0-9]{1,4}(?:\([A-Za-z0-9]{1,5}\)){1,6})\.?"
    r"(?:[ \t\xa0]{1,4}[—–-]?[ \t\xa0]{0,2}[A-Z][^\n]{2,110}?)?[ \t\xa0]*(?=\n|\Z)"
)
_SUPPLEMENT = re.compile(r"(?:\A|\n)[ \t\xa0]{0,40}Supplement [IVX]{1,4} to Part [0-9]{1,4}\b", re.IGNORECASE)
_LONGEST_STOPPED = 7
"""Words of a heading that ends with a stop, the label among them, at most: a longer one is a sentence."""
_LONG = 4
"""Digits of such a part, at least."""
_SECTION_NEXT = re.compile(r"[^\n]{0,200}\n\s*§")
_LEAST = 3
"""Headings that a family must have."""
_LEAST_NUMBERED = 5
"""The same where a code is numbers alone, as amounts are."""
_LEAST_LONG = 3
"""The same where its part has four digits or more, as those of municipal codes have: "1361.07"."""


def coded_headings(text: str, spans: Sequence[tuple[int, int]]) -> list[LabelCandidate]:
    """The codes that headings on lines of their own begin with, in order.

    Args:
        text: the canonical text.
        spans: the stretches that are searched, half-open, in order.

    Returns:
        Candidates at a line's start, for the sequence to place. Time is linear in the text.
    """
    families: dict[tuple[str, str], list[LabelCandidate]] = defaultdict(list)
    for start, end in spans:
        for found in line_matches(_CODED, text, start, end):
            if not found["sign"] and "." not in found["number"]:
                continue
            if found["title"].endswith((".", ";", ",", ":")) or not is_apart(text, found.start("label")):
                continue
            numbers = [int(part) for part in found["number"].split(".")]
            path = (*numbers, int(found["inside"])) if found["inside"] else tuple(numbers)
            reading = LabelReading(f"code {found['family']}:{len(path)}", path, CODE_RANK)
            candidate = LabelCandidate(found.start("label"), found.end("label"), found["label"], (reading,), "line")
            families[found["family"], found["sign"]].append(candidate)
    kept = [each for row in families.values() if len({c.label for c in row}) >= _LEAST for each in row]
    return sorted([*kept, *_numbered(text, spans), *_commented(text, spans)], key=lambda each: each.start)


def _commented(text: str, spans: Sequence[tuple[int, int]]) -> list[LabelCandidate]:
    """Headings of a supplement with official comments that name the paragraph commented on, alone on a line of their own."""
    found_at = list(_SUPPLEMENT.finditer(text))
    if not found_at:
        return []
    # In a list of contents the sections stand behind its name.
    supplement = next((each for each in found_at if not _SECTION_NEXT.match(text, each.end())), found_at[-1])
    kept = []
    for start, end in spans:
        for found in _COMMENTED.finditer(text, max(start, supplement.end()), end):
            line = found[0].rstrip()
            is_sentence = line.endswith(".") and len(line.split()) > _LONGEST_STOPPED
            if is_apart(text, found.start("label")) and line[-1] not in ";,:" and not is_sentence:
                reading = LabelReading("code comment", (found["label"],), CODE_RANK)
                kept.append(
                    LabelCandidate(found.start("label"), found.end("label"), found["label"], (reading,), "line")
                )
    return kept


def _numbered(text: str, spans: Sequence[tuple[int, int]]) -> list[LabelCandidate]:
    """Headings whose code is numbers alone; most of a family come behind the one before them, as the sections of a code do."""
    families: dict[str, list[LabelCandidate]] = defaultdict(list)
    titled: Counter[str] = Counter()
    for start, end in spans:
        for found in line_matches(_NUMBERED, text, start, end):
            if not is_apart(text, found.start("label")):
                continue
            path = tuple(int(part) for part in found["number"].split("-"))
            reading = LabelReading(f"code {found['family']}:{len(path)}", path, CODE_RANK)
            candidate = LabelCandidate(found.start("label"), found.end("label"), found["label"], (reading,), "line")
            families[found["family"]].append(candidate)
            titled[found["family"]] += bool(found["long"] and _CAPITALS.match(found["title"].rstrip()))
    return [
        each for family, row in families.items() if _counts_up(row, family, titled[family] == len(row)) for each in row
    ]


def _counts_up(row: Sequence[LabelCandidate], family: str, is_titled: bool) -> bool:
    """Whether the codes of a family are enough, and in order: of amounts at the beginning of lines hardly one follows another."""
    paths = [each.readings[0].path for each in row]
    steps = sum(first < second for first, second in pairwise(paths))
    least = 1 if is_titled else _LEAST_LONG if len(family) >= _LONG else _LEAST_NUMBERED
    return len(set(paths)) >= least and steps * 10 >= (len(paths) - 1) * 9
