"""Whom a norm binds where its words of force do not stand behind them: who bears a cost, and who commits an offence."""

from __future__ import annotations

import re
from dataclasses import replace

from coditect.language.norms.cues import Cue
from coditect.language.norms.subjects import Subject

__all__ = ["OFFENCE", "borne_by", "is_whole", "offence_of"]

OFFENCE = "commits an offence"
"""How the words of force of an offence are called."""

_WHOLE = ("prohibited", "is recommended", "is not recommended", "is required", "is not required", "does not apply")
_BURDEN = re.compile(r"\b(?:responsibility|obligation|duty)\s+of\Z")
_BEARER = re.compile(
    r"\s*(?P<np>(?:(?:the|an?|each|any|its|their)\s+)?[\w&’'{}-]+(?:\s+(?!(?:to|and|who|that|which|if|unless|under|in|for|at|as|on|except|by|where|when|subject|provided|[a-z]+ing)\b)[\w&’'{}-]+){0,6})"
)
_WHO = re.compile(r"\s(?:who|which|that)(?:\s+|,[^,;]{2,80},\s+)|(?<=\s)(?=[a-z]{3,}ing\s)")
_WHERE = re.compile(
    r"\b(?:where|if|when)\s+(?:it|he|she|they|the\s+[\w ]{1,30}?|he\s+or\s+she)\s*:?\s+|\bby\s+(?=[a-z]+ing\b)",
    re.IGNORECASE,
)


def borne_by(text: str, cue: Cue, hi: int) -> tuple[int, int] | None:
    """Where those stand whose responsibility or duty something is said to be; None where nothing is.

    Args:
        text: the text.
        cue: the words of force: "shall be the responsibility of".
        hi: one past the clause.
    """
    borne = _BURDEN.search(text, cue.start, cue.end)
    by = _BEARER.match(text, borne.end(), hi) if borne else None
    return by.span("np") if by else None


def offence_of(text: str, subject: Subject, lo: int, hi: int) -> tuple[Subject, int] | None:
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
    where = _WHERE.search(text, lo, hi)
    return (subject, where.end()) if where else None


def is_whole(text: str, cue: Cue, subject: Subject) -> bool:
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
