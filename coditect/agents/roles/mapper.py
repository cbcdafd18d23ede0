"""The mapper (Tier 1): statements of given kinds in one part of a document, each with its quote.

What a model returns counts only where the document has it: the quote is located in the text and replaced by what stands
there, fields that claim to be verbatim must stand inside the quote, and what fits neither the schema nor the text is
rejected, with a reason, and counted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

from coditect.agents.extraction_schema.json_schema import closed_schema, misfits
from coditect.agents.extraction_schema.schema import ExtractionSchema, StatementType, kind_of
from coditect.agents.roles.answers import MapperAnswer, MapperItem, output_schema, parsed
from coditect.agents.roles.fences import Fence, one_line
from coditect.agents.roles.passage_groups import PassageGroup
from coditect.agents.roles.quotes import cuts_word, find_words, leaves_out
from coditect.agents.roles.role import Role, system_of
from coditect.documents.readers.canonical import canonicalize
from coditect.language.quotes.places import Rejection, locate
from coditect.models.llm import LlmAnswer, LlmRequest, TextBlock
from coditect.schemas.tier1.data import ExtractionKind

__all__ = [
    "Mapped",
    "MappedItem",
    "Rejected",
    "mapper_request",
    "mapper_role",
    "read_mapped",
]

_LOST = object()
_LONGEST_PLACE = 100
_MOST_MISFITS = 5


@dataclass(frozen=True, slots=True)
class MappedItem:
    """A statement that stands in the document.

    Attributes:
        type: of the extraction schema.
        kind: of the Tier 1 record; "custom" for types that the house does not know.
        start: first code point in the document.
        end: one past the last.
        text: the document's text there.
        fields: fit the schema; names in sorted order, absent rather than empty; verbatim ones are as the document has them.
        confidence: the model's own, 0..1, in two digits.
        method: how the quote was located.
    """

    type: str
    kind: ExtractionKind
    start: int
    end: int
    text: str
    fields: Mapping[str, Any]
    confidence: float
    method: str


@dataclass(frozen=True, slots=True)
class Rejected:
    """What the model returned and the document or the schema does not bear out.

    Attributes:
        reason: a few words, the same for the same cause.
        quote: as returned, cut to 200 code points.
        place: the field that is wrong, or "".
        whole: the item is gone; otherwise only the field.
    """

    reason: str
    quote: str
    place: str = ""
    whole: bool = True


@dataclass(frozen=True, slots=True)
class Mapped:
    """What one answer amounts to.

    Attributes:
        items: in document order, no two alike.
        rejections: in the order of the answer.
        suspicious: (start, end) in the document of text that addresses a model, in document order.
    """

    items: tuple[MappedItem, ...]
    rejections: tuple[Rejected, ...] = ()
    suspicious: tuple[tuple[int, int], ...] = ()

    @property
    def rejected(self) -> Mapping[str, int]:
        """Rejections by reason."""
        return dict(sorted(Counter(each.reason for each in self.rejections).items()))


def mapper_role(role: Role, schema: ExtractionSchema) -> Role:
    """The mapper for a schema: with the shape of its answers, which its version then covers."""
    shape = output_schema(MapperAnswer)
    item = shape["properties"]["items"]["items"]
    shape["properties"]["items"]["items"] = {"anyOf": [_shape_of(each, item) for each in schema.types.values()]}
    return replace(role, output_schema=shape)


def mapper_request(role: Role, schema: ExtractionSchema, group: PassageGroup) -> LlmRequest:
    """Ask for the statements of a group. What is the same for all groups comes first."""
    fence = Fence.around((group.document_name, group.text))
    return mapper_role(role, schema).request(
        TextBlock(fence.wrap("document", group.text, name=group.document_name)),
        system=system_of(role, schema.instructions()),
    )


def read_mapped(answer: LlmAnswer, schema: ExtractionSchema, group: PassageGroup) -> Mapped:
    """What an answer says that the group bears out.

    Raises:
        Malformed: not of the asked-for shape.
    """
    found = parsed(answer, MapperAnswer, "mapper")
    items: dict[tuple[Any, ...], MappedItem] = {}
    rejections: list[Rejected] = []
    for raw in found.items:
        read, refused = _item(raw, schema, group)
        rejections += refused
        if read is not None:
            key = (read.start, read.end, read.type, repr(read.fields))
            if key not in items or items[key].confidence < read.confidence:
                items[key] = read
    suspicious = set()
    for quote in found.suspicious:
        place = locate(quote, group.text)
        if isinstance(place, Rejection):
            rejections.append(Rejected(f"suspicious text: {place.reason}", one_line(quote, 200)))
        else:
            suspicious.add((group.offset + place.start, group.offset + place.end))
    ordered = sorted(items.values(), key=lambda item: (item.start, item.end, item.type, repr(item.fields)))
    return Mapped(tuple(ordered), tuple(rejections), tuple(sorted(suspicious)))


def _item(raw: MapperItem, schema: ExtractionSchema, group: PassageGroup) -> tuple[MappedItem | None, list[Rejected]]:
    """One item, or why not; and the fields that it lost."""
    quote = one_line(raw.quote, 200)
    kind = schema.types.get(raw.type)
    if kind is None:
        return None, [Rejected("no such type", quote, "type")]
    place = locate(raw.quote, group.text, before=raw.before, after=raw.after)
    if isinstance(place, Rejection):
        return None, [Rejected(place.reason, quote, "quote")]
    if cuts_word(group.text, place.start, place.end):
        return None, [Rejected("cuts a word", quote, "quote")]
    if leaves_out(group.text, place.start, place.end):
        return None, [Rejected("leaves out words that limit it", quote, "quote")]
    text = group.text[place.start : place.end]
    lost: list[str] = []
    fields = _as_printed(_present(raw.fields), kind.fields, text, "", lost)
    refused = [Rejected("not in the quote", quote, name, whole=False) for name in lost]
    wrong = [
        Rejected(why, quote, one_line(".".join(map(str, path)), _LONGEST_PLACE))
        for path, why in islice(misfits(fields, kind.fields), _MOST_MISFITS)
    ]
    if wrong:
        return None, [*refused, *wrong]
    start = group.offset + place.start
    read = MappedItem(
        type=raw.type,
        kind=kind_of(raw.type),
        start=start,
        end=start + len(text),
        text=text,
        fields=_sorted(fields),
        confidence=round(raw.confidence, 2),
        method=place.method,
    )
    return read, refused


def _shape_of(each: StatementType, item: Mapping[str, Any]) -> dict[str, Any]:
    """The shape of an item of one type, from that of any."""
    fields = closed_schema(each.fields, bounded=False)
    return {**item, "properties": {**item["properties"], "type": {"const": each.name}, "fields": fields}}


def _present(value: Any) -> Any:  # noqa: ANN401 - any JSON value
    """Without nulls, empty texts, lists and objects: what is not said is absent."""
    if isinstance(value, dict):
        kept = {name: _present(each) for name, each in value.items()}
        return {name: each for name, each in kept.items() if each not in (None, "", [], {})}
    if isinstance(value, list):
        return [each for each in map(_present, value) if each not in (None, "", [], {})]
    return canonicalize(value).strip() if isinstance(value, str) else value


def _sorted(value: Any) -> Any:  # noqa: ANN401 - any JSON value
    if isinstance(value, dict):
        return {name: _sorted(value[name]) for name in sorted(value)}
    return [_sorted(each) for each in value] if isinstance(value, list) else value


def _as_printed(value: Any, schema: Mapping[str, Any], text: str, path: str, lost: list[str]) -> Any:  # noqa: ANN401 - any JSON value
    """A value with its verbatim texts as the quote has them.

    Args:
        value: of a field, or all fields.
        schema: of it; empty for what is none.
        text: the quote.
        path: of the value.
        lost: takes the paths of verbatim texts that the quote does not have; these are left out.
    """
    if schema.get("type") == "object" and isinstance(value, dict):
        properties = schema["properties"]
        found = {
            name: _as_printed(each, properties.get(name, {}), text, f"{path}.{name}" if path else name, lost)
            for name, each in value.items()
        }
        return {name: each for name, each in found.items() if each is not _LOST}
    if schema.get("type") == "array" and isinstance(value, list):
        elements = [_as_printed(each, schema["items"], text, path, lost) for each in value]
        return [each for each in elements if each is not _LOST]
    if not schema.get("x-verbatim") or not isinstance(value, str):
        return value
    place = find_words(value, text)
    if place is None:
        lost.append(path)
        return _LOST
    return text[place[0] : place[1]]
