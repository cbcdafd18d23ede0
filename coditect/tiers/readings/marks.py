"""From what a model told to what is stored: the fields that rules fill, in verbatim words; times are read by the rules' tables."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import cast

from coditect.language.definitions.marks import definition_mark
from coditect.language.marks import JsonValue, Mark, sort_data
from coditect.language.norms.limits.openings import Adjunct, AdjunctKind
from coditect.language.norms.limits.times import times_of
from coditect.language.norms.modality import find_cues
from coditect.language.norms.practices import PRESENT
from coditect.language.quantities.meaning import find_quantities
from coditect.tiers.readings.told import READ_BY, Place, ReadBy, ToldDefinition, ToldNorm, ToldTime, read_by_of

__all__ = ["CONFIDENCE", "definition_of", "norm_of"]

CONFIDENCE = 0.9
"""Of what a model read: that of rules with a plain modal verb. It says how the reading was made, and is no probability."""

_BE = re.compile(r"\bbe\s+(?:(?:\w+ly|also|first)\s+)?\Z", re.IGNORECASE)
_FARTHEST_BE = 40
_COUNTED = re.compile(r"(?:after|following)\s+(?:\d|\[)", re.IGNORECASE)
_RECURS = re.compile(r"(?:after|following)\s+(?:each|every)\b", re.IGNORECASE)
_FIELDS = {"further_deadlines": "deadline", "further_frequencies": "frequency"}
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
    if not told.times:
        return {}
    found: dict[str, list[dict[str, JsonValue]]] = {name: [] for name in ("deadline", "commencement", "frequency")}
    whole = [each for each in told.times if len(each.pieces) == 1]
    low = min((lo for lo, _ in (*told.conditions, *(each.place for each in whole))), default=0)
    high = max((hi for _, hi in (*told.conditions, *(each.place for each in whole))), default=0)
    limits = [(_kind(text, each), each.place[0] - low, each.place[1] - low) for each in whole]
    by_start = {each.place[0]: each for each in whole}
    for name, value in _read(text[low:high], limits):
        start, end = cast("int", value["start"]) + low, cast("int", value["end"]) + low
        each = by_start.get(start)
        if each is None:
            continue  # "within two days after each monthly visit": how often something else happens
        found[_told_as(name, each)].append({**value, "start": start, "end": end, "trigger": each.trigger})
    for each in told.times:
        if len(each.pieces) > 1:
            # "within:" and "two days" of an item are one time; its place is that of its longest piece.
            shown = " ".join(text[slice(*piece)] for piece in each.pieces)
            place: dict[str, JsonValue] = {"start": each.place[0], "end": each.place[1], "trigger": each.trigger}
            for name, value in _read(shown, [(_kind(text, each), 0, len(shown))]):
                found[_told_as(name, each)].append({**value, **place})
    sorted_by = {name: sorted(each, key=lambda part: cast("int", part["start"])) for name, each in found.items()}
    deadlines, begins, often = ([sort_data(part) for part in each] for each in sorted_by.values())
    lasting = [" ".join(text[slice(*piece)] for piece in each.pieces) for each in told.times if each.kind == "duration"]
    return {
        "deadline": next(iter(deadlines), None),
        "further_deadlines": deadlines[1:] or None,
        "commencement": next(iter(begins), None),
        "frequency": next(iter(often), None),
        "further_frequencies": often[1:] or None,
        "duration": lasting[0] if lasting else None,
    }


def _read(shown: str, times: Sequence[tuple[AdjunctKind, int, int]]) -> Iterator[tuple[str, dict[str, JsonValue]]]:
    """The times of some words, each as rules read it: by the name of its field, with offsets into the words."""
    limits = [Adjunct(kind, lo, lo, hi) for kind, lo, hi in times]
    near = [mark for limit in limits for mark in find_quantities(shown, limit.start, limit.end)]
    for name, value in times_of(shown, limits, near).items():
        for each in _each(value):
            yield _FIELDS.get(name, name), dict(cast("Mapping[str, JsonValue]", each))


def _kind(text: str, each: ToldTime) -> AdjunctKind:
    """What a time says: "after three days of frost" is a limit, and "after every alarm" recurs, whatever a model calls it."""
    if each.kind != "duration" and _RECURS.match(text, *each.place):
        return "frequency"
    return "deadline" if each.kind == "start" and _COUNTED.match(text, *each.place) else each.kind


def _told_as(name: str, each: ToldTime) -> str:
    """The field of a time: rules take "following a change" for a beginning; a model that calls it a limit has read what is due."""
    return "deadline" if name == "commencement" and each.kind == "deadline" else name


def _each(value: JsonValue | None) -> Sequence[JsonValue]:
    return value if isinstance(value, list) else [] if value is None else [value]
