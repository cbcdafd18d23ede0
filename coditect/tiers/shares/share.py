"""Shares: everything that the tiers above documents take from one document, each sentence of it read by itself.

A share is a function of Tiers 1 and 2 of its document, and the same in every corpus. What depends on several documents is made
from their shares.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from coditect.documents.profile.citations import OutwardReference, outward_references
from coditect.schemas import Chunk, Extraction
from coditect.tiers.findings.conflicts.entries import ReadEntries, read_entries
from coditect.tiers.findings.missing import tells_code, tells_term
from coditect.tiers.findings.open_points import tells_heading
from coditect.tiers.findings.required.roles import tells_role
from coditect.tiers.findings.required.unmet import tells_last, tells_often
from coditect.tiers.findings.said.statements import Statement
from coditect.tiers.findings.telling import Telling, told_by
from coditect.tiers.sections.wording import DocumentWords, document_words

__all__ = ["Share", "share_of"]


@dataclass(frozen=True, slots=True)
class Share:
    """What one document gives to the tiers above it.

    Attributes:
        entries: what its statements fix and ask.
        references: its references that name another document, in document order.
        words: those in which topics are found.
        telling: what each of its statements tells the rules of gaps.
    """

    entries: ReadEntries
    references: tuple[OutwardReference, ...]
    words: DocumentWords
    telling: tuple[Telling, ...]


def share_of(chunks: Sequence[Chunk], statements: Sequence[Statement], references: Iterable[Extraction]) -> Share:
    """The share of a document.

    Args:
        chunks: Tier 2, in document order.
        statements: their sentences, in document order.
        references: its cross-references, of Tier 1, in document order.
    """
    return Share(
        read_entries(statements),
        tuple(outward_references(references)),
        document_words(chunks),
        tuple(told_by(statements, _RULES)),
    )


_RULES = {
    Telling.CODE: tells_code,
    Telling.TERM: tells_term,
    Telling.ROLE: tells_role,
    Telling.HEADING: tells_heading,
    Telling.LAST: tells_last,
    Telling.OFTEN: tells_often,
}
