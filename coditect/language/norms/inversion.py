"""Whom words of force bind that stand before their holder: "requires banks to report", "in no event shall the bank"."""

from __future__ import annotations

import re
from dataclasses import replace

from coditect.language.norms.actors.agents import is_agent
from coditect.language.norms.cues import Cue
from coditect.language.norms.imperatives import is_plain_verb
from coditect.language.norms.meanings.cue_rules import LEAVE
from coditect.language.norms.meanings.denials import NEGATED, NEVER, NONE, OTHERS, as_exempt
from coditect.language.norms.meanings.reports import advised
from coditect.language.norms.subjects import Subject
from coditect.language.patterns.deferred import deferred
from coditect.language.tables import read_table
from coditect.schemas.tier1.data import Strength

__all__ = ["find_bound", "is_grant"]

_I = re.IGNORECASE
_MODALITY = read_table("modality")
_OTHERS_NAMED = deferred(
    rf".*?\b(?:(?:prevent|prohibit|preclude|restrict|bar|limit)s?\s+or\s+)?(?:require|oblige|obligate|compel|prevent|prohibit|preclude|restrict|bar|limit|give|grant|confer\s+on)s?\s+{OTHERS}(?:to|from|the\s+rights?\s+to|any\s+rights?\s+to|a\s+right\s+to)\s+\Z",
    _I | re.DOTALL,
)
_LEFT_TO = deferred(rf".*?\b{LEAVE}\s+of\s+{OTHERS}to\s+\Z", _I | re.DOTALL)
_LET_BE = deferred(
    rf"\b(?:{LEAVE}\s+of|(?:prevent|preclude|prohibit|bar|restrict)s?)\s+(?P<np>(?:[\w'’{{}}.-]+\s+){{1,8}}?)(?:to|from)\s*\Z",
    _I,
)
_INVERTED = deferred(
    r"\s*(?P<np>(?:(?:the|an?|any|either|each|such|its|our)\s+(?:[a-z-]+(?=\s)|[A-Z][\w-]*)|we|you|it|they|[A-Z][\w&.'’-]*)(?:\s+[A-Z][\w&.'’-]*){0,4})\s+(?=[a-z])"
)
_REQUIRED_TO = deferred(r"\s*(?P<np>(?:[\w'’{}-]+\s+){1,10}?)to\s+(?=[A-Za-z…])")
_NOT_REQUIRED = deferred(r".*(?:require|oblige|obligate|compel)\s*\Z", _I | re.DOTALL)
_INVERTED_CAPITALS = deferred(
    r"\s*(?P<np>(?:(?:THE|AN?|ANY|EITHER|EACH|SUCH|ITS|OUR)\s+)?[A-Z]{2,}(?:\s+OR\s+(?:ITS\s+|ANY\s+)?[A-Z]+)?)\s+(?=(?:BE|HAVE)\s|[A-Z]{3,}\s)"
)
_KEPT_FROM = deferred(r"\s*(?P<np>(?:[\w'’{}-]+\s+){1,6}?)from\s+(?=[a-z-]+ing\b)")
_THAT_NAMED = deferred(r"\s*(?P<np>(?:[\w'’{}-]+\s+){0,6}?[\w'’{}-]+)\s+(?P<verb>[a-z]+)(?=\s)")
_DOING = deferred(r"\s*[a-z]{2,}ing\s+(?!to\b)")
_ACTIVE = deferred(r"(?:require|expect|prohibit|(?:do|does|did|will|shall|wo)\s*n[o'’]t)", _I)
# "It is unlawful for any person to", "unlawful to": whom it is said to, and what.
_FOR_WHOM = deferred(r"[\s,]*for\s+(?P<np>[^.;:]{2,240}?)[\s,]*")
_TO_VERB = deferred(r"\bto\s+(?P<verb>[a-z]+)\b")
_OF_WHOM = deferred(
    rf"\b(?:(?P<own>your|our|their|its|his|her|[A-Z]\w*(?=['’]s))['’s]*\s+)?(?:\w+\s+){{0,2}}?(?:{_MODALITY.pattern('duties')})(?:\s+of\s+(?P<of>.+?))?\s+to\Z",
    re.DOTALL,
)


_DUTIES_OF = deferred(
    r"(?:responsibilities|duties|obligations|tasks)(?:\s+of\s+(?P<of>.+?))?\s+(?:(?:shall|will|must)\s|also\s|include|comprise|are)",
    _I,
)
_GRANTED = deferred(rf"\b(?:{_MODALITY.pattern('granted')})\b")
_GRANTEE = (
    r"(?P<np>(?:(?:the|each|its|any|all|such|every|our|your)\s+)?(?!(?:an?|the|to)\s)[\w&.'’{}-]+(?:\s+[A-Z][\w&.'’-]*){0,4}"
    r"(?:\s+\([^()]{1,60}\))?(?:\s+(?:and|or)\s+(?:its|their)\s+\w+)?)"
)
# "grants to the tenant a licence to use", "grants Acme, and Acme accepts, a licence", "grants a licence to the tenant to use".
_GRANTED_TO = (
    deferred(
        rf"\s+(?:to\s+)?{_GRANTEE}(?:,\s+[^;.:]{{2,160}}?,)?\s+(?P<thing>(?:an?|the|all|full|such|any|permission|discretion|certain)\b)"
    ),
    deferred(
        rf"\s+(?P<thing>(?:an?|the|such)\s+[^;.:]{{2,160}}?)\s+to\s+{_GRANTEE}(?=\s+to\s+[a-z]|\s+(?:for|under|in)\b|[.,;]|\Z)"
    ),
)
_TO_DO = deferred(r"[^.;:]{0,240}?\sto\s+(?:\(\w{1,3}\)\s+)?(?P<verb>[a-z]+)\b")
_POSSESSIVE = deferred(r"['’]s?\Z")


