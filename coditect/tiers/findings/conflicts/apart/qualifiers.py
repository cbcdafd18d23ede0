"""Qualifiers: of which kind of thing, of whom, and within which bounds two statements with the same nouns speak.

"Exit interview" and "second interview", "visitors" and "employees", "in the offices" and "in the production area" are two matters,
however many other words are shared; so are the first report and the final one, and what is said of "other" suppliers.
"""

from __future__ import annotations

import re
from collections import defaultdict
from functools import lru_cache
from itertools import pairwise

from coditect.language.reading.stems import canonical_stem
from coditect.language.tables import read_table
from coditect.language.terms import MODAL_TERMS, STOPWORDS, stem, terms
from coditect.tiers.findings.conflicts.apart.events import runs_from_its_act, share_occasions_alone
from coditect.tiers.findings.conflicts.approvals import APPROVAL, ROLE
from coditect.tiers.findings.conflicts.assertions.definitions import DEFINITION
from coditect.tiers.findings.conflicts.assertions.limits import LIMIT
from coditect.tiers.findings.conflicts.entries import Entry
from coditect.tiers.findings.conflicts.figures import AMOUNT, NOTICE
from coditect.tiers.findings.conflicts.lines import are_alike, generalised, is_information, line_of
from coditect.tiers.findings.measures import canonical
from coditect.tiers.findings.said.statements import content_words

__all__ = ["differ_in_qualifiers", "share_enough"]

_MATTERS = read_table("matters")
_STAGES = frozenset(stem(word) for word in _MATTERS.words("stages"))
_PLAIN = frozenset(stem(word) for word in _MATTERS.words("plain_modifiers"))
_KIND_OF = {word: number for number, group in enumerate(_MATTERS.groups("people")) for word in group}
_PEOPLE = re.compile(rf"\b(?:{'|'.join(sorted(_KIND_OF, key=len, reverse=True))})\b", re.IGNORECASE)
_OTHER = re.compile(
    r"(?<!\band )(?<!\bor )(?<!\bno )\b(?:other|remaining|another)\s+(?!than\b)(?:\d+\s+(?:[a-z]+\s+)?)?(?P<noun>[a-z]+)",
    re.IGNORECASE,
)
_CLASS = re.compile(
    r"\b(?:class|category|level|type|grade|phase|tier|zone|hall|line|priority|severity|building|site)\s+(?P<which>[IVX]{1,4}|\d{1,2}|[A-Z])\b"
)
_TOKEN = re.compile(r"[A-Za-z][A-Za-z’'-]*")
_WHOSE = ("'s", "’s", "s'", "s’")
_GAP = re.compile(r"[ -]")
_VERBS = frozenset(read_table("base_verbs").words("verbs")) - frozenset(read_table("base_verbs").words("also_nouns"))
_SCOPE = re.compile(
    r"\b(?:for|in|inside|within|into|on|at|during|under)\s+(?P<np>(?:(?!(?:for|in|inside|within|into|on|at|during|under|to|by|from|of|after|before|when|where|if|"
    r"unless|until|must|shall|may|is|are|and|or|with|without|that|which|who)\b)[\w’'-]+\s*){1,6})",
    re.IGNORECASE,
)
_SCOPED = frozenset(("modality", "frequency", "deadline", "duration", "count", APPROVAL))
_COUNTED = frozenset(("count", AMOUNT))
_TIMED = frozenset(("frequency", "deadline", "duration"))
_UNQUALIFIED = frozenset((DEFINITION, NOTICE, "version"))
_LIMITS = read_table("limits")
_NONE: frozenset[str] = frozenset()
_NO_SCOPES = frozenset(
    stem(word) for word in (*_MATTERS.words("no_scopes"), *_LIMITS.words("keeping"), *_LIMITS.words("doing_away"))
)
"""Nouns behind a preposition that tell no scope: "on request", "on file"."""


FEWEST_SHARED = 2
"""Words that two statements must have in common, if both have so many."""


