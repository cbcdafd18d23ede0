"""Changes: what differs between two versions of a document, provision by provision, and what rests on it."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from coditect.schemas.record import Record

__all__ = [
    "AffectedItem",
    "AffectedKind",
    "CarriedProvision",
    "ChangeKind",
    "ChangedSide",
    "ChangedWords",
    "CorpusChanges",
    "DocumentChanges",
    "DutyChange",
    "DutyClass",
    "DutyField",
    "DutyHistory",
    "DutyPoint",
    "DutyVerdict",
    "NamedBy",
    "ProvisionChange",
    "TracedChange",
]

ChangeKind = Literal["added", "removed", "amended", "moved", "renumbered", "wording"]
"""What happened to a provision.

- ``amended``: its words differ; ``wording``: only in case, marks, spelling of function words and the like.
- ``moved``: the same words under another provision; ``renumbered``: the same words, in the same place, with another number.
"""

DutyVerdict = Literal["changed", "same", "none"]
"""Whether what is asked or allowed differs as it is read; ``none`` where neither side asks or allows anything."""

DutyField = Literal[
    "duty",
    "modality",
    "actor",
    "action",
    "object",
    "deadline",
    "frequency",
    "duration",
    "amount",
    "condition",
    "exception",
    "definition",
]

DutyClass = Literal["added", "stricter", "changed", "looser", "removed", "moved"]
"""What became of a duty: of what is asked, allowed or defined.

- ``stricter``: whoever keeps it now has kept it as it was, as far as its fields say; ``looser``: the other way round.
- ``changed``: it differs in another way. ``moved``: the same words in another place, or under another number.
"""

AffectedKind = Literal["decision", "claim", "reference", "statement"]
"""What rests on a changed provision: what a person signed, a published claim, a sentence that cites it, one that says the same."""


class DutyChange(Record):
    """A field of a duty that differs as it was read; both sides in the documents' own words, "" where one says nothing."""

    field: DutyField
    before: str = ""
    after: str = ""


class ChangedWords(Record):
    """Words that were replaced, in their order; "" where there were or are none."""

    before: str = ""
    after: str = ""


class ChangedSide(Record):
    """A provision in one of the versions."""

    version_id: str
    place: str = Field(
        default="", description="The path of printed numbers that a person would cite, or the format's own id."
    )
    cited: str = Field(
        default="", description="Where the place is the format's own id: the path that a person would cite."
    )
    heading: str = Field(default="", description="Of the section around it.")
    text: str = Field(description="Verbatim, in the canonical text of the version.")
    char_start: int = Field(ge=0, description="First code point.")
    char_end: int = Field(ge=1, description="One past the last.")
    page: int | None = Field(default=None, ge=1, description="Where the file has pages.")
    extraction_ids: tuple[str, ...] = Field(default=(), description="Tier 1 of that version inside of it.")

    @property
    def named(self) -> str:
        """Its place as people are told it: as it is cited, and by the format's own id where it has one; "" of no number."""
        return f"{self.cited} [{self.place}]" if self.cited else self.place


class CarriedProvision(Record):
    """A provision with the same words whose place changed because that of one above it did."""

    before: str = Field(description="Its place in the earlier version.")
    after: str = Field(description="In the later one.")
    extraction_ids: tuple[str, ...] = Field(default=(), description="Tier 1 of the later version inside of it.")


class ProvisionChange(Record):
    """What happened to one provision."""

    number: int = Field(ge=1, description="In this list; works lists refer to it.")
    kind: ChangeKind
    duty: DutyVerdict = "none"
    before: ChangedSide | None = Field(default=None, description="Absent for what was added.")
    after: ChangedSide | None = Field(default=None, description="Absent for what was removed.")
    words: tuple[ChangedWords, ...] = ()
    fields: tuple[DutyChange, ...] = Field(default=(), description="What of the duty differs.")
    carried: tuple[CarriedProvision, ...] = Field(
        default=(), description="Provisions below it, with the same words, that moved or were renumbered with it."
    )
    weight: float = Field(
        default=0.0, ge=0.0, description="How much the duty changed; 0 for none. For the order of a list."
    )
    duties: dict[DutyClass, int] = Field(
        default_factory=dict, description="What became of the duties in it, as they are read; only what happened."
    )


