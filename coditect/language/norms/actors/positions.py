"""What a permission puts its holder in, and whether it is his alone."""

from __future__ import annotations

import re

from coditect.language.norms.cues import Cue
from coditect.language.tables import read_table

__all__ = ["is_of_some_alone", "position_of"]

_POWERS = frozenset(read_table("modality").words("powers"))
_FREEING = ("is not required to", "is not required", "does not apply")
_ENTITLING = ("is entitled to", "has the right to")

# "Only members may vote", and no "Only in winter may the clerk close it".
_ONLY_WHO = re.compile(
    r"only\s+(?!(?:in|on|if|when|where|with|within|upon|after|before|by|under|for|at|then|once|to|during|through|as)\b)(?=\w)",
    re.IGNORECASE,
)


def position_of(cue: Cue, action: str) -> str:
    """What a permission puts its holder in: freedom from a duty, a right against others, power over them, or leave to act."""
    if cue.modality in _FREEING:
        return "exemption"
    if cue.modality in _ENTITLING:
        return "right"
    verbs = (
        word
        for word in re.findall(r"[a-z]+", action.lower())
        if not word.endswith("ly") and word not in ("be", "also", "by", "notice")
    )
    return "power" if next(verbs, "") in _POWERS else "permission"


def is_of_some_alone(text: str, cue: Cue, start: int, end: int) -> bool:
    """Whether leave is given to some alone: "Only the fitter may remove it".

    Args:
        text: the text.
        cue: the words that give it.
        start: where the subject begins.
        end: one past its last.
    """
    return cue.kind == "permission" and _ONLY_WHO.match(text, start, max(start, end)) is not None
