"""Rules about exceptions: "exceptions expire after 12 months" excuses nobody, it says how long an exception may hold."""

from __future__ import annotations

import re

from coditect.documents.profile.agreements.facts import Length, lengths_in
from coditect.documents.profile.waivers.facts import KIND_OF, NOUN, TABLE, WaiverFact, whole
from coditect.documents.profile.waivers.parts import parts_behind
from coditect.documents.profile.waivers.times import masked

__all__ = ["read_rule"]

_I = re.IGNORECASE
_SUBJECT = re.compile(
    rf"(?:\b(?P<det>{TABLE.pattern('determiners')}|approved|granted|documented)\s+(?:[\w-]+\s+){{0,3}}?)?\b(?P<noun>{NOUN})\b",
    _I,
)
_MODAL, _SAID, _LIMITS = (whole(each) for each in ("governing", "general", "limiting"))
_WRITTEN = re.compile(r"\b(?:in\s+writing|written|instrument|signed|breach|hereof|hereto|thereof)\b", _I)
_APPROVED = re.compile(
    r"\b(?:approved|granted|authori[sz]ed|signed\s+off|accepted|agreed)\s+(?:[\w-]+\s+){0,5}?by\s"
    r"|\bapproval\s+(?:of|by|from)\s|\b(?:submitted|sent)\s+to\s",
    _I,
)
_EVERY = re.compile(r"\bevery\s*\Z", _I)
_STOP = re.compile(r"[,;:](?:\s|$)|\.\s")
_NOBODY = frozenset(("waiver", "exemption"))
_NEAR = 60


def read_rule(text: str) -> WaiverFact | None:
    """The rule about exceptions that a sentence is, None for any other sentence.

    Args:
        text: the sentence, canonical.
    """
    plain = masked(text)
    if "¤" in plain:
        return None
    for found in _SUBJECT.finditer(plain):
        noun = " ".join(found["noun"].casefold().split())
        kind = KIND_OF[noun]
        plural = noun.endswith("s") and noun != "exceptions to"
        general = plural or (found["det"] or "").casefold() in ("any", "each", "every", "an", "a", "all")
        modal = _MODAL.search(plain, found.end(), _stop(plain, found.end()))
        if not general or modal is None or (found["det"] or "").casefold() == "no":
            continue
        length = _length(plain, found.end())
        limits = _LIMITS.search(plain, modal.start()) is not None
        approved = _APPROVED.search(plain, modal.start())
        if (_WRITTEN.search(plain) and not length) or (kind in _NOBODY and not (length or approved)):
            continue
        if _SAID.search(plain, modal.start()) and (length or limits or approved):
            by = parts_behind(plain, approved.start()) if approved else None
            return WaiverFact(kind, decision="rule", by=(by.first("by", "from", "to") if by else ""), length=length,
                              start=found.start("noun"), end=len(text.rstrip()))  # fmt: skip
    return None


def _stop(plain: str, start: int) -> int:
    """Where the clause of a noun ends: what stands behind is said of something else."""
    found = _STOP.search(plain, start)
    return min(found.start() if found else len(plain), start + 3 * _NEAR)


def _length(plain: str, start: int) -> Length | None:
    """The length of time that an exception may hold; how often one is looked at again is none."""
    for length in lengths_in(plain, start, len(plain)):
        limited = _LIMITS.search(plain, max(start, length.start - _NEAR), length.start)
        if limited and not _EVERY.search(plain[: length.start]):
            return length
    return None