class DocumentChanges(Record):
    """What happened to one document."""

    document: str = Field(description="Its name in the later version; of a removed one, in the earlier.")
    former: str = Field(default="", description="Its name in the earlier version, where it differs.")
    status: Literal["added", "removed", "changed"]
    unchanged: int = Field(default=0, ge=0, description="Provisions that are as they were.")
    changes: tuple[ProvisionChange, ...] = ()
    duties: dict[DutyClass, int] = Field(
        default_factory=dict,
        description="What became of its duties; of a document that was added or removed, all that it has or had.",
    )


NamedBy = Literal["rule", "words", "model"]
"""Who put a line on the work list.

- ``rule``: it was signed, quotes or cites what changed. ``words``: of all provisions it comes nearest to one that changed.
- ``model``: a language model read both and quoted them.
"""


class TracedChange(Record):
    """What a language model says of a statement beside a change, by words of both that were looked up."""

    change: int = Field(ge=1, description="Number of the change.")
    statement_words: str = Field(description="Verbatim from the statement.")
    before_words: str = Field(description="Verbatim from the provision as it was.")
    reason: str = Field(default="", description="The model's; synthetic, never cited.")
    request_sha256: str = Field(description="Of the request that was answered.")


class AffectedItem(Record):
    """A line of the work list: what rests on something that changed, and is to be looked at again."""

    kind: AffectedKind
    item_id: str
    document: str = Field(default="", description="Where it stands; of a claim, the documents that it cites.")
    place: str = ""
    text: str = Field(description="Verbatim; of a claim, its sentence.")
    owner: str = Field(default="", description="Who signed it, or who owns the document, as far as it says.")
    changed_document: str = Field(description="What it rests on.")
    changes: tuple[int, ...] = Field(description="Numbers of the changes that it rests on, the heaviest first.")
    reason: str = Field(description="Why it is listed, in words.")
    weight: float = Field(ge=0.0, description="Of the heaviest change.")
    named_by: tuple[NamedBy, ...] = Field(default=(), description="Who put it on the list.")
    traced: tuple[TracedChange, ...] = Field(
        default=(), description="What a language model says of it, where one read it."
    )


class CorpusChanges(Record):
    """What differs between two states of a corpus."""

    corpus_id: str
    before: int = Field(
        ge=0, description="Generation; of two documents held against each other, the one that holds both."
    )
    after: int = Field(ge=0)
    documents: tuple[DocumentChanges, ...] = ()
    unchanged_documents: int = Field(default=0, ge=0)
    erased_documents: int = Field(
        default=0, ge=0, description="Documents of either state that were erased since: no figure here counts them."
    )
    affected: tuple[AffectedItem, ...] = ()
    tracer: str = Field(
        default="", description="The language model that read for the work list: version of the role, and model."
    )
    set_aside: tuple[AffectedItem, ...] = Field(
        default=(), description="Statements that words alone would name, and that the model read and did not."
    )
    unread: tuple[str, ...] = Field(
        default=(), description="What the model was asked and did not answer; there the list is that of words alone."
    )


class DutyPoint(Record):
    """A date in the history of duties: what became of them from the state before to this one."""

    at: str = Field(
        description="When: of a generation the time of its build, of an edition the day from which it binds; or empty."
    )
    state: str = Field(description="The generation's number, or the name of the edition.")
    former: str = Field(description="The same of the state before.")
    duties: dict[DutyClass, int] = Field(default_factory=dict, description="How many duties, by what became of them.")
    documents: tuple[DocumentChanges, ...] = Field(
        default=(), description="The documents that differ, without their changes one by one."
    )


class DutyHistory(Record):
    """How the duties of a corpus, or of the editions of a document, changed over time."""

    corpus_id: str
    first: str = Field(description="The state that it begins with, which is compared with none.")
    last: str = Field(description="The state that it ends with.")
    points: tuple[DutyPoint, ...] = Field(default=(), description="The oldest first.")
    erased_documents: int = Field(
        default=0, ge=0, description="Documents of these states that were erased since: no figure here counts them."
    )
