"""Definitions: what a term means, as one sentence says it, with the figures by which two of them can be held against each other."""

from __future__ import annotations

import re
from functools import lru_cache

from coditect.language.quantities.numbers import WORDS
from coditect.language.terms import terms
from coditect.tiers.findings.conflicts.lines import LONGEST, Assertion, line_of

__all__ = ["DEFINITION", "definition_told"]

DEFINITION = "definition"
"""The kind of what says which meaning a term has."""

_TERM = r"(?P<term>[A-Za-z][\w’'-]*(?:\s+[\w’'-]+){0,4})"
_MEANS = (
    re.compile(
        rf"^\W*(?:\d[\d.]*\W+)?[\"“‘']{_TERM}[\"”’']\s*(?:means|is\s+defined\s+as|refers\s+to|is|:|–|-)\s+(?P<meaning>.+)$"
    ),
    re.compile(rf"^\W*(?:\d[\d.]*\W+)?[\"“‘']{_TERM}[\"”’']\s*\|\s*(?P<meaning>.+)$"),
    re.compile(r"^\W*(?:\d[\d.]*\W+)?(?P<term>[A-Z][\w’'-]*(?:\s+[\w’'-]+){0,4}?)\s+means\s+(?P<meaning>.+)$"),
    re.compile(
        r"^\W*(?:\d[\d.]*\W+)?(?:An?|The\s+term)\s+[\"“]?(?P<term>[\w’'-]+(?:\s+[\w’'-]+){0,3}?)[\"”]?\s+(?:is|means)\s+"
        r"(?P<meaning>(?:an?|any|one|every)\s.+\b(?:that|which|who|whose|of\s+more|of\s+less|with)\b.+)$"
    ),
)
_NUMBER = re.compile(rf"(?<![\w.])(?:\d+(?:[.,]\d+)*|{WORDS})\b", re.IGNORECASE)
_ONE = frozenset(("one", "a", "an"))


@lru_cache(maxsize=1 << 14)
def definition_told(text: str) -> tuple[Assertion, ...]:
    """The term that a sentence defines, with the numbers of its meaning, if it has any.

    Args:
        text: a sentence.
    """
    if len(text) > LONGEST or ("means" not in text and " is " not in text and '"' not in text and "“" not in text):
        return ()
    line = line_of(text)
    match = next((found for pattern in _MEANS if (found := pattern.match(line))), None)
    if match is None:
        return ()
    term = " ".join(terms(match["term"]))
    numbers = [each.casefold() for each in _NUMBER.findall(match["meaning"]) if each.casefold() not in _ONE]
    if not term:
        return ()
    return (Assertion(DEFINITION, term, match["meaning"].rstrip("."), " ".join(numbers), "", match["meaning"]),)