def find_bound(text: str, start: int, end: int, cue: Cue, subject: Subject, before: Cue) -> tuple[Cue, Subject]:
    """Find the actor behind the cue: "In no event shall Supplier disclose", "requires employees to report"."""
    if NONE.match(text, subject.start, max(subject.start, subject.end)) and cue.end > before.end:
        named = _LEFT_TO.match(text, before.end, cue.end) or _OTHERS_NAMED.match(text, before.end, cue.end)
        if named:
            return cue, replace(subject, start=named.start("np"), end=named.end("np"))
    words = text[before.start : before.end]
    if is_grant(words):
        return _granted(text, end, cue, subject)
    if before.modality == "is permitted to" and words.rstrip().endswith(("authorizes", "authorises")):
        named = _REQUIRED_TO.match(text, cue.end, end)  # "The director authorizes the clerk to"
        if named:
            return replace(cue, end=named.end()), replace(subject, start=named.start("np"), end=named.end("np"))
    if before.modality == "is not prevented from" and (named := _LET_BE.search(words)):
        return cue, replace(subject, start=before.start + named.start("np"), end=before.start + named.end("np"))
    if before.modality == "is not required to" and _NOT_REQUIRED.match(words):
        named = _REQUIRED_TO.match(text, cue.end, end)  # "This part does not require the bank to"
        if named:
            return replace(cue, end=named.end()), replace(subject, start=named.start("np"), end=named.end("np"))
    if before.modality == "is not permitted to" and words.endswith(("unlawful", "illegal")):
        acts = list(_TO_VERB.finditer(text, cue.end, end))
        act = next((each for each in acts if is_plain_verb(each["verb"])), acts[0] if acts else None)
        named = _FOR_WHOM.fullmatch(text, cue.end, act.start()) if act else None
        span = named.span("np") if named else (subject.start, subject.start)
        return replace(cue, end=act.start("verb") if act else cue.end), replace(subject, start=span[0], end=span[1])
    if before.modality == "is expected to" and (told := advised(text, cue, end)):
        return replace(cue, end=told[1]), replace(subject, start=told[0], end=told[1])
    if before.modality == "prohibited" and words.endswith(" for"):  # "It is unlawful for a dealer to sell"
        named = _REQUIRED_TO.match(text, cue.end, end)
        if named:
            return replace(cue, end=named.end()), replace(subject, start=named.start("np"), end=named.end("np"))
    if before.modality in ("prohibited", "is expected to", "is not permitted to") and _is_active(words):
        if words.endswith(" that"):
            named = _THAT_NAMED.match(text, cue.end, end)
            if named is None or not (is_plain_verb(named["verb"]) or is_agent(named["np"], opens=False)):
                return cue, replace(subject, start=cue.start, end=cue.start)
            return replace(cue, end=named.start("verb")), replace(subject, start=named.start("np"), end=named.end("np"))
        if _DOING.match(text, cue.end):
            return cue, replace(subject, start=cue.start, end=cue.start)  # "We recommend planning a trip"
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


def is_grant(words: str) -> bool:
    """Whether words of force give leave to somebody behind them: "hereby grants"."""
    return words.endswith(("grant", "grants"))


def _granted(text: str, end: int, cue: Cue, subject: Subject) -> tuple[Cue, Subject]:
    """To whom something is granted, and what he may do by it, or else what he has: "a licence to use", "a licence"."""
    for pattern in _GRANTED_TO:
        named = pattern.match(text, cue.end, end)
        if named is None:
            continue
        at = min(named.start("thing"), named.start("np"))
        thing = _GRANTED.search(text, named.start("thing"), end)
        act = _TO_DO.match(text, max(thing.end(), named.end("np")), end) if thing else None
        if act and is_plain_verb(act["verb"]):
            at = act.start("verb")
        elif named.start("thing") > named.start("np"):
            at = named.start("thing")
        return replace(cue, end=at), replace(subject, start=named.start("np"), end=named.end("np"))
    return cue, replace(subject, start=cue.start, end=cue.start)


def _is_active(words: str) -> bool:
    """Whether words of force have as their subject who lays down, not who is bound."""
    return not words.rstrip().endswith(("to", "from", "ed", "en", "unlawful", "illegal")) or words.lower().startswith(
        "prohibits "
    )
