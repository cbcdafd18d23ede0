"""Possible conflicts and gaps, told alike everywhere: what rules alone find and do not publish, since they are rarely right."""

from __future__ import annotations

from collections.abc import Sequence

from coditect.reports.model import ReportClaim
from coditect.reports.wording import counted
from coditect.schemas import doubt_in
from coditect.tiers.claims.phrases import listed

__all__ = ["HOW_TO_READ", "doubt_told", "possible_counted"]

HOW_TO_READ = (
    "Rules alone find them, and too few of their kinds were so where people read them. They are published once a person accepts "
    "them (coditect knowledge review), or a model reads them and agrees (build --llm claude --agents reducer,validator)."
)
"""Why they are not published, and the way out."""


def possible_counted(kinds: Sequence[str]) -> str:
    """How many there are, by their kinds of claim: "2 possible conflicts and 1 possible gap"; "" for none."""
    gaps = sum(each == "gap" for each in kinds)
    told = []
    if len(kinds) > gaps:
        told.append(counted(len(kinds) - gaps, "possible conflict", "possible conflicts"))
    if gaps:
        told.append(counted(gaps, "possible gap", "possible gaps"))
    return listed(told) if told else ""


def doubt_told(claim: ReportClaim) -> str:
    """Why a claim of the report is only possible; "" for all others."""
    return doubt_in(claim.label, claim.opinions)
