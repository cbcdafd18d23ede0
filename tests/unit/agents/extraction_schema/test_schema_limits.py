"""How large an extraction schema may be, at the very limits."""

from __future__ import annotations

from pathlib import Path

import pytest

from coditect.agents.extraction_schema.file import load_extraction_schema, parse_extraction_schema
from coditect.agents.extraction_schema.json_schema import misfits
from coditect.errors import SchemaError
from tests.unit.agents.extraction_schema.material import yaml

FIELD = "types:\n  fee:\n    fields:\n      b: "


def _refusal(text: str) -> str:
    with pytest.raises(SchemaError) as caught:
        yaml(text)
    return caught.value.message


def test_file_of_262144_bytes_is_read(tmp_path: Path) -> None:
    """One more is too large."""
    path = tmp_path / "a.yaml"
    text = FIELD + "{type: string}\n#"
    path.write_text(text + "x" * (262_144 - len(text)), encoding="utf-8")
    assert list(load_extraction_schema(path).types) == ["fee"]
    path.write_text(text + "x" * (262_145 - len(text)), encoding="utf-8")
    with pytest.raises(SchemaError, match="too large"):
        load_extraction_schema(path)


def test_nesting_is_counted_as_it_is() -> None:
    """24 levels are looked at and refused for another reason; what was closed before does not count."""
    inner = {depth: "[" * (depth - 1) + "]" * (depth - 1) for depth in (24, 25)}
    assert _refusal(f"types: {inner[24]}") != "nested too deep"
    assert _refusal(f"types: {inner[25]}") == "nested too deep"
    closed = "".join(f"a{n}: []\n" for n in range(30))
    assert _refusal(f"{closed}types: {inner[24]}") != "nested too deep"
    assert _refusal(f"{closed}types: {inner[25]}") == "nested too deep"


@pytest.mark.parametrize(
    ("depth", "kind", "fits"),
    [(1, "string", True), (3, "string", True), (4, "string", False), (2, "array", True), (3, "array", False)],
)
def test_objects_and_lists_are_four_deep_at_most(depth: int, kind: str, fits: bool) -> None:
    """The fields of a statement are the first of them."""
    last = "{type: string}" if kind == "string" else "{type: array, items: {type: string}}"
    text = FIELD + "{type: object, properties: {c: " * depth + last + "}}" * depth + "\n"
    if fits:
        assert yaml(text).types
    else:
        assert _refusal(text) == "fields are nested too deep"


@pytest.mark.parametrize(
    ("kind", "low", "high"),
    [("integer", "minimum", "maximum"), ("string", "minLength", "maxLength"), ("array", "minItems", "maxItems")],
)
def test_bounds_may_be_one_or_equal(kind: str, low: str, high: str) -> None:
    """Only those that nothing fits are refused."""
    items = ", items: {type: string}" if kind == "array" else ""
    for bounds in (f"{low}: 3", f"{high}: 3", f"{low}: 3, {high}: 3", f"{low}: 2, {high}: 3"):
        assert yaml(f"{FIELD}{{type: {kind}, {bounds}{items}}}\n").types
    assert _refusal(f"{FIELD}{{type: {kind}, {low}: 3, {high}: 2{items}}}\n") == "bounds that nothing fits"


def test_fields_that_need_not_be_there_are_counted_over_all_types() -> None:
    """Twenty-four are enough, wherever they stand; what is required does not count, though what is inside it may."""
    inner = "{type: array, items: {type: object, properties: {x: {type: string}, y: {type: string}}, required: [x]}}"

    def types(optional: int) -> str:
        listed = "".join(f"      c{n}: {{type: string}}\n" for n in range(optional))
        return f"{FIELD}{inner}\n    required: [b]\n  other:\n    fields:\n{listed}"

    assert len(yaml(types(23)).types) == 2
    assert _refusal(types(24)) == "too many fields that need not be there"


def test_what_was_found_is_told_in_80_characters() -> None:
    """Of a value and of a name that is not known."""
    for text, key in ((f"name: {'x' * 5000}\n{FIELD}{{type: string}}\n", "found"), (f"{'y' * 90}: 1\n", "keyword")):
        with pytest.raises(SchemaError) as caught:
            yaml(text)
        assert len(caught.value.context[key]) == 80


@pytest.mark.parametrize(
    ("schema", "value", "fits"),
    [
        ("{type: string}", "x" * 10_000, True),
        ("{type: string}", "x" * 10_001, False),
        ("{type: array, items: {type: integer}}", [1] * 200, True),
        ("{type: array, items: {type: integer}}", [1] * 201, False),
        ("{type: integer}", 2**53, True),
        ("{type: integer}", -(2**53), True),
        ("{type: integer}", 2**53 + 1, False),
        ("{type: integer}", -(2**53) - 1, False),
        ("{type: integer}", 1.5, False),
        ("{type: number}", 1.5, True),
        ("{type: number}", True, False),
        ("{type: number}", float("inf"), False),
        ("{type: boolean}", True, True),
    ],
)
def test_values_are_bounded_where_a_field_says_nothing(schema: str, value: object, fits: bool) -> None:
    """Texts, lists, and numbers that every library keeps."""
    (fee,) = yaml(f"{FIELD}{schema}\n").types.values()
    assert (not list(misfits({"b": value}, fee.fields))) is fits


def test_name_is_that_of_the_text_or_the_given_one() -> None:
    """Tabs are white space in JSON."""
    assert parse_extraction_schema(FIELD + "{type: string}\n", "a.yaml").name == "custom"
    assert (
        parse_extraction_schema('{"types":\t{"fee": {"fields": {"b": {"type": "string"}}}}}', "A.JSON").name == "custom"
    )


@pytest.mark.parametrize(
    ("field", "told"),
    [
        ("{type: string, x-verbatim: true}", "- b (optional, verbatim)"),
        ("{type: array, items: {type: string, x-verbatim: true}}", "- b (optional, verbatim)"),
        ("{type: array, items: {type: string}, x-verbatim: true}", "- b (optional, verbatim)"),
        ("{type: array, items: {type: string}}", "- b (optional)"),
        ("{type: array, description: Some., items: {type: string, description: One.}}", "- b (optional): Some."),
        ("{type: array, items: {type: string, description: One.}}", "- b (optional): One."),
    ],
)
def test_model_is_told_what_is_verbatim(field: str, told: str) -> None:
    """A list is as its elements are."""
    assert yaml(f"{FIELD}{field}\n").instructions().split("\n")[-1] == told
