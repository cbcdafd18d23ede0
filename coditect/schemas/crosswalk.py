"""Crosswalks: requirements of a framework beside the sentences of documents that speak to them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from pydantic import Field

from coditect.schemas.decision import ItemDecision
from coditect.schemas.record import Record

__all__ = [
    "AssessedVerdict",
    "CheckedClaim",
    "ClaimVerdict",
    "ComparedFile",
    "Crosswalk",
    "CrosswalkEvidence",
    "CrosswalkLabel",
    "CrosswalkRow",
    "EarlierDecision",
    "FamilyCoverage",
    "FrameworkColumns",
    "MappingCheck",
    "ReviewedSentence",
    "SentenceAssessment",
    "rank_of",
]

CrosswalkLabel = Literal["meets", "stricter", "partly", "looser", "contradicts", "mentions", "no evidence"]
"""What a sentence, or all sentences together, say of a part of a requirement.

- ``meets``: asks or states what the requirement asks, as far as that is fixed.
- ``stricter``: meets it, and fixes a stricter bound.
- ``partly``: asks some of it; the reason names the words that nothing answers.
- ``looser``: asks it, but fixes a looser bound.
- ``contradicts``: rules it out.
- ``mentions``: speaks of the matter and does not ask it.
- ``no evidence``: none of the sentences that were compared speaks to it.
"""


AssessedVerdict = Literal["meets", "partly", "contradicts", "mentions", "nothing"]
"""What a language model says of a sentence beside a part of a requirement; ``nothing``: it is about another matter."""


class SentenceAssessment(Record):
    """What a language model said of a sentence beside a part, and what rules had said."""

    verdict: AssessedVerdict | None = Field(description="The model's own; absent where it gave none.")
    taken: bool = Field(description="Whether the label is the model's; else it is that of the rules.")
    note: str = Field(
        default="", description="Why it was not taken, or not as far as it goes; empty where nothing was held back."
    )
    reason: str = Field(default="", description="The model's, synthetic.")
    part_words: tuple[str, ...] = Field(default=(), description="Of the part, verbatim: what the model goes by.")
    sentence_words: tuple[str, ...] = Field(
        default=(), description="Of the sentence, verbatim: what the model goes by."
    )
    by: str = Field(description="The role with the version of its prompt and reader, and the model.")
    request_sha256: str = Field(description="Of the request that was answered; the answer is kept under it.")
    rules_label: CrosswalkLabel
    rules_reason: str
    rules_probability: float | None = Field(default=None, ge=0.0, le=1.0)


_MET: frozenset[CrosswalkLabel] = frozenset(("meets", "stricter"))


class CrosswalkEvidence(Record):
    """A sentence of the documents beside a part of a requirement."""

    label: CrosswalkLabel
    probability: float | None = Field(
        default=None,
        ge=0.0,
        le=1.0,
        description="Of crosswalks before requirements/14 alone: what the checker of claims gave, which is no probability that the "
        "label is right; absent since (ADR 132).",
    )
    document_probability: float | None = Field(
        default=None,
        ge=0.0,
        le=1.0,
        description="That the document speaks to the requirement at all, as people have mapped such ones; not of this sentence.",
    )
    held: float = Field(
        ge=0.0, le=1.0, description="Share of what the part says that the sentence says, too, by weight."
    )
    reason: str = Field(description="The rule or measure that decided, in words.")
    item_id: str = Field(description="Of the extraction; what 'coditect knowledge drilldown' takes.")
    document: str
    version_id: str
    locator: str = ""
    heading: str = ""
    text: str = Field(description="Verbatim.")
    composed: str = Field(default="", description="Of an item of a list: the statement that it makes with its lead-in.")
    char_start: int = Field(ge=0, description="Code points into the document's text, half-open.")
    char_end: int = Field(ge=1)
    reviewed_by: str = Field(default="", description="Who decided of the extraction by name; nobody where empty.")
    assessed: SentenceAssessment | None = Field(
        default=None,
        description="What a language model said of it; absent where none was asked, and rules decided alone.",
    )

    @property
    def is_disputed(self) -> bool:
        """Whether rules and model differ about whether the sentence meets the part."""
        if self.assessed is None or not self.assessed.taken:
            return False
        return (self.assessed.rules_label in _MET) != (self.label in _MET)

    @property
    def told_by_model(self) -> str:
        """What the model said and what became of it, in words; "" where none was asked."""
        told = self.assessed
        if told is None:
            return ""
        said = f"{told.by} says “{told.verdict or 'nothing of it'}”"
        because = f": {told.reason}" if told.reason else ""
        changed = f"; rules say “{told.rules_label}”: {told.rules_reason}" if self.label != told.rules_label else ""
        return f"{said}{because}{f'; {told.note}' if told.note else ''}{changed}"


class ReviewedSentence(Record):
    """A sentence beside a part of a requirement, as the reviewer saw it."""

    document: str = Field(description="The name of its document.")
    text: str = Field(min_length=1, description="Verbatim.")


class EarlierDecision(Record):
    """A decision on a row that was made of other words, so it counts for nothing until a person decides again."""

    decided: ItemDecision
    label: CrosswalkLabel | None = Field(default=None, description="Of a correction: the label that the person gave.")
    text: str | None = Field(default=None, description="What the requirement said then, where it says otherwise now.")
    came: tuple[ReviewedSentence, ...] = Field(default=(), description="Sentences beside it now that were not there.")
    went: tuple[ReviewedSentence, ...] = Field(default=(), description="Sentences that were there and are not now.")
    not_compared: tuple[ReviewedSentence, ...] = Field(
        default=(), description="Sentences that were there, of documents that this crosswalk was not asked for."
    )

    @property
    def is_of_other_words(self) -> bool:
        """Whether the words are others now, and not only a document was left out of the crosswalk."""
        return self.text is not None or bool(self.came or self.went)

    @property
    def remark(self) -> str:
        """Who decided what and when, and what is other than it was, in words."""
        decided = self.decided
        changes = [
            *([] if self.text is None else [f"the requirement said “{self.text}”"]),
            *_listed("came", self.came),
            *_listed("went", self.went),
            *_listed("not compared here", self.not_compared),
        ]
        what = decided.decision.replace("_", " ") + ("" if self.label is None else f" to “{self.label}”")
        only_elsewhere = bool(self.not_compared) and len(changes) == 1
        lead = (
            "decided with other documents, too"
            if only_elsewhere
            else "to be looked at again, since it was decided of other words"
        )
        said = f"{lead}: {what}, {decided.by}, {decided.at}: {decided.meaning}"
        return "; ".join([said, *changes])


def _listed(word: str, sentences: Sequence[ReviewedSentence]) -> list[str]:
    """What came or went, if anything did."""
    return [f"{word}: {', '.join(f'“{each.text}” ({each.document})' for each in sentences)}"] if sentences else []


class CrosswalkRow(Record):
    """A part of a requirement with what speaks to it; the best first."""

    requirement_id: str = Field(
        description="The id that the framework gives: ac-2; of a regulation its printed number."
    )
    part_id: str = Field(description="The id of the part: ac-2_smt.h.1; of a regulation that of the extraction.")
    family: str = Field(description="The heading above the requirement.")
    title: str
    document: str = Field(description="Name of the framework's document.")
    text: str = Field(description="Verbatim.")
    char_start: int = Field(ge=0)
    char_end: int = Field(ge=1)
    open_parameters: tuple[str, ...] = Field(default=(), description="What the framework leaves to the organisation.")
    label: CrosswalkLabel = Field(
        description="Of the rules, or of a model that read the sentences; where a person decided of the row, what that makes of it."
    )
    evidence: tuple[CrosswalkEvidence, ...] = ()
    read_as: CrosswalkLabel | None = Field(
        default=None,
        description="The label of the rules, or of the model, where a person's decision changed or holds it.",
    )
    decided: ItemDecision | None = Field(default=None, description="What a person decided of the row, if one did.")
    earlier: EarlierDecision | None = Field(
        default=None,
        description="Where no decision counts: the last one on this requirement, made of other words; to be looked at again.",
    )
    not_compared: tuple[str, ...] = Field(
        default=(),
        description="Of a decided row in a crosswalk of some documents: others that came or changed since. Where a sentence of "
        "theirs stands beside the requirement, too, the decision does not count.",
    )

    unread: str = Field(
        default="",
        description="Why no model read the row though it was asked, so that rules alone decided; empty elsewhere.",
    )

    @property
    def look_again(self) -> str:
        """Why a decision on the row is to be looked at again, or in a crosswalk of all documents, in words; "" where none is."""
        if self.earlier is not None:
            return self.earlier.remark
        if not self.not_compared:
            return ""
        return (
            f"counts unless a sentence came in what was not compared here and is newer: {', '.join(self.not_compared)}"
        )

    @property
    def against_it(self) -> tuple[str, ...]:
        """Documents that are looser than the requirement or contradict it though the row is met by another one's sentence."""
        if self.label not in _MET:
            return ()
        return tuple(dict.fromkeys(each.document for each in self.evidence if each.label in ("looser", "contradicts")))

    def label_of(self, evidence: CrosswalkEvidence) -> CrosswalkLabel:
        """What a sentence of the row counts as: what the rules say of it, and no better than what a person made of the row."""
        if self.read_as is None or _BEST_FIRST.index(evidence.label) >= _BEST_FIRST.index(self.label):
            return evidence.label
        return self.label


