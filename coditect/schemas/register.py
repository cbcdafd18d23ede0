"""Registers: one row for each thing that documents say, with the place where it stands."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from coditect.schemas.claim import Severity
from coditect.schemas.decision import Decision
from coditect.schemas.profile import DocumentRole
from coditect.schemas.record import Record
from coditect.schemas.tier1.data import ExtractionKind

__all__ = ["RegisterKind", "RegisterRow"]

RegisterKind = ExtractionKind | Literal["claim", "possible"]
"""What a row tells: a statement of Tier 1, a published claim of Tier 4, or a conflict or gap that is only possible."""


class RegisterRow(Record):
    """One statement of a document, or one claim, as a line of a register. Empty and absent fields say nothing."""

    item_id: str = Field(description="What 'coditect knowledge drilldown' takes.")
    kind: RegisterKind
    document: str = Field(default="", description="Name in the corpus; of a claim, the documents that it cites.")
    role: DocumentRole | None = Field(default=None, description="With which force the document speaks.")
    standing: str = Field(
        default="",
        description="Superseded, expired, not yet in force, past its review: on the day that was asked. Of what is only possible: "
        "why it is not published.",
    )
    proposed: str = Field(
        default="",
        description="Words of it that a tracked change inserted and nobody accepted, with who did so and when, as the file says.",
    )
    amended: str = Field(
        default="",
        description="Of a statement of an agreement that an amendment replaces in explicit words: by which words of which "
        "document. Of an amendment: in the place of which clause its words stand.",
    )
    locator: str = Field(
        default="", description="The whole path of printed numbers that a person would cite: 4.5.1(1)(a)(ii)."
    )
    heading: str = Field(default="", description="Of the section that it stands in; of a claim, its topic.")
    page: int | None = Field(default=None, ge=1, description="Where the file has pages.")
    force: str = Field(
        default="", description="mandatory, recommended, optional or prohibited; nothing for what binds nobody."
    )
    modality: str = Field(
        default="", description="The binding words: shall, must, may not; 'present' where the tense alone binds."
    )
    actor: str = Field(default="", description="Whom the text names as acting.")
    action: str = Field(default="", description="What is done.")
    object: str = Field(default="", description="What is acted upon, or has to be so.")
    deadline: str = Field(default="", description="By when, as printed; of several limits all, in order.")
    deadline_hours: float | None = Field(default=None, description="The first of them that is a time, in hours.")
    deadline_in_working_days: bool = Field(
        default=False,
        description="Whether that time is one of business or working days, each counted as 24 hours without the weekends between.",
    )
    due: str = Field(default="", description="A calendar date by which it is due, ISO 8601.")
    trigger: str = Field(default="", description="What the deadline is counted from.")
    frequency: str = Field(default="", description="How often, as printed.")
    per_year: float | None = Field(default=None, description="Times a year.")
    duration: str = Field(default="", description="For how long, as printed.")
    conditions: tuple[str, ...] = ()
    exceptions: tuple[str, ...] = ()
    term: str = Field(default="", description="Of a definition: what is defined; of a reference: what is referred to.")
    meaning: str = Field(
        default="",
        description="Of a definition: the words that define; empty where they say only what the term leaves out.",
    )
    excludes: str = Field(
        default="",
        description='Of a definition that says only what the term leaves out ("does not include"): these words.',
    )
    defined_by: str = Field(
        default="",
        description="Of a definition: how its words define: meaning, inclusion, exclusion, or another form.",
    )
    severity: Severity | None = Field(default=None, description="Of a claim.")
    text: str = Field(description="Verbatim; of a claim, its sentence.")
    char_start: int | None = Field(
        default=None, description="Code points into the document's text; absent for a claim."
    )
    char_end: int | None = None
    confidence: float | None = None
    decision: Decision | None = Field(default=None, description="What a person decided of it.")
    decided_by: str = ""
    read_by: str = Field(
        default="", description="Which role and model read it, where its reading stands in the place of the rules'."
    )

    @property
    def duty(self) -> str:
        """Who does what, or what is to be done with what, for people: the words are the text's own, put side by side."""
        passive = bool(self.object) and self.action.startswith("be ")
        head = self.object if passive or not self.actor else self.actor
        tail = (
            f" by {self.actor}"
            if passive and self.actor and self.actor.casefold() not in self.action.casefold()
            else ""
        )
        return " ".join(": ".join(each for each in (head, self.action + tail) if each).split())
