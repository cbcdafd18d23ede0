"""What rules and a model read of a sentence, put together: where a model has read it soundly, its reading stands.

A norm that both read alike is the rules' own, to the letter: the same extraction as without a model. Everything else that the model
tells says who read it; what rules alone found there is gone, and counted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Literal

from coditect.language.marks import JsonValue, Mark
from coditect.tiers.readings.marks import definition_of, norm_of
from coditect.tiers.readings.told import Place, ReadBy, ToldSentence

__all__ = ["COUNTED", "MergeCounts", "Outcome", "merged"]

Outcome = Literal["kept", "corrected", "added", "taken_away"]

MergeCounts = Counter[Outcome]
"""How many norms and definitions of rules a model read alike, read otherwise, found beside them, and did not find."""

COUNTED: tuple[Outcome, ...] = ("kept", "corrected", "added", "taken_away")

_Alike = Callable[[Mark, Mark], bool]

_COMPARED = ("action", "actor", "condition", "exception", "position")
_TIMES = ("deadline", "frequency", "further_deadlines", "further_frequencies")
_EDGE = " \t\n.,;:"
_LEAST_SHARED = 0.5
"""Of the words of two actions, from which on they are readings of the same norm."""


def merged(
    text: str,
    sentence: Place,
    told: ToldSentence,
    by: ReadBy,
    norms: Sequence[Mark],
    definitions: Sequence[Mark],
    counts: MergeCounts,
) -> tuple[list[Mark], list[Mark]]:
    """The norms and definitions of a sentence that a model has read soundly.

    Args:
        text: the text as it is read.
        sentence: the span of the sentence, without white space at its edges.
        told: what the model told of it.
        by: who.
        norms: what rules read.
        definitions: what rules read.
        counts: takes how many are kept, corrected, added and taken away.
    """
    found = _both([norm_of(text, sentence, each, by) for each in told.norms], norms, _same_norm, _near_norm, counts)
    defined = _both([definition_of(each, by) for each in told.definitions], definitions, _same_term, _near_term, counts)
    return found, defined


def _both(own: Sequence[Mark], others: Sequence[Mark], same: _Alike, near: _Alike, counts: MergeCounts) -> list[Mark]:
    """A model's marks, those of rules in the place of those that say the same."""
    left = list(others)
    result: list[Mark] = []
    pending: list[int] = []
    for mark in own:
        alike = next((each for each in left if same(mark, each)), None)
        if alike is None:
            pending.append(len(result))
            result.append(mark)
        else:
            left.remove(alike)
            counts["kept"] += 1
            result.append(alike)
    for at in pending:
        rival = next((each for each in left if near(result[at], each)), None)
        counts["added" if rival is None else "corrected"] += 1
        if rival is not None:
            left.remove(rival)
    if left:
        counts["taken_away"] += len(left)
    return result


def _same_norm(one: Mark, other: Mark) -> bool:
    """Whether two readings of a norm say the same: kind, who, what, when and with which limits."""
    if one.kind != other.kind or any(_bare(one.data.get(name)) != _bare(other.data.get(name)) for name in _COMPARED):
        return False
    return all(_times(one.data.get(name)) == _times(other.data.get(name)) for name in _TIMES)


def _near_norm(one: Mark, other: Mark) -> bool:
    """Whether two marks are readings of the same norm: their actions share most of their words."""
    a, b = (str(mark.data.get("action", "")).lower().split() for mark in (one, other))
    shared = sum((Counter(a) & Counter(b)).values())
    return 2 * shared >= _LEAST_SHARED * (len(a) + len(b))


def _same_term(one: Mark, other: Mark) -> bool:
    return _near_term(one, other) and one.data.get("form") == other.data.get("form")


def _near_term(one: Mark, other: Mark) -> bool:
    return _bare(one.data.get("term")) == _bare(other.data.get("term"))


def _bare(value: JsonValue | None) -> JsonValue | None:
    """Words without white space and stops at their edges; a list of one as its element."""
    if isinstance(value, str):
        return " ".join(value.split()).strip(_EDGE)
    if isinstance(value, Sequence):
        words = [_bare(each) for each in value]
        return words[0] if len(words) == 1 else words
    return value


def _times(value: JsonValue | None) -> JsonValue | None:
    if isinstance(value, Mapping):
        return [_bare(value.get("text")), _bare(value.get("trigger"))]
    return [_times(each) for each in value] if isinstance(value, Sequence) and not isinstance(value, str) else value
