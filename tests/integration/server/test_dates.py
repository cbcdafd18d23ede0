"""Every parameter of the API that takes a date refuses what the calendar does not have, by its name."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.corpora import CORPUS
from tests.integration.server.served import Served

DESCRIBED: dict[str, Any] = json.loads((Path(__file__).parents[3] / "schemas" / "openapi.json").read_text())
NO_DAYS = ("2026-94-10", "2026-02-30", "2026-W40-3", "soon")


def _takes_day(shape: dict[str, Any]) -> bool:
    """Whether a day is one of the things that a value may be."""
    return any("-\\d{2}-\\d{2}" in each.get("pattern", "") for each in (shape, *shape.get("anyOf", ())))


PARAMETERS = [
    (operation["operationId"], path, parameter["name"])
    for path, methods in DESCRIBED["paths"].items()
    for operation in methods.values()
    for parameter in operation.get("parameters", ())
    if _takes_day(parameter["schema"])
]
FIELDS = {
    (model, name)
    for model, shape in DESCRIBED["components"]["schemas"].items()
    for name, field in shape.get("properties", {}).items()
    if model.startswith("New") and _takes_day(field)
}


def test_every_parameter_that_is_a_day_is_described_as_one() -> None:
    """By its name or its words: none is plain text."""
    said = {
        (operation["operationId"], parameter["name"])
        for methods in DESCRIBED["paths"].values()
        for operation in methods.values()
        for parameter in operation.get("parameters", ())
        if parameter["name"] in ("today", "since", "until")
        or "day (" in parameter.get("description", "")
        or "The day" in parameter.get("description", "")
    }
    assert {(operation, name) for operation, _, name in PARAMETERS} == said
    assert said == {("list_changes", "before"), ("list_changes", "after")} | {
        (each, "today")
        for each in (
            "query",
            "list_documents",
            "list_register",
            "list_agreements",
            "list_conflicts",
            "list_waivers",
            "list_changes",
            "get_report",
        )
    }
    assert {("NewBuild", "today"), ("NewDecision", "until"), ("NewRowDecision", "until")} == FIELDS


@pytest.mark.parametrize(("operation", "path", "name"), PARAMETERS, ids=[f"{o}-{n}" for o, _, n in PARAMETERS])
def test_a_date_that_does_not_exist_is_a_request_that_is_not_valid(
    server: Served, operation: str, path: str, name: str
) -> None:
    """422, with the parameter and the form asked for."""
    url = path.format(corpus_id=CORPUS, register="all")
    with server.client("reader") as client:
        for given in NO_DAYS:
            answer = client.get(
                url, params={"query": "incident", name: given} if operation == "query" else {name: given}
            )
            told = answer.json()
            assert (answer.status_code, told["title"]) == (422, "the request is not valid"), given
            assert f"query.{name}: " in told["detail"]
            assert "YYYY-MM-DD" in told["detail"]


@pytest.mark.parametrize(
    ("path", "name", "body"),
    [
        ("builds", "today", {}),
        ("reviews", "until", {"item_id": "claim_1", "decision": "accept_risk", "meaning": "small"}),
        (
            "crosswalk/reviews",
            "until",
            {"frameworks": ["a"], "document": "a", "part_id": "1", "decision": "accept_risk", "meaning": "small"},
        ),
    ],
)
def test_a_date_that_does_not_exist_in_a_body_is_refused(
    server: Served, path: str, name: str, body: dict[str, str]
) -> None:
    """422, before anything is looked up or begun."""
    with server.client("administrator") as client:
        for given in NO_DAYS:
            answer = client.post(f"/api/v1/corpora/{CORPUS}/{path}", json={**body, name: given})
            assert answer.status_code == 422, given
            assert f"body.{name}: " in answer.json()["detail"]
            assert "YYYY-MM-DD" in answer.json()["detail"]


@pytest.mark.parametrize("given", ["0", "-1", "1.5", "٣", "²", "9" * 17, "20260930"])
def test_a_state_that_is_none_is_refused(server: Served, given: str) -> None:
    """Neither digits of other scripts nor numbers out of range end in an error of the server; a day is written with hyphens."""
    with server.client("reader") as client:
        answer = client.get(f"/api/v1/corpora/{CORPUS}/changes", params={"before": given})
        assert answer.status_code == (404 if given == "20260930" else 422)
        big = client.get(f"/api/v1/corpora/{CORPUS}/changes", params={"before": "9" * 16})
        assert big.status_code == 404
