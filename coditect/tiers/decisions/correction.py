"""Corrections: what a person says was read wrongly, checked against the document and the model of the kind.

A correction names fields of the typed data, and ``kind``. Where a field holds words of the document, the new value must be words of
the document, too. What follows from other fields (``measures``) is made again from them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import cast, get_args

from pydantic import JsonValue, ValidationError

from coditect.errors import UsageError
from coditect.language.marks import Mark
from coditect.language.quantities.meaning import find_quantities
from coditect.language.quotes.places import Location, locate
from coditect.schemas import Extraction, ExtractionKind, NormData, PropositionData, QuantityData
from coditect.schemas.tier1.data import DATA_MODELS, CustomData, Tier1Data
from coditect.tiers.findings.measures import measures_of, stated_measures

__all__ = ["KIND", "corrected"]

KIND = "kind"
"""The name under which a correction changes what kind of extraction it is."""

_MADE = frozenset(("clause", "measures"))
"""Fields that are made from others."""

_MOST_SHOWN = 60
"""Code points of a value that are shown in an error."""

_LIMITS = {"deadline": frozenset(("deadline", "date", "duration")), "frequency": frozenset(("frequency",))}
"""Fields that hold a quantity with its place, and the kinds of quantities that it may be."""

_NORMALISED = frozenset(
    (
        *("modality", "strength", "form", "target_kind", "label", "document", "within", "about", "range_from"),
        *("quantity_kind", "value", "unit", "comparator", "relation", "currency", "per", "iso"),
    )
)
"""Fields whose text is no quote: what was read is kept in a form that can be compared."""

_LIMIT_FIELDS = {
    "deadline": ("comparator", "relation", "hours", "days", "months", "years", "business_days", "iso"),
    "frequency": ("per_year", "months", "comparator"),
}
"""What is read of such a quantity, beside its words and place."""


@dataclass(frozen=True, slots=True)
class _Quantity:
    start: int
    end: int
    data: Tier1Data


def corrected(
    record: Extraction, changes: Mapping[str, JsonValue], text: str
) -> tuple[ExtractionKind, dict[str, JsonValue]]:
    """The kind and the data of an extraction after a correction.

    Args:
        record: as it was read.
        changes: new values by field, ``kind`` among them; None empties a field.
        text: the canonical text of the document.
    Raises:
        UsageError: a field is unknown or made from others, a value is not of its type or not the document's words, or nothing is
            changed.
    """
    before = record.tier1_data.fields()
    kind = _kind(changes.get(KIND, record.extraction_kind))
    model = DATA_MODELS[kind]
    data = dict(before)
    if kind != record.extraction_kind:
        data = {name: value for name, value in before.items() if _known(name, model, {}) and name not in _MADE}
        if issubclass(model, NormData) and KIND in changes:
            data["strength"] = "optional" if kind == "permission" else "mandatory"
    for name, value in changes.items():
        if name == KIND:
            continue
        if name in _MADE or not _known(name, model, before if kind == record.extraction_kind else {}):
            raise UsageError(
                "a correction names a field that is not there, or that is made from others",
                field=name,
                kind=kind,
                hint="Fields of this kind: " + ", ".join(sorted(set(_fields(model)) - _MADE)) + ".",
            )
        data.pop(name, None)
        if value is not None:
            data[name] = _limit(record, name, value, text) if name in _LIMITS else _checked(name, value, model, text)
    try:
        typed = model.model_validate(data)
    except ValidationError as error:
        wrong = error.errors()[0]
        raise UsageError(
            "a corrected value is not of its type",
            field=".".join(map(str, wrong["loc"])),
            kind=kind,
            reason=str(wrong["msg"]),
        ) from error
    after = _measured(record, typed, text, before, changes).fields()
    if kind == record.extraction_kind and after == before:
        held = ", ".join(f"{name}={_shown(before.get(name))}" for name in sorted(set(_fields(model)) - _MADE))
        raise UsageError(
            "the correction changes nothing",
            extraction_id=record.extraction_id,
            hint=f"It is read as {kind} already. Its fields, and what they hold: {held}.",
        )
    return kind, after


def _shown(value: JsonValue) -> str:
    """A value as somebody would write it who corrects it; "-" where there is none."""
    told = "" if value is None else value if isinstance(value, str) else str(value)
    return (told if len(told) <= _MOST_SHOWN else f"{told[:_MOST_SHOWN]}…") or "-"


def _kind(value: JsonValue) -> ExtractionKind:
    if value not in DATA_MODELS:
        raise UsageError("unknown kind of extraction", kind=value, hint="One of: " + ", ".join(DATA_MODELS) + ".")
    return cast("ExtractionKind", value)


def _fields(model: type[Tier1Data]) -> tuple[str, ...]:
    return () if issubclass(model, CustomData) else tuple(model.model_fields)


def _known(name: str, model: type[Tier1Data], data: Mapping[str, JsonValue]) -> bool:
    return issubclass(model, CustomData) or name in model.model_fields or name in data


def _checked(name: str, value: JsonValue, model: type[Tier1Data], text: str) -> JsonValue:
    """A value whose texts are the document's where the field holds the document's words."""
    field = model.model_fields.get(name)
    if name in _NORMALISED or field is None or issubclass(model, CustomData) or str not in _types(field.annotation):
        return value
    if isinstance(value, list):
        return [_printed(name, each, text) if isinstance(each, str) else each for each in value]
    return _printed(name, value, text) if isinstance(value, str) else value


def _types(annotation: object) -> set[object]:
    """A type and all types that it is made of."""
    return {annotation}.union(*(_types(each) for each in get_args(annotation)))


def _printed(name: str, value: str, text: str) -> str:
    """The document's words that a value is, to the letter.

    Raises:
        UsageError: they are not there.
    """
    if value.strip() and value in text:
        return value
    found = locate(value, text)
    if isinstance(found, Location):
        return text[found.start : found.end]
    raise _not_printed(name, value, "the document")


def _not_printed(name: str, value: str, where: str) -> UsageError:
    return UsageError(
        f"a corrected value is not the words of {where}",
        field=name,
        value=value,
        hint="Give the words exactly as they stand there, with case and punctuation.",
    )


def _limit(record: Extraction, name: str, value: JsonValue, text: str) -> JsonValue:
    """A deadline or frequency: the printed words, with their place and, where they can be read, their meaning.

    Raises:
        UsageError: the words do not stand in the quote.
    """
    given = value if isinstance(value, dict) else {"text": value}
    words = given.get("text")
    start, end = record.char_offset_start, record.char_offset_end
    place = locate(words, text, within=(start, end)) if isinstance(words, str) and words.strip() else None
    if isinstance(words, str) and words and (at := text.find(words, start, end)) >= 0:
        place = Location(at, at + len(words), "exact")
    if not isinstance(place, Location):
        raise _not_printed(name, str(words), "the quote")
    read: dict[str, JsonValue] = {}
    for mark in find_quantities(text, start, end):
        if mark.start < place.end and place.start < mark.end and mark.data.get("quantity_kind") in _LIMITS[name]:
            found = {each: mark.data.get(each) for each in _LIMIT_FIELDS[name]}
            read = {each: cast("JsonValue", said) for each, said in found.items() if said is not None}
            break
    stated = {each: said for each, said in given.items() if each not in ("text", "start", "end") and said is not None}
    return {**read, **stated, "text": text[place.start : place.end], "start": place.start, "end": place.end}


def _measured(
    record: Extraction,
    data: Tier1Data,
    text: str,
    before: Mapping[str, JsonValue],
    changes: Mapping[str, JsonValue],
) -> Tier1Data:
    """Data with the measures that follow from them; a limit that was corrected does not count any more."""
    if not isinstance(data, NormData | PropositionData):
        return data
    start, end = record.char_offset_start, record.char_offset_end
    after = data.fields()
    gone = [limit for name in changes if name in _LIMITS and isinstance(limit := before.get(name), dict)]
    stays = [limit for name in _LIMITS if isinstance(limit := after.get(name), dict)]
    quantities = []
    for mark in find_quantities(text, start, end):
        found = next((limit for limit in stays if _overlap(mark, limit)), None)
        if found is not None or not any(_overlap(mark, limit) for limit in gone):
            said = {name: found[name] for name in ("hours", "per_year") if found and name in found}
            typed = QuantityData.model_validate({**mark.data, **said})
            quantities.append(_Quantity(mark.start, mark.end, typed))
    if isinstance(data, NormData):
        measures = measures_of(text, data, start, end, quantities)
    else:
        measures = stated_measures(text, start, end, quantities)
    return data.model_copy(update={"measures": measures or None})


def _overlap(mark: Mark, limit: Mapping[str, JsonValue]) -> bool:
    start, end = limit.get("start"), limit.get("end")
    return isinstance(start, int) and isinstance(end, int) and mark.start < end and start < mark.end
