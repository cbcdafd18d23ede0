"""What a party may do only with the other's leave: pass on the agreement or its work; and who may look at whose books."""

from __future__ import annotations

import re
from collections.abc import Iterator

from coditect.documents.profile.agreements.facts import OTHERS, SELF, AgreementFact, words_pattern
from coditect.language.tables import read_table
from coditect.schemas import AgreementField

__all__ = ["read_assignment", "read_audit", "read_subcontracting"]

_I = re.IGNORECASE
_ASSIGNING, _SUBCONTRACTING = words_pattern("assigning"), words_pattern("subcontracting")
_TABLE = read_table("agreements")
_BROUGHT_IN = re.compile(
    rf"\b(?:{_TABLE.pattern('bringing_in')})\s+(?:[\w-]+\s+){{0,4}}?(?:{_TABLE.pattern('subcontractors')})(?![\w’'-])",
    _I,
)
_DEFINING = re.compile(r"[”\"]\s+(?:shall\s+)?means?\b", _I)
_ONLY = re.compile(r"\b(?:any|shall|must|only)\b", _I)
_NEAR, _FAR = 70, 260
_PROHIBITING, _CONSENTING = words_pattern("prohibiting"), words_pattern("consenting")
_AUDITING, _AUDITED, _PERMITTING = (words_pattern(each) for each in ("auditing", "audited", "permitting"))
_WHAT = re.compile(
    rf"\b(?:{SELF}|rights?|obligations?|duties|interests?|hereunder|benefit|part\s+thereof|contract)\b", _I
)
_OWN = re.compile(SELF, _I)
_HANDED_OVER = re.compile(
    r"\bhereby\b|\bagrees?\s+to\s+assign|\bshall\s+assign\b|\bassigned\s+to\s+(?:the|this|perform)", _I
)
_RELATIVE = re.compile(r"\b(?:which|that|who)\s+$", _I)
_UNLESS = re.compile(r"\bwithout\s+(?:the\s+|its\s+|any\s+)?$", _I)
_REFUSED = re.compile(
    r"\b(?:need\s+not|not\s+(?:be\s+)?(?:obliged|obligated|required|entitled|permitted|allowed)|no\s+(?:right|obligation))"
    r"\b[^.;]{0,80}$",
    _I,
)
_LEAVE = re.compile(
    r"\b(?:may|entitled\s+to|free\s+to|right\s+to|permitted\s+to|allowed\s+to|shall\s+be\s+permitted|freely)\b", _I
)
_AUTHORISED = re.compile(rf"{_LEAVE.pattern}|\b(?:authori[sz]es?|agrees?|consents?)\b", _I)
_FIRST = re.compile(
    rf"(?<!without )\b(?:obtain|seek|request|receive|require)(?:s|ing)?\b[^.;]{{0,40}}?"
    rf"\b(?:{_TABLE.pattern('consenting')})\b[^.;]{{0,60}}\b(?:before|prior\s+to)\b[^.;]{{0,30}}$",
    _I,
)
"""Consent that is obtained before something is done, in front of what is done."""

_SIMPLY = re.compile(r"\b(?:may|(?:is|are)\s+(?:entitled|free|permitted|allowed)\s+to)\s+(?:\w+ly\s+)?$", _I)
"""Right in front of what may be done: leave to do it is what the sentence is for."""

_A_PARTY = re.compile(r"\s+the\s+(?:other\s+party|(?-i:[A-Z])(?!inancial|nnual|ccounts)[\w’'&.-]+)", _I)
"""Who is audited."""

_WITHOUT = re.compile(r"\bwithout\b[^.;]{0,80}$", _I)
_NEEDS = re.compile(
    r"\b(?:with|subject\s+to|upon|requires?|obtain\w*|only\s+(?:with|if)|except\s+with|unless|prior)\b[^.;]{0,80}$", _I
)
_PATENTS = re.compile(
    r"\b(?:inventions?|intellectual\s+property|patents?|trademarks?|copyrights?|works?\s+(?:product|for\s+hire)|personnel"
    r"|employees?|task)\b",
    _I,
)
_REVIEWING, _KEPT = words_pattern("reviewing"), words_pattern("kept")
_ACCESS = re.compile(rf"\baccess\b[^.;]{{0,60}}?\bto\b(?=[^.;]{{0,60}}?\b(?:{_TABLE.pattern('kept')})(?![\w-]))", _I)
"""Access to what is kept, at once or "during business hours to such of the records"."""

