"""A modal expression of a text: what it makes of its sentence, and how binding it is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from coditect.schemas.tier1.data import Strength

__all__ = ["Cue", "NormKind"]

NormKind = Literal["obligation", "prohibition", "permission"]


@dataclass(frozen=True, slots=True)
class Cue:
    """A modal expression in a text.

    Attributes:
        start: first code point.
        end: one past the last; the action begins here.
        kind: what it makes of the sentence.
        modality: its normalised name ("shall", "must not", "is required to", ...).
        strength: how binding it is.
        confidence: of the cue by itself, 0..1.
    """

    start: int
    end: int
    kind: NormKind
    modality: str
    strength: Strength
    confidence: float
