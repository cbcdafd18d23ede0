"""The desk where long work is asked for: one worker, jobs kept in files that outlive a restart."""

from __future__ import annotations

import hashlib
import logging
import threading
import uuid
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

import orjson

from coditect.errors import CoditectError, NotFound
from coditect.knowledge.progress import Clock, utc_now
from coditect.server.access.callers import Caller
from coditect.server.access.turns import Turns
from coditect.server.jobs.apart import carry_out_apart
from coditect.server.jobs.line import WaitingLine
from coditect.server.jobs.records import Job, JobKind
from coditect.server.jobs.shelf import Shelf
from coditect.server.jobs.work import carry_out, file_of
from coditect.server.problems import Problem, as_problem
from coditect.server.service import Service

if TYPE_CHECKING:
    from coditect.settings import Settings

__all__ = ["KEPT_FILES", "KEPT_UPLOADS", "MOST_JOBS", "MOST_WAITING", "JobDesk"]

log = logging.getLogger(__name__)

MOST_JOBS = 1000
"""Jobs that are kept; the oldest that have ended go."""

MOST_WAITING = 32
"""Jobs that wait, at most."""

KEPT_FILES = 20
"""Files that came of jobs, at most; the oldest go first."""

KEPT_UPLOADS = MOST_WAITING + 1
"""Uploads of interrupted jobs that wait to be taken up again, at most."""