_BEST_FIRST: tuple[CrosswalkLabel, ...] = (
    "meets",
    "stricter",
    "partly",
    "looser",
    "contradicts",
    "mentions",
    "no evidence",
)


def rank_of(label: CrosswalkLabel) -> int:
    """How good a label is for whoever has to meet the requirement; 0 is the best."""
    return _BEST_FIRST.index(label)


class FamilyCoverage(Record):
    """How many parts of a family's requirements have which label."""

    family: str
    parts: int
    labels: dict[CrosswalkLabel, int]


class FrameworkColumns(Record):
    """Which columns of a table the requirements were taken from."""

    document: str = Field(description="The name of the framework's document.")
    columns: str = Field(
        description="As --columns takes it: id=HEAD,statement=HEAD and, where there are, title and family; empty of a table that "
        "was left out, as no column of it could be told."
    )
    guessed: bool = Field(description="Whether they were guessed from the heads; else a person named them.")
    left_out: tuple[str, ...] = Field(
        default=(),
        description="First rows of the document's sheets that hold no such columns and were not read; on its first entry.",
    )

    @property
    def remark(self) -> str:
        """The columns in words."""
        if not self.columns:
            heads = "; ".join(f"“{each}”" for each in self.left_out)
            why = "no columns of requirements can be told from its heads" if self.guessed else "it has no such columns"
            told = f": {heads}" if heads else ""
            return f"{self.document} was left out, since {why}{told}. Name them with --columns where it is a framework."
        how = "guessed from the heads; name others with --columns" if self.guessed else "as named"
        return f"columns of {self.document}, {how}: {self.columns}.{self.remark_on_sheets}"

    @property
    def remark_on_sheets(self) -> str:
        """The sheets that were left out in words, behind another sentence; "" where none was."""
        left = "; ".join(f"“{each}”" for each in self.left_out)
        return f" Left out, since they have no such columns: the sheets that begin {left}." if left else ""


