"""Jobs of a server, as a client sees them: followed to their end, taken up again after a restart, and their files."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Literal

import orjson
from pydantic import BaseModel, ConfigDict

from coditect.client.problems import error_of
from coditect.client.wire import Wire
from coditect.errors import Corrupt, NotFound, Unavailable

__all__ = ["JobFile", "JobStatus", "Jobs"]


class JobFile(BaseModel):
    """A file that came of a job; see the API's description for its fields."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    name: str
    media_type: str
    size_bytes: int
    sha256: str


class JobStatus(BaseModel):
    """A job as the server tells of it. Fields that a later server adds are passed over."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    job_id: str
    kind: str
    corpus_id: str
    caller: str
    state: Literal["queued", "running", "done", "failed", "interrupted"]
    asked_at: str
    ended_at: str = ""
    step: str = ""
    done: int = 0
    total: int = 0
    result: Any = None
    problem: dict[str, Any] | None = None
    download: JobFile | None = None

    @property
    def ended(self) -> bool:
        """Whether nothing more comes of it by itself."""
        return self.state in ("done", "failed", "interrupted")


class Jobs:
    """What a client does with jobs.

    Args:
        wire: to the server.
    """

    def __init__(self, wire: Wire) -> None:
        self._wire = wire

    def get(self, job_id: str) -> JobStatus:
        """A job as it is now."""
        return JobStatus.model_validate_json(self._wire.get(f"/api/v1/jobs/{job_id}"))

    def resume(self, job_id: str) -> JobStatus:
        """Take a job up again that a restart of the server interrupted."""
        return JobStatus.model_validate_json(self._wire.post(f"/api/v1/jobs/{job_id}/resume", dict))

    def follow(self, job_id: str) -> Iterator[JobStatus]:
        """The job at each change, until it has ended; a connection that breaks is made again.

        Raises:
            CoditectError: the server does not know the job, or does not come back.
        """
        broken = 0
        while True:
            try:
                with self._wire.stream(f"/api/v1/jobs/{job_id}/events") as response:
                    for line in response.iter_lines():
                        if line.startswith("data: "):
                            broken, found = 0, JobStatus.model_validate(orjson.loads(line[6:]))
                            yield found
                            if found.ended:
                                return
            except Unavailable:
                broken += 1
                if broken >= self._wire.tries:
                    raise
            else:
                broken += 1  # the server ended it, as it does when it stops
                if broken >= self._wire.tries:
                    raise Unavailable("the server told no end of the job", job_id=job_id, hint="Ask again later.")
            self._wire.pause(broken)

    def wait(self, job_id: str, progress: Callable[[str, int, int], None] | None, *, resume: bool) -> JobStatus:
        """The job when it is done.

        Args:
            job_id: of it.
            progress: told of each change: (step, done, total).
            resume: whether it is taken up again where a restart of the server interrupted it, once for each restart.

        Raises:
            CoditectError: it failed: as the problem says, with ``context["retry_after_s"]`` where it may be asked for again then;
                Unavailable: it was interrupted, and is not taken up again.
        """
        while True:
            for found in self.follow(job_id):
                if progress is not None and found.step:
                    progress(found.step, found.done, found.total)
                last = found
            if last.state == "done":
                return last
            if last.state == "failed" or not resume:
                told = last.problem or {}
                raise error_of(int(told.get("status", 500)), told)
            self.resume(job_id)

    def fetch(self, job: JobStatus, target: Path) -> JobFile:
        """Write the file of a job to a place: wholly, or not at all.

        Raises:
            NotFound: no file came of it.
            Corrupt: what came is not what the server made.
        """
        if job.download is None:
            raise NotFound("no file came of the job", job_id=job.job_id)
        half = target.with_name(target.name + ".part")
        digest = hashlib.sha256()
        try:
            with self._wire.stream(f"/api/v1/jobs/{job.job_id}/file") as response, half.open("wb") as out:
                for piece in response.iter_bytes():
                    digest.update(piece)
                    out.write(piece)
            if digest.hexdigest() != job.download.sha256:
                raise Corrupt("the file is not what the server made", file=str(target), hint="Ask for it again.")
            half.replace(target)
        finally:
            half.unlink(missing_ok=True)
        return job.download
