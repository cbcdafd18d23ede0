"""What Tier 1 reads from a quote: one model for each kind of extraction, told apart by the extraction's own kind.

What the rules of this house write has exactly these fields; one that says nothing is absent from the stored JSON, and None here.
A model with an extraction schema, or a program that stores items itself, may write more, which is kept in
:attr:`ExtractionData.more`. Data of which a known field is null or of another shape than here are a :class:`CustomData` whatever
their kind, so that everything that was ever stored can be read, and is written again to the letter (ADR 36).
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Literal, TypeAlias, TypeVar

import orjson
from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    JsonValue,
    RootModel,
    StrictBool,
    StrictFloat,
    StrictInt,
    StrictStr,
    ValidationError,
)

from coditect.schemas.tier1.exact import ExactModel

__all__ = [
    "DATA_MODELS",
    "SCHEMA",
    "SPAN_KINDS",
    "Clause",
    "CrossReferenceData",
    "CustomData",
    "Deadline",
    "DefinitionData",
    "DefinitionForm",
    "ExtractionData",
    "ExtractionKind",
    "Frequency",
    "NormData",
    "ObligationData",
    "PermissionData",
    "Position",
    "ProhibitionData",
    "PropositionData",
    "QuantityData",
    "QuantityKind",
    "StatedMeasure",
    "Strength",
    "Tier1Data",
    "known_fields",
    "nothing_known",
]

ExtractionKind = Literal[
    "obligation", "prohibition", "permission", "definition", "cross_reference", "quantity", "proposition", "custom"
]

SPAN_KINDS: frozenset[ExtractionKind] = frozenset(("quantity", "cross_reference"))
"""Kinds that are a few words of a statement, not one."""

Strength = Literal["mandatory", "recommended", "optional"]

Position = Literal["permission", "power", "right", "exemption"]
"""What a permission puts somebody in (Hohfeld 1913): leave to act, power over others, a claim on others, freedom from a duty."""

DefinitionForm = Literal["meaning", "reference", "name", "inclusion", "exclusion", "abbreviation", "variable"]
"""How words define a term.

