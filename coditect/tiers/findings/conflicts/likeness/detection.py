"""Limits of one thing in other words: which of them are held against each other, and which of these are about one matter.

Candidates are found by the pairs of words and the rare words that two limits have in common; of each, a measure per kind decides
(:mod:`coditect.tiers.findings.conflicts.likeness.measures`). Nothing here is told twice: a difference that the verbs tell already
is theirs.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence

from coditect.language.tables import read_table
from coditect.tiers.findings.conflicts.assertions.definitions import definition_told
from coditect.tiers.findings.conflicts.entries import Entry
from coditect.tiers.findings.conflicts.figures import AMOUNT, NOTICE, figures_of
from coditect.tiers.findings.conflicts.likeness.circles import circles_among
from coditect.tiers.findings.conflicts.likeness.measures import Likeness
from coditect.tiers.findings.conflicts.lines import line_of
from coditect.tiers.findings.conflicts.matters import are_parted
from coditect.tiers.findings.conflicts.strictness import differ
from coditect.tiers.findings.standing import Standings

__all__ = ["COMMON", "LEAST_ALIKE", "alike_limits", "thing_of", "usable_limits"]

COMMON = 24
"""Limits that share a word or a pair, above which it tells nothing of what they are of."""

SHARE = {"duration": 0.3, "count": 0.25, "size": 0.4, AMOUNT: 0.3}
LEAST_SHARE = 0.45
LEAST_ALIKE = min(*SHARE.values(), LEAST_SHARE)
LEAST_WORDS = 3
"""What two limits must share of the weight of their words, by kind, of times and intervals, and of any kind; and how many words."""

UNIT_SHARE = 0.45
"""What two limits with the same number in days of different kinds must share."""

WORKING_RATIO = 1.5
"""By which factor the same number of calendar and of working days differs, at most."""

_LEANING = re.compile(rf"^\W*(?:\d[\d.]*\W+)?(?:{read_table('limits').pattern('leaning')})\b", re.IGNORECASE)


def alike_limits(
    limits: Sequence[Entry],
    weight: Mapping[str, float],
    standings: Standings,
    times: Callable[[str, str, str], int] | None = None,
) -> Iterable[tuple[float, Entry, Entry]]:
    """Pairs of limits of different documents that are of one thing and cannot both be meant, with how much they share.

    Args:
        limits: of the whole corpus, or of a few statements alone.
        weight: what each word says, in the whole corpus.
        standings: which documents bind the same people.
        times: how many usable limits of the corpus (of a kind, of a thing) have a word, where not all of them are given.
    """
    usable = usable_limits(limits)
    for a, b in _candidates(usable, standings, times):
        first, second = usable[a], usable[b]
        if not differ(first, second, standings):
            continue
        found = Likeness(first, second, weight)
        if _is_one_thing(first, second, found) and not are_parted(first, second, standings):
            yield round(found.share, 4), first, second


def usable_limits(limits: Sequence[Entry]) -> list[Entry]:
    """The limits that stand alone: one of their kind in their sentence, which speaks of what it names itself."""
    values: dict[tuple[object, ...], set[float | str]] = defaultdict(set)
    for each in limits:
        values[each.statement.place, each.kind, each.verb].add(each.value)
    return [
        each
        for each in limits
        if len(values[each.statement.place, each.kind, each.verb]) == 1
        and not _LEANING.match(line_of(each.statement.sentence.text))
        and not definition_told(each.statement.sentence.text)
        and not any(told.kind == NOTICE for told in figures_of(each.statement.sentence.text))
    ]


def thing_of(limit: Entry) -> str:
    """What a limit is of, as far as two of its kind are only held against each other where it is the same; "" where it is not."""
    timed = limit.kind in ("deadline", "frequency", "duration")
    return limit.verb if not timed or limit.verb == "length" else ""


def _candidates(
    limits: Sequence[Entry], standings: Standings, times: Callable[[str, str, str], int] | None
) -> list[tuple[int, int]]:
    """Pairs of comparable documents, of one kind and one thing, that share a word that few have."""
    postings: dict[tuple[str, str, str], list[int]] = defaultdict(list)
    for index, each in enumerate(limits):
        for word in each.words:
            postings[each.kind, thing_of(each), word].append(index)
    documents = [each.statement.place[0] for each in limits]
    comparable = circles_among(standings, set(documents))
    found = set()
    for by, members in postings.items():
        if 1 < len(members) <= COMMON and (times is None or times(*by) <= COMMON):
            held = [each for each in members if comparable[documents[each]]]
            for at, a in enumerate(held):
                own, near = documents[a], comparable[documents[a]]
                found |= {(a, b) for b in held[at + 1 :] if documents[b] in near and documents[b] != own}
    return sorted(found)


def _is_one_thing(first: Entry, second: Entry, found: Likeness) -> bool:
    """Whether what two limits share is enough for their kind."""
    if first.kind == AMOUNT:
        return found.share >= SHARE[AMOUNT] and found.words >= 2 and found.same_count
    if first.kind == "deadline" and found.same_number and found.share >= UNIT_SHARE and found.words + found.soft > 1:
        values = sorted(float(each.value) for each in (first, second))
        return values[1] < WORKING_RATIO * values[0]
    # What costs least is asked first: most of what shares a rare word shares little else.
    return found.share >= SHARE.get(first.kind, LEAST_SHARE) and found.words >= LEAST_WORDS and found.pairs > 0
