"""What a build found, in the order of its weight, and what a summary says of itself: for the commands that tell it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from coditect.cli.console import FAINT, TITLE, WARN

if TYPE_CHECKING:
    from coditect.cli.console import Screen
    from coditect.schemas import Claim

__all__ = ["MOST_FINDINGS", "WHAT_FIGURES_SAY", "write_findings", "write_possible", "write_remarks"]

MOST_FINDINGS = 10
"""Findings that a build prints; the report has all."""

MOST_POSSIBLE = 5
"""Possible conflicts and gaps that a build prints."""

WHAT_FIGURES_SAY = (
    "Severity: how much a finding asks of you if it is so. Confidence: how often findings of its kind were so where people read "
    "them; 0.50 where nobody has read any."
)


def write_findings(page: Screen, findings: Sequence[Claim]) -> None:
    """How many findings of each severity there are, and those that ask most of somebody; what is said of several, once."""
    from coditect.tiers.claims.alike import alike, document_of
    from coditect.tiers.claims.phrases import listed

    counts = Counter(claim.severity for claim in findings if claim.severity is not None)
    asking = [claim for claim in findings if claim.severity in ("high", "medium", "low")]
    if not asking:
        return
    page.line()
    page.line(("Findings", TITLE), ": " + ", ".join(f"{number} {severity}" for severity, number in counts.items()))
    told = alike(asking)
    for claim, *others in told[:MOST_FINDINGS]:
        page.numbered(2, f"{claim.severity:8}", claim.text, (f" confidence {claim.confidence or 0.0:.2f}", FAINT))
        if others:
            noun = "document" if len(others) == 1 else "documents"
            names = listed([document_of(each) for each in others])
            page.block(10, f"the same of {len(others)} more {noun}: {names}")
    left = sum(map(len, told[MOST_FINDINGS:]))
    if left:
        page.line(f"  and {left} more, in the report")
    page.block(2, WHAT_FIGURES_SAY)


def write_possible(page: Screen, claims: Sequence[Claim]) -> None:
    """What rules alone do not publish, and how to have it read: the first few, and how many there are."""
    from coditect.reports.claims import HOW_TO_READ, possible_counted

    if not claims:
        return
    page.line()
    page.line((possible_counted([claim.claim_kind for claim in claims]), TITLE), ": not published")
    page.block(2, HOW_TO_READ)
    for claim in claims[:MOST_POSSIBLE]:
        page.numbered(2, f"{claim.severity:8}", claim.text, (f" confidence {claim.confidence or 0.0:.2f}", FAINT))
    if len(claims) > MOST_POSSIBLE:
        page.line(f"  and {len(claims) - MOST_POSSIBLE} more: coditect knowledge list --kind possible")


def write_remarks(page: Screen, trivial: Mapping[str, int], empty: Mapping[str, str]) -> None:
    """Why tiers hold nothing, and what was not worth telling."""
    for tier, why in empty.items():
        page.line("  ", (f"no {tier}", WARN), f": {why}")
    if trivial:
        number = sum(trivial.values())
        noun = "claim is" if number == 1 else "claims are"
        counted = "; ".join(f"{why} ({times})" for why, times in trivial.items())
        page.line(f"  {number} trivial {noun} not published: {counted}")
