"""Sources that disagree: of the statements that a sentence is compared with, one says it and one of another source denies it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from coditect.language.matched import as_matched
from coditect.language.reading.sentence import read_sentence
from coditect.schemas import SupportFigures
from coditect.verify.alignment.evidence import EvidenceIndex
from coditect.verify.alignment.matching import find_pairs, held_share
from coditect.verify.alignment.pairs import AlignedPair
from coditect.verify.contradictions.rules import Contradiction, find_contradictions
from coditect.verify.staged.calibration import SHIPPED
from coditect.verify.staged.stages import ruled_label
from coditect.verify.staged.subject import foreign_subject

__all__ = ["SourceConflict", "find_disagreement"]

_SAME_MATTER = 0.75
"""Share of what a sentence says that a statement must have to be about the same matter."""

_SAME_STATEMENT = 0.5
"""Share of a statement's words that the sentence must have, for them to be about the same matter."""

_REFUTES = 0.9
"""Severity from which a contradiction of such a statement refutes."""

_KINDS = frozenset(
    (
        "number",
        "unit",
        "date",
        "duration",
        "percentage",
        "currency",
        "negation",
        "modality",
        "quantifier",
        "comparative",
    )
)
"""What two statements on one matter disagree in; others tell that they are on different ones."""


@dataclass(frozen=True, slots=True)
class SourceConflict:
    """Two statements of different sources of which one says what a sentence says, and one denies it.

    Attributes:
        supporting: index of the statement that says it.
        refuting: index of the statement that denies it.
        detail: what they differ in, one sentence for people.
        claim_span: where it differs in the sentence, code points, half-open.
        refuting_span: the same in the refuting statement.
    """

    supporting: int
    refuting: int
    detail: str
    claim_span: tuple[int, int]
    refuting_span: tuple[int, int]


def find_disagreement(
    text: str, quotes: Sequence[str], sources: Sequence[str], minimum: float, figures: SupportFigures = SHIPPED
) -> SourceConflict | None:
    """Whether the sources of some statements disagree on a sentence.

    Args:
        text: one sentence.
        quotes: the statements that it is compared with, best match first.
        sources: of which source each of them is.
        minimum: probability from which a statement supports the sentence, 0..1.
        figures: that the probability of support is calibrated with.

    Returns:
        The first statement that says it with the first one of another source that denies it; None where there are no such two.
    """
    if len(set(sources)) < 2:
        return None
    near = [number for number, quote in enumerate(quotes) if _near(text, quote) is not None]
    if len({sources[number] for number in near}) < 2:
        return None
    denials = {number: found for number in near if (found := _refutation(text, quotes[number])) is not None}
    for supporting in near:
        others = [number for number in denials if sources[number] != sources[supporting]]
        if not others or supporting in denials:
            continue
        if ruled_label(text, [quotes[supporting]], minimum, figures) == "supported":
            found = denials[others[0]]
            return SourceConflict(supporting, others[0], found.detail, found.claim_span, found.evidence_span)
    return None


def _near(text: str, quote: str) -> AlignedPair | None:
    """A sentence beside the statement of a quote that is on the same matter; None where none is."""
    pairs = find_pairs(read_sentence(as_matched(text)), 0, EvidenceIndex([as_matched(quote)]))
    return pairs[0] if pairs and held_share(pairs[0]) >= _SAME_MATTER else None


def _refutation(text: str, quote: str) -> Contradiction | None:
    """What a quote denies of a sentence on its own matter, of the same people."""
    pair = _near(text, quote)
    if pair is None or held_share(pair.turned()) < _SAME_STATEMENT:
        return None
    text, quote = as_matched(text), as_matched(quote)
    found = find_contradictions(text, [quote])
    if any(each.kind not in _KINDS and each.severity >= _SAME_STATEMENT for each in found):
        return None
    if foreign_subject(text, [quote], 1.0) is not None:
        return None
    return next((each for each in found if each.severity >= _REFUTES and each.evidence_span[1] > 0), None)