def share_enough(first: Entry, second: Entry) -> bool:
    """Whether two entries have so many words in common that they may be about one thing: one alone stands anywhere.

    Args:
        first: an entry.
        second: another one.
    """
    ours, theirs = ([word for word in entry.words if " " not in word] for entry in (first, second))
    if first.kind not in _BY_WORDS:
        return True
    shared = [word for word in ours if word in second.words or any(are_alike(word, other) for other in theirs)]
    return len(shared) >= min(FEWEST_SHARED, len(ours), len(theirs))


_BY_WORDS = frozenset(("modality", APPROVAL, ROLE))


def differ_in_qualifiers(first: Entry, second: Entry) -> bool:
    """Whether two entries that share their nouns speak of other kinds of them, of other people, or of other places.

    Args:
        first: an entry.
        second: another one.
    """
    if first.kind in _UNQUALIFIED:
        return False
    ours, theirs = (_line(entry) for entry in (first, second))
    if _people_differ(ours, theirs) or _classes_differ(ours, theirs) or _others_differ(ours, theirs):
        return True
    if _excepts(ours) != _excepts(theirs) or _only_triggers(first, second) or runs_from_its_act(first, second):
        return True
    if share_occasions_alone(first, second):
        return True
    if first.kind in (APPROVAL, ROLE) and (
        _objects_differ(first, second) or (_ITSELF.search(ours) and _ITSELF.search(theirs))
    ):
        return True
    if first.kind in _TIMED and _things_differ(first, second):
        return True
    if first.head == LIMIT and _stages(ours) ^ _stages(theirs):
        return True
    if first.head == LIMIT and first.kind in _COUNTED:
        return False  # what is counted or paid for is compared with its own modifiers
    return _modifiers_differ(first, second, ours, theirs) or (
        first.kind in _SCOPED and _scopes_differ(first, second, ours, theirs)
    )


_ITSELF = re.compile(
    rf"\bthis\s+(?:[\w-]+\s+){{0,2}}(?:{read_table('documents').pattern('reviewed')})\b", re.IGNORECASE
)
"""What each document says of itself: who enforces this standard does not enforce the other one."""

_EXCEPT = re.compile(r"\b(?:other\s+than|excluding|with\s+the\s+exception\s+of|apart\s+from)\b", re.IGNORECASE)
_TRIGGER = re.compile(r"^\s*(?:of|after|from|following|upon|before|since|prior\s+to)\b[^.,;]*")
_VAGUE = frozenset(canonical_stem(stem(word)) for name in ("moves", "has") for word in _MATTERS.words(name))


def _excepts(line: str) -> bool:
    return _EXCEPT.search(line) is not None


def _only_triggers(first: Entry, second: Entry) -> bool:
    """Whether two times for a vague act ("complete", "send") have nothing in common but from when they run."""
    if first.kind not in ("deadline", "duration") or not {canonical_stem(e.head) for e in (first, second)} <= _VAGUE:
        return False
    ours, theirs = (_without_trigger(entry) for entry in (first, second))
    return not _any_in(ours, theirs)


def _without_trigger(entry: Entry) -> frozenset[str]:
    before, _, behind = line_of(entry.statement.sentence.text).partition(entry.says)
    return frozenset(content_words(f"{before} {_TRIGGER.sub(' ', behind)}")) - {entry.head}


def _line(entry: Entry) -> str:
    """The sentence of an entry without the words of its value."""
    line = line_of(entry.statement.sentence.text)
    return generalised(line.replace(entry.says, " ") if entry.kind != "modality" else line)


def _people_differ(ours: str, theirs: str) -> bool:
    a, b = _people(ours), _people(theirs)
    return bool(a) and bool(b) and a.isdisjoint(b)


@lru_cache(maxsize=1 << 14)
def _people(line: str) -> frozenset[int]:
    return frozenset(_KIND_OF[match[0].casefold()] for match in _PEOPLE.finditer(line))