class ComparedFile(Record):
    """The file of a document that a crosswalk read."""

    name: str = Field(description="Path relative to the folder that was ingested, with '/' between its parts.")
    media_type: str
    raw_sha256: str = Field(description="SHA-256 of the file, in hexadecimal digits.")


class Crosswalk(Record):
    """The rows of a crosswalk with what they were made from."""

    framework_corpus: str
    framework_generation: int
    corpus_id: str
    generation: int
    method: str = Field(description="Version of the rules that decided.")
    assessor: str = Field(
        default="",
        description="The role and the model that read what rules called met, or nearly; empty: rules alone decided.",
    )
    columns: tuple[FrameworkColumns, ...] = Field(
        default=(), description="What tables of the framework were read by; empty where it has none."
    )
    superseded: tuple[str, ...] = Field(
        default=(),
        description="Names of documents that were not compared, since another edition took their place; named ones are.",
    )
    framework_files: tuple[ComparedFile, ...] = Field(
        default=(),
        description="Files that the requirements stand in, by name; empty in crosswalks of earlier releases.",
    )
    files: tuple[ComparedFile, ...] = Field(
        default=(),
        description="Files of the documents that were compared, by name; empty in crosswalks of earlier releases.",
    )
    coverage: tuple[FamilyCoverage, ...]
    rows: tuple[CrosswalkRow, ...]
    orphans: tuple[str, ...] = Field(description="Ids of binding statements that answer no part of a requirement.")


ClaimVerdict = Literal["supported", "partly", "mentioned", "contradicted", "no evidence", "cannot be checked"]
"""What the documents' own words say of a published mapping.

- ``supported``: a sentence of the document meets a part of the requirement, or is stricter.
- ``partly``: a sentence asks some of it, or fixes a looser bound.
- ``mentioned``: a sentence speaks of the matter, and none asks it.
- ``contradicted``: a sentence rules it out, and none asks it.
- ``no evidence``: no sentence of the document speaks to the requirement.
- ``cannot be checked``: the requirement or the document is not here; the reason says which.
"""


class CheckedClaim(Record):
    """A line of a published mapping with what the documents say of it."""

    document: str = Field(description="As the mapping names it.")
    requirement: str = Field(description="As the mapping names it.")
    relationship: str = Field(default="", description="What the mapping says that the two have in common, if it does.")
    verdict: ClaimVerdict
    reason: str
    found_document: str = Field(default="", description="Name of the document in the corpus.")
    requirement_id: str = Field(default="", description="The id that the framework gives.")
    parts: int = Field(default=0, ge=0, description="Parts of the requirement.")
    parts_spoken_to: int = Field(
        default=0, ge=0, description="Of these, parts to which a sentence of the document speaks."
    )
    document_probability: float | None = Field(
        default=None,
        ge=0.0,
        le=1.0,
        description="That the document speaks to the requirement, as people have mapped such ones.",
    )
    rank: int | None = Field(
        default=None, ge=1, description="Of the requirement among all of the framework, by nearness to the document."
    )
    part_id: str = Field(default="", description="The part that the evidence speaks to.")
    part_text: str = Field(default="", description="Verbatim.")
    part_start: int = Field(default=0, ge=0, description="Code points into the framework's text, half-open.")
    part_end: int = Field(default=0, ge=0)
    evidence: CrosswalkEvidence | None = Field(default=None, description="The sentence that says most.")


class MappingCheck(Record):
    """A published mapping, claim by claim, with verdicts and evidence."""

    source: str = Field(description="Name of the file.")
    framework_corpus: str
    framework_generation: int
    corpus_id: str
    generation: int
    method: str
    verdicts: dict[ClaimVerdict, int] = Field(description="How many claims have which verdict.")
    claims: tuple[CheckedClaim, ...] = Field(description="In the order of the file.")
