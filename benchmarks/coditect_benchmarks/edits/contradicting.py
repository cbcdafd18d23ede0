"""Edits after which a sentence contradicts its source, by type."""

from __future__ import annotations

import random
import re

from coditect_benchmarks.edits.contradicting_templates import (
    ADDITIONS,
    COMPARATIVE,
    HEADS,
    MODALITY,
    NEGATION,
    OPPOSITE,
    SCOPE,
    TAILS,
    TURNS,
)
from coditect_benchmarks.edits.figures import amount, date, duration, number, percentage, reference
from coditect_benchmarks.edits.grammar import (
    ACTOR,
    Edit,
    Family,
    capitalised,
    first_main,
    main_matches,
    replaced,
    swap_first,
)

__all__ = ["CONTRADICTING"]

_NOBODY = re.compile(r"\b(?:[Nn]either|[Nn]o [A-Za-z]+|[Nn]othing|[Nn]one) [^,;]*\b(?:shall|may|must|will)\b")
_SUBJECT = re.compile(
    rf"(?:\b(?:[Tt]he|[Aa]|[Aa]n|[Ee]ach|[Aa]ny) )?\b(?P<actor>{ACTOR})\b(?= (?:shall|must|may|will"
    rf"|agrees|is required|is entitled)\b)"
)
_FRAGMENT = re.compile(
    r"\b(?:and|or|nor|but|as|in|to|of|than|except|provided|even|only|shall|will|may|must)[ ,]*$"
    r"|\bif (?:any|at all|so|applicable)\b"
)
_EMPTY = re.compile(r",? if (?:any|at all|so|applicable)\b")
_MODAL = re.compile(r"\b(?:shall|may|must|will|agrees?|is|are|should|cannot)\b")
_NAME = re.compile(
    r"(?:(?<= to )|(?<= by )|(?<= from )|(?<= with )|(?<= for )|(?<= of ))"
    r"(?!Agreement|Terms?|Sections?|Articles?|Exhibit)[A-Z][a-z]+[A-Za-z]*(?= (?!(?:and|or) )[a-z]|[,.]|'s\b)"
)
_NAMED = re.compile(
    r"(?P<name>(?!The|Each|This|All|Any|Such|No|Neither|Either|You|We|It|They|These|Those"
    r"|There)[A-Z][a-z]+[A-Za-z]*) (?:shall|will|may|must|agrees)\b"
)
_ANY_ACTOR = re.compile(rf"\b(?P<actor>{ACTOR})\b")


def _modality(text: str, rng: random.Random, family: Family) -> str | None:
    if _NOBODY.search(text):
        return None  # "neither may" and "neither shall" say the same
    return swap_first(MODALITY[family], text, rng, main=True)


def _negation(text: str, rng: random.Random, family: Family) -> str | None:
    return swap_first(NEGATION[family], text, rng, main=True)


def _opposite(text: str, rng: random.Random, family: Family) -> str | None:
    return swap_first(OPPOSITE[family], text, rng, main=False)


def _scope(text: str, rng: random.Random, family: Family) -> str | None:
    return swap_first(SCOPE[family], text, rng, main=False)


def _comparative(text: str, rng: random.Random, family: Family) -> str | None:
    return swap_first(COMPARATIVE[family], text, rng, main=False)


def _dropped(text: str, rng: random.Random, family: Family) -> str | None:
    """The condition or exception at the end or at the beginning goes."""
    order = [TAILS[family], HEADS[family]]
    rng.shuffle(order)
    for pattern in order:
        match = first_main(pattern, text)
        if (
            match
            and len(match[0]) < 0.7 * len(text)
            and not _FRAGMENT.search(text[: match.start()])
            and not _EMPTY.match(match[0])
        ):
            rest = replaced(text, match, "")
            if _MODAL.search(rest):
                return rest
    return None


def _turned(text: str, rng: random.Random, family: Family) -> str | None:
    return swap_first(TURNS[family], text, rng, main=False)


def _added(text: str, rng: random.Random, family: Family) -> str | None:
    if not text.endswith(".") or re.search(r"\b(?:if|unless|except|provided)\b", text[len(text) // 2 :]):
        return None
    return text[:-1] + rng.choice(ADDITIONS[family]) + "."


def _actors(text: str, rng: random.Random, family: Family) -> str | None:
    """Dev: two parties exchange places all over; held out: the other party becomes the subject."""
    subject = next(iter(main_matches(_SUBJECT, text)), None)
    if subject is None:
        return None
    mine = subject["actor"]
    others = [
        m["actor"]
        for m in _ANY_ACTOR.finditer(text)
        if m["actor"] != mine and m["actor"][0].isupper() == mine[0].isupper()
    ]
    if not others:
        return None
    other = others[0]
    if re.search(rf"\b(?:{mine},? (?:and|or) (?:\w+ )?{other}|{other},? (?:and|or) (?:\w+ )?{mine})\b", text):
        return None  # those who act together say the same in any order
    if family == "dev":
        return capitalised(re.sub(rf"\b(?:{mine}|{other})\b", lambda m: other if m[0] == mine else mine, text))
    start, end = subject.span("actor")
    out = text[:start] + other + text[end:]
    return capitalised(_article(out))


def _names(text: str, rng: random.Random, family: Family) -> str | None:
    """Two capitalised names exchange places, one of which opens the sentence; held out: the other takes its place."""
    subject = _NAMED.match(text)
    if subject is None or re.fullmatch(ACTOR, subject["name"]):
        return None
    mine = subject["name"]
    names = [m[0] for m in _NAME.finditer(text, subject.end()) if m[0] != mine and not re.fullmatch(ACTOR, m[0])]
    if not names or re.search(rf"\b{re.escape(mine)} (?:and|or) ", text):
        return None
    other = rng.choice(sorted(set(names)))
    if family == "dev":
        return re.sub(rf"\b(?:{re.escape(mine)}|{re.escape(other)})\b", lambda m: other if m[0] == mine else mine, text)
    return other + text[len(mine) :]


def _article(text: str) -> str:
    """ "a" and "an" as the next word wants it, before an actor."""
    text = re.sub(rf"\b([Aa])n (?=(?:[b-df-hj-np-tv-z]|[B-DF-HJ-NP-TV-Z])\w)(?={ACTOR})", r"\1 ", text)
    return re.sub(rf"\b([Aa]) (?=[aeioAEIO])(?={ACTOR})", r"\1n ", text)


CONTRADICTING: dict[str, Edit] = {
    "modality": _modality,
    "negation": _negation,
    "opposite": _opposite,
    "scope": _scope,
    "comparative": _comparative,
    "condition dropped": _dropped,
    "condition turned": _turned,
    "condition added": _added,
    "actor swap": _actors,
    "name swap": _names,
    "duration": lambda text, rng, family: duration(text, rng, family, same=False),
    "amount": lambda text, rng, family: amount(text, rng, family, same=False),
    "percentage": lambda text, rng, family: percentage(text, rng, family, same=False),
    "number": number,
    "date": lambda text, rng, family: date(text, rng, family, same=False),
    "reference": reference,
}
"""Name of the type to the edit; None where it does not apply."""
