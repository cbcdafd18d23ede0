"""Extraction schemas of users: read from YAML and JSON, or refused with file and place."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from coditect.agents.extraction_schema.default import DEFAULT, DEFAULT_EXTRACTION_SCHEMA
from coditect.agents.extraction_schema.file import MOST_BYTES, load_extraction_schema, parse_extraction_schema
from coditect.agents.extraction_schema.json_schema import SchemaPlaces, misfits
from coditect.agents.extraction_schema.schema import MOST_OPTIONAL, build_extraction_schema
from coditect.errors import SchemaError, UsageError
from tests.unit.agents.extraction_schema.material import JSON, YAML, yaml


def test_schema_is_the_same_in_both_forms() -> None:
    """The short form in YAML and the JSON Schema in JSON give equal schemas of equal versions."""
    one, other = yaml(YAML), parse_extraction_schema(json.dumps(JSON), "schema.json")
    assert one == other
    assert one.version == other.version
    assert list(one.types) == ["service_level", "subcontractor"]


def test_schema_is_loaded_from_files(tmp_path: Path) -> None:
    """YAML and JSON files are read by their names; a schema without a name has its file's."""
    (tmp_path / "mine.yaml").write_text(YAML.partition("\n")[2], encoding="utf-8-sig")
    (tmp_path / "mine.json").write_text("\t" + json.dumps(JSON, indent="\t"), encoding="utf-8")
    assert load_extraction_schema(tmp_path / "mine.yaml").name == "mine"
    assert load_extraction_schema(tmp_path / "mine.json") == yaml(YAML)


def test_schema_version_covers_everything() -> None:
    """Another description, bound, requirement, name or order of fields is another version: the model reads them all."""
    versions = {
        yaml(text).version
        for text in (
            YAML,
            YAML.replace("What is measured.", "What is counted."),
            YAML.replace("maximum: 100", "maximum: 99"),
            YAML.replace("[metric, target]", "[metric]"),
            YAML.replace("x-verbatim: true}\n      percent", "x-verbatim: false}\n      percent"),
            YAML.replace("name: outsourcing", "name: other"),
            YAML.replace(
                "by: {type: string}\n          prior: {type: boolean}",
                "prior: {type: boolean}\n          by: {type: string}",
            ),
        )
    }
    assert len(versions) == 7


def test_schema_content_is_all_of_it() -> None:
    """What is stored with a build is plain JSON and tells two schemas apart."""
    content = yaml(YAML).content()
    assert json.loads(json.dumps(content)) == content
    assert [each["name"] for each in content["types"]] == ["service_level", "subcontractor"]
    assert content["types"][0]["fields"]["properties"]["percent"] == {"type": "number", "minimum": 0, "maximum": 100}
    assert content != yaml(YAML.replace("maximum: 100", "maximum: 99")).content()


def test_schema_tells_the_model_each_type_and_field() -> None:
    """The instructions name types and fields with descriptions, and say what is required and what verbatim."""
    text = yaml(YAML).instructions()
    assert "# Kinds of statements: outsourcing\nWhat a register of outsourcing needs." in text
    assert (
        "## service_level\nA figure that a service must reach.\n- metric (required, verbatim): What is measured."
        in text
    )
    assert "- names (optional, verbatim)" in text
    assert "  - prior (required)" in text


def test_default_schema_has_the_houses_kinds() -> None:
    """Without a schema, obligations, prohibitions, permissions and definitions are among what is looked for."""
    assert {"obligation", "prohibition", "permission", "definition"} <= DEFAULT_EXTRACTION_SCHEMA.types.keys()
    assert DEFAULT_EXTRACTION_SCHEMA.version.startswith("compliance/")


