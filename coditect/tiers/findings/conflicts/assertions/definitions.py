"""Definitions: what a term means, as one sentence says it, with the figures by which two of them can be held against each other."""

from __future__ import annotations

import re
from functools import lru_cache

from coditect.language.patterns.beginnings import quick
from coditect.language.patterns.deferred import deferred
from coditect.language.quantities.numbers import WORDS
from coditect.language.tables import read_table
from coditect.language.terms import terms
from coditect.tiers.findings.conflicts.lines import LONGEST, Assertion, line_of

__all__ = ["DEFINITION", "definition_told"]

DEFINITION = "definition"
"""The kind of what says which meaning a term has."""

_TERM = r"(?P<term>[A-Za-z][\w’'-]*(?:\s+[\w’'-]+){0,4})"
_MEANS = (
    deferred(
        rf"^\W*(?:\d[\d.]*\W+)?[\"“‘']{_TERM}[\"”’']\s*(?:means|is\s+defined\s+as|refers\s+to|is|:|–|-)\s+(?P<meaning>.+)$"
    ),
    deferred(rf"^\W*(?:\d[\d.]*\W+)?[\"“‘']{_TERM}[\"”’']\s*\|\s*(?P<meaning>.+)$"),
    deferred(r"^\W*(?:\d[\d.]*\W+)?(?P<term>[A-Z][\w’'-]*(?:\s+[\w’'-]+){0,4}?)\s+means\s+(?P<meaning>.+)$"),
    deferred(
        r"^\W*(?:\d[\d.]*\W+)?(?:An?|The\s+term)\s+[\"“]?(?P<term>[\w’'-]+(?:\s+[\w’'-]+){0,3}?)[\"”]?\s+(?:is|means)\s+"
        r"(?P<meaning>(?:an?|any|one|every)\s.+\b(?:that|which|who|whose|of\s+more|of\s+less|with)\b.+)$"
    ),
)
_COUNTS_AS = rf"(?:{read_table('definitions').pattern('counts_as')})"
_NAMED_AS = (
    deferred(
        rf"^.{{0,60}}?\b(?P<of>(?:an?|the|any|each|every)\s+(?:[\w’'-]+\s+){{1,3}}?){_COUNTS_AS}\s+(?:an?\s+|the\s+)?(?P<term>[a-z-]+(?:\s+[a-z-]+)?)\s+"
        r"(?P<meaning>(?:if|when|where|from|once|above|as\s+soon\s+as|only|with|of)\b.+)$",
        re.IGNORECASE,
    ),
    deferred(
        rf"\b(?P<meaning>(?:any|every|each|all)\s[^:;]{{10,160}}?)\s+(?:is|are|{_COUNTS_AS})\s+(?:an?\s+)?(?P<term>[a-z-]+\s+[a-z-]+)\s*(?=[,.;]|$)",
        re.IGNORECASE,
    ),
)
"""What counts as what: "a spill counts as reportable from ten litres", "any leak that reaches the drain is a major leak"."""

_ANY = deferred(rf"\b(?:{read_table('definitions').pattern('any_size')})\b", re.IGNORECASE)
_NUMBER = deferred(rf"(?<![\w.])(?:\d+(?:[.,]\d+)*|{WORDS})\b", re.IGNORECASE)
_HINT = quick(rf"means|\bis\b|[\"“]|\b{_COUNTS_AS}\b", re.IGNORECASE)
_ONE = frozenset(("one", "a", "an"))


@lru_cache(maxsize=1 << 14)
def definition_told(text: str) -> tuple[Assertion, ...]:
    """The term that a sentence defines, with the numbers of its meaning, if it has any.

    Args:
        text: a sentence.
    """
    if len(text) > LONGEST or _HINT.search(text) is None:
        return ()
    line = line_of(text)
    match = next((found for pattern in _MEANS if (found := pattern.match(line))), None)
    named = None if match else next((found for pattern in _NAMED_AS if (found := pattern.search(line))), None)
    match = match or named
    if match is None:
        return ()
    term = " ".join(sorted(terms(f"{match.groupdict().get('of') or ''} {match['term']}")))
    numbers = [each.casefold() for each in _NUMBER.findall(match["meaning"]) if each.casefold() not in _ONE]
    if _ANY.search(match["meaning"]):
        numbers = [*numbers, "any"]
    if named is not None and not numbers:
        return ()
    if not term:
        return ()
    return (Assertion(DEFINITION, term, match["meaning"].rstrip("."), " ".join(numbers), "", match["meaning"]),)
