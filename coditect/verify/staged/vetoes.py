"""What keeps a reader who quotes from calling a claim supported: rules that are hard, asked again of just what is quoted.

A reader with words to show for it may overrule statistics ("a word that no evidence has"), and doubts of rules that are wrong of
too many true claims. It may not overrule a difference in a figure, in how it binds or in who acts, nor any grave contradiction:
where both are sure, a person decides (ADR 111).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from coditect.schemas import Signal
from coditect.verify.staged.comparison import GRAVE, HARD
from coditect.verify.staged.stages import assess

__all__ = ["find_vetoes"]

_CONTRADICTION = "contradiction_"

_KINDS = ("number", "unit", "date", "duration", "percentage", "currency", "reference", "modality", "role")

_NEVER_OVERRULED = frozenset(f"{_CONTRADICTION}{kind}" for kind in _KINDS)
"""Contradictions that stand however small: another figure, another force, somebody else."""

_ANY_THRESHOLD = 0.5
"""The contradictions are asked for, not the label: whichever threshold is given, they are the same."""


def find_vetoes(text: str, quoted: Sequence[str], signals: Iterable[Signal]) -> tuple[Signal, ...]:
    """Why support that quotes these statements is not taken.

    Args:
        text: the claim.
        quoted: the statements whose words were quoted, whole; at least one.
        signals: what the checker found of the claim beside all of its evidence. Of these only what is certain stands: a milder one
            may come from a statement that the claim does not rest on.

    Returns:
        The contradictions, those of the quoted statements first; their places in the evidence are not to be used.
    """
    again = assess(text, quoted, _ANY_THRESHOLD).signals
    certain = [each for each in signals if _speaks_against(each) and each.weight >= HARD]
    found = {each.detail: each for each in (*filter(_is_hard, again), *certain)}
    return tuple(found.values())


def _speaks_against(signal: Signal) -> bool:
    return not signal.passed and signal.name.startswith(_CONTRADICTION)


def _is_hard(signal: Signal) -> bool:
    return _speaks_against(signal) and (signal.name in _NEVER_OVERRULED or signal.weight >= GRAVE)
