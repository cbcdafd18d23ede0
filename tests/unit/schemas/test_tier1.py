"""What Tier 1 reads from a quote: typed by kind, and nothing that was ever stored is lost."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, get_args

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from coditect.schemas import (
    CrossReferenceData,
    CustomData,
    Deadline,
    DefinitionData,
    Extraction,
    ExtractionKind,
    NormData,
    ObligationData,
    PropositionData,
    canonical_json,
)
from coditect.schemas.tier1.data import DATA_MODELS, ExtractionData

KINDS: tuple[ExtractionKind, ...] = get_args(ExtractionKind)
MEASURE = {"kind": "deadline", "head": "notifi", "verb": "notify", "value": 72.0, "text": "72 hours"}
DUTY = {
    "action": "notify the clerk",
    "actor": "The Supplier",
    "clause": {"end": 60, "start": 0},
    "deadline": {"comparator": "within", "end": 50, "hours": 72.0, "start": 40, "text": "72 hours"},
    "measures": [MEASURE],
    "modality": "shall",
    "strength": "mandatory",
}
JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**53), 2**53)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=6),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=6,
)
FIELDS = sorted({name for model in DATA_MODELS.values() for name in model.model_fields} - {"root"})
STORED = st.dictionaries(st.sampled_from(FIELDS) | st.text(max_size=6), JSON | st.just(DUTY["deadline"]), max_size=6)


def _extraction(kind: str, data: object) -> Extraction:
    return Extraction.create(
        corpus_id="c",
        document_id="document_0123456789ab",
        version_id="v",
        derivation_id="d",
        extraction_kind=kind,
        tier1_data=data,
        source_text="The Supplier shall notify the clerk within 72 hours.",
        char_offset_start=0,
        char_offset_end=52,
        section_id="sec_1",
        confidence=0.9,
    )


def _stored(item: Extraction) -> Mapping[str, Any]:
    data: dict[str, Any] = json.loads(item.payload())["tier1_data"]
    return data


@given(st.sampled_from(KINDS), STORED)
def test_extraction_is_written_as_it_was_read(kind: ExtractionKind, data: dict[str, Any]) -> None:
    """Whatever a program stores under whatever kind comes out byte for byte, nulls and numbers included."""
    item = _extraction(kind, data)
    assert canonical_json(_stored(item)) == canonical_json(data)
    assert Extraction.parse(item.payload()) == item
    assert canonical_json(item.tier1_data.fields()) == canonical_json(data)
    assert isinstance(item.tier1_data, DATA_MODELS[kind] | CustomData)


@pytest.mark.parametrize("kind", KINDS)
def test_data_are_of_the_model_that_the_kind_names(kind: ExtractionKind) -> None:
    """The extraction's own kind is the tag; it does not stand in the data again."""
    item = _extraction(kind, {"note": "beside"})
    assert type(item.tier1_data) is DATA_MODELS[kind]
    assert item.tier1_data.more == {"note": "beside"}
    assert _stored(item) == {"note": "beside"}


def test_duty_has_its_parts_as_attributes() -> None:
    """What the rules write is read without a key, down to the deadline, and absent fields are None and not written."""
    item = _extraction("obligation", DUTY)
    data = item.tier1_data
    assert isinstance(data, ObligationData)
    assert (data.action, data.actor, data.condition, data.more) == ("notify the clerk", "The Supplier", None, {})
    assert isinstance(data.deadline, Deadline)
    assert (data.deadline.hours, data.deadline.days) == (72.0, None)
    assert [measure.value for measure in item.measures] == [72.0]
    assert _stored(item) == DUTY
    assert item.model_dump(mode="json", exclude_none=True)["tier1_data"] == DUTY


def test_data_given_as_a_model_are_kept() -> None:
    """A program may hand over the model of the kind; that of another kind is refused."""
    item = _extraction("definition", DefinitionData(term="Desk", aliases=("Table",)))
    assert _stored(item) == {"aliases": ["Table"], "term": "Desk"}
    with pytest.raises(ValidationError):
        _extraction("definition", ObligationData(action="sit"))
    with pytest.raises(ValidationError):
        _extraction("definition", "Desk")
    with pytest.raises(ValidationError):
        _extraction("unheard of", {})


