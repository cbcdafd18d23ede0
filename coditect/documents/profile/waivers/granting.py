"""Sentences with a noun for it: "approved an exception to", "an exemption was granted to", "this waiver expires on"."""

from __future__ import annotations

import re
from collections.abc import Iterator

from coditect.documents.profile.waivers.cues import (
    ADVERB,
    BE,
    GAP,
    GRANT,
    NAMED,
    PLACED,
    clause_start,
    is_hedged,
    is_infinite,
    is_passive,
    is_timed,
    says_hereby,
    with_times,
)
from coditect.documents.profile.waivers.facts import KIND_OF, TABLE, WaiverFact
from coditect.documents.profile.waivers.parts import Parts, parts_behind, subject_of, tidy
from coditect.schemas import WaiverKind

__all__ = ["read_active", "read_passive", "read_standing"]

_I = re.IGNORECASE
_ACTIVE = re.compile(rf"\b(?P<verb>{GRANT})\s+(?P<between>(?:{GAP}{{1,70}}?\s)??)(?:for\s+)?{NAMED}", _I)
_HOLDING = re.compile(rf"\b(?P<verb>has|have|holds?|obtained|received)\s+{NAMED}", _I)
_APPROVAL = re.compile(rf"\bapproval\s+{BE}\s+(?P<verb>given|granted)\s+(?:for|to)\s+{NAMED}", _I)
_PASSIVE = re.compile(rf"{NAMED}(?P<between>{GAP}{{0,160}}?)\s(?P<be>{BE})\s+{ADVERB}(?P<verb>{GRANT})\b", _I)
_STANDS = re.compile(rf"{NAMED}(?P<between>{GAP}{{0,160}}?)\s(?P<verb>{TABLE.pattern('ending')})\b", _I)

_REDUCED = re.compile(r"\W*(?:by|under|to|pursuant|in|on|at|during|within|before|after|since|for|with)\b", _I)
"""What follows a participle that says of a noun what was done with it: "a licence granted by way of an exemption"."""
_AUXILIARY = re.compile(r"\b(?:has|have|had|was|were|been|is|are)\b[\w\s]{0,24}\Z", _I)
_WITH_THE = re.compile(r"\bwith\s+(?:the|one|an|some|few|certain|limited)\s+(?:\w+\s+)?\Z", _I)
_BEHIND = re.compile(rf"\W*(?:only\s+)?(?:{TABLE.pattern('supposing')}|as\s+necessary|case[\s-]by[\s-]case)\b", _I)
_PAST = re.compile(r"\b(?:was|were|has\s+been|have\s+been|had\s+been)\b", _I)
_GIVEN = re.compile(rf"(?:that\s+was\s+)?(?:{GRANT})(?![\w-])", _I)
_CODE = re.compile(r"\W*(?:no\.?\s*)?[A-Z]*-?\d|\s+[A-Z]{2}")
_NAME = re.compile(r"(?:[A-Z][\w&.-]*\s?)+")
_GENERIC = frozenset(("such", "no", "any", "each", "every", "all"))
_OF_PAPERS = frozenset(("approved", "accepted", "agreed", "made", "confirmed", "ratified", "endorsed"))
"""What is done to papers as well as to people: "it was approved with an exception" excuses nobody."""
_LONGEST_NAME = 12


def read_active(plain: str, text: str) -> Iterator[WaiverFact]:
    """Who grants an exception, who was granted one, and who has one.

    Args:
        plain: the sentence, dates blotted out.
        text: the same as it stands.
    """
    for found in _APPROVAL.finditer(plain):
        if not _is_none(plain, found):
            yield from _of_verb(plain, text, found, "", "")
    for found in _HOLDING.finditer(plain):
        fact = next(_of_verb(plain, text, found, _subject(plain, found), ""), None)
        says_what = fact is not None and (fact.provision or is_timed(fact))
        if fact is not None and says_what and _det(found) in ("a", "an") and not _is_none(plain, found):
            yield fact
    for found in _ACTIVE.finditer(plain):
        before = plain[clause_start(plain, found.start()) : found.start("verb")]
        if _is_none(plain, found) or is_infinite(before) or _REDUCED.match(found["between"]):
            continue
        verb = found["verb"].casefold()
        if passive := is_passive(before):
            if verb not in _OF_PAPERS:
                begin = clause_start(plain, found.start())
                yield from _of_verb(plain, text, found, subject_of(plain, begin, begin + passive.start()), "")
        elif verb != "given" or _AUXILIARY.search(before):
            between = tidy(found["between"])
            holder = "" if between.casefold() in ("and", "that") else between or _inner(plain, found)
            yield from _of_verb(plain, text, found, holder, _subject(plain, found))


