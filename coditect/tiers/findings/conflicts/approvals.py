"""Approvals: who has to agree before something is done, as a sentence says it.

"The Finance Director approves orders", "orders are approved by the Finance Director", "with the written consent of the Board" and
"after the Board has authorised it" say the same of whom. A note of document control ("Approved by the Board on 20 May") says of the
document itself, and is none.
"""

from __future__ import annotations

import re

from coditect.language.matched import as_matched
from coditect.language.tables import read_table
from coditect.language.terms import terms

__all__ = ["APPROVAL", "approval_of", "approvers_in"]

APPROVAL = "approval"
"""The kind of an entry that says who approves."""

_ACTS, _AGENTS = read_table("acts"), read_table("agents")
_NAME = r"[A-Z][\w&’'-]*"
_NOUN = rf"(?:{_AGENTS.pattern('persons')}|{_AGENTS.pattern('bodies')})"
_ROLE = (
    rf"(?:(?:the|a|an|its|their|our|your|his|her|each)\s+)?"
    rf"(?:(?:{_NAME}\s+){{0,4}}(?i:{_NOUN})\b(?:\s+(?:of|for)\s+(?:the\s+)?{_NAME}(?:\s+(?:and\s+)?{_NAME}){{0,3}})?"
    rf"|(?:[a-z]+\s+){{1,2}}{_NOUN}\b|[A-Z][a-z]+(?:er|or|ist|ian)\b)"
)
_ROLES = rf"(?P<who>{_ROLE}(?:\s*(?:,|and|or|and/or)\s+{_ROLE}){{0,3}})"
_VERB, _DONE, _NOUNS = (_ACTS.pattern(name) for name in ("approves", "approved", "approvals"))
_PATTERNS = (
    re.compile(rf"\b(?:{_DONE})\b(?:\s+in\s+writing)?(?:\s+(?:and\s+\w+ed|in\s+advance|beforehand))?\s+by\s+{_ROLES}"),
    re.compile(rf"\b(?:{_NOUNS})\b(?:\s+in\s+writing)?\s+(?:of|from|by)\s+{_ROLES}"),
    re.compile(rf"{_ROLES}(?:[’']s)?\s+(?:(?:prior|written|express)\s+){{0,3}}(?:{_NOUNS})\b"),
    re.compile(
        rf"{_ROLES}\s+(?:alone\s+)?(?:(?:must|shall|will|has\s+to|have\s+to|may|can|has|have)\s+)?(?:alone\s+)?(?:{_VERB}|{_DONE})\b"
    ),
)
_NOTE = re.compile(rf"\W*(?:{_DONE})\s+by\b|.{{0,40}}\b(?:was|were)\s+(?:{_DONE})\b", re.IGNORECASE)
_HINT = re.compile(r"pprov|uthori[sz]|onsent|sign(?:ed|-| )off")
"""Letters of which every word of approval has some: most sentences have none."""
_PARTS = re.compile(r"\s*(?:,|\band/or\b|\band\b|\bor\b)\s*")
_MOST = 400
"""Characters of a sentence above which it is not plain what is approved."""


def approval_of(text: str) -> tuple[str, frozenset[frozenset[str]]] | None:
    """(who, as printed; the stems of each of them) has to approve what a sentence speaks of; None where it names nobody.

    Args:
        text: a sentence.
    """
    if len(text) > _MOST or " | " in text or _HINT.search(text) is None:
        return None
    line = " ".join(as_matched(text).split())
    if _NOTE.match(line):
        return None
    for pattern in _PATTERNS:
        for match in pattern.finditer(line):
            found = approvers_in(match["who"])
            if found:
                return match["who"], found
    return None


def approvers_in(who: str) -> frozenset[frozenset[str]]:
    """The stems of each role that a list of roles names: "the Head of IT and the Board" are two."""
    return frozenset(stems for each in _PARTS.split(who) if (stems := frozenset(terms(each))))
