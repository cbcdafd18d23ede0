"""Plain contradictions: statements that exclude each other on the face of their words, which rules alone may publish (ADR 136).

Two statements do where they give one act another value, or where one rules out what the other permits, and nothing keeps them
apart: all content words of the shorter one stand in the other one or in its heading, nobody else acts, both depend on the same, the
longer one does not hold for some kind, place or occasion alone, and neither is hedged. Whatever else may be at odds is left to a
person, since most of it is not.
"""

from __future__ import annotations

import re
from itertools import combinations, pairwise

from coditect.language.patterns.deferred import deferred
from coditect.language.reading.equivalents import can_stand_for
from coditect.language.terms import STOPWORDS, stem
from coditect.tiers.findings.conflicts.figures import AMOUNT, SIZE
from coditect.tiers.findings.conflicts.opposed.sides import KEEPING, SideRead, key, read_side
from coditect.tiers.findings.conflicts.opposed.told import StatementConflict
from coditect.tiers.findings.measures import EVERY
from coditect.tiers.findings.said.statements import content_words
from coditect.tiers.findings.tables import is_row

__all__ = ["is_plain"]

_KINDS = frozenset(("frequency", "deadline", "duration", "count", AMOUNT, SIZE, "modality"))
FEWEST_WORDS = 2
"""Content words that two statements have to have in common; one alone stands anywhere."""

_NO_PHRASE = r"for|in|inside|within|into|on|at|during|under|to|by|from|of|with|through|via|after|before|when|where|if|unless|until"
_SCOPE = deferred(
    r"\b(?:for|in|inside|within|into|on|at|during|under|of|with|through|via|to|from|by)\s+"
    rf"(?P<np>(?:(?!(?:{_NO_PHRASE}|must|shall|may|is|are|that|which|who)\b)[\w’'-]+\s*){{1,8}})",
    re.IGNORECASE,
)
_RELATIVE = deferred(
    r"\b(?:that|which|who|whose|holding|containing|carrying|classified|involving|rated|used)\b(?P<np>[^,.;:|]*)",
    re.IGNORECASE,
)
_OF_ITS_OWN = deferred(
    r"\b(?:exceptions?|exemptions?|waivers?|deviations?)\b|\b(?:this|the\s+present)\s+(?:policy|standard|procedure|plan|document)\b",
    re.IGNORECASE,
)
"""What each paper rules for itself: how often exceptions from it are reported, or itself is read again."""

_ALL = deferred(r"(?:all|every|each|any)\s+[\w’'-]+\s*", re.IGNORECASE)
"""What leaves no kind out: "of all accounts"."""

_OR = deferred(r"(?:[\w’'-]+,\s+)*[\w’'-]+,?\s+or\s+[\w’'-]+", re.IGNORECASE)
_SUFFERS = deferred(
    r"\A\W*(?P<what>[^,.;:|]+?)\s+(?:must|shall|may|can|will)\s+(?:(?:not|never)\s+)?be\b", re.IGNORECASE
)
"""What something is done to: the subject of a passive."""

_TOKEN = deferred(r"[A-Za-z][A-Za-z’'-]*")
_FINITE = deferred(r"\b(?:must|shall|will|is|are|ha(?:s|ve)|[a-z]{3,}(?:s|ed))\b")


def is_plain(conflict: StatementConflict) -> bool:
    """Whether two statements of a conflict plainly exclude each other, and its further ones speak of the same thing.

    Args:
        conflict: as it was found.
    """
    if conflict.relation != "conflict" or conflict.kind not in _KINDS:
        return False
    if conflict.head == EVERY:
        return True  # a document says of itself that it does less often what another asks of every document of its kind
    read = [read_side(conflict, side) for side in conflict.sides]
    return any(
        one.side.value != other.side.value
        and not any(_OF_ITS_OWN.search(each.side.statement.sentence.text) for each in (one, other))
        and _exclude(conflict.kind, one, other)
        and all(_covers(each, min(one.core, other.core, key=len)) for each in read if each not in (one, other))
        for one, other in combinations(read, 2)
    )


