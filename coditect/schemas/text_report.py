"""What the checker says of somebody else's text, sentence by sentence, against a corpus."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from pydantic import Field

from coditect.schemas.record import Record
from coditect.schemas.verdict import Opinion, Signal, VerdictLabel

__all__ = [
    "CheckedSentence",
    "Disagreement",
    "Examination",
    "ExaminerReads",
    "TextEvidence",
    "TextLabel",
    "TextReport",
    "quoted_by_model",
]

TextLabel = Literal["supported", "unsupported", "needs_review", "sources_disagree"]
"""What is said of a sentence against a corpus. Sources disagree where one of its documents says it and another denies it."""


ExaminerReads = Literal["waiting", "all"]
"""What a language model reads: sentences that wait for a person, or those that the checker settles as well."""

_COUNTED: tuple[TextLabel, ...] = ("supported", "needs_review", "sources_disagree", "unsupported")


class TextEvidence(Record):
    """A statement of the corpus that a sentence was compared with, and where it stands."""

    item_id: str = Field(description="Of the Tier 1 item; 'drilldown' shows its chain.")
    document_id: str
    document_name: str
    version_id: str
    raw_sha256: str = Field(description="Of the file.")
    char_start: int = Field(ge=0, description="Code points into the document's canonical text, half-open.")
    char_end: int = Field(ge=1)
    page: int | None = Field(default=None, description="Physical page, where the format has pages.")
    heading: str = ""
    text: str = Field(description="Verbatim.")
    composed: str = Field(
        default="",
        description="Of an item of a list: the statement that it is a part of, its lead-in, itself and what follows the list; "
        "each piece verbatim. It is what the sentence was compared with, and what spans count in.",
    )
    locator: str = Field(default="", description="The path of printed numbers that a person would cite.")


class Disagreement(Record):
    """Two statements of different documents: one says what a sentence says, the other denies it."""

    supporting: int = Field(ge=0, description="The one that says it: its place in ``evidence``.")
    refuting: int = Field(ge=0, description="The one that denies it: its place in ``evidence``.")
    detail: str = Field(description="What the sentence and the one that denies it differ in.")


class Examination(Record):
    """What a language model was asked about a sentence, and what became of that."""

    request_sha256: str = Field(description="Of the request: the store keeps the answer under it.")
    answer_id: str = Field(default="", description="The service's id of the answer; empty where there is none.")
    said: Literal["supported", "contradicted", "not_stated", "unclear"] | None = Field(
        default=None, description="The model's own verdict; absent where it did not answer."
    )
    held_back: str = Field(
        default="", description="Why its verdict does not count, or why there is none; empty where it counts."
    )


class CheckedSentence(Record):
    """A sentence with its verdict. The label is absent where it claims nothing: a heading, a question."""

    text: str
    char_start: int = Field(ge=0, description="Code points into the report's text, half-open.")
    char_end: int = Field(ge=0)
    label: TextLabel | None = None
    support_score: float = Field(
        ge=0.0, le=1.0, description="The calibrated probability that the evidence supports all of the sentence."
    )
    reason: str = Field(default="", description="Why it is not supported, in words.")
    signals: tuple[Signal, ...] = Field(
        default=(), description="Spans count from the sentence's beginning; quotes are the places in ``evidence``."
    )
    evidence: tuple[TextEvidence, ...] = Field(default=(), description="What it was compared with, best match first.")
    checker_label: VerdictLabel | None = Field(default=None, description="The checker's own, where a judge was heard.")
    opinions: tuple[Opinion, ...] = ()
    disagreement: Disagreement | None = Field(
        default=None, description="Where the label is sources_disagree: which statements do."
    )
    examination: Examination | None = Field(default=None, description="Where a language model was asked about it.")


def quoted_by_model(sentence: CheckedSentence) -> Iterator[int]:
    """The places in ``evidence`` of what a language model quotes, where its word is the sentence's label."""
    for each in sentence.opinions:
        if each.judge == "model" and each.label == sentence.label:
            yield from (span.quote for span in each.quotes)


class TextReport(Record):
    """A text checked against one generation of a corpus. Only what the corpus says counts, not what is true."""

    format: Literal["text-report/1", "text-report/2", "text-report/3"] = Field(
        default="text-report/3",
        description="Version 1 knows neither sources_disagree nor composed statements, version 2 no language model.",
    )
    corpus_id: str
    generation: int = Field(ge=1)
    build_id: str
    name: str = Field(description="Of the file; empty for a claim.")
    text: str = Field(description="As it was read: what the sentences' offsets count in.")
    label: TextLabel = Field(description="Of the worst sentence; needs_review where no sentence claims anything.")
    minimum_support: float = Field(ge=0.0, le=1.0, description="Probability from which a sentence is supported.")
    checker: str
    weights_version: str
    weights_sha256: str
    examiner: str = Field(
        default="", description="Version of the role and model that read what waits for a person; empty where none did."
    )
    reads: ExaminerReads = Field(
        default="waiting", description="What it read: sentences that wait for a person, or those that are settled, too."
    )
    sentences: tuple[CheckedSentence, ...]

    @property
    def unanswered(self) -> int:
        """Sentences about which a language model was asked in vain."""
        return sum(each.examination is not None and each.examination.said is None for each in self.sentences)

    def counts(self) -> dict[str, int]:
        """Sentences by label, those that claim nothing as "no claim"."""
        labels: list[str] = [sentence.label or "no claim" for sentence in self.sentences]
        return {name: labels.count(name) for name in (*_COUNTED, "no claim")}
