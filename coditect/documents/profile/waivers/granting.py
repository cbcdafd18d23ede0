"""Sentences that excuse somebody: "approved an exception to", "hereby waives compliance with", "is exempt from … until"."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace

from coditect.documents.profile.waivers.facts import KIND_OF, NOUN, TABLE, WaiverFact, whole
from coditect.documents.profile.waivers.parts import Parts, condition_of, parts_behind, subject_of, tidy
from coditect.documents.profile.waivers.times import masked, times_of
from coditect.schemas import WaiverKind

__all__ = ["read_waiver"]

_I = re.IGNORECASE
_GRANT = TABLE.pattern("granting")
_DET = r"(?P<det>a|an|the|this|that|these|those|its|their|our|his|her|one|two|three|four|five|another|such|no|any|each|every|all|both)"
_FOLLOWED = (
    r"(?=\s*[.,;:()]|\s*$|\s+(?:to|from|for|of|under|in|on|at|by|against|with|until|through|which|that|and|or|only|as|when|where|if|hereby|valid|effective|was|were|is|are"
    r"|has|have|had|be|been|shall|will|would|may|must|can|cannot|should|no\.?|regarding|concerning|relating|requested|described|set|referred|applies|takes?|took|comes?|came"
    r"|(?-i:[A-Z]{1,6}-?\d+)|\d+|\w+ed|granted|given|made|expir\w+|laps\w+|ends?|runs?|remains?|continues?|ceases?|terminates?)\b)"
)
"""What follows the noun where it is no part of another one: an exception handler is no exception."""
_GAP = r"(?:[^.;:]|\.(?=\d))"
_NAMED = rf"(?:\b{_DET}\s+(?:[\w-]+\s+){{0,4}}?)?(?P<noun>\b{NOUN}\b){_FOLLOWED}"
_BE = r"(?:was|were|is|are|has\s+been|have\s+been|had\s+been)"
_ADVERB = r"(?:(?:hereby|now|also|formally|unanimously|subsequently|previously|therefore|further|again|\w+ly)\s+)?"
_NEVER = re.compile(
    r"(?<![\w-])(?:may|can|could|might|would|should|must|cannot|not|never|no|nor|neither|none|any|each|every|if|where|when|whenever|unless|in\s+case|in\s+the\s+event"
    r"|to\s+the\s+extent|deemed|unlikely|declin\w+|refus\w+|reject\w*|den(?:y|ied|ies)|deferr?\w*|request\w*|propos\w+|whether|previously\s+not|ask\w*|recommend\w*"
    r"|without|take|takes|taking|appl(?:y|ies|ied)|seek\w*|rights|right\s+to|entitled|except\s+(?:as|where|if|when))(?![\w-])",
    _I,
)
_WITH_THE = re.compile(r"\bwith\s+(?:the|one|an|some|few|certain|limited)\s+(?:\w+\s+)?\Z", _I)
_BEHIND = re.compile(r"\W*(?:only\s+)?(?:if|where|when|whenever|unless|in\s+case|in\s+the\s+event|as\s+necessary|case[\s-]by[\s-]case)\b", _I)
_GENERIC = frozenset(("such", "no", "any", "each", "every", "all"))
_CLAUSE = re.compile(r"[;:]\s|,\s+(?:and|but|or|while|whereas)\s|\.\s+(?=[A-Z])")

_ACTIVE = re.compile(rf"\b(?P<verb>{_GRANT})\s+(?P<between>(?:{_GAP}{{1,70}}?\s)??)(?:for\s+)?{_NAMED}", _I)
_PASSIVE = re.compile(rf"{_NAMED}(?P<between>{_GAP}{{0,160}}?)\s(?P<be>{_BE})\s+{_ADVERB}(?P<verb>{_GRANT})\b", _I)
_HOLDING = re.compile(rf"\b(?P<verb>has|have|holds?|obtained|received)\s+{_NAMED}", _I)
_APPROVAL = re.compile(rf"\bapproval\s+{_BE}\s+(?P<verb>given|granted)\s+(?:for|to)\s+{_NAMED}", _I)
_STANDS = re.compile(rf"{_NAMED}(?P<between>{_GAP}{{0,160}}?)\s(?P<verb>{TABLE.pattern('ending')})\b", _I)
_WAIVES = re.compile(
    r"(?P<verb>\b(?:hereby\s+|irrevocably\s+|unconditionally\s+|(?:has|have)\s+|agree[sd]?\s+to\s+|agree[sd]?\s+and\s+)*(?:waives?|waived))\s+(?P<what>[^;]{4,300})", _I
)
_WAIVED = re.compile(rf"(?P<what>[^;:]{{4,200}}?)\s(?:{_BE}|be)\s+{_ADVERB}(?P<verb>waived)\b", _I)
_EXCUSED = re.compile(
    rf"(?P<who>[^;:]{{2,600}}?)\s(?P<be>{_BE}|shall\s+be|be)\s+(?P<hereby>{_ADVERB})(?P<verb>{TABLE.pattern('excusing')})\s+(?:from|of)\s+", _I
)
_EXCUSES = re.compile(rf"\b(?P<verb>(?:hereby\s+|has\s+|have\s+)?(?:{TABLE.pattern('excuses')}))\s+(?P<who>[^;:,]{{2,160}}?)\s+from\s+", _I)
_RISK = re.compile(r"\b(?P<verb>accepted|accepts)\s+(?P<noun>(?:the|this|these|that|all)?\s*(?:(?:residual|remaining|security|identified|associated|inherent)\s+)?risks?)\b", _I)
_RISK_IS = re.compile(rf"\b(?P<noun>(?:the|this|these|that)?\s*(?:(?:residual|remaining|security|identified)\s+)?risks?)\b(?P<between>{_GAP}{{0,120}}?)\s{_BE}\s+{_ADVERB}(?P<verb>accepted)\b", _I)
_INSTEAD = re.compile(
    rf"(?P<what>[^;:]{{3,160}}?)\s(?:{_BE})\s+{_ADVERB}(?P<verb>{_GRANT})\s+as\s+(?:an?\s+)?(?P<noun>compensating\s+(?:control|measure)s?)(?:\s+for\s+(?P<prov>[^.;,]{{3,120}}))?", _I
)
_RESOLVED = re.compile(r"\b(?:resolved|agreed|decided|directed|ordered|determined|voted)\b", _I)
_RIGHTS, _REQUIRED = whole("rights"), whole("required")
_PLACED = re.compile(r"\b(?:(?:sub)?(?:section|clause|paragraph|article|rule|regulation|order|requirement|part)s?|§+)\s*\(?\d", _I)
_COMPLIANCE = re.compile(r"\W*(?:the\s+)?compliance(?:\s+by\s+(?P<who>[^,;]{2,80}?))?\s+with\s+", _I)
_OWNER = re.compile(r"(?:the\s+)?(?P<who>(?:[A-Z][\w&.-]*\s+){0,4}?[A-Z][\w&.-]*)['’]s\s+(?:obligation|duty|requirement|compliance|failure)", 0)
_GIVEN = re.compile(rf"(?:that\s+was\s+)?(?:{_GRANT})(?![\w-])", _I)
_PAST = re.compile(r"\b(?:was|were|has\s+been|have\s+been|had\s+been)\b", _I)
_HEREBY = re.compile(r"\bhereby\b", _I)

Reader = Callable[[str, str], Iterator[WaiverFact]]


def read_waiver(text: str) -> WaiverFact | None:
    """The exception that a sentence grants or tells of, None for any other sentence.

    Args:
        text: the sentence, canonical.
    """
    plain = masked(text)
    for reader in _READERS:
        for fact in reader(plain, text):
            condition = fact.condition or condition_of(text)
            return _with_words(replace(fact, condition=condition), text)
    return None


def _with_words(fact: WaiverFact, text: str) -> WaiverFact:
    """Names as they are printed: the dates in them were blotted out."""
    return replace(fact, holder=_printed(fact.holder, text), provision=_printed(fact.provision, text), by=_printed(fact.by, text))


def _printed(said: str, text: str) -> str:
    if "¤" not in said:
        return said
    pattern = re.sub(r"¤+", ".+?", re.escape(said).replace(r"\ ", r"\s+").replace("\\¤", "¤"))
    found = re.search(pattern + r"(?!\w)", text)
    return " ".join(found[0].split()) if found else said.replace("¤", "").strip()


def _clause(plain: str, at: int) -> int:
    """Where the clause of a word begins."""
    begin = 0
    for found in _CLAUSE.finditer(plain, 0, at):
        begin = found.end()
    return begin


def _granted(text: str, plain: str, start: int, end: int, fact: WaiverFact) -> WaiverFact:
    times = times_of(text)
    return replace(
        fact, granted=times.granted, begins=times.begins, until=times.until, is_open=times.is_open, length=times.length,
        start=start, end=end,
    )  # fmt: skip


def _timed(fact: WaiverFact) -> bool:
    return bool(fact.until or fact.length or fact.is_open)


def _hedged(plain: str, start: int, end: int) -> bool:
    return _NEVER.search(plain, start, end) is not None


def _active(plain: str, text: str) -> Iterator[WaiverFact]:
    for found in [*_APPROVAL.finditer(plain), *_ACTIVE.finditer(plain), *_HOLDING.finditer(plain)]:
        begin, verb = _clause(plain, found.start()), found["verb"].casefold()
        det = (found["det"] or "").casefold()
        if det in _GENERIC or _hedged(plain, begin, found.start("noun")) or _BEHIND.match(plain, found.end()):
            continue
        if _WITH_THE.search(plain[: found.start("noun")]):
            continue
        between = tidy(found.groupdict().get("between") or "")
        kind = KIND_OF[" ".join(found["noun"].casefold().split())]
        parts = parts_behind(plain, found.end("noun"), of=True)
        passive = re.search(rf"(?P<be>{_BE})\s+{_ADVERB}$", plain[begin : found.start("verb")], _I)
        subject = "" if verb == "given" and found.re is _APPROVAL else subject_of(plain, begin, found.start("verb"))
        if passive and found.re is _ACTIVE:
            if verb in ("approved", "accepted", "agreed", "made", "confirmed", "ratified", "endorsed"):
                continue
            holder, by = subject_of(plain, begin, begin + passive.start("be")), parts.first("by")
        elif found.re is _HOLDING:
            holder, by = subject, parts.first("by")
            if det not in ("a", "an") or not (_provision(kind, parts) or _timed(_granted(text, plain, 0, 0, WaiverFact("exception")))):
                continue
        else:
            holder, by = between if between and between.casefold() not in ("and", "that") else "", subject
        holder = holder if len(holder.split()) <= 12 else ""
        inner = plain[found.end("det") : found.start("noun")].strip() if det == "the" else ""
        holder = f"{found['det']} {inner}" if not holder and re.fullmatch(r"(?:[A-Z][\w&.-]*\s?)+", inner) else holder
        provision = _provision(kind, parts)
        holder = holder or _holder(kind, parts, provision)
        fact = _granted(text, plain, found.start("verb"), found.end("noun"), WaiverFact(kind, holder=holder, provision=provision, by=by))
        if not det and not _timed(fact) and not fact.granted:
            continue
        if not (provision or holder or _timed(fact) or fact.granted) or _PLACED.match(by):
            continue
        yield fact


def _provision(kind: str, parts: Parts) -> str:
    first = parts.first
    marks = ("from", "of", "under", "against") if kind in ("waiver", "exemption", "dispensation") else ("to", "from", "of", "under", "against")
    if parts.pieces and _GIVEN.match(tidy(parts.text[slice(*parts.pieces[0][1:])])):
        marks = tuple(each for each in marks if each != "to")
    found = first(*marks)
    if not found and (told := first("to")) and _PLACED.search(told):
        return told
    return found


def _holder(kind: str, parts: Parts, provision: str) -> str:
    first = parts.first
    for mark in ("to", "for", "in respect of"):
        if (told := first(mark)) and told != provision:
            return told
    return ""


def _passive(plain: str, text: str) -> Iterator[WaiverFact]:
    for found in _PASSIVE.finditer(plain):
        begin = _clause(plain, found.start())
        det, past = (found["det"] or "").casefold(), _PAST.match(found["be"]) is not None
        if det in _GENERIC or _hedged(plain, begin, found.end("verb")) or _BEHIND.match(plain, found.end()):
            continue
        kind = KIND_OF[" ".join(found["noun"].casefold().split())]
        near = parts_behind(plain, found.end("noun"), of=True, end=found.start("verb"))
        far = parts_behind(plain, found.end("verb"))
        provision = _provision(kind, near) or _provision(kind, far)
        provision = "" if provision in (far.first("to"), ) and kind == "exception" and not _provision(kind, near) else provision
        holder = far.first("to") or far.first("for") or _holder(kind, near, provision)
        fact = _granted(text, plain, found.start("noun"), found.end("verb"),
                        WaiverFact(kind, holder=holder if holder != provision else "", provision=provision, by=far.first("by") or near.first("by")))  # fmt: skip
        if _PLACED.match(fact.by):
            continue
        if past or _timed(fact) or fact.granted or _HEREBY.search(plain, found.start("be"), found.end("verb")):
            if det or _timed(fact):
                yield fact


def _stands(plain: str, text: str) -> Iterator[WaiverFact]:
    for found in _STANDS.finditer(plain):
        begin, det = _clause(plain, found.start()), (found["det"] or "").casefold()
        if det in _GENERIC or _hedged(plain, begin, found.start("verb")):
            continue
        noun = " ".join(found["noun"].casefold().split())
        near = parts_behind(plain, found.end("noun"), of=True, end=found.start("verb"))
        far = parts_behind(plain, found.end("verb"))
        kind = KIND_OF[noun]
        provision = _provision(kind, near)
        holder = _holder(kind, near, provision) or (far.first("to") if found["verb"].casefold() == "applies" else "")
        times = times_of(text)
        own = plain[found.end("noun") : found.start("verb")]
        if not det and not (noun == "exception" and re.match(r"\W*(?:no\.?\s*)?[A-Z]*-?\d|\s+[A-Z]{2}", own)):
            continue
        fact = _granted(text, plain, found.start("noun"), found.end("verb"),
                        WaiverFact(kind, holder=holder, provision=provision, by=near.first("by") or far.first("by")))  # fmt: skip
        named = det in ("this", "that", "these", "those") or "granted" in own or "approved" in own or bool(times.granted)
        if (fact.until or fact.begins or fact.is_open) or (fact.length and named):
            yield fact


def _waived(plain: str, text: str) -> Iterator[WaiverFact]:
    for found in _WAIVES.finditer(plain):
        begin = _clause(plain, found.start())
        if _hedged(plain, begin, found.end("verb")) or re.search(rf"(?:{_BE}|be)\s+{_ADVERB}$", plain[begin : found.start()], _I):
            continue
        if re.search(r"\b(?:to|or|and|by|of|for|which|that|party|parties)\s*$", plain[begin : found.start()]) and not re.search(r"\b(?:agree[sd]?\s+to|hereby|has|have)\b", found["verb"], _I):
            continue
        what = found["what"]
        at = found.start("what")
        if complied := _COMPLIANCE.match(plain, at):
            holder, parts = tidy(complied["who"] or ""), parts_behind(plain, complied.end())
        else:
            parts = parts_behind(plain, at)
            owner = _OWNER.match(plain, at)
            holder = tidy(owner["who"]) if owner else parts.first("to") or parts.first("for")
        provision = tidy(plain[slice(*parts.object)])
        fact = _granted(text, plain, found.start(), at + len(provision),
                        WaiverFact("waiver", holder=holder, provision=provision, by=subject_of(plain, begin, found.start("verb"))))  # fmt: skip
        if _excuses_somebody(provision, what, fact):
            yield fact
    for found in _WAIVED.finditer(plain):
        begin = max(_clause(plain, found.start("verb")), found.start())
        said = plain[begin : found.start("verb")]
        subjunctive = re.search(r"\bbe\s+(?:\w+ly\s+)?$", said, _I) and not re.search(r"\bbeen\s", said)
        if subjunctive and not _RESOLVED.search(plain, 0, found.start("verb")):
            continue
        if _hedged(plain, begin, found.end("verb")):
            continue
        provision = subject_of(plain, begin, begin + (re.search(rf"\s(?:{_BE}|be)\s+{_ADVERB}$", said, _I) or re.search("$", said)).start())  # type: ignore[union-attr]
        far = parts_behind(plain, found.end("verb"))
        holder = far.first("for") or far.first("in respect of") or far.first("to")
        fact = _granted(text, plain, found.start("verb"), found.end("verb"),
                        WaiverFact("waiver", holder=holder, provision=provision, by=far.first("by")))  # fmt: skip
        if _excuses_somebody(provision, provision, fact):
            yield fact


def _excuses_somebody(provision: str, what: str, fact: WaiverFact) -> bool:
    """Whether what is waived is a duty: a party that gives up a right of its own excuses nobody."""
    head = provision[:90]
    rights = _RIGHTS.search(head)
    required, placed = _REQUIRED.search(head), _PLACED.search(head)
    if rights and not (required and required.start() < rights.start()):
        return False
    if re.match(r"(?:any|all|each|every)\b", head, _I) and not (placed or fact.until):
        return False
    return bool(required or placed or fact.until)


def _excused(plain: str, text: str) -> Iterator[WaiverFact]:
    for found in _EXCUSES.finditer(plain):
        begin = _clause(plain, found.start())
        if _hedged(plain, begin, found.end("who")) or re.search(rf"(?:{_BE}|be)\s+(?:\w+ly\s+)?$", plain[begin : found.start()], _I):
            continue
        by = subject_of(plain, begin, found.start("verb"))
        who = tidy(found["who"])
        if by and not re.match(r"(?:employees?|persons?)\b", who):
            provision = _duty(plain, found.end())
            yield _granted(text, plain, found.start("verb"), found.end(), WaiverFact(_kind_of(found["verb"]), holder=who, provision=provision, by=by))
    for found in _EXCUSED.finditer(plain):
        begin = max(_clause(plain, found.start("be")), found.start("who"))
        if _hedged(plain, begin, found.end("verb")):
            continue
        far = parts_behind(plain, found.end())
        who = subject_of(plain, begin, found.start("be"))
        fact = _granted(text, plain, found.start("be"), found.end(),
                        WaiverFact(_kind_of(found["verb"]), holder=who, provision=_duty(plain, found.end()), by=far.first("by")))  # fmt: skip
        decided = _HEREBY.search(found["hereby"]) or (_PAST.match(found["be"]) and far.first("by"))
        if decided or fact.until or fact.is_open:
            yield fact


def _kind_of(verb: str) -> WaiverKind:
    return "dispensation" if "dispens" in verb.casefold() else "exemption" if "exempt" in verb.casefold() else "exception"


def _duty(plain: str, at: int) -> str:
    """What somebody is excused from, behind "from"."""
    parts = parts_behind(plain, at)
    said = tidy(plain[slice(*parts.object)])
    return re.sub(r"^(?:the\s+)?(?:application|operation|provisions?)\s+of\s+", "", said, flags=_I)


def _risk(plain: str, text: str) -> Iterator[WaiverFact]:
    for found in _RISK.finditer(plain):
        begin = _clause(plain, found.start())
        if _hedged(plain, begin, found.start("verb")) or re.search(r"\bappetite\b", plain, _I):
            continue
        by = subject_of(plain, begin, found.start("verb"))
        fact = _granted(text, plain, found.start("verb"), found.end("noun"), WaiverFact("risk acceptance", by=by))
        if by and (_timed(fact) or fact.granted or re.search(r"\b(?:has|have)\b", plain[begin : found.start("verb")], _I)):
            yield fact
    for found in _RISK_IS.finditer(plain):
        begin = _clause(plain, found.start())
        if not _hedged(plain, begin, found.end("verb")) and not _BEHIND.match(plain, found.end()):
            by = parts_behind(plain, found.end("verb")).first("by")
            fact = _granted(text, plain, found.start("noun"), found.end("verb"), WaiverFact("risk acceptance", by=by))
            if by or _timed(fact):
                yield fact


def _instead(plain: str, text: str) -> Iterator[WaiverFact]:
    for found in _INSTEAD.finditer(plain):
        begin = _clause(plain, found.start("verb"))
        if not _hedged(plain, begin, found.end("verb")):
            what = subject_of(plain, begin, begin + len(plain[begin : found.start("verb")].rstrip()))
            yield _granted(text, plain, found.start("verb"), found.end(),
                           WaiverFact("compensating control", provision=tidy(found["prov"] or ""), condition=what))  # fmt: skip


_READERS = (_instead, _waived, _excused, _active, _passive, _risk, _stands)