_GIVEN = re.compile(
    r"\b(?:giv|provid|afford|grant|allow|permit|furnish|entitle|open)\w*\b[^.;]{0,200}$|\b(?:ha(?:ve|s)|may|rights?)\b[^.;]{0,120}$"
    r"|\bshall\s+(?:\w+\s+)?(?:be\s+given\s+|receive\s+)?$",
    _I,
)
"""In front of access: that it is given."""

_TAKEN = re.compile(
    r"\b(?:terminat|restrict|den(?:y|ies|ied)|revok|suspend|prevent|prohibit|limit|control)\w*\s+(?:[\w’']+\s+){0,3}$",
    _I,
)
"""In front of access: that it is taken away."""

_BY_THE_WAY = re.compile(
    r"\b(?:in\s+connection\s+with|obtained\s+(?:\w+\s+){0,3}?(?:by|through|from|during)|as\s+a\s+result\s+of|resulting\s+from"
    r"|in\s+the\s+course\s+of|while|who\s+ha(?:ve|s))\s+(?:(?:its|their|such|the|any|having)\s+)?$",
    _I,
)
"""In front of access that is only spoken of: records obtained "in connection with access to your facilities"."""

_ATTRIBUTE = re.compile(
    r"(?:[\s,/]+(?:\([^()]{0,60}\)|(?!(?:without|except|by|to|in|under|unless|only|with)\b)[\w-]+)){0,8}?"
    r"[\s,/]+(?:sub)?(?:licen[cs]es?|rights?|permission|privileges?|interest)\b",
    _I,
)
"""Behind "non-transferable": what it is an attribute of, as where a licence is granted."""

_THINGS = re.compile(
    r"licen[cs]e|lease|option|warrant|share|unit|stock|securit|note|award|password|ticket|account|right", _I
)
_OTHER_THING = re.compile(
    r"\b(?:(?:such|the|a|any|each|every|said)\s+(?:[\w-]+,?\s+){0,4}?(?:(?:sub)?licen[cs]es?|sublease|options?|warrants?|shares?|units?|stock"
    r"|securities|notes?|awards?|passwords?|tickets?|accounts?|memberships?|rights?\s+(?:to|in)\s+(?-i:[A-Z][\w-]+))"
    r"|(?:[\w-]+\s+)?(?:membership|voting|sponsorship)\s+(?:rights?|privileges?)(?:\s+(?:and|or)\s+(?:rights?|privileges?|benefits?))?)"
    r"\s+(?:(?!\b(?:agreement|contract|hereunder)\b)[^.;,]){0,80}?\b(?:is|are|shall|may|can|will|must|cannot)\b[^.;]{0,80}$",
    _I,
)
"""Something else as the subject of what may not be assigned: a licence under the agreement, a membership, a share."""

_TRANSFERRING = re.compile(
    rf"\btransfer(?:s|red|ring)?\s+(?:or\s+\w+\s+)?(?:(?:the\s+)?ownership\s+of\s+|(?:all|any)\s+(?:or\s+any\s+)?(?:part|portion)?\s*of\s+)?{SELF}",
    _I,
)
_AUDITORS = re.compile(r"\baudited\s+(?:financial|annual|consolidated|balance|statements)", _I)


def read_assignment(text: str, heading: str) -> Iterator[AgreementFact]:
    """Whether the agreement may be assigned: "prohibited", "with consent" or "permitted"; at most one reading.

    Args:
        text: the sentence.
        heading: what it stands under.
    """
    titled = re.search(r"\b(?:assign|transfer)", heading, _I) is not None
    for cue in (*_ASSIGNING.finditer(text), *_TRANSFERRING.finditer(text)):
        if _is_of_another(text, cue):
            continue
        near = text[max(0, cue.start() - 160) : cue.end() + 160]
        close = text[max(0, cue.start() - 80) : cue.end() + 80]
        if _HANDED_OVER.search(close) or (_PATENTS.search(near) and not _OWN.search(close)):
            continue
        if _WHAT.search(near):
            yield from _leave("assignment", text, cue, titled)
            return


def _is_of_another(text: str, cue: re.Match[str]) -> bool:
    """Whether what is assigned, or not, is something else than the agreement: a licence that it grants, a membership."""
    if cue[0].casefold() in ("transferable", "assignable") and _ATTRIBUTE.match(text, cue.end()):
        return True
    ahead = text[max(0, cue.start() - _FAR) : cue.start()]
    return _THINGS.search(ahead) is not None and _OTHER_THING.search(ahead) is not None


