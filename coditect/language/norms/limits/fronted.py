"""The phrases in front of a subject that limit its clause: "If a key is lost, within two days, the bank"."""

from __future__ import annotations

import re
import string

from coditect.language.finite_verbs import has_finite_verb
from coditect.language.marks import trim
from coditect.language.norms.limits.adjuncts import LISTED, TO_ACT
from coditect.language.norms.limits.ends import CLAUSAL, FEWEST, JOINT_BETWEEN
from coditect.language.norms.limits.openings import SHORT, START, TIMES, Adjunct, is_inside, kind_of
from coditect.language.norms.limits.periods import SPACE, phrases
from coditect.language.patterns.deferred import deferred
from coditect.language.tables import read_table

__all__ = ["adjuncts_before"]

_WORDS = read_table("adjuncts")

_IN_DOING = deferred(
    rf"in{SPACE}(?:(?!{phrases(_WORDS, 'not_behind_in')}\b)(?:[a-z]+ing\b|relation{SPACE}to\b)|order{SPACE}(?:to|for|that)\b)"
    rf"|(?-i:To)(?={SPACE}{phrases(_WORDS, 'limiting_purposes')}\b)",
    re.IGNORECASE,
)
"""A condition that begins a sentence: "In assessing a claim"."""

_COMMA_AT = re.compile(r",\s+")
_OTHER_FIRST = re.compile(
    r"(?:in|on|at|for|with|to|as|from|under|during|upon|pursuant|according|based|subject|notwithstanding|while|since|because|although|directly|whether)\s",
    re.IGNORECASE,
)
_SHORTEST = 2
"""Words of a whole condition, at least: "if applicable"."""
_JOINT_LAST = re.compile(r"\b(?:and|or|but|that)\Z")
_SPACE_OR_COMMA = string.whitespace + "\u00a0,"
_JOINT_AND_COMMA = re.compile(r"\b(?:and|or),\s*\Z")
# "In the discussion of findings, the causes will be told", "For all requests, ask": in which case, and so a condition.
_FRONTED = re.compile(
    rf"(?P<head>In\s+(?!{_WORDS.pattern('no_cases_in')}\b)(?:the|an?|this|such|connection|light|severe|certain|some|most)"
    rf"|For\s+(?:each|every|all|any|some|an?\b(?!\s+(?:[\w-]+\s+){{0,3}}(?:period|term|time|while|list|description|copy|fee|duration|total)\b)|[a-z]+ing\b|(?=[a-z-]+\s+[a-z]+s,)(?!the\s)[a-z-]+)(?!\s+(?:(?:calendar|fiscal|financial|contract)\s+)?(?:week|month|quarter|year)\b)(?!\s+(?:of\s+)?(?:the\s+)?(?:purposes?|reasons?|details?|information)\b))\s(?:[^,;:()]|(?<=\d),(?=\d{{3}}\b)|\(\w{{1,3}}\)){{3,120}}(?<!purpose)(?<!purposes)(?=,(?!\d))"
)
_THEN = re.compile(r",\s+then(?:,\s+|\s+)\Z")  # "If it trades, then, before it opens, the bank"
_THEN_LAST = re.compile(r",\s+then,?\s*\Z")
_OPEN_VERB = re.compile(r"\b(?:is|are|was|were|be|been|has|have|had|may|shall|will|must|does|do)\Z")
_PROVIDED = re.compile(r"provid(?:ed|ing)\b", re.IGNORECASE)
_CASE_MAY_BE = re.compile(r",\s+as\s+the\s+case\s+may\s+be\Z")
_WORD = re.compile(r"[a-z]{3}")
_OPENS = re.compile(r"(?<=[a-z)]\s)(?:If|When|Where|Whenever|Unless|Upon|In\s+the\s+event)\b")


