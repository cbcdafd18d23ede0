"""Who speaks in a document, to whom, and since when: what a corpus manifest states, and the profile that a build makes of it."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from pydantic import AfterValidator, Field, model_validator

from coditect.schemas.day import Day
from coditect.schemas.decision import Decision
from coditect.schemas.record import DocumentItem, Record

__all__ = [
    "DOCUMENT_ROLES",
    "CorpusManifest",
    "DeclaredProfile",
    "DocumentRole",
    "ManifestApprovals",
    "ManifestEntry",
    "Profile",
    "ProfileFact",
    "ProfileParty",
]

DocumentRole = Literal["law", "rule", "guidance", "standard", "policy", "procedure", "contract", "record"]
DOCUMENT_ROLES: tuple[DocumentRole, ...] = (
    "law",
    "rule",
    "guidance",
    "standard",
    "policy",
    "procedure",
    "contract",
    "record",
)

_FACTS = ("role", "title", "edition", "date", "effective_from", "effective_to", "next_review", "owner")


def _is_told(text: str) -> str:
    if not text.strip():
        raise ValueError("it is empty; leave the key out to have it guessed")
    return " ".join(text.split())


Words = Annotated[str, Field(max_length=400), AfterValidator(_is_told)]


class DeclaredProfile(Record):
    """What a manifest states of a document; what it leaves out is guessed from the document."""

    role: DocumentRole | None = Field(default=None, description="With which force the document speaks.")
    title: Words | None = Field(default=None, description="What people call it.")
    edition: Words | None = Field(default=None, description="Its version, as printed: '4.2', 'VER16'.")
    date: Day | None = Field(default=None, description="When it was issued, approved or signed, YYYY-MM-DD.")
    effective_from: Day | None = Field(default=None, description="The first day on which it binds.")
    effective_to: Day | None = Field(default=None, description="The last day on which it binds.")
    next_review: Day | None = Field(default=None, description="The day by which it is to be reviewed.")
    owner: Words | None = Field(default=None, description="Who answers for it.")
    parties: tuple[Words, ...] | None = Field(
        default=None,
        description="Whom it binds: the parties of a contract, the organisation of a policy. An empty list: nobody in particular.",
    )
    supersedes: tuple[Words, ...] | None = Field(
        default=None, description="What it takes the place of: names of documents of the corpus, titles, or editions."
    )

    @model_validator(mode="after")
    def _in_order(self) -> DeclaredProfile:
        if self.effective_from and self.effective_to and self.effective_to < self.effective_from:
            raise ValueError("effective_to lies before effective_from")
        return self


class ManifestEntry(DeclaredProfile):
    """An entry of a manifest."""

    document: Words = Field(
        description="The document's name in the corpus, or a pattern of names: '*' and '?' within a folder, '**' across folders."
    )

    @property
    def declared(self) -> DeclaredProfile:
        """What it states, without the document."""
        return DeclaredProfile.model_validate(self.model_dump(exclude={"document"}, exclude_none=True))


class ManifestApprovals(Record):
    """How many persons must sign a decision before it is in force."""

    persons: int = Field(ge=0, le=2, description="0: a name is enough; 1: a signature; 2: signatures of two persons.")
    decisions: tuple[Decision, ...] = Field(default=(), description="Of which decisions; left out: of all.")


class CorpusManifest(Record):
    """The file ``corpus.yaml``: what each document of a corpus is, whom it binds, and since when; and who must sign decisions."""

    approvals: ManifestApprovals | None = Field(
        default=None,
        description="Left out: as before. What it states is kept until another manifest states something else.",
    )
    documents: tuple[ManifestEntry, ...] = Field(
        description="An exact name outweighs a pattern, and a later entry an earlier one, key by key."
    )


class ProfileFact(Record):
    """One thing that is known of a document, and what it rests on."""

    value: str = Field(description="Normalised: a role, an ISO date, a name.")
    basis: Literal["manifest", "text", "title", "file name"] = Field(
        description="manifest: somebody stated it. All others are guesses."
    )
    quote: str = Field(default="", description="Of a guess, verbatim, what it rests on.")
    char_start: int | None = Field(
        default=None, ge=0, description="Of a guess from the text: the quote's first code point in the canonical text."
    )
    char_end: int | None = Field(default=None, ge=0, description="One past its last.")

    @property
    def is_given(self) -> bool:
        """Whether somebody stated it."""
        return self.basis == "manifest"


class ProfileParty(ProfileFact):
    """Somebody whom a document binds."""

    called: str = Field(
        default="", description="What the document calls the party: 'Supplier'; empty where it does not say."
    )


class Profile(DocumentItem):
    """What is known of one version of a document: with which force it speaks, whom it binds, and since when."""

    record_kind: ClassVar[str] = "profile"
    schema_version: ClassVar[int] = 1
    id_field: ClassVar[str] = "profile_id"

    profile_id: str
    version_id: str
    derivation_id: str
    role: ProfileFact | None = None
    title: ProfileFact | None = None
    edition: ProfileFact | None = None
    date: ProfileFact | None = None
    effective_from: ProfileFact | None = None
    effective_to: ProfileFact | None = None
    next_review: ProfileFact | None = None
    owner: ProfileFact | None = None
    parties: tuple[ProfileParty, ...] = ()
    parties_given: bool = Field(
        default=False, description="Whether a manifest states the parties, also that there are none."
    )
    supersedes: tuple[ProfileFact, ...] = ()
    also_called: tuple[ProfileFact, ...] = Field(
        default=(), description="Other names by which it says that it is known: 'This part, known as Regulation B'."
    )
    due_days: tuple[str, ...] = Field(
        default=(),
        description="Days that it names as due, YYYY-MM-DD: when one of them has passed, something may be overdue.",
    )

    @property
    def facts(self) -> tuple[tuple[str, ProfileFact], ...]:
        """Everything that is known, by the name of its field, in reading order."""
        single = [(name, getattr(self, name)) for name in _FACTS]
        known = [(name, fact) for name, fact in single if fact is not None]
        parties = [("party", party) for party in self.parties]
        others = [("also called", fact) for fact in self.also_called]
        return (*known, *others, *parties, *(("supersedes", fact) for fact in self.supersedes))

    def told(self, name: str) -> str:
        """The value of a fact by its field's name; "" where nothing is known of it."""
        fact = getattr(self, name)
        return fact.value if isinstance(fact, ProfileFact) else ""
