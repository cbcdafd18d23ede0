"""Long work: taken once, told as it goes on, kept over a restart, and done in the caller's name."""

from __future__ import annotations

import hashlib
import io
import json
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from coditect.errors import NotFound
from coditect.schemas.quota import Quota
from coditect.server.access.callers import Caller
from coditect.server.access.gatekeeper import Keeper
from coditect.server.access.sessions import Sessions
from coditect.server.application import application
from coditect.server.jobs.desk import MOST_WAITING, JobDesk
from coditect.server.jobs.records import JobKind
from coditect.server.problems import Problem
from coditect.server.service import Service, open_service
from coditect.store.work import REGISTRAR, registered
from tests.corpora import folder_of
from tests.integration.server.served import OTHER, Served, served, settings_at, store_of_two, tokens_at
from tests.panics import Panic


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


def test_a_build_waits_for_the_upload_before_it(own: Served) -> None:
    """Asked at once, of a corpus that is not there yet; without an upload, and for who may not know of it, there is none."""
    client, hold = own.client("analyst"), threading.Event()
    own.app.state.jobs._workers.submit(hold.wait)  # the upload waits
    sent = {"files": [("files", ("rule.md", b"# Rule\n\n1 The clerk shall weigh each parcel.\n"))]}
    assert client.post("/api/v1/corpora/later/documents", **sent).status_code == 202  # type: ignore[arg-type]
    taken = client.post("/api/v1/corpora/later/builds", json={"today": "2026-06-01"})
    refused = [
        client.post("/api/v1/corpora/elsewhere/builds"),
        own.client("one").post("/api/v1/corpora/later/builds"),
        own.client("stranger").post("/api/v1/corpora/later/builds"),
    ]
    hold.set()
    assert [each.status_code for each in (taken, *refused)] == [202, 404, 404, 404]
    built = ended(client, taken.json()["job_id"])
    assert (built["state"], built["result"]["generation"]) == ("done", 1)


@pytest.mark.parametrize(("most", "status"), [(0, 422), (1, 202), (500, 202), (501, 422)])
def test_a_build_takes_as_many_topics_as_builds_can(own: Served, most: int, status: int) -> None:
    """What no build can be told is refused when it is asked, and breaks nothing."""
    client = own.client("analyst")
    asked = client.post("/api/v1/corpora/policies/builds", json={"max_topics": most})
    assert asked.status_code == status
    if status == 202:
        assert ended(client, asked.json()["job_id"])["state"] == "done"


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
    """Its upload and its record stay; a file that is no job of this release is left as it is, half an upload is removed."""
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
    (folder / ("f" * 32)).mkdir()
    after = JobDesk(service)
    hold.set()
    found = after.find(caller, job.job_id)
    assert (found.state, found.problem and found.problem["title"]) == (
        "interrupted",
        "the server was restarted meanwhile",
    )
    assert (folder / job.job_id / "x.md").exists()
    assert not (folder / ("f" * 32)).exists()
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


@pytest.mark.parametrize("fault", [ZeroDivisionError("a fault of ours"), Panic("a fault of ours")])
def test_a_job_that_breaks_has_failed(
    service: Service, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, fault: BaseException
) -> None:
    """Whatever broke it: it says so, the log says why, and the next job is done."""

    def breaks(*_: object) -> None:
        raise fault

    caller = Caller("chief", next(iter(service.tenants)), "administrator")
    desk = JobDesk(service)
    monkeypatch.setattr("coditect.server.jobs.desk.carry_out", breaks)
    kinds: tuple[JobKind, ...] = ("validate", "export")
    for job in [desk.start(caller, kind, "policies") for kind in kinds]:
        while not (told := desk.get(job.job_id)).ended:
            time.sleep(0.01)
        assert (told.state, told.problem) == ("failed", {"title": "the server could not do it", "status": 500})
    desk.close()
    assert caplog.text.count(f"{type(fault).__name__}: a fault of ours") == 2


