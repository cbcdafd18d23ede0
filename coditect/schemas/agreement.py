"""The register of agreements: what each contract of a corpus says of its own term, renewal, end, law, and of who may do what."""

from __future__ import annotations

from typing import Literal, get_args

from pydantic import Field

from coditect.schemas.record import Record

__all__ = ["AGREEMENT_FIELDS", "AgreementField", "AgreementRow", "AgreementTerm", "EndBasis"]

AgreementField = Literal[
    "term",
    "renewal",
    "renewal_notice",
    "termination",
    "governing_law",
    "assignment",
    "subcontracting",
    "audit",
    "data_location",
]
"""What agreements are asked for.

- ``term``: how long it runs: a length of time, a day, an event, "until ended", or "not filled in".
- ``renewal``: "automatic", "until ended" where it goes on until somebody ends it, "option", "agreement" of the parties, or "none".
- ``renewal_notice``: how long before the end notice is due "to prevent it" or "to ask for it"; or, of what goes on, "to end it".
- ``termination``: that it may be ended "without a reason", by whom, and by which notice.
- ``governing_law``: the place whose law it is under.
- ``assignment``, ``subcontracting``: "prohibited", "with consent" or "permitted".
- ``audit``: that somebody may look at books, records or premises: "granted".
- ``data_location``: where data may be: "in …", "not in …", "not outside …", "also outside …".
"""

AGREEMENT_FIELDS: tuple[AgreementField, ...] = get_args(AgreementField)
"""In the order in which they are told."""

EndBasis = Literal["", "given", "stated", "computed"]
"""Where the last day comes from: a manifest, the text, or the length of the term counted from the first day; "": none is known."""


class AgreementTerm(Record):
    """One thing that an agreement says of itself, and the sentence that says it."""

    field: AgreementField
    value: str = Field(
        description="In the field's own words, or the text's: automatic, with consent, New York, 2027-12-31."
    )
    length: str = Field(default="", description="A length of time: '3 years', '60 days'.")
    months: float | None = Field(default=None, description="The same in months, where it is one of months or years.")
    days: float | None = Field(default=None, description="The same in days, where it is one of days or weeks.")
    times: int | None = Field(default=None, ge=0, description="How often it may be renewed, where that is said.")
    who: str = Field(default="", description="Who may end it, as printed.")
    since: str = Field(default="", description="What a length is counted from, as printed.")
    item_id: str = Field(description="The sentence, for 'coditect knowledge drilldown'.")
    locator: str = Field(default="", description="The path of printed numbers that a person would cite.")
    heading: str = Field(default="", description="Of the section that it stands in.")
    page: int | None = Field(default=None, ge=1, description="Where the file has pages.")
    text: str = Field(description="The sentence, verbatim.")
    char_start: int = Field(ge=0, description="Code points into the document's text.")
    char_end: int = Field(ge=0)
    words: str = Field(description="The words of the sentence that say it, verbatim.")


class AgreementRow(Record):
    """One agreement as a line of the register. Empty and absent fields say nothing."""

    document: str = Field(description="Name in the corpus.")
    document_id: str
    title: str = ""
    role_given: bool = Field(description="Whether a manifest says that it is a contract; else it is a guess.")
    standing: str = Field(default="", description="Superseded, expired, not yet in force: on the day that was asked.")
    parties: tuple[str, ...] = Field(default=(), description="Whom it binds, with what it calls them in brackets.")
    parties_given: bool = Field(default=False, description="Whether a manifest states the parties.")
    dated: str = Field(default="", description="When it was made, ISO 8601.")
    begins: str = Field(default="", description="From when it binds, ISO 8601.")
    begins_basis: Literal["", "given", "stated", "dated"] = Field(
        default="",
        description="Where that comes from: a manifest, the text, or only the day on which the agreement was made.",
    )
    ends: str = Field(
        default="", description="The last day as far as it is known, ISO 8601, renewals that came about counted."
    )
    ends_basis: EndBasis = ""
    fixed_until: str = Field(
        default="",
        description="Where it goes on behind its fixed term, to a day that nothing tells: the last day of that term, ISO 8601; "
        "'ends' is then empty.",
    )
    renewed: int = Field(
        default=0, ge=0, description="Automatic renewals that are counted in 'ends', as nobody says otherwise."
    )
    notice_by: str = Field(default="", description="The last day to give the notice of renewal, ISO 8601.")
    notice_passed: bool = Field(
        default=False,
        description="Whether that day has passed on the day that was asked, and the agreement has not ended.",
    )
    renews_until: str = Field(
        default="",
        description="Where it has passed and the agreement renews by itself: the last day of the term that follows, ISO 8601, "
        "unless notice was given.",
    )
    terms: tuple[AgreementTerm, ...] = Field(
        default=(),
        description="One for each field that it speaks of; of termination one more for each other party that may.",
    )
    amended_by: tuple[str, ...] = Field(
        default=(),
        description="Names of the documents that amend it, as they say; what they change is not counted in here: read them.",
    )
    amends: str = Field(default="", description="The name of the agreement that it amends, as it says.")
    silent: tuple[AgreementField, ...] = Field(
        default=(), description="What no sentence was found on: look, and do not conclude."
    )

    def term(self, field: AgreementField) -> AgreementTerm | None:
        """What it says of a field."""
        return next((each for each in self.terms if each.field == field), None)
