"""Matters: whether two entries are about the same thing, so that a difference between them is one.

Beside the words that two statements share, some things part them: whom something is told, for which amounts it holds, who is
bound, and a condition of the one that the other has not. A false conflict costs its reader more than a missed one, so whatever
parts two statements, or may, parts them.
"""

from __future__ import annotations

import re
from functools import lru_cache
from math import inf

from coditect.language.matched import as_matched
from coditect.language.patterns.deferred import deferred
from coditect.language.quantities.money import find_money
from coditect.language.reading.equivalents import can_stand_for
from coditect.language.reading.oppositions import poles
from coditect.language.reading.stems import canonical_stem
from coditect.language.tables import read_table
from coditect.language.terms import stem, terms
from coditect.tiers.findings.conflicts.apart.qualifiers import differ_in_qualifiers
from coditect.tiers.findings.conflicts.apart.standalone import is_standalone
from coditect.tiers.findings.conflicts.approvals import APPROVAL, ROLE, deciders_of
from coditect.tiers.findings.conflicts.assertions.definitions import DEFINITION
from coditect.tiers.findings.conflicts.assertions.limits import LIMIT
from coditect.tiers.findings.conflicts.assertions.places import PLACE
from coditect.tiers.findings.conflicts.assertions.rows import ROW, acts_around
from coditect.tiers.findings.conflicts.entries import Entry
from coditect.tiers.findings.conflicts.figures import AMOUNT, DAY, NOTICE, SIZE
from coditect.tiers.findings.conflicts.subjects import subject_of
from coditect.tiers.findings.measures import canonical
from coditect.tiers.findings.standing import NO_STANDINGS, Standings
from coditect.tiers.findings.tables import is_row

__all__ = ["NEAR", "VERY_NEAR", "are_parted", "least_needed", "likeness_needed", "may_be_of_one_matter"]

NEAR = {
    "modality": 0.36, APPROVAL: 0.45, "person": 0.2, ROLE: 0.3, AMOUNT: 0.36, SIZE: 0.4, DAY: 0.6, NOTICE: 0.1, DEFINITION: 0.0,
    PLACE: 0.3,
}  # fmt: skip
MEASURED = 0.23
VERY_NEAR = 0.45
NEVER = 1.1
"""What two statements must share of the weight of their words: of stances and approvals, of measures, and where their verbs are two
of handling one thing ("keep", "bring"); of other verbs nothing is enough. On the sample corpus, where words and pairs of words are
counted, pairs about one subject have 0.19 to 0.87, others less than 0.24 (benchmarks/coditect_benchmarks/planted.py)."""

_TELLING = canonical("notifi")
_ACTS, _CONDITIONS = read_table("acts"), read_table("conditions")
_TO = deferred(r"\bto\s+(?P<who>(?:the\s+|an?\s+|its\s+|their\s+)?[\w’'-]+(?:\s+(?:of\s+)?[\w’'-]+){0,3})")
_WHO = deferred(
    rf"(?P<who>(?:(?!(?:{_ACTS.pattern('behind_recipients')})\b)[\w’'-]+\s*){{1,6}}|(?:the\s+)?Heads?\s+of\s+[\w’'-]+)"
)
_HANDLING = frozenset(canonical(stem(word)) for word in _ACTS.words("handling"))
_MATTERS = read_table("matters")
_MOVES = frozenset(canonical_stem(stem(word)) for word in _MATTERS.words("moves"))
_SENDING = deferred(rf"(?:{_MATTERS.pattern('moves')})(?:s|es|ed|ting|ted)?|sent|given|made", re.IGNORECASE)
_GRADE = deferred(rf"\b(?:{_ACTS.pattern('grades')})\b", re.IGNORECASE)
_STOP = deferred(r"[,;]")
_TOLD_TO = frozenset(_ACTS.words("told_to"))
_CONCERNED = deferred(r"\s+(?:concerned|affected|involved|in\s+question)\Z")
_BEHIND = deferred(
    r"\b(?:within|in|without|immediately|at|by|before|after|if|when|where|no later|as soon)\b|[,;]", re.IGNORECASE
)
_FREE = deferred(
    rf"\b(?:{_CONDITIONS.pattern('if')}|{_CONDITIONS.pattern('unless')}|only|(?<!without the )(?<!without )(?:consent|approval))\b",
    re.IGNORECASE,
)
_ALWAYS = deferred(
    rf"\b(?:{_CONDITIONS.pattern('despite')}|at (?:its|their|his|her|your|our) (?:own )?discretion)\b", re.IGNORECASE
)
_EXCEPTION = deferred(r"\bexceptions?\b", re.IGNORECASE)
_TO_FILL_IN = deferred(r"<[^<>|]{3,120}>|\[[^\[\]|]{0,100}\be\.g\.[^\[\]|]{0,100}\]")
_DEROGATING = deferred(rf"\b(?:{_CONDITIONS.pattern('derogating')})\b", re.IGNORECASE)
_EXCEPTED = deferred(rf"\b(?:{_CONDITIONS.pattern('unless')}|only|consent|approval)\b", re.IGNORECASE)