def test_an_interrupted_upload_is_taken_up_again(service: Service) -> None:
    """Once, with what was sent; by its caller or an administrator alone; a job that was not interrupted is not."""
    tenant = next(iter(service.tenants))
    caller = Caller("analyst", tenant, "analyst")
    desk, hold = JobDesk(service), threading.Event()
    desk._workers.submit(hold.wait)

    def sent(folder: Path) -> None:
        (folder / "x.md").write_text("# X\n\n1 The clerk shall weigh it.\n")

    job = desk.start(
        caller,
        "ingest",
        "c",
        prepare=sent,
        key="the-same-key",
        content=lambda: "hash",
    )
    with pytest.raises(Problem, match="not interrupted"):
        desk.resume(caller, job.job_id)
    after = JobDesk(service)
    with pytest.raises(NotFound):
        after.resume(Caller("else", tenant, "analyst"), job.job_id)
    assert after.start(caller, "ingest", "c", key="the-same-key", content=lambda: "hash").state == "interrupted"
    assert after.resume(caller, job.job_id).state == "queued"
    while not (found := after.get(job.job_id)).ended:
        time.sleep(0.01)
    assert (found.state, found.result["files"][0]["status"]) == ("done", "added")
    assert not (service.work / "jobs" / job.job_id).exists()
    after.close()
    hold.set()
    desk.close()


def test_an_upload_that_is_gone_is_not_taken_up_again(service: Service) -> None:
    """It says that the files have to be sent again."""
    caller = Caller("analyst", next(iter(service.tenants)), "analyst")
    desk, hold = JobDesk(service), threading.Event()
    desk._workers.submit(hold.wait)
    job = desk.start(caller, "ingest", "c")
    after = JobDesk(service)
    (service.work / "jobs" / job.job_id).rmdir()
    with pytest.raises(Problem, match="is gone"):
        after.resume(caller, job.job_id)
    hold.set()
    desk.close()
    after.close()


def test_a_key_is_of_the_files_that_were_sent(own: Served) -> None:
    """Other bytes with the same key are another request."""
    client, path = own.client("analyst"), "/api/v1/corpora/fresh2/documents"
    key = {"Idempotency-Key": "upload-number-1"}
    first = client.post(path, files=[("files", ("a.md", b"# A\n"))], headers=key)
    again = client.post(path, files=[("files", ("a.md", b"# A\n"))], headers=key)
    other = client.post(path, files=[("files", ("a.md", b"# B\n"))], headers=key)
    assert first.json()["job_id"] == again.json()["job_id"]
    assert other.status_code == 409
    ended(client, first.json()["job_id"])


def test_an_export_is_an_archive_for_administrators(own: Served, tmp_path: Path) -> None:
    """What is downloaded is imported elsewhere with the same digest; nobody else gets it."""
    client = own.client("administrator")
    job = ended(client, client.post("/api/v1/corpora/policies/exports").json()["job_id"])
    file = client.get(f"/api/v1/jobs/{job['job_id']}/file")
    assert (len(file.content), hashlib.sha256(file.content).hexdigest()) == (
        job["download"]["size_bytes"],
        job["download"]["sha256"],
    )
    assert (
        client.get(f"/api/v1/jobs/{job['job_id']}/file", headers={"If-None-Match": file.headers["etag"]}).status_code
        == 304
    )
    from coditect.compose import open_knowledge

    with open_knowledge(settings_at(tmp_path / "elsewhere")) as elsewhere:
        assert elsewhere.import_archive(io.BytesIO(file.content)).corpus_digest == job["result"]["corpus_digest"]
    for who in ("reader", "analyst", "reviewer", "auditor"):
        assert own.client(who).post("/api/v1/corpora/policies/exports").status_code == 403
        assert own.client(who).get(f"/api/v1/jobs/{job['job_id']}/file").status_code == 404
    assert own.client("one").get(f"/api/v1/jobs/{job['job_id']}/file").status_code == 200
    assert own.client("stranger").get(f"/api/v1/jobs/{job['job_id']}/file").status_code == 404


@pytest.mark.parametrize("form", ["json", "jsonl", "csv", "xlsx", "oscal"])
def test_a_crosswalk_is_a_job_with_a_file(own: Served, form: str) -> None:
    """As JSON it is what the route gives at once; its result counts its rows."""
    client = own.client("analyst")
    name = client.get("/api/v1/corpora/policies/documents").json()["documents"][0]["name"]
    body = {"frameworks": [name], "format": form}
    job = ended(client, client.post("/api/v1/corpora/policies/crosswalks", json=body).json()["job_id"])
    assert (job["state"], job["step"]) == ("done", "compared")
    file = client.get(f"/api/v1/jobs/{job['job_id']}/file")
    assert file.headers["content-disposition"] == f'attachment; filename="{job["download"]["name"]}"'
    if form == "json":
        assert file.content == client.get("/api/v1/corpora/policies/crosswalk", params={"framework": name}).content
        assert job["result"]["rows"] == len(file.json()["rows"]) > 0