def read_subcontracting(text: str, heading: str) -> Iterator[AgreementFact]:
    """Whether work may be passed on to others: "prohibited", "with consent" or "permitted"; at most one reading.

    Args:
        text: the sentence.
        heading: what it stands under.
    """
    titled = re.search(r"\b(?:sub-?contract|outsourc|sub-?process)", heading, _I) is not None
    if _DEFINING.search(text):
        return
    for cue in (*_SUBCONTRACTING.finditer(text), *_BROUGHT_IN.finditer(text)):
        if _UNLESS.search(text, 0, cue.start()):
            continue  # what cannot be done "without the use of a sub-processor" says nothing of whether one may be used
        found = list(_leave("subcontracting", text, cue, titled, _AUTHORISED))
        if found and (found[0].value == "permitted" or abs(_nearest(text, cue) - cue.start()) < _NEAR):
            yield found[0]
            return


def _nearest(text: str, cue: re.Match[str]) -> int:
    """Where the last word of prohibition, leave or need in front of a cue begins; 0 where none does."""
    ahead = [
        each.start() for pattern in (_PROHIBITING, _LEAVE, _ONLY) for each in pattern.finditer(text, 0, cue.start())
    ]
    return max(ahead, default=-_NEAR)


def _leave(
    field: AgreementField, text: str, cue: re.Match[str], titled: bool, leave: re.Pattern[str] = _LEAVE
) -> Iterator[AgreementFact]:
    """What of prohibition, consent and leave stands around a word."""
    clause = re.split(r"[.;]", text[: cue.start()])[-1]
    behind = text[cue.end() : cue.end() + 260]
    prohibited = _prohibition(clause[-160:]) or re.match(r"[^.;]{0,80}\b(?:shall|is|are)\s+(?:not|null|void)", behind)
    consent = _CONSENTING.search(behind)
    at = cue.end() + (consent.start() if consent is not None else 0)
    needed = (
        _WITHOUT.search(text, 0, at) is not None
        or _NEEDS.search(clause + text[cue.start() : at]) is not None
        or prohibited is not None
        if consent is not None
        else (_CONSENTING.search(clause) is not None and prohibited is not None) or _FIRST.search(clause) is not None
    )
    value = (
        "with consent" if needed else "prohibited" if prohibited else "permitted" if leave.search(clause[-80:]) else ""
    )
    if value:
        # "agrees to the use of" or "may use", not a "may" on the way
        simply = field == "subcontracting" and _SIMPLY.search(clause) is not None and not _CONSENTING.search(clause)
        is_direct = value != "permitted" or _LEAVE.search(clause[-80:]) is None or simply
        weight = 1 + is_direct + titled
        yield AgreementFact(field, value, cue.start(), cue.end(), weight=weight)


def _prohibition(clause: str) -> re.Match[str] | None:
    """The last prohibition of a clause, but for one that only describes something: "services which cannot be provided"."""
    found = [each for each in _PROHIBITING.finditer(clause) if not _RELATIVE.search(clause, 0, each.start())]
    return found[-1] if found else None


def read_audit(text: str, heading: str) -> Iterator[AgreementFact]:
    """A right to audit or inspect what the other keeps; at most one reading.

    Args:
        text: the sentence.
        heading: what it stands under.
    """
    titled = re.search(r"\b(?:audit|inspect|record|books)", heading, _I) is not None
    for cue in (*_AUDITING.finditer(text), *_REVIEWING.finditer(text), *_ACCESS.finditer(text)):
        if cue[0].casefold().startswith("access") and (
            _BY_THE_WAY.search(text, max(0, cue.start() - _FAR), cue.start())
            or _TAKEN.search(text, max(0, cue.start() - _FAR), cue.start())
            or not _GIVEN.search(text, max(0, cue.start() - _FAR), cue.start())
        ):
            continue
        if (
            _REFUSED.search(text, 0, cue.start())
            or _AUDITORS.match(text, cue.start())
            or OTHERS.search(text, 0, cue.start())
        ):
            continue
        near = text[max(0, cue.start() - 260) : cue.end() + 260]
        kept = _KEPT.search(text[cue.start() : cue.end() + 120])
        plain = _AUDITING.match(text, cue.start()) is not None
        of_party = (
            plain and _SIMPLY.search(text, 0, cue.start()) is not None and _A_PARTY.match(text, cue.end()) is not None
        )
        if _PERMITTING.search(near) and (kept or of_party or (plain and _AUDITED.search(near))):
            weight = 1 + titled + (kept is not None) + cue[0].casefold().startswith("audit")
            yield AgreementFact("audit", "granted", cue.start(), cue.end(), weight=weight)
            return
