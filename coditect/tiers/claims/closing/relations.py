"""What two statements that a model finds at odds are to each other, as far as their own words establish it.

That they speak of one matter is the model's word, which a judge hears. What is said beyond that follows from the statements:

* *figures*: each gives one figure of one kind, and they are two; where each is the most, or the least, that a duty of the same
  words allows, whoever keeps the stricter keeps both, and where the least is more than the most, nothing is both;
* *stances*: one requires, allows or leaves open what the other rules out, in the same words and on no condition.

Anything else is told without a closing sentence. That nobody can keep both is said of a duty and a prohibition of one act alone.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

from coditect.language.matched import as_matched
from coditect.language.quantities.meaning import find_quantities
from coditect.tiers.claims.closing.bounds import (
    CONDITION,
    StatedFigure,
    are_two,
    figures_in,
    is_within,
    stricter_of,
    words_of_act,
)
from coditect.tiers.claims.grounds import CitedStatement
from coditect.tiers.findings.conflicts.entries import AGAINST, Entry, entries_of

__all__ = ["NO_CLOSING", "Closing", "closing_of"]


@dataclass(frozen=True, slots=True)
class Closing:
    """What a claim says of two statements beside their words.

    Attributes:
        sentence: what follows from them; "" where nothing does.
        both: whether one can keep both: then they differ, and are not at odds.
    """

    sentence: str = ""
    both: bool = False


NO_CLOSING = Closing()

_REQUIRES = {"must": "requires", "may": "allows", "need not": "leaves open"}
_DENIES = {"must not": "forbids", "does not": "says is not done", "need not": "leaves open"}
_OPEN = frozenset(("may", "need not"))
_FORBIDDING = re.compile(
    r"\b(?:must|shall|should|may|can)\s*(?:not|never)\b|\bnever\b|\b(?:prohibit|forbid|bann)|\bnot\s+(?:\w+ly\s+)?(?:permitted|allowed)\b",
    re.IGNORECASE,
)
"""By which a statement forbids; another one that denies says only what is not done."""


def closing_of(recipe: Mapping[str, Any], cited: Sequence[CitedStatement]) -> Closing:
    """What two statements are to each other.

    Args:
        recipe: of the claim: ``kind`` of the difference as the model sees it, and the ``words`` of each statement that differ,
            all of them where it names none.
        cited: the two statements.
    """
    named = recipe.get("words") or [each.text for each in cited]
    if recipe.get("kind") == "value":
        figures = [figures_in(each.text, str(words)) for each, words in zip(cited, named, strict=True)]
        if all(len(each) == 1 for each in figures):
            return _of_figures(figures[0][0], figures[1][0])
    return _of_stances(cited[0], cited[1])


def _of_figures(first: StatedFigure, second: StatedFigure) -> Closing:
    if not are_two(first, second):
        return NO_CLOSING
    stricter = stricter_of(first, second)
    if stricter is not None:
        return Closing(f"Whoever keeps the stricter, “{stricter.printed}”, keeps both.", both=True)
    noun = first.noun if first.noun == second.noun else "time"
    told = f"They give different {noun}s for one thing: “{first.printed}” and “{second.printed}”"
    if {first.bound, second.bound} == {"least", "most"} and first.is_working == second.is_working:
        least, most = (first, second) if first.bound == "least" else (second, first)
        return Closing(f"{told}, and no {noun} is both.") if least.value > most.value else Closing(both=True)
    return Closing(f"{told}.", both=is_within(first, second) or is_within(second, first))


def _of_stances(first: CitedStatement, second: CitedStatement) -> Closing:
    """What one statement requires, allows or leaves open, and the other rules out; nothing where their words differ."""
    both = [first.statement, second.statement]
    stances = [each for each in entries_of(both) if each.kind == "modality"]
    entries = [[each for each in stances if each.statement is own] for own in both]
    for one, other in product(*entries):
        if one.head == other.head and frozenset((str(one.value), str(other.value))) in AGAINST:
            asks, denies = (one, other) if _asks(one, other) else (other, one)
            if _covers(denies, asks):
                return _told(asks, denies)
    return NO_CLOSING


def _asks(one: Entry, other: Entry) -> bool:
    """Whether the first of two stances is the one that something is done by, or may be."""
    order = ("must", "may", "need not", "does not", "must not")
    return order.index(str(one.value)) < order.index(str(other.value))


def _covers(denies: Entry, asks: Entry) -> bool:
    """Whether what rules an act out speaks of it in no other words than what asks for it, and on no condition."""
    ruled, asked = (as_matched(each.statement.sentence.text) for each in (denies, asks))
    if CONDITION.search(ruled) or find_quantities(ruled, 0, len(ruled)):
        return False
    # What is ruled out in more words than it is asked for may be another act: "must not be stored unencrypted".
    return words_of_act(ruled) <= words_of_act(asked)


def _told(asks: Entry, denies: Entry) -> Closing:
    done, ruled = str(asks.value), str(denies.value)
    if ruled == "must not" and _FORBIDDING.search(as_matched(denies.statement.sentence.text)) is None:
        ruled = "does not"
    sentence = f"One {_REQUIRES[done]} what the other {_DENIES[ruled]}"
    if (done, ruled) == ("must", "must not") and CONDITION.search(asks.statement.sentence.text) is None:
        return Closing(f"{sentence}: nobody can keep both.")
    return Closing(f"{sentence}.", both=not _OPEN.isdisjoint((done, ruled)))