def test_a_crosswalk_that_a_model_is_to_read_fails_where_the_server_has_none(own: Served) -> None:
    """By name, and not as one that rules alone made."""
    client = own.client("analyst")
    name = client.get("/api/v1/corpora/policies/documents").json()["documents"][0]["name"]
    body = {"frameworks": [name], "assessed": True}
    job = ended(client, client.post("/api/v1/corpora/policies/crosswalks", json=body).json()["job_id"])
    assert job["state"] == "failed"
    assert "no language model is configured" in json.dumps(job)


def test_a_crosswalk_with_what_may_not_be_known_is_refused(own: Served) -> None:
    """A framework in a corpus of others is unknown."""
    body = {"framework_corpus": OTHER}
    assert own.client("one").post("/api/v1/corpora/policies/crosswalks", json=body).status_code == 404
    job = ended(
        own.client("administrator"),
        own.client("administrator").post("/api/v1/corpora/policies/crosswalks", json=body).json()["job_id"],
    )
    assert own.client("one").get(f"/api/v1/jobs/{job['job_id']}").status_code == 404
    assert own.client("analyst").get(f"/api/v1/jobs/{job['job_id']}/file").status_code == 404


def test_only_the_newest_files_are_kept(service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    """The oldest go, and say so."""
    monkeypatch.setattr("coditect.server.jobs.desk.KEPT_FILES", 1)
    caller = Caller("chief", next(iter(service.tenants)), "administrator")
    times = iter(f"2026-06-01T00:00:{second:02d}Z" for second in range(60))
    desk = JobDesk(service, clock=lambda: next(times))
    jobs = [desk.start(caller, "export", "c") for _ in range(3)]
    while not all(desk.get(each.job_id).ended for each in jobs):
        time.sleep(0.01)
    desk.close()
    with pytest.raises(NotFound, match="not kept"):
        desk.file(caller, jobs[0].job_id)
    assert desk.file(caller, jobs[2].job_id)[1].stat().st_size > 0


def test_a_tenants_jobs_beyond_its_quota_are_refused(service: Service) -> None:
    """429; those that wait are done."""
    tenant, knowledge = next(iter(service.tenants.items()))
    caller, hold = Caller("analyst", tenant, "analyst"), threading.Event()
    before, knowledge.quota = knowledge.quota, Quota(jobs=2)
    try:
        desk = JobDesk(service)
        desk._workers.submit(hold.wait)
        jobs = [desk.start(caller, "validate", "policies") for _ in range(2)]
        with pytest.raises(Problem, match="of the tenant") as caught:
            desk.start(caller, "validate", "policies")
        assert caught.value.status == 429
        hold.set()
        while not all(desk.get(each.job_id).ended for each in jobs):
            time.sleep(0.01)
        desk.start(caller, "validate", "policies")
        desk.close()
    finally:
        knowledge.quota = before


def test_a_build_beyond_the_quota_says_when_to_ask_again(service: Service, tmp_path: Path) -> None:
    """It fails, since another machine's build is under way; the record and the header say in how many seconds to come again."""
    tenant, knowledge = next(iter(service.tenants.items()))
    caller = Caller("analyst", tenant, "administrator")
    knowledge.ingest(
        "c", [folder_of(tmp_path / "files", {"rule.md": "# Rule\n\n1 The clerk shall weigh each parcel.\n"})]
    )
    knowledge.quota = Quota(builds=1)
    desk = JobDesk(service)
    with registered(knowledge.store, "elsewhere", "build", REGISTRAR):
        job = desk.start(caller, "build", "c")
        desk.close()
    problem = desk.get(job.job_id).problem
    assert problem is not None
    assert (problem["status"], problem["retry_after_s"]) == (429, 30)
    app = application(service, Keeper({}, Sessions(), anonymous=caller), desk, pages=False)
    told = TestClient(app, "http://localhost", client=("127.0.0.1", 50_000)).get(f"/api/v1/jobs/{job.job_id}")
    assert (told.status_code, told.headers["retry-after"], told.json()["problem"]) == (200, "30", problem)
