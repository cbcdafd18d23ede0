"""Grids, questionnaires, conflicts and registers over HTTP: what the command line lists, in pages, and only for whom it is."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.command_line import invoke
from tests.corpora import CORPUS
from tests.integration.server.served import Served

TODAY = "2026-06-01"
C = f"/api/v1/corpora/{CORPUS}"


def _documents(server: Served) -> list[dict[str, Any]]:
    listed: list[dict[str, Any]] = server.client("reader").get(f"{C}/documents").json()["documents"]
    return listed


def test_a_grid_is_that_of_the_command_line(server: Served, place: Path) -> None:
    """For who may analyse, byte for byte."""
    first, second = (each["name"] for each in _documents(server)[:2])
    asked = {"standard": first, "document": second}
    words = ("grid", "--corpus-id", CORPUS, "--standard", first, "--document", second, "--format", "json")
    answered = server.client("analyst").get(f"{C}/grid", params=asked)
    assert (answered.status_code, answered.content) == (200, invoke(place, *words).stdout_bytes)
    assert server.client("reader").get(f"{C}/grid", params=asked).status_code == 403
    unknown = server.client("analyst").get(f"{C}/grid", params={"standard": "nothing.md"})
    assert (unknown.status_code, "coditect" in unknown.json()["detail"]) == (404, False)


def test_questions_are_answered_from_the_papers_that_may(server: Served) -> None:
    """With the place of each, and no more of them than can be waited for."""
    names = [each["name"] for each in _documents(server)]
    body: dict[str, Any] = {
        "questions": [{"sheet": "S", "row": 4, "number": "1.2", "question": "When are incidents reported?"}],
        "documents": names[:1],
        "today": TODAY,
    }
    answered = server.client("analyst").post(f"{C}/questionnaires", json=body)
    assert answered.status_code == 200
    told = answered.json()
    assert (told["today"], told["documents"], told["format"]) == (TODAY, names[:1], "questionnaire/2")
    (question,) = told["questions"]
    assert (question["sheet"], question["row"], question["number"]) == ("S", 4, "1.2")
    assert {each["document"] for each in question["quotes"]} <= set(names[:1])
    assert server.client("reader").post(f"{C}/questionnaires", json=body).status_code == 403
    many = {"questions": [{"question": "Why?"}] * 201}
    assert server.client("analyst").post(f"{C}/questionnaires", json=many).status_code == 422


def test_possible_conflicts_come_in_pages_that_add_up(server: Served, place: Path) -> None:
    """Pages of one pair are the pairs of the command, which says how many there are."""
    words = ("conflicts", "--corpus-id", CORPUS, "--today", TODAY, "--limit", "500", "--format", "json")
    wanted = json.loads(invoke(place, *words).stdout)
    assert wanted["total"] == len(wanted["conflicts"])
    client, rows, cursor = server.client("reader"), [], ""
    for _ in range(max(1, wanted["total"])):
        page: Any = client.get(f"{C}/conflicts", params={"today": TODAY, "limit": 1, "cursor": cursor}).json()
        assert page["total"] == wanted["total"]
        rows += page["conflicts"]
        cursor = page["next"]
    assert (rows, cursor) == (wanted["conflicts"], "")


@pytest.mark.parametrize("with_permissions", [False, True])
def test_registers_list_permissions_where_they_are_asked_for(
    server: Served, place: Path, with_permissions: bool
) -> None:
    """As the command does."""
    words = ("obligations", "--corpus-id", CORPUS, "--today", TODAY, "--format", "json")
    listed = invoke(place, *words, *(["--permissions"] if with_permissions else []))
    asked: dict[str, Any] = {"today": TODAY, "permissions": with_permissions, "limit": 1000}
    found = server.client("reader").get(f"{C}/registers/obligations", params=asked).json()
    assert found["rows"] == json.loads(listed.stdout)["rows"]


def test_rows_of_a_kind_are_those_of_the_register(server: Served) -> None:
    """A kind that the register has none of is refused with those that it has."""
    client = server.client("reader")
    everything = client.get(f"{C}/registers/all", params={"limit": 1000}).json()["rows"]
    kinds = {each["kind"] for each in everything}
    for kind in kinds:
        found = client.get(f"{C}/registers/all", params={"kind": kind, "limit": 1000}).json()["rows"]
        assert found == [each for each in everything if each["kind"] == kind]
    assert len(kinds) > 1
    refused = client.get(f"{C}/registers/obligations", params={"kind": "definition"})
    assert (refused.status_code, "obligation, prohibition" in refused.json()["detail"]) == (422, True)


def test_a_document_is_found_by_its_name(server: Served) -> None:
    """In its address, or in the list; an address that there is not says how."""
    client, first = server.client("reader"), _documents(server)[0]
    by_id = client.get(f"{C}/documents/{first['document_id']}")
    assert client.get(f"{C}/documents/{first['name']}").json() == by_id.json()
    assert client.get(f"{C}/documents", params={"name": first["name"]}).json()["documents"] == [first]
    lost = client.get(f"{C}/documents/folder%2F{first['name']}")
    assert (lost.status_code, "?name=" in lost.json()["detail"]) == (404, True)
    assert client.get(f"{C}/documents", params={"name": "nothing.md"}).status_code == 404


def test_an_extraction_is_told_with_its_words_and_place(server: Served) -> None:
    """The end of a chain is not an empty list."""
    client = server.client("reader")
    row = client.get(f"{C}/registers/obligations", params={"limit": 1}).json()["rows"][0]
    found = client.get(f"{C}/items/{row['item_id']}/sources").json()
    assert (found["sources"], found["item"]["text"]) == ([], row["text"])
    assert (found["item"]["char_offset_start"], len(found["item"]["raw_sha256"])) == (row["char_start"], 64)


def test_every_answer_of_records_is_described(server: Served) -> None:
    """No operation that answers JSON leaves a program with "anything"."""
    described: Any = server.client().get("/api/v1/openapi.json").json()
    bare = {
        operation["operationId"]
        for path in described["paths"].values()
        for operation in path.values()
        for status, told in operation["responses"].items()
        if status.startswith("2")
        and not told.get("content", {}).get("application/json", {"schema": True}).get("schema")
    }
    assert bare == {"get_report", "get_job_file"}  # files, whose schema is of what was asked for
