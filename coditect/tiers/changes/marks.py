"""What a rule says in brackets of its own force: "Encryption (Addressable)" that becomes "Encryption (Required)" binds more."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from itertools import zip_longest

from coditect.language.tables import read_table
from coditect.schemas import DutyChange
from coditect.tiers.changes.strictness import Direction

__all__ = ["changed_marks", "direction_of_marks"]

_BRACKETS = re.compile(r"[(\[]\s*(?P<mark>[A-Za-z][A-Za-z -]{2,24}?)\s*[)\]]")


def changed_marks(old: str, new: str) -> tuple[DutyChange, ...]:
    """The words of force in brackets that differ, side by side in the order of the text; none where they are the same.

    Args:
        old: the words of a provision as it was.
        new: as it is.
    """
    ours, theirs = _marks(old), _marks(new)
    return tuple(
        DutyChange(field="modality", before=before, after=after)
        for before, after in zip_longest(ours, theirs, fillvalue="")
        if before.casefold() != after.casefold()
    )


def direction_of_marks(changes: Sequence[DutyChange]) -> Direction:
    """Whether a duty became stricter or looser by its marks; "changed" where one came or went, or they go both ways.

    Args:
        changes: as :func:`changed_marks` gives them.
    """
    ways = set()
    for each in changes:
        before, after = (_force(said) for said in (each.before, each.after))
        ways.add(
            "changed" if before < 0 or after < 0 or before == after else "stricter" if after > before else "looser"
        )
    way = ways.pop() if len(ways) == 1 else "changed"
    return "stricter" if way == "stricter" else "looser" if way == "looser" else "changed"


def _marks(text: str) -> list[str]:
    """The words of force in brackets, with their brackets, in order."""
    return [found[0] for found in _BRACKETS.finditer(text) if " ".join(found["mark"].casefold().split()) in _forces()]


def _force(mark: str) -> int:
    """How binding a mark is; -1 for none."""
    return _forces().get(" ".join(mark.strip("()[] ").casefold().split()), -1)


@cache
def _forces() -> dict[str, int]:
    return {mark: int(force) for mark, force in read_table("modality").mapping("bracketed").items()}
