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
from coditect.tiers.findings.conflicts.approvals import APPROVAL, ROLE
from coditect.tiers.findings.conflicts.assertions.definitions import DEFINITION
from coditect.tiers.findings.conflicts.assertions.limits import KEPT, LIMIT, bound_of
from coditect.tiers.findings.conflicts.assertions.places import PLACE
from coditect.tiers.findings.conflicts.entries import AGAINST, Entry
from coditect.tiers.findings.conflicts.figures import AMOUNT, DAY, NOTICE, SIZE
from coditect.tiers.findings.conflicts.parties import binds_other_party
from coditect.tiers.findings.conflicts.stances import HAVING
from coditect.tiers.findings.measures import canonical
from coditect.tiers.findings.standing import Standings

__all__ = ["Relation", "differ", "direction_of", "is_binding", "relation_of"]

Relation = Literal["conflict", "stricter"]
Direction = Literal["floor", "ceiling", ""]

_BOUNDS = read_table("bounds")
_LEAST = re.compile(rf"(?:{_BOUNDS.pattern('at least')})\W*(?:every|once|each|a|an|the|of)?\W*$", re.IGNORECASE)
_MOST = re.compile(rf"(?:{_BOUNDS.pattern('at most')})\W*(?:every|once|each|a|an|the|of)?\W*$", re.IGNORECASE)
_AHEAD = re.compile(rf"^\W*(?:\w+\W+){{0,3}}?(?:{_BOUNDS.pattern('before')})\b", re.IGNORECASE)
_LATER = re.compile(
    r"^\W*(?:or|and)\s+(?:an?y?\s+)?(?:later|higher|newer|above|greater)|^\W*as\s+(?:the|a)\s+minimum", re.IGNORECASE
)
_ONLY = re.compile(r"\b(?:only|solely|exclusively|no\s+(?:more|longer|later)\s+than)\b", re.IGNORECASE)
_WINDOW = 40
_FLOORS = frozenset(("at_least", "more_than"))
_CEILINGS = frozenset(("at_most", "less_than", "within"))
_DELETED = frozenset(("delet", "destroy", "eras", "remov", "dispos", "purg"))
_RETAINED = canonical("retain")
_STATING = frozenset(("policy", "standard", "procedure", "contract", "guidance"))
_STRICTNESS = {"must not": 2, "must": 2, "does not": 1, "may": 0, "need not": 0}
_WORDED = re.compile(r"\b(?:must|shall|has\s+to|have\s+to|is\s+required|are\s+required|required\s+to)\b", re.IGNORECASE)
"""Words by which a sentence itself is a duty, and not only what its document says is done."""

MOST_TIMES = 100.0
"""How many times one limit of an act may be another one; half an hour and six years are of two acts."""

SAME = 0.05
"""Share by which two times may differ and be the same: 30 days and a month."""


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


def differ(first: Entry, second: Entry, standings: Standings) -> bool:
    """Whether two entries on one matter say different things of which at least one binds.

    What is merely stated twice is no requirement that either could break; but a document of a house binds by what it states, and
    whoever destroys something after five years has kept it for the three that he must.
    """
    if first.kind == "modality":
        stances = frozenset((str(first.value), str(second.value)))
        # Of a thing that is had or used, only that it is spared is at odds with that it is required.
        return stances in AGAINST and (HAVING not in (first.head, second.head) or "must not" not in stances)
    if first.kind in (APPROVAL, ROLE):
        return _others_decide(str(first.value), str(second.value))
    if first.kind in (DAY, PLACE):
        return first.value != second.value and (is_binding(first, standings) or is_binding(second, standings))
    if first.kind == DEFINITION:
        return first.value != second.value and bool(first.value) and bool(second.value)
    if first.kind in ("deadline", "duration") and not _are_of_one_scale(first, second):
        return False  # within half an hour, and for six years
    if _is_same(first, second) or not (is_binding(first, standings) or is_binding(second, standings)):
        return False
    may = first.kind == "deadline" and first.strength == second.strength == "optional"
    if may and not (_is_capped(first) or _is_capped(second)):
        return False  # whoever may do a thing by two times is bound to neither; how long he may is an end to it
    ways = direction_of(first), direction_of(second)
    if set(ways) == {"floor", "ceiling"} and first.kind in ("duration", SIZE, AMOUNT, "count"):
        floor, ceiling = (first, second) if ways[0] == "floor" else (second, first)
        return _value(ceiling) < _value(floor)
    if first.kind in (SIZE, "version", "count") and "" in ways and ways != ("", ""):
        exact, bound = (first, second) if not ways[0] else (second, first)
        return _value(exact) > _value(bound) if direction_of(bound) == "ceiling" else _value(exact) < _value(bound)
    return True


def _are_of_one_scale(first: Entry, second: Entry) -> bool:
    """Whether two times can be limits of one act: neither is more than so many times the other."""
    low, high = sorted((_value(first), _value(second)))
    return high <= MOST_TIMES * low


def _is_same(first: Entry, second: Entry) -> bool:
    if first.value == second.value:
        return True
    if first.kind not in ("deadline", "duration", NOTICE):
        return False
    ours, theirs = _value(first), _value(second)
    return abs(ours - theirs) <= SAME * max(ours, theirs)


def _others_decide(ours: str, theirs: str) -> bool:
    """Whether none of two lists of roles is within the other; "the Board" and "the Board of Larch Ltd" are one."""
    first, second = ([frozenset(each.split()) for each in roles.split(" + ")] for roles in (ours, theirs))
    return not (_within(first, second) or _within(second, first))


