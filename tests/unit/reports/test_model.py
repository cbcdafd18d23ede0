from __future__ import annotations

import pytest
from pydantic import BaseModel, ValidationError

import coditect.reports.model as model
from coditect.reports.model import AuditReport
from tests.unit.reports.reports import report


def test_every_field_is_described() -> None:
    """The JSON Schema of the report explains each of its fields."""
    parts = [each for each in vars(model).values() if isinstance(each, type) and issubclass(each, BaseModel)]
    own = [each for each in parts if each.__module__ == model.__name__]
    assert len(own) == len(model.__all__) - 1
    assert [
        f"{part.__name__}.{name}" for part in own for name, field in part.model_fields.items() if not field.description
    ] == []


def test_report_survives_json() -> None:
    """The JSON holds the whole report: reading it back gives an equal one."""
    made = report()
    assert AuditReport.model_validate_json(made.model_dump_json(indent=2)) == made


def test_unknown_fields_are_refused() -> None:
    """A report of another shape is not read as this one."""
    with pytest.raises(ValidationError):
        AuditReport.model_validate({**report().model_dump(), "format": "audit-report/2"})
    with pytest.raises(ValidationError):
        AuditReport.model_validate({**report().model_dump(), "more": 1})
