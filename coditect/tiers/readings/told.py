"""What a model tells of sentences, once its words were found in the text: plain records, which worker processes are sent."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from pydantic import JsonValue

from coditect.schemas.tier1.data import DefinitionForm, Position

__all__ = [
    "READINGS_VERSION",
    "READ_BY",
    "NormKind",
    "Place",
    "ReadBy",
    "ToldDefinition",
    "ToldDocument",
    "ToldNorm",
    "ToldSentence",
    "ToldTime",
    "read_by_of",
    "reader_of",
]

READINGS_VERSION = "readings/3"
"""Of how what a model told becomes what is stored, and takes the place of what rules read."""

Place = tuple[int, int]
"""First code point and one past the last, in the text as it is read."""

NormKind = Literal["obligation", "prohibition", "permission"]

READ_BY = "read_by"
"""Names, in the data of an extraction, who read it where that were not the rules: role, version, model and answer."""


@dataclass(frozen=True, slots=True)
class ReadBy:
    """Who reads.

    Attributes:
        role: the role of the model.
        version: of its prompt and of how its answers are read.
        model: as the service names it.
    """

    role: str
    version: str
    model: str


@dataclass(frozen=True, slots=True)
class ToldTime:
    """A time of a norm.

    Attributes:
        kind: what it says.
        pieces: the places of its words, in order; one, unless it stands in two lines ("within:", "(a) two days").
        trigger: the words of the event that it is counted from; "" for none.
    """

    kind: Literal["deadline", "frequency", "duration", "start"]
    pieces: tuple[Place, ...]
    trigger: str = ""

    @property
    def place(self) -> Place:
        """Of its words; of a time in pieces that of the longest one, as rules have it."""
        return max(self.pieces, key=lambda piece: piece[1] - piece[0])


@dataclass(frozen=True, slots=True)
class ToldNorm:
    """A norm, by parts that stand in the document.

    Attributes:
        kind: what it does.
        position: of a permission.
        recommended: whether it only advises.
        spans: what it is composed of, in order; the last or only one in the sentence that tells it is its clause.
        cue: the words that carry its force, piece by piece; none of an imperative.
        holder: who is bound, free or empowered; "" for nobody.
        subject: what it is said of, where that is nobody who acts; "" for nothing.
        passive: whether the subject is acted upon.
        action: pieces of what is done, in order.
        times: in order.
        conditions: places, in order.
        exceptions: places, in order.
        answer: the hash of the request whose answer told it.
    """

    kind: NormKind
    position: Position | None
    recommended: bool
    spans: tuple[Place, ...]
    cue: tuple[Place, ...]
    holder: str
    subject: str
    passive: bool
    action: tuple[Place, ...]
    times: tuple[ToldTime, ...]
    conditions: tuple[Place, ...]
    exceptions: tuple[Place, ...]
    answer: str


@dataclass(frozen=True, slots=True)
class ToldDefinition:
    """A definition, by words of the document.

    Attributes:
        term: the word or words that are defined.
        meaning: the words that define it; "" where they follow as a list.
        form: how the words define it.
        place: the words that it covers.
        answer: the hash of the request whose answer told it.
    """

    term: str
    meaning: str
    form: DefinitionForm
    place: Place
    answer: str


@dataclass(frozen=True, slots=True)
class ToldSentence:
    """All that a sentence tells; nothing, where it has neither norm nor definition."""

    norms: tuple[ToldNorm, ...] = ()
    definitions: tuple[ToldDefinition, ...] = ()


@dataclass(frozen=True, slots=True)
class ToldDocument:
    """The sentences of a document that a model has read soundly.

    Attributes:
        by: who read them.
        sentences: by index; where a sentence is here, what rules read of norms and definitions in it does not count.
    """

    by: ReadBy
    sentences: Mapping[int, ToldSentence] = field(default_factory=dict)


def read_by_of(by: ReadBy, answer: str) -> dict[str, str]:
    """Who read an extraction, as it stands in its data."""
    return {"answer": answer, "model": by.model, "role": by.role, "version": by.version}


def reader_of(more: Mapping[str, JsonValue]) -> str:
    """The role and the model that read an extraction, by the open part of its data; "" where rules, programs or a mapper did."""
    by = more.get(READ_BY)
    return f"{by.get('role', '')} {by.get('model', '')}".strip() if isinstance(by, dict) else ""
