"""Clauses that are joined to a plain one in front of words of force, and relative clauses without a pronoun."""

from __future__ import annotations

import re

from coditect.language.finite_verbs import FINITE, has_finite_verb
from coditect.language.norms.actors.agents import is_agent
from coditect.language.norms.before.phrases import is_adjunct
from coditect.language.norms.imperatives import is_plain_verb
from coditect.language.tables import read_table

__all__ = ["behind_comma_and", "joined_clause", "reduced_relative"]

_I = re.IGNORECASE
_CLAUSES, _VERBS, _PHRASES = (read_table(name) for name in ("clauses", "verbs", "noun_phrases"))

# "Leave is cumulative and the bank may": a clause of its own behind a plain one.
_CLAUSE_AND_NOUN = re.compile(
    r",?\s+(?:and|but|so)\s+(?P<np>(?:the|an?|any|each|all|every|this|these|those|such|no|our|its|their|your|[A-Z][\w&.'’-]*)"
    r"(?:\s+(?!(?:that|which|who|if|when|where)\b)[\w&.'’()/-]+){0,7})\Z"
)
_CLAUSE_AND_AGENTS = re.compile(r",?\s+(?:and|but|so)\s+(?P<np>[a-z-]{3,}s|staff|personnel)\Z")
_COMMA_AND = re.compile(
    r",\s+(?:and|but|so)\s+(?=(?:the|an?|any|each|every|all|either|neither|both|this|these|such|no|our|its|their|your|[A-Z])\b)"
)
_SUBORDINATES = re.compile(rf"\b(?:{_CLAUSES.pattern('openers')}|as|than|having|to)\b", _I)
# "the steps you need to", "remedies the committee may": relative clauses without a pronoun.
_REDUCED_PRONOUN = re.compile(r"\b(?P<noun>[a-z]{2,})\s+(?P<np>we|you|they|he|she|I)\Z")
_DETERMINED_LAST = re.compile(r"\b(?:the|any|all|each|every|which|what)\s+\Z")
_REDUCED_NOUN = re.compile(r"\b(?P<noun>[a-z]{3,})\s+(?:the|our|your|its|their)(?:\s+[\w'’-]+){1,4}\Z")
_NO_NOUN = re.compile(
    rf"(?:{_PHRASES.pattern('prepositions')}|{_CLAUSES.pattern('openers')}|{_VERBS.pattern('finite_auxiliaries')}|[a-z]+(?:ing|ed|ly)"
    r"|and|or|but|so|as|than|then|also|thus|hence|both|either|neither|nor|only|just|even|all|half|not|upon|via|like|unlike|except|toward|towards"
    rf"|among|over|above|below|beyond|despite|across|around|throughout|near|behind|be|been|{_VERBS.pattern('irregular_participles')}|{_VERBS.pattern('irregular_pasts')})"
)
_ASKS = re.compile(r"\b(?:how|what|why|whether|that|who)\b", _I)
_SO_THAT = re.compile(r"\bso\s+(?!that\b)[a-z]+\s+\Z")
_STATED = re.compile(r"\b(?:is|are|was|were)\s+\Z")
_WHO = re.compile(r"\b(?:who|which|that|whose)\b")


def joined_clause(text: str, lo: int, hi: int) -> int | None:
    """Where the subject of a clause begins that is joined to a plain one; None where one noun phrase stands before the cue."""
    found = _CLAUSE_AND_NOUN.search(text, lo, hi) or _CLAUSE_AND_AGENTS.search(text, lo, hi)
    if found is not None and found.re is _CLAUSE_AND_AGENTS and not is_agent(found["np"], opens=False):
        return None
    if found is None or has_finite_verb(text, found.start("np"), hi) or is_adjunct(text, lo, hi):
        return None
    verb = FINITE.search(text, lo, found.start())
    if verb is None or verb.start() == lo or _SUBORDINATES.search(text, lo, verb.start()):
        return None
    if _ASKS.search(text, verb.end(), found.start()):
        return None  # "describes how the bank and its agents"
    return found.start("np") if text.count("(", lo, found.start()) == text.count(")", lo, found.start()) else None


def behind_comma_and(text: str, lo: int, hi: int) -> int | None:
    """Where a clause begins behind ", and" when what stands before is one: its subject is a noun phrase with a determiner."""
    if is_adjunct(text, lo, hi):
        return None
    for found in _COMMA_AND.finditer(text, lo, hi):
        verb = FINITE.search(text, lo, found.start())
        if verb is None or verb.start() == lo or _SUBORDINATES.search(text, lo, found.start()):
            continue
        if text.count("(", lo, found.start()) == text.count(")", lo, found.start()):
            return found.end()
    return None


def reduced_relative(text: str, lo: int, hi: int) -> int | None:
    """Where the cue is the verb of a relative clause without a pronoun: ``hi``; where a content clause begins; None for neither."""
    if is_adjunct(text, lo, hi):
        return None
    pronoun = _REDUCED_PRONOUN.search(text, lo, hi)
    if pronoun and (_SO_THAT.search(text, lo, pronoun.start("np")) or _STATED.search(text, lo, pronoun.start("np"))):
        return pronoun.start("np")  # "The rule is we will", "It is so important we must"
    found = pronoun or _REDUCED_NOUN.search(text, lo, hi)
    if found is None or _NO_NOUN.fullmatch(found["noun"]):
        return None
    if _WHO.search(text, lo, found.start()) and _DETERMINED_LAST.search(text, lo, found.start("noun")) is None:
        return None  # but "a policy that may affect the way they need to operate"
    return None if is_plain_verb(found["noun"]) and not pronoun else hi