REFUSED = {
    "not well-formed": ("types: {a: [}", 1, "not well-formed"),
    "a tab": ("types:\n\ta: 1", 2, "not well-formed"),
    "empty": ("", 1, "an extraction schema is empty"),
    "comment alone": ("# nothing\n", 1, "an extraction schema is empty"),
    "a list": ("- a\n", 1, "a mapping from names is expected here"),
    "a text": ("hello", 1, "a mapping from names is expected here"),
    "no types": ("name: x\n", 1, "an unknown keyword"),
    "neither form": (
        "title: x\n",
        1,
        "an extraction schema has 'types', or is the JSON Schema of an object with 'properties'",
    ),
    "empty types": ("name: x\ntypes: {}\n", 2, "nothing is named here"),
    "a misspelt key": ("types:\n  a:\n    felds: {}\n", 3, "an unknown keyword"),
    "capital letters": ("types:\n  Fee:\n    fields: {b: {type: string}}\n", 2, "not a name"),
    "a number of digits": ("types: " + "7" * 5_000 + "\n", 1, "a value cannot be read"),
    "a number": ("types:\n  7:\n    fields: {b: {type: string}}\n", 2, "not a name"),
    "a reserved type": ("types:\n  quantity:\n    fields: {b: {type: string}}\n", 2, "a reserved name"),
    "a reserved field": ("types:\n  fee:\n    fields:\n      quote: {type: string}\n", 4, "a reserved name"),
    "no fields": ("types:\n  fee:\n    description: x\n", 2, "nothing is named here"),
    "no type": ("types:\n  fee:\n    fields:\n      b: {description: x}\n", 4, "a field needs one type"),
    "two types": ("types:\n  fee:\n    fields:\n      b: {type: [string, 'null']}\n", 4, "a field needs one type"),
    "an unknown type": ("types:\n  fee:\n    fields:\n      b: {type: date}\n", 4, "a field needs one type"),
    "a pattern": (
        "types:\n  fee:\n    fields:\n      b:\n        type: string\n        pattern: (a+)+$\n",
        6,
        "an unknown keyword",
    ),
    "a reference": ("types:\n  fee:\n    fields:\n      b:\n        $ref: '#/x'\n", 5, "references are not read"),
    "alternatives": ("types:\n  fee:\n    fields:\n      b:\n        anyOf: []\n", 5, "an unknown keyword"),
    "a bound of another type": (
        "types:\n  fee:\n    fields:\n      b: {type: string, maximum: 3}\n",
        4,
        "an unknown keyword",
    ),
    "a bound that is none": (
        "types:\n  fee:\n    fields:\n      b: {type: number, maximum: .inf}\n",
        4,
        "a bound is a number",
    ),
    "a length that is none": (
        "types:\n  fee:\n    fields:\n      b: {type: string, maxLength: -1}\n",
        4,
        "a length is a whole number",
    ),
    "bounds crossed": (
        "types:\n  fee:\n    fields:\n      b: {type: integer, minimum: 3, maximum: 2}\n",
        4,
        "bounds that nothing fits",
    ),
    "a value that YAML turns": (
        "types:\n  fee:\n    fields:\n      b: {enum: [yes, no]}\n",
        4,
        "a value is not of the field's type",
    ),
    "a date": (
        "types:\n  fee:\n    fields:\n      b: {type: string, const: 2026-01-01}\n",
        4,
        "a value that JSON does not have",
    ),
    "a date that is none": ("types:\n  fee:\n    description: 2026-13-45\n", 3, "a value that JSON does not have"),
    "no values": ("types:\n  fee:\n    fields:\n      b: {enum: [], type: string}\n", 4, "'enum' is a list of values"),
    "a requirement of nothing": (
        "types:\n  fee:\n    fields: {b: {type: string}}\n    required: [c]\n",
        4,
        "'required' is a list of the fields' names",
    ),
    "verbatim numbers": (
        "types:\n  fee:\n    fields:\n      b: {type: integer, x-verbatim: true}\n",
        4,
        "'x-verbatim' is true or false, for texts and lists of texts",
    ),
    "open objects": (
        "types:\n  fee:\n    fields:\n      b: {type: object, properties: {c: {type: string}}, additionalProperties: true}\n",
        4,
        "every field must be named",
    ),
    "a name twice": ("types:\n  fee:\n    fields: {b: {type: string}}\n  fee: {}\n", 4, "a name stands twice"),
    "an alias": ("types: &t\n  fee: *t\n", 1, "anchors and aliases are not read"),
    "a foreign tag": ("types: !!python/object/apply:os.system ['true']\n", 1, "a value that JSON does not have"),
    "two documents": ("name: x\n---\nname: y\n", 2, "not well-formed"),
    "a NUL": ("name: x\ntypes: \x00\n", 2, "a character that no text file has"),
    "half a character": (
        'name: "\\ud800"\ntypes:\n  fee:\n    fields: {b: {type: string}}\n',
        1,
        "a character that no text file has",
    ),
    "deep nesting": ("types: " + "[" * 100 + "]" * 100, 1, "nested too deep"),
    "deep fields": (
        "types:\n  fee:\n    fields:\n      b: "
        + "{type: object, properties: {b: " * 5
        + "{type: string}"
        + "}}" * 5
        + "\n",
        4,
        "fields are nested too deep",
    ),
    "too many types": (
        "types:\n" + "".join(f"  t{n}: {{fields: {{b: {{type: string}}}}}}\n" for n in range(41)),
        1,
        "too many names",
    ),
    "too many optional fields": (
        "types:\n  fee:\n    fields:\n" + "".join(f"      b{n}: {{type: string}}\n" for n in range(MOST_OPTIONAL + 1)),
        1,
        "too many fields that need not be there",
    ),
}


