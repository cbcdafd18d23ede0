"""The mapper (Tier 1): statements of given kinds in one part of a document, each with its quote.

What a model returns counts only where the document has it: the quote is located in the text and replaced by what stands
there, fields that claim to be verbatim must stand inside the quote, and what fits neither the schema nor the text is
rejected, with a reason, and counted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

from coditect.agents.extraction_schema.fields import misfits
from coditect.agents.extraction_schema.schema import ExtractionSchema, kind_of
from coditect.agents.roles.answers import MapperAnswer, MapperItem, parsed
from coditect.agents.roles.fences import Fence, one_line
from coditect.agents.roles.quotes import cuts_word, find_words, leaves_out
from coditect.agents.roles.role import Role, system_of
from coditect.documents.readers.canonical import canonicalize
from coditect.language.quotes.places import Rejection, locate
from coditect.models.llm import Block, LlmAnswer, LlmRequest
from coditect.schemas.extraction import ExtractionKind

__all__ = [
    "GROUP_TOKENS",
    "Mapped",
    "MappedItem",
    "PassageGroup",
    "PassageSpan",
    "Rejected",
    "group_passages",
    "mapper_request",
    "mapper_role",
    "read_mapped",
]

GROUP_TOKENS = 6_000
"""Tokens of a group, by default: the instructions are then a tenth of the request, and the answer fits."""

_LONGEST_PLACE = 100
_MOST_MISFITS = 5


@dataclass(frozen=True, slots=True)
class PassageSpan:
    """A passage to be read.

    Attributes:
        start: first code point in the document.
        end: one past the last, > start.
        tokens: of it, > 0.
    """

    start: int
    end: int
    tokens: int


@dataclass(frozen=True, slots=True)
class PassageGroup:
    """Consecutive passages of one document.

    Attributes:
        document_name: for the model.
        text: the document's text from ``offset`` on, as far as the group goes; not empty.
        offset: where it begins in the document, in code points.
    """

    document_name: str
    text: str
    offset: int


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


def group_passages(
    document_name: str, text: str, passages: Iterable[PassageSpan], budget_tokens: int = GROUP_TOKENS
) -> tuple[PassageGroup, ...]:
    """Consecutive passages, as many in a group as its budget takes, and always one; no character is in two groups.

    Args:
        document_name: of the document.
        text: its canonical text.
        passages: of one level, in document order; they may overlap.
        budget_tokens: of a group, > 0.
    """
    spans: list[tuple[int, int]] = []
    tokens = 0
    for passage in passages:
        start = max(passage.start, spans[-1][1]) if spans else passage.start
        if start >= passage.end:
            continue
        if spans and tokens + passage.tokens <= budget_tokens:
            spans[-1] = (spans[-1][0], passage.end)
            tokens += passage.tokens
        else:
            spans.append((start, passage.end))
            tokens = passage.tokens
    return tuple(
        PassageGroup(document_name, text[start:end], start) for start, end in spans if not text[start:end].isspace()
    )


def mapper_role(role: Role, schema: ExtractionSchema) -> Role:
    """The mapper for a schema: with the shape of its answers, which its version then covers."""
    return replace(role, output_schema=schema.output_schema())


def mapper_request(role: Role, schema: ExtractionSchema, group: PassageGroup) -> LlmRequest:
    """Ask for the statements of a group. What is the same for all groups comes first."""
    fence = Fence.around((group.document_name, group.text))
    return LlmRequest(
        model=role.model,
        system=system_of(role, schema.instructions()),
        content=(Block(fence.wrap("document", group.text, name=group.document_name)),),
        max_tokens=role.max_tokens,
        output_schema=schema.output_schema(),
        effort=role.effort,
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
    refused: list[Rejected] = []
    fields = _present(raw.fields)
    lost: list[str] = []
    fields = _verbatim(fields, kind.fields, text, (), lost)
    refused += [Rejected("not in the quote", quote, name, whole=False) for name in lost]
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


def _verbatim(
    fields: Mapping[str, Any], schema: Mapping[str, Any], text: str, path: Sequence[str], lost: list[str]
) -> dict[str, Any]:
    """The fields, verbatim ones as ``text`` has them; those that it does not have are left out and named in ``lost``."""
    kept: dict[str, Any] = {}
    for name, value in fields.items():
        inner = schema["properties"].get(name, {})
        place = (*path, name)
        if inner.get("type") == "object" and isinstance(value, dict):
            kept[name] = _verbatim(value, inner, text, place, lost)
        elif inner.get("type") == "array" and isinstance(value, list):
            kept[name] = _elements(value, inner["items"], text, place, lost)
        elif inner.get("x-verbatim") and isinstance(value, str):
            found = _as_printed(value, text)
            if found:
                kept[name] = found
            else:
                lost.append(".".join(place))
        else:
            kept[name] = value
    return kept


def _elements(
    values: Sequence[Any], schema: Mapping[str, Any], text: str, path: Sequence[str], lost: list[str]
) -> list[Any]:
    kept: list[Any] = []
    for value in values:
        if schema["type"] == "object" and isinstance(value, dict):
            kept.append(_verbatim(value, schema, text, path, lost))
        elif schema.get("x-verbatim") and isinstance(value, str):
            found = _as_printed(value, text)
            kept += [found] if found else []
            lost += [] if found else [".".join(path)]
        else:
            kept.append(value)
    return kept


def _as_printed(value: str, text: str) -> str:
    """``value`` as ``text`` has it; "" if it has it not."""
    place = find_words(value, text)
    return "" if place is None else text[place[0] : place[1]]