def likeness_needed(first: Entry, second: Entry) -> float:
    """How alike the words of two entries must be, for them to be about one matter."""
    if not may_be_of_one_matter(first.kind, first.head, second.head):
        return NEVER
    if ROW in (first.head, second.head):
        return _needed_of_row(first, second)
    if not _same_act(first.head, second.head) and not (_names_act(first, second) or _names_act(second, first)):
        return VERY_NEAR if first.kind == "modality" else NEVER
    return NEAR.get(first.head if first.kind == "count" else first.kind, MEASURED)


def may_be_of_one_matter(kind: str, one: str, other: str) -> bool:
    """Whether two entries may be about one matter, as far as their heads tell it.

    Args:
        kind: of both.
        one: the head of one of them.
        other: that of the other one.
    """
    if one == other:
        return True
    if kind in _NAMED_ALIKE:
        return False
    if ROW in (one, other) or _same_act(one, other):
        return True
    verbs = {canonical_stem(one), canonical_stem(other)}
    return verbs <= _HANDLING if kind == "modality" else not verbs.isdisjoint(_MOVES)


def least_needed(entry: Entry) -> float:
    """What :func:`likeness_needed` gives at least for an entry and any other one of its kind."""
    return min(MEASURED, NEAR.get(entry.head if entry.kind == "count" else entry.kind, MEASURED))


_NAMED_ALIKE = frozenset((APPROVAL, ROLE, AMOUNT, SIZE, DAY, NOTICE, DEFINITION, PLACE))
"""Kinds of which two are compared only where their heads are the same."""


def _needed_of_row(first: Entry, second: Entry) -> float:
    """What a row must share with a sentence: the words by which it is called, and the act that it is about.

    A row that has no words in a row in common with the sentence speaks of nothing that could be told.
    """
    row, other = (first, second) if first.head == ROW else (second, first)
    acts = acts_around(row.statement)
    if other.head == ROW or not any(_same_act(other.head, act) for act in acts):
        return NEVER
    return MEASURED if subject_of(first, second) else NEVER


def _names_act(light: Entry, other: Entry) -> bool:
    """Whether a sentence tells by a noun what another tells by a verb: "submits the report", "the notification is sent"."""
    if light.kind == "modality" or canonical_stem(light.head) not in _MOVES:
        return False
    return any(_is_noun_of(word, other.head) for word in _nouns(light.statement.sentence.text))


_PREFIX = 5


@lru_cache(maxsize=1 << 16)
def _is_noun_of(noun: str, head: str) -> bool:
    """Whether a noun is of the verb's own group or derivation: "report" of "notify", "replacement" of "replace"; not a synonym."""
    return canonical(canonical_stem(noun)) == canonical(canonical_stem(head)) or noun[:_PREFIX] == head[:_PREFIX]


@lru_cache(maxsize=1 << 14)
def _nouns(text: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(terms(text)))