def _classes_differ(ours: str, theirs: str) -> bool:
    a, b = ({match[0].casefold() for match in _CLASS.finditer(line)} for line in (ours, theirs))
    return bool(a) and bool(b) and a.isdisjoint(b)


def _others_differ(ours: str, theirs: str) -> bool:
    """Whether the one speaks of the other ones of what both name."""
    a, b = ({stem(match["noun"]) for match in _OTHER.finditer(line)} for line in (ours, theirs))
    return bool(a ^ b & set(_stems(ours)) & set(_stems(theirs))) if a or b else False


@lru_cache(maxsize=1 << 14)
def _stems(line: str) -> frozenset[str]:
    return frozenset(terms(line))


def _modifiers_differ(first: Entry, second: Entry, ours: str, theirs: str) -> bool:
    mods, others = _modifiers(ours), _modifiers(theirs)
    shared = [word for word in first.words & second.words if " " not in word]
    if any(
        _is_staged(mods, each.head) or _is_staged(others, each.head)
        for each in (first, second)
        if first.head != second.head
    ):
        return True
    for word, same in [*((word, word) for word in shared), *_information(mods, others)]:
        if word == first.head or word == second.head:
            continue
        a, b = mods.get(word, _NONE) - {first.head}, others.get(same, _NONE) - {second.head}
        if (a & _STAGES) - _stems(theirs) or (b & _STAGES) - _stems(ours):
            return True
        if not a or not b or any(are_alike(x, y) for x in a for y in b):
            continue
        if a.isdisjoint(_stems(theirs)) and b.isdisjoint(_stems(ours)):
            return True
    return False


def _stages(line: str) -> frozenset[str]:
    """The stages that a line speaks of, as what stands before any of its nouns tells."""
    return frozenset(mod for mods in _modifiers(line).values() for mod in mods) & _STAGES


def _information(ours: dict[str, frozenset[str]], theirs: dict[str, frozenset[str]]) -> list[tuple[str, str]]:
    """The pairs of nouns by which two statements call what is known of somebody: "patient data" and "patient results"."""
    return [
        (one, other)
        for one in sorted(ours)
        for other in sorted(theirs)
        if one != other and is_information(one) and is_information(other)
    ]


def _is_staged(modifiers: dict[str, frozenset[str]], head: str) -> bool:
    """Whether a noun that tells an act is one of several stages: "the final report"."""
    return any(mods & _STAGES and canonical(noun) == canonical(head) for noun, mods in modifiers.items())


_OBJECT_END = re.compile(
    r"\b(?:of|for|to|in|on|at|by|with|before|after|where|when|if|that|which|who|whose|is|are|must|shall|may|has|have|will|requires?|needs?|from|"
    r"above|below|exceeding|up|worth|without|unless|under|until|and|or|whatever|within|over|as)\b|[,;:.(]",
    re.IGNORECASE,
)
_LABEL = re.compile(r"^\W*(?:\d[\d.]*\W+)?")
_ACT_BEHIND = re.compile(
    r"\b(?:approves?|authori[sz]es?|decides?(?:\s+(?:on|upon|about))?|signs?|(?:responsible|accountable|responsibility)\s+for|(?:lead|maintain|own|chair|investigate|coordinate|administer|run|appoint|release|answer)s?)\s+(?P<object>(?:the|an?|all|every|each|any)?\s*.+)$",
    re.IGNORECASE,
)
_ACT_BEFORE = re.compile(
    r"^(?P<object>.+?)\s+(?:(?:is|are|must\s+be|shall\s+be|may\s+be|have\s+to\s+be|has\s+to\s+be|will\s+be)\s+(?:\w+\s+)?(?:\w+\s+(?:in\s+writing\s+|in\s+advance\s+)?(?:on\s+)?(?:by|with)\b|the\s+responsibility)|requires?\b|needs?\b)",
    re.IGNORECASE,
)


