"""What a proof adds to a text that is left to a person: which of its words stand for which of the evidence.

Statistics cannot tell a rewrite from an edit, since an edit is nearer to its source in words (ADR 100). A proof
(:mod:`coditect.verify.rewrites`) tells most of them apart, not all: it is told to the person who decides, and decides nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from coditect.schemas import REWRITE, EvidenceSpan, Signal
from coditect.verify.staged.comparison import GRAVE, Comparison
from coditect.verify.staged.second_reading import SecondReading

if TYPE_CHECKING:
    from coditect.verify.rewrites.proof import Rewrite

__all__ = ["rewritten", "told"]

_MOST_TOLD = 8


def rewritten(compared: Comparison, again: SecondReading) -> Rewrite | None:
    """The proof of a text that is left to a person; None of any other text, and where a grave contradiction speaks against it.

    Args:
        compared: the text beside its evidence.
        again: what both readers say of it.
    """
    if again.label != "needs_review" or compared.worst >= GRAVE:
        return None
    # Its tables are read where something is left to a person, not wherever the checker is known.
    from coditect.verify.rewrites.proof import prove

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
        name=REWRITE,
        passed=True,
        detail=f"every word of it stands for one of the evidence{words}",
        claim_start=offset,
        claim_end=offset + length,
        evidence=tuple(EvidenceSpan(quote=quote, char_start=lo, char_end=hi) for quote, lo, hi in proof.places),
    )
