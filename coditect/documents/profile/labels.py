"""Dates, owner, edition and predecessor of a document, guessed from labels ("Next review due | 2026-02-10") and from prose.

A label begins a line, a cell or a sentence, and its value follows behind a colon, a bar, a tab or at once. Prose is read for a few
verbs that documents use of themselves: "is effective from", "dated as of", "supersedes version 2".
"""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Iterator
from datetime import date

from coditect.documents.profile.guess import Guess
from coditect.language.patterns.beginnings import quick
from coditect.language.patterns.deferred import deferred
from coditect.language.patterns.places import label_matches
from coditect.language.quantities.dates import find_dates
from coditect.language.tables import read_table

__all__ = ["guess_contract_date", "guess_dates", "guess_edition", "guess_owner", "guess_superseded"]

_PROFILES = read_table("profiles")
_BEGIN = r"(?:^|\||(?<=[.;])\s)[ \t*_#>-]*"
_BETWEEN = r"[*_]*[ \t]*(?P<mark>[:|\t：]|\s[-–]\s)?[ \t*_|:]*"
_WEEKDAY = rf"(?:(?:{read_table('time').pattern('days_of_the_week')}),?\s+)?(?:the\s+)?"


def _labelled(entry: str) -> re.Pattern[str]:
    return re.compile(rf"{_BEGIN}(?P<label>{_PROFILES.pattern(entry)})\b{_BETWEEN}", re.IGNORECASE | re.MULTILINE)


_DATED = {each: _labelled(each) for each in ("next_review", "effective_from", "effective_to", "dated")}
_ENDS = ("next_review", "effective_to")
"""Fields that a month fulfils with its last day: "Next review: May 2025"."""

_MONTH = deferred(r"(\d{4})-(0[1-9]|1[0-2])")
_OWNER = _labelled("owner")
_EDITION = _labelled("edition")
_VALUE = deferred(r"(?P<value>[^\n|;]{2,120}?)(?=\s*(?:\n|\||;|$|\.(?:\s|$)|\s{3}))")
_NUMBER = deferred(r"v?\.?(?P<value>\d{1,3}(?:\.\d{1,3}){0,3}[a-z]?)\b(?!-\d)", re.IGNORECASE)
_IN_NAME = deferred(
    r"(?<![A-Za-z])(?:v|ver|version|rev|edition)[ ._]?(?P<value>\d{1,3}(?:\.\d{1,2}){0,2})(?![\dA-Za-z])", re.IGNORECASE
)
_PROSE = {
    "effective_from": deferred(
        r"\b(?:this|these)\b[^.;\n]{1,80}\b(?:effective|in(?:to)?\s+(?:force|effect|operation))\s+"
        r"(?:as\s+of|as\s+from|from|on|since|date\s+is)?\s*(?:the\s+)?$",
        re.IGNORECASE,
    ),
    "effective_to": deferred(
        r"\b(?:this|the\s+present)\s+(?:[\w-]+\s+){1,3}(?:(?:shall|will)\s+)?(?:(?:ends?|expires?|terminates?|lapses?|runs|continues|remains\s+in\s+force|"
        r"is\s+(?:valid|in\s+force|effective))\b[^.;\n]{0,60}?\b)(?:on|until|to|at\s+the\s+end\s+of|through)\s+(?:and\s+including\s+)?(?:the\s+)?$",
        re.IGNORECASE,
    ),
    "next_review": deferred(
        r"(?:\b(?:next\s+review(?:ed)?|review\s+is\s+due)"
        rf"|\b(?:it|this|these|the\s+present|the\s+(?:{_PROFILES.pattern('reviewed')}))\b[^.;\n]{{0,60}}\bbe\s+reviewed)\b[^.;\n]{{0,40}}$",
        re.IGNORECASE,
    ),
}
_EFFECTIVE = deferred(r"effective|in(?:to)?\s+(?:force|effect|operation)|commenc", re.IGNORECASE)
_SUPERSEDES = quick(
    rf"\b(?:{_PROFILES.pattern('superseding')})\b[ \t]*[:|]?[ \t]*(?:the\s+)?"
    r"(?P<value>[^\n|.;]{2,140}(?:\.\d+[^\n|.;]{0,40})?)",
    re.IGNORECASE,
)
_INDEFINITE = deferred(rf"(?:{_PROFILES.pattern('indefinite')})\b", re.IGNORECASE)
_ITSELF = deferred(r"\b(?:this|these)\s+[^.\n]{2,60}$|^[ \t*_|-]*$|\bdocument\s*$", re.IGNORECASE | re.MULTILINE)
_CUE = deferred(
    r"\b(?:dated?|entered\s+into|made|executed|effective|as\s+of|on\s+this|this)\b[^.;:]{0,70}$", re.IGNORECASE
)
_OTHER_DAY = deferred(
    r"\b(?:prior\s+to|before|until|through|by|after|later\s+than|ending(?:\s+on)?|expir\w*(?:\s+on)?|terminat\w*(?:\s+on)?)\s+(?:the\s+)?$"
    r"|(?<!this )(?<!agreement )\b(?:letter|e-?mail|notice|order|proposal|quotation|offer|invoice|resolution|minutes"
    r"|prospectus|statement"
    r"|press\s+release|certificate)s?\s+(?:dated?|of)\s+(?:as\s+of\s+)?$",
    re.IGNORECASE,
)
"""In front of a day on which something else happens than that the contract is made: an end, or an earlier letter."""

