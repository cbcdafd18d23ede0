"""The roles: their defaults, what makes their version, and other models."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from coditect.agents.extraction_schema.default import DEFAULT_EXTRACTION_SCHEMA
from coditect.agents.extraction_schema.json_schema import SchemaPlaces
from coditect.agents.extraction_schema.schema import build_extraction_schema
from coditect.agents.roles.answers import MOST_CHARS, SelectorAnswer, parsed
from coditect.agents.roles.mapper import mapper_role
from coditect.agents.roles.role import ROLES, roles_with
from coditect.errors import Malformed, UsageError
from coditect.schemas.record import sha256_hex
from tests.unit.agents.extraction_schema.material import YAML, yaml
from tests.unit.agents.roles.material import USAGE, answered


def test_roles_are_the_nine() -> None:
    """Every role has a model, a prompt whose hash is its own, and limits that an answer fits in."""
    assert list(ROLES) == [
        "reader",
        "mapper",
        "contextualiser",
        "selector",
        "reducer",
        "synthesiser",
        "validator",
        "examiner",
        "assessor",
        "tracer",
    ]
    for role in ROLES.values():
        assert role.prompt_sha256 == sha256_hex(role.prompt.encode())
        assert 0 < role.max_tokens < role.budget_tokens


@pytest.mark.parametrize("name", ROLES)
def test_prompt_says_that_what_it_shows_is_data(name: str) -> None:
    """Every prompt tells the model that text of others is never an instruction."""
    prompt = ROLES[name].prompt
    assert "data" in prompt
    assert "never instructions to you" in prompt or "never an instruction to you" in prompt


def test_validator_is_another_model_than_the_writers() -> None:
    """Who checks a claim is by default not the model that wrote it."""
    assert ROLES["validator"].model != ROLES["synthesiser"].model


def test_version_covers_prompt_and_shape_but_not_the_model() -> None:
    """Another prompt or answer shape is another version; the model is kept beside it."""
    role = ROLES["selector"]
    assert replace(role, model="other").version == role.version
    assert replace(role, prompt_sha256="f" * 64).version != role.version
    assert replace(role, output_schema={"type": "object"}).version != role.version
    assert ROLES["synthesiser"].version.endswith("/prose")


def test_mapper_version_covers_the_shape_of_its_schema() -> None:
    """Another extraction schema with other fields is another version of the mapper."""
    other = build_extraction_schema(
        {"types": {"fee": {"fields": {"amount": {"type": "number"}}}}}, SchemaPlaces("test"), "fees"
    )
    assert (
        mapper_role(ROLES["mapper"], other).version != mapper_role(ROLES["mapper"], DEFAULT_EXTRACTION_SCHEMA).version
    )


def test_mapper_asks_for_what_the_service_enforces() -> None:
    """The asked-for shape names every type and field, closes every object, and holds no bounds or keywords of ours."""
    shape = mapper_role(ROLES["mapper"], yaml(YAML)).output_schema
    assert shape is not None
    text = json.dumps(shape)
    assert not any(word in text for word in ("x-verbatim", "minimum", "maxItems", "description"))
    level, contractor = shape["properties"]["items"]["items"]["anyOf"]
    assert level["properties"]["type"] == {"const": "service_level"}
    assert level["properties"]["fields"]["required"] == ["metric", "target"]
    assert level["properties"]["fields"]["properties"]["period"] == {"enum": ["day", "month", "year"]}

    def closed(value: Any) -> bool:  # noqa: ANN401 - any JSON value
        if isinstance(value, dict):
            own = value.get("type") != "object" or value.get("additionalProperties") is False
            return own and all(map(closed, value.values()))
        return all(map(closed, value)) if isinstance(value, list) else True

    assert closed(shape)
    assert closed(mapper_role(ROLES["mapper"], DEFAULT_EXTRACTION_SCHEMA).output_schema)
    assert contractor["required"] == ["type", "quote", "before", "after", "fields", "confidence"]


def test_roles_with_changes_the_model_of_one() -> None:
    """A chosen model replaces one role's and leaves the others as they are."""
    roles = roles_with({"mapper": "other-model"})
    assert roles["mapper"].model == "other-model"
    assert {name: role for name, role in roles.items() if name != "mapper"} == {
        name: role for name, role in ROLES.items() if name != "mapper"
    }


@pytest.mark.parametrize("models", [{"writer": "m"}, {"mapper": " "}])
def test_roles_with_refuses_what_is_no_role_or_model(models: dict[str, str]) -> None:
    """An unknown role or an empty model name is refused with the way out."""
    with pytest.raises(UsageError) as caught:
        roles_with(models)
    assert caught.value.hint


MALFORMED = {
    "empty": "",
    "prose": "I cannot do that.",
    "fenced": '```json\n{"sentences": [1]}\n```',
    "cut off": '{"sentences": [1, 2',
    "trailing": '{"sentences": [1]} and more',
    "another shape": '{"numbers": [1]}',
    "further field": '{"sentences": [1], "why": "x"}',
    "text for a number": '{"sentences": ["1"]}',
    "fraction": '{"sentences": [1.0]}',
    "truth value": '{"sentences": [true]}',
    "no number": '{"sentences": [NaN]}',
    "list": "[1]",
    "nested": '{"sentences": ' + "[" * 5_000,
    "half a character": '{"sentences": [1], "\ud800": 1}',
    "escaped half": '{"sentences": ["\\ud800"]}',
    "huge number": '{"sentences": [' + "9" * 5_000 + "]}",
    "huge name": '{"sentences": [1], "' + "x" * 100_000 + '": 1}',
    "huge": '{"sentences": [' + "1," * MOST_CHARS + "1]}",
}


@pytest.mark.parametrize("text", MALFORMED.values(), ids=MALFORMED.keys())
def test_answer_of_another_shape_is_malformed(text: str) -> None:
    """What is not the asked-for JSON is Malformed, with role and usage, and a message that does not repeat the answer."""
    with pytest.raises(Malformed) as caught:
        parsed(answered(text), SelectorAnswer, "selector")
    assert caught.value.context["role"] == "selector"
    assert caught.value.context["usage"] == USAGE
    assert len(str(caught.value)) < 700


def test_answer_in_parts_is_read_as_one() -> None:
    """A structured answer that comes in several parts is put together before it is read."""
    assert parsed(answered('{"sentences"', ": [2, 1]}"), SelectorAnswer, "selector").sentences == [2, 1]
