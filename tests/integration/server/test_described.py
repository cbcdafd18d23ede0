"""The API does what its description says: asked by a program that reads nothing else."""

from __future__ import annotations

from typing import Any

import schemathesis
from hypothesis import HealthCheck, given, settings
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from tests.effort import FULL
from tests.integration.server.served import Served

CHECKS = [not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance]

WRITING = ("add_documents", "build", "validate", "decide", "decide_row")
"""Asked by who may not: who may changes the store, and asks in ``test_described_known``."""


def test_nothing_outside_of_its_description(server: Served) -> None:
    """No error of the server, no status, type or shape that the description does not name, whatever is asked."""
    described = schemathesis.openapi.from_asgi("/api/v1/openapi.json", server.app, headers={"Host": "localhost"})
    asked = 0
    for found in described.get_all_operations():
        operation: Any = found.ok()  # type: ignore[union-attr]
        name = operation.definition.raw["operationId"]
        if name != "follow_job":  # it has no end where a job has none
            who = "reader" if name in WRITING else "administrator"
            asked += _ask(operation, {"Authorization": f"Bearer {server.tokens[who]}", "Host": "localhost"})
    assert asked >= 150


def _ask(operation: Any, headers: dict[str, Any]) -> int:  # noqa: ANN401 - the library's own types are not exported
    """How many requests were sent to an operation."""
    asked = 0

    @settings(
        max_examples=40 if FULL else 5,
        deadline=None,
        derandomize=True,
        database=None,
        suppress_health_check=list(HealthCheck),
    )
    @given(case=operation.as_strategy())
    def ask(case: schemathesis.Case[Any]) -> None:
        nonlocal asked
        asked += 1
        case.call_and_validate(headers=headers, checks=CHECKS)

    ask()
    return asked