@pytest.mark.parametrize(("text", "line", "message"), REFUSED.values(), ids=REFUSED.keys())
def test_schema_is_refused_with_file_and_line(text: str, line: int, message: str) -> None:
    """What is not read is refused; the error names the file and the line, and says what is wrong there."""
    with pytest.raises(SchemaError) as caught:
        yaml(text)
    assert (caught.value.message, caught.value.context["file"], caught.value.context["line"]) == (
        message,
        "schema.yaml",
        line,
    )


MISFITS: dict[str, tuple[dict[str, object], tuple[object, ...], str]] = {
    "a type": ({"metric": 5}, ("metric",), "not of type string"),
    "half a character": ({"metric": "\ud800"}, ("metric",), "not of type string"),
    "too long": ({"metric": "x" * 10_001}, ("metric",), "more than maxLength"),
    "a truth value": ({"percent": True}, ("percent",), "not of type number"),
    "no number": ({"percent": float("nan")}, ("percent",), "not of type number"),
    "a number that not every library keeps": ({"percent": 2**53 + 1}, ("percent",), "not of type number"),
    "too small": ({"percent": -1}, ("percent",), "less than minimum"),
    "too large": ({"percent": 101}, ("percent",), "more than maximum"),
    "another value": ({"period": "week"}, ("period",), "none of the enumerated values"),
    "no field": ({"z": 1}, ("z",), "not a field"),
    "too many": ({"names": ["x"] * 21}, ("names",), "more than maxItems"),
    "an element": ({"names": ["x", 1]}, ("names", 1), "not of type string"),
    "missing inside": ({"approval": {"by": "x"}}, ("approval", "prior"), "missing"),
    "no field inside": ({"approval": {"prior": True, "z": 1}}, ("approval", "z"), "not a field"),
}


@pytest.mark.parametrize(("value", "path", "reason"), MISFITS.values(), ids=MISFITS.keys())
def test_misfit_has_its_place_and_reason(value: dict[str, object], path: tuple[object, ...], reason: str) -> None:
    """What a model answers is held to type, bounds, values and names of its field, and told with its place."""
    level, contractor = yaml(YAML).types.values()
    if path[0] in contractor.fields["properties"]:
        assert list(misfits(value, contractor.fields)) == [(path, reason)]
    else:
        assert list(misfits({"metric": "m", "target": "t", **value}, level.fields)) == [(path, reason)]


def test_misfits_name_every_required_field_that_is_missing() -> None:
    """Each field that a statement must have and has not is named once."""
    level = yaml(YAML).types["service_level"]
    assert list(misfits({}, level.fields)) == [(("metric",), "missing"), (("target",), "missing")]


def test_default_schema_is_one_that_a_file_may_hold() -> None:
    """The default schema, which is not checked when it is made, passes the check of files."""
    assert build_extraction_schema(DEFAULT, SchemaPlaces("default"), "x") == DEFAULT_EXTRACTION_SCHEMA


def test_schema_library_is_loaded_where_a_file_or_an_answer_is_checked() -> None:
    """Importing roles and the default schema does not load the library that checks."""
    rooms = "coditect.agents.roles.mapper, coditect.agents.extraction_schema.default"
    code = f"import sys, {rooms} as _; print('jsonschema' in sys.modules)"
    assert subprocess.check_output([sys.executable, "-c", code], text=True).strip() == "False"