def are_parted(first: Entry, second: Entry, standings: Standings = NO_STANDINGS) -> bool:
    """Whether something keeps two entries apart however alike their words are.

    Args:
        first: an entry.
        second: another one.
        standings: what their documents are: in an agreement the parties have other names than in the documents of the house.
    """
    texts = [" ".join(as_matched(each.statement.sentence.text).split()) for each in (first, second)]
    ranges = [_amounts(text) for text in texts]
    if not (is_standalone(first) and is_standalone(second)):
        return True
    if any(_DEROGATING.search(text) for text in texts):
        return True  # what says itself that it is an exception does not contradict its rule
    if differ_in_qualifiers(first, second):
        return True
    if any(_is_reported(each, text, standings) for each, text in zip((first, second), texts, strict=True)):
        return True
    if ranges[0] and ranges[1] and not _overlap(ranges[0], ranges[1]):
        return True
    if any(_is_left_open(each, text) for each, text in zip((first, second), texts, strict=True)):
        return True
    if first.kind == APPROVAL and all(_EXCEPTION.search(text) for text in texts):
        return True  # each document says of itself who grants exceptions to it
    if first.kind == ROLE and (_names_role(texts[0], second) or _names_role(texts[1], first)):
        return True  # who shares a task out among several says of each what is his
    if first.kind == APPROVAL and ranges[0] != ranges[1]:
        return True  # beside the approval of all there may well be another of what is dear
    if first.kind == AMOUNT and _others_approve(texts[0], texts[1]):
        return True  # a ladder of approvals has an amount at each rung
    if texts[0] == texts[1] or _are_opposed(first, second):
        return True
    grades = [_grades(text, each.says) for text, each in zip(texts, (first, second), strict=True)]
    if grades[0] and grades[1] and not grades[0] & grades[1]:
        return True
    house = [
        standings.is_contract(e.statement.place[0]) or standings.is_normative(e.statement.place[0])
        for e in (first, second)
    ]
    contracts = [standings.is_contract(e.statement.place[0]) for e in (first, second)]
    # Limits in other words rest on little; there the other name of a party is no reason to overlook whom it is told.
    named_alike = not standings.profiles or not (all(house) and any(contracts)) or first.head == second.head == LIMIT
    verbs = [_telling_verb(text, each) for text, each in zip(texts, (first, second), strict=True)]
    is_told = _TELLING in (first.head, second.head) or (first.head == LIMIT and any(verbs))
    if named_alike and is_told:
        told = [_recipient(text, verb) for text, verb in zip(texts, verbs, strict=True)]
        if told[0] and told[1] and not can_stand_for(told[0], told[1]):
            return True
    if first.kind in ("modality", "count") and _numbered_otherwise(first.kind, texts[0], texts[1]):
        return True
    return first.kind == "modality" and _excepted(first, second, texts)


def _names_role(text: str, other: Entry) -> bool:
    """Whether a sentence also names whom another entry makes answer for something."""
    stems = frozenset(terms(text))
    return any(stems.issuperset(role.split()) for role in str(other.value).split(" + "))


def _is_left_open(entry: Entry, text: str) -> bool:
    """Whether a measure stands in a place that a template leaves to be filled in: "<frequency, e.g., annually>"."""
    return any(entry.says in each[0] for each in _TO_FILL_IN.finditer(text))


def _is_reported(entry: Entry, text: str, standings: Standings) -> bool:
    """Whether a record gives a measure in quotation marks: what somebody read out or said there is neither rule nor practice."""
    at = text.find(entry.says)
    if standings.role(entry.statement.place[0]) != "record" or at < 0:
        return False
    ahead = text[:at]
    return (
        ahead.count("\N{LEFT DOUBLE QUOTATION MARK}") > ahead.count("\N{RIGHT DOUBLE QUOTATION MARK}")
        or ahead.count('"') % 2 == 1
    )


_NUMBERED = deferred(r"\b[A-Z]{2,}[ -]?\d+(?:\.\d+)*\b")
_ANNEXED = deferred(r"\b[A-Z]\.\d+(?:\.\d+)*\b")


def _numbered_otherwise(kind: str, ours: str, theirs: str) -> bool:
    """Whether two sentences speak of things with other numbers: TLS 1.2 and TLS 1.3, Annex A.5 and Annex A.8."""
    numbers = _ANNEXED if kind == "count" else _NUMBERED
    first, second = (set(numbers.findall(text)) for text in (ours, theirs))
    return bool(first) and bool(second) and first.isdisjoint(second)


def _others_approve(ours: str, theirs: str) -> bool:
    """Whether two sentences say of other people that they approve, or only one says so of anybody."""
    first, second = ({told.value for told in deciders_of(text) if told.kind == APPROVAL} for text in (ours, theirs))
    return first != second


