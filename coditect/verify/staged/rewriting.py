"""What a proof makes of a text that counting leaves open: where every word is accounted for, it is supported.

Statistics cannot tell a rewrite from an edit, since an edit is nearer to its source in words (ADR 100). A proof can
(:mod:`coditect.verify.rewrites`). It settles what would go to a person, doubts of rules as well; a grave contradiction stands, and
what rules or the second reader refuse stays refused.
"""

from __future__ import annotations

from collections.abc import Sequence

from coditect.schemas import EvidenceSpan, Signal
from coditect.verify.rewrites.proof import Rewrite, prove
from coditect.verify.staged.comparison import GRAVE, Comparison
from coditect.verify.staged.second_reading import SecondReading

__all__ = ["PROVEN", "lifted", "rewritten", "told"]

PROVEN = 0.77
"""Score of a text that is proven: the share of proven texts that were faithful, of claims that no rule was made on (ADR 100)."""

_MOST_TOLD = 8


def rewritten(compared: Comparison, again: SecondReading, minimum: float) -> Rewrite | None:
    """The proof of a text that would be left to a person.

    Args:
        compared: the text beside its evidence.
        again: what both readers say of it.
        minimum: probability from which a text is supported, 0..1.
    """
    if again.label != "needs_review" or minimum > PROVEN or compared.worst >= GRAVE:
        return None
    return prove(compared.text, compared.index)


def told(proof: Rewrite, offset: int, length: int) -> Signal:
    """The signal of a proof: which words were taken as equal, and the words of the evidence that it rests on.

    Args:
        proof: of the text.
        offset: where the text begins in its claim.
        length: of the text, code points.
    """
    shown = [f"“{mine}” for “{theirs}”" for mine, theirs in proof.equals[:_MOST_TOLD]]
    more = len(proof.equals) - len(shown)
    words = f": {', '.join(shown)}{f' and {more} more' if more > 0 else ''}" if shown else ""
    return Signal(
        name="rewrite",
        passed=True,
        detail=f"every word of it stands for one of the evidence{words}",
        claim_start=offset,
        claim_end=offset + length,
        evidence=tuple(EvidenceSpan(quote=quote, char_start=lo, char_end=hi) for quote, lo, hi in proof.places),
    )


def lifted(signals: Sequence[Signal]) -> list[Signal]:
    """What spoke against a text that is proven: it stays to be read, and takes nothing off.

    Args:
        signals: those of both stages.
    """
    return [each if each.passed else each.model_copy(update={"passed": True, "weight": 0.0}) for each in signals]
