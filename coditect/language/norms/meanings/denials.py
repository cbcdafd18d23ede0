"""What denies: negative subjects turn words of force around, "nothing" frees or forbids, and to deny a liability frees."""

from __future__ import annotations

import re
from dataclasses import replace

from coditect.language.norms.cues import Cue, NormKind
from coditect.language.norms.meanings.cue_rules import LEAVE
from coditect.language.norms.parts import NEGATIVE
from coditect.language.patterns.beginnings import quick
from coditect.language.patterns.deferred import deferred
from coditect.language.tables import read_table
from coditect.schemas.tier1.data import Strength

__all__ = ["NEGATED", "NEVER", "NONE", "OTHERS", "as_exempt", "freed", "negated"]

_I = re.IGNORECASE
_MODALITY = read_table("modality")
NONE = deferred(r"(?:nothing|none|no\s+(?:provision|term|section|part))\b", _I)
OTHERS = r"(?P<np>(?:[\w'’{}.-]+\s+){1,6}?)"
_NOTHING_DOES: tuple[tuple[re.Pattern[str], NormKind, str, Strength], ...] = (
    (
        deferred(
            rf"\s*(?:be\s+(?:construed|deemed|interpreted)\s+(?:so\s+as\s+)?to\s+(?:[^;.]{{0,80}}?\bto\s+)?)?(?:require|oblige|obligate|compel)s?\s+{OTHERS}to\s+",
            _I,
        ),
        "permission",
        "is not required to",
        "optional",
    ),
    (
        deferred(
            rf"\s*(?:be\s+(?:construed|deemed|interpreted)\s+(?:so\s+as\s+)?to\s+)?(?:\w+\s+or\s+)?(?:prevent|prohibit|preclude|restrict|bar|limit)s?\s+{OTHERS}from\s+",
            _I,
        ),
        "permission",
        "is not prevented from",
        "optional",
    ),
    (
        deferred(
            rf"\s*(?:\w+\s+or\s+)?(?:limit|affect|restrict|impair|prejudice|diminish|abridge|reduce|fetter|derogate\s+from)s?\s+{LEAVE}(?:\s+of\s+{OTHERS})?\s*to\s+",
            _I,
        ),
        "permission",
        "is not prevented from",
        "optional",
    ),
    (
        deferred(rf"\s*(?:give|grant|confer\s+on)s?\s+{OTHERS}(?:the|any|a)\s+rights?\s+to\s+", _I),
        "prohibition",
        "has no right to",
        "mandatory",
    ),
)
NEGATED = {modal: f"{modal} not" for modal in _MODALITY.words("modals")}
# "No employee is permitted to": what such words make of the holder is turned around by a negative subject.
_TURNED: dict[str, tuple[NormKind, str, Strength]] = {
    "is permitted to": ("prohibition", "is not permitted to", "mandatory"),
    "is entitled to": ("prohibition", "is not permitted to", "mandatory"),
    "has the right to": ("prohibition", "is not permitted to", "mandatory"),
    "is required to": ("permission", "is not required to", "optional"),
    "is required": ("permission", "is not required", "optional"),
    "is responsible for": ("permission", "is not required to", "optional"),
    "is to": ("prohibition", "is not to", "mandatory"),
    "has to": ("permission", "is not required to", "optional"),
}
_LIABLE = deferred(
    r"\s*(?:be|have)\s+(?:held\s+)?(?:(?:any|further|other|personally)\s+)*(?:\w+\s+(?:or\s+\w+\s+)?)?(?:liab|responsib|obligat|dut(?:y|ies)\b|accountab)",
    _I,
)
# "The host's liability under this Agreement shall not exceed the fees": who owes need not pay more.
_EXCEEDS = deferred(r"\s*(?:\w+ly\s+)?(?:exceed|be\s+(?:more|greater)\s+than)\b", _I)
_LIABILITY_LAST = deferred(r"\bliabilit(?:y|ies)\b[^.;]*\Z", _I)
NEVER = quick(rf"\b(?:{_MODALITY.pattern('fronted_negation')})\s*$", _I)


def as_exempt(text: str, end: int, cue: Cue) -> Cue:
    """A prohibition as the exemption that it is where what is denied is a liability: "neither party shall be liable"."""
    if cue.kind != "prohibition":
        return cue
    capped = _EXCEEDS.match(text, cue.end, end) and _LIABILITY_LAST.search(text, max(0, cue.start - 160), cue.start)
    if not capped and _LIABLE.match(text, cue.end, end) is None:
        return cue
    return replace(cue, kind="permission", modality="is not required to", strength="optional", confidence=0.85)


def negated(text: str, end: int, cue: Cue, name: str) -> Cue | None:
    """The cue as "no employee" and "neither party" turn it around; None where the subject does not."""
    if not NEGATIVE.match(name):
        return None
    if cue.modality in _TURNED:
        kind, modality, strength = _TURNED[cue.modality]
        return replace(cue, kind=kind, modality=modality, strength=strength)
    word = cue.modality.split()[0]
    if word not in NEGATED or cue.kind == "prohibition":
        return None
    strength = "recommended" if word == "should" else "mandatory"
    denied = replace(cue, kind="prohibition", modality=NEGATED[word], strength=strength, confidence=0.9)
    return as_exempt(text, end, denied)


def freed(text: str, end: int, cue: Cue) -> Cue | None:
    """What "nothing in this Agreement shall" does: to oblige frees somebody, to forbid permits, to give a right denies it."""
    for pattern, kind, modality, strength in _NOTHING_DOES:
        found = pattern.match(text, cue.end, end)
        if found:
            return replace(cue, end=found.end(), kind=kind, modality=modality, strength=strength, confidence=0.85)
    return None
