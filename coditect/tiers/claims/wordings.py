"""The wording of claims, by the release that made them.

A claim is checked by rendering it again, byte for byte (:mod:`coditect.tiers.claims.rendering`). What a generation says was worded
by the release that built it, and is rendered in that wording for as long as it is kept: a sentence that is mended is mended in
what is built from then on. So a sentence that today's :mod:`coditect.tiers.claims.phrases` words otherwise stays here as it was
worded up to some version, and nothing is composed by it.

Up to wording 16 a conflict that a model read closed with that whoever does what one of its statements says breaks the other, also
where one can keep both; and a day that had passed was overdue, also where nothing shows that something is still to be done.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from coditect.tiers.claims import phrases
from coditect.tiers.claims.closing.printed import as_bounded
from coditect.tiers.claims.closing.relations import closing_of
from coditect.tiers.claims.grounds import CitedStatement
from coditect.tiers.claims.quoting import quoted, seen, side
from coditect.tiers.claims.versions import BY_RELATION
from coditect.tiers.findings.conflicts.opposed.told import StatementConflict
from coditect.tiers.findings.tables import cells

__all__ = ["at_odds", "conflict", "gap", "standing", "told_as"]


def at_odds(recipe: Mapping[str, Any], cited: Sequence[CitedStatement], wording: int) -> str:
    """Two statements that a model finds at odds.

    Args:
        recipe: of the claim, with what kind of difference the model sees and the words that it rests on.
        cited: the two statements.
        wording: by which it is told.
    """
    sides = [(each.name, each.text) for each in cited]
    return told_as(sides) if wording < BY_RELATION else phrases.at_odds(sides, closing_of(recipe, cited))


def told_as(sides: Sequence[tuple[str, str]]) -> str:
    """Statements at odds as they were worded before 17; by this sentence what was found is known in every release."""
    said = "; ".join(f"{name} says “{side(text)}”" for name, text in sides)
    names = list(dict.fromkeys(name for name, _ in sides))
    which = f"Statements of {names[0]}" if len(names) == 1 else " and ".join(names)
    return f"{which} are at odds: {said}. Whoever does what one of them says breaks the other."


def conflict(found: StatementConflict, names: Sequence[str], wording: int) -> str:
    """What rules find that documents differ in; see :func:`~coditect.tiers.claims.phrases.conflict`."""
    if wording >= BY_RELATION:
        return phrases.conflict(found, names)
    told = phrases.difference(found, names, as_bounded)
    if found.relation == "stricter":
        return f"{told.removesuffix('.')}; no conflict, for whoever keeps the stricter keeps all."
    return told


def gap(kind: str, words: Mapping[str, str], names: Sequence[str], quotes: Sequence[str], wording: int) -> str:
    """An open point, an empty cell, or a date that has passed; see :func:`~coditect.tiers.claims.phrases.gap`."""
    if wording >= BY_RELATION or kind not in ("overdue", "stale"):
        return phrases.gap(kind, words, names, quotes)
    words = seen(words)
    row = f", row “{words['row']}”" if "row" in words else ""
    status = f" and “{words['status']}”" if "status" in words else ""
    if kind == "overdue" and "as_of" not in words:
        return f"{names[0]}{row} is overdue: “{words['says']}”{status}."
    now = f"the newest date at which {names[-1]} reports something done is {words['as_of']}"
    if kind == "overdue":
        return f"{names[0]}{row} is overdue: “{words['says']}”{status}, but {now}."
    if "often" in words:
        often = next(
            (f"{label}: {v}" for label, v in cells(quotes[0]).items() if v.casefold() == words["often"]), words["often"]
        )
        return f"{names[0]}{row} is out of date: “{often}” and “{words['says']}”, but {now}."
    return (
        f"{names[0]}{row} is out of date: “{words['says']}” lies more than a year before the newest of its column, "
        f"{words['as_of']}."
    )


def standing(kind: str, words: Mapping[str, str], quotes: Sequence[str], wording: int) -> str:
    """What the dates of a document say; see :func:`~coditect.tiers.claims.phrases.standing`."""
    if wording >= BY_RELATION or kind != "overdue":
        return phrases.standing(kind, words, quotes)
    shown = " and ".join(dict.fromkeys(quoted(quote) for quote in quotes))
    return f"{words['document']} is overdue for review: {shown}."