_TWO_DAYS = deferred(
    rf"{_BEGIN}(?P<label>(?:effective|contract|agreement)\s+dates|(?:effective|contract)\s+period|period\s+of\s+validity)\b{_BETWEEN}",
    re.IGNORECASE | re.MULTILINE,
)
_JOINED = deferred(r"\s*(?:,|;|to|until|through|thru|and|[-–—])\s*(?:the\s+)?", re.IGNORECASE)
_DEFINED = deferred(r"[\s,]*\([^()]{0,60}[“\"']Effective\s+Date[”\"']", re.IGNORECASE)

_MOVED = deferred(
    r"[ \t]*[,;(–—-]?[ \t]*(?:(?:and|but|now|since|then)\s+)?(?:(?:has|had)\s+been\s+|was\s+|is\s+)?(?:now\s+)?"
    r"(?:moved|postponed|extended|prolonged|deferred|rescheduled|re-scheduled|put\s+(?:off|back)|brought\s+forward|changed)\s+"
    r"(?:to|until|till)\s+(?:the\s+)?",
    re.IGNORECASE,
)
"""Behind a day, what moves it to another one that follows."""

CONTROL_CHARS = 1_500
"""Characters from the beginning within which a line of document control stands."""

OWNER_CHARS = 80
AROUND = 120
"""Characters of an owner, at most; and around a date in which its verb is looked for."""


def guess_dates(head: str) -> dict[str, Guess]:
    """Dates by field ("date", "effective_from", "effective_to", "next_review"), each from the first words that tell one."""
    found: dict[str, Guess] = {}
    for entry, pattern in _DATED.items():
        field = "date" if entry == "dated" else entry
        told = list(_behind_labels(head, pattern, is_end=field in _ENDS))
        if told:
            # A history keeps the reviews that were done: what is still due is the last of them.
            found[field] = max(told, key=lambda each: each.value) if field == "next_review" else told[0]
    for mark in find_dates(head, 0, len(head)):
        iso = str(mark.data.get("iso") or "")
        for field, pattern in _PROSE.items():
            if (
                field not in found
                and _is_day(iso)
                and (cue := pattern.search(head, max(0, mark.start - AROUND), mark.start))
            ):
                found[field] = _guess(head, iso, cue.start(), mark.end)
    return found


def guess_contract_date(head: str, within: int) -> dict[str, Guess]:
    """When a contract was made, and from when it binds where it says that this is its effective date.

    Args:
        head: the beginning of the text.
        within: code points of it in which its preamble stands.
    """
    found = _between_days(head, within)
    for mark in find_dates(head, 0, min(within, len(head))):
        iso = str(mark.data.get("iso") or "")
        if not _is_day(iso):
            continue
        cue = _CUE.search(head, max(0, mark.start - AROUND), mark.start)
        alone = not head[: mark.start].rpartition("\n")[2].strip() and not head[mark.end :].partition("\n")[0].strip(
            " ,."
        )
        if (cue is None and not alone) or _OTHER_DAY.search(head, max(0, mark.start - AROUND), mark.start):
            continue
        begin = cue.start() if cue else mark.start
        found.setdefault("date", _guess(head, iso, begin, mark.end))
        defined = _DEFINED.match(head, mark.end)
        if defined or (cue and _EFFECTIVE.search(cue[0])):
            found.setdefault("effective_from", _guess(head, iso, begin, defined.end() if defined else mark.end))
            break
    return found


def _between_days(head: str, within: int) -> dict[str, Guess]:
    """From when and until when a contract binds, where a label tells both days: "Effective Dates: 1 May 2025, 30 April 2026"."""
    for label in _TWO_DAYS.finditer(head, 0, within):
        days = list(find_dates(head, label.end(), min(len(head), label.end() + AROUND)))[:2]
        isos = [str(each.data.get("iso") or "") for each in days]
        if (
            len(days) > 1
            and all(map(_is_day, isos))
            and isos[0] < isos[1]
            and not head[label.end() : days[0].start].strip(" \t:*_|")
            and _JOINED.fullmatch(head, days[0].end, days[1].start)
        ):
            start, end = _label_start(label), days[1].end
            return {
                "effective_from": _guess(head, isos[0], start, days[0].end),
                "effective_to": _guess(head, isos[1], start, end),
            }
    return {}


