"""Lists whose items take their modal from the words before them: "Employees must not:", "policy requires that"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from coditect.language.marks import Mark, sort_data
from coditect.language.norms.actors import Subject, find_subject
from coditect.language.norms.modality import Cue, find_cues
from coditect.language.norms.parts import read_norm

__all__ = ["ListStem", "inherit", "read_list_stem"]

# "The notice shall include: (a) a statement": what the item names is no act.
_NOUN_FIRST = re.compile(r"(?:the|an?|any|each|all|no|its|such|whether|if|where)\s", re.IGNORECASE)
_MARKER = re.compile(r"[\s\W]*(?:\(?(?:[a-z]|[ivx]{1,4}|[A-Z]|\d{1,2})[).]\s+|[-*•·]\s+)?")


@dataclass(frozen=True, slots=True)
class ListStem:
    """What the sentence before a list says of its items ("Employees must not:").

    Attributes:
        cue: its modal expression.
        actor: the span of its subject, empty when it has none.
        form: "verb" when the items are verb phrases, "clause" when they are whole clauses.
    """

    cue: Cue
    actor: tuple[int, int]
    form: str


def read_list_stem(text: str, start: int, end: int) -> ListStem | None:
    """What a sentence says of the list behind it: "policy requires that", "Employees must not:".

    Args:
        text: the canonical text.
        start: the sentence's first code point.
        end: one past its last.

    Returns:
        The lead, or None when no list item can take its modal from here.
    """
    lo = max(start, end - 600)
    tail = text[lo:end].rstrip(" \t\n*")
    if not tail.endswith((":", " that", " shall", " must", "—", "–")):
        return None
    cues = find_cues(text, lo, end)
    if not cues:
        return None
    cue = cues[-1]
    between = text[cue.end : lo + len(tail)].strip(" :*\n—–")
    form = "clause" if re.search(r"\bthat$", between) else "verb"
    if len(between.split()) > 6 or (
        form == "verb" and between and not re.search(r"following|ensure|not|also", between)
    ):
        return None
    subject = find_subject(text, start, cue.start, first=True)
    if subject.role == "subordinate":
        return None
    return ListStem(cue, (subject.start, subject.end), form)


def inherit(text: str, start: int, end: int, lead: ListStem, quantities: Sequence[Mark]) -> Mark | None:
    """A list item that has no modal of its own, read with its lead's.

    Args:
        text: the canonical text.
        start: the item's first code point.
        end: one past its last.
        lead: what the sentence before the list says.
        quantities: the item's own quantities.

    Returns:
        The finding, or None when the item says nothing.
    """
    marker = _MARKER.match(text, start, end)
    lo = marker.end() if marker else start
    if lead.form == "verb" and _NOUN_FIRST.match(text, lo, end):
        return None
    cue = replace(lead.cue, confidence=lead.cue.confidence - 0.15)
    subject = Subject(lo, lo, lo, "inherited")
    mark = read_norm(text, (start, end), replace(cue, start=lo, end=lo), subject, (lo, end), quantities)
    if mark is None or lead.form == "clause" or lead.actor[0] == lead.actor[1]:
        return mark
    return Mark(
        mark.kind, start, end, sort_data({**mark.data, "actor": text[lead.actor[0] : lead.actor[1]]}), mark.confidence
    )