def _within(some: Sequence[frozenset[str]], others: Sequence[frozenset[str]]) -> bool:
    return all(any(one <= other or other <= one for other in others) for one in some)


def is_binding(entry: Entry, standings: Standings) -> bool:
    """Whether an entry is a requirement: by its own words, or as what a policy, standard, procedure or contract says is done."""
    document_id = entry.statement.chunk.document_id
    return entry.strength != "stated" or standings.role(document_id) in _STATING


def _value(entry: Entry) -> float:
    return entry.value if isinstance(entry.value, float) else 0.0


def _agree(one: Entry, other: Entry, standings: Standings) -> bool:
    """Whether two statements can both be kept by whoever follows the one of lesser force."""
    if not differ(one, other, standings):
        return True
    strict = _stricter_of(one, other)
    if strict is None:
        return False
    loose = other if strict is one else one
    if strict.verb == "forbid":
        return False  # what a rule demands of agreements, an agreement that permits it breaks
    # What somebody else has promised to do later than is needed, nobody makes good by doing his own part sooner.
    others = [binds_other_party(each, standings) for each in (loose, strict)]
    if one.kind != "modality" and others[0] != others[1]:
        return others[1]
    if one.kind != "modality" and all(others) and standings.is_contract(strict.statement.chunk.document_id):
        return True  # what the house asks of such parties, this one has promised to do better
    high, low = (standings.rank(each.statement.chunk.document_id) for each in (loose, strict))
    # Where equals permit what the other of them prohibits, nobody knows which holds.
    if high != low or one.kind == "modality":
        return high > low
    above, below = (standings.place(each.statement.chunk.document_id) for each in (loose, strict))
    worded = [_WORDED.search(each.statement.sentence.text) is not None for each in (loose, strict)]
    if above >= below and worded == [True, False] and one.kind != "duration":
        return True
    if invites_more(loose):
        return above >= below
    # Of two documents of one house that keep the same thing for different times, neither says that the other may.
    return above > below and one.kind != "duration"


def _is_capped(entry: Entry) -> bool:
    """Whether a permission ends somewhere: "for at most three years", "only within two weeks"."""
    line, at = _located(entry)
    before = line[max(0, at - _WINDOW) : at] if at >= 0 else line
    return (
        _ONLY.search(line) is not None
        or comparator_before(line, 0, max(at, 0))[0] in _CEILINGS
        or _MOST.search(before) is not None
    )


def invites_more(entry: Entry) -> bool:
    """Whether a measure says of itself that it is the least or the most: "at least ten", "no less than six years"."""
    line, at = _located(entry)
    if at < 0:
        return False
    comparator = comparator_before(line, 0, at)[0] or or_more(line, at + len(entry.says), len(line))[0]
    if entry.kind == AMOUNT and comparator == "more_than":
        return False  # from which amount on something is asked for
    least = comparator in _FLOORS or _LEAST.search(line[max(0, at - _WINDOW) : at]) is not None
    return least or (comparator in ("at_most", "less_than") and entry.kind != "deadline")


def _stricter_of(one: Entry, other: Entry) -> Entry | None:
    """The one of two statements that fulfils the other; None where neither does, or nobody can tell."""
    if one.kind in (APPROVAL, ROLE, DAY, DEFINITION, PLACE):
        return None
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
    line, at = _located(entry)
    if at < 0:
        return ""
    before, behind = line[max(0, at - _WINDOW) : at], line[at + len(entry.says) :]
    comparator = comparator_before(line, 0, at)[0] or or_more(line, at + len(entry.says), len(line))[0]
    if entry.head == LIMIT and entry.kind != AMOUNT and (bound := bound_of(line, at, entry.says)):
        return bound
    if entry.kind in (AMOUNT, SIZE):
        return _bounds(entry, comparator, line[:at], before)
    if comparator in _FLOORS or _LEAST.search(before):
        return "floor"
    if comparator in _CEILINGS or _MOST.search(before):
        return "ceiling"
    match entry.kind:
        case "frequency":
            return "floor"
        case _ if entry.kind == NOTICE:
            return "floor"
        case "version":
            return "floor" if _LATER.match(behind) else ""
        case "deadline":
            return "" if _AHEAD.match(behind) else "ceiling"
        case "duration" if stem(entry.verb) in _DELETED:
            return "ceiling"
        case "duration" if entry.head == _RETAINED or (entry.head, entry.verb) == (LIMIT, KEPT):
            return "floor"
    return ""


def _bounds(entry: Entry, comparator: str, ahead: str, before: str) -> Direction:
    """The direction of an amount or a size: above what something is asked for, less is stricter; at least, more."""
    is_below = comparator == "less_than" or before.casefold().rstrip().endswith(_BELOW)
    if is_below and _NEGATED.search(before):
        return "floor"  # "must not fall below"
    if comparator in _CEILINGS or _MOST.search(before) or before.casefold().rstrip().endswith(_BELOW):
        return "ceiling"
    above = comparator == "more_than" or before.casefold().rstrip().endswith(_ABOVE)
    if above:
        return "ceiling" if entry.kind == AMOUNT or _NEGATED.search(ahead) else "floor"
    return "floor" if comparator in _FLOORS or _LEAST.search(before) else ""


_NEGATED = re.compile(r"\b(?:not|never|no)\b", re.IGNORECASE)
_ABOVE = tuple(_BOUNDS.phrases("more"))
_BELOW = tuple(_BOUNDS.phrases("less"))


def _located(entry: Entry) -> tuple[str, int]:
    """The sentence of an entry on one line, and where its measure stands there; -1 where it does not."""
    line = " ".join(as_matched(entry.statement.sentence.text).split())
    return line, line.find(entry.says)