def guess_owner(head: str) -> Guess | None:
    """Who answers for the document, as a label says."""
    for label in label_matches(_OWNER, head):
        value = _VALUE.match(head, label.end()) if label["mark"] and not _is_row(head, label) else None
        if value is not None and value["value"][:1].isalpha() and len(value["value"]) <= OWNER_CHARS:
            words = value["value"].rstrip(" *_,/·•–-")
            return _guess(head, " ".join(words.strip(" *_").split()), _label_start(label), label.end() + len(words))
    return None


def guess_edition(name: str, head: str) -> Guess | None:
    """The document's version, as a label or the name of its file says."""
    for label in label_matches(_EDITION, head, 6_000):
        value = _NUMBER.match(head, label.end())
        if value is not None and not _is_row(head, label):
            return _guess(head, value["value"], _label_start(label), value.end())
    found = _IN_NAME.search(name.rsplit("/", 1)[-1])
    return None if found is None else Guess(found["value"], "file name", name)


def guess_superseded(head: str) -> tuple[Guess, ...]:
    """What the document says that it takes the place of."""
    found = []
    for match in _SUPERSEDES.finditer(head):
        line = head[max(0, match.start() - AROUND) : match.start()].rpartition("\n")[2]
        if _ITSELF.search(line) is None:
            continue  # something else supersedes, or may
        value = " ".join(match["value"].split()).strip(" *_|:,")
        if value and not _INDEFINITE.match(value):
            found.append(_guess(head, value, match.start(), match.end()))
    return tuple(found[:4])


def _behind_labels(head: str, pattern: re.Pattern[str], *, is_end: bool) -> Iterator[Guess]:
    """Dates that stand directly behind labels, in order; of a month, where something ends with it, its last day."""
    for label in label_matches(pattern, head):
        if _is_row(head, label):
            continue
        near = head[label.end() : label.end() + AROUND]
        opened = re.match(rf"\W{{0,6}}(?:{_WEEKDAY})", near, re.IGNORECASE)
        at = label.end() + (opened.end() if opened else 0)
        for mark in find_dates(head, label.end(), min(len(head), label.end() + AROUND)):
            iso = str(mark.data.get("iso") or "")
            day = _last_of_month(iso) if is_end else iso
            if mark.start <= at + 1 and _is_day(day):
                told = _guess(head, day, _label_start(label), mark.end)
                yield _moved(head, told) if is_end else told
            break


def _moved(head: str, told: Guess) -> Guess:
    """The day to which the same line moves one: "15 September 2026, moved to 15 September 2027 by the board"."""
    moved = _MOVED.match(head, told.end)
    if moved is None:
        return told
    line_end = head.find("\n", moved.end())
    for mark in find_dates(head, moved.end(), len(head) if line_end < 0 else line_end):
        day = _last_of_month(str(mark.data.get("iso") or ""))
        return _guess(head, day, told.start, mark.end) if mark.start == moved.end() and _is_day(day) else told
    return told


def _is_row(head: str, label: re.Match[str]) -> bool:
    """Whether a label stands in a row of a table of several columns, which tells of its row and not of the document.

    A line of document control tells of the document ("… | Version 4.3 | In force from 1 June 2025"): it stands among the first
    lines, each of its cells holds label and value, without a colon, and no other row says the same.
    """
    at = label.start("label")
    line = head[head.rfind("\n", 0, at) + 1 : at] + head[at:].partition("\n")[0]
    if line.count(" | ") < 2:
        return False
    rows = [each for each in head.splitlines() if each.count(" | ") > 1 and label["label"] in each]
    return bool(label["mark"]) or at > CONTROL_CHARS or len(rows) > 1


def _label_start(label: re.Match[str]) -> int:
    return label.start("label")


def _is_day(iso: str) -> bool:
    try:
        return len(iso) == 10 and date.fromisoformat(iso) is not None
    except ValueError:
        return False


def _last_of_month(iso: str) -> str:
    """The last day of what is only a month; anything else as it is."""
    found = _MONTH.fullmatch(iso)
    if found is None or not int(found[1]):
        return iso
    return f"{iso}-{monthrange(int(found[1]), int(found[2]))[1]:02}"


def _guess(head: str, value: str, start: int, end: int) -> Guess:
    end = start + len(head[start:end].rstrip())
    return Guess(value, "text", head[start:end], start, end)
