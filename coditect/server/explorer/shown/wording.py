"""The plain words of the explorer, for what the records name by a keyword."""

from __future__ import annotations

from coditect.reports.claims import CLAIM_GROUPS, check_meaning
from coditect.reports.wording import EXTRACTION_NAMES, MEDIA_NAMES, SECTION_NAMES
from coditect.schemas import ChangeKind, Severity, Verdict, doubt_in

__all__ = [
    "CHANGE_NAMES",
    "DECISION_NAMES",
    "KIND_KEYS",
    "SEVERITIES",
    "TIER_WORDS",
    "claim_kind",
    "kind_name",
    "media_name",
    "pages_word",
    "refusal",
]

SEVERITIES: tuple[tuple[Severity, str], ...] = (
    ("high", "High"),
    ("medium", "Medium"),
    ("low", "Low"),
    ("information", "Information"),
)
"""(keyword, word), the most severe first."""

CHANGE_NAMES: dict[ChangeKind, str] = {
    "added": "Added",
    "removed": "Removed",
    "amended": "Amended",
    "moved": "Moved",
    "renumbered": "Renumbered",
    "wording": "Wording only",
}

DECISION_NAMES = {
    "supported": "Supported",
    "unsupported": "Not supported",
    "accept": "Accept",
    "dismiss": "Dismiss",
    "correct": "Correct",
    "accept_risk": "Accept the risk",
    "withdraw": "Withdraw",
}

TIER_WORDS = {
    "corpus": "Findings",
    "section": "Sections",
    "chunk": "Summaries",
    "extraction": "Statements",
    "passage": "Passages",
    "proposition": "Propositions",
}
"""What people call the granularities of search, in the order of the switch."""

KIND_KEYS = tuple(EXTRACTION_NAMES)
"""Kinds of Tier 1, in reading order."""

_CLAIM_KINDS = {kind: heading for kind, heading, _ in CLAIM_GROUPS}


def claim_kind(kind: str) -> str:
    """What a claim of a kind is."""
    return _CLAIM_KINDS.get(kind, kind.capitalize())


def kind_name(kind: str) -> str:
    """What an item of a kind is called, with a capital."""
    if kind in EXTRACTION_NAMES:
        return EXTRACTION_NAMES[kind][0].capitalize()
    return SECTION_NAMES.get(kind) or _CLAIM_KINDS.get(kind) or kind.replace("_", " ").capitalize()


def media_name(media_type: str) -> str:
    """What a media type is called."""
    return MEDIA_NAMES.get(media_type.partition(";")[0], media_type)


def pages_word(count: int) -> str:
    """A number of pages."""
    return "" if count == 0 else "1 page" if count == 1 else f"{count:,} pages"


def refusal(verdict: Verdict) -> str:
    """Why a claim was not published: that a person dismissed it, what its failed checks found, or else the reason as stored."""
    if any(opinion.decision == "dismiss" for opinion in verdict.opinions):
        return verdict.filter_reason
    if doubt := doubt_in(verdict.label, verdict.opinions):
        return doubt
    found = [signal.detail or check_meaning(signal.name) for signal in verdict.signals if not signal.passed]
    return "; ".join(found) or verdict.filter_reason or "its support is below the minimum"
