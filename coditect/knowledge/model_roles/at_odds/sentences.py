"""The sentences of a draft that a model reads for conflicts, and what it reports of them.

They are those of Tier 1, since Tier 2 has only two thirds of what contradicts another: a sentence that is reported and that Tier 2
has not is added to it (:mod:`coditect.knowledge.model_roles.at_odds.named`), so that a claim can cite it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from coditect.agents.roles.answers import ConflictKind
from coditect.agents.roles.at_odds.pairs import AskedStatement
from coditect.knowledge.progress import Progress
from coditect.knowledge.report.registers.conflicts import LONGEST_RULE, comparable_in
from coditect.knowledge.report.registers.said import said_in, title_of
from coditect.schemas import DocumentVersion
from coditect.store.view import View
from coditect.tiers.findings.conflicts.possible.facts import says_of_what
from coditect.tiers.findings.standing import Standings

__all__ = ["PlacedSentence", "ReportedPair", "ReportedSide", "Sentences", "reported", "sentences_of", "side_of"]


@dataclass(frozen=True, slots=True)
class ReportedSide:
    """Words of a sentence that a model names: one of two that it finds at odds, or what shows that something is missing.

    Attributes:
        document_id: the document.
        start: first code point of the words.
        end: one past their last.
    """

    document_id: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class ReportedPair:
    """Two sentences that a model finds at odds.

    Attributes:
        sides: in the order of their documents' names, of one document in the order of the text.
        kind: of the difference.
        about: the subject in the model's words; never cited.
    """

    sides: tuple[ReportedSide, ReportedSide]
    kind: ConflictKind
    about: str


@dataclass(frozen=True, slots=True)
class PlacedSentence:
    """A sentence that may be at odds with another: the number of its document, where it stands, and how it is shown."""

    number: int
    document_id: str
    start: int
    shown: AskedStatement


@dataclass(frozen=True, slots=True)
class Sentences:
    """The sentences of a draft, by the names of their documents and by place.

    Attributes:
        told: the sentences.
        comparable: (documents, documents), symmetric: whether two documents bind the same people; False on the diagonal.
    """

    told: tuple[PlacedSentence, ...]
    comparable: npt.NDArray[np.bool_]


def sentences_of(view: View, progress: Progress) -> Sentences:
    """The sentences of a draft, of which Tier 1 and the profiles are there."""
    ordered = sorted(view.documents.values(), key=lambda each: (each.name, each.document_id))
    standings = Standings(view.documents, view.profiles, view.manifest.settings.today or "")
    told: list[PlacedSentence] = []
    for number, version in enumerate(ordered):
        told += _sentences(view, version, number, standings.role(version.document_id))
        progress("reading sentences", number + 1, len(ordered))
    return Sentences(tuple(told), comparable_in(ordered, standings))


def _sentences(view: View, version: DocumentVersion, number: int, role: str) -> Iterator[PlacedSentence]:
    """The sentences and rows of a document that are short enough to be one rule and long enough to say of what."""
    text, title = view.text_of(version), title_of(view, version)
    for each in said_in(view, version.document_id, text)[0]:
        sentence = text[each.start : each.end]
        if len(sentence) <= LONGEST_RULE and says_of_what(sentence):
            shown = AskedStatement(version.name, title, role, each.item.heading, sentence)
            yield PlacedSentence(number, version.document_id, each.start, shown)


def reported(
    sides: tuple[PlacedSentence, PlacedSentence], words: tuple[tuple[int, int], ...], kind: ConflictKind, about: str
) -> ReportedPair:
    """Two sentences at odds, by the places of the words that are.

    Args:
        sides: the sentences.
        words: (first, last code point) in the text of each.
        kind: of the difference.
        about: the subject in the model's words.
    """
    first, second = (side_of(side, own) for side, own in zip(sides, words, strict=True))
    return ReportedPair((first, second), kind, about)


def side_of(sentence: PlacedSentence, words: tuple[int, int]) -> ReportedSide:
    """Words of a sentence by their place in its document.

    Args:
        sentence: that has them.
        words: (first, last code point) in its text.
    """
    return ReportedSide(sentence.document_id, sentence.start + words[0], sentence.start + words[1])
