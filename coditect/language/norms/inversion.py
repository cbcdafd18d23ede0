"""Whom words of force bind that stand before their holder: "requires banks to report", "in no event shall the bank"."""

from __future__ import annotations

import re
from dataclasses import replace

from coditect.language.norms.meanings.denials import NEGATED, NEVER, NONE, OTHERS, as_exempt
from coditect.language.norms.meanings.reports import advised
from coditect.language.norms.modality import LEAVE, Cue
from coditect.language.norms.subjects import Subject
from coditect.language.tables import read_table
from coditect.schemas.tier1.data import Strength

__all__ = ["find_bound"]

_I = re.IGNORECASE
_MODALITY = read_table("modality")
_OTHERS_NAMED = re.compile(
    rf".*?\b(?:(?:prevent|prohibit|preclude|restrict|bar|limit)s?\s+or\s+)?(?:require|oblige|obligate|compel|prevent|prohibit|preclude|restrict|bar|limit|give|grant|confer\s+on)s?\s+{OTHERS}(?:to|from|the\s+rights?\s+to|any\s+rights?\s+to|a\s+right\s+to)\s+\Z",
    _I | re.DOTALL,
)
_LEFT_TO = re.compile(rf".*?\b{LEAVE}\s+of\s+{OTHERS}to\s+\Z", _I | re.DOTALL)
_LET_BE = re.compile(
    rf"\b(?:{LEAVE}\s+of|(?:prevent|preclude|prohibit|bar|restrict)s?)\s+(?P<np>(?:[\w'’{{}}.-]+\s+){{1,8}}?)(?:to|from)\s*\Z",
    _I,
)
_INVERTED = re.compile(
    r"\s*(?P<np>(?:(?:the|an?|any|either|each|such|its|our)\s+(?:[a-z-]+(?=\s)|[A-Z][\w-]*)|we|you|it|they|[A-Z][\w&.'’-]*)(?:\s+[A-Z][\w&.'’-]*){0,4})\s+(?=[a-z])"
)
_REQUIRED_TO = re.compile(r"\s*(?P<np>(?:[\w'’{}-]+\s+){1,10}?)to\s+(?=[A-Za-z…])")
_NOT_REQUIRED = re.compile(r".*(?:require|oblige|obligate|compel)\s*\Z", _I | re.DOTALL)
_INVERTED_CAPITALS = re.compile(
    r"\s*(?P<np>(?:(?:THE|AN?|ANY|EITHER|EACH|SUCH|ITS|OUR)\s+)?[A-Z]{2,}(?:\s+OR\s+(?:ITS\s+|ANY\s+)?[A-Z]+)?)\s+(?=(?:BE|HAVE)\s|[A-Z]{3,}\s)"
)
_KEPT_FROM = re.compile(r"\s*(?P<np>(?:[\w'’{}-]+\s+){1,6}?)from\s+(?=[a-z-]+ing\b)")
_ACTIVE = re.compile(r"(?:require|expect|prohibit|(?:do|does|did|will|shall|wo)\s*n[o'’]t)", _I)
_OF_WHOM = re.compile(
    rf"\b(?:(?P<own>your|our|their|its|his|her|[A-Z]\w*(?=['’]s))['’s]*\s+)?(?:\w+\s+){{0,2}}?(?:{_MODALITY.pattern('duties')})(?:\s+of\s+(?P<of>.+?))?\s+to\Z",
    re.DOTALL,
)


_DUTIES_OF = re.compile(
    r"(?:responsibilities|duties|obligations|tasks)(?:\s+of\s+(?P<of>.+?))?\s+(?:(?:shall|will|must)\s|also\s|include|comprise|are)",
    _I,
)
_POSSESSIVE = re.compile(r"['’]s?\Z")


def find_bound(text: str, start: int, end: int, cue: Cue, subject: Subject, before: Cue) -> tuple[Cue, Subject]:
    """Find the actor behind the cue: "In no event shall Supplier disclose", "requires employees to report"."""
    if NONE.match(text, subject.start, max(subject.start, subject.end)) and cue.end > before.end:
        named = _LEFT_TO.match(text, before.end, cue.end) or _OTHERS_NAMED.match(text, before.end, cue.end)
        if named:
            return cue, replace(subject, start=named.start("np"), end=named.end("np"))
    words = text[before.start : before.end]
    if before.modality == "is not prevented from" and (named := _LET_BE.search(words)):
        return cue, replace(subject, start=before.start + named.start("np"), end=before.start + named.end("np"))
    if before.modality == "is not required to" and _NOT_REQUIRED.match(words):
        named = _REQUIRED_TO.match(text, cue.end, end)  # "This part does not require the bank to"
        if named:
            return replace(cue, end=named.end()), replace(subject, start=named.start("np"), end=named.end("np"))
    if before.modality == "is expected to" and (told := advised(text, cue, end)):
        return replace(cue, end=told[1]), replace(subject, start=told[0], end=told[1])
    if before.modality in ("prohibited", "is expected to", "is not permitted to") and _is_active(words):
        named = (_KEPT_FROM if before.modality == "prohibited" else _REQUIRED_TO).match(text, cue.end, end)
        if named:
            return replace(cue, end=named.end()), replace(subject, start=named.start("np"), end=named.end("np"))
        return cue, replace(subject, start=cue.start, end=cue.start)
    if before.modality == "is responsible for" and (listed := _DUTIES_OF.match(words)):
        if listed["of"]:
            lo, hi = listed.span("of")
            return cue, replace(subject, start=before.start + lo, end=before.start + hi)
        whose_own = _POSSESSIVE.sub("", text[subject.start : before.start].rstrip())
        return cue, replace(subject, end=subject.start + len(whose_own))
    if before.modality == "is responsible for" and (whose := _OF_WHOM.search(words)):
        lo, hi = whose.span("of") if whose["of"] else whose.span("own") if whose["own"] else (0, 0)
        return cue, replace(subject, start=before.start + lo, end=before.start + hi)
    if before.modality == "requires":
        named = _REQUIRED_TO.match(text, cue.end, end)
        if named:
            return replace(cue, end=named.end()), replace(subject, start=named.start("np"), end=named.end("np"))
        that = re.compile(r"that\b\s*").match(text, cue.end, end)
        return (replace(cue, end=that.end()) if that else cue), replace(subject, start=cue.start, end=cue.start)
    if cue.modality in ("prohibited", "is expected to") and text[subject.start : subject.end].strip().lower() == "it":
        return cue, replace(subject, end=subject.start)  # "it is forbidden to smoke"
    if cue.modality in NEGATED and NEVER.search(text, start, cue.start):
        strength: Strength = "recommended" if cue.modality == "should" else "mandatory"
        cue = replace(cue, kind="prohibition", modality=NEGATED[cue.modality], strength=strength, confidence=0.9)
        pattern = _INVERTED_CAPITALS if text[cue.start : cue.end].isupper() else _INVERTED
        named = pattern.match(text, cue.end, end)
        if named:
            cue = as_exempt(text, end, replace(cue, end=named.end()))
            return cue, replace(subject, start=named.start("np"), end=named.end("np"))
        plain = NEVER.sub("", text[subject.start : subject.end]).rstrip(" ,")
        return cue, replace(subject, end=subject.start + (0 if plain in ("which", "that", "who") else len(plain)))
    return cue, subject


def _is_active(words: str) -> bool:
    """Whether words of force have as their subject who lays down, not who is bound."""
    return not words.rstrip().endswith(("to", "from", "ed", "en")) or words.lower().startswith("prohibits ")
