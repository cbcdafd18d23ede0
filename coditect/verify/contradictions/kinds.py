"""What a contradiction between a claim and its evidence is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

__all__ = ["Contradiction", "Kind"]

Kind = Literal[
    "number", "unit", "date", "duration", "percentage", "currency", "reference", "entity", "negation", "modality",
    "quantifier", "condition", "comparative", "role",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Contradiction:
    """One place where a claim says something else than what it rests on.

    Attributes:
        kind: what differs.
        severity: 0..1; 1 cannot be published, below 0.5 is a remark.
        claim_span: start and end, code points into the claim, half-open; empty where something was left out.
        evidence_index: which of the evidence texts, 0-based.
        evidence_span: start and end in that text; empty where the claim added something.
        detail: one sentence for people.
    """

    kind: Kind
    severity: float
    claim_span: tuple[int, int]
    evidence_index: int
    evidence_span: tuple[int, int]
    detail: str