class JobDesk:
    """Takes jobs, carries them out one after another, tenants by turns, and remembers them. Safe for threads.

    Args:
        service: on what they work.
        clock: tells the time.
        ids: gives ids of 32 hex digits.
        apart: how the process of a job opens the store; None: jobs are carried out in this process, between the requests.
    """

    def __init__(
        self,
        service: Service,
        clock: Clock = utc_now,
        ids: Callable[[], str] = lambda: uuid.uuid4().hex,
        apart: Settings | None = None,
    ) -> None:
        self._service = service
        self._apart = apart
        self._clock = clock
        self._ids = ids
        self._shelf = Shelf(service.work / "jobs")
        self._lock = threading.Lock()
        self._turns = Turns()
        self._jobs: dict[str, Job] = {}
        self._line: WaitingLine[tuple[str, Caller]] = WaitingLine(
            {name: each.quota.jobs for name, each in service.tenants.items()}, MOST_WAITING
        )
        # Builds and intakes wait for each other anyway; a second one at the same time would only take memory.
        self._workers = ThreadPoolExecutor(1, thread_name_prefix="job")
        for job in self._shelf.read():
            self._take_over(job)

    def start(
        self,
        caller: Caller,
        kind: JobKind,
        corpus_id: str,
        *,
        settings: Mapping[str, Any] | None = None,
        prepare: Callable[[Path], None] | None = None,
        key: str | None = None,
        content: Callable[[], str] | None = None,
    ) -> Job:
        """Take a job; the one that is there already, where the same caller asked for the same with the same key.

        Args:
            caller: who asks.
            kind: what is done.
            corpus_id: to which corpus.
            settings: how.
            prepare: puts what it needs into its folder, before it waits.
            key: the caller's own name for this request.
            content: the hash of what ``prepare`` puts there; asked where there is a key.

        Raises:
            Problem: 409, the key is of another request; 429 or 503, too many jobs wait, of the tenant or of all.
        """
        if not key:
            return self._add(self._new(caller, kind, corpus_id, settings), caller, prepare)
        known = hashlib.sha256(f"{caller.tenant}\0{caller.name}\0{key}".encode()).hexdigest()
        asked = hashlib.sha256(
            orjson.dumps(
                [kind, corpus_id, dict(settings or {}), content() if content else ""], option=orjson.OPT_SORT_KEYS
            )
        ).hexdigest()
        with self._turns.of(known):  # the same key twice at once is one job, too
            with self._lock:
                before = next((each for each in self._jobs.values() if each.key_sha256 == known), None)
            if before is not None:
                if before.request_sha256 != asked:
                    raise Problem(409, "the idempotency key is of another request", "Use a new one.")
                return before
            job = self._new(caller, kind, corpus_id, settings)
            return self._add(job.model_copy(update={"key_sha256": known, "request_sha256": asked}), caller, prepare)

    def resume(self, caller: Caller, job_id: str) -> Job:
        """Take up a job again that a restart interrupted: what was done counts.

        Raises:
            NotFound: there is none that the caller may know of.
            Problem: 409, it was not interrupted, or its upload is gone; 429 or 503, too many jobs wait.
        """
        self._line.require_room(caller.tenant)
        with self._lock:
            found = self._jobs.get(job_id)
            if found is None or not _may_know(caller, found):
                raise NotFound("unknown job")
            if found.state != "interrupted":
                raise Problem(409, "the job was not interrupted", f"It is {found.state}.")
            if found.kind == "ingest" and not self._shelf.upload(found).is_dir():
                raise Problem(409, "the upload of the job is gone", "Send the files again.")
            update = {"state": "queued", "problem": None, "ended_at": "", "step": "", "done": 0, "total": 0}
            job = self._jobs[job_id] = found.model_copy(update=update)
        self._keep(job)
        self._queue(job, caller)
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

    def is_filling(self, caller: Caller, corpus_id: str) -> bool:
        """Whether an upload into a corpus of the caller's tenant waits or is at work: what is asked for now is done behind it."""
        with self._lock:
            return any(
                each.kind == "ingest" and not each.ended and (each.tenant, each.corpus_id) == (caller.tenant, corpus_id)
                for each in self._jobs.values()
            )

    def is_at_work(self, tenant: str, corpus_id: str) -> bool:
        """Whether a job on a corpus is under way."""
        with self._lock:
            return any(
                each.state == "running" and (each.tenant, each.corpus_id) == (tenant, corpus_id)
                for each in self._jobs.values()
            )

    def file(self, caller: Caller, job_id: str) -> tuple[Job, Path]:
        """(a job, the file that came of it).

        Raises:
            NotFound: there is no such job, or no file of it.
        """
        found = self.find(caller, job_id)
        place = self._shelf.made(found)
        if found.download is None or not place.is_file():
            raise NotFound("no file came of the job, or it is not kept any more", hint=f"It is {found.state}.")
        return found, place

    def close(self) -> None:
        """Wait for the job at work; those that wait are told as interrupted at the next start."""
        self._workers.shutdown(wait=True, cancel_futures=True)

    def _new(self, caller: Caller, kind: JobKind, corpus_id: str, settings: Mapping[str, Any] | None) -> Job:
        return Job(
            job_id=self._ids(),
            kind=kind,
            tenant=caller.tenant,
            corpus_id=corpus_id,
            caller=caller.name,
            asked_at=self._clock(),
            settings=dict(settings or {}),
        )

    def _add(self, job: Job, caller: Caller, prepare: Callable[[Path], None] | None) -> Job:
        self._line.require_room(job.tenant)
        self._shelf.upload(job).mkdir(mode=0o700)
        try:
            if prepare is not None:
                prepare(self._shelf.upload(job))
        except BaseException:  # raised again: half an upload is nobody's
            self._shelf.drop_upload(job)
            raise
        self._keep(job)
        self._queue(job, caller)
        return job

    def _queue(self, job: Job, caller: Caller) -> None:
        """Let a job wait; the worker takes whichever is next when it is free, not the one that was asked for first."""
        self._line.add(job.tenant, (job.job_id, caller))
        self._workers.submit(lambda: self._run(*self._line.take()))

    def _run(self, job_id: str, caller: Caller) -> None:
        job = self._keep(self.get(job_id).model_copy(update={"state": "running"}))

        def progress(step: str, done: int, total: int | None = None) -> None:
            update = {"step": step, "done": done, "total": total or 0}
            with self._lock:  # not written to its file: after a restart nobody needs it
                self._jobs[job_id] = self._jobs[job_id].model_copy(update=update)

        try:
            update = {"state": "done", **self._carry_out(job, caller, progress)}
        except CoditectError as error:
            problem = as_problem(error)
            log.warning("a job failed: %s", error)
            update = _failed(problem)
        except Problem as problem:  # of a job's own process
            update = _failed(problem)
        except BaseException:
            # Faults of ours, and panics of libraries in Rust, which are no Exceptions: the job says that it failed.
            log.exception("a job broke")
            update = {"state": "failed", "problem": {"title": "the server could not do it", "status": 500}}
        self._keep(self.get(job_id).model_copy(update={**update, "ended_at": self._clock()}))
        self._shelf.drop_upload(job)

    def _carry_out(self, job: Job, caller: Caller, progress: Callable[..., None]) -> dict[str, Any]:
        """What becomes of a job's record by doing it."""
        named = file_of(job)
        if named is None:
            return {"result": self._result(job, caller, None, progress)}
        try:
            with self._shelf.open_made(job) as out:
                result = self._result(job, caller, out, progress)
                return {"result": result, "download": self._shelf.finish(job, out, *named)}
        except BaseException:  # whatever stopped it, raised again: half a file is nobody's
            self._shelf.drop_made(job)
            raise

    def _result(self, job: Job, caller: Caller, out: BinaryIO | None, progress: Callable[..., None]) -> Any:  # noqa: ANN401 - JSON
        """Do a job, here or in a process of its own."""
        folder, cache = self._shelf.upload(job), self._service.work / "crosswalks"
        if self._apart is None:
            return carry_out(self._service.knowledge(caller), job, folder, out, progress, cache)
        settings = self._apart.model_copy(update={"tenant": caller.tenant})
        place = None if out is None else Path(out.name)
        return carry_out_apart(settings, caller.name, job, folder, place, cache, progress)

    def _keep(self, job: Job) -> Job:
        """Remember a job, in its file, too; the oldest of what has ended goes where there is too much."""
        self._shelf.write(job)
        with self._lock:
            self._jobs[job.job_id] = job
            ended = sorted((each for each in self._jobs.values() if each.ended), key=lambda each: each.ended_at)
            gone = ended[: max(0, len(self._jobs) - MOST_JOBS)]
            for each in gone:
                del self._jobs[each.job_id]
            with_file = [each for each in ended if each.download is not None and each not in gone]
            for each in with_file[: max(0, len(with_file) - KEPT_FILES)]:
                self._shelf.drop_made(each)
            broken = [each for each in ended if each.state == "interrupted" and each.kind == "ingest"]
            for each in broken[: max(0, len(broken) - KEPT_UPLOADS)]:
                self._shelf.drop_upload(each)
        self._shelf.drop(gone)
        return job

    def _take_over(self, job: Job) -> None:
        """A job of a former run; what had not ended was interrupted, and its upload waits until it is taken up again."""
        if job.ended:
            self._jobs[job.job_id] = job
            return
        self._shelf.drop_made(job)
        told = {
            "title": "the server was restarted meanwhile",
            "status": 503,
            "detail": f"Take it up again: POST /api/v1/jobs/{job.job_id}/resume. What was done counts.",
        }
        self._keep(job.model_copy(update={"state": "interrupted", "problem": told, "ended_at": self._clock()}))


def _failed(problem: Problem) -> dict[str, Any]:
    told: dict[str, Any] = {"title": problem.title, "status": problem.status, "detail": problem.detail}
    if problem.retry_after_s is not None:
        told["retry_after_s"] = problem.retry_after_s
    return {"state": "failed", "problem": told}


def _may_know(caller: Caller, job: Job) -> bool:
    own = caller.name == job.caller or caller.may("administer")
    beside = job.settings.get("framework_corpus") or job.corpus_id
    return job.tenant == caller.tenant and own and caller.knows(job.corpus_id) and caller.knows(beside)