def _of_verb(plain: str, text: str, found: re.Match[str], holder: str, by: str) -> Iterator[WaiverFact]:
    """The exception that stands behind a verb, with who is excused and who grants as far as these stand before it."""
    kind, parts = _kind(found), parts_behind(plain, found.end("noun"), of=True)
    provision = _provision(kind, parts)
    holder = (holder if len(holder.split()) <= _LONGEST_NAME else "") or _holder(parts, provision)
    fact = WaiverFact(kind, holder=holder, provision=provision, by=by or parts.first("by"))
    fact = with_times(fact, text, found.start("verb"), found.end("noun"))
    says_when = is_timed(fact) or bool(fact.granted)
    if ((_det(found) and (provision or holder)) or says_when) and not PLACED.match(fact.by):
        yield fact


def read_passive(plain: str, text: str) -> Iterator[WaiverFact]:
    """Exceptions that were granted; arguments as those of :func:`read_active`."""
    for found in _PASSIVE.finditer(plain):
        if _det(found) in _GENERIC or _BEHIND.match(plain, found.end()):
            continue
        if is_hedged(plain, clause_start(plain, found.start()), found.end("verb")):
            continue
        kind, far = _kind(found), parts_behind(plain, found.end("verb"))
        near = parts_behind(plain, found.end("noun"), of=True)
        own = _provision(kind, near)
        provision = own or _provision(kind, far)
        provision = "" if not own and provision == far.first("to") else provision
        holder = far.first("to") or far.first("for") or _holder(near, provision)
        by = far.first("by") or near.first("by")
        fact = WaiverFact(kind, holder="" if holder == provision else holder, provision=provision, by=by)
        fact = with_times(fact, text, found.start("noun"), found.end("verb"))
        happened = _PAST.match(found["be"]) or fact.granted or says_hereby(plain[found.start("be") : found.end("verb")])
        if not PLACED.match(by) and (is_timed(fact) or (happened and _det(found))):
            yield fact


def read_standing(plain: str, text: str) -> Iterator[WaiverFact]:
    """What is said of an exception that there is: its end, its beginning; arguments as those of :func:`read_active`."""
    for found in _STANDS.finditer(plain):
        det, own = _det(found), plain[found.end("noun") : found.start("verb")]
        if det in _GENERIC or (not det and not _CODE.match(own)):
            continue
        if is_hedged(plain, clause_start(plain, found.start()), found.start("verb")):
            continue
        kind, far = _kind(found), parts_behind(plain, found.end("verb"))
        near = parts_behind(plain, found.end("noun"), of=True, end=found.start("verb"))
        provision = _provision(kind, near)
        holder = _holder(near, provision) or (far.first("to") if found["verb"].casefold() == "applies" else "")
        fact = WaiverFact(kind, holder=holder, provision=provision, by=near.first("by") or far.first("by"))
        fact = with_times(fact, text, found.start("noun"), found.end("verb"))
        known = det in ("this", "that", "these", "those") or "granted" in own or "approved" in own or bool(fact.granted)
        if fact.until or fact.begins or fact.is_open or (fact.length and known):
            yield fact


def _is_none(plain: str, found: re.Match[str]) -> bool:
    """Whether nothing is granted there: "may grant", "any exception", "with the exception of", "granted only if"."""
    return (
        _det(found) in _GENERIC
        or is_hedged(plain, clause_start(plain, found.start()), found.start("noun"))
        or _BEHIND.match(plain, found.end()) is not None
        or _WITH_THE.search(plain[: found.start("noun")]) is not None
    )


def _det(found: re.Match[str]) -> str:
    return (found["det"] or "").casefold()


def _kind(found: re.Match[str]) -> WaiverKind:
    return KIND_OF[" ".join(found["noun"].casefold().split())]


def _subject(plain: str, found: re.Match[str]) -> str:
    return subject_of(plain, clause_start(plain, found.start()), found.start("verb"))


def _inner(plain: str, found: re.Match[str]) -> str:
    """Who is excused, where only a name stands between the article and the noun: "grants the Applicant relief"."""
    inner = plain[found.end("det") : found.start("noun")].strip() if _det(found) == "the" else ""
    return f"{found['det']} {inner}" if _NAME.fullmatch(inner) else ""


def _provision(kind: WaiverKind, parts: Parts) -> str:
    """From what, behind the noun; behind "to" stands who is excused where a participle or a waiver is before it."""
    marks = ["from", "of", "under", "against"]
    given = parts.pieces and _GIVEN.match(tidy(parts.text[slice(*parts.pieces[0][1:])]))
    if kind not in ("waiver", "exemption", "dispensation") and not given:
        marks.insert(0, "to")
    found = parts.first(*marks)
    told = parts.first("to")
    return told if not found and PLACED.search(told) else found


def _holder(parts: Parts, provision: str) -> str:
    """Who is excused, behind the noun."""
    said = (parts.first(mark) for mark in ("to", "for", "in respect of"))
    return next((each for each in said if each and each != provision), "")
