"""Who may end an agreement without a reason, and by which notice."""

from __future__ import annotations

import re
from collections.abc import Iterator

from coditect.documents.profile.agreements.facts import SELF, AgreementFact, Length, lengths_in, words_pattern
from coditect.language.tables import read_table

__all__ = ["read_termination"]

_I = re.IGNORECASE
_FREELY, _REASONS = words_pattern("freely"), words_pattern("reasons")
_KINDS = read_table("agreements").pattern("kinds")
_END = r"(?:terminate|cancel|end|withdraw\s+from)"
_NOT_OF = r"(?!\s+(?:referred|described|specified|granted|mentioned|identified|set\s+(?:out|forth))\b)"
"""Behind "the licence": what tells which one, so that it is not the agreement itself."""

_WHAT = (
    rf"(?:this\s+(?:[\w&-]+\s+){{0,3}}?(?:{_KINDS})|the\s+(?:present\s+)?(?:{_KINDS})(?![\w-]){_NOT_OF}"
    r"|(?:its|their|such|the\s+[\w’']+|[A-Z]\w+[’']s)\s+(?:appointment|engagement|participation|employment))"
)
_LEAVE = re.compile(
    r"(?P<who>[^,;:.()]{2,80}?)\s+(?:may|can|shall\s+(?:be\s+entitled|have\s+the\s+(?:right|option))|(?:is|are)\s+entitled"
    r"|(?:has|have)\s+the\s+(?:right|option)|reserves\s+the\s+right)\b"
    rf"[^.;]{{0,120}}?\b{_END}\b(?:[^.;]{{0,40}}?(?:{_WHAT}|hereunder|\bin\s+(?:whole|its\s+entirety))"
    r"|(?P<it>\s+it)?(?=\s+(?:for\s+(?:its\s+|their\s+)?convenience|without\s+(?:cause|(?:giving\s+)?(?:any\s+)?reasons?)|at\s+will"
    r"|(?:up)?on\s+(?:(?:at\s+least|not\s+less\s+than|giving)\s+)?[\w()’'-]+\s+(?:[\w()’'-]+\s+){0,3}?notice)\b(?!\s+(?:(?:either|any|all|the|this|its|such|one)\b|(?-i:[A-Z])))))",
    _I,
)
"""Leave to end what is named, or, behind the verb, nothing but that no reason is needed or which notice is."""
_PASSIVE = re.compile(rf"{_WHAT}[^.;]{{0,60}}?\b(?:may|can)\s+be\s+(?:terminated|cancell?ed|ended)\b", _I)
_UNTIL = re.compile(
    rf"{_WHAT}[^.;]{{0,160}}?\buntil\s+(?:(?:it\s+is\s+)?(?:terminated|cancell?ed)\b"
    r"|(?P<who>(?:either|any|one)(?:\s+of\s+the)?\s+part(?:y|ies))\s+(?:shall\s+)?(?:gives?|serves?)\b[^.;]{0,80}?\bnotice\s+of"
    r"\s+(?:termination|cancellation))",
    _I,
)
_WISHING = re.compile(
    rf"\b(?P<who>(?:either|any|each|a|one)\s+party|the\s+(?-i:[A-Z])\w+|(?-i:[A-Z])\w+)\s+(?:that\s+|who\s+)?"
    rf"(?:wish|desir|want|intend|elect)\w*\s+to\s+{_END}\s+(?:{_WHAT}|it\b)[^.;]{{0,80}}?\b(?:must|shall|will|has\s+to|may)\b"
    r"[^.;]{0,60}?\b(?:notice|notif(?:y|ication))\b",
    _I,
)
"""Who wishes to end it is to give notice: leave to end it, said by the way."""
_BY = re.compile(
    r"\bby\s+(?P<who>(?:either|any|each|both)(?:\s+of\s+the)?\s+part(?:y|ies)|the\s+[A-Z]\w+|[A-Z][\w&.]+(?:\s+[A-Z][\w&.]+){0,3})"
)
_NOTICE = re.compile(r"^['’]?s?['’]?\s*(?:\(?\w+\)?\s+){0,5}?(?:notice|prior|in\s+advance|advance)\b", _I)
_DIRECT_NOTICE = re.compile(
    r"[,\s]*(?:(?:at\s+any\s+time|without\s+cause|hereunder)[,\s]*)?(?:up)?on\s+(?:giving\s+)?(?:(?:[\w’']+,?)\s+){0,5}?notice\b",
    _I,
)
"""Notice alone, right behind what may be ended."""

