"""What keeps a reader who quotes from calling a claim supported: rules that are hard, asked again of just what is quoted.

A reader with words to show for it may overrule statistics ("a word that no evidence has"), and doubts of rules that are wrong of
too many true claims. It may not overrule a difference in a figure, in how it binds or in who acts, nor any grave contradiction:
where both are sure, a person decides (ADR 111). Each part of the claim is asked about beside what is quoted for it (ADR 121).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from coditect.schemas import Signal
from coditect.verify.staged.comparison import GRAVE, HARD
from coditect.verify.staged.otherwise import is_told_otherwise
from coditect.verify.staged.stages import assess

__all__ = ["QuotedPart", "find_vetoes"]

_CONTRADICTION = "contradiction_"

_KINDS = ("number", "unit", "date", "duration", "percentage", "currency", "reference", "modality", "role")

_NEVER_OVERRULED = frozenset(f"{_CONTRADICTION}{kind}" for kind in _KINDS)
"""Contradictions that stand however small: another figure, another force, somebody else."""

_ANY_THRESHOLD = 0.5
"""The contradictions are asked for, not the label: whichever threshold is given, they are the same."""


@dataclass(frozen=True, slots=True)
class QuotedPart:
    """Words of a claim with what is quoted for them.

    Attributes:
        start: first code point in the claim.
        end: one past the last.
        statements: whose words were quoted, whole; at least one.
    """

    start: int
    end: int
    statements: tuple[str, ...]

    def has(self, signal: Signal) -> bool:
        """Whether a signal is of these words, or of what is left out among them or right behind them."""
        if signal.claim_start is None or signal.claim_end is None:
            return True
        if signal.claim_start == signal.claim_end:
            return self.start < signal.claim_start <= self.end or signal.claim_start == self.start == 0
        return signal.claim_start < self.end and self.start < signal.claim_end


def find_vetoes(text: str, parts: Sequence[QuotedPart], signals: Iterable[Signal]) -> tuple[Signal, ...]:
    """Why support that quotes these statements is not taken.

    Args:
        text: the claim.
        parts: what is quoted for which of its words; at least one.
        signals: what the checker found of the claim beside all of its evidence. Of these only what is certain stands: a milder one
            may come from a statement that the claim does not rest on.

    Returns:
        The contradictions, those of the quoted statements first; their places in the evidence are not to be used.
    """
    again = (each for part in parts for each in _of_part(text, part))
    certain = [each for each in signals if _speaks_against(each) and each.weight >= HARD]
    found = {each.detail: each for each in (*again, *certain)}
    return tuple(found.values())


def _of_part(text: str, part: QuotedPart) -> Iterator[Signal]:
    """What speaks against a part of a claim, read in the whole claim, and is not told otherwise in the part's statements."""
    said = text[part.start : part.end]
    for each in assess(text, part.statements, _ANY_THRESHOLD).signals:
        if _is_hard(each) and part.has(each) and not is_told_otherwise(each, text, said, part.statements):
            yield each


def _speaks_against(signal: Signal) -> bool:
    return not signal.passed and signal.name.startswith(_CONTRADICTION)


def _is_hard(signal: Signal) -> bool:
    return _speaks_against(signal) and (signal.name in _NEVER_OVERRULED or signal.weight >= GRAVE)
