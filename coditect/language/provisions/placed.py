"""Norms of composed readings: where each stands, whether it is a sentence of its own, and what minutes only tell."""

from __future__ import annotations

import re
from dataclasses import replace

from coditect.language.marks import JsonValue, Mark, sort_data
from coditect.language.norms.before.pronouns import told_by_pronoun
from coditect.language.norms.binding import NormReading
from coditect.language.provisions.composed import ComposedText, Place
from coditect.language.tables import read_table

__all__ = ["begins_itself", "clause_of", "held_by", "is_told_only", "mark_at", "named", "stands_behind"]

_FORESEEN = ("will", "will not", "has to", "is to", "cannot")
_MONTHS = "|".join(
    name for names in read_table("time").groups("months") for name in names if len(name) > 3 or name == "may"
)
_BY_DAY = re.compile(rf"by\s+(?:\d|(?:{_MONTHS})\s+\d)", re.IGNORECASE)
_SPEAKER = re.compile(r"\s*(?:we|I)\s*", re.IGNORECASE)


def is_told_only(text: str, reading: NormReading) -> bool:
    """Whether minutes and the like only tell what a clause says: what others will do, and headings that look like requests."""
    if reading.cue.modality == "imperative":
        return True
    if reading.cue.modality == "will" and _is_action(reading):
        return False  # "R. Okafor will draft a plan by 10 October": what a meeting asks of somebody
    speaker = _SPEAKER.fullmatch(text, reading.subject.start, max(reading.subject.start, reading.subject.end))
    return reading.cue.modality in _FORESEEN and speaker is None


def _is_action(reading: NormReading) -> bool:
    """Whether somebody who is named will do something by a day."""
    due = reading.mark.data.get("deadline")
    by_day = isinstance(due, dict) and _BY_DAY.match(str(due["text"])) is not None
    return reading.mark.kind == "obligation" and "actor" in reading.mark.data and by_day


def begins_itself(reading: NormReading, at: int) -> bool:
    """Whether a norm is a sentence of its own that begins at a place: the lead-in above adds nothing to it."""
    subject = reading.subject
    own = subject.role == "main" and subject.end > subject.start and subject.start >= at
    return own and (subject.start - at < 6 or clause_of(reading)[0] - at in range(-2, 6))


def held_by(mark: Mark, holder: str, *, asked: bool) -> Mark:
    """A request with whom a title above it names: "Staff responsibilities:"; what has a holder of its own keeps it.

    Args:
        mark: a norm of an item.
        holder: whom the title names; "they" of an item means him.
        asked: whether the item is a request, so that what it forbids is as well: "Do not copy the key".
    """
    if str(mark.data.get("actor", "")).lower() == "they":
        return replace(mark, data=sort_data({**mark.data, "actor": holder}))
    is_request = mark.data.get("modality") in (("imperative", "must not") if asked else ("imperative",))
    if not is_request or "actor" in mark.data:
        return mark
    return replace(mark, data=sort_data({**mark.data, "actor": holder}))


def mark_at(sentence: Place, reading: NormReading, composed: ComposedText) -> Mark | None:
    """A finding of a composed reading with the offsets of the document, told at a sentence; None where it has no place.

    Args:
        sentence: the span of the sentence.
        reading: a norm of the composed text.
        composed: the pieces of the document that were read as one.
    """
    first, last = sentence
    spans = composed.spans(*clause_of(reading))
    if not spans:
        return None
    data: dict[str, JsonValue | None] = dict(reading.mark.data)
    here = [span for span in spans if first <= span[0] < last] or spans[-1:]
    data["clause"] = {"end": here[0][1], "start": here[0][0]}
    if len(spans) > 1:
        data["spans"] = [{"end": stop, "start": begin} for begin, stop in spans]
    for name in ("deadline", "commencement", "frequency"):
        data[name] = _placed(data.get(name), composed)
    for name in ("further_deadlines", "further_frequencies"):
        further = data.get(name)
        if isinstance(further, list):
            data[name] = [part for each in further if (part := _placed(each, composed))] or None
    data = {name: value for name, value in data.items() if value is not None}
    return Mark(reading.mark.kind, first, last, sort_data(data), reading.mark.confidence)


def _placed(part: JsonValue | None, composed: ComposedText) -> JsonValue | None:
    """A time of a composed reading with its place in the document; None where it has none."""
    if not isinstance(part, dict):
        return None
    at = composed.spans(int(part["start"]), int(part["end"]))
    # "within: (a) 30 days": the place of a time in pieces is that of its longest piece.
    longest = max(at, key=lambda span: span[1] - span[0], default=None)
    return {**part, "start": longest[0], "end": longest[1]} if longest else None


def clause_of(reading: NormReading) -> Place:
    """The span of a norm's clause in the text that was read."""
    clause = reading.mark.data["clause"]
    return clause["start"], clause["end"]  # type: ignore[index,call-overload,return-value]


def named(mark: Mark, before: Mark, pronoun: str) -> Mark:
    """A norm whose holder is the pronoun that its sentence begins with, with whom the sentence before binds."""
    name = told_by_pronoun(mark, before) if mark.data.get("actor") == pronoun else None
    return mark if name is None else replace(mark, data=sort_data({**mark.data, "actor": name}))


def stands_behind(reading: NormReading, at: int) -> bool:
    """Whether a norm has its words of force and its subject in the words behind a list, which begin at ``at``; 0 for none."""
    return bool(at) and reading.cue.start >= at and reading.subject.start >= at and reading.subject.role == "main"
