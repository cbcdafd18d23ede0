"""The reducer reads a corpus whole: all of its sentences at once, or each two parts of them together where they are many.

Of 48 conflicts that two companies' documents were written with, each author in his own words, the nearest pairs held 17, and a
model that read all sentences told 47 (ADR 113): nearness in meaning is what fails, and not the reading.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import numpy as np

from coditect.agents.asking.pool import Outcome
from coditect.agents.roles.at_odds.statements import (
    StatementsReading,
    read_statements,
    statements_request,
    statements_role,
)
from coditect.knowledge.model_roles.agency import Agency, Stage
from coditect.knowledge.model_roles.at_odds.sentences import PlacedSentence, ReportedPair, Sentences, reported
from coditect.knowledge.progress import Progress

__all__ = ["MOST_PARTS", "PART_CHARS", "parts_of_corpus", "read_together", "report_whole"]

PART_CHARS = 100_000
"""Code points of the sentences of one part, with their headings; two parts are read at once, some 50,000 tokens."""

MOST_PARTS = 6
"""Parts of a corpus that is read whole: fifteen requests at most. Of a larger one the nearest pairs are read.

Like the size of a part it decides what is asked, and so what is found: with another one the readers of the reducer are others.
"""

_BESIDE = 24
"""Code points of a line beside heading and text."""

_Portion = tuple[PlacedSentence, ...]


def parts_of_corpus(sentences: Sequence[PlacedSentence]) -> list[_Portion]:
    """The sentences in parts of at most so many code points, in their order; all in one where two parts hold them.

    Args:
        sentences: of all documents, by document and place.
    """
    sizes = [len(each.shown.heading) + len(each.shown.text) + _BESIDE for each in sentences]
    if sum(sizes) <= 2 * PART_CHARS:
        return [tuple(sentences)] if len(sentences) > 1 else []
    parts: list[list[PlacedSentence]] = [[]]
    room = PART_CHARS
    for each, size in zip(sentences, sizes, strict=True):
        if size > room and parts[-1]:
            parts.append([])
            room = PART_CHARS
        parts[-1].append(each)
        room -= size
    return [tuple(each) for each in parts]


def read_together(parts: Sequence[_Portion], sentences: Sentences) -> list[_Portion]:
    """What each request shows: two parts where documents of both bind the same people, or one stands in both; else a part alone.

    Args:
        parts: of :func:`parts_of_corpus`.
        sentences: which documents bind the same people.
    """
    documents = [sorted({each.number for each in part}) for part in parts]
    pairs = [
        (one, other)
        for one, other in combinations(range(len(parts)), 2)
        if sentences.comparable[np.ix_(documents[one], documents[other])].any()
        or not set(documents[one]).isdisjoint(documents[other])
    ]
    paired = {number for pair in pairs for number in pair}
    alone = [part for number, part in enumerate(parts) if number not in paired]
    return [*(parts[one] + parts[other] for one, other in pairs), *alone]


def report_whole(
    agency: Agency, sentences: Sentences, parts: Sequence[_Portion], progress: Progress
) -> list[ReportedPair]:
    """Have the reducer read all sentences, and take what it finds at odds, by place, each two once.

    Args:
        agency: asks the reducer.
        sentences: of the draft; what it tells of documents that bind different people is not taken.
        parts: of :func:`parts_of_corpus`.
        progress: told as answers come.
    Raises:
        BudgetExceeded: what was answered is kept.
    """
    role = statements_role(agency.roles["reducer"])
    portions = read_together(parts, sentences)
    found: dict[tuple[tuple[int, int], tuple[int, int]], ReportedPair] = {}

    def take(outcome: Outcome[_Portion, StatementsReading]) -> None:
        if outcome.value is None:
            agency.unanswered.add(f"reducer: statements from {outcome.item[0].shown.document} on")
            return
        rejections = list(outcome.value.rejections)
        for each in outcome.value.at_odds:
            first, second = (outcome.item[index] for index in each.between)
            if first.number != second.number and not sentences.comparable[first.number, second.number]:
                rejections.append("conflict: documents that bind different people")
                continue
            key = (first.number, first.start), (second.number, second.start)
            found.setdefault(key, reported((first, second), each.words, each.kind, each.about))
        agency.count_rejected("reducer", tuple(rejections))

    stage: Stage[_Portion, StatementsReading] = Stage(
        "reducer",
        "reducer reads statements",
        lambda: portions,
        lambda some: statements_request(role, [each.shown for each in some]),
        lambda some, answer: read_statements(answer, [each.shown for each in some]),
    )
    agency.run(stage, take, progress)
    return [found[key] for key in sorted(found)]
