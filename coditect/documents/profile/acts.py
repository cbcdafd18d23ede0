"""The days that an act of law gives for itself: on which it was made, and from which it applies.

The day stands behind the act's title ("Directive … of 3 May 2024 on …") or behind the place where it was signed ("Done at …,
3 May 2024"); from when it applies is said among its last provisions, which may stand on its last page. What applies from a day of
its own ("Article 4 shall apply from …") and what is quoted to amend another act say nothing of the act itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date

from coditect.documents.profile.guess import Guess
from coditect.language.patterns.deferred import deferred
from coditect.language.quantities.dates import find_dates
from coditect.language.tables import read_table

__all__ = ["guess_dates_of_act"]

_PROFILES = read_table("profiles")
_KIND = "|".join(word.capitalize() for word in (*_PROFILES.words("law"), "decision", "decisions"))
_TITLE = deferred(
    rf"(?:^|\n)[ \t*#]*(?:[A-Z][\w-]*[ \t]+){{0,3}}(?:{_KIND}|{_KIND.upper()})\b[^\n.;]{{0,200}}"
    r"\n{0,2}[^\n.;]{0,12}\b(?:of|dated)\s+(?:the\s+)?\Z"
)
_DONE = deferred(r"(?:^|\n)[ \t]*Done[ \t]+(?:at|in)[ \t]+[^\n.;\d]{2,60}?,?[ \t]*(?:on[ \t]+)?(?:the[ \t]+)?\Z")
_ITSELF = rf"(?:This|These|The[ \t]+present)[ \t]+(?:{_KIND}|{'|'.join(_PROFILES.words('law'))})"
_APPLIES = deferred(
    rf"(?:{_ITSELF}|(?<=[.;]\s)It|(?<=\n)It)\s+(?:(?:shall|will)\s+)?(?:(?:enters?|comes?)\s+into\s+force[^.;\n]{{0,160}}?\band\s+(?:shall\s+)?)?"
    r"(?P<verb>appl(?:y|ies)|be\s+applicable|is\s+applicable|(?:enters?|comes?)\s+into\s+(?:force|operation|effect)|takes?\s+effect|has\s+effect|have\s+effect)"
    r"\s+(?:as\s+)?(?:from|on|of|as\s+of)\s+(?:the\s+)?\Z"
)
_CUES = (
    "apply from",
    "applies from",
    "applicable from",
    "into force",
    "into operation",
    "into effect",
    "effect from",
    "effect on",
)
_BEFORE = 320
"""Code points before a day in which the words stand that say what happens on it."""

_HEAD = 3_000
"""Code points from the beginning within which the title stands."""

_QUOTES = '‘“"«'


def guess_dates_of_act(text: str) -> dict[str, Guess]:
    """Days by field: "date" and "effective_from", as far as the act tells them.

    Args:
        text: canonical, whole.
    """
    found: dict[str, Guess] = {}
    made = next(_days(text, _TITLE, 0, min(len(text), _HEAD)), None)
    signed = text.rfind("\nDone ")
    if made is None and signed >= 0:
        made = next(_days(text, _DONE, signed, min(len(text), signed + _BEFORE)), None)
    if made is not None:
        found["date"] = made
    applies = [each for at in _cued(text) for each in _days(text, _APPLIES, max(0, at - _BEFORE), at + _BEFORE)]
    if applies:
        # What enters into force on one day and applies from a later one binds nobody before the later.
        found["effective_from"] = max(applies, key=lambda each: (each.value, -each.start))
    return found


def _cued(text: str) -> Iterator[int]:
    """Where words stand with which an act says from when it binds."""
    for cue in _CUES:
        at = text.find(cue)
        while at >= 0:
            yield at
            at = text.find(cue, at + len(cue))


def _days(text: str, pattern: re.Pattern[str], start: int, end: int) -> Iterator[Guess]:
    """Days of a stretch behind words that say what happens on them, which nobody quotes."""
    for mark in find_dates(text, start, min(len(text), end)):
        iso = str(mark.data.get("iso") or "")
        words = pattern.search(text, max(0, mark.start - _BEFORE), mark.start)
        if words is None or not _is_day(iso):
            continue
        begin = words.start() + len(words[0]) - len(words[0].lstrip())
        if text[max(0, begin - 6) : begin].rstrip(" \n\t0123456789.)(")[-1:] not in tuple(_QUOTES):
            yield Guess(iso, "text", text[begin : mark.end], begin, mark.end)


def _is_day(iso: str) -> bool:
    try:
        return len(iso) == len("2026-01-31") and date.fromisoformat(iso) is not None
    except ValueError:
        return False
