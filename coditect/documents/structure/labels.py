"""Clause labels: what "4.2.1", "(iv)", "§ 164.308(a)(1)" and "EXHIBIT A" may mean, and where they may stand.

A label can be read in more than one way: "(i)" is a letter after "(h)" and a roman numeral after "(a)". This module
lists the readings; :mod:`coditect.documents.structure.outline` chooses by the sequence in which they stand.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from coditect.documents.structure.markers import is_initial
from coditect.language.patterns.deferred import deferred
from coditect.language.tables import read_table

__all__ = [
    "BARE",
    "CODE_RANK",
    "CONTAINERS",
    "INSERTED",
    "LETTERED",
    "NUMBERED_RANK",
    "WHOLE",
    "LabelCandidate",
    "LabelReading",
    "candidates",
    "parse_label",
]

_DIVISIONS = read_table("divisions")
_ABBREVIATIONS = _DIVISIONS.mapping("abbreviations")

CONTAINERS = frozenset(_DIVISIONS.words("containers"))
"""Keywords that start numbering anew: what they hold is numbered within them."""

_RANKS = {division: int(rank) for division, rank in _DIVISIONS.mapping("ranks").items()}
NUMBERED_RANK = 5
"""The rank of "1.", "A." and "1.1"."""

_ENUMERATED_RANK = 6

CODE_RANK = 4
"""The rank of the code of a requirement: "AC-2", "CC6.1"."""

LETTERED = "lettered"
"""The style of a number whose first part has a letter, as appendices number: "A4.3.2"."""

BARE = "bare"
"""The style of a section's number that has no sign: "14 Keys" at a line's start."""

INSERTED = "inserted "
"""Before the style of the labels between which an amendment put a label: "(1A)", "(d.1)", "(a-1)", "29.20A"."""

WHOLE = "section of "
"""Before the name of a division, the style of a label that names it and a section of it: "Article I - Section 2"."""

_ROMAN = deferred(r"(x{0,4}(?:ix|iv|v?i{0,4}))\Z")
_ROMAN_DIGITS = {"i": 1, "v": 5, "x": 10}
_NUMERAL = deferred(r"[IVXLC]{1,7}\Z")
_PARENS = r"(?:\((?:[a-z]{1,7}|[A-Z]{1,4}|[0-9]{1,3})\)){0,6}"
_KEYWORDS = _DIVISIONS.pattern("labelled", space=" ")
_ALONE = "|".join(sorted(CONTAINERS))
_LABEL = deferred(
    rf"(?P<keyword>{_KEYWORDS}|{_KEYWORDS.upper()}|Sec\.|SEC\.|Art\.|ART\.)[ \t\xa0]{{1,4}}"
    rf"(?P<number>[0-9]{{1,4}}(?:[A-Z]?[.\-][0-9]{{1,4}}){{0,5}}[A-Z]?(?![0-9A-Za-z]){_PARENS}"
    r"|[IVXLC]{1,7}(?![A-Za-z0-9])|[A-Z]{1,2}(?:[.\-][0-9]{1,3})?(?![A-Za-z0-9])|(?<=Interp )(?:\([A-Za-z0-9]{1,4}\)){1,5})"
    rf"(?!\.(?:{_KEYWORDS})\b)[.:]?"
    r"|(?P<app>A(?:PP|pp)\.?[ \t\xa0]{0,2}(?P<app_number>[0-9]{1,2}[A-Z]?))(?![0-9A-Za-z.])[.:]?"
    rf"|(?P<alone>{_ALONE.upper()})(?=[ \t\xa0]*:?[ \t\xa0]*(?:\n|\Z))"
    r"|(?P<only>(?:Appendix|APPENDIX) (?:to|TO) (?:Subpart|Part|SUBPART|PART) [0-9A-Z]{1,5})(?![0-9A-Za-z])"
    r"|(?P<bracket>\[(?=§[^\]\n]{2,24}\]))?"  # "[§454F-10] Title": a number that an editor gave
    rf"§{{1,2}}[ \t\xa0]{{0,3}}(?P<paragraph>[0-9]{{1,5}}(?:[a-z]|[A-Z]{{1,2}}(?![A-Za-z]))?"
    rf"(?:[.\-][0-9]{{1,5}}(?:[a-z]|[A-Z]{{1,2}}(?![A-Za-z]))?){{0,4}}{_PARENS})(?(bracket)\])\.?"
    # "204.7303", "215.404-71-2": sections of a code whose parts leave out numbers, with a title or words behind
    r"|(?P<section>[0-9]{1,3}\.(?:[0-9]{4}|[0-9]{3}(?=-))(?:-[0-9]{1,4}){0,3})(?=[ \t\xa0]{1,8}[A-Z\"“\[(]|[ \t\xa0]*(?:\n|\Z))"
    rf"|(?P<dotted>[0-9]{{1,3}}(?:[A-Z]?\.[0-9]{{1,3}}){{1,6}}(?:(?P<behind>[A-Z]{{1,2}})(?![A-Za-z0-9])|{_PARENS}))(?:\.(?![0-9])|(?![0-9.,%/\-]))"
    r"|(?P<lettered>[A-Z][0-9]{1,2}(?:\.[0-9]{1,3}){1,4})(?![0-9A-Za-z.,%/\-])"
    rf"|(?P<module>[A-Z]{{2,5}}[ \t\xa0]{{1,2}}"
    rf"(?P<rule>[0-9]{{1,3}}[A-Z]?(?:\.[0-9]{{1,3}}[A-Z]?){{1,5}}(?P<decimal>(?<=\.[0-9]{{3}})[0-9])?{_PARENS}))(?![0-9.,%/\-])"
    r"|(?P<plain>[0-9]{1,3})(?P<after_plain>[.)])(?![0-9])"
    r"|\[?(?P<added>[0-9]{1,3}[A-Z]{1,2})\.(?=[ \t\xa0])"  # "[9A. Duties": what an amendment put in
    r"|\((?P<enclosed>[a-z]{1,7}|[A-Z]{1,4}|[0-9]{1,3})\)"
    r"|\((?P<between>[0-9]{1,3}(?:[A-Z]{1,2}|[.-][0-9]{1,2})|[a-z][.-][0-9]{1,2}|[a-z]{1,2}[A-Z])\)"
    r"|(?P<letter>[ivx]{1,7}|[IVX]{1,5}|(?P<once>[A-Za-z])(?P=once)?)(?P<after_letter>[.)])(?=[ \t\xa0\n]|\Z)"
)
# One white-space character before the label, so that a run of them is scanned once (linear), never from each of its
# characters. A label inside a line comes after a wide gap, or after the end of a sentence; a number with a capital
# behind it may follow a heading that has no full stop.
_PLACE = deferred(
    r"[\n\t \xa0](?:(?<=[\n\t])|(?<=[\s.;:].)|(?=[0-9]{1,3}\.(?:[0-9]{1,3}\.?)? {1,3}[\"“\[A-Z]))(?=[(\[§0-9A-Za-z])"
    f"(?:{_LABEL.pattern})"
)
# The first label inside of a number that it stands behind: it opens a clause, where a later one would be cited. British
# instruments have a dash between the two, "3.—(1) The keeper".
_FIRST_INSIDE = deferred(r"(?:[ \t\xa0]{1,3}|[—–-]{1,2}[ \t\xa0]?)(?=\((?:1|a|A)\)[ \t\xa0]{1,3}[A-Z\"“\[])")
# The same inside of a letter or number that is enclosed itself: "(a) (1) The keeper", "(B) (i) The keeper".
_FIRST_ENCLOSED = deferred(r"[ \t\xa0]{1,3}(?=(?:\((?:1|a|A|i|I)\)|[1ai][.)])[ \t\xa0]{1,3}[A-Z\"“\[])")
# The first label behind the title of the one before, which a dash ends: "(b) Timely action—(1) Individual's request."
_FIRST_BEHIND_TITLE = deferred(
    r"[ \t\xa0]{1,3}[A-Z][^.;\n()—–]{2,160}[—–][ \t\xa0]?(?=\((?:1|a|A|i|I)\)[ \t\xa0]{1,3}[A-Z\"“\[])"
)
_FIRST = deferred(r"\s?" + f"(?:{_LABEL.pattern})")
_SPACES = " \t\xa0"


@dataclass(frozen=True, slots=True)
class LabelReading:
    """One way to read a label: which sequence it belongs to, and its place in it.

    Attributes:
        style: labels of one sequence share it: "article", "dotted:2", "(a)", "(i)", "1.", ...
        path: its numbers, outermost first; letters and roman numerals counted from 1.
        rank: 0 for containers, 6 for "(a)"; a section holds sections of its own rank and above only.
    """

    style: str
    path: tuple[int | str, ...]
    rank: int


@dataclass(frozen=True, slots=True)
class LabelCandidate:
    """A place in the text where a clause may start.

    Attributes:
        start: first code point of the label.
        end: one past the label and its full stop.
        label: as printed, without the full stop.
        readings: every meaning, the likelier first.
        place: "line" at a line's start, "gap" after two or more spaces, "inline" after the end of a sentence.
        title_end: one past the title behind the label, where its row tells that there is one; 0 where its words have to.
    """

    start: int
    end: int
    label: str
    readings: tuple[LabelReading, ...]
    place: str
    title_end: int = 0


def _roman(text: str) -> int:
    """The value of a lower-case roman numeral up to 44, or 0."""
    if not text or not _ROMAN.match(text):
        return 0
    digits = [_ROMAN_DIGITS[c] for c in text]
    return sum(-d if d < max(digits[i:]) else d for i, d in enumerate(digits))


def _large_roman(text: str) -> int:
    values = {"I": 1, "V": 5, "X": 10, "L": 50, "C": 100}
    total = 0
    for i, c in enumerate(text):
        total += -values[c] if i + 1 < len(text) and values[text[i + 1]] > values[c] else values[c]
    return total


def _letters(text: str) -> int:
    """Position of "a" to "z" (1..26) and of the doubled "aa" to "zz" (27..52), or 0."""
    lower = text.lower()
    if len(lower) == 1:
        return ord(lower) - 96
    if len(lower) == 2 and lower[0] == lower[1]:
        return 26 + ord(lower[0]) - 96
    return 0


def _enumerated(text: str, form: str) -> tuple[LabelReading, ...]:
    """Readings of the letter, numeral or number inside ``form`` ("(%s)", "%s." or "%s)")."""
    rank = NUMBERED_RANK if form == "%s." and (text.isdigit() or text.isupper()) else _ENUMERATED_RANK
    if text.isdigit():
        return (LabelReading(form % "1", (int(text),), rank),)
    upper = text.isupper()
    found = []
    if letters := _letters(text):
        found.append(LabelReading(form % ("A" if upper else "a"), (letters,), rank))
    if roman := _roman(text.lower()):
        found.append(LabelReading(form % ("I" if upper else "i"), (roman,), rank))
    if len(found) == 2 and len(text) > 1:
        found.reverse()  # "ii" and "xx" are numerals far more often than doubled letters
    return tuple(found)


def _path(number: str) -> tuple[int | str, ...]:
    return tuple(int(p) if p.isdigit() else p for p in re.findall(r"[0-9]+|[A-Za-z]+", number))


def _keyword_readings(keyword: str, number: str) -> tuple[LabelReading, ...]:
    name = _ABBREVIATIONS.get(keyword.lower(), keyword.lower())
    rank = 0 if name in CONTAINERS else _RANKS[name]
    if number[0] == "(":  # "Interp (a)(1)": of the section around
        return (LabelReading(name, (number,), rank),)
    if number[0].isdigit():
        path = _path(number)
        return (LabelReading(name if len(path) == 1 else f"{name}:{len(path)}", path, rank),)
    found = []
    if _NUMERAL.match(number):
        found.append(LabelReading(name, (_large_roman(number),), rank))
    if letters := _letters(number[0] if "-" in number or "." in number else number):
        sub = re.search(r"[0-9]+", number)
        path = (letters, int(sub.group())) if sub else (letters,)
        found.append(LabelReading(f"{name} A:{len(path)}", path, rank))
    if rank == 0:
        found.reverse()  # "Exhibit C" is a letter, "Article C" a numeral
    return tuple(found)


def _readings(found: re.Match[str]) -> tuple[LabelReading, ...]:
    group = found.groupdict()
    if group["keyword"]:
        return _keyword_readings(group["keyword"], group["number"])
    if group["alone"]:
        return (LabelReading(f"{group['alone'].lower()} alone", (1,), 0),)
    if group["only"]:
        return (LabelReading("appendix alone", (1,), 0),)
    if group["app"]:
        return (LabelReading("appendix", _path(group["app_number"]), 0),)
    if group["paragraph"]:
        path = _path(group["paragraph"])
        return (LabelReading(f"§:{len(path)}", path, _RANKS["§"]),)
    if group["section"]:
        path = _path(group["section"])
        return (LabelReading(f"dotted:{len(path)}", path, NUMBERED_RANK),)
    if group["behind"]:
        path = _path(group["dotted"])
        return (LabelReading(f"{INSERTED}dotted:{len(path) - 1}", path, NUMBERED_RANK),)
    if group["dotted"]:
        path = _path(group["dotted"])
        return (LabelReading(f"dotted:{len(path)}", path, NUMBERED_RANK),)
    if group["lettered"]:
        path = (f"{group['lettered'][0]}.", *_path(group["lettered"][1:]))
        return (LabelReading(f"{LETTERED}:{len(path)}", path, NUMBERED_RANK),)
    if group["module"]:
        path = _path(group["rule"])
        if group["decimal"] and isinstance(path[-1], int):  # "432.2155" stands between "432.215" and "432.216"
            path = (*path[:-1], path[-1] // 10, int(group["decimal"]))
            return (LabelReading(f"{INSERTED}dotted:{len(path) - 1}", path, NUMBERED_RANK),)
        return (LabelReading(f"dotted:{len(path)}", path, NUMBERED_RANK),)
    if group["plain"]:
        return _enumerated(group["plain"], "%s" + group["after_plain"])
    if group["enclosed"]:
        return _enumerated(group["enclosed"], "(%s)")
    if group["between"]:
        return _between(group["between"], "(%s)", _ENUMERATED_RANK)
    if group["added"]:
        return _between(group["added"], "%s.", NUMBERED_RANK)
    return _enumerated(group["letter"], "%s" + group["after_letter"])


def _between(text: str, form: str, rank: int) -> tuple[LabelReading, ...]:
    """Readings of a label that was put behind another, inside of its form: the other one, and the place behind it."""
    found = re.fullmatch(r"([0-9]+|[a-z]+)[.-]?([0-9]+|[A-Z]+)", text)
    if found is None:
        return ()
    place = int(found[2]) if found[2].isdigit() else _letters(found[2][-1])
    return tuple(
        LabelReading(f"{INSERTED}{each.style}", (*each.path, place), rank) for each in _enumerated(found[1], form)
    )


def _candidate(found: re.Match[str], start: int, place: str) -> LabelCandidate | None:
    readings, text = _readings(found), found.string
    if not readings or (found["letter"] and is_initial(text, found["letter"], found.end())):
        return None
    end = found.end()
    label = text[start:end].rstrip(".:").strip("[]")
    return LabelCandidate(start, end, " ".join(label.split()), readings, place)


def candidates(text: str, start: int, end: int) -> Iterator[LabelCandidate]:
    """Every place in ``text[start:end]`` where a label stands as a label can stand, in order; linear time.

    Of a chain "(a)(1)" each part is a candidate of its own. Whether they are clauses is for the caller to decide.
    """
    position = start
    found = _FIRST.match(text, start, end)
    while found is not None or position < end:
        if found is None:
            found = _PLACE.search(text, position, end)
            if found is None:
                return
        label_start = found.start() + (1 if text[found.start()].isspace() else 0)
        place = _place(text, label_start, start)
        while found is not None:
            candidate = _candidate(found, label_start, place)
            if candidate is not None:
                yield candidate
            position = max(found.end(), position + 1)
            apart = _first_inside(text, position, end, candidate)
            if apart is not None:
                position = apart.end()  # "4.5.1 (1) The keeper"
            # "12(a)", "12 (a)", "12.(a)"
            is_chain = apart is not None or (text[position - 1] in ").:" and text.startswith("(", position))
            found = _LABEL.match(text, position, end) if is_chain else None
            label_start = position
        found = None


def _first_inside(text: str, start: int, end: int, candidate: LabelCandidate | None) -> re.Match[str] | None:
    """What stands between a label and the first one inside of it, on one line: blanks, or a title and a dash."""
    if candidate is None:
        return None
    if candidate.readings[0].rank <= NUMBERED_RANK:
        return _FIRST_INSIDE.match(text, start, end)
    if candidate.label[0] != "(":
        return None
    return _FIRST_ENCLOSED.match(text, start, end) or _FIRST_BEHIND_TITLE.match(text, start, end)


def _place(text: str, start: int, first: int) -> str:
    if start == first or text[start - 1] in "\n":
        return "line"
    before = start - 1
    limit = max(first, start - 200)
    while before >= limit and text[before] in _SPACES:
        before -= 1
    if before < first or text[before] == "\n":
        return "line"
    return "gap" if start - before > 2 or text[start - 1] == "\t" else "inline"


def parse_label(heading: str) -> LabelCandidate | None:
    """The label with which a heading starts, or None. Offsets are within ``heading``."""
    found = _FIRST.match(heading)
    if found is None:
        name = heading.strip()
        if name.lower() not in CONTAINERS:
            return None
        reading = LabelReading(f"{name.lower()} alone", (1,), 0)
        return LabelCandidate(heading.index(name), len(heading.rstrip()), name, (reading,), "line")
    start = 1 if heading[0].isspace() else 0
    return _candidate(found, start, "line")