- ``meaning``: says what it means ("means", "refers to", "is defined as", "X is the", a glossary's line).
- ``reference``: says where its meaning stands ("has the meaning given in section 3", "is defined in 5 U.S.C. 551").
- ``name``: gives a name to what stands before it ('Acme Inc. ("Supplier")', "hereinafter", "is called").
- ``inclusion``: says only what falls under it ("includes").
- ``exclusion``: says only what does not ("does not include").
- ``abbreviation``: initials in parentheses behind their words ("Security Operations Center (SOC)").
- ``variable``: a letter or name in a formula that stands just before ('"Balance" is the average daily balance').
"""

QuantityKind = Literal["amount", "percentage", "duration", "deadline", "frequency", "date", "count"]

D = TypeVar("D", bound="ExtractionData")


class _Part(ExactModel):
    """A piece of what was read, known whole or not at all."""

    model_config = ConfigDict(extra="forbid")


class Clause(_Part):
    """Where in the document the clause of a statement stands, when its sentence has several."""

    start: int = Field(ge=0, description="First code point in the canonical text.")
    end: int = Field(ge=1, description="One past the last code point.")


class Deadline(_Part):
    """By when an act is due."""

    text: str = Field(description="As printed.")
    start: int = Field(ge=0, description="First code point in the canonical text.")
    end: int = Field(ge=1, description="One past the last code point.")
    comparator: str | None = Field(default=None, description="within, at least, before, promptly, …")
    relation: str | None = Field(default=None, description="On which side of an event it lies: before or after.")
    hours: int | float | None = Field(default=None, description="A month is 30.4375 days, a year 365.25.")
    days: int | float | None = Field(default=None, description="Where it is printed in days.")
    months: int | float | None = Field(default=None, description="Where it is printed in months.")
    years: int | float | None = Field(default=None, description="Where it is printed in years.")
    business_days: bool | None = Field(default=None, description="True where business days are meant.")
    iso: str | None = Field(default=None, description="A calendar date, as far as it is certain.")
    trigger: str | None = Field(default=None, description="The event that it is counted from, or that sets it off.")


class Frequency(_Part):
    """How often an act is due."""

    text: str = Field(description="As printed.")
    start: int = Field(ge=0, description="First code point in the canonical text.")
    end: int = Field(ge=1, description="One past the last code point.")
    per_year: int | float | None = Field(default=None, description="Times a year.")
    months: int | float | None = Field(default=None, description="Its period, where that is a whole number of months.")
    comparator: str | None = Field(default=None, description="at least, at most, …")
    trigger: str | None = Field(
        default=None, description="The event that sets it off each time, or that it is counted from."
    )


class StatedMeasure(_Part):
    """What a statement fixes, in a form that can be compared across documents; Tier 2 takes it over."""

    kind: Literal["count", "deadline", "duration", "frequency", "version"]
    head: str = Field(description="What it is a measure of: a stem, or a name for a version.")
    verb: str = Field(description="That as printed.")
    value: int | float = Field(
        gt=0, description="Frequency: times a year. Deadline, duration: hours. Version, count: the number."
    )
    text: str = Field(description="As printed.")
    strength: str | None = Field(
        default=None, description="Of a plain statement: mandatory, or stated as a fact. Elsewhere the statement's own."
    )


SCHEMA = "schema"
"""Names, in the data of an extraction, the extraction schema that a model found it by."""


class ExtractionData(ExactModel):
    """What was read from a quote; the kinds derive from it. A field that says nothing is absent in JSON and None here."""

    model_config = ConfigDict(extra="allow")
    # Whatever is JSON and says something.
    __pydantic_extra__: dict[
        str, StrictStr | StrictBool | StrictInt | StrictFloat | list[JsonValue] | dict[str, JsonValue]
    ]

    @property
    def more(self) -> Mapping[str, JsonValue]:
        """What was stored beside the known fields: what a model's extraction schema or a program calls its own."""
        return self.__pydantic_extra__

    @property
    def extraction_schema(self) -> str:
        """Name and version of the extraction schema that a model found it by; "" for what rules or programs found."""
        return str(self.more.get(SCHEMA, ""))

    def fields(self) -> dict[str, JsonValue]:
        """All of it as JSON, as it is stored: keys in sorted order, absent rather than null."""
        return _sorted(self)


class NormData(ExtractionData):
    """What binds or frees somebody; all texts are verbatim."""

    action: str | None = Field(default=None, description="What is done, from the verb on.")
    actor: str | None = Field(default=None, description="Whom the text names as acting.")
    object: str | None = Field(default=None, description="The subject of a passive: what is acted upon.")
    subject: str | None = Field(default=None, description="What has to be so, where the text names nobody who acts.")
    modality: str | None = Field(
        default=None, description="The binding words in their plain form: shall, must, may not."
    )
    position: Position | None = Field(
        default=None, description="Of a permission: whether it frees from a duty, entitles, empowers or only allows."
    )
    strength: Strength | None = Field(default=None, description="How binding; a model's finding does not say it.")
    condition: str | tuple[str, ...] | None = Field(
        default=None, description="When or if it applies; a list where there are several."
    )
    exception: str | tuple[str, ...] | None = Field(
        default=None, description="What is exempt; a list where there are several."
    )
    duration: str | None = Field(default=None, description="How long it applies.")
    clause: Clause | None = Field(default=None, description="Where its clause stands in the document.")
    spans: tuple[Clause, ...] | None = Field(
        default=None,
        description="Of a reading that is composed of several pieces (lead-in, item, tail): where each stands, in order.",
    )
    deadline: Deadline | str | None = Field(default=None, description="By when; of a model the printed words alone.")
    further_deadlines: tuple[Deadline, ...] | None = Field(
        default=None, description="Where the clause has several time limits: those behind the first, in order."
    )
    commencement: Deadline | None = Field(
        default=None, description="From when on: after which event or date; no limit by when."
    )
    frequency: Frequency | None = Field(default=None, description="How often.")
    further_frequencies: tuple[Frequency, ...] | None = Field(
        default=None, description="Where the clause says how often more than once: those behind the first, in order."
    )
    measures: tuple[StatedMeasure, ...] | None = Field(
        default=None, description="What it fixes, comparable across documents."
    )

    @property
    def limits(self) -> tuple[Deadline | str, ...]:
        """By when: all of its time limits, in order."""
        return (*(() if self.deadline is None else (self.deadline,)), *(self.further_deadlines or ()))

    @property
    def conditions(self) -> tuple[str, ...]:
        """When or if it applies: all of its conditions."""
        return _several(self.condition)

    @property
    def exceptions(self) -> tuple[str, ...]:
        """All that is exempt."""
        return _several(self.exception)


def _several(told: str | tuple[str, ...] | None) -> tuple[str, ...]:
    return () if told is None else (told,) if isinstance(told, str) else told


class ObligationData(NormData):
    """Somebody must do something."""


class ProhibitionData(NormData):
    """Somebody must not do something."""


class PermissionData(NormData):
    """Somebody may do something, or need not do it."""


class DefinitionData(ExtractionData):
    """A term is given a meaning."""

    term: str | None = Field(default=None, description="The word or words that are defined.")
    definition: str | None = Field(default=None, description="The words that define it; absent where a list follows.")
    aliases: tuple[str, ...] | None = Field(
        default=None, description="Other names that the text gives to the same thing."
    )
    form: DefinitionForm | None = Field(default=None, description="How the words define it.")


class CrossReferenceData(ExtractionData):
    """A place or document is referred to."""

    target: str | None = Field(default=None, description="As printed.")
    target_kind: str | None = Field(
        default=None,
        description="section, article, exhibit, …; statute, regulation, standard, control, policy, document.",
    )
    label: str | None = Field(default=None, description="The number or name that the target is found by.")
    document: str | None = Field(default=None, description="The other document that it names.")
    internal: bool | None = Field(default=None, description="Whether it stays in its own document.")
    within: str | None = Field(default=None, description="What holds the place: 'agreement', 'exhibit a'.")
    about: str | None = Field(default=None, description="comment or commentary, where it refers to one.")
    range_from: str | None = Field(default=None, description="The first label of a range that this one ends.")


class QuantityData(ExtractionData):
    """A number with its meaning."""

    quantity_kind: QuantityKind | None = None
    text: str | None = Field(default=None, description="As printed.")
    value: int | float | str | None = Field(default=None, description="The number in its unit; a date's words.")
    unit: str | None = Field(default=None, description="In the singular for times; as printed for amounts and counts.")
    subject: str | None = Field(default=None, description="The words before it that say what is measured.")
    comparator: str | None = Field(default=None, description="within, at least, at most, before, …")
    relation: str | None = Field(default=None, description="On which side of an event it lies: before or after.")
    currency: str | None = Field(default=None, description="ISO 4217 code of an amount.")
    hours: int | float | None = Field(default=None, description="A time in hours.")
    days: int | float | None = Field(default=None, description="Where it is printed in days.")
    months: int | float | None = Field(default=None, description="A time or period in months.")
    years: int | float | None = Field(default=None, description="Where it is printed in years.")
    business_days: bool | None = Field(default=None, description="True where business days are meant.")
    per_year: int | float | None = Field(default=None, description="Of a frequency: times a year.")
    per: str | None = Field(default=None, description="Of a rate: annum, year, month, …")
    iso: str | None = Field(default=None, description="Of a date: ISO 8601, as far as it is certain.")


class PropositionData(ExtractionData):
    """A sentence that states something and binds nobody."""

    subject: str | None = Field(default=None, description="What it speaks of, where that is obvious.")
    measures: tuple[StatedMeasure, ...] | None = Field(
        default=None, description="What it fixes, comparable across documents."
    )


class CustomData(RootModel[dict[str, JsonValue]]):
    """A JSON object of a caller's own, or what a model found by a caller's schema; kept to the letter, nulls included."""

    model_config = ConfigDict(frozen=True, defer_build=True)

    root: dict[str, JsonValue] = Field(description="The object.")

    @property
    def more(self) -> Mapping[str, JsonValue]:
        """All of it: no field of it is known."""
        return self.root

    @property
    def extraction_schema(self) -> str:
        """Name and version of the extraction schema that a model found it by; "" for what a program stored."""
        return str(self.root.get(SCHEMA, ""))

    def fields(self) -> dict[str, JsonValue]:
        """All of it as JSON, as it is stored: keys in sorted order."""
        return _sorted(self)


Tier1Data: TypeAlias = (
    ObligationData
    | ProhibitionData
    | PermissionData
    | DefinitionData
    | CrossReferenceData
    | QuantityData
    | PropositionData
    | CustomData
)
"""What was read from a quote: of the model that the extraction's kind names."""

DATA_MODELS: Mapping[ExtractionKind, type[Tier1Data]] = {
    "obligation": ObligationData,
    "prohibition": ProhibitionData,
    "permission": PermissionData,
    "definition": DefinitionData,
    "cross_reference": CrossReferenceData,
    "quantity": QuantityData,
    "proposition": PropositionData,
    "custom": CustomData,
}
"""The model of each kind's data."""


def known_fields(data: Mapping[str, JsonValue], model: type[D]) -> D:
    """Of data in a shape of their own, what a model knows: fields that are null or do not fit are absent."""
    given = {name: value for name, value in data.items() if value is not None}
    try:
        return model.model_validate(given)
    except ValidationError as error:
        misfits = {each["loc"][0] for each in error.errors()}
        return model.model_validate({name: value for name, value in given.items() if name not in misfits})


@cache
def nothing_known(model: type[D]) -> D:
    """The data of a model, with nothing in them."""
    return model()


def _sorted(data: BaseModel) -> dict[str, JsonValue]:
    stored = data.model_dump(mode="json", exclude_none=True)
    return dict(orjson.loads(orjson.dumps(stored, option=orjson.OPT_SORT_KEYS)))
