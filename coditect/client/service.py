"""The client: one server, one token."""

from __future__ import annotations

import hashlib
import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from random import random
from types import TracebackType
from typing import TYPE_CHECKING
from urllib.parse import quote

import orjson
from pydantic import BaseModel, ConfigDict, TypeAdapter

from coditect.client.corpus import RemoteCorpus
from coditect.client.jobs import JobFile, Jobs, JobStatus
from coditect.client.wire import PATIENCE, Patience, Wire
from coditect.errors import UsageError
from coditect.schemas import AuditEntry, CorpusStatus, Source
from coditect.schemas.quota import QuotaReport

if TYPE_CHECKING:
    import httpx

__all__ = ["Client", "CorpusName", "content_key"]


class CorpusName(BaseModel):
    """A corpus in the list of corpora."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    corpus_id: str
    name: str
    generation: int


class Client:
    """A server of ``coditect serve``. Safe for threads; close it, or use it in a ``with``.

    Errors are those of :mod:`coditect.errors`: what is not there is ``NotFound``, what the token does not open ``AccessDenied``
    (a ``UsageError``, too), what was asked wrongly ``UsageError``, a server that is busy for longer than the client is patient
    ``Unavailable`` or ``RateLimited``.

    Args:
        address: ``https://host``; None: ``CODITECT_SERVER``.
        token: that is shown; None: ``CODITECT_TOKEN``, or what the file of ``CODITECT_TOKEN_FILE`` holds; none at all for a
            server that asks for none.
        patience: how long it tries.
        http: an httpx client of the caller's own, for proxies and certificates; the caller closes it.
        sleep: waits so many seconds.
        chance: gives numbers from 0 to 1, that spread the waits of many clients.

    Raises:
        UsageError: no address, or a token would go over the network in clear.
    """

    def __init__(
        self,
        address: str | None = None,
        token: str | None = None,
        patience: Patience = PATIENCE,
        *,
        http: httpx.Client | None = None,
        sleep: Callable[[float], None] = time.sleep,
        chance: Callable[[], float] = random,
    ) -> None:
        place = address or os.environ.get("CODITECT_SERVER", "")
        if not place:
            raise UsageError("which server?", hint="Give its address, or set CODITECT_SERVER.")
        shown = _token() if token is None else token
        self._wire = Wire(place, shown, patience, http=http, sleep=sleep, chance=chance)
        self._jobs = Jobs(self._wire)

    def __enter__(self) -> Client:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Close the connections."""
        self._wire.close()

    def corpora(self) -> tuple[CorpusName, ...]:
        """The corpora that the token opens."""
        listed = orjson.loads(self._wire.get("/api/v1/corpora"))["corpora"]
        return tuple(CorpusName.model_validate(each) for each in listed)

    def status(self) -> tuple[CorpusStatus, ...]:
        """What is in each corpus, what is pending, and what failed."""
        listed = orjson.loads(self._wire.get("/api/v1/status"))["corpora"]
        return TypeAdapter(tuple[CorpusStatus, ...]).validate_python(listed)

    def quota(self) -> QuotaReport:
        """What the operator grants the tenant, and what it has; for administrators."""
        return QuotaReport.model_validate_json(self._wire.get("/api/v1/quota"))

    def corpus(self, corpus_id: str) -> RemoteCorpus:
        """A corpus; nothing is asked yet."""
        return RemoteCorpus(self._wire, corpus_id)

    def hierarchy(self, item_id: str, *, corpus_id: str | None = None, as_of: int | None = None) -> Source:
        """An item with its whole chain of evidence, in whichever corpus holds it."""
        asked = {"corpus_id": corpus_id, "as_of": as_of}
        return Source.model_validate_json(self._wire.get(f"/api/v1/chunks/{item_id}/hierarchy", asked))

    def audit(self, *, corpus_id: str | None = None, after: int | None = None) -> Iterator[AuditEntry]:
        """The audit trail, in the order of the log, page by page as it is read.

        Args:
            corpus_id: only of this corpus.
            after: only behind the entry of this index.
        """
        while True:
            asked = {"corpus_id": corpus_id, "after": after, "limit": 1000}
            page = orjson.loads(self._wire.get("/api/v1/audit", asked))
            yield from (AuditEntry.model_validate(each) for each in page["entries"])
            after = page["next_after"]
            if after is None:
                return

    def checkpoint(self) -> str:
        """The newest signed checkpoint of the log: keep it."""
        return self._wire.get("/api/v1/log/checkpoint").decode()

    def log_file(self, path: str) -> bytes:
        """A static file of the log by its path, C2SP tlog-tiles: "checkpoint", "tile/0/000", "tile/entries/000.p/5"."""
        return self._wire.get(f"/api/v1/log/{quote(path)}")

    def jobs(self) -> tuple[JobStatus, ...]:
        """The token's jobs, the newest first."""
        listed = orjson.loads(self._wire.get("/api/v1/jobs"))["jobs"]
        return tuple(JobStatus.model_validate(each) for each in listed)

    def job(self, job_id: str) -> JobStatus:
        """A job as it is now."""
        return self._jobs.get(job_id)

    def follow(self, job: JobStatus | str) -> Iterator[JobStatus]:
        """A job at each change, until it has ended; a connection that breaks is made again."""
        return self._jobs.follow(_id(job))

    def wait(
        self, job: JobStatus | str, progress: Callable[[str, int, int], None] | None = None, *, resume: bool = True
    ) -> JobStatus:
        """A job when it is done.

        Args:
            job: of this server.
            progress: told of each change: (step, done, total).
            resume: whether it is taken up again where a restart of the server interrupted it.

        Raises:
            CoditectError: it failed: as its problem says.
        """
        return self._jobs.wait(_id(job), progress, resume=resume)

    def resume(self, job: JobStatus | str) -> JobStatus:
        """Take a job up again that a restart of the server interrupted; what was done counts."""
        return self._jobs.resume(_id(job))

    def fetch(self, job: JobStatus, target: Path) -> JobFile:
        """Write the file of a crosswalk or an export to a place: wholly and proven by its hash, or not at all."""
        return self._jobs.fetch(job, target)


def content_key(*parts: str | bytes | Path) -> str:
    """An idempotency key out of content: the same content asks for the same, also from another process.

    Args:
        parts: texts, bytes, and files that are read.
    """
    whole = hashlib.sha256()
    for each in parts:
        if isinstance(each, Path):
            with each.open("rb") as file:
                inner = hashlib.file_digest(file, "sha256").digest()
        else:
            inner = hashlib.sha256(each.encode() if isinstance(each, str) else each).digest()
        whole.update(inner)
    return f"content-{whole.hexdigest()}"


def _id(job: JobStatus | str) -> str:
    return job if isinstance(job, str) else job.job_id


def _token() -> str:
    given = os.environ.get("CODITECT_TOKEN", "")
    place = os.environ.get("CODITECT_TOKEN_FILE", "")
    if given or not place:
        return given.strip()
    try:
        return Path(place).read_text("utf-8").strip()
    except OSError as error:
        raise UsageError("the token cannot be read", file=place, reason=error.strerror) from error