def _grades(text: str, says: str) -> frozenset[str]:
    """How grave that is for which a measure holds: "30 days where it is rated high", up to the next comma; "Low | … | 72 hours"."""
    cells = [cell.rpartition(": ")[2].strip() for cell in text.split(" | ")] if is_row(text) else []
    if in_cells := frozenset(cell.casefold() for cell in cells if _GRADE.fullmatch(cell)):
        return in_cells
    behind = text.partition(says)[2]
    return frozenset(match[0].casefold() for match in _GRADE.finditer(_STOP.split(behind, maxsplit=1)[0]))


def _are_opposed(first: Entry, second: Entry) -> bool:
    """Whether the one speaks of one pole of an axis and the other of the opposite: "internal" and "external" tests."""
    ours, theirs = (_sides(each) for each in (first, second))
    return any(
        (axis, -sign) in theirs and (axis, sign) not in theirs for axis, sign in ours if (axis, -sign) not in ours
    )


def _sides(entry: Entry) -> frozenset[tuple[int, int]]:
    axes = poles()
    return frozenset(
        side for word in entry.words if " " not in word and word != entry.head for side in axes.get(word, ())
    )


@lru_cache(maxsize=1 << 16)
def _same_act(one: str, other: str) -> bool:
    one, other = (canonical(canonical_stem(each)) for each in (one, other))
    return one == other or can_stand_for(one, other)


def _excepted(first: Entry, second: Entry, texts: list[str]) -> bool:
    """Whether a permission may be the exception of a prohibition: it depends on something, and the other takes something out."""
    stances = {str(first.value), str(second.value)}
    if "must not" not in stances or not stances & {"may", "need not"}:
        return False
    forbids, permits = texts if first.value == "must not" else texts[::-1]
    if _EXCEPTION.search(permits):
        return True  # who grants exceptions allows none of the acts that they are from
    return bool(_EXCEPTED.search(forbids)) and bool(_FREE.search(permits)) and not _ALWAYS.search(permits)


def _telling_verb(text: str, entry: Entry) -> str:
    """The verb of a sentence by which somebody is told something, as printed; of a limit any, of a measure its own."""
    if entry.head != LIMIT:
        return entry.verb
    return next((word for word in _WORDS.findall(text) if canonical(stem(word)) == _TELLING), "")


_WORDS = deferred(r"\b[a-z]+\b")


def _recipient(text: str, verb: str) -> str:
    """The stem of the noun for whom a sentence has told something, behind the verb or behind "to"; "" where nobody is named."""
    at = re.search(rf"\b{re.escape(verb)}\b", text, re.IGNORECASE) if verb else None
    if at is None:
        return ""
    rest = text[at.end() :].lstrip()
    behind_to = verb.casefold() in _TOLD_TO or _SENDING.fullmatch(verb) is not None
    rest = _BEHIND.split(rest, maxsplit=1)[0] if behind_to else rest
    found = _TO.search(rest) if behind_to else _WHO.match(rest)
    if found is None:
        return ""
    words = terms(_CONCERNED.sub("", found["who"].strip()))
    return words[-1] if words else ""


@lru_cache(maxsize=4096)
def _amounts(text: str) -> tuple[float, float] | tuple[()]:
    """The amounts of money for which a statement holds: "above 5,000 pounds" is 5,000 to infinity; () where it names no bound."""
    low, high, bounded = 0.0, inf, False
    for mark in find_money(text, 0, len(text)):
        value, comparator = mark.data.get("value"), mark.data.get("comparator")
        before = text[max(0, mark.start - _WINDOW) : mark.start].casefold().rstrip()
        if not isinstance(value, int | float):
            continue
        if comparator in ("more_than", "at_least") or before.endswith(_ABOVE):
            low, bounded = float(value), True
        elif comparator in ("at_most", "less_than", "within") or before.endswith(_BELOW):
            high, bounded = float(value), True
    return (low, high) if bounded else ()


_WINDOW = 24
_ABOVE = (*read_table("bounds").phrases("more"), *read_table("bounds").phrases("at least"))
_BELOW = (*read_table("bounds").phrases("less"), *read_table("bounds").phrases("at most"))


def _overlap(ours: tuple[float, ...], theirs: tuple[float, ...]) -> bool:
    return max(ours[0], theirs[0]) < min(ours[1], theirs[1])
