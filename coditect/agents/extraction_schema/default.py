"""What the mapper extracts where no schema is given."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from coditect.agents.extraction_schema.json_schema import SchemaPlaces
from coditect.agents.extraction_schema.schema import ExtractionSchema, read_extraction_schema

__all__ = ["DEFAULT", "DEFAULT_EXTRACTION_SCHEMA"]


def _verbatim(description: str) -> dict[str, Any]:
    return {"type": "string", "description": description, "x-verbatim": True}


_ACTOR = _verbatim("Who is bound or entitled, as named in the quote.")
_ACTION = _verbatim("What is done, from the verb on, without actor and modal verb.")
_CONDITION = _verbatim("When or if it applies.")
_MODALITY = _verbatim("The words that bind or allow: shall, must, is required to, may not, is entitled to.")


def _norm(description: str, **optional: Mapping[str, Any]) -> dict[str, Any]:
    fields = {"modality": _MODALITY, "action": _ACTION, "actor": _ACTOR, "condition": _CONDITION, **optional}
    return {"description": description, "fields": fields, "required": ["modality", "action"]}


_TYPES: dict[str, Any] = {
    "obligation": _norm(
        "Somebody must do something. Not what a text merely declares to be so.",
        deadline=_verbatim("By when, within what time or how often."),
    ),
    "prohibition": _norm(
        "Somebody must not do something.", exception=_verbatim("What is exempt, from 'except' or 'unless' on.")
    ),
    "permission": _norm("Somebody may do something, or need not do it."),
    "definition": {
        "description": "A term is given a meaning.",
        "fields": {
            "term": _verbatim("The term, without quotation marks."),
            "definition": _verbatim("Its meaning, without 'means' or 'is'."),
        },
        "required": ["term", "definition"],
    },
    "deadline": {
        "description": "A point in time, a period or a frequency that something is bound to.",
        "fields": {
            "deadline": _verbatim("The time as printed: 'within 72 hours', 'annually'."),
            "action": _verbatim("What has to be done by then."),
            "event": _verbatim("What the time runs from."),
        },
        "required": ["deadline", "action"],
    },
    "exception": {
        "description": "Something is taken out of a rule.",
        "fields": {
            "exception": _verbatim("What is exempt."),
            "rule": _verbatim("What it is exempt from, where the quote says it."),
        },
        "required": ["exception"],
    },
    "role": {
        "description": "A person, function or body is given a responsibility.",
        "fields": {
            "role": _verbatim("The function or body."),
            "responsibility": _verbatim("What it is responsible for."),
            "holder": _verbatim("The person who holds it, where named."),
        },
        "required": ["role", "responsibility"],
    },
}

DEFAULT: Mapping[str, Any] = {
    "name": "compliance",
    "description": "Statements that a compliance reader looks for.",
    "types": _TYPES,
}
"""The schema in the short form of a file."""

# Not checked against the meta-schema here, which needs a library that most runs do without; a test does.
DEFAULT_EXTRACTION_SCHEMA: ExtractionSchema = read_extraction_schema(DEFAULT, SchemaPlaces("built in"), "compliance")
"""Obligations, prohibitions, permissions, definitions, deadlines, exceptions and roles."""