def _exclude(kind: str, one: SideRead, other: SideRead) -> bool:
    if one.holder and other.holder and not _any_alike(one.holder, other.holder):
        return False
    if kind == "modality":
        stances = {str(each.side.value): each for each in (one, other)}
        return set(stances) == {"must not", "may"} and _rules_out(stances["must not"], stances["may"])
    if one.hedged or other.hedged or not (_is_said(one) and _is_said(other)) or not _is_one_act(one, other):
        return False
    if (one.depends is None) != (other.depends is None) or not _are_equal(one.depends or _NONE, other.depends or _NONE):
        return False
    if _any_alike(one.excepts, other.core) or _any_alike(other.excepts, one.core):
        return False
    few, many = sorted((one, other), key=lambda each: len(each.core))
    return len(few.core) >= FEWEST_WORDS and _covers(many, few.core) and not _is_narrower(many, few)


_NONE: frozenset[str] = frozenset()


def _is_said(each: SideRead) -> bool:
    """Whether a side is a sentence or a row, and no heading, caption or example with a figure: "shows progress (0%)"."""
    text = each.side.statement.sentence.text
    return is_row(text) or (_FINITE.search(text) is not None and f"({each.side.says.strip()})" not in text)


def _is_one_act(one: SideRead, other: SideRead) -> bool:
    is_kept = bool(one.acts) and bool(other.acts) and one.acts <= KEEPING and other.acts <= KEEPING
    return is_kept or _any_alike(one.acts, other.acts)


def _covers(many: SideRead, core: frozenset[str]) -> bool:
    """Whether a side has all of some words, in its sentence or around it."""
    return all(_stands_in(word, many.core | many.around) for word in core)


def _is_narrower(many: SideRead, few: SideRead) -> bool:
    """Whether what the longer side says beside the other one holds it to some kind, place or occasion."""
    known = few.core | few.around | few.acts | many.acts
    extra = frozenset(word for word in many.core if not _stands_in(word, known))
    if not extra:
        return False
    phrases = [match["np"] for pattern in (_SCOPE, _RELATIVE) for match in pattern.finditer(many.line)]
    if any(
        _ALL.fullmatch(phrase) is None and any(key(word) in extra for word in content_words(phrase))
        for phrase in phrases
    ):
        return True
    tokens = [match[0].casefold() for match in _TOKEN.finditer(many.line)]
    keys = ["" if token in STOPWORDS else key(stem(token)) for token in tokens]
    return any(word in extra and noun in few.core for word, noun in pairwise(keys))


def _rules_out(ruled: SideRead, permits: SideRead) -> bool:
    """Whether a prohibition that depends on nothing names all that a permission is for, of alternatives one of them."""
    if ruled.depends is not None or ruled.excepts or len(ruled.core) < FEWEST_WORDS:
        return False
    done_to, may_be = _SUFFERS.match(ruled.line), _SUFFERS.match(permits.line)
    if done_to and may_be and not _are_within(done_to["what"], may_be["what"]):
        return False  # what a meeting decided may not be appealed, what the board did may be: to the meeting
    said = permits.core | permits.acts | (permits.depends or _NONE)
    alternatives = [frozenset(map(key, content_words(match[0]))) for match in _OR.finditer(ruled.line)]
    met = [each for each in alternatives if any(_stands_in(word, said) for word in each)]
    needed = ruled.core - frozenset(word for each in met for word in each)
    return all(_stands_in(word, said | permits.around) for word in needed)


def _are_within(ours: str, theirs: str) -> bool:
    """Whether all content words of what one thing is called stand in what another one is."""
    known = frozenset(map(key, content_words(theirs)))
    return all(_stands_in(key(word), known) for word in content_words(ours))


def _are_equal(ours: frozenset[str], theirs: frozenset[str]) -> bool:
    return all(_stands_in(word, theirs) for word in ours) and all(_stands_in(word, ours) for word in theirs)


def _any_alike(some: frozenset[str], others: frozenset[str]) -> bool:
    return any(_stands_in(word, others) for word in some)


def _stands_in(word: str, words: frozenset[str]) -> bool:
    return word in words or any(can_stand_for(word, each) for each in words)
