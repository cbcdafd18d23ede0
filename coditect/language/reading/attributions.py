"""Where a statement begins behind the words that only say that a document says it.

"According to the document, staff wear badges" says of the document what "staff wear badges" says, so nobody need look for
"according" and "document" in it. What may be wrong stays: names and numbers ("the Access Policy states that", "under section 5,"),
and the kind of the document where the evidence does not have that word ("under the regulation," of what a policy says).
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from coditect.language.patterns.deferred import deferred
from coditect.language.reading.stems import canonical_stem
from coditect.language.tables import read_table

__all__ = ["find_statement_start"]

_TABLE = read_table("attributions")
_SOURCE = rf"(?:(?:{_TABLE.pattern('determiners')})\s+)?(?:{_TABLE.pattern('sources')}|{_TABLE.pattern('kinds')})"
_TOLD = rf"(?:{_TABLE.pattern('told')})"
_TELLS = rf"(?:{_TABLE.pattern('tells')})"
_DISJUNCT = deferred(
    rf"\s*(?:(?:{_TABLE.pattern('before')}|as\s+(?:(?:it\s+)?is\s+)?{_TOLD}\s+(?:in|by|under))\s+{_SOURCE}"
    rf"|{_TABLE.pattern('openings')}),\s+(?=\w)",
    re.IGNORECASE,
)
_CONTENT = deferred(
    rf"\s*(?:{_SOURCE}\s+(?:(?:{_TABLE.pattern('adverbs')})\s+)?{_TELLS}"
    rf"|it\s+is\s+(?:(?:{_TABLE.pattern('adverbs')})\s+)?{_TOLD}(?:\s+(?:in|by)\s+{_SOURCE})?)\s+that\s+(?=\w)",
    re.IGNORECASE,
)
_KIND = deferred(rf"\b(?:{_TABLE.pattern('kinds')})\b", re.IGNORECASE)
_SPEAKS = deferred(rf"\b(?:{_TELLS}|(?:is|are|be)\s+{_TOLD})\s+that\b", re.IGNORECASE)
_MOST = 3


def find_statement_start(text: str, quotes: Sequence[str]) -> int:
    """Where the words of a statement begin of which its evidence can say something, a code point of the text.

    Args:
        text: one sentence, or a few.
        quotes: the evidence. What it has of such words itself stays; so does what a document is said to say where the evidence is
            about what a document says, and the kind of the document where the evidence does not name it.
    """
    start = 0
    for _ in range(_MOST):
        found = _DISJUNCT.match(text, start) or _told(text, start, quotes)
        if found is None or any(found[0].strip().casefold() in quote.casefold() for quote in quotes):
            return start
        kinds = _kinds(found[0])
        if kinds and not any(kinds <= _kinds(quote) for quote in quotes):
            return start
        start = found.end()
    return start


def _kinds(text: str) -> frozenset[str]:
    """The kinds of documents that are named in a text, as stems."""
    return frozenset(canonical_stem(word.casefold()) for word in _KIND.findall(text))


def _told(text: str, start: int, quotes: Sequence[str]) -> re.Match[str] | None:
    found = _CONTENT.match(text, start)
    return None if found is None or any(_SPEAKS.search(quote) for quote in quotes) else found