@pytest.mark.parametrize(
    ("data", "term"),
    [({"term": "Desk", "form": None}, "Desk"), ({"term": "Desk", "form": "dance"}, "Desk"), ({"term": 7}, None)],
)
def test_data_in_a_shape_of_their_own_are_read_as_far_as_they_fit(data: dict[str, Any], term: str | None) -> None:
    """A null or an unknown form takes nothing from the fields beside it, and stays where it is."""
    item = _extraction("definition", data)
    assert isinstance(item.tier1_data, CustomData)
    assert item.read_as(DefinitionData).term == term
    assert item.read_as(DefinitionData).form is None
    assert _stored(item) == data


@pytest.mark.parametrize("value", ["72", "72.0", True])
def test_number_that_was_stored_as_something_else_stays_what_it_was(value: object) -> None:
    """A text that reads as a number, or a truth value, is none: it is written again as it was found."""
    deadline = {**DUTY["deadline"], "hours": value}  # type: ignore[dict-item]
    item = _extraction("obligation", {**DUTY, "deadline": deadline})
    assert isinstance(item.tier1_data, CustomData)
    assert canonical_json(_stored(item)["deadline"]) == canonical_json(deadline)


def test_data_are_read_as_no_other_kind() -> None:
    """A duty names no term, and a caller's own object is no duty whatever its fields are called."""
    assert _extraction("obligation", {"term": "Desk"}).read_as(DefinitionData) == DefinitionData()
    assert _extraction("custom", DUTY).read_as(NormData) == NormData()
    assert _extraction("custom", DUTY).measures == ()
    assert _extraction("prohibition", DUTY).read_as(NormData).action == DUTY["action"]
    assert _extraction("proposition", {"measures": [MEASURE], "subject": None}).measures[0].head == "notifi"
    assert _extraction("quantity", {"subject": "x"}).read_as(PropositionData) == PropositionData()


def test_finding_of_a_model_names_its_extraction_schema() -> None:
    """A model's deadline is the printed words; type, schema and method of the quote stand beside the known fields."""
    found = {
        "action": "notify",
        "deadline": "within 72 hours",
        "quote": "exact",
        "schema": "compliance/1",
        "type": "duty",
    }
    item = _extraction("obligation", found)
    assert isinstance(item.tier1_data, ObligationData)
    assert item.tier1_data.deadline == "within 72 hours"
    assert item.tier1_data.extraction_schema == "compliance/1"
    assert _extraction("custom", found).tier1_data.extraction_schema == "compliance/1"
    assert _extraction("obligation", DUTY).tier1_data.extraction_schema == ""


def test_data_cannot_be_changed() -> None:
    """Tier 1 is immutable."""
    data = CrossReferenceData(label="4.2")
    with pytest.raises(ValidationError):
        data.label = "4.3"  # type: ignore[misc]


def test_published_schema_tells_the_data_of_each_kind() -> None:
    """A program that reads the schema finds one alternative for each kind, and data that fit it are valid by it."""
    schema = Extraction.model_json_schema()
    by_kind = {
        each["properties"]["extraction_kind"]["const"]: each["properties"]["tier1_data"] for each in schema["oneOf"]
    }
    assert list(by_kind) == list(KINDS)
    for kind, data in by_kind.items():
        first = data if "$ref" in data else data["anyOf"][0]
        assert first["$ref"] == f"#/$defs/{DATA_MODELS[kind].__name__}"
    fitting = {**schema["$defs"]["ObligationData"], "$defs": schema["$defs"]}
    jsonschema.validate(DUTY, fitting)
    jsonschema.validate(_extraction("obligation", DUTY).model_dump(mode="json", exclude_none=True), schema)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({**DUTY, "actor": None}, fitting)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(
            {**_extraction("custom", {}).model_dump(mode="json", exclude_none=True), "extraction_kind": "duty"}, schema
        )


@pytest.mark.parametrize("model", [each for each in DATA_MODELS.values() if issubclass(each, ExtractionData)])
def test_known_fields_may_all_be_absent(model: type[ExtractionData]) -> None:
    """What a text does not say is not there; no field is invented."""
    assert model().fields() == {}
