"""What the tools of registers answer, as :mod:`coditect.assistants.answers` has it for the others."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from coditect.assistants.answers import CitedWords
from coditect.schemas import RegisterKind, WaiverKind, WaiverStatus

__all__ = [
    "AgreementFound",
    "AgreementsAnswer",
    "RegisterAnswer",
    "RegisteredStatement",
    "TermFound",
    "WaiverFound",
    "WaiversAnswer",
]


class _Answer(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class RegisteredStatement(_Answer):
    """A duty, prohibition, permission or definition."""

    kind: RegisterKind
    force: str = Field(default="", description="mandatory, recommended, optional or prohibited.")
    told: str = Field(
        default="",
        description="Who does what, by when, how often, if and unless what, and what an amendment made of it; of a definition the "
        "term and its meaning. Fenced.",
    )
    deadline_hours: float | None = Field(default=None, description="Of the first limit that is a time.")
    deadline_in_working_days: bool = Field(
        default=False, description="Whether that time is one of working days, each counted as 24 hours."
    )
    due: str = Field(default="", description="A calendar date by which it is due, ISO 8601.")
    per_year: float | None = Field(default=None, description="Times a year.")
    role: str = Field(default="", description="With which force the document speaks.")
    standing: str = Field(default="", description="Superseded, expired, not yet in force, past its review.")
    decided: str = Field(default="", description="What a person decided of it, if anybody did.")
    citation: CitedWords


class RegisterAnswer(_Answer):
    """A page of a register, in the order of documents and texts: nothing is ranked, nothing left out."""

    corpus_id: str
    generation: int
    today: str = Field(description="The day that documents' dates were held against, ISO 8601.")
    lines: tuple[RegisteredStatement, ...]
    total: int = Field(description="Lines of all pages.")
    next_cursor: str = Field(default="", description="For the next page; empty after the last.")


class TermFound(_Answer):
    """What an agreement says of one thing."""

    field: str
    told: str = Field(description="In the text's words, fenced.")
    citation: CitedWords


class AgreementFound(_Answer):
    """A contract."""

    document: str
    parties: tuple[str, ...] = Field(default=(), description="Each fenced.")
    standing: str = ""
    dated: str = Field(default="", description="ISO 8601, as all days here.")
    begins: str = ""
    ends: str = Field(default="", description="The last day, as far as it is known.")
    ends_basis: Literal["", "given", "stated", "computed"] = ""
    notice_by: str = Field(default="", description="The last day to give the notice of renewal.")
    notice_passed: bool = False
    renews_until: str = ""
    amended_by: tuple[str, ...] = Field(
        default=(), description="Documents that amend it; what they change is not counted in here: read them."
    )
    amends: str = ""
    silent: tuple[str, ...] = Field(default=(), description="What no sentence was found on: look, and do not conclude.")
    terms: tuple[TermFound, ...] = ()


class AgreementsAnswer(_Answer):
    """A page of contracts, by name."""

    corpus_id: str
    generation: int
    today: str
    agreements: tuple[AgreementFound, ...]
    total: int
    next_cursor: str = ""


class WaiverFound(_Answer):
    """An exception: who is excused from what."""

    kind: WaiverKind
    status: WaiverStatus
    told: str = Field(description="Who is excused, from what, by whom, under which condition; fenced.")
    granted_on: str = Field(default="", description="ISO 8601, as all days here.")
    begins: str = ""
    ends: str = ""
    days_left: int | None = Field(default=None, description="To the last day; negative: over.")
    citation: CitedWords


class WaiversAnswer(_Answer):
    """A page of exceptions, in the order of the texts."""

    corpus_id: str
    generation: int
    today: str
    waivers: tuple[WaiverFound, ...]
    total: int
    next_cursor: str = ""
