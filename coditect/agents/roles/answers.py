"""The shapes of structured answers: records that answers are checked with, and the JSON Schema of each that is asked for.

The schema keeps to what the service enforces (types, enumerations, required and no further properties); ranges and lengths
are checked when an answer is read.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, TypeVar, get_args

from pydantic import ConfigDict, Field, StrictInt, ValidationError

from coditect.documents.readers.canonical import canonicalize
from coditect.errors import Malformed
from coditect.models.llm import LlmAnswer
from coditect.schemas.crosswalk import AssessedVerdict
from coditect.schemas.record import Record

__all__ = [
    "ASSESSED_VERDICTS",
    "CONFLICT_KINDS",
    "GAP_KINDS",
    "NO_CONFLICTS",
    "READ_KINDS",
    "VERDICTS",
    "AssessedPair",
    "AssessorAnswer",
    "AtOdds",
    "ConflictKind",
    "ExaminerAnswer",
    "ExaminerPart",
    "ExaminerVerdict",
    "FindingVerdict",
    "FindingsAnswer",
    "GapKind",
    "GapsAnswer",
    "MapperAnswer",
    "MapperItem",
    "NoConflict",
    "PairsAnswer",
    "PairsConflict",
    "PairsOther",
    "ReadKind",
    "ReaderAnswer",
    "ReaderDefinition",
    "ReaderNorm",
    "ReaderTime",
    "ReducerAnswer",
    "ReducerConflict",
    "SelectorAnswer",
    "StatementsAnswer",
    "StructuredAnswer",
    "ToldFindingVerdict",
    "ToldGap",
    "TracedStatement",
    "TracerAnswer",
    "ValidatorAnswer",
    "ValidatorQuote",
    "VerdictLabel",
    "output_schema",
    "parsed",
    "prose",
]

ConflictKind = Literal["value", "modality", "definition", "scope", "other"]
CONFLICT_KINDS: tuple[ConflictKind, ...] = get_args(ConflictKind)

NoConflict = Literal[
    "other_matter",
    "other_people",
    "other_circumstances",
    "exception",
    "stricter",
    "detail",
    "alternative",
    "same",
    "no_rule",
    "unclear",
]
NO_CONFLICTS: tuple[NoConflict, ...] = get_args(NoConflict)

GapKind = Literal["reference", "role", "required", "dated", "open", "empty", "owner", "term", "nobody", "unfinished"]
GAP_KINDS: tuple[GapKind, ...] = get_args(GapKind)

FindingVerdict = Literal["true", "false", "unclear"]

VerdictLabel = Literal["supported", "unsupported", "needs_review"]
VERDICTS: tuple[VerdictLabel, ...] = get_args(VerdictLabel)

ReadKind = Literal["obligation", "prohibition", "permission", "power", "right", "exemption"]
READ_KINDS: tuple[ReadKind, ...] = get_args(ReadKind)

ExaminerVerdict = Literal["supported", "contradicted", "not_stated", "unclear"]
ASSESSED_VERDICTS: tuple[AssessedVerdict, ...] = get_args(AssessedVerdict)

MOST_CHARS = 2_000_000
"""Characters of an answer that is read at all: more than any model writes in one."""

_SHOWN = 200


class StructuredAnswer(Record):
    """A structured answer: values have their type and are not converted."""

    model_config = ConfigDict(strict=True, allow_inf_nan=False)


class SelectorAnswer(StructuredAnswer):
    """What the selector returns."""

    sentences: list[StrictInt] = Field(max_length=1_000, description="Numbers of sentences, most important first.")


class ReducerConflict(StructuredAnswer):
    """One conflict between quotes."""

    between: list[StrictInt] = Field(max_length=1_000, description="Numbers of the quotes.")
    about: str = Field(description="The subject, at most twelve words.")
    kind: ConflictKind


class ReducerAnswer(StructuredAnswer):
    """What the reducer returns."""

    duplicates: list[list[StrictInt]] = Field(
        max_length=10_000, description="Groups of numbers of quotes that say the same."
    )
    conflicts: list[ReducerConflict] = Field(max_length=10_000)


class PairsConflict(StructuredAnswer):
    """One set of statements that are at odds."""

    n: StrictInt = Field(description="Number of the set.")
    kind: ConflictKind
    about: str = Field(description="The subject, at most twelve words.")
    words: list[str] = Field(max_length=100, description="Verbatim, of each statement in its order.")


class PairsOther(StructuredAnswer):
    """One set of statements that are not."""

    n: StrictInt = Field(description="Number of the set.")
    why: NoConflict


class PairsAnswer(StructuredAnswer):
    """What the reducer returns of statements that are read a few at a time."""

    conflicts: list[PairsConflict] = Field(max_length=1_000)
    others: list[PairsOther] = Field(max_length=1_000)


class AtOdds(StructuredAnswer):
    """Two statements that are at odds."""

    between: list[StrictInt] = Field(max_length=100, description="Numbers of the two statements.")
    kind: ConflictKind
    about: str = Field(description="The subject, at most twelve words.")
    words: list[str] = Field(max_length=100, description="Verbatim, of each of the two in their order.")


class StatementsAnswer(StructuredAnswer):
    """What the reducer returns of statements that are read all at once."""

    at_odds: list[AtOdds] = Field(max_length=1_000)


class ToldGap(StructuredAnswer):
    """One thing that is missing."""

    n: StrictInt = Field(description="Number of the statement that shows it.")
    kind: GapKind
    words: str = Field(description="Verbatim from the statement.")
    beside: StrictInt = Field(description="Number of another statement that shows it, or 0.")
    about: str = Field(description="What is missing, at most twenty words.")


class GapsAnswer(StructuredAnswer):
    """What the reducer returns of statements that are read for what is missing."""

    gaps: list[ToldGap] = Field(max_length=1_000)


class ToldFindingVerdict(StructuredAnswer):
    """What the validator says of one finding."""

    n: StrictInt = Field(description="Number of the finding.")
    verdict: FindingVerdict
    useful: bool
    words: str = Field(description="Verbatim from its evidence.")
    reason: str = Field(description="One sentence.")


class FindingsAnswer(StructuredAnswer):
    """What the validator returns of findings."""

    findings: list[ToldFindingVerdict] = Field(max_length=1_000)


class ValidatorQuote(StructuredAnswer):
    """Words of one piece of evidence."""

    evidence: int
    text: str = Field(description="Verbatim from that evidence.")


class ValidatorAnswer(StructuredAnswer):
    """What the validator returns."""

    quotes: list[ValidatorQuote] = Field(max_length=1_000)
    reason: str = Field(description="One or two sentences.")
    verdict: VerdictLabel


class ExaminerPart(StructuredAnswer):
    """One thing that a claim says, and what the passages say to it."""

    words: str = Field(description="Verbatim from the claim.")
    quotes: list[ValidatorQuote] = Field(max_length=100)
    finding: Literal["stated", "contradicted", "not_stated"]


class ExaminerAnswer(StructuredAnswer):
    """What the examiner returns."""

    parts: list[ExaminerPart] = Field(max_length=200)
    reason: str = Field(description="One or two sentences.")
    verdict: ExaminerVerdict


class AssessedPair(StructuredAnswer):
    """What the assessor says of one pair of a part and a sentence."""

    pair: StrictInt = Field(description="Number of the pair.")
    part_words: list[str] = Field(max_length=100, description="Verbatim from the part.")
    sentence_words: list[str] = Field(max_length=100, description="Verbatim from the sentence.")
    reason: str = Field(description="One or two sentences.")
    verdict: AssessedVerdict


class AssessorAnswer(StructuredAnswer):
    """What the assessor returns."""

    pairs: list[AssessedPair] = Field(max_length=1_000)


class ReaderTime(StructuredAnswer):
    """A time of a norm."""

    kind: Literal["deadline", "frequency", "duration", "start"]
    text: list[str] = Field(max_length=5)
    trigger: str = ""


class ReaderNorm(StructuredAnswer):
    """One norm, by words of its provision."""

    at: StrictInt = Field(description="Number of the sentence that tells it.")
    further: list[str] = Field(
        default=[], max_length=100, description="Labels of the other sentences it takes words from."
    )
    kind: ReadKind
    holder: str = ""
    cue: list[str] = Field(default=[], max_length=10)
    action: list[str] = Field(max_length=100)
    subject: str = ""
    times: list[ReaderTime] = Field(default=[], max_length=20)
    conditions: list[str] = Field(default=[], max_length=50)
    exceptions: list[str] = Field(default=[], max_length=50)


class ReaderDefinition(StructuredAnswer):
    """One definition, by words of its provision."""

    at: StrictInt = Field(description="Number of the sentence that tells it.")
    further: list[str] = Field(default=[], max_length=100)
    term: str
    meaning: str
    form: Literal["meaning", "inclusion", "exclusion", "reference", "abbreviation", "name"]


class ReaderAnswer(StructuredAnswer):
    """What the reader returns."""

    norms: list[ReaderNorm] = Field(max_length=2_000)
    definitions: list[ReaderDefinition] = Field(max_length=2_000)
    nothing: list[StrictInt] = Field(max_length=2_000, description="Numbers of the sentences with neither.")
    suspicious: list[str] = Field(default=[], max_length=1_000)


class TracedStatement(StructuredAnswer):
    """One statement that rests on a change."""

    statement: StrictInt = Field(description="Number of the statement.")
    change: StrictInt = Field(description="Number of the change.")
    statement_words: str = Field(description="Verbatim from the statement.")
    before_words: str = Field(description="Verbatim from the provision before it changed.")
    reason: str = Field(description="One sentence.")


class TracerAnswer(StructuredAnswer):
    """What the tracer returns."""

    rests: list[TracedStatement] = Field(max_length=10_000)


class MapperItem(StructuredAnswer):
    """One statement; its fields are checked against the extraction schema."""

    type: str
    quote: str
    before: str = ""
    after: str = ""
    fields: dict[str, Any]
    confidence: float = Field(ge=0.0, le=1.0)


class MapperAnswer(StructuredAnswer):
    """What the mapper returns."""

    items: list[MapperItem] = Field(max_length=10_000)
    suspicious: list[str] = Field(default=[], max_length=1_000)


A = TypeVar("A", bound=StructuredAnswer)


def output_schema(shape: type[StructuredAnswer]) -> dict[str, Any]:
    """The JSON Schema of an answer, in the part of JSON Schema that the service enforces.

    All properties are asked for, also those that an answer may lack when it is read.
    """
    whole = shape.model_json_schema()
    return _enforced(whole, whole.get("$defs", {}))


def _enforced(part: Mapping[str, Any], definitions: Mapping[str, Any]) -> dict[str, Any]:
    """A part of pydantic's schema without titles, bounds, records' docstrings, and references, which are written out."""
    if "$ref" in part:
        part = definitions[part["$ref"].rpartition("/")[2]]
    if "enum" in part:
        return {"enum": part["enum"]}
    kept: dict[str, Any] = {"type": part["type"]}
    if "properties" in part:
        kept["properties"] = {name: _enforced(each, definitions) for name, each in part["properties"].items()}
        kept |= {"required": list(kept["properties"]), "additionalProperties": False}
    elif "description" in part:
        kept["description"] = part["description"]
    if "items" in part:
        kept["items"] = _enforced(part["items"], definitions)
    return kept


def parsed(answer: LlmAnswer, shape: type[A], role: str) -> A:
    """The structured answer in an answer's text.

    Raises:
        Malformed: not JSON, or not of this shape; ``context`` has the role, the place and what is wrong with it.
    """
    text = _readable(answer, role)
    try:
        return shape.model_validate_json(text)
    except ValidationError as error:
        first = error.errors()[0]
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
