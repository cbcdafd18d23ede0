"""Prohibitions on both sides: what one forbids the other forbids, and leave that has to be had is a duty to get it.

"Passwords must not be shared" meets "Employees shall not share passwords", and "X requires the prior consent of Y" says what
"nobody may X without the prior consent of Y" says (ADR 132).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

from coditect.language.reading.sentence import SentenceReading, Token
from coditect.language.tables import worded
from coditect.verify.requirements.demand import Demand
from coditect.verify.requirements.measures import Common
from coditect.verify.requirements.sides import AskedByPart, SaidByPolicy

__all__ = ["allows_what_is_forbidden", "as_duties", "forbids_alike"]

_REACH = 3
"""Words from a negative to the verb that it negates, at most: "must never be shared"."""

_MODAL = r"(?:must|shall|may|should|can|will|do|does)"

_without = worded(
    "acts",
    rf"\A(?P<who>[^.;:]*?)\b{_MODAL}\s+(?:not|never)\s+(?P<what>[^.;:]+?),?\s+(?:without|unless\s+with)\s+"
    r"(?P<need>(?:[\w'’-]+\s+){0,4}?(?:«approvals»|permission|agreement)\b[^.;:]*)(?P<rest>[.;:].*)?\Z",
)
_only_with = worded(
    "acts",
    rf"\A(?P<who>[^.;:]*?)\b{_MODAL}\s+(?:only\s+)?(?P<what>[^.;:]+?)\s+only\s+(?:with|after|upon)\s+"
    r"(?P<need>(?:[\w'’-]+\s+){0,4}?(?:«approvals»|permission|agreement)\b[^.;:]*)(?P<rest>[.;:].*)?\Z",
)
_requires = worded(
    "acts",
    r"\A(?P<who>)(?P<what>[^.;:]+?)\s+(?:(?:shall|must|will)\s+)?(?:requires?|needs?|(?:is|are|be)\s+subject\s+to)\s+"
    r"(?P<need>(?:[\w'’-]+\s+){0,4}?(?:«approvals»|permission|agreement)\b[^.;:]*)(?P<rest>[.;:].*)?\Z",
)
_NUMBER = re.compile(r"\A\W*(?:\d+(?:\.\d+)+[.)]?|\d+[.)]|\w[.)])\s+")
"""The number or letter of a sentence."""

_NEGATIVE = re.compile(r"\b(?:no|not|never|neither|nor)\b", re.IGNORECASE)
_ITS = re.compile(r"\b(?:its|their|his|her)\s+", re.IGNORECASE)


def as_duties(asked: AskedByPart, said: SaidByPolicy) -> tuple[AskedByPart, SaidByPolicy]:
    """Both sides with leave that has to be had as the duty to get it; as they are unless both speak of such leave.

    "X requires consent" and "X does not require consent" are compared as they stand.

    Args:
        asked: the part.
        said: the sentence.
    """
    asked, said = _as_bans(asked, said)
    ours, theirs = _obtained(said.text), _obtained(asked.wording.text)
    if not ours or not theirs or said.force in ("permits", "recommends"):
        return asked, said
    required = [_requires().match(_plain(text)) for text in (said.text, asked.wording.text)]
    if all(required) and any(each is not None and _NEGATIVE.search(each["what"]) for each in required):
        return asked, said
    wording = replace(asked.wording, text=theirs, filled="")
    return replace(asked, wording=wording), replace(said, text=ours, own=ours, force="binds")


def _as_bans(asked: AskedByPart, said: SaidByPolicy) -> tuple[AskedByPart, SaidByPolicy]:
    """Both sides with the ban of a thing as the ban of its use, where the other side forbids to use something.

    "Floppy disks are prohibited" says what "floppy disks must not be used" says. "Smoking is prohibited" bans an act.
    """
    ours, theirs = _BAN.match(said.text), _BAN.match(asked.wording.text)
    if ours is not None and said.force == "prohibits" and _NOT_USED.search(asked.wording.text):
        told = _unused(ours)
        own = _BAN.match(said.own)
        return asked, replace(said, text=told, own=_unused(own) if own is not None else said.own)
    if theirs is not None and _NOT_USED.search(said.text):
        return replace(asked, wording=replace(asked.wording, text=_unused(theirs), filled="")), said
    return asked, said


def _unused(ban: re.Match[str]) -> str:
    return f"{ban['number'] or ''}{ban['what'].strip()} must not be used{ban['rest'] or '.'}"


_BAN = re.compile(
    r"\A(?P<number>\W*(?:\d+(?:\.\d+)+[.)]?|\d+[.)]|\w[.)])\s+)?(?:the\s+use\s+of\s+|use\s+of\s+|using\s+)?"
    r"(?P<what>(?!\w+ing\b)(?:[\w'’-]+\s+){1,6}?)(?:is|are)\s+(?:strictly\s+|expressly\s+)?"
    r"(?:prohibited|forbidden|banned|not\s+(?:allowed|permitted))(?P<rest>\s*[.;]?|\s+(?:in|on|at|for|from|during)\s[^.;:]*[.;]?)\Z",
    re.IGNORECASE,
)
_NOT_USED = re.compile(r"\b(?:must|shall|may|should|can)\s*(?:not|never)\s+be\s+used\b", re.IGNORECASE)
_ONLY = re.compile(r"\b(?:only|solely|exclusively)\b", re.IGNORECASE)
_EXCEPT = re.compile(r"\b(?:without|unless|except|other\s+than|save)\b", re.IGNORECASE)


def _plain(text: str) -> str:
    return _NUMBER.sub("", text, count=1)


@lru_cache(maxsize=4_096)
def _obtained(text: str) -> str:
    """What has to be got for what: "must obtain the consent of the owner for access to data"; "" where no leave is spoken of."""
    plain = _plain(text)
    for pattern in (_without(), _only_with(), _requires()):
        found = pattern.match(plain)
        if found is not None:
            need = _ITS.sub("the ", found["need"].strip())
            return f"{found['who'].strip() or 'They'} must obtain {need} for {found['what'].strip()}"
    return ""


def forbids_alike(demand: Demand, sentence: SentenceReading, common: Common) -> bool:
    """Whether a part and a sentence forbid the same acts, so that neither is the other's opposite.

    Args:
        demand: the part, taken apart.
        sentence: of a document, as it is compared.
        common: what both have in common.
    """
    acts = [n for n in demand.acts if n in common.forth]
    return bool(acts) and all(
        _is_negated(demand.reading.tokens, n) and _is_negated(sentence.tokens, common.forth[n]) for n in acts
    )


def allows_what_is_forbidden(demand: Demand, sentence: SentenceReading, common: Common) -> bool:
    """Whether a sentence that permits allows what a part forbids without an exception: nobody can keep both.

    "Doors may be left open in summer" allows what "doors must not be left open" forbids; "may only be opened by X" restricts.

    Args:
        demand: the part, taken apart.
        sentence: of a document, as it is compared.
        common: what both have in common.
    """
    acts = [n for n in demand.acts if n in common.forth]
    return (
        bool(acts)
        and all(_is_negated(demand.reading.tokens, n) for n in acts)
        and not any(_is_negated(sentence.tokens, common.forth[n]) for n in acts)
        and not _ONLY.search(sentence.text)
        and not _EXCEPT.search(demand.reading.text)
    )


def _is_negated(tokens: Sequence[Token], at: int) -> bool:
    """Whether a verb has a negative right in front of it, but for "be" and adverbs."""
    for n in range(at - 1, max(-1, at - 1 - _REACH), -1):
        if tokens[n].negates:
            return True
        if tokens[n].role == "modal" or (tokens[n].has_substance and not tokens[n].low.endswith("ly")):
            return False
    return False
