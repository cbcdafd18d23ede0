"""What jobs do: a use case each, and the JSON that the command line prints of it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from coditect.knowledge.progress import Progress
from coditect.knowledge.report.shapes import build_shape, ingest_shape
from coditect.knowledge.service import Knowledge
from coditect.schemas import BuildSettings
from coditect.server.jobs.records import Job

__all__ = ["carry_out"]


def carry_out(knowledge: Knowledge, job: Job, folder: Path, progress: Progress) -> Any:  # noqa: ANN401 - any JSON value
    """Do a job.

    Args:
        knowledge: of the job's tenant, in the caller's name.
        job: what is asked.
        folder: what was uploaded for it.
        progress: told as it goes on.

    Raises:
        CoditectError: as the use case.
    """
    if job.kind == "ingest":
        return ingest_shape(knowledge.ingest(job.corpus_id, [folder], progress=progress))
    if job.kind == "build":
        settings = BuildSettings.model_validate(job.settings)
        return build_shape(knowledge.build(job.corpus_id, settings, progress=progress))
    return knowledge.validate(job.corpus_id, progress=progress).model_dump(mode="json")
