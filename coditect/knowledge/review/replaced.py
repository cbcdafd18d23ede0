"""Statements of agreements that an amendment replaces in explicit words: they are not in force any more (ADR 145)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import get_args

from coditect.documents.profile.agreements.amending import Replacement, is_in_clause, read_replacements, reworded
from coditect.knowledge.review.amendments import amendments_of, contracts_of
from coditect.schemas import DocumentVersion, Extraction, ExtractionKind, SupportFigures, TextEvidence
from coditect.schemas.tier1.data import SPAN_KINDS
from coditect.store.view import View
from coditect.verify.staged.stages import assess
from coditect.verify.support.meaning import Meaning

__all__ = ["Replaced", "ReplacedStatement", "Settled", "settle"]

_STATING: frozenset[ExtractionKind] = frozenset(get_args(ExtractionKind)) - SPAN_KINDS


@dataclass(frozen=True, slots=True)
class ReplacedStatement:
    """A statement that an amendment replaces.

    Attributes:
        statement: as the agreement was first signed.
        amending: the words of the amendment that replace it, or words in it.
        reworded: the statement with the words replaced, only to tell what a sentence speaks of; "" where the clause is restated.
    """

    statement: TextEvidence
    amending: TextEvidence
    reworded: str

    @property
    def as_signed(self) -> str:
        """The statement as the checker reads it."""
        return self.statement.composed or self.statement.text

    @property
    def told(self) -> str:
        """By what it is replaced, in words for people."""
        return f"replaced by “{self.amending.document_name}”: “{' '.join(self.amending.text.split())}”"


@dataclass(frozen=True, slots=True)
class Settled:
    """What replaced statements have to say to a sentence.

    Attributes:
        standing: those that say it whatever was replaced in them: its words are others.
        former: the first that says it only as it was first signed.
        amended: the first that says it only with the words replaced.
    """

    standing: tuple[TextEvidence, ...] = ()
    former: ReplacedStatement | None = None
    amended: ReplacedStatement | None = None


def settle(
    text: str,
    replaced: Sequence[ReplacedStatement],
    minimum: float,
    figures: SupportFigures,
    meaning: Meaning | None,
) -> Settled:
    """What replaced statements say of a sentence.

    Args:
        text: the sentence.
        replaced: the statements, best match first.
        minimum: probability from which a statement supports it, 0..1.
        figures: that the probability of support is calibrated with.
        meaning: an embedder with its weights; without one only words are compared.
    """

    def says(statement: str) -> bool:
        found = assess(text, [statement], minimum, figures=figures, meaning=meaning)
        return found.label == "supported"

    told = [(each, says(each.as_signed), bool(each.reworded) and says(each.reworded)) for each in replaced]
    return Settled(
        tuple(each.statement for each, before, after in told if before and after),
        next((each for each, before, after in told if before and not after), None),
        next((each for each, before, after in told if after and not before), None),
    )


class Replaced:
    """What amendments replace in the agreements of a generation; read once, and only where an agreement is amended."""

    def __init__(self, view: View, as_evidence: Callable[[Extraction], TextEvidence]) -> None:
        """Of one generation.

        Args:
            view: the generation.
            as_evidence: an item as the checker reads it.
        """
        self._view = view
        self._as_evidence = as_evidence
        self._read: dict[str, tuple[tuple[Replacement, TextEvidence], ...]] = {}

    def of(self, evidence: TextEvidence) -> ReplacedStatement | None:
        """What replaces a statement, by the last amendment that does; None where it stands as it was signed."""
        if not evidence.locator:
            return None
        found = None
        for amendment in self._amendments.get(evidence.document_id, ()):
            for replacement, amending in self._replacements(amendment):
                if is_in_clause(evidence.locator, replacement.clause):
                    words = reworded(evidence.composed or evidence.text, replacement)
                    if words or not replacement.old:
                        found = ReplacedStatement(evidence, amending, words)
        return found

    @cached_property
    def _amendments(self) -> dict[str, tuple[DocumentVersion, ...]]:
        view = self._view
        return amendments_of(view, (view.documents[each] for each in sorted(contracts_of(view))))

    def _replacements(self, amendment: DocumentVersion) -> tuple[tuple[Replacement, TextEvidence], ...]:
        """What an amendment replaces, each with the item that says so."""
        if amendment.document_id not in self._read:
            replacements = list(read_replacements(self._view.text_of(amendment)))
            items = list(self._view.each_extraction_of(amendment.document_id, _STATING)) if replacements else []
            told = ((each, _told(each, items)) for each in replacements)
            self._read[amendment.document_id] = tuple(
                (each, self._as_evidence(said)) for each, said in told if said is not None
            )
        return self._read[amendment.document_id]


def _told(replacement: Replacement, items: Sequence[Extraction]) -> Extraction | None:
    """The item of an amendment in which a replacement begins, the longest first; else the first that it holds."""
    start, end = replacement.start, replacement.end
    beginning = [each for each in items if each.char_offset_start <= start < each.char_offset_end]
    within = [each for each in items if start <= each.char_offset_start < end]
    chosen = sorted(beginning, key=lambda each: each.char_offset_start - each.char_offset_end) or within
    return chosen[0] if chosen else None
