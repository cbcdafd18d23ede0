"""How lead-ins begin and end: with an adjunct, open, behind an aside, pointing on to what follows, or with a proviso."""

from __future__ import annotations

import re

__all__ = ["ADJUNCT_FIRST", "ASIDE_LAST", "FOLLOWS", "OPEN_END", "POINTS_ON", "PROVISO_LAST"]

FOLLOWS = re.compile(
    r"\b(?:as\s+follows|(?:the\s+)?following\s+(?:process|procedures?|steps|manner|way)|set\s+out\s+below)[\s:—–-]*\Z",
    re.IGNORECASE,
)
OPEN_END = re.compile(r"[\s:—–-]+\Z")
ASIDE_LAST = re.compile(
    r"\b(?:shall|must|may|will|should)(?:\s+not)?,?\s+(?:(?!comply|apply|supply|reply|rely)[a-z]+ly\s+)?(?:upon|on|by|at|in|with|without|within|prior\s+to|before|after|following)\b[^,;]*,?\Z",
    re.IGNORECASE,
)
POINTS_ON = re.compile(r"\b(?:this|these|following|follows|below)\b[\s:—–-]*\Z", re.IGNORECASE)
PROVISO_LAST = re.compile(r"\bprovided(?:,?\s+(?:however|further|always))*,?\s+that[\s:,—–-]*\Z", re.IGNORECASE)
ADJUNCT_FIRST = re.compile(
    r"[\s\W]*(?:if|where|when|upon|on|in|at|for|to|with|within|without|subject|except|notwithstanding|during|after|before|following|under|pursuant|unless|until|once|as|by)\b",
    re.IGNORECASE,
)
