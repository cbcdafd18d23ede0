"""Texts that were checked, and files that could not be: what all faces of a gateway show."""

from __future__ import annotations

from dataclasses import dataclass

from coditect.schemas import CheckedSentence, TextEvidence, TextLabel, TextReport, hint_of, quoted_by_model

__all__ = ["FAILING", "CheckedFile", "against", "message_of"]

FAILING: dict[str, frozenset[TextLabel]] = {
    "needs_review": frozenset(("unsupported", "sources_disagree", "needs_review")),
    "unsupported": frozenset(("unsupported", "sources_disagree")),
}
"""Labels that fail a check, by the mildest of them."""


@dataclass(frozen=True, slots=True)
class CheckedFile:
    """A file of those that were given.

    Attributes:
        name: its path as it was given, '/' between parts.
        content: its bytes; empty where it could not be read.
        report: what the checker says; None where it could not be read.
        error: why it could not be read, and the way out.
    """

    name: str
    content: bytes
    report: TextReport | None
    error: str = ""


def message_of(sentence: CheckedSentence) -> str:
    """Why a sentence fails, in words, with the statement that it was compared with and its place."""
    reason = sentence.reason or (sentence.label or "").replace("_", " ")
    if hint := hint_of(sentence.signals):
        reason = f"{reason}\n\nTo help decide: {hint}"
    shown = against(sentence)
    if shown is None:
        return f"{reason}\n\nThe corpus holds nothing that speaks to it."
    return f"{reason}\n\nThe corpus says: “{' '.join(shown.text.split())}” ({place_of(shown)})"


def against(sentence: CheckedSentence) -> TextEvidence | None:
    """The statement of the corpus that a sentence is held against."""
    if not sentence.evidence:
        return None
    if sentence.disagreement is not None:
        return sentence.evidence[sentence.disagreement.refuting]
    failed = [span.quote for signal in sentence.signals if not signal.passed for span in signal.evidence]
    quotes = [*quoted_by_model(sentence), *failed]
    return sentence.evidence[quotes[0] if quotes else 0]


def place_of(evidence: TextEvidence) -> str:
    """Document, heading and characters."""
    page = f", page {evidence.page}" if evidence.page else ""
    heading = f", {evidence.heading}" if evidence.heading else ""
    return f"{evidence.document_name}{heading}{page}, characters {evidence.char_start} to {evidence.char_end}"
