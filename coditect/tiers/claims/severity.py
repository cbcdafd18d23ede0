"""Severity: how much a finding asks of somebody, on a scale of four.

* *high*: two things that bind the same people cannot both be done, or one of them must be broken;
* *medium*: something that is due is missing, undecided, late or not provided for;
* *low*: a reference that leads nowhere, a difference that nobody breaks anything by, a blank;
* *information*: what is counted or quoted, and asks for nothing.

What two documents are at odds over weighs as much as they bind: a mandatory duty of a law, a rule, a contract or a document of the
house more than what is recommended, reported, or said in guidance.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from coditect.schemas import ClaimKind, Severity
from coditect.tiers.claims.grounds import CitedStatement
from coditect.tiers.findings.conflicts.approvals import APPROVAL, ROLE
from coditect.tiers.findings.conflicts.entries import Entry, entries_of
from coditect.tiers.findings.conflicts.strictness import is_binding
from coditect.tiers.findings.measures import EVERY, SELF
from coditect.tiers.findings.standing import Standings

__all__ = ["SEVERITIES", "severity_of"]

SEVERITIES: tuple[Severity, ...] = ("high", "medium", "low", "information")
"""From what asks most to what asks nothing."""

_UNBINDING = frozenset(("guidance", "record"))
_GAPS: Mapping[str, Severity] = {
    "uncovered": "medium",
    "open": "medium",
    "overdue": "medium",
    "stale": "medium",
    "missing_document": "medium",
    "missing_place": "low",
    "absent_document": "low",
    "empty": "low",
    "measure": "low",
    "code": "medium",
    "part": "medium",
    "unprovided": "high",
    "ownerless": "medium",
    "unanswered": "high",
    "unappointed": "medium",
    "lapsed": "high",
    "expired": "medium",
    "section": "medium",
    "undescribed": "low",
    "term": "low",
}
_READ: Mapping[str, Severity] = {"required": "high", "term": "low", "unfinished": "low"}
"""Of gaps that a model read, by their kind; the others are medium."""

_STANDING: Mapping[str, Severity] = {"superseded": "medium", "expired": "medium", "overdue": "medium", "not_yet": "low"}


def severity_of(
    kind: ClaimKind, recipe: Mapping[str, Any], cited: Sequence[CitedStatement], standings: Standings
) -> Severity:
    """How much a claim asks of somebody.

    Args:
        kind: what sort of claim it is.
        recipe: which fact or figure it tells.
        cited: the statements that it rests on.
        standings: which force their documents have.
    """
    match kind:
        case "conflict":
            return _of_conflict(recipe, cited, standings)
        case "gap":
            named = str(recipe.get("gap") or recipe.get("figure") or "")
            found = _READ.get(str(recipe.get("kind")), "medium") if named == "read" else _GAPS.get(named, "low")
            # What guidance leaves open, or a law refers to, is nobody's task here.
            outside = all(standings.is_outside(each.document.document_id) for each in cited)
            return "low" if outside and cited else found
        case "standing":
            return _STANDING.get(str(recipe.get("standing")), "low")
        case "stricter":
            return "low"
        case "grid":
            rows = recipe.get("result", {}).get("rows", ())
            return "low" if len(rows) > 1 else "information"
    return "information"


def _of_conflict(recipe: Mapping[str, Any], cited: Sequence[CitedStatement], standings: Standings) -> Severity:
    kind, head = str(recipe.get("conflict")), str(recipe.get("head", ""))
    binding = [each for each in cited if standings.role(each.document.document_id) not in _UNBINDING]
    if not binding:
        return "low"
    if kind == "modality" and len(binding) == len(cited):
        return "high"
    # One that is only recommended, or is said to be done, can give way; two duties cannot.
    if kind in (APPROVAL, ROLE):
        return "high"
    heads = (head, SELF) if head == EVERY else (head,)
    duties = {
        entry.value
        for entry in entries_of(each.statement for each in binding)
        if entry.kind == kind and entry.head in heads and (entry.strength == "mandatory" or _is_told(entry, standings))
    }
    return "high" if len(duties) > 1 else "medium"


def _is_told(entry: Entry, standings: Standings) -> bool:
    """Whether what an entry states is a duty, since a policy, standard, procedure or contract states it."""
    return entry.strength == "stated" and is_binding(entry, standings)
