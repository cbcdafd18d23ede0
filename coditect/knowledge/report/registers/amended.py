"""What amendments replace in explicit words, told at the statements of a register (ADR 145, 153)."""

from __future__ import annotations

from functools import cached_property

from coditect.documents.profile.agreements.amending import Replacement, is_in_clause, read_replacements, reworded
from coditect.knowledge.review.amendments import amendments_of, contracts_of
from coditect.schemas import DocumentVersion, Extraction
from coditect.store.view import View

__all__ = ["AmendedStatements"]


class AmendedStatements:
    """The agreements of a generation that others amend, and what these replace; read once, and only where one is amended."""

    def __init__(self, view: View) -> None:
        self._view = view
        self._read: dict[str, tuple[Replacement, ...]] = {}

    def told(self, statement: Extraction) -> str:
        """By what a statement is replaced, or of an amendment in whose place it stands; "" for neither."""
        if words := self._replaced(statement)[0]:
            return words
        base = self._bases.get(statement.document_id)
        if base is None:
            return ""
        amendment = self._view.documents[statement.document_id]
        for each in self._replacements(amendment):
            if each.start < statement.char_offset_end and statement.char_offset_start < each.end:
                return f"in the place of {each.clause} of “{base.name}”"
        return ""

    def is_restated(self, statement: Extraction) -> bool:
        """Whether an amendment restates the whole clause of a statement, so that nothing of it is in force any more."""
        return self._replaced(statement)[1]

    def _replaced(self, statement: Extraction) -> tuple[str, bool]:
        """By what a statement is replaced, by the last amendment that does, and whether its whole clause is."""
        told, whole = "", False
        if not statement.locator:
            return told, whole
        for amendment in self._amendments.get(statement.document_id, ()):
            for each in self._replacements(amendment):
                if is_in_clause(statement.locator, each.clause) and (
                    not each.old or reworded(statement.source_text, each)
                ):
                    words = " ".join(self._view.text_of(amendment)[each.start : each.end].split())
                    told, whole = f"replaced by “{amendment.name}”: {words}", whole or not each.old
        return told, whole

    def _replacements(self, amendment: DocumentVersion) -> tuple[Replacement, ...]:
        if amendment.document_id not in self._read:
            self._read[amendment.document_id] = tuple(read_replacements(self._view.text_of(amendment)))
        return self._read[amendment.document_id]

    @cached_property
    def _amendments(self) -> dict[str, tuple[DocumentVersion, ...]]:
        view = self._view
        return amendments_of(view, (view.documents[each] for each in sorted(contracts_of(view))))

    @cached_property
    def _bases(self) -> dict[str, DocumentVersion]:
        """By its id the agreement that an amendment amends."""
        return {
            amendment.document_id: self._view.documents[base]
            for base, amendments in self._amendments.items()
            for amendment in amendments
        }
