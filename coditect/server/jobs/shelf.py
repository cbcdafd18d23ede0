"""Where jobs are kept: a file of JSON for each, a folder for what was uploaded, a file for what came of it."""

from __future__ import annotations

import hashlib
import logging
import os
import shutil
from collections.abc import Iterable
from pathlib import Path
from typing import BinaryIO

import orjson
from pydantic import ValidationError

from coditect.server.jobs.records import Download, Job

__all__ = ["Shelf"]

log = logging.getLogger(__name__)

_PIECE = 1 << 20


class Shelf:
    """The files of jobs. What is written whole is there after a kill, what is not is cleared at the next start.

    Args:
        folder: of the server's own; made if it is not there.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)

    def read(self) -> list[Job]:
        """The jobs of former runs. What belongs to none of them is removed; a file that is no job stays as it is."""
        jobs = []
        for place in sorted(self._folder.glob("*.json")):
            try:
                jobs.append(Job.model_validate_json(place.read_bytes()))
            except (ValidationError, ValueError):
                log.warning("%s is no job of this release; it is left as it is", place.name)
        for place in sorted(self._folder.iterdir()):
            if not (self._folder / f"{place.name.partition('.')[0]}.json").exists():
                log.warning("%s is of an upload that did not end; it is removed", place.name)
                shutil.rmtree(place, ignore_errors=True) if place.is_dir() else place.unlink(missing_ok=True)
        return jobs

    def write(self, job: Job) -> None:
        """Keep a job: wholly or not at all, also over a power cut."""
        place = self._folder / f"{job.job_id}.json"
        fresh = place.with_suffix(".new")
        with fresh.open("wb") as file:
            file.write(orjson.dumps(job.model_dump(mode="json"), option=orjson.OPT_INDENT_2))
            file.flush()
            os.fsync(file.fileno())
        fresh.replace(place)

    def drop(self, jobs: Iterable[Job]) -> None:
        """Forget jobs, with all that is kept of them."""
        for job in jobs:
            self.drop_upload(job)
            self.drop_made(job)
            (self._folder / f"{job.job_id}.json").unlink(missing_ok=True)

    def upload(self, job: Job) -> Path:
        """The folder of what was uploaded for a job."""
        return self._folder / job.job_id

    def drop_upload(self, job: Job) -> None:
        """Remove what was uploaded for a job."""
        shutil.rmtree(self.upload(job), ignore_errors=True)

    def made(self, job: Job) -> Path:
        """The file that came of a job."""
        return self._folder / f"{job.job_id}.made"

    def open_made(self, job: Job) -> BinaryIO:
        """A file for what comes of a job; it counts when :meth:`finish` has named it."""
        return self._folder.joinpath(f"{job.job_id}.half").open("w+b")

    def finish(self, job: Job, file: BinaryIO, name: str, media_type: str) -> Download:
        """Close what came of a job, and put it where it is found."""
        file.flush()
        os.fsync(file.fileno())
        file.seek(0)
        digest = hashlib.sha256()
        while piece := file.read(_PIECE):
            digest.update(piece)
        size = file.tell()
        self._folder.joinpath(f"{job.job_id}.half").replace(self.made(job))
        return Download(name=name, media_type=media_type, size_bytes=size, sha256=digest.hexdigest())

    def drop_made(self, job: Job) -> None:
        """Remove what came of a job, or half came of it."""
        self.made(job).unlink(missing_ok=True)
        self._folder.joinpath(f"{job.job_id}.half").unlink(missing_ok=True)
