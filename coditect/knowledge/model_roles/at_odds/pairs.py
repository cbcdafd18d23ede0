"""The reducer reads pairs of sentences: the nearest ones of documents that bind the same people, some of one document at a time.

So it reads a corpus that is too large to be read whole (:mod:`coditect.knowledge.model_roles.at_odds.whole`).
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

import numpy as np

from coditect.agents.asking.pool import Outcome
from coditect.agents.roles.at_odds.pairs import AskedStatement, SetReadings, pairs_request, pairs_role, read_pairs
from coditect.knowledge.model_roles.agency import Agency, Stage
from coditect.knowledge.model_roles.at_odds.sentences import PlacedSentence, ReportedPair, Sentences, reported
from coditect.knowledge.progress import Progress
from coditect.models.port import Embedder
from coditect.tiers.findings.conflicts.possible.facts import sentence_facts
from coditect.tiers.findings.conflicts.possible.nearest import Pair, pairs_to_read

__all__ = ["SETS_AT_ONCE", "report_pairs"]

SETS_AT_ONCE = 20
"""Pairs of one request, at most; they have their first document in common, so that another document's change asks little again."""

_Sets = tuple[tuple[PlacedSentence, PlacedSentence], ...]


def report_pairs(agency: Agency, sentences: Sentences, embedder: Embedder, progress: Progress) -> list[ReportedPair]:
    """Have the reducer read the nearest pairs of sentences, and take what it finds at odds, in their order.

    Args:
        agency: asks the reducer, about as many pairs as it says.
        sentences: of the draft.
        embedder: says how near sentences are.
        progress: told as sentences are compared and answers come.
    Raises:
        BudgetExceeded: what was answered is kept.
    """
    role = pairs_role(agency.roles["reducer"])
    portions = _portions(_nearest(sentences, embedder, agency.pairs, progress))
    found: list[ReportedPair] = []

    def take(outcome: Outcome[_Sets, SetReadings]) -> None:
        if outcome.value is None:
            agency.unanswered.add(f"reducer: pairs of {outcome.item[0][0].shown.document}")
            return
        agency.count_rejected("reducer", outcome.value.rejections)
        for sides, reading in zip(outcome.item, outcome.value.readings, strict=True):
            if reading is not None and reading.kind is not None:
                found.append(reported(sides, reading.words, reading.kind, reading.about))

    stage: Stage[_Sets, SetReadings] = Stage(
        "reducer",
        "reducer reads pairs",
        lambda: portions,
        lambda sets: pairs_request(role, _shown(sets)),
        lambda sets, answer: read_pairs(answer, _shown(sets)),
    )
    agency.run(stage, take, progress)
    return found


def _shown(sets: _Sets) -> list[tuple[AskedStatement, ...]]:
    return [tuple(each.shown for each in one) for one in sets]


def _nearest(
    sentences: Sentences, embedder: Embedder, most: int, progress: Progress
) -> list[tuple[PlacedSentence, PlacedSentence]]:
    """The nearest pairs, by document and place of the first sentence and then of the second."""
    comparable = sentences.comparable
    told = [each for each in sentences.told if comparable[each.number].any()]
    if len(told) <= 1:
        return []
    around = [f"{each.shown.title}. {each.shown.heading}. {each.shown.text}" for each in told]
    pairs: list[Pair] = pairs_to_read(
        [embedder.embed([each.shown.text for each in told]), embedder.embed(around)],
        np.array([each.number for each in told], dtype=np.int64),
        comparable,
        [sentence_facts(each.shown.text) for each in told],
        [" ".join(each.shown.text.split()).casefold() for each in told],
        most,
        lambda done, of: progress("comparing", done, of),
    )
    return [(told[each.first], told[each.second]) for each in sorted(pairs, key=lambda e: (e.first, e.second))]


def _portions(pairs: Sequence[tuple[PlacedSentence, PlacedSentence]]) -> list[_Sets]:
    """Pairs that are read in one request."""
    portions: list[_Sets] = []
    for _, own in groupby(pairs, key=lambda each: each[0].number):
        some = list(own)
        portions += [tuple(some[at : at + SETS_AT_ONCE]) for at in range(0, len(some), SETS_AT_ONCE)]
    return portions
