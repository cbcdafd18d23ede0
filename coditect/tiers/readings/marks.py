"""From what a model told to what is stored: the fields that rules fill, in verbatim words; times are read by the rules' tables."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import cast

from coditect.language.definitions.marks import definition_mark
from coditect.language.marks import JsonValue, Mark, sort_data
from coditect.language.norms.limits.openings import Adjunct
from coditect.language.norms.limits.times import times_of
from coditect.language.norms.modality import find_cues
from coditect.language.norms.practices import PRESENT
from coditect.language.quantities.meaning import find_quantities
from coditect.tiers.readings.told import READ_BY, Place, ReadBy, ToldDefinition, ToldNorm, read_by_of

__all__ = ["CONFIDENCE", "definition_of", "norm_of"]

CONFIDENCE = 0.9
"""Of what a model read: that of rules with a plain modal verb. It says how the reading was made, and is no probability."""

_BE = re.compile(r"\bbe\s+(?:(?:\w+ly|also|first)\s+)?\Z", re.IGNORECASE)
_FARTHEST_BE = 40
_WORD = re.compile(r"[a-z]+")
_MODALS = ("shall", "must", "may", "will", "should")


def norm_of(text: str, sentence: Place, told: ToldNorm, by: ReadBy) -> Mark:
    """A norm as it is stored, told at a sentence.

    Args:
        text: the text as it is read.
        sentence: the span of the sentence, without white space at its edges.
        told: what a model told.
        by: who.
    """
    words = " ".join(text[start:end] for start, end in told.cue)
    modality, strength = _force(told, words)
    own = [span for span in told.spans if sentence[0] <= span[0] < sentence[1]] or list(told.spans[-1:])
    data: dict[str, JsonValue | None] = {
        "action": _action(text, told),
        "actor": told.holder or None,
        ("object" if told.passive else "subject"): told.subject or None,
        "clause": {"end": own[0][1], "start": own[0][0]},
        "modality": modality,
        "position": told.position if told.kind == "permission" else None,
        "strength": strength,
        "condition": _told(text, told.conditions),
        "exception": _told(text, told.exceptions),
        READ_BY: read_by_of(by, told.answer),
    }
    if len(told.spans) > 1:
        data["spans"] = [{"end": end, "start": start} for start, end in told.spans]
    data |= _times(text, told)
    return Mark(told.kind, *sentence, sort_data(data), CONFIDENCE)


def definition_of(told: ToldDefinition, by: ReadBy) -> Mark:
    """A definition as it is stored."""
    mark = definition_mark(*told.place, told.term, told.meaning, (), CONFIDENCE, told.form)
    return Mark(
        mark.kind, mark.start, mark.end, sort_data({**mark.data, READ_BY: read_by_of(by, told.answer)}), CONFIDENCE
    )


def _force(told: ToldNorm, words: str) -> tuple[str, str]:
    """The binding words in their plain form, and how binding they are."""
    strength = "optional" if told.kind == "permission" else "recommended" if told.recommended else "mandatory"
    if not words:
        if told.kind == "prohibition":
            return "must not", strength
        return (PRESENT if told.holder or told.subject else "imperative"), strength
    found = find_cues(words, 0, len(words))
    if len(found) == 1 and found[0].kind == told.kind:
        return found[0].modality, strength
    modal = next((word for word in _WORD.findall(words.lower()) if word in _MODALS), "")
    if modal and told.kind == "prohibition":
        return f"{modal} not", strength
    if told.position == "exemption":
        return "is not required to", strength
    return modal or " ".join(words.lower().split()), strength


def _action(text: str, told: ToldNorm) -> str:
    """What is done, of a passive with its "be", as rules have it: "be changed"."""
    first, words = told.action[0][0], " ".join(text[start:end] for start, end in told.action)
    before = _BE.search(text, max(0, first - _FARTHEST_BE), first) if told.passive else None
    return words if before is None else f"{text[before.start() : first]}{words}"


def _told(text: str, places: tuple[Place, ...]) -> JsonValue:
    words = list(dict.fromkeys(text[start:end] for start, end in places))
    return words[0] if len(words) == 1 else words or None


def _times(text: str, told: ToldNorm) -> dict[str, JsonValue | None]:
    """The times by their fields: read by the rules' own tables, each with the event that the model named."""
    spans = [each.place for each in told.times] + [*told.conditions]
    if not told.times:
        return {}
    low, high = min(start for start, _ in spans), max(end for _, end in spans)
    shown = text[low:high]
    limits = [Adjunct(each.kind, each.place[0] - low, each.place[0] - low, each.place[1] - low) for each in told.times]
    near = [mark for limit in limits for mark in find_quantities(shown, limit.start, limit.end)]
    found = times_of(shown, limits, near)
    triggers = {each.place[0]: each.trigger for each in told.times}
    fields: dict[str, JsonValue | None] = {}
    for name, value in found.items():
        parts = [_placed(cast("Mapping[str, JsonValue]", each), low) for each in _each(value)]
        if name != "frequency":
            parts = [sort_data({**each, "trigger": triggers.get(cast("int", each["start"]), "")}) for each in parts]
        fields[name] = parts or None if isinstance(value, list) else next(iter(parts), None)
    lasting = [text[slice(*each.place)] for each in told.times if each.kind == "duration"]
    return {**fields, "duration": lasting[0] if lasting else None}


def _each(value: JsonValue | None) -> Sequence[JsonValue]:
    return value if isinstance(value, list) else [] if value is None else [value]


def _placed(part: Mapping[str, JsonValue], low: int) -> dict[str, JsonValue]:
    """A time with its place in the document."""
    start, end = cast("int", part["start"]) + low, cast("int", part["end"]) + low
    return {**part, "start": start, "end": end}
