"""Roles that act in a document and stand nowhere else: nobody says who they are, what they answer for, or who holds them.

In the documents of a house every role is spoken of again and again: in a list of responsibilities, as an owner, in another
procedure. One that acts once and is never named again was renamed, abolished, or never filled. Of one whose tasks, as a sentence
says, are laid down elsewhere, that place must speak.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from coditect.language.matched import as_matched
from coditect.language.tables import read_table
from coditect.tiers.findings.open_points import Gap
from coditect.tiers.findings.said.printed import line_of_words
from coditect.tiers.findings.said.statements import Statement
from coditect.tiers.findings.standing import Standings
from coditect.tiers.findings.telling import LiveStatements

__all__ = ["find_undescribed", "role_sentences", "tells_role"]

_AGENTS, _MATTERS = read_table("agents"), read_table("matters")
_ROLE = re.compile(
    r"[Tt](?<!\w[Tt])he\s+(?P<role>(?:[A-Z][a-z]+[\s-]){1,3}(?P<noun>[A-Z][a-z]+(?:er|or|ian|ist|eer)))\s+"
    r"(?=(?:shall|must|may|will)\b|(?!(?:is|was|has|does)\b)[a-z]+s\b)"
)
_LAID_DOWN = re.compile(
    r"[Tt](?<!\w[Tt])he\s+(?P<role>[A-Z][a-z]+(?:[\s-]+[A-Z][a-z]+){1,3}),?\s+"
    r"(?:(?P<person>whose\s+(?:\w+\s+)?(?:tasks?|dut(?:y|ies)|functions?|powers?|responsibilit(?:y|ies))\s+(?:is|are)|who\s+is)|as)\s+"
    r"(?:laid\s+down|set\s+out|described|listed|specified|explained)\s+in\b"
)
"""Somebody of whom a sentence says that what he does is told elsewhere: "the Safety Officer, whose tasks are set out in …"."""

_DOER = re.compile(r"(?:er|or|ian|ist|eer)\Z")
_OTHERS = frozenset(word.casefold() for name in ("providers", "customers") for word in _MATTERS.words(name))
_NO_ROLES = frozenset((*_AGENTS.words("no_roles"), *_AGENTS.words("no_agents"), *_AGENTS.words("things_like_agents")))
_PERSONS = re.compile(rf"(?:{_AGENTS.pattern('persons')})\Z", re.IGNORECASE)

FEWEST_ROLES = 4
"""Roles of which a house speaks more than once, before one of which it speaks once stands out."""

MOST_LOOKED_AT = 12
"""Roles of a document that act in it, above which it is an agreement that calls everybody something."""

MOST_KEPT = 2
"""Sentences of a role that Tier 2 keeps, so that one that is named twice is known to be."""


def _acting(text: str) -> Iterator[tuple[str, int]]:
    """The roles that act in a text, as printed on one line, each with where it stands."""
    for match in _ROLE.finditer(text):
        words = match["role"].split()
        noun = words[-1].casefold()
        if noun not in _NO_ROLES and (len(words) > 2 or noun not in _OTHERS):
            yield " ".join(words), match.start("role")


def role_sentences(text: str) -> frozenset[int]:
    """Where roles that act in a text stand in it, of each the first places; none of a text that has a great many.

    Args:
        text: the canonical text of a document.
    """
    acting = dict.fromkeys(role for role, _ in _acting(text))
    if len(acting) > MOST_LOOKED_AT:
        return frozenset()
    places: set[int] = set()
    for role in acting:
        pattern = re.compile(r"\s+".join(map(re.escape, role.split())))
        found = [match.start() for _, match in zip(range(MOST_KEPT + 1), pattern.finditer(text), strict=False)]
        places.update(found[:MOST_KEPT])
    return frozenset(places)


def tells_role(statement: Statement) -> bool:
    """Whether a statement says of a role that what it does is laid down elsewhere."""
    return _laid_down(statement) is not None


def find_undescribed(live: LiveStatements, standings: Standings) -> list[Gap]:
    """Roles that act once in the documents of a house and are named nowhere else.

    Args:
        live: the statements of the corpus.
        standings: which documents are the house's, and who owns them.
    """
    is_house = any(standings.is_normative(d) and not standings.is_outside(d) for d in standings.documents)
    if not is_house and not any(True for _ in _referred(live.telling, standings)):
        return []
    house = [d for d in live.documents if standings.is_normative(d) and not standings.is_outside(d)]
    first: dict[str, Statement] = {}
    for statement in live.among(house):
        for role, _ in _acting(as_matched(statement.sentence.text)):
            first.setdefault(role, statement)
    referred = dict(_referred(live.telling, standings))
    known: Counter[str] = Counter()
    for _, printed in live.printed if first or referred else ():
        known.update(printed.entities)
    often = sum(times > 1 and _PERSONS.search(name) is not None and " " in name for name, times in known.items())
    candidates = {**(first if often >= FEWEST_ROLES else {}), **referred}
    lone = _named_once([role for role in candidates if known[role.casefold()] <= 1], live, standings)
    return [
        Gap("undescribed", (statement.place,), {"role": role}) for role, statement in candidates.items() if role in lone
    ]


def _named_once(roles: Sequence[str], live: LiveStatements, standings: Standings) -> set[str]:
    """Those of some roles that one statement, owner or title names; which documents may name one, their words tell."""
    texts = [fact.value.casefold() for each in standings.profiles.values() if (fact := each.owner) is not None]
    texts += [version.title.casefold() for version in standings.documents.values()]
    times = {role: sum(role.casefold() in text for text in texts) for role in roles}
    for document_id, printed in live.printed if times else ():
        asked = [role for role in roles if times[role] < 2 and printed.may_print(role.casefold())]
        lines = [line_of_words(each) for each in live.of_document(document_id)] if asked else []
        for role in asked:
            times[role] += sum(role.casefold() in line for line in lines)
    return {role for role, count in times.items() if count == 1}


def _referred(statements: Sequence[Statement], standings: Standings) -> Iterator[tuple[str, Statement]]:
    """Roles of which a sentence of the house says that what they do is laid down elsewhere, each with its sentence."""
    for statement in statements:
        if standings.is_contract(statement.place[0]) or standings.is_outside(statement.place[0]):
            continue
        role = _laid_down(statement)
        if role is not None:
            yield role, statement


def _laid_down(statement: Statement) -> str | None:
    match = _LAID_DOWN.search(" ".join(as_matched(statement.sentence.text).split()))
    if match is not None and (match["person"] or _PERSONS.search(match["role"]) or _DOER.search(match["role"])):
        return match["role"]
    return None
