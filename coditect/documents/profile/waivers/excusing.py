"""Sentences with a verb for it: "hereby waives compliance with", "is exempt from … until", "accepted the risk"."""

from __future__ import annotations

import re
from collections.abc import Iterator

from coditect.documents.profile.waivers.cues import (
    ADVERB,
    BE,
    GAP,
    GRANT,
    PLACED,
    clause_start,
    is_hedged,
    is_infinite,
    is_passive,
    is_timed,
    object_of,
    says_hereby,
    with_times,
)
from coditect.documents.profile.waivers.facts import TABLE, WaiverFact, whole
from coditect.documents.profile.waivers.parts import parts_behind, subject_of, tidy
from coditect.schemas import WaiverKind

__all__ = ["read_excused", "read_instead", "read_risk", "read_waived"]

_I = re.IGNORECASE
_WAIVES = re.compile(
    r"(?P<verb>(?<![\w/-])(?:hereby\s+|irrevocably\s+|unconditionally\s+|(?:has|have)\s+|agree[sd]?\s+(?:to|and)\s+)*"
    r"(?:waives?|waived))\s+(?=[^;]{4})",
    _I,
)
_WAIVED = re.compile(rf"(?P<what>[^;:]{{4,200}}?)\s(?P<be>{BE}|be)\s+{ADVERB}(?P<verb>waived)\b", _I)
_EXCUSED = re.compile(
    rf"(?P<who>[^;:]{{2,600}}?)\s(?P<be>{BE}|shall\s+be|be)\s+(?P<adverb>{ADVERB})(?P<verb>{TABLE.pattern('excusing')})\s+(?:from|of)\s+",
    _I,
)
_EXCUSES = re.compile(
    rf"\b(?P<verb>(?:hereby\s+|has\s+|have\s+)?(?:{TABLE.pattern('excuses')}))\s+(?P<who>(?!(?:with|or|and|of|to|in|by|on|at)\s)[^;:,]{{2,160}}?)\s+from\s+",
    _I,
)
_RISKS = (
    r"(?:(?:the|this|these|that|all)\s+)?(?:(?:residual|remaining|security|identified|associated|inherent)\s+)?risks?"
)
_ACCEPTS = re.compile(rf"\b(?P<verb>accepted|accepts)\s+(?P<noun>{_RISKS})\b", _I)
_ACCEPTED = re.compile(rf"\b(?P<noun>{_RISKS})\b{GAP}{{0,120}}?\s{BE}\s+{ADVERB}(?P<verb>accepted)\b", _I)
_INSTEAD = re.compile(
    rf"[^;:]{{3,160}}?\s{BE}\s+{ADVERB}(?P<verb>{GRANT})\s+as\s+(?:an?\s+)?compensating\s+(?:control|measure)s?", _I
)
_RESOLVED = re.compile(r"\b(?:resolved|agreed|decided|directed|ordered|determined|voted)\b", _I)
_BARE = re.compile(r"\b(?:to|or|and|by|of|for|which|that|party|parties)\s*\Z")
_DECIDED = re.compile(r"\b(?:agree[sd]?\s+to|hereby|has|have)\b", _I)
_COMPLIANCE = re.compile(r"\W*(?:the\s+)?compliance(?:\s+by\s+(?P<who>[^,;]{2,80}?))?\s+with\s+", _I)
_OWNER = re.compile(
    r"(?:the\s+)?(?P<who>(?:[A-Z][\w&.-]*\s+){0,4}?[A-Z][\w&.-]*)['’]s\s+(?:obligation|duty|requirement|compliance|failure)"
)
_APPLYING = re.compile(r"^(?:the\s+)?(?:application|operation|provisions?)\s+of\s+", _I)
_FUTURE = re.compile(r"\b(?:shall|will)\b", _I)
_PAST = re.compile(r"\b(?:was|were|has\s+been|have\s+been|had\s+been)\b", _I)
_ALL = re.compile(r"(?:any|all|each|every)\b", _I)
_RIGHTS, _REQUIRED = whole("rights"), whole("required")
_HEAD, _NEAR = 90, 24
"""Code points of what is waived that say what it is; before "is hereby exempted" in which a hedge counts."""


def read_waived(plain: str, text: str) -> Iterator[WaiverFact]:
    """Who waives a duty, and which was waived.

    Args:
        plain: the sentence, dates blotted out.
        text: the same as it stands.
    """
    for found in _WAIVES.finditer(plain):
        begin = clause_start(plain, found.start())
        before = plain[begin : found.start()]
        if is_infinite(before) or is_passive(before) or is_hedged(plain, begin, found.end("verb")):
            continue
        if _BARE.search(before) and not _DECIDED.search(found["verb"]):
            continue
        by = subject_of(plain, begin, found.start("verb"))
        fact = _waived(plain, text, found, by)
        if (by or says_hereby(found["verb"])) and _is_duty(fact):
            yield fact
    for found in _WAIVED.finditer(plain):
        begin = max(clause_start(plain, found.start("verb")), found.start())
        if found["be"].casefold() == "be" and not _RESOLVED.search(plain, 0, found.start("verb")):
            continue
        if is_hedged(plain, begin, found.end("verb")):
            continue
        far = parts_behind(plain, found.end("verb"))
        holder = far.first("for") or far.first("in respect of") or far.first("to")
        provision = subject_of(plain, begin, found.start("be"))
        fact = WaiverFact("waiver", holder=holder, provision=provision, by=far.first("by"))
        fact = with_times(fact, text, found.start("verb"), found.end("verb"))
        if _is_duty(fact):
            yield fact


