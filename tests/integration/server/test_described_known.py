"""The API does what its description says of what there is: asked by an administrator, with ids that exist, changes among it."""

from __future__ import annotations

import io
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from starlette.testclient import TestClient

from coditect import BuildSettings
from coditect.compose import open_knowledge
from coditect.server.access.callers import Caller
from coditect.server.jobs.records import Job
from coditect.server.jobs.shelf import Shelf
from coditect.transparency.custody.key_files import write_key_file
from coditect.transparency.notes import SigningKey
from tests.corpora import CORPUS, folder_of
from tests.effort import FULL
from tests.integration.server.served import Served, served, settings_at, store_of_two, tokens_at
from tests.integration.server.test_described import CHECKS
from tests.unit.documents.documents import pdf

INTERRUPTED = "f" * 32
"""A job that a restart interrupted."""


@dataclass(frozen=True)
class Known:
    """What there is to ask for.

    Attributes:
        served: the server.
        places: values for what stands in paths, by parameter; some operations have their own, by "operation.parameter".
    """

    served: Served
    places: dict[str, str]

    @property
    def statement(self) -> str:
        """An extraction of the current generation, that may be decided of."""
        asked: dict[str, Any] = {"query": "password", "tier": "extraction", "limit": 1, "gate": False}
        client = self.served.client("administrator")
        hits: Any = client.get(f"/api/v1/corpora/{CORPUS}/query", params=asked).json()
        return str(hits["hits"][0]["item"]["item_id"])

    @property
    def row(self) -> dict[str, Any]:
        """A row of a crosswalk, that may be decided of."""
        client = self.served.client("administrator")
        found: Any = client.get(f"/api/v1/corpora/{CORPUS}/crosswalk", params={"framework": "access.md"}).json()
        return {"frameworks": ["access.md"], "document": "access.md", "part_id": found["rows"][0]["part_id"]}

    def path(self, operation: str, name: str) -> str | None:
        """The value for a parameter of a path."""
        return self.places.get(f"{operation}.{name}", self.places.get(name))


@pytest.fixture(scope="module")
def known(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Known]:
    """A server that signs its log, over two generations with a PDF among the documents, a file of a job, and a job to take up."""
    folder = tmp_path_factory.mktemp("known")
    place, key = folder / "store", folder / "log.key"
    store_of_two(place)
    write_key_file(key, SigningKey("log.example.com/tests", bytes(range(32))))
    more = folder_of(
        folder / "more", {"badge.md": "# Badges\n\n1 The porter shall collect each badge within 2 days.\n"}
    )
    (more / "duties.pdf").write_bytes(pdf([[(72, 700, "The clerk shall weigh each parcel within 3 days.")]]))
    with open_knowledge(settings_at(place).model_copy(update={"log_key": key})) as knowledge:
        knowledge.ingest(CORPUS, [more])
        knowledge.build(CORPUS, BuildSettings(topics=("incident", "access"), today="2026-06-01"))
        knowledge.checkpoint()
        view = knowledge.view(CORPUS)
        claim_id = view.summary.claims[0]
        version = next(each for each in view.documents.values() if each.name == "duties.pdf")
    tenant = settings_at(place).tenant
    Shelf(Path(f"{place}-work") / "jobs").write(
        Job(
            job_id=INTERRUPTED,
            kind="build",
            tenant=tenant,
            corpus_id=CORPUS,
            caller="a",
            asked_at="2026-06-01T00:00:00Z",
        )
    )
    with served(place, tokens_at(place), key) as found:
        client = found.client("administrator")
        made: Any = client.post(f"/api/v1/corpora/{CORPUS}/crosswalks", json={"frameworks": ["access.md"]}).json()
        _wait(client, made["job_id"])
        places = {
            "corpus_id": CORPUS, "document_id": version.version_id, "item_id": claim_id, "page": "1", "register": "all",
            "job_id": made["job_id"], "resume_job.job_id": INTERRUPTED, "index": "0", "level": "0", "place": "000.p/1",
            "subject": "claim",
        }  # fmt: skip
        yield Known(found, places)


def _wait(client: TestClient, job_id: str) -> None:
    while client.get(f"/api/v1/jobs/{job_id}").json()["state"] in ("queued", "running"):
        time.sleep(0.02)


QUERIES: dict[str, dict[str, Any]] = {
    "query": {"query": "access"},
    "get_rectangles": {"start": 0, "end": 9},
    "get_crosswalk": {"framework": ["access.md"]},
    "get_grid": {"standard": "access.md", "document": ["*"]},
    "get_log_consistency": {"first": 1, "second": 2},
}
"""Without which an operation has no answer."""


@pytest.fixture(scope="module")
def statuses_once(known: Known) -> Counter[tuple[str, int]]:
    """How often each operation answered with which status, each asked once, before anything else is."""
    bodies: dict[str, Any] = {
        "answer_questions": {"questions": [{"question": "Who collects each badge?"}]},
        "verify": {"text": "Employees shall not share passwords with anybody."},
        "decide": {"item_id": known.statement, "decision": "accept", "meaning": "read"},
        "decide_row": known.row | {"decision": "accept", "meaning": "read"},
        "make_crosswalk": {"frameworks": ["access.md"]},
        "build": {"today": "2026-06-01"},
    }
    statuses: Counter[tuple[str, int]] = Counter()
    for name, operation in _operations(known).items():
        given: dict[str, Any] = {"query": QUERIES.get(name, {}), "path_parameters": _places(known, operation)}
        if name in bodies:
            given |= {"body": bodies[name], "media_type": "application/json"}
        if name == "add_documents":  # the library makes multipart bodies of fields, not of files with names
            statuses[name, _upload(known)] += 1
            continue
        case = operation.Case(**given)
        statuses[name, case.call_and_validate(headers=_headers(known), checks=CHECKS).status_code] += 1
    return statuses


