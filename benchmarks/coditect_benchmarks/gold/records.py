"""The records of the gold: what a unit is, and what an annotator says of it.

A label is written with quotes (text copied from the unit) and stored with spans (code points of the canonical text). Both are the
same models: ``Label[str]`` as written, ``Label[Span]`` as resolved by :mod:`coditect_benchmarks.gold.resolution`.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, Generic, Literal, TypeAlias, TypeVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, model_validator

__all__ = [
    "COARSE",
    "NEGATIVE",
    "Definition",
    "ItemList",
    "Label",
    "Norm",
    "PackUnit",
    "Reference",
    "Span",
    "Split",
    "Time",
    "Unit",
    "read_lines",
    "write_lines",
]

Span: TypeAlias = tuple[int, int]
Split = Literal["dev", "heldout", "test", "training"]
NormKind = Literal["obligation", "prohibition", "permission", "power", "right", "exemption"]
Force = Literal["mandatory", "recommended", "optional"]
Statement = Literal[
    "fact", "constitutive", "application", "outcome", "recital", "heading", "reference", "question", "fragment", "other"
]

COARSE: dict[str, str] = {
    "obligation": "obligation",
    "prohibition": "prohibition",
    "permission": "permission",
    "power": "permission",
    "right": "permission",
    "exemption": "exemption",
}
"""Fine kind -> the kind that a reader with fewer words for it can be asked for."""

NEGATIVE = frozenset({"prohibition", "exemption"})
"""The kinds whose polarity is negative; a label that says otherwise is questioned by the check."""

Q = TypeVar("Q")


def _listed(value: object) -> object:
    """A bare quote stands for a list of one."""
    return [value] if isinstance(value, str) else ([] if value is None else value)


Quotes = Annotated[tuple[Q, ...], BeforeValidator(_listed)]


class _Record(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Time(_Record, Generic[Q]):
    """When, by when, how often or for how long; ``trigger`` is the event that it is counted from or that sets it off."""

    text: Quotes[Q] = Field(min_length=1)
    kind: Literal["deadline", "frequency", "duration", "start"]
    trigger: Quotes[Q] = ()


class Norm(_Record, Generic[Q]):
    """One norm. ``text`` holds the spans that compose it, in order; every other quote lies in the unit or its surroundings."""

    kind: NormKind
    force: Force
    polarity: Literal["positive", "negative"]
    text: Quotes[Q] = Field(min_length=1)
    cue: Quotes[Q] = ()
    holder: Quotes[Q] = ()
    counterparty: Quotes[Q] = ()
    action: Quotes[Q] = Field(min_length=1)
    object: Quotes[Q] = ()
    times: tuple[Time[Q], ...] = ()
    conditions: Quotes[Q] = ()
    exceptions: Quotes[Q] = ()
    locator: Quotes[Q] = ()


class Definition(_Record, Generic[Q]):
    """A term and what it means; ``layout`` says where the two stand."""

    term: Quotes[Q] = Field(min_length=1)
    meaning: Quotes[Q] = Field(min_length=1)
    form: Literal["meaning", "inclusion", "exclusion", "reference", "abbreviation", "name"]
    layout: Literal["prose", "table", "parenthesis"] = "prose"


class Reference(_Record, Generic[Q]):
    """A mention of another provision or document; ``document`` quotes the name of the document where the text names one."""

    text: Quotes[Q] = Field(min_length=1)
    scope: Literal["internal", "external"]
    document: Quotes[Q] = ()


class ItemList(_Record, Generic[Q]):
    """The parts of a list group: ``items`` are the labels (or first words) of all items in order, ``depths`` how deep each lies."""

    lead_in: Quotes[Q] = ()
    items: Quotes[Q] = Field(min_length=1)
    depths: tuple[int, ...] = ()
    connective: Literal["and", "or", "none", "mixed"]
    tail: Quotes[Q] = ()
    role: Literal["norms", "objects", "conditions", "exceptions", "definition", "examples", "other"]

    @model_validator(mode="after")
    def _depth_of_each(self) -> ItemList[Q]:
        if self.depths and len(self.depths) != len(self.items):
            raise ValueError("depths: one number for each item, or none where all lie at depth 1")
        return self


class Label(_Record, Generic[Q]):
    """What one annotator says of one unit."""

    id: str
    norms: tuple[Norm[Q], ...] = ()
    definitions: tuple[Definition[Q], ...] = ()
    references: tuple[Reference[Q], ...] = ()
    list: ItemList[Q] | None = None
    statement: Statement | None = None
    unsure: bool = False
    note: str = ""

    @model_validator(mode="after")
    def _says_something(self) -> Label[Q]:
        if bool(self.norms or self.definitions) == (self.statement is None):
            return self
        if self.statement is None:
            raise ValueError("a unit without norm and definition needs its statement")
        raise ValueError("statement is for units without norm and definition")


class Unit(_Record):
    """Where a unit lies: offsets are code points of the canonical text that ``coditect.documents.readers.read_source`` gives.

    Attributes:
        id: tells nothing of document or split.
        document: "root:relative/path" of the source file.
        sha256: of the canonical text in UTF-8.
        span: the unit; ``path``, ``before`` and ``after`` are its surroundings.
        weight: units of its stratum, genre and split for each one that was drawn.
        public: whether its text may be committed.
    """

    id: str
    document: str
    sha256: str
    genre: str
    family: str
    split: Split
    stratum: str
    weight: float
    public: bool
    shape: Literal["sentence", "group"]
    span: Span
    path: tuple[Span, ...]
    before: Span
    after: Span


class PackUnit(_Record):
    """A unit as an annotator sees it."""

    id: str
    genre: str
    document: str
    path: tuple[str, ...]
    before: str
    text: str
    after: str


M = TypeVar("M", bound=BaseModel)


def read_lines(file: Path, model: type[M]) -> Iterator[M]:
    """Read the records of a JSON Lines file, blank lines skipped.

    Raises:
        ValueError: a line is not such a record; the message names file and line.
    """
    for number, line in enumerate(file.read_text("utf-8").splitlines(), 1):
        if line.strip():
            try:
                yield model.model_validate_json(line)
            except ValueError as error:
                raise ValueError(f"{file}:{number}: {error}") from error


def write_lines(file: Path, records: list[Any]) -> None:
    """Write records as JSON Lines, without what is at its default, keys in the models' order."""
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("".join(r.model_dump_json(exclude_defaults=True) + "\n" for r in records), "utf-8")
