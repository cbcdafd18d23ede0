"""The reducer reads pairs of sentences: the nearest ones of documents that bind the same people, some of one document at a time.

Sentences are those of Tier 1, since Tier 2 has only two thirds of what contradicts another: a sentence that is named here and that
Tier 2 has not is added to it (:mod:`coditect.knowledge.model_roles.named`), so that a claim can cite it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

import numpy as np

from coditect.agents.asking.pool import Outcome
from coditect.agents.roles.answers import ConflictKind
from coditect.agents.roles.pairs import ReadStatement, SetReadings, pairs_request, pairs_role, read_pairs
from coditect.knowledge.model_roles.agency import Agency, Stage
from coditect.knowledge.progress import Progress
from coditect.knowledge.report.registers.conflicts import LONGEST_RULE, comparable_in
from coditect.knowledge.report.registers.said import said_in, title_of
from coditect.models.port import Embedder
from coditect.schemas import DocumentVersion
from coditect.store.view import View
from coditect.tiers.findings.conflicts.possible.facts import says_of_what, sentence_facts
from coditect.tiers.findings.conflicts.possible.nearest import Pair, pairs_to_read
from coditect.tiers.findings.standing import Standings

__all__ = ["SETS_AT_ONCE", "ReportedPair", "ReportedSide", "report_pairs"]

SETS_AT_ONCE = 20
"""Pairs of one request, at most; they have their first document in common, so that another document's change asks little again."""


@dataclass(frozen=True, slots=True)
class ReportedSide:
    """One of two sentences that a model finds at odds.

    Attributes:
        document_id: the document.
        start: first code point of its words that are at odds.
        end: one past their last.
    """

    document_id: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class ReportedPair:
    """Two sentences that a model finds at odds.

    Attributes:
        sides: in the order of their documents' names.
        kind: of the difference.
        about: the subject in the model's words; never cited.
    """

    sides: tuple[ReportedSide, ReportedSide]
    kind: ConflictKind
    about: str


@dataclass(frozen=True, slots=True)
class _NearSentence:
    """A sentence that may be at odds with another: the number of its document, where it stands, and how it is shown."""

    number: int
    document_id: str
    start: int
    shown: ReadStatement


_Sets = tuple[tuple[_NearSentence, _NearSentence], ...]


def report_pairs(agency: Agency, view: View, embedder: Embedder, progress: Progress) -> list[ReportedPair]:
    """Have the reducer read the nearest pairs of a draft's sentences, and take what it finds at odds, in their order.

    Args:
        agency: asks the reducer, about as many pairs as it says.
        view: a draft, of which Tier 1 and the profiles are there.
        embedder: says how near sentences are.
        progress: told as documents are read, sentences compared and answers come.
    Raises:
        BudgetExceeded: what was answered is kept.
    """
    role = pairs_role(agency.roles["reducer"])
    portions = _portions(_nearest(view, embedder, agency.pairs, progress))
    found: list[ReportedPair] = []

    def take(outcome: Outcome[_Sets, SetReadings]) -> None:
        if outcome.value is None:
            agency.unanswered.add(f"reducer: pairs of {outcome.item[0][0].shown.document}")
            return
        agency.count_rejected("reducer", outcome.value.rejections)
        for sides, reading in zip(outcome.item, outcome.value.readings, strict=True):
            if reading is not None and reading.kind is not None:
                places = [
                    ReportedSide(side.document_id, side.start + first, side.start + last)
                    for side, (first, last) in zip(sides, reading.words, strict=True)
                ]
                found.append(ReportedPair((places[0], places[1]), reading.kind, reading.about))

    stage: Stage[_Sets, SetReadings] = Stage(
        "reducer",
        "reducer reads pairs",
        lambda: portions,
        lambda sets: pairs_request(role, _shown(sets)),
        lambda sets, answer: read_pairs(answer, _shown(sets)),
    )
    agency.run(stage, take, progress)
    return found


def _shown(sets: _Sets) -> list[tuple[ReadStatement, ...]]:
    return [tuple(each.shown for each in one) for one in sets]


def _nearest(
    view: View, embedder: Embedder, most: int, progress: Progress
) -> list[tuple[_NearSentence, _NearSentence]]:
    """The nearest pairs, by document and place of the first sentence and then of the second."""
    ordered = sorted(view.documents.values(), key=lambda each: (each.name, each.document_id))
    standings = Standings(view.documents, view.profiles, view.manifest.settings.today or "")
    comparable = comparable_in(ordered, standings)
    told: list[_NearSentence] = []
    for number, version in enumerate(ordered):
        if comparable[number].any():
            told += _sentences(view, version, number, standings.role(version.document_id))
        progress("reading sentences", number + 1, len(ordered))
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


def _sentences(view: View, version: DocumentVersion, number: int, role: str) -> Iterator[_NearSentence]:
    """The sentences and rows of a document that are short enough to be one rule and long enough to say of what."""
    text, title = view.text_of(version), title_of(view, version)
    for each in said_in(view, version.document_id, text)[0]:
        sentence = text[each.start : each.end]
        if len(sentence) <= LONGEST_RULE and says_of_what(sentence):
            shown = ReadStatement(version.name, title, role, each.item.heading, sentence)
            yield _NearSentence(number, version.document_id, each.start, shown)


def _portions(pairs: Sequence[tuple[_NearSentence, _NearSentence]]) -> list[_Sets]:
    """Pairs that are read in one request."""
    portions: list[_Sets] = []
    for _, own in groupby(pairs, key=lambda each: each[0].number):
        some = list(own)
        portions += [tuple(some[at : at + SETS_AT_ONCE]) for at in range(0, len(some), SETS_AT_ONCE)]
    return portions
