"""What docs/agents.md and docs/extraction-schemas.md say is so."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from coditect.agents.extraction_schema.file import parse_extraction_schema
from coditect.agents.extraction_schema.json_schema import meta_schema
from coditect.agents.extraction_schema.schema import MOST_OPTIONAL
from coditect.agents.roles.role import ROLES
from coditect.errors import SchemaError
from coditect.settings import Settings

DOCS = Path(__file__).resolve().parents[4] / "docs"
AGENTS = (DOCS / "agents.md").read_text(encoding="utf-8")
SCHEMAS = (DOCS / "extraction-schemas.md").read_text(encoding="utf-8")


def blocks(kind: str) -> list[str]:
    """The fenced examples of a kind."""
    return re.findall(rf"^```{kind}\n(.*?)^```", SCHEMAS, re.DOTALL | re.MULTILINE)


def test_documented_schemas_are_read() -> None:
    """Each example of a schema is one, and has the types that it shows."""
    (yaml,), (json,) = blocks("yaml"), blocks("json")
    assert list(parse_extraction_schema(yaml, "outsourcing.yaml").types) == [
        "service_level",
        "subcontractor",
        "obligation",
    ]
    assert parse_extraction_schema(json, "fees.json").name == "fees"


def test_documented_refusal_is_what_is_said() -> None:
    """The refused example is refused with the message that stands below it."""
    (refused,) = blocks("yaml refused")
    with pytest.raises(SchemaError) as caught:
        parse_extraction_schema(refused, "fees.yaml")
    assert str(caught.value) in SCHEMAS


def test_documented_limits_are_the_limits() -> None:
    """The numbers in the text are those of the meta-schema and the code."""
    types, fields = (meta_schema()["$defs"][name]["maxProperties"] for name in ("names_of_types", "fields"))
    assert f"At most {types} types of {fields} fields, {MOST_OPTIONAL} optional fields" in SCHEMAS


@pytest.mark.parametrize("name", ROLES)
def test_documented_role_has_its_model_and_limits(name: str) -> None:
    """The table of roles shows each role's default model and limits, and every role has a section."""
    role = ROLES[name]
    assert f"| {name} | `{role.model}` | {role.max_tokens:,} tokens | {role.budget_tokens:,} tokens |" in AGENTS
    assert f"### {name.capitalize()} (" in AGENTS


def test_documented_settings_are_there() -> None:
    """Every environment variable that the document names is a setting."""
    named = set(re.findall(r"CODITECT_([A-Z_]+)", AGENTS + SCHEMAS))
    assert {"LLM", "AGENTS", "EXTRACTION_SCHEMA"} <= named
    assert {each.lower() for each in named} <= Settings.model_fields.keys()
