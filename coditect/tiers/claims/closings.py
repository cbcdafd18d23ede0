"""What two statements that a model finds at odds are to each other, as far as their own words establish it.

That they speak of one matter is the model's word, which a judge hears. What is said beyond that follows from the statements:

* *figures*: each gives one figure of one kind, and they are two; where each is the most, or the least, that a duty allows of one
  time from one event, whoever keeps the stricter keeps both, and where the least is more than the most, nothing is both;
* *stances*: one requires, allows or leaves open what the other rules out, in the same words and on no condition.

Anything else is told without a closing sentence. That nobody can keep both is said of a duty and a prohibition of one act alone.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any, Literal

from coditect.language.marks import Mark
from coditect.language.matched import as_matched, as_seen
from coditect.language.quantities.comparators import comparator_before, or_more
from coditect.language.quantities.meaning import find_quantities
from coditect.language.tables import read_table
from coditect.language.terms import terms
from coditect.tiers.claims.grounds import CitedStatement
from coditect.tiers.findings.conflicts.entries import AGAINST, Entry, entries_of
from coditect.tiers.findings.conflicts.strictness import SAME
from coditect.tiers.findings.said.statements import content_words

__all__ = ["NO_CLOSING", "Closing", "closing_of"]

Bound = Literal["least", "most", ""]


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

_NOUNS = {
    "amount": "amount",
    "count": "number",
    "date": "date",
    "deadline": "deadline",
    "duration": "period",
    "frequency": "interval",
    "percentage": "percentage",
}
_MEASURED = {"frequency": "per_year", "date": "iso", "deadline": "hours", "duration": "hours"}
"""Where the value of a quantity is, in one unit for all of its kind."""

_TIMES = frozenset(("deadline", "duration"))
_WHOLE_DAY = len("2026-06-30")
_FLOORS = frozenset(("at_least",))
_CEILINGS = frozenset(("at_most", "within"))
_DUTY = re.compile(r"\b(?:must|shall|(?:has|have)\s+to|(?:is|are)\s+required\s+to)\b", re.IGNORECASE)
_CONDITIONS = read_table("conditions")
_CONDITION = re.compile(
    rf"\b(?:{_CONDITIONS.pattern('if')}|{_CONDITIONS.pattern('when')}|{_CONDITIONS.pattern('unless')}|whose|whom?|which|that|"
    r"before|after|only|solely|(?:more|less|further|longer|later)\s+than|otherwise|provided)\b",
    re.IGNORECASE,
)
"""What a duty or a prohibition may hang on: beside it nobody can tell that it and another cover the same case."""
_TURNED = re.compile(
    r"\b(?:not|no|never|none|neither|nor|may|can|could|should|might|entitled)\b|n[’']t\b", re.IGNORECASE
)
"""What turns a bound around, or makes it none of a duty."""
_EVENT_ENDS = re.compile(r"[.;:,()]")

_REQUIRES = {"must": "requires", "may": "allows", "need not": "leaves open"}
_DENIES = {"must not": "forbids", "does not": "says is not done", "need not": "leaves open"}
_OPEN = frozenset(("may", "need not"))


@dataclass(frozen=True, slots=True)
class _Figure:
    """A figure of a statement.

    Attributes:
        mark: as the quantity was read.
        line: the statement.
        printed: the figure with the words before it that make it the least or the most.
    """

    mark: Mark
    line: str
    printed: str

    @property
    def kind(self) -> str:
        """Of the quantity."""
        return str(self.mark.data["quantity_kind"])

    @property
    def value(self) -> tuple[float, str]:
        """By which two of a kind are ordered: a number, or a day."""
        found = self.mark.data[_MEASURED.get(self.kind, "value")]
        return (0.0, found) if isinstance(found, str) else (float(str(found)), "")

    @property
    def unit(self) -> tuple[str, bool]:
        """What else has to be the same before the values of two are: what is counted, the currency, and which days."""
        counted = (
            self.mark.data.get("currency") or self.mark.data.get("unit") if self.kind in ("amount", "count") else ""
        )
        return str(counted), bool(self.mark.data.get("business_days"))


def closing_of(recipe: Mapping[str, Any], cited: Sequence[CitedStatement]) -> Closing:
    """What two statements are to each other.

    Args:
        recipe: of the claim: ``kind`` of the difference as the model sees it, and the ``words`` of each statement that differ,
            all of them where it names none.
        cited: the two statements.
    """
    named = recipe.get("words") or [each.text for each in cited]
    if recipe.get("kind") == "value":
        figures = [_figures(each.text, str(words)) for each, words in zip(cited, named, strict=True)]
        if all(len(each) == 1 for each in figures):
            return _of_figures(figures[0][0], figures[1][0])
    return _of_stances(cited[0], cited[1])


# figures


def _figures(text: str, words: str) -> list[_Figure]:
    """The figures of a statement that some of its words hold, wholly or in part."""
    line, words = as_matched(text), as_matched(words)
    at = max(line.find(words), 0)
    found = []
    for mark in find_quantities(line, 0, len(line)):
        start = comparator_before(line, 0, mark.start)[1]
        if start < at + len(words) and at < mark.end and mark.data.get("quantity_kind") in _NOUNS:
            name, end = or_more(line, mark.end, len(line))
            name = name or comparator_before(line, 0, mark.start)[0]
            first = start if name in (*_FLOORS, *_CEILINGS) else mark.start  # "not … more than 700" fixes 700
            found.append(_Figure(mark, line, " ".join(as_seen(line[first:end]).split())))
    return found


def _of_figures(first: _Figure, second: _Figure) -> Closing:
    if not _are_two(first, second):
        return NO_CLOSING
    noun = _NOUNS[first.kind] if first.kind == second.kind else "time"
    told = f"They give different {noun}s for one thing: “{first.printed}” and “{second.printed}”"
    ways = {_bound(first): first, _bound(second): second}
    if first.unit != second.unit or "" in ways:
        return Closing(f"{told}.")
    if len(ways) == 1:
        return _ordered(first, second) or Closing(f"{told}.")
    if ways["least"].value > ways["most"].value:
        return Closing(f"{told}, and no {noun} is both.")
    return Closing(both=True)


def _are_two(first: _Figure, second: _Figure) -> bool:
    """Whether two figures are of one kind, and not the same one in other words: 30 days and a month."""
    if first.kind != second.kind and not {first.kind, second.kind} <= _TIMES:
        return False
    if first.unit[0] != second.unit[0]:
        return False
    (ours, _), (theirs, _) = first.value, second.value
    if first.kind in _TIMES or first.kind == "frequency":
        return abs(ours - theirs) > SAME * max(ours, theirs)
    return first.value != second.value


def _bound(figure: _Figure) -> Bound:
    """Whether a figure is the least or the most that a duty allows; "" where its sentence does not plainly say so."""
    mark, line = figure.mark, figure.line
    name, start, _ = comparator_before(line, 0, mark.start)
    name = or_more(line, mark.end, len(line))[0] or name or str(mark.data.get("comparator", ""))
    duty = _DUTY.search(line, 0, start)
    if duty is None or mark.data.get("relation") or _CONDITION.search(line[:start]):
        return ""
    if _TURNED.search(line[:start]) or _TURNED.search(line[mark.end :]):
        return ""
    if name in _FLOORS and figure.kind != "date":
        return "least"
    is_last_day = figure.kind == "date" and name == "before" and len(figure.value[1]) == _WHOLE_DAY
    return "most" if is_last_day or (name in _CEILINGS and figure.kind != "frequency") else ""


def _ordered(first: _Figure, second: _Figure) -> Closing | None:
    """Which of two bounds of one direction is the stricter; None where they run from two events, or nobody can tell."""
    if first.kind != second.kind or _event(first) != _event(second):
        return None
    low, high = sorted((first, second), key=lambda each: each.value)
    stricter = high if _bound(first) == "least" else low
    return Closing(f"Whoever keeps the stricter, “{stricter.printed}”, keeps both.", both=True)


def _event(figure: _Figure) -> frozenset[str]:
    """The words behind a figure, up to the end of its clause: from what it runs, and of what it is."""
    behind = figure.line[figure.mark.end :]
    return frozenset(terms(_EVENT_ENDS.split(behind, maxsplit=1)[0]))


# stances


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
    if _CONDITION.search(ruled) or find_quantities(ruled, 0, len(ruled)):
        return False
    # What is ruled out in more words than it is asked for may be another act: "must not be stored unencrypted".
    return set(content_words(ruled)) <= set(content_words(asked))


def _told(asks: Entry, denies: Entry) -> Closing:
    done, ruled = str(asks.value), str(denies.value)
    sentence = f"One {_REQUIRES[done]} what the other {_DENIES[ruled]}"
    if (done, ruled) == ("must", "must not") and _CONDITION.search(asks.statement.sentence.text) is None:
        return Closing(f"{sentence}: nobody can keep both.")
    return Closing(f"{sentence}.", both=not _OPEN.isdisjoint((done, ruled)))
