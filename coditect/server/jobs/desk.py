"""The desk where long work is asked for: one worker for each tenant's writes, jobs kept in files that outlive a restart."""

from __future__ import annotations

import hashlib
import logging
import shutil
import threading
import uuid
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import orjson
from pydantic import ValidationError

from coditect.errors import CoditectError, NotFound
from coditect.knowledge.progress import Clock, utc_now
from coditect.server.access.callers import Caller
from coditect.server.jobs.records import Job, JobKind
from coditect.server.jobs.work import carry_out
from coditect.server.problems import Problem, as_problem
from coditect.server.service import Service

__all__ = ["MOST_JOBS", "MOST_WAITING", "JobDesk"]

log = logging.getLogger(__name__)

MOST_JOBS = 1000
"""Jobs that are kept; the oldest that have ended go."""

MOST_WAITING = 32
"""Jobs that wait, at most."""


class JobDesk:
    """Takes jobs, carries them out one after another, and remembers them. Safe for threads.

    Args:
        service: on what they work.
        clock: tells the time.
        ids: gives ids of 32 hex digits.
    """

    def __init__(
        self, service: Service, clock: Clock = utc_now, ids: Callable[[], str] = lambda: uuid.uuid4().hex
    ) -> None:
        self._service = service
        self._clock = clock
        self._ids = ids
        self._folder = service.work / "jobs"
        self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        self._lock = threading.Lock()
        self._jobs: dict[str, Job] = {}
        # Builds and intakes wait for each other anyway; a second one at the same time would only take memory.
        self._workers = ThreadPoolExecutor(1, thread_name_prefix="job")
        self._read()

    def start(
        self,
        caller: Caller,
        kind: JobKind,
        corpus_id: str,
        *,
        settings: Mapping[str, Any] | None = None,
        prepare: Callable[[Path], None] | None = None,
        key: str | None = None,
    ) -> Job:
        """Take a job; the one that is there already, where the same caller asked for the same with the same key.

        Args:
            caller: who asks.
            kind: what is done.
            corpus_id: to which corpus.
            settings: how.
            prepare: puts what it needs into its folder, before it waits.
            key: the caller's own name for this request.

        Raises:
            Problem: 409, the key is of another request; 503, too many jobs wait.
        """
        known = hashlib.sha256(f"{caller.tenant}\0{caller.name}\0{key}".encode()).hexdigest() if key else ""
        asked = hashlib.sha256(
            orjson.dumps([kind, corpus_id, dict(settings or {})], option=orjson.OPT_SORT_KEYS)
        ).hexdigest()
        with self._lock:
            before = next((each for each in self._jobs.values() if known and each.key_sha256 == known), None)
            waiting = sum(each.state == "queued" for each in self._jobs.values())
        if before is not None:
            if before.request_sha256 != asked:
                raise Problem(409, "the idempotency key is of another request", "Use a new one.")
            return before
        if waiting >= MOST_WAITING:
            raise Problem(503, "too many jobs wait", "Ask again later.", {"Retry-After": "30"})
        job = Job(
            job_id=self._ids(),
            kind=kind,
            tenant=caller.tenant,
            corpus_id=corpus_id,
            caller=caller.name,
            asked_at=self._clock(),
            settings=dict(settings or {}),
            key_sha256=known,
            request_sha256=asked,
        )
        folder = self._folder / job.job_id
        folder.mkdir(mode=0o700)
        try:
            if prepare is not None:
                prepare(folder)
        except BaseException:
            shutil.rmtree(folder, ignore_errors=True)
            raise
        self._keep(job)
        self._workers.submit(self._run, job.job_id, caller)
        return job

    def get(self, job_id: str) -> Job:
        """A job.

        Raises:
            NotFound: there is none.
        """
        with self._lock:
            found = self._jobs.get(job_id)
        if found is None:
            raise NotFound("unknown job")
        return found

    def find(self, caller: Caller, job_id: str) -> Job:
        """A job that the caller may know of: their own; of an administrator, the tenant's.

        Raises:
            NotFound: there is none.
        """
        found = self.get(job_id)
        if not _may_know(caller, found):
            raise NotFound("unknown job")
        return found

    def of(self, caller: Caller) -> list[Job]:
        """The jobs that the caller may know of, the newest first."""
        with self._lock:
            every = list(self._jobs.values())
        return sorted((each for each in every if _may_know(caller, each)), key=lambda each: each.asked_at, reverse=True)

    def close(self) -> None:
        """Wait for the job at work; those that wait are told as interrupted at the next start."""
        self._workers.shutdown(wait=True, cancel_futures=True)

    def _run(self, job_id: str, caller: Caller) -> None:
        job = self._keep(self.get(job_id).model_copy(update={"state": "running"}))
        folder = self._folder / job_id

        def progress(step: str, done: int, total: int | None = None) -> None:
            update = {"step": step, "done": done, "total": total or 0}
            with self._lock:  # not written to its file: after a restart nobody needs it
                self._jobs[job_id] = self._jobs[job_id].model_copy(update=update)

        try:
            result = carry_out(self._service.knowledge(caller), job, folder, progress)
            update: dict[str, Any] = {"state": "done", "result": result}
        except CoditectError as error:
            problem = as_problem(error)
            log.warning("a job failed: %s", error)
            told = {"title": problem.title, "status": problem.status, "detail": problem.detail}
            update = {"state": "failed", "problem": told}
        except Exception:
            log.exception("a job broke")
            update = {"state": "failed", "problem": {"title": "the server could not do it", "status": 500}}
        shutil.rmtree(folder, ignore_errors=True)
        self._keep(self.get(job_id).model_copy(update={**update, "ended_at": self._clock()}))

    def _keep(self, job: Job) -> Job:
        """Remember a job, in its file, too."""
        place = self._folder / f"{job.job_id}.json"
        fresh = place.with_suffix(".new")
        fresh.write_bytes(orjson.dumps(job.model_dump(mode="json"), option=orjson.OPT_INDENT_2))
        fresh.replace(place)
        with self._lock:
            self._jobs[job.job_id] = job
            ended = sorted((each for each in self._jobs.values() if each.ended), key=lambda each: each.ended_at)
            gone = ended[: max(0, len(self._jobs) - MOST_JOBS)]
            for each in gone:
                del self._jobs[each.job_id]
        for each in gone:
            (self._folder / f"{each.job_id}.json").unlink(missing_ok=True)
        return job

    def _read(self) -> None:
        """The jobs of former runs; what had not ended was interrupted."""
        for place in sorted(self._folder.glob("*.json")):
            try:
                job = Job.model_validate_json(place.read_bytes())
            except (ValidationError, ValueError):
                log.warning("%s is no job of this release; it is left as it is", place.name)
                continue
            if job.ended:
                self._jobs[job.job_id] = job
                continue
            shutil.rmtree(self._folder / job.job_id, ignore_errors=True)
            told = {
                "title": "the server was restarted meanwhile",
                "status": 503,
                "detail": "Ask again: what was done counts.",
            }
            self._keep(job.model_copy(update={"state": "interrupted", "problem": told, "ended_at": self._clock()}))


def _may_know(caller: Caller, job: Job) -> bool:
    own = caller.name == job.caller or caller.may("administer")
    return job.tenant == caller.tenant and own and caller.knows(job.corpus_id)
