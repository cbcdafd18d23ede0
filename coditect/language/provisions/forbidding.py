"""Lists of what is not to be done: "What not to do:", "Avoid:", "Prohibited actions:" above requests or acts.

The lead-in turns its items around: "Leave a laptop in a car" below it is forbidden, and would be a duty without it. An item that
forbids by itself ("Never share it") stays what it is.
"""

from __future__ import annotations

import re
from dataclasses import replace

from coditect.language.marks import JsonValue, Mark
from coditect.language.norms.binding import NormReading, read_norms
from coditect.language.norms.cues import Cue
from coditect.language.norms.imperatives import find_denied, is_plain_verb
from coditect.language.norms.subjects import Subject
from coditect.language.provisions.composed import ComposedText, Place
from coditect.language.provisions.placed import clause_of, mark_at
from coditect.language.quantities.meaning import find_quantities

__all__ = ["forbidden_acts", "forbids"]

_PROHIBITED = (
    r"(?:strictly\s+)?(?:prohibited|forbidden|unacceptable|disallowed|banned|not\s+(?:allowed|permitted|acceptable))"
)
_FORBIDS = re.compile(
    r"[\W\d]*(?:(?P<when>(?:when|while|if|before|after|during|at|on|in)\s[^,;:]{1,120}),\s*)?(?:please\s+)?"
    r"(?:(?:do\s+not|don['’]t|never|(?P<avoid>avoid))(?:\s+(?:do\s+)?(?:any\s+of\s+)?(?:the\s+following|these)(?:\s+(?:things|mistakes))?)?"
    r"|(?:what|things)\s+(?:(?:(?:you|we|staff|employees|users|people)\s+)?(?:(?:must|should|may|can|are|is)\s+)?"
    r"not\s+(?:allowed\s+)?to\s+do|(?:you|we|staff|employees|users|people)\s+(?:must|should|may|can)\s?not\s+do|to\s+avoid)"
    r"|(?:the\s+)?(?:don['’]?ts|do[\s-]?nots)"
    rf"|(?:these\s+are\s+|the\s+following\s+(?:[a-z]+\s+)?(?:is|are)\s+)?{_PROHIBITED}"
    r"(?:\s+(?:actions?|activit(?:y|ies)|acts|conduct|behaviou?rs?|uses?|practices?|things))?)(?:\s*[:.…—–-]+)?\s*",
    re.IGNORECASE,
)
_NEVER = "Never "
"""Words that forbid, in whose company a request is read."""

_ACT = re.compile(r"[A-Za-z][a-z]+(?:ing)\b")
_END = re.compile(r"(?<![\s.;,])[\s.;,]*(?:\b(?:and|or)\s*)?\Z")
_CONFIDENCE = 0.55


def forbids(lead: str) -> bool:
    """Whether a lead-in or a heading says of nothing but what stands below it that it is not to be done."""
    return _FORBIDS.fullmatch(lead) is not None


def forbidden_acts(text: str, lead: Place, own: Place, sentence: Place, names: frozenset[str]) -> list[Mark]:
    """What an item forbids whose lead-in, or heading, forbids.

    Args:
        text: the canonical text.
        lead: where the lead-in or the heading stands.
        own: where the item's own words stand, without its marker.
        sentence: of the item, to be told at.
        names: words that the document writes with a capital wherever they stand.

    Returns:
        None of an item that forbids by itself, or names no act, and where the lead-in does not forbid.
    """
    found = _FORBIDS.fullmatch(text[slice(*lead)])
    composed = ComposedText(text, [lead], [own])
    at = composed.starts[-1]
    item = composed.text[at:]
    if found is None or at < len(_NEVER) or find_denied(item, 0, len(item)) is not None:
        return []
    if is_plain_verb(item.split(maxsplit=1)[0].lower()):
        readings = _requests(item, at, names)
    elif not found["avoid"] and _ACT.match(item):  # "Avoid sharing it" asks for that by itself
        readings = [_act(item, at)]
    else:
        return []
    when = found["when"] or ""
    marks = (mark_at(sentence, _with_lead(reading, when), composed) for reading in readings)
    return [mark for mark in marks if mark is not None]


def _requests(item: str, at: int, names: frozenset[str]) -> list[NormReading]:
    """The acts of a request that begins at a place of a text, read as what is never to be done."""
    said = _NEVER.rjust(at) + item[:1].lower() + item[1:]
    quantities = find_quantities(said, at, len(said))
    found = read_norms(said, at - len(_NEVER), len(said), quantities, names)
    return [_as_written(each, item) for each in found if each.mark.kind == "prohibition"]


def _as_written(reading: NormReading, item: str) -> NormReading:
    """A reading with the first letter of its act as the item has it."""
    action = str(reading.mark.data.get("action", ""))
    if item[:1] + action[1:] != item[: len(action)]:
        return reading
    return replace(reading, mark=replace(reading.mark, data={**reading.mark.data, "action": item[: len(action)]}))


def _act(item: str, at: int) -> NormReading:
    """An act that an item names: "Sharing a password"."""
    found = _END.search(item)
    end = at + (found.start() if found else len(item))
    data: dict[str, JsonValue] = {
        "action": item[: end - at],
        "clause": {"end": end, "start": at},
        "modality": "prohibited",
        "strength": "mandatory",
    }
    cue = Cue(at, at, "prohibition", "prohibited", "mandatory", _CONFIDENCE)
    return NormReading(Mark("prohibition", at, end, data, _CONFIDENCE), cue, Subject(at, at, at, "main"))


def _with_lead(reading: NormReading, when: str) -> NormReading:
    """A norm with the lead-in in its clause, and with the condition that the lead-in begins with."""
    data = {**reading.mark.data, "clause": {"end": clause_of(reading)[1], "start": 0}}
    if when:
        own = data.get("condition")
        data["condition"] = [when, *(own if isinstance(own, list) else [own])] if own else when
    return replace(reading, mark=replace(reading.mark, data=data))
