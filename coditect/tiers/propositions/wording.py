"""The words of a statement with its resolutions put in: one pure function, so that anybody can check what was written."""

from __future__ import annotations

import re
from collections.abc import Sequence

from coditect.language.tables import read_table
from coditect.schemas.standalone import Resolution

__all__ = ["LEADS_ON", "worded"]

_COREFERENCE = read_table("coreference")

LEADS_ON = re.compile(rf"(?<!limited )\b(?:{_COREFERENCE.pattern('leads_on')})\s*\Z", re.IGNORECASE)
"""The end of a list stem whose items go on with its sentence."""

_BLANK = re.compile(r"\s+")
_ITEM_END = re.compile(r"\s*[;,]\s*(?:and/or|and|or)?\s*\Z", re.IGNORECASE)
_LEAD_END = re.compile(r"[\s:*–—-]+\Z")
_LOWERED = re.compile(rf"(?:{_COREFERENCE.pattern('determiners')})\s")


def worded(text: str, start: int, end: int, resolutions: Sequence[Resolution]) -> str:
    """A statement as it reads with its resolutions.

    White space is made single. Between a heading and its fragment stands " — ", behind a table's header ": ", behind a
    list stem a space where it leads on ("shall", "that") to a small letter, and else ": ". A possessive takes "'s" or "'". The
    first letter takes the case of what it replaces, an article's only. A list item loses ";" and "; and" at its end.

    Args:
        text: the canonical text.
        start: the statement's first code point.
        end: one past its last.
        resolutions: what is put in, ordered by place, not overlapping, all inside the statement.
    """
    parts: list[str] = []
    at = start
    for resolution in resolutions:
        parts.append(text[at : resolution.char_offset_start])
        at = resolution.char_offset_end
        parts.append(_lead(resolution, text[at : at + 1]) if resolution.kind == "list_lead" else _put(resolution))
    rest = text[at:end]
    if any(resolution.kind == "list_lead" for resolution in resolutions):
        rest = _ITEM_END.sub("", rest)
    parts.append(rest)
    return _BLANK.sub(" ", "".join(parts)).strip()


def _lead(resolution: Resolution, behind: str) -> str:
    """A list stem, with what joins it to an item that begins with this letter."""
    words = _LEAD_END.sub("", resolution.text)
    return words + (" " if LEADS_ON.search(words) and not behind.isupper() else ": ")


def _put(resolution: Resolution) -> str:
    """The words as they go into the statement, with what joins them to it."""
    words = resolution.text
    if resolution.kind == "table_header":
        return words + ": "
    if resolution.kind == "heading":
        return words.rstrip(" .:") + " — "
    if resolution.kind == "section":
        return " " + words
    if resolution.kind == "possessive":
        words += "'" if words.endswith("s") else "'s"
    if resolution.replaces[:1].isupper():
        return words[:1].upper() + words[1:]
    return words[:1].lower() + words[1:] if _LOWERED.match(words) else words
