"""Tallies: how many persons, papers or voices an act needs, as a sentence says it: "two persons", "alone", "three quotations"."""

from __future__ import annotations

import re

from coditect.language.matched import as_matched
from coditect.language.patterns.beginnings import quick
from coditect.language.quantities.numbers import WORDS, parse_number
from coditect.language.tables import read_table
from coditect.language.terms import stem

__all__ = ["Tally", "tallies_of"]

Tally = tuple[str, str, float]
"""(head, as printed, how many)."""

_ACTS, _AGENTS = read_table("acts"), read_table("agents")
_PERSON = "person"
_PEOPLE = rf"(?:{_AGENTS.pattern('persons')})(?<=s)|people|men|women|person"
_LABEL = re.compile(r"\W*\d+(?:\.\d+)*[.)]?\s")
_BETWEEN = r"(?:(?!(?:of|and|or|the|in|to|for|by|with|on|at|from)\b)[a-z-]+\s+){0,2}?"
_COUNTED = quick(
    rf"(?<![\w.,/-])(?P<n>(?:{WORDS})|\d{{1,2}})\s+{_BETWEEN}(?:(?P<item>{_ACTS.pattern('needed_items')})|(?P<person>{_PEOPLE}))\b(?![-’'])",
    re.IGNORECASE,
)
_NAMED = quick(rf"\b(?:{_ACTS.pattern('needed_items')}|{_ACTS.pattern('being_there')})\b", re.IGNORECASE)
_ALONE = quick(
    rf"\b(?:{_ACTS.pattern('alone')})(?=\s*(?:[,.;)]|$|\b(?:if|when|where|unless|provided|only)\b))", re.IGNORECASE
)
_ACTING = re.compile(r"\b(?:may|can|must|shall|will|should|need|needs|never|not)\b", re.IGNORECASE)
_DENIED = re.compile(r"\b(?:not|never|no(?:body| one)|cannot)\b", re.IGNORECASE)
_PRESENT = re.compile(rf"\b(?:{_ACTS.pattern('being_there')})\b", re.IGNORECASE)
_MOST = 400
_MANY = 20
"""Characters of a sentence, and number of persons or papers, above which it is about something else."""


def tallies_of(text: str) -> tuple[Tally, ...]:
    """How many of what an act needs, as a sentence says; persons only where they have to be there or act together.

    Args:
        text: a sentence.
    """
    if len(text) > _MOST or " | " in text:
        return ()
    alone, named = _ALONE.search(text), _NAMED.search(text)
    if alone is None and named is None:
        return ()
    line = " ".join(as_matched(text).split())
    found: dict[str, Tally] = {}
    alone = _ALONE.search(line)
    if alone and _ACTING.search(line, 0, alone.start()):
        # "Must not enter alone" asks for another one.
        denied = _DENIED.search(line, 0, alone.start()) is not None
        found[_PERSON] = (_PERSON, alone[0], 2.0 if denied else 1.0)
    label = _LABEL.match(line)
    for match in _COUNTED.finditer(line, label.end() if label else 0):
        value = parse_number(match["n"])
        head = _PERSON if match["person"] else stem(match["item"].casefold())
        if value is None or not 0 < value <= _MANY or (head == _PERSON and not _PRESENT.search(line)):
            continue
        if head in found and found[head][2] != value:
            return ()  # of two numbers it is not plain which one is meant
        found[head] = (head, match[0], float(value))
    return tuple(found[head] for head in sorted(found))
