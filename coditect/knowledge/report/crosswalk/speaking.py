"""How a statement speaks: what binds in a framework, and what a policy's sentence does."""

from __future__ import annotations

import re

from coditect.schemas import Extraction, NormData
from coditect.verify.requirements.decision import Force

__all__ = ["FORCES", "force_of", "is_binding"]

FORCES: dict[str, Force] = {
    "obligation": "binds",
    "prohibition": "prohibits",
    "permission": "permits",
    "proposition": "states",
}

_LIMITS = re.compile(
    r"\b(?:may|can)\s+"
    r"(?:(?!not\s+only\b|the\s+only\b|(?:must|shall|will|should|where|when|if|which|who|whose|unless|because|while)\b)[^\s.;:]+\s+){0,12}?"
    r"only(?![\w-])",
    re.IGNORECASE,
)
"""Leave that is given within a limit, which forbids the rest: "may only be granted by the owner", "may be kept only for a year"."""


def force_of(item: Extraction) -> Force:
    """How a statement speaks. Leave within a limit ("may only") binds whoever would go beyond it."""
    data = item.tier1_data
    if isinstance(data, NormData) and data.strength == "recommended":
        return "recommends"
    if item.extraction_kind == "permission":
        return "binds" if _is_limit(item) else "permits"
    if isinstance(data, NormData) and data.strength == "optional":
        return "permits"
    return FORCES[item.extraction_kind]


def is_binding(item: Extraction) -> bool:
    """Whether a statement of a framework is a requirement: a duty, a prohibition, or leave within a limit."""
    return item.extraction_kind in ("obligation", "prohibition") or (
        item.extraction_kind == "permission" and _is_limit(item)
    )


def _is_limit(item: Extraction) -> bool:
    return _LIMITS.search(item.source_text) is not None
