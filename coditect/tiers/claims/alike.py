"""Findings that say the same of several documents, put together: whoever reads them reads what is said once, and of whom.

Nothing is merged or left out: every claim stays what it is, with its own evidence and verdict. Only what shows claims to people
asks for this order.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol, TypeVar

__all__ = ["ToldFinding", "alike", "document_of"]

_NAMING = {"ownerless": " names no owner", "section": " has nothing below the heading "}
"""Gaps that are told of one document each, and the words behind its name (:mod:`coditect.tiers.claims.phrases`)."""


class ToldFinding(Protocol):
    """What is asked of a claim, stored or reported."""

    @property
    def text(self) -> str:
        """Its sentence."""
        ...

    @property
    def severity(self) -> str | None:
        """How much it asks of somebody."""
        ...

    @property
    def recipe(self) -> Mapping[str, Any]:
        """What it is rendered by."""
        ...


F = TypeVar("F", bound=ToldFinding)


def alike(claims: Sequence[F]) -> list[list[F]]:
    """Claims in groups of those that say the same, each of another document; every claim is in one of them.

    Args:
        claims: in any order.
    Returns:
        Groups in the order of their first claims, and the claims of each in the order given; none is empty.
    """
    groups: dict[tuple[object, ...], list[F]] = {}
    for number, claim in enumerate(claims):
        groups.setdefault(_said(claim) or (number,), []).append(claim)
    return list(groups.values())


def document_of(claim: ToldFinding) -> str:
    """The name of the document that a finding is told of; "" of findings that are never told together."""
    recipe = claim.recipe
    if "standing" in recipe:
        return str(recipe["document"])
    behind = _NAMING.get(str(recipe.get("gap", "")))
    return claim.text.partition(behind)[0] if behind and behind in claim.text else ""


def _said(claim: ToldFinding) -> tuple[object, ...]:
    """What a finding says beside whom it says it of; () where it is told alone."""
    name = document_of(claim)
    if not name:
        return ()
    rest = claim.text.removeprefix(name)
    # The words of a document about its dates are evidence for what is said, and no part of it.
    said = rest.partition(": “")[0] if "standing" in claim.recipe else rest
    return claim.severity, said
