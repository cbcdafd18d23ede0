"""What a permission puts its holder in."""

from __future__ import annotations

import re

from coditect.language.norms.cues import Cue
from coditect.language.tables import read_table

__all__ = ["position_of"]

_POWERS = frozenset(read_table("modality").words("powers"))
_FREEING = ("is not required to", "is not required", "does not apply")
_ENTITLING = ("is entitled to", "has the right to")


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