_ANY_NOTICE = re.compile(r"\b(?:upon|on|by|with|giv(?:e|ing)|provid(?:e|ing))\b[^.;]{0,80}?\bnotice\b", _I)
_NAME = r"(?-i:[A-Z][\w&.’'-]*)"
_WORDS = re.compile(
    rf"(?:\b(?:either|any|each|both|no)(?:\s+of)?(?:\s+the)?\s+\w+|(?:\bthe\s+)?{_NAME}(?:\s+(?:of|the|and|or|{_NAME})){{0,5}}"
    r"|\b(?:you|we))(?:\s+(?:will|shall|may|hereby))?$",
    _I,
)
_MODAL = re.compile(r"\s+(?:will|shall|may|hereby)$", _I)
_SIMPLY = re.compile(
    r"(?:.*[.:;])?[\W\d]*(?:\([a-z]\)\s*)?(?:(?:if|should|where|when|in\s+the\s+event(?:\s+that)?)\s+)?", _I | re.DOTALL
)
"""In front of who wishes to end it: nothing that has to come about first."""

_IF = re.compile(
    r"(?:.*(?:[;:]|\.\s+(?=(?-i:[A-Z]))))?[\W\d]*(?:\([a-z]+\)\s*)?(?-i:If|Should|In\s+the\s+(?:event|case))\b"
    r"(?![^;]*\b(?:wish|desir|want|intend|elect)\w*\s+to\b)(?:(?!\.\s+(?-i:[A-Z]))[^;:])*$",
    _I | re.DOTALL,
)
"""In front of the leave: something else has to come about first, and that is the reason."""

_EACH = re.compile(r"(?:either|any|each|both)\b", _I)
_FOR_CAUSE = re.compile(r"\b(?:for\s+cause|default|breach|insolven|bankrupt)", _I)
_CERTAINLY = re.compile(
    r"\bfor\s+(?:any|no)(?:\s+or\s+no)?\s+(?:reason|cause)|\bwithout\s+(?:any\s+)?(?:cause|reason)|\bwith\s+or\s+without\s+cause"
    r"|\bconvenience|\bat\s+will\b|\bwithout\s+(?:giving|stating)\b",
    _I,
)


def read_termination(text: str, heading: str) -> Iterator[AgreementFact]:
    """Leave to end the agreement without a reason; at most one reading.

    Args:
        text: the sentence.
        heading: what it stands under.
    """
    found = _LEAVE.search(text) or _PASSIVE.search(text) or _UNTIL.search(text)
    wishing = None if found is not None else _WISHING.search(text)
    found = found or wishing
    if found is None or (wishing is not None and not _SIMPLY.fullmatch(text, 0, found.start("who"))):
        return
    if found.re is _LEAVE and found["it"] and not re.search(SELF, text[: found.start()], _I):
        return
    clause = found.start() if wishing is not None else max(text.rfind(mark, 0, found.start()) for mark in ".;:") + 1
    freely, reasoned = _FREELY.search(text, clause), _REASONS.search(text, clause)
    length = _notice(text, found.start())
    said = _CERTAINLY.search(text) is not None
    conditional = found.re is _LEAVE and _IF.match(text, 0, found.start("who")) is not None
    if (reasoned or conditional) and not said:
        return
    if wishing is None and not (freely or said or length or _ANY_NOTICE.search(text, found.end())):
        return
    titled = re.search(r"convenience|without\s+cause", heading, _I) is not None
    by_notice = length is not None or wishing is not None or (_is_plain(text, found) and not _FOR_CAUSE.search(heading))
    weight = 1 + (freely is not None) + by_notice + titled
    end = max(found.end(), length.end if length else 0)
    yield AgreementFact(
        "termination", "without a reason", found.start(), end, length, who=_who(text, found), weight=weight
    )


def _is_plain(text: str, found: re.Match[str]) -> bool:
    """Whether notice is all that it takes: of either party, right behind what may be ended, and nothing follows that says when.

    Of one party alone it is mostly said where something has come about.
    """
    notice = _DIRECT_NOTICE.match(text, found.end())
    if not _EACH.match(_who(text, found)):
        return False
    if found.re is _LEAVE and not _SIMPLY.fullmatch(text, 0, found.start()):
        return False
    return notice is not None and not text.rstrip().endswith((":", ",", ";", "–", "-"))


def _who(text: str, found: re.Match[str]) -> str:
    """Who may end it, as printed; "" where nobody is named."""
    if found.re in (_WISHING, _UNTIL) and found["who"]:
        return " ".join(found["who"].split())
    if "who" in found.re.groupindex and found["who"]:
        words = _WORDS.search(found["who"].strip())
        return _MODAL.sub("", " ".join(words[0].split())) if words else ""
    by = _BY.search(text, found.start())
    return " ".join(by["who"].split()) if by else ""


def _notice(text: str, at: int) -> Length | None:
    for length in lengths_in(text, at, len(text)):
        before = text[max(at, length.start - 60) : length.start]
        if _NOTICE.match(text[length.end : length.end + 60]) or re.search(
            r"\bnotice\s+(?:period\s+)?of\s+(?:at\s+least\s+|not\s+less\s+than\s+)?$", before, _I
        ):
            return length
    return None
