"""Long work: started by a request, told as it goes on, kept until somebody has read what came of it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Annotated

import orjson
from fastapi import APIRouter, Header, Path, Request
from pydantic import BaseModel, ConfigDict, Field
from starlette.responses import Response, StreamingResponse

from coditect.schemas import BuildSettings
from coditect.server.answers import answer
from coditect.server.api.common import REFUSALS, Reader, Writing
from coditect.server.jobs.desk import JobDesk
from coditect.server.jobs.records import Job

__all__ = ["router"]

router = APIRouter(responses=REFUSALS, tags=["jobs"])

POLL_S = 0.25
"""How often a job is looked at for who listens."""

JobId = Annotated[str, Path(pattern=r"^[0-9a-f]{32}$", description="Id of the job.")]


class NewBuild(BaseModel):
    """How a build is made; what is absent is as usual."""

    model_config = ConfigDict(extra="forbid")

    max_synthesis_ratio: float | None = Field(default=None, ge=0.0, le=1.0)
    minimum_support: float | None = Field(default=None, ge=0.0, le=1.0)
    topics: list[str] | None = Field(default=None, max_length=200)
    max_topics: int | None = Field(default=None, ge=0, le=1000)
    today: str | None = Field(default=None, pattern=r"^\d{4}-\d{2}-\d{2}$")


@router.post("/corpora/{corpus_id}/builds", operation_id="build", status_code=202)
def build(
    opened: Writing,
    body: NewBuild | None = None,
    key: Annotated[str | None, Header(alias="Idempotency-Key", min_length=8, max_length=200)] = None,
) -> Response:
    """Bring a corpus' four tiers up to date with its documents, as a job; readers see the old generation until it is done."""
    given = {} if body is None else body.model_dump(exclude_none=True)
    settings = BuildSettings.model_validate(given)
    job = _desk(opened.request).start(
        opened.caller, "build", opened.corpus_id, settings=settings.model_dump(mode="json", exclude_unset=True), key=key
    )
    return answer(opened.request, job.told(), status=202, Location=f"/api/v1/jobs/{job.job_id}")


@router.get("/jobs", operation_id="list_jobs")
def list_jobs(request: Request, caller: Reader) -> Response:
    """The caller's jobs, the newest first; an administrator sees everybody's."""
    return answer(request, {"jobs": [each.told() for each in _desk(request).of(caller)]})


@router.get("/jobs/{job_id}", operation_id="get_job")
def get_job(request: Request, caller: Reader, job_id: JobId) -> Response:
    """A job: queued, running with its progress, done with what came of it, failed with why, or interrupted by a restart."""
    return answer(request, _desk(request).find(caller, job_id).told())


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