def test_each_operation_answers_as_described_where_there_is_something(
    known: Known, statuses_once: Counter[tuple[str, int]]
) -> None:
    """Every single one succeeds once: a proof, a page, the log, a job's file, a change that is made, a job that is done."""
    succeeded = {name for name, status in statuses_once if status in (200, 201, 202)}
    assert succeeded == set(_operations(known)), statuses_once
    client = known.served.client("administrator")
    for job in client.get("/api/v1/jobs").json()["jobs"]:
        _wait(client, job["job_id"])
    done = {each["kind"] for each in client.get("/api/v1/jobs").json()["jobs"] if each["state"] == "done"}
    assert done == {"ingest", "build", "validate", "crosswalk", "export"}


def test_the_log_is_served_as_the_command_writes_it(known: Known) -> None:
    """Each file that 'log serve-files' would write, for auditors; nothing that the checkpoint does not hold."""
    client = known.served.client("auditor")
    tenant = next(each for each in known.served.app.state.service.tenants if not each.endswith("-b"))
    knowledge = known.served.app.state.service.knowledge(Caller("auditor", tenant, "auditor"))
    client.get("/api/v1/log/checkpoint")
    files = dict(knowledge.log_files())
    size = int(files.pop("checkpoint").split(b"\n")[1])
    assert {path.split("/")[1] for path in files} >= {"0", "entries"}
    for path, data in files.items():
        file = client.get(f"/api/v1/log/{path}")
        assert (file.status_code, file.content) == (200, data), path
    last = next(path for path in files if path.startswith("tile/0/"))
    first = last.partition(".p/")[0] + ".p/1"
    shorter = client.get(f"/api/v1/log/{first}")
    assert (shorter.content, shorter.headers["etag"]) == (files[last][:32], f'"{first}"')
    again = client.get(f"/api/v1/log/{first}", headers={"If-None-Match": shorter.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    behind = f"{size // 256 + 1:03}"
    longer = [
        f"tile/0/{behind}.p/1",
        f"tile/entries/{behind}.p/1",
        f"tile/entries/{behind}",
        "tile/63/000",
        "tile/0/000.p/256",
    ]
    assert [client.get(f"/api/v1/log/{each}").status_code for each in longer] == [404] * len(longer)
    odd = ["tile/0/0", "tile/x/000", "tile/0/000.p/0256"]
    assert [client.get(f"/api/v1/log/{each}").status_code for each in odd] == [422] * len(odd)
    assert known.served.client("reader").get(f"/api/v1/log/{last}").status_code == 403


@pytest.mark.usefixtures("statuses_once")
def test_nothing_outside_of_the_description_by_who_may(known: Known) -> None:
    """Whatever else is sent with ids that exist: no error of the server, no status, type or shape that is not described."""
    statuses: Counter[tuple[str, int]] = Counter()
    for name, operation in _operations(known).items():
        if name not in (
            "follow_job",
            "export",
            "make_crosswalk",
        ):  # nothing but how long the jobs last depends on what is sent
            _ask(known, operation, statuses)
    asked = Counter(name for name, _ in statuses.elements())
    for name in ("add_documents", "build", "validate", "decide", "get_proof", "get_checkpoint", "get_log_proof"):
        assert asked[name] >= 1, statuses
        assert (name, 403) not in statuses
    assert sum(statuses.values()) >= 100


def _operations(known: Known) -> dict[str, Any]:
    described = schemathesis.openapi.from_asgi("/api/v1/openapi.json", known.served.app, headers={"Host": "localhost"})
    found: list[Any] = [each.ok() for each in described.get_all_operations()]  # type: ignore[union-attr]
    return {each.definition.raw["operationId"]: each for each in found}


def _headers(known: Known) -> dict[str, str]:
    return {"Authorization": f"Bearer {known.served.tokens['administrator']}", "Host": "localhost"}


def _places(known: Known, operation: Any) -> dict[str, Any]:  # noqa: ANN401 - the library's own types are not exported
    name = operation.definition.raw["operationId"]
    named = [each["name"] for each in operation.definition.raw.get("parameters", ()) if each["in"] == "path"]
    return {each: known.path(name, each) for each in named if known.path(name, each) is not None}


def _upload(known: Known) -> int:
    files = [("files", ("late.md", io.BytesIO(b"# Late\n\n1 The clerk shall wait.\n")))]
    return known.served.client("administrator").post(f"/api/v1/corpora/{CORPUS}/documents", files=files).status_code


def _ask(known: Known, operation: Any, statuses: Counter[tuple[str, int]]) -> None:  # noqa: ANN401 - see above
    name = operation.definition.raw["operationId"]

    @settings(
        max_examples=20 if FULL else 3,
        deadline=None,
        derandomize=True,
        database=None,
        suppress_health_check=list(HealthCheck),
    )
    @given(case=operation.as_strategy())
    def ask(case: schemathesis.Case[Any]) -> None:
        body = dict(case.body) if isinstance(case.body, dict) else case.body
        if name == "decide" and isinstance(body, dict) and "item_id" in body:
            body["item_id"] = known.statement
        places = {**(case.path_parameters or {}), **_places(known, operation)}
        changed = operation.Case(path_parameters=places, query=case.query, body=body, media_type=case.media_type)
        answered = changed.call_and_validate(headers=_headers(known), checks=CHECKS)
        statuses[name, answered.status_code] += 1

    ask()
