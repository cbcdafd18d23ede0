"""Jobs in processes of their own: the same comes of them, they step back, and one that dies takes nobody along."""

from __future__ import annotations

import multiprocessing
import os
import signal
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from coditect import BuildSettings
from coditect.compose import open_knowledge
from coditect.errors import OverQuota
from coditect.knowledge.labour.priority import STEPS_BACK
from coditect.knowledge.progress import Progress, silent
from coditect.server.access.callers import Caller
from coditect.server.jobs.apart import carry_out_apart
from coditect.server.jobs.desk import JobDesk
from coditect.server.jobs.records import Job, JobKind
from coditect.server.problems import Problem, as_problem
from coditect.server.service import open_service
from coditect.store.work import REGISTRAR, registered
from tests.integration.server.served import Served, served, settings_at, store_of_two, tokens_at
from tests.integration.server.test_jobs import ended

UPLOAD = {"files": [("files", ("rule.md", b"# Rule\n\n1 The clerk shall weigh each parcel.\n"))]}


@pytest.fixture(scope="module")
def own(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server whose jobs have processes of their own."""
    place = tmp_path_factory.mktemp("apart") / "store"
    store_of_two(place)
    with served(place, tokens_at(place), apart=True) as found:
        yield found


def test_documents_are_taken_in_built_asked_and_exported(own: Served) -> None:
    """Each step as it would be in the server's process, in the caller's name; the file is whole."""
    client, chief = own.client("analyst"), own.client("administrator")
    job = ended(client, client.post("/api/v1/corpora/fresh/documents", **UPLOAD).json()["job_id"])  # type: ignore[arg-type]
    assert (job["state"], [each["status"] for each in job["result"]["files"]]) == ("done", ["added"])
    built = ended(client, client.post("/api/v1/corpora/fresh/builds", json={"today": "2026-06-01"}).json()["job_id"])
    assert (built["state"], built["result"]["generation"]) == ("done", 1)
    asked = {"query": "weigh parcel", "tier": "extraction"}
    hits: Any = client.get("/api/v1/corpora/fresh/query", params=asked).json()
    assert hits["hits"][0]["item"]["document_name"] == "rule.md"
    made = ended(chief, chief.post("/api/v1/corpora/fresh/exports").json()["job_id"])
    whole = chief.get(f"/api/v1/jobs/{made['job_id']}/file").content
    assert (made["state"], made["download"]["size_bytes"]) == ("done", len(whole))
    own.app.state.service.flush()
    trail: Any = own.client("auditor").get("/api/v1/audit?corpus_id=fresh&limit=1000").json()
    assert {each["who"] for each in trail["entries"] if each["kind"] in ("document", "generation")} == {"analyst"}


def test_what_a_use_case_refuses_is_told_as_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Status, title and when to ask again are those of the error."""
    place = tmp_path / "store"
    store_of_two(place)
    (tmp_path / "quotas.yaml").write_text("version: 1\ndefault: {builds: 1}\n")
    monkeypatch.setenv("CODITECT_QUOTAS", str(tmp_path / "quotas.yaml"))
    with open_knowledge(settings_at(place)) as knowledge, registered(knowledge.store, "beside", "build", REGISTRAR):
        with pytest.raises(Problem) as raised:
            _carried(place, "build", silent)
        with pytest.raises(OverQuota) as here:
            knowledge.build("policies", BuildSettings())
    expected = as_problem(here.value)
    assert (raised.value.status, raised.value.title) == (expected.status, expected.title)
    assert (raised.value.headers, raised.value.retry_after_s) == (expected.headers, 30)


def _carried(
    place: Path, kind: JobKind, progress: Progress, corpus_id: str = "policies", out: Path | None = None
) -> Any:  # noqa: ANN401 - JSON
    job = Job(
        job_id="0" * 32,
        kind=kind,
        tenant=settings_at(place).tenant,
        corpus_id=corpus_id,
        caller="analyst",
        asked_at="2026-06-01T00:00:00Z",
    )
    return carry_out_apart(settings_at(place), "analyst", job, place, out, place, progress)


def test_a_process_that_is_killed_is_a_failed_job(tmp_path: Path) -> None:
    """As by a machine without memory; who waits is told, and the store is as it was."""
    place = tmp_path / "store"
    store_of_two(place)

    def killed(_: str, __: int, ___: int) -> None:
        (process,) = multiprocessing.active_children()
        assert os.getpriority(os.PRIO_PROCESS, process.pid or 0) == min(
            19, os.getpriority(os.PRIO_PROCESS, 0) + STEPS_BACK
        )
        process.kill()

    with pytest.raises(Problem, match="could not do it") as raised:
        _carried(place, "validate", killed)
    assert raised.value.status == 500
    assert _carried(place, "validate", silent)["clean"] is True


def test_signals_for_the_server_leave_the_job_at_work(tmp_path: Path) -> None:
    """A service manager sends its signal to all processes of a service; the server waits for the job."""
    place = tmp_path / "store"
    store_of_two(place)
    met: list[int] = []

    def signalled(_: str, __: int, ___: int) -> None:
        (process,) = multiprocessing.active_children()
        for each in (signal.SIGTERM, signal.SIGINT):
            os.kill(process.pid or 0, each)
            met.append(each)

    assert _carried(place, "validate", signalled)["clean"] is True
    assert met


def test_a_broken_library_fails_the_job_and_says_nothing_of_the_machine(tmp_path: Path) -> None:
    """A file that is not there is the operator's business."""
    place = tmp_path / "store"
    with pytest.raises(Problem) as raised:
        _carried(place, "export", silent, out=tmp_path / "missing")
    assert (raised.value.status, raised.value.detail) == (500, "")


def test_the_desk_tells_of_progress(tmp_path: Path) -> None:
    """What the process tells stands in the job's record."""
    place = tmp_path / "store"
    store_of_two(place)
    tenant = settings_at(place).tenant
    with open_service(settings_at(place), (tenant,), tmp_path / "work") as service:
        desk = JobDesk(service, apart=settings_at(place))
        caller = Caller("analyst", tenant, "analyst")
        job = desk.start(caller, "validate", "policies")
        while not desk.get(job.job_id).ended:
            time.sleep(0.02)
        found = desk.get(job.job_id)
        desk.close()
    assert (found.state, found.result["clean"]) == ("done", True)
    assert found.step