def _waived(plain: str, text: str, found: re.Match[str], by: str) -> WaiverFact:
    at = found.end()
    if complied := _COMPLIANCE.match(plain, at):
        holder, parts = tidy(complied["who"] or ""), parts_behind(plain, complied.end())
    else:
        parts, owner = parts_behind(plain, at), _OWNER.match(plain, at)
        holder = tidy(owner["who"]) if owner else parts.first("to") or parts.first("for")
    provision = object_of(parts, plain)
    fact = WaiverFact("waiver", holder=holder, provision=provision, by=by)
    return with_times(fact, text, found.start(), at + len(provision))


def _is_duty(fact: WaiverFact) -> bool:
    """Whether what is waived is a duty: a party that gives up a right of its own excuses nobody."""
    head = fact.provision[:_HEAD]
    rights, required, placed = _RIGHTS.search(head), _REQUIRED.search(head), PLACED.search(head)
    if rights and not (required and required.start() < rights.start()):
        return False
    if _ALL.match(head) and not (placed or fact.until):
        return False
    return bool(required or placed or fact.until)


def read_excused(plain: str, text: str) -> Iterator[WaiverFact]:
    """Who is excused from something, or excuses somebody; arguments as those of :func:`read_waived`.

    A rule's own scope excuses nobody in particular: it counts where the words do it, somebody did it, or it has an end.
    """
    for found in _EXCUSES.finditer(plain):
        begin = clause_start(plain, found.start())
        before = plain[begin : found.start()]
        if is_hedged(plain, begin, found.end("who")) or is_passive(before) or _FUTURE.search(before):
            continue
        if by := subject_of(plain, begin, found.start("verb")):
            fact = WaiverFact(_kind(found), holder=tidy(found["who"]), provision=_duty(plain, found.end()), by=by)
            yield with_times(fact, text, found.start("verb"), found.end())
    for found in _EXCUSED.finditer(plain):
        begin = max(clause_start(plain, found.start("be")), found.start("who"))
        hereby = says_hereby(found["adverb"])
        if is_hedged(plain, max(begin, found.start("be") - _NEAR) if hereby else begin, found.end("verb")):
            continue
        by, who = parts_behind(plain, found.end()).first("by"), subject_of(plain, begin, found.start("be"))
        fact = WaiverFact(_kind(found), holder=who, provision=_duty(plain, found.end()), by=by)
        fact = with_times(fact, text, found.start("be"), found.end())
        if hereby or (by and _PAST.match(found["be"])) or is_timed(fact):
            yield fact


def _kind(found: re.Match[str]) -> WaiverKind:
    verb = found["verb"].casefold()
    return "dispensation" if "dispens" in verb else "exemption" if "exempt" in verb else "exception"


def _duty(plain: str, at: int) -> str:
    """What somebody is excused from, behind "from"."""
    return _APPLYING.sub("", object_of(parts_behind(plain, at), plain))


def read_risk(plain: str, text: str) -> Iterator[WaiverFact]:
    """Risks that somebody accepted; arguments as those of :func:`read_waived`."""
    for found in _ACCEPTS.finditer(plain):
        begin = clause_start(plain, found.start())
        if not is_hedged(plain, begin, found.start("verb")):
            by = subject_of(plain, begin, found.start("verb"))
            fact = with_times(WaiverFact("risk acceptance", by=by), text, found.start("verb"), found.end("noun"))
            has = re.search(r"\b(?:has|have)\b", plain[begin : found.start("verb")], _I)
            if by and (is_timed(fact) or fact.granted or has):
                yield fact
    for found in _ACCEPTED.finditer(plain):
        if not is_hedged(plain, clause_start(plain, found.start()), found.end("verb")):
            by = parts_behind(plain, found.end("verb")).first("by")
            fact = with_times(WaiverFact("risk acceptance", by=by), text, found.start("noun"), found.end("verb"))
            if by or is_timed(fact):
                yield fact


def read_instead(plain: str, text: str) -> Iterator[WaiverFact]:
    """What was approved as a compensating control; arguments as those of :func:`read_waived`."""
    for found in _INSTEAD.finditer(plain):
        begin = clause_start(plain, found.start("verb"))
        if not is_hedged(plain, begin, found.end("verb")):
            what = subject_of(plain, begin, found.start("verb"))
            provision = parts_behind(plain, found.end()).first("for")
            fact = WaiverFact("compensating control", provision=provision, condition=what)
            yield with_times(fact, text, found.start("verb"), found.end())
