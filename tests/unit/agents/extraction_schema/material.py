"""An extraction schema in both of its forms."""

from __future__ import annotations

from coditect.agents.extraction_schema.file import parse_extraction_schema
from coditect.agents.extraction_schema.schema import ExtractionSchema

YAML = """\
name: outsourcing
description: What a register of outsourcing needs.
types:
  service_level:
    description: A figure that a service must reach.
    required: [metric, target]
    fields:
      metric: {type: string, x-verbatim: true, description: What is measured.}
      target: {type: string, x-verbatim: true}
      percent: {type: number, minimum: 0, maximum: 100}
      period: {enum: [day, month, year]}
  subcontractor:
    fields:
      names: {type: array, items: {type: string}, x-verbatim: true, maxItems: 20}
      approval:
        type: object
        properties:
          by: {type: string}
          prior: {type: boolean}
        required: [prior]
"""

JSON = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "title": "outsourcing",
    "description": "What a register of outsourcing needs.",
    "type": "object",
    "properties": {
        "service_level": {
            "description": "A figure that a service must reach.",
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    "metric": {"type": "string", "x-verbatim": True, "description": "What is measured."},
                    "target": {"type": "string", "x-verbatim": True},
                    "percent": {"type": "number", "minimum": 0, "maximum": 100},
                    "period": {"enum": ["day", "month", "year"]},
                },
                "required": ["metric", "target"],
                "additionalProperties": False,
            },
        },
        "subcontractor": {
            "type": "object",
            "properties": {
                "names": {"type": "array", "items": {"type": "string"}, "x-verbatim": True, "maxItems": 20},
                "approval": {
                    "type": "object",
                    "properties": {"by": {"type": "string"}, "prior": {"type": "boolean"}},
                    "required": ["prior"],
                },
            },
        },
    },
}


def yaml(text: str) -> ExtractionSchema:
    """This text as a file would be read."""
    return parse_extraction_schema(text, "schema.yaml")
