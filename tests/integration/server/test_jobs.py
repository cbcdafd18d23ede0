"""Long work: taken once, told as it goes on, kept over a restart, and done in the caller's name."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from coditect.server.access.callers import Caller
from coditect.server.jobs.desk import MOST_WAITING, JobDesk
from coditect.server.problems import Problem
from coditect.server.service import Service, open_service
from tests.integration.server.served import Served, served, settings_at, store_of_two, tokens_at


@pytest.fixture(scope="module")
def own(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server that the tests of this file may change."""
    place = tmp_path_factory.mktemp("jobs") / "store"
    store_of_two(place)
    with served(place, tokens_at(place)) as found:
        yield found


def ended(client: TestClient, job_id: str) -> dict[str, Any]:
    """A job, when it has ended."""
    while True:
        job: dict[str, Any] = client.get(f"/api/v1/jobs/{job_id}").json()
        if job["state"] not in ("queued", "running"):
            return job
        time.sleep(0.02)


def test_documents_come_in_are_built_and_answer(own: Served) -> None:
    """From an upload to an answer; a bad file is told, and the good one goes on."""
    client = own.client("analyst")
    files = [
        ("files", ("rule.md", b"# Rule\n\n1 The clerk shall weigh each parcel.\n")),
        ("files", ("bad.pdf", b"no PDF")),
    ]
    taken = client.post("/api/v1/corpora/fresh/documents", files=files, data={"name": ["in/rule.md", "bad.pdf"]})
    assert (taken.status_code, taken.headers["location"]) == (202, f"/api/v1/jobs/{taken.json()['job_id']}")
    job = ended(client, taken.json()["job_id"])
    assert job["state"] == "done"
    assert [(each["name"], each["status"]) for each in job["result"]["files"]] == [
        ("bad.pdf", "failed"),
        ("in/rule.md", "added"),
    ]
    built = ended(client, client.post("/api/v1/corpora/fresh/builds", json={"today": "2026-06-01"}).json()["job_id"])
    assert (built["state"], built["result"]["generation"]) == ("done", 1)
    asked = {"query": "weigh parcel", "tier": "extraction"}
    hits: Any = client.get("/api/v1/corpora/fresh/query", params=asked).json()
    assert hits["hits"][0]["item"]["document_name"] == "in/rule.md"
    own.app.state.service.flush()
    trail: Any = own.client("auditor").get("/api/v1/audit?corpus_id=fresh&limit=1000").json()
    assert {each["who"] for each in trail["entries"] if each["kind"] in ("document", "generation")} == {"analyst"}


def test_a_failed_job_says_why(own: Served) -> None:
    """What the command line would have said."""
    client = own.client("analyst")
    job = ended(client, client.post("/api/v1/corpora/policies/builds", json={"topics": ["x" * 5000]}).json()["job_id"])
    assert job["state"] in ("failed", "done")
    checked = ended(
        own.client("auditor"), own.client("auditor").post("/api/v1/corpora/policies/validations").json()["job_id"]
    )
    assert checked["result"]["clean"] is True


def test_the_same_key_is_the_same_job(own: Served) -> None:
    """Asked twice, done once; of another request, or another caller, it is another matter."""
    client, key = own.client("analyst"), {"Idempotency-Key": "0123456789"}
    path = "/api/v1/corpora/policies/builds"
    first = client.post(path, json={}, headers=key)
    again = client.post(path, json={}, headers=key)
    assert first.json()["job_id"] == again.json()["job_id"]
    other = client.post(path, json={"max_topics": 3}, headers=key)
    assert (other.status_code, other.json()["title"]) == (409, "the idempotency key is of another request")
    theirs = own.client("administrator").post(path, json={}, headers=key)
    assert theirs.json()["job_id"] != first.json()["job_id"]
    for each in (first, theirs):
        ended(own.client("administrator"), each.json()["job_id"])


def test_jobs_of_others_are_unknown_but_to_an_administrator(own: Served) -> None:
    """Neither listed nor found nor followed."""
    job = own.client("analyst").post("/api/v1/corpora/policies/builds", json={}).json()["job_id"]
    for who in ("reader", "reviewer", "stranger"):
        client = own.client(who)
        assert client.get(f"/api/v1/jobs/{job}").status_code == 404
        assert client.get(f"/api/v1/jobs/{job}/events").status_code == 404
        assert job not in client.get("/api/v1/jobs").text
    assert job in own.client("administrator").get("/api/v1/jobs").text
    ended(own.client("analyst"), job)


def test_events_end_with_what_came_of_the_job(own: Served) -> None:
    """Server-sent events, each with the whole job."""
    client = own.client("analyst")
    job = client.post("/api/v1/corpora/policies/builds", json={}).json()["job_id"]
    told = client.get(f"/api/v1/jobs/{job}/events")
    assert told.headers["content-type"].startswith("text/event-stream")
    last = told.text.strip().split("\n\n")[-1].splitlines()
    assert last[0] == "event: done"
    assert json.loads(last[1].removeprefix("data: "))["job_id"] == job


CALLER = Caller("analyst", "tenant", "analyst")


@pytest.fixture
def service(tmp_path: Path) -> Iterator[Service]:
    """A service over an empty store."""
    from coditect.compose import open_knowledge

    with open_knowledge(settings_at(tmp_path / "store")) as knowledge:
        knowledge.ingest("c", [])
    with open_service(settings_at(tmp_path / "store"), work=tmp_path / "work") as found:
        yield found


def test_what_had_not_ended_is_told_as_interrupted_after_a_restart(service: Service) -> None:
    """Its upload is gone, its record stays; a file that is no job of this release is left as it is."""
    tenant = next(iter(service.tenants))
    caller = Caller("analyst", tenant, "analyst")
    desk = JobDesk(service)
    hold = threading.Event()

    def upload(folder: Path) -> None:
        (folder / "x.md").write_text("x")

    desk._workers.submit(hold.wait)  # the worker is busy, so the job waits
    job = desk.start(caller, "build", "c", prepare=upload)
    folder = service.work / "jobs"
    assert (folder / job.job_id / "x.md").exists()
    (folder / "later.json").write_text('{"format": "job/9"}')
    after = JobDesk(service)
    hold.set()
    found = after.find(caller, job.job_id)
    assert (found.state, found.problem and found.problem["title"]) == (
        "interrupted",
        "the server was restarted meanwhile",
    )
    assert not (folder / job.job_id).exists()
    assert (folder / "later.json").exists()
    desk.close()
    after.close()


def test_too_many_waiting_jobs_are_refused(service: Service) -> None:
    """With when to come again; an upload that cannot be written leaves nothing behind."""
    tenant = next(iter(service.tenants))
    caller = Caller("analyst", tenant, "analyst")
    desk = JobDesk(service)
    hold = threading.Event()
    desk._workers.submit(hold.wait)

    def broken(folder: Path) -> None:
        (folder / "half").write_bytes(b"x")
        raise Problem(422, "no")

    with pytest.raises(Problem):
        desk.start(caller, "ingest", "c", prepare=broken)
    assert list((service.work / "jobs").iterdir()) == []
    for _ in range(MOST_WAITING):
        desk.start(caller, "build", "c")
    with pytest.raises(Problem) as caught:
        desk.start(caller, "build", "c")
    assert (caught.value.status, caught.value.headers["Retry-After"]) == (503, "30")
    hold.set()
    desk.close()
