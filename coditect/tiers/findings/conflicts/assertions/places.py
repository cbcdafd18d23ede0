"""Where something has to be: "stored in Ardenia", "outside the European Union"."""

from __future__ import annotations

import re
from functools import lru_cache

from coditect.language.patterns.beginnings import quick
from coditect.language.terms import terms
from coditect.tiers.findings.conflicts.lines import LONGEST, Assertion, line_of

__all__ = ["PLACE", "place_of"]

PLACE = "place"
"""The kind of what says inside or outside of which place."""

_NAME = r"(?:the\s+)?(?P<name>[A-Z][\w-]+(?:\s+(?:of\s+)?[A-Z][\w-]+){0,3})"
_OUTSIDE = quick(rf"\b[Oo]utside\s+(?:of\s+)?{_NAME}")
_INSIDE = quick(rf"\b(?:located\s+in|within|inside|in)\s+{_NAME}")
_NOT = re.compile(r"\b(?:not|never|no)\b")
_BINDS = re.compile(r"\b(?:must|shall|may|can|only|has\s+to|have\s+to|is|are)\b")


@lru_cache(maxsize=1 << 14)
def place_of(text: str) -> tuple[Assertion, ...]:
    """Whether a sentence says that something is, or may be, inside or outside of a place with a name; both is "outside".

    Args:
        text: a sentence.
    """
    if len(text) > LONGEST or " | " in text:
        return ()
    line = line_of(text)
    outside = _OUTSIDE.search(line)
    match = outside or _INSIDE.search(line)
    if match is None or not _BINDS.search(line):
        return ()
    denied = _NOT.search(line, 0, match.start()) is not None
    is_out = (outside is not None) is not denied
    name = " ".join(terms(match["name"]))
    return (
        Assertion(
            PLACE,
            name,
            match[0],
            "outside" if is_out else "inside",
            "",
            f"{line[: match.start()]} {line[match.end() :]}",
        ),
    )
