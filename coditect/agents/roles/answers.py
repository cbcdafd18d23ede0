"""The shapes of structured answers: the JSON Schema that is asked for, and the records that answers are checked with again.

The schemas keep to what the service enforces (types, enumerations, required and no further properties); ranges and lengths
are the readers' business.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, TypeVar

from pydantic import ConfigDict, Field, StrictInt, ValidationError

from coditect.documents.readers.canonical import canonicalize
from coditect.errors import Malformed
from coditect.models.llm import LlmAnswer
from coditect.schemas.record import Record

__all__ = [
    "CONFLICT_KINDS",
    "REDUCER_SCHEMA",
    "SELECTOR_SCHEMA",
    "VALIDATOR_SCHEMA",
    "VERDICTS",
    "Answer",
    "ConflictKind",
    "MapperAnswer",
    "MapperItem",
    "ReducerAnswer",
    "ReducerConflict",
    "SelectorAnswer",
    "ValidatorAnswer",
    "ValidatorQuote",
    "VerdictLabel",
    "array",
    "obj",
    "parsed",
    "prose",
]

ConflictKind = Literal["value", "modality", "definition", "scope", "other"]
CONFLICT_KINDS: tuple[ConflictKind, ...] = ("value", "modality", "definition", "scope", "other")

VerdictLabel = Literal["supported", "unsupported", "needs_review"]
VERDICTS: tuple[VerdictLabel, ...] = ("supported", "unsupported", "needs_review")

MOST_CHARS = 2_000_000
"""Characters of an answer that is read at all: more than any model writes in one."""

_SHOWN = 200


def obj(properties: Mapping[str, Any], required: tuple[str, ...] | None = None) -> dict[str, Any]:
    """JSON Schema of an object with these properties and no others, all required unless said otherwise."""
    return {
        "type": "object",
        "properties": dict(properties),
        "required": list(properties if required is None else required),
        "additionalProperties": False,
    }


def array(items: Mapping[str, Any], description: str = "") -> dict[str, Any]:
    """JSON Schema of a list."""
    return {"type": "array", "items": dict(items), **({"description": description} if description else {})}


_INTEGER = {"type": "integer"}
_STRING = {"type": "string"}

SELECTOR_SCHEMA: Mapping[str, Any] = obj({"sentences": array(_INTEGER, "Numbers of sentences, most important first.")})

REDUCER_SCHEMA: Mapping[str, Any] = obj(
    {
        "duplicates": array(array(_INTEGER), "Groups of numbers of quotes that say the same."),
        "conflicts": array(
            obj(
                {
                    "between": array(_INTEGER, "Numbers of the quotes."),
                    "about": {**_STRING, "description": "The subject, at most twelve words."},
                    "kind": {"enum": list(CONFLICT_KINDS)},
                }
            )
        ),
    }
)

VALIDATOR_SCHEMA: Mapping[str, Any] = obj(
    {
        "quotes": array(
            obj({"evidence": _INTEGER, "text": {**_STRING, "description": "Verbatim from that evidence."}})
        ),
        "reason": {**_STRING, "description": "One or two sentences."},
        "verdict": {"enum": list(VERDICTS)},
    }
)


class Answer(Record):
    """A structured answer: values have their type and are not converted."""

    model_config = ConfigDict(strict=True, allow_inf_nan=False)


class SelectorAnswer(Answer):
    """What the selector returns."""

    sentences: list[StrictInt] = Field(max_length=1_000)


class ReducerConflict(Answer):
    """One conflict."""

    between: list[StrictInt] = Field(max_length=1_000)
    about: str
    kind: ConflictKind


class ReducerAnswer(Answer):
    """What the reducer returns."""

    duplicates: list[list[StrictInt]] = Field(max_length=10_000)
    conflicts: list[ReducerConflict] = Field(max_length=10_000)


class ValidatorQuote(Answer):
    """Words of one piece of evidence."""

    evidence: int
    text: str


class ValidatorAnswer(Answer):
    """What the validator returns."""

    quotes: list[ValidatorQuote] = Field(max_length=1_000)
    reason: str
    verdict: VerdictLabel


class MapperItem(Answer):
    """One statement; its fields are checked against the extraction schema."""

    type: str
    quote: str
    fields: dict[str, Any]
    confidence: float = Field(ge=0.0, le=1.0)
    before: str = ""
    after: str = ""


class MapperAnswer(Answer):
    """What the mapper returns."""

    items: list[MapperItem] = Field(max_length=10_000)
    suspicious: list[str] = Field(default=[], max_length=1_000)


A = TypeVar("A", bound=Answer)


def parsed(answer: LlmAnswer, shape: type[A], role: str) -> A:
    """The structured answer in an answer's text.

    Raises:
        Malformed: not JSON, or not of this shape; ``context`` has the role, the place and what is wrong with it.
    """
    text = _readable(answer, role)
    try:
        return shape.model_validate_json(text)
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False, include_input=False)[0]
        raise Malformed(
            "an answer does not have the asked-for shape",
            role=role,
            place=".".join(map(str, first["loc"]))[:_SHOWN],
            problem=first["msg"],
            usage=answer.usage,
        ) from error


def prose(answer: LlmAnswer, role: str) -> tuple[str, ...]:
    """The text of an answer's parts, in canonical characters: no control character reaches a record.

    Raises:
        Malformed: too long to be read.
    """
    _readable(answer, role)
    return tuple(canonicalize(part.text) for part in answer.parts)


def _readable(answer: LlmAnswer, role: str) -> str:
    text = answer.text
    if len(text) > MOST_CHARS:
        raise Malformed("an answer is too long to be read", role=role, characters=len(text), usage=answer.usage)
    return text