def _objects_differ(first: Entry, second: Entry) -> bool:
    """Whether what is approved, or answered for, is two things: "the test plan of new models" is no model."""
    ours, theirs = (_object(line_of(entry.statement.sentence.text)) for entry in (first, second))
    if not ours or not theirs or ours[-1] == theirs[-1]:
        return False
    return not are_alike(ours[-1], theirs[-1]) or set(ours).isdisjoint(theirs)


@lru_cache(maxsize=1 << 12)
def _object(line: str) -> tuple[str, ...]:
    """The stems of the noun phrase that is approved or answered for, its head the last; () where it is not plain."""
    line = _LABEL.sub("", line)
    passive = _ACT_BEFORE.match(line)
    match = passive or _ACT_BEHIND.search(line)
    return () if match is None else terms(_OBJECT_END.split(match["object"].strip(), maxsplit=1)[0])


_PASSIVE = re.compile(
    r"^(?P<thing>.+?)\s+(?:(?:must|shall|should|will|may)\s+be|ha(?:s|ve)\s+to\s+be|is|are)\s+(?:\w+ly\s+)?(?P<act>[\w’'-]+)",
    re.IGNORECASE,
)
_CLAUSE_END = re.compile(r"[,;:]\s+")


def _things_differ(first: Entry, second: Entry) -> bool:
    """Whether one act is done to two things, and only how or what for is the same: "SLAs" and "tests are logged in the tool"."""
    (act, ours), (other, theirs) = (_thing(line_of(entry.statement.sentence.text)) for entry in (first, second))
    heads = {canonical(each) for each in (act, first.head, second.head) if each != LIMIT}
    if act != other or len(heads) > 1 or not ours or not theirs or ours & theirs:
        return False
    few, many = sorted((ours, theirs), key=len)
    return sum(any(are_alike(one, each) for each in many) for one in few) <= len(few) / 2


@lru_cache(maxsize=1 << 12)
def _thing(line: str) -> tuple[str, frozenset[str]]:
    """(the stem of the first passive, the content words of what stands before it); nothing where the sentence is not so plain."""
    match = _PASSIVE.match(_LABEL.sub("", line))
    if match is None:
        return "", _NONE
    return stem(match["act"].casefold()), frozenset(content_words(_CLAUSE_END.split(match["thing"])[-1]))


@lru_cache(maxsize=1 << 14)
def _modifiers(line: str) -> dict[str, frozenset[str]]:
    """The stems that stand right before each stem and say of which kind it is."""
    found: dict[str, set[str]] = defaultdict(set)
    tokens = list(_TOKEN.finditer(line))
    for before, noun in pairwise(tokens):
        word = before[0].casefold()
        if (
            _GAP.fullmatch(line, before.end(), noun.start()) is None
            or word in STOPWORDS
            or noun[0].casefold() in STOPWORDS
        ):
            continue
        modifier = stem(word)
        if (
            word.endswith(_WHOSE)
            or modifier in _PLAIN
            or modifier in MODAL_TERMS
            or word in MODAL_TERMS
            or word in _VERBS
            or word.removesuffix("s") in _VERBS
            or word.endswith("ly")
        ):
            continue
        found[stem(noun[0])].add(modifier)
    return {noun: frozenset(mods) for noun, mods in found.items()}


def _scopes_differ(first: Entry, second: Entry, ours: str, theirs: str) -> bool:
    """Whether each names where or for what it holds, and none of these is in the other."""
    a, b = _scopes(ours), _scopes(theirs)
    if not a or not b:
        return False
    return not _any_in(a, _stems(theirs)) and not _any_in(b, _stems(ours))


def _any_in(some: frozenset[str], others: frozenset[str]) -> bool:
    return any(one in others or any(are_alike(one, other) for other in others) for one in some)


@lru_cache(maxsize=1 << 14)
def _scopes(line: str) -> frozenset[str]:
    return frozenset(
        word for match in _SCOPE.finditer(line) for word in content_words(match["np"]) if word not in _NO_SCOPES
    )
