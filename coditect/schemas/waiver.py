"""The register of exceptions: who is excused from which provision, by whom, on which condition, and until when."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from coditect.schemas.record import Record

__all__ = ["WaiverDecision", "WaiverEndBasis", "WaiverKind", "WaiverRow", "WaiverStatus", "WaiverTarget"]

WaiverKind = Literal["exception", "waiver", "exemption", "dispensation", "risk acceptance", "compensating control"]
"""What the text calls it; deviations, derogations and concessions are exceptions, forbearance a waiver, relief an exemption."""

WaiverDecision = Literal["granted", "requested", "refused", "withdrawn", "rule"]
"""What became of it. A rule excuses nobody: it says how long exceptions hold, or who grants them."""

WaiverStatus = Literal[
    "in force",
    "ends soon",
    "open-ended",
    "no end found",
    "not yet in force",
    "expired",
    "requested",
    "refused",
    "withdrawn",
    "rule",
]
"""How it stands on the day that is asked. Open-ended: the text says so; no end found: it says nothing that was read as an end."""

WaiverEndBasis = Literal["", "stated", "computed"]
"""Whether the last day is printed, or counted from the day from which it holds; "": none is known."""


class WaiverTarget(Record):
    """A sentence of the corpus that somebody is excused from."""

    item_id: str = Field(description="For 'coditect knowledge drilldown'; \"\" where a whole document is meant.")
    document: str = Field(description="Name in the corpus.")
    document_id: str
    locator: str = Field(default="", description="The path of printed numbers that a person would cite.")
    text: str = Field(default="", description="The sentence, verbatim.")
    char_start: int = Field(default=0, ge=0, description="Code points into the document's text.")
    char_end: int = Field(default=0, ge=0)


class WaiverRow(Record):
    """One exception as a line of the register, with the sentence that says it. Empty and absent fields say nothing."""

    kind: WaiverKind
    decision: WaiverDecision
    status: WaiverStatus
    reference: str = Field(default="", description="The number that a register has for it, as printed.")
    holder: str = Field(default="", description="Who or what is excused, as printed.")
    provision: str = Field(default="", description="From what, as printed.")
    targets: tuple[WaiverTarget, ...] = Field(default=(), description="The same in this corpus, where it was found.")
    unresolved: str = Field(default="", description="Why a provision that is named was not found in the corpus.")
    granted_by: str = Field(default="", description="As printed.")
    granted_on: str = Field(default="", description="ISO 8601.")
    begins: str = Field(default="", description="From when it holds, ISO 8601, where that is another day.")
    ends: str = Field(default="", description="Its last day, ISO 8601.")
    ends_basis: WaiverEndBasis = ""
    length: str = Field(default="", description="How long it holds: '12 months'.")
    days_left: int | None = Field(
        default=None, description="From the day that is asked to the last day; negative: over."
    )
    condition: str = Field(default="", description="What it is subject to and what is done instead, as printed.")
    document: str = Field(description="Name in the corpus.")
    document_id: str
    title: str = ""
    role: str = Field(
        default="",
        description="What the document is: policy, contract, record …; empty where that is not known: look first.",
    )
    item_id: str = Field(description="The sentence or row, for 'coditect knowledge drilldown'.")
    locator: str = Field(default="", description="The path of printed numbers that a person would cite.")
    heading: str = Field(default="", description="Of the section that it stands in.")
    page: int | None = Field(default=None, ge=1, description="Where the file has pages.")
    text: str = Field(description="The sentence or row, verbatim.")
    char_start: int = Field(ge=0, description="Code points into the document's text.")
    char_end: int = Field(ge=0)
    words: str = Field(description="The words of the sentence that say it, verbatim.")
