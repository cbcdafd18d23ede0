"""Whom a norm binds where its words of force do not stand behind them: who bears a cost, and who commits an offence."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from coditect.language.marks import trim
from coditect.language.norms.cues import Cue
from coditect.language.norms.limits.adjuncts import divide
from coditect.language.norms.limits.openings import Adjunct
from coditect.language.norms.subjects import Subject

__all__ = ["PlacedAct", "place_act"]

_OFFENCE = "commits an offence"
_FREED = "does not apply"
"""How the words of force of an offence are called, and of what is applied to nobody."""

_TO_ACT = re.compile(r"\s*to\s+(?=[a-z])")
# "entry is permitted for guests", "prohibited in the hall": what of it.
_OF_ACT = re.compile(r"(?:for|in|on|at|to|from|within|outside|with|under|into|by|of)\b")

_WHOLE = (
    "prohibited",
    "is permitted",
    "is recommended",
    "is not recommended",
    "is required",
    "is not required",
    "does not apply",
)
_BURDEN = re.compile(r"\b(?:responsibility|obligation|duty)\s+of\Z")
_BEARER = re.compile(
    r"\s*(?P<np>(?:(?:the|an?|each|any|its|their)\s+)?[\w&’'{}-]+(?:\s+(?!(?:to|and|who|that|which|if|unless|under|in|for|at|as|on|except|by|where|when|subject|provided|[a-z]+ing)\b)[\w&’'{}-]+){0,6})"
)
_WHO = re.compile(r"\s(?:who|which|that)(?:\s+|,[^,;]{2,80},\s+)|(?<=\s)(?=[a-z]{3,}ing\s)")
_WHERE = re.compile(
    r"\b(?:where|if|when)\s+(?:it|he|she|they|the\s+[\w ]{1,30}?|he\s+or\s+she)\s*:?\s+|\bby\s+(?=[a-z]+ing\b)",
    re.IGNORECASE,
)
# "commits an offence if information was disclosed to the person and the person uses it": all that follows, together.
_IF = re.compile(r"\s*,?\s*(?:where|if|when)\s*[:—–-]*\s+", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class PlacedAct:
    """A clause with its parts where they stand.

    Attributes:
        cue: its words of force.
        subject: its subject.
        lo: first code point of the act.
        hi: one past its last.
        rest: what else is said behind the words of force of an act that stands in front of them.
        behind: adjuncts that stand outside of the act, behind it.
    """

    cue: Cue
    subject: Subject
    lo: int
    hi: int
    rest: Sequence[tuple[int, int]] = ()
    behind: Sequence[Adjunct] = ()


def place_act(text: str, cue: Cue, subject: Subject, lo: int, hi: int) -> PlacedAct | None:
    """A clause whose parts may stand in another order than who, words of force, act; None of an offence that has no act.

    Args:
        text: the canonical text.
        cue: the words of force.
        subject: the subject as it is written.
        lo: where the act begins, as far as the usual order tells.
        hi: one past its last.
    """
    rest: Sequence[tuple[int, int]] = ()
    behind: Sequence[Adjunct] = ()
    if _is_whole(text, cue, subject):
        # "Use of shared accounts is prohibited": what is said of stands before the cue, and is all there is.
        act = _TO_ACT.match(text, cue.end, hi) if text[subject.start : subject.end].strip().lower() == "it" else None
        rest, behind = ([], []) if act else divide(text, cue.end, hi)
        rest = [each for each in rest[:1] if cue.modality != _FREED and _OF_ACT.match(text, *each)]
        lo = act.end() if act else subject.start
        hi = hi if act else max(lo, trim(text, lo, cue.start)[1])
        cue, subject = replace(cue, end=lo), replace(subject, start=lo, end=lo)
    if by := _borne_by(text, cue, hi):
        # "The cost of the tests shall be the responsibility of the Seller": who bears it stands behind, what before.
        behind = divide(text, by[1], hi)[1]
        lo, hi = subject.start, max(subject.start, trim(text, subject.start, cue.start)[1])
        cue, subject = replace(cue, end=lo), replace(subject, start=by[0], end=by[1])
    if cue.modality == _OFFENCE:
        found = _offence_of(text, subject, lo, hi)
        if found is None:
            return None
        subject, lo = found
        hi = hi if lo >= cue.end else trim(text, lo, cue.start, punctuation=True)[1]
    return PlacedAct(cue, subject, lo, hi, rest, behind)


def _borne_by(text: str, cue: Cue, hi: int) -> tuple[int, int] | None:
    """Where those stand whose responsibility or duty something is said to be; None where nothing is.

    Args:
        text: the text.
        cue: the words of force: "shall be the responsibility of".
        hi: one past the clause.
    """
    borne = _BURDEN.search(text, cue.start, cue.end)
    by = _BEARER.match(text, borne.end(), hi) if borne else None
    return by.span("np") if by else None


def _offence_of(text: str, subject: Subject, lo: int, hi: int) -> tuple[Subject, int] | None:
    """Whom an offence forbids what: "A person who X commits an offence", "A person commits an offence if he X".

    Args:
        text: the text.
        subject: the subject of the words of force.
        lo: where the predicate begins.
        hi: one past its last.

    Returns:
        The subject alone, and where what it must not do begins; None where that is told elsewhere.
    """
    who = _WHO.search(text, subject.start, subject.end)
    if who:
        return replace(subject, end=who.start()), who.end()
    where = _WHERE.search(text, lo, hi) or _IF.match(text, lo, hi)
    return (subject, where.end()) if where else None


def _is_whole(text: str, cue: Cue, subject: Subject) -> bool:
    """Whether what is asked or forbidden stands in front of a cue, and is all there is: "Use of shared accounts is prohibited".

    Args:
        text: the text.
        cue: the words of force.
        subject: what stands in front of them.
    """
    return (
        cue.modality in _WHOLE
        and not text[max(cue.start, cue.end - 5) : cue.end].endswith(("from", " to"))
        and not text.startswith(("prohibits", "prohibit "), cue.start)
        and subject.start < cue.start
    )
