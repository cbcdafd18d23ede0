"""What a contradiction between a claim and its evidence is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from coditect.language.reading.sentence import Token
from coditect.verify.alignment.pairs import AlignedPair

__all__ = ["DOUBT", "Contradiction", "Kind", "contradiction"]

DOUBT = 0.6
"""Severity of what keeps a claim from being published but refutes nothing: rules that are wrong of too many true claims."""

Kind = Literal[
    "number", "unit", "date", "duration", "percentage", "currency", "reference", "entity", "negation", "modality",
    "quantifier", "condition", "comparative", "role", "substitution",
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


def contradiction(
    pair: AlignedPair, kind: Kind, severity: float, mine: Token | int, theirs: Token | None, detail: str = ""
) -> Contradiction:
    """A contradiction between two sentences, with its places in the whole claim and the whole evidence text.

    Args:
        pair: the sentences.
        kind: what differs.
        severity: 0..1.
        mine: the claim's token, or where in its sentence something was left out.
        theirs: the evidence's token; None where the claim added something.
        detail: one sentence for people; "" for what both sides say.
    """
    start, end = (mine, mine) if isinstance(mine, int) else (mine.start, mine.end)
    if not detail and isinstance(mine, Token) and theirs is not None:
        detail = f"the claim says “{mine.low}”, the evidence “{theirs.low}”"
    span = pair.source.place(theirs.start, theirs.end) if theirs is not None else (0, 0)
    return Contradiction(kind, severity, (pair.offset + start, pair.offset + end), pair.source.text_index, span, detail)
