"""What reports say of persons' decisions: who signed in which role, and how many findings and statements they took out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from coditect.reports.wording import counted
from coditect.schemas import DecisionStatus

__all__ = ["decisions_told", "signed_as"]


def signed_as(status: DecisionStatus) -> str:
    """Who signed in which role, and what is wrong with it; a decision by name alone says so."""
    signed = [
        f"{each.by}, {each.role}" + (f" (not valid: {'; '.join(each.problems)})" if each.problems else "")
        for each in status.signatures
    ]
    return "; ".join(signed) or "by name alone, unsigned"


def decisions_told(decisions: Sequence[DecisionStatus]) -> str:
    """How many decisions are in force, of them signed, and what they dismissed; "" where there is none."""
    if not decisions:
        return ""
    held = [each for each in decisions if each.state == "in force"]
    signed = sum(bool(each.signatures) and not any(s.problems for s in each.signatures) for each in held)
    dismissed = Counter(_of(each) for each in held if each.review.decision == "dismiss")
    out = " and ".join(counted(dismissed[one], one, many) for one, many in _KINDS if dismissed[one])
    told = f"{counted(len(held), 'decision', 'decisions')} in force of {len(decisions):,}, {signed:,} of them signed with a key."
    return f"{told} Persons dismissed {out}." if out else told


_KINDS = (("finding", "findings"), ("statement", "statements"), ("row of a crosswalk", "rows of a crosswalk"))


def _of(status: DecisionStatus) -> str:
    """What a decision is about."""
    if status.review.row is not None:
        return "row of a crosswalk"
    return "finding" if (status.review.signed_item or "").startswith("claim_") else "statement"
