"""Which of two measures is the stricter: whoever keeps it keeps the other one, too.

A bound has a direction. A *floor* is kept by more (at least quarterly, at least 14 characters, kept for seven years), a *ceiling*
by less (within 24 hours, deleted after a year). Two floors, or two ceilings, on one matter are no contradiction by themselves: the
stricter fulfils the looser. They are one where the stricter stands in the document that prevails, since then whoever follows the
other falls short of it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import combinations
from typing import Literal

from coditect.language.matched import as_matched
from coditect.language.quantities.comparators import comparator_before, or_more
from coditect.language.tables import read_table
from coditect.language.terms import stem
from coditect.tiers.findings.measures import canonical
from coditect.tiers.findings.standing import Standings
from coditect.tiers.findings.statements import Entry

__all__ = ["Relation", "direction_of", "relation_of"]

Relation = Literal["conflict", "stricter"]
Direction = Literal["floor", "ceiling", ""]

_BOUNDS = read_table("bounds")
_LEAST = re.compile(rf"(?:{_BOUNDS.pattern('at least')})\W*(?:every|once|each|a|an|the|of)?\W*$", re.IGNORECASE)
_MOST = re.compile(rf"(?:{_BOUNDS.pattern('at most')})\W*(?:every|once|each|a|an|the|of)?\W*$", re.IGNORECASE)
_AHEAD = re.compile(rf"^\W*(?:\w+\W+){{0,3}}?(?:{_BOUNDS.pattern('before')})\b", re.IGNORECASE)
_LATER = re.compile(
    r"^\W*(?:or|and)\s+(?:an?y?\s+)?(?:later|higher|newer|above|greater)|^\W*as\s+(?:the|a)\s+minimum", re.IGNORECASE
)
_WINDOW = 40
_FLOORS = frozenset(("at_least", "more_than"))
_CEILINGS = frozenset(("at_most", "less_than", "within"))
_DELETED = frozenset(("delet", "destroy", "eras", "remov", "dispos", "purg"))
_RETAINED = canonical("retain")
_STRICTNESS = {"must not": 2, "must": 2, "may": 0, "need not": 0}


def relation_of(entries: Sequence[Entry], standings: Standings) -> Relation:
    """Whether statements on one matter are at odds, or each fulfils the looser ones that bind it.

    Args:
        entries: one for each document.
        standings: which of these documents prevails. Where nothing is known of any, as in generations of former releases, what
            differs is at odds.
    """
    if not standings.profiles:
        return "conflict"
    return "stricter" if all(_agree(a, b, standings) for a, b in combinations(entries, 2)) else "conflict"


def _agree(one: Entry, other: Entry, standings: Standings) -> bool:
    """Whether two statements can both be kept by whoever follows the one of lesser force."""
    if one.value == other.value:
        return True
    strict = _stricter_of(one, other)
    if strict is None:
        return False
    loose = other if strict is one else one
    high, low = (standings.rank(each.statement.chunk.document_id) for each in (loose, strict))
    # Where equals permit what the other of them prohibits, nobody knows which holds.
    return high > low if one.kind == "modality" else high >= low


def _stricter_of(one: Entry, other: Entry) -> Entry | None:
    """The one of two statements that fulfils the other; None where neither does, or nobody can tell."""
    if one.kind == "modality":
        a, b = _STRICTNESS[str(one.value)], _STRICTNESS[str(other.value)]
        return None if a == b else (one if a > b else other)
    direction = direction_of(one)
    if not direction or direction != direction_of(other):
        return None
    if not isinstance(one.value, float) or not isinstance(other.value, float):
        return None
    more, less = (one, other) if one.value > other.value else (other, one)
    return more if direction == "floor" else less


def direction_of(entry: Entry) -> Direction:
    """Whether a measure is kept by more of it, or by less; "" where its sentence does not say.

    What is only permitted or recommended bounds nothing.
    """
    if entry.strength not in ("mandatory", "stated"):
        return ""
    text = as_matched(entry.statement.sentence.text)
    line = " ".join(text.split())
    at = line.find(entry.says)
    if at < 0:
        return ""
    before, behind = line[max(0, at - _WINDOW) : at], line[at + len(entry.says) :]
    comparator = comparator_before(line, 0, at)[0] or or_more(line, at + len(entry.says), len(line))[0]
    if comparator in _FLOORS or _LEAST.search(before):
        return "floor"
    if comparator in _CEILINGS or _MOST.search(before):
        return "ceiling"
    match entry.kind:
        case "frequency":
            return "floor"
        case "version":
            return "floor" if _LATER.match(behind) else ""
        case "deadline":
            return "" if _AHEAD.match(behind) else "ceiling"
        case "duration" if stem(entry.verb) in _DELETED:
            return "ceiling"
        case "duration" if entry.head == _RETAINED:
            return "floor"
    return ""
