"""A text beside its evidence, compared once: what contradicts it, how much supports it, and what both readings measure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from coditect.schemas import Signal, VerdictLabel
from coditect.verify.alignment.evidence import EvidenceIndex
from coditect.verify.contradictions.rules import Contradiction, find_contradictions
from coditect.verify.learned.measures import measure_claim
from coditect.verify.staged.calibration import SERIOUS
from coditect.verify.staged.subject import foreign_subject
from coditect.verify.support.assessment import Support, support
from coditect.verify.support.meaning import Meaning

__all__ = ["GRAVE", "HARD", "REFUTED", "Comparison", "compare"]

HARD = 1.0
"""Severity from which a contradiction refutes a claim by itself."""

REFUTED = 0.3
"""Probability below which a claim counts as not supported; between this and the published threshold a person decides."""

GRAVE = 0.7
"""Severity from which a contradiction refutes a claim that is not probable."""

_ABSENT = 0.5
"""Share of what a claim says without whose counterparts the evidence is about something else."""

_DIFFERENCES = (
    "strange", "left", "negated", "affirmed", "force_other", "force_lost", "conditions_added", "conditions_turned",
    "quantifiers_added", "quantifiers_lost", "only_lost", "comparators_apart", "orders_apart", "joined_otherwise",
)  # fmt: skip
"""Measures of which none may speak against a text for it to be its evidence told again."""


@dataclass(frozen=True)
class Comparison:
    """What both stages found of a text that can be read, or why the evidence cannot be compared with it.

    Attributes:
        text: as it is matched.
        index: the evidence.
        found: what contradicts the text.
        supported: what the statistics say of it.
        foreign: the signal of a subject with somebody else's predicate, or None.
    """

    text: str
    index: EvidenceIndex
    found: tuple[Contradiction, ...]
    supported: Support
    foreign: Signal | None

    @property
    def worst(self) -> float:
        """Severity of the worst contradiction, 0..1."""
        return max((*(each.severity for each in self.found), SERIOUS if self.foreign else 0.0))

    @cached_property
    def measures(self) -> dict[str, float]:
        """What the classifier of readings looks at; only of a text that can be read."""
        return measure_claim(self.text, self.index, self.found, self.supported, foreign=self.foreign is not None)

    @property
    def is_restated(self) -> bool:
        """Whether the text is a statement of the evidence: word for word, or so that no word of either side lacks a counterpart,
        none stands elsewhere, and none of the small words that decide differs.
        """
        if self.found or self.foreign is not None:
            return False
        own = " ".join(self.text.casefold().split())
        if any(own == " ".join(each.reading.text.casefold().split()) for each in self.index.sentences):
            return True
        return not any(self.measures[name] for name in _DIFFERENCES)

    def is_open_for_words(self, share: float) -> bool:
        """Whether nothing at all speaks against the text, and of each of its sentences so much has a counterpart.

        Args:
            share: of what a sentence says, 0..1.
        """
        return self.worst == 0.0 and self.supported.features["held_least"] >= share

    def label(self, score: float, minimum: float) -> VerdictLabel:
        """What the rules make of a score: a serious contradiction refutes by itself, or together with little support; so does
        sheer absence.

        Args:
            score: probability of support, capped by what contradicts the text, 0..1.
            minimum: probability from which it is supported, 0..1.
        """
        absent = self.supported.features["held"] < _ABSENT
        if self.worst >= HARD or (score <= min(REFUTED, minimum) and (self.worst >= GRAVE or absent)):
            return "unsupported"
        return "needs_review" if self.worst >= SERIOUS or score < minimum else "supported"


def compare(text: str, quotes: Sequence[str], offset: int = 0, meaning: Meaning | None = None) -> Comparison:
    """Compare a text with quotes, by rules and by statistics.

    Args:
        text: one or a few sentences, as they are matched.
        quotes: the evidence, as it is matched.
        offset: where the text begins in its claim; only the signal of a foreign subject counts from there.
        meaning: an embedder with its weights; without one only words are compared.
    """
    index = EvidenceIndex(quotes)
    found = find_contradictions(text, index)
    supported = support(text, index, meaning=meaning, contradictions=found)
    return Comparison(text, index, found, supported, foreign_subject(text, quotes, SERIOUS, offset))