def test_schema_error_says_where_and_the_way_out() -> None:
    """Beside the line, an error names the path inside the schema and what would be right."""
    with pytest.raises(SchemaError) as caught:
        yaml("types:\n  fee:\n    fields:\n      b: {type: date}\n")
    assert caught.value.context["where"] == "types.fee.fields.b.type"
    assert caught.value.hint == "one of string, integer, number, boolean, array, object"


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ('{"types": {"fee": }}', 1),
        ('{\n"types": {"fee": {"fields": {"b": {"type": "string",}}}}}', 2),
        ("types:\n  fee: {}\n", 1),
        ('{"types": {\n"fee": {}, "fee": {}}}', 2),
        ('{"types": {\n"fee": {"fields": {"b": {"type": "strin"}}}}}', 2),
        ('{"types": {\n"fee": {"fields": {"b": {"type": "integer", "maximum": NaN}}}}}', 2),
    ],
)
def test_json_schema_is_refused_with_its_line(text: str, line: int) -> None:
    """JSON is held to JSON, not to YAML, and names its lines as well."""
    with pytest.raises(SchemaError) as caught:
        parse_extraction_schema(text, "schema.json")
    assert caught.value.context["line"] == line


def test_json_schema_with_a_type_that_is_no_object_is_refused() -> None:
    """In the JSON Schema form a kind of statement is an object, or a list of objects."""
    text = json.dumps({"type": "object", "properties": {"fee": {"type": "array", "items": {"type": "string"}}}})
    with pytest.raises(SchemaError, match="a kind of statement is an object"):
        parse_extraction_schema(text, "schema.json")


def test_schema_file_that_cannot_be_read_is_a_usage_error(tmp_path: Path) -> None:
    """A missing file or a folder is what the caller got wrong."""
    for path in (tmp_path / "missing.yaml", tmp_path):
        with pytest.raises(UsageError, match="cannot be read"):
            load_extraction_schema(path)


def test_schema_file_that_is_no_text_is_refused(tmp_path: Path) -> None:
    """Other encodings and huge files are refused before they are parsed."""
    path = tmp_path / "schema.yaml"
    path.write_bytes(b"name: x\ndescription: \xe4\n")
    with pytest.raises(SchemaError, match="not UTF-8") as caught:
        load_extraction_schema(path)
    assert caught.value.context["line"] == 2
    path.write_bytes(b"#" * (MOST_BYTES + 1))
    with pytest.raises(SchemaError, match="too large"):
        load_extraction_schema(path)


PIECES = (
    *(
        "types:",
        " fee:",
        "  fields:",
        "   b: {type: string}",
        "{",
        "}",
        "[",
        "]",
        "&a",
        "*a",
        "!!set",
        "? ",
        ": ",
        "- ",
    ),
    *("<<: ", '"', "'", "\n", "\t", "|", ">", "#", "yes", "1e9", "2026-01-01", "0x", "%", "@", "\u2028"),
)


@settings(deadline=None)
@given(
    st.lists(st.sampled_from(PIECES) | st.text(max_size=3), max_size=20).map("".join),
    st.sampled_from(("a.yaml", "a.json")),
)
def test_schema_is_read_or_refused_whatever_the_file_holds(text: str, file: str) -> None:
    """No text makes reading a schema fail otherwise than with SchemaError, and what is read can be asked for."""
    refused: SchemaError | None = None
    try:
        schema = parse_extraction_schema(text, file)
    except SchemaError as error:
        refused = error
    if refused is None:
        assert schema.types
        assert schema.version.encode()
    else:
        assert refused.context["file"] == file
        assert refused.context["line"] >= 1
        assert str(refused).encode("utf-8", "backslashreplace")


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(("metric", "by", "prior", "z")), inner),
    max_leaves=6,
)


@settings(deadline=None)
@given(VALUES)
def test_misfits_are_found_in_any_value(value: object) -> None:
    """Every JSON value fits a type's fields or has a place and a reason; nothing is raised."""
    for each in yaml(YAML).types.values():
        found = list(misfits(value, each.fields))
        assert all(isinstance(path, tuple) and reason for path, reason in found)
        assert found or isinstance(value, dict)
