"""Stances that no modal verb tells: "is required", "is voluntary", "do not use", "is not measured", "no signature is sought".

What a document says is not done is at odds with what another one requires, as much as what it forbids.
"""

from __future__ import annotations

import re
from functools import lru_cache

from coditect.language.patterns.beginnings import quick
from coditect.language.reading.stems import canonical_stem
from coditect.language.tables import read_table
from coditect.language.terms import stem
from coditect.tiers.findings.conflicts.lines import LONGEST, Assertion, line_of
from coditect.tiers.findings.measures import canonical

__all__ = ["HAVING", "is_having", "stances_of"]

HAVING = "having"
"""The head of stances on whether there is a thing, it is used, or done: "undergo a check", "a check is required"."""

_MATTERS = read_table("matters")
_HAS = frozenset(canonical_stem(stem(word)) for word in _MATTERS.words("has"))
_I = re.IGNORECASE
_REQUIRED = re.compile(
    r"^(?P<thing>[^,;:|]{3,120}?),?\s+(?:is|are|remains?)\s+(?P<not>not\s+|no\s+longer\s+)?(?:always\s+)?"
    r"(?P<word>required|mandatory|compulsory|obligatory|needed|necessary|optional|voluntary)\b(?!\s+to\b)",
    _I,
)
_BANNED = re.compile(
    r"^(?:the\s+use\s+of\s+)?(?P<thing>[^,;:|]{3,120}?)\s+(?:is|are)\s+(?:\w+ly\s+)?"
    r"(?P<word>prohibited|forbidden|banned|not\s+(?:\w+ly\s+)?(?:permitted|allowed))\s*(?:\.|$)",
    _I,
)
_USE = canonical(stem("use"))
"""What a thing that is prohibited as such must not be done with: "shared accounts are prohibited"."""

_SPARED = re.compile(
    r"\b(?:is|are)\s+(?P<not>not\s+)?(?P<word>subject\s+to|exempt\s+from|obliged\s+to\s+(?P<verb>[a-z]+))\b", _I
)
_DOES_NOT = re.compile(
    r"\b(?:do|does)\s+not\s+(?P<need>have\s+to\s+|need\s+to\s+)?(?:also\s+|usually\s+|\w+ly\s+)?(?P<verb>[a-z]{2,})\b|\bneed\s+not\s+(?P<idle>[a-z]{2,})\b",
    _I,
)
_IS_NOT = re.compile(
    r"\b(?:is|are)\s+(?:not|never)\s+(?:\w+ly\s+)?(?P<verb>[a-z]+(?:ed|en|wn|pt|ld|nt|id|ung|orn))\b", _I
)
_NO_THING = re.compile(
    r"\bno\s+(?:other\s+|further\s+|separate\s+)?(?P<thing>[\w\s’'-]{3,60}?)\s+(?:is|are)\s+(?:needed|required|necessary|sought|asked\s+for|obtained|taken|made|held|kept|carried\s+out)\b",
    _I,
)
_STATES = frozenset(_MATTERS.words("states"))
_NO_ACTS = frozenset(_MATTERS.words("no_acts"))
_HINT = quick(
    r"\b(?:not|no|never|required|mandatory|compulsory|obligatory|optional|voluntary|exempt|necessary|needed|prohibited|forbidden|banned)\b",
    _I,
)
_DONE_ALREADY = re.compile(r"\b(?:has|have|had|was|were|if|where|when|unless|until|who|that|which|whether)\b", _I)
_SHALL = re.compile(r"\b(?:must|shall|should|may|might|can|could|will|would)\b", _I)


def is_having(head: str) -> bool:
    """Whether a verb says of a thing that there is one, that it is used or done."""
    return canonical_stem(head) in _HAS


@lru_cache(maxsize=1 << 14)
def stances_of(text: str) -> tuple[Assertion, ...]:
    """What a sentence requires, leaves open or says is not done, other than by a modal verb; at most one.

    Args:
        text: a sentence.
    """
    if len(text) > LONGEST or " | " in text or _HINT.search(text) is None:
        return ()
    line = re.sub(r"^\W*(?:\d[\d.]*\W+)?", "", line_of(text))
    return tuple(_stances(line, text))[:1]


def _stances(line: str, text: str) -> list[Assertion]:
    found: list[Assertion] = []
    required = _REQUIRED.match(line)
    if required and not _DONE_ALREADY.search(required["thing"]) and not _SHALL.search(required["thing"]):
        idle = bool(required["not"]) is (required["word"].casefold() not in ("optional", "voluntary"))
        found.append(_told(HAVING, "need not" if idle else "must", "", line.replace(required["word"], " "), text))
    banned = _BANNED.match(line)
    if banned and not _DONE_ALREADY.search(banned["thing"]) and not _SHALL.search(banned["thing"]):
        found.append(Assertion("modality", _USE, text, "must not", "", banned["thing"]))
    spared = _SPARED.search(line)
    if spared and not _DONE_ALREADY.search(line[: spared.start()]):
        idle = bool(spared["not"]) is not spared["word"].casefold().startswith("exempt")
        verb = spared["verb"] or ""
        head = canonical(stem(verb)) if verb else HAVING
        found.append(_told(head, "need not" if idle else "must", verb, line, text))
    for match in _DOES_NOT.finditer(line):
        verb = (match["verb"] or match["idle"]).casefold()
        if verb in _NO_ACTS or _is_aside(line, match.start()):
            continue
        stance = "need not" if match["need"] or match["idle"] else "does not"
        found.append(_told(canonical(stem(verb)), stance, verb, line, text))
    for match in _IS_NOT.finditer(line):
        verb = match["verb"].casefold()
        if verb not in _STATES and not _is_aside(line, match.start()):
            found.append(_told(canonical(stem(verb)), "does not", verb, line, text))
    nothing = _NO_THING.search(line)
    if nothing and not _is_aside(line, nothing.start()):
        found.append(_told(HAVING, "need not", "", line, text))
    return found


def _is_aside(line: str, at: int) -> bool:
    """Whether what stands at a place is only said of a condition, or of which of many is meant."""
    clause = re.split(r"[;:]|,\s+(?:and|but)\b", line[:at])[-1]
    return _DONE_ALREADY.search(clause) is not None or _SHALL.search(clause) is not None


def _told(head: str, stance: str, verb: str, line: str, text: str) -> Assertion:
    head = HAVING if is_having(head) else head
    return Assertion("modality", head, text, stance, verb, line)
