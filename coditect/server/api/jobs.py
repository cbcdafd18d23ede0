"""Long work: started by a request, told as it goes on, kept until somebody has read what came of it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Annotated, Literal

import orjson
from fastapi import APIRouter, Path, Request
from pydantic import BaseModel, ConfigDict, Field
from starlette.responses import FileResponse, Response, StreamingResponse

from coditect.knowledge.report.crosswalk.framework.tables import read_columns
from coditect.schemas import BuildSettings
from coditect.schemas.day import DescribedDay
from coditect.server.access.callers import Caller, Permission
from coditect.server.answers import IMMUTABLE, answer, not_modified
from coditect.server.api.common import (
    COLUMNS,
    REFUSALS,
    RETRY_AFTER,
    Analysing,
    Exporting,
    Filling,
    Key,
    Open,
    Reader,
    knowledge_of,
    require_corpus,
    require_framework,
    require_spending,
)
from coditect.server.api.described import JOB, JobList, JobTold
from coditect.server.jobs.desk import JobDesk
from coditect.server.jobs.records import Job, JobKind
from coditect.server.problems import Problem

__all__ = ["router"]

router = APIRouter(responses=REFUSALS, tags=["jobs"])

POLL_S = 0.25
"""How often a job is looked at for who listens."""

_NEEDS: dict[JobKind, Permission] = {
    "ingest": "ingest",
    "build": "ingest",
    "validate": "audit",
    "crosswalk": "analyse",
    "export": "administer",
}
"""What taking a job up again, and reading its file, needs: as asking for it did."""

_LESS_USUAL_TYPES = (
    "application/jsonl",
    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
)

JobId = Annotated[str, Path(pattern=r"^[0-9a-f]{32}$", description="Id of the job.")]


class NewBuild(BaseModel):
    """How a build is made; what is absent is as usual."""

    model_config = ConfigDict(extra="forbid")

    max_synthesis_ratio: float | None = Field(default=None, ge=0.0, le=1.0)
    minimum_support: float | None = Field(default=None, ge=0.0, le=1.0)
    topics: list[str] | None = Field(default=None, max_length=200)
    max_topics: int | None = Field(default=None, ge=1, le=500)
    today: DescribedDay | None = None


class NewCrosswalk(BaseModel):
    """What is compared with what, and how it is written."""

    model_config = ConfigDict(extra="forbid")

    frameworks: list[str] = Field(
        default_factory=list,
        max_length=100,
        description="Documents of the framework; patterns with *. None: all of framework_corpus, which is needed then.",
    )
    framework_corpus: str | None = Field(default=None, min_length=1, max_length=200, description="Which holds it.")
    columns: str | None = Field(default=None, max_length=1000, description=COLUMNS)
    documents: list[str] = Field(default_factory=list, max_length=1000, description="Only these; none: all others.")
    as_of: int | None = Field(default=None, ge=1, le=2**53, description="The generation; absent: the current one.")
    format: Literal["json", "jsonl", "csv", "xlsx", "oscal"] = Field(default="json", description="Of the file.")
    assessed: bool = Field(
        default=False,
        description="The server's language model reads after the rules what they call met, or nearly; an error where it has none, "
        "or the role may not spend its budget.",
    )


@router.post("/corpora/{corpus_id}/builds", operation_id="build", status_code=202, responses=JOB)
def build(
    opened: Filling,
    body: NewBuild | None = None,
    key: Key = None,
) -> Response:
    """Bring a corpus' four tiers up to date with its documents, as a job; readers see the old generation until it is done.

    Of a corpus that is not there yet, too, where an upload of it is under way: jobs are done one after another.
    """
    if not _desk(opened.request).is_filling(opened.caller, opened.named):
        require_corpus(opened.caller, knowledge_of(opened.request, opened.caller), opened.named)
    if opened.request.app.state.service.model_use.in_builds:
        require_spending(opened.request, opened.caller)
    given = {} if body is None else body.model_dump(exclude_none=True)
    settings = BuildSettings.model_validate(given)
    return _started(opened, "build", settings.model_dump(mode="json", exclude_unset=True), key)


@router.post("/corpora/{corpus_id}/crosswalks", operation_id="make_crosswalk", status_code=202, responses=JOB)
def make_crosswalk(opened: Analysing, body: NewCrosswalk, key: Key = None) -> Response:
    """Lay a framework's requirements beside what documents say, as a job; its file is the whole crosswalk, its result the count.

    The framework is named by its documents, or by another corpus; without either the request is refused.
    """
    require_framework("body.frameworks", opened.named, body.frameworks, body.framework_corpus)
    if body.columns is not None:
        read_columns(body.columns)  # refused before a job is made
    if body.framework_corpus is not None:
        require_corpus(opened.caller, opened.knowledge, body.framework_corpus)
    if body.assessed:
        require_spending(opened.request, opened.caller)
    return _started(opened, "crosswalk", body.model_dump(mode="json", exclude_unset=True), key)


@router.post("/corpora/{corpus_id}/exports", operation_id="export", status_code=202, responses=JOB)
def export(opened: Exporting, key: Key = None) -> Response:
    """Write a corpus with all its generations as one archive, as a job; for administrators, as it holds everything."""
    return _started(opened, "export", {}, key)


def _started(opened: Open, kind: JobKind, settings: dict[str, object], key: str | None) -> Response:
    job = _desk(opened.request).start(opened.caller, kind, opened.corpus_id, settings=settings, key=key)
    return answer(opened.request, job.told(), status=202, Location=f"/api/v1/jobs/{job.job_id}")


@router.get("/jobs", operation_id="list_jobs", responses={200: {"model": JobList}})
def list_jobs(request: Request, caller: Reader) -> Response:
    """The caller's jobs, the newest first; an administrator sees everybody's."""
    return answer(request, {"jobs": [each.told() for each in _desk(request).of(caller)]})


@router.get("/jobs/{job_id}", operation_id="get_job", responses={200: {"model": JobTold, "headers": RETRY_AFTER}})
def get_job(request: Request, caller: Reader, job_id: JobId) -> Response:
    """A job: queued, running with its progress, done with what came of it, failed with why, or interrupted by a restart.

    Of one that failed only for now, as where the tenant has as many builds under way as it was granted, 'problem' says as
    'retry_after_s' in how many seconds the same may be asked for again; so does the header Retry-After.
    """
    job = _desk(request).find(caller, job_id)
    told = answer(request, job.told())
    seconds = (job.problem or {}).get("retry_after_s")
    if seconds is not None:
        told.headers["Retry-After"] = str(seconds)
    return told


@router.get(
    "/jobs/{job_id}/events",
    operation_id="follow_job",
    response_class=StreamingResponse,
    responses={200: {"content": {"text/event-stream": {}}}},
)
def follow_job(request: Request, caller: Reader, job_id: JobId) -> Response:
    """The job as server-sent events: one for each change, the last when it has ended."""
    desk = _desk(request)
    desk.find(caller, job_id)
    headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
    return StreamingResponse(_events(request, desk, job_id), media_type="text/event-stream", headers=headers)


@router.get(
    "/jobs/{job_id}/file",
    operation_id="get_job_file",
    response_class=Response,
    responses={
        200: {
            "content": {
                media_type: {}
                for media_type in ("application/octet-stream", "application/json", "text/csv", *_LESS_USUAL_TYPES)
            }
        }
    },
)
def get_job_file(request: Request, caller: Reader, job_id: JobId) -> Response:
    """The file that came of a crosswalk or an export, while it is kept: the newest twenty of the server are."""
    job, place = _desk(request).file(caller, job_id)
    _require(caller, job)
    assert job.download is not None  # noqa: S101 - as JobDesk.file has it
    etag = f'"{job.download.sha256[:32]}"'
    headers = {"ETag": etag, "Cache-Control": IMMUTABLE, "Vary": "Authorization, Cookie"}
    if not_modified(request, etag):
        return Response(status_code=304, headers=headers)
    knowledge_of(request, caller).note_read(job.corpus_id, job.kind, int(job.result["generation"]))
    return FileResponse(place, media_type=job.download.media_type, filename=job.download.name, headers=headers)


@router.post("/jobs/{job_id}/resume", operation_id="resume_job", status_code=202, responses=JOB)
def resume_job(request: Request, caller: Reader, job_id: JobId) -> Response:
    """Take a job up again that a restart of the server interrupted: what was done counts, an upload need not be sent again."""
    desk = _desk(request)
    found = desk.find(caller, job_id)
    _require(caller, found)
    if _spends(request, found):
        require_spending(request, caller)
    job = desk.resume(caller, job_id)
    return answer(request, job.told(), status=202, Location=f"/api/v1/jobs/{job.job_id}")


def _require(caller: Caller, job: Job) -> None:
    """Roles change: what a job needed is needed still."""
    if not caller.may(_NEEDS[job.kind]):
        raise Problem(403, "not allowed", f"The role {caller.role} may not {_NEEDS[job.kind]}.")


def _spends(request: Request, job: Job) -> bool:
    """Whether a job asks the operator's language model."""
    if job.kind == "build":
        return bool(request.app.state.service.model_use.in_builds)
    return job.kind == "crosswalk" and bool(job.settings.get("assessed"))


async def _events(request: Request, desk: JobDesk, job_id: str) -> AsyncIterator[bytes]:
    before: Job | None = None
    while not await request.is_disconnected():
        job = desk.get(job_id)
        if job != before:
            yield b"event: " + job.state.encode() + b"\ndata: " + orjson.dumps(job.told()) + b"\n\n"
            before = job
        if job.ended:
            return
        await asyncio.sleep(POLL_S)


def _desk(request: Request) -> JobDesk:
    found: JobDesk = request.app.state.jobs
    return found