def adjuncts_before(text: str, lo: int, hi: int) -> list[Adjunct]:
    """The adjuncts in front of a subject: "If a key is lost, within two days, the bank".

    Args:
        text: the text.
        lo: where the clause begins.
        hi: where its subject begins.

    Returns:
        The adjuncts in order; each goes on to the next one behind a comma, or to the subject.
    """
    found: list[Adjunct] = []
    doing = _IN_DOING.match(text, lo, hi) or _IN_DOING.match(text, _first_letter(text, lo, hi), hi)
    doing = doing or next(
        (each for at in _COMMA_AT.finditer(text, lo, hi) if (each := _IN_DOING.match(text, at.end(), hi))), None
    )
    if doing:
        found.append(
            Adjunct("condition", doing.start(), doing.end(), trim(text, doing.start(), hi, punctuation=True)[1])
        )
    fronted = None if doing else _FRONTED.match(text, _first_letter(text, lo, hi), hi)
    if fronted and text[fronted.end() : hi].startswith(","):
        found.append(Adjunct("condition", fronted.start(), fronted.end("head"), fronted.end()))
    for match in START.finditer(text, lo, hi):
        if doing and doing.start() <= match.start() < doing.end():
            continue
        if is_inside(text, lo, match.start()) or not _may_stand(text, lo, match.start(), first=not found):
            continue
        if (
            found
            and kind_of(match) in TIMES
            and found[-1].kind in ("condition", "exception")
            and found[-1].end >= match.start()
            and not _ends_phrase(text, found[-1], match.start())
            and _THEN.search(text, found[-1].head, match.start()) is None
        ):
            continue  # a time inside of a condition is part of it
        if (
            found
            and found[-1].kind not in TIMES
            and _JOINT_AND_COMMA.search(text, max(lo, match.start() - 6), match.start())
        ):
            continue  # "If the manager or, in the case of a trust, the trustee, sells"
        if found:
            found[-1] = _closed(text, found[-1], match.start())
        short = SHORT.match(text, match.start(), hi)
        end = short.end() if short and not TO_ACT.match(text, short.end(), hi) else hi
        found.append(
            Adjunct(kind_of(match), match.start(), match.end(), trim(text, match.start(), end, punctuation=True)[1])
        )
    return [_without_other(text, each, hi) for each in found if not _only_joins(text, each)]


def _only_joins(text: str, adjunct: Adjunct) -> bool:
    """Whether "Provided that" only joins its sentence to the one before: no clause of its own stands behind it."""
    words = text[adjunct.head : adjunct.end].strip()
    return _PROVIDED.match(text, adjunct.start) is not None and (not words or _CASE_MAY_BE.search(words) is not None)


def _without_other(text: str, adjunct: Adjunct, hi: int) -> Adjunct:
    """An adjunct without one that limits nothing and stands behind its comma: "If it is late, for each account, the bank"."""
    for comma in _COMMA_AT.finditer(text, adjunct.head, adjunct.end):
        at = comma.end()
        if comma.start() - adjunct.head < FEWEST or is_inside(text, adjunct.start, comma.start()):
            continue
        if not _OTHER_FIRST.match(text, at, hi) or _OPEN_VERB.search(text, adjunct.head, comma.start()):
            continue  # "If such agreements are, in the view of the board, likely to be void"
        closed = has_finite_verb(text, adjunct.head, comma.start()) or not CLAUSAL.match(text, adjunct.start)
        closed = closed or len(text[adjunct.start : comma.start()].split()) == _SHORTEST
        if closed and not LISTED.search(text, at, adjunct.end):
            return Adjunct(adjunct.kind, adjunct.start, adjunct.head, comma.start())
    return adjunct


def _ends_phrase(text: str, before: Adjunct, at: int) -> bool:
    """Whether a condition that is no clause ends at the comma or "and" before a place: "Subject to section 4, twice a year"."""
    words = text[before.head : at].rstrip()
    joined = words.endswith(" and") and not CLAUSAL.match(text, before.start) and "," not in words
    return (words.endswith(",") or joined) and not has_finite_verb(text, before.head, at)


def _may_stand(text: str, lo: int, at: int, *, first: bool) -> bool:
    """Whether an adjunct may begin at a place: the first one where no word stands before it, others behind a comma or a joint."""
    if first and not _WORD.search(text, max(lo, text.rfind(",", lo, at) + 1), at):
        return True
    if first and _OPENS.match(text, at):
        return True  # "Force majeure If a party": a title run into its sentence
    while at > lo and text[at - 1].isspace():
        at -= 1
    return text.endswith(",", lo, at) or _JOINT_LAST.search(text, max(lo, at - 4), at) is not None


def _first_letter(text: str, lo: int, hi: int) -> int:
    """The first place from ``lo`` on that holds a letter, at most ``hi``."""
    while lo < hi and not text[lo].isalpha():
        lo += 1
    return lo


def _closed(text: str, adjunct: Adjunct, at: int) -> Adjunct:
    """An adjunct that ends where the next one begins, without the comma or joint between them."""
    words = _THEN_LAST.sub("", text[adjunct.head : at])
    joint = JOINT_BETWEEN.search(words.rstrip())
    words = words[: joint.start()] if joint else words
    end = adjunct.head + len(words.rstrip(_SPACE_OR_COMMA))
    return Adjunct(adjunct.kind, adjunct.start, adjunct.head, trim(text, adjunct.start, end, punctuation=True)[1])
