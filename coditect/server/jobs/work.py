"""What jobs do: a use case each, the JSON that the command line prints of it, and the file that comes of some."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Any, BinaryIO

import orjson

from coditect.knowledge.cases.comparing import read_crosswalk
from coditect.knowledge.progress import Progress
from coditect.knowledge.report.crosswalk.assembly import compare_with_framework, make_crosswalk
from coditect.knowledge.report.crosswalk.framework.tables import read_columns
from coditect.knowledge.report.shapes import build_shape, ingest_shape
from coditect.knowledge.service import Knowledge
from coditect.schemas import BuildSettings, Crosswalk
from coditect.server.jobs.records import Job

__all__ = ["CROSSWALK_TYPES", "carry_out", "file_of"]

CROSSWALK_TYPES = {
    "json": "application/json",
    "jsonl": "application/jsonl",
    "csv": "text/csv; charset=utf-8",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "oscal": "application/json",
}
"""Media types of the files that crosswalks are written to."""


def file_of(job: Job) -> tuple[str, str] | None:
    """(name, media type) of the file that comes of a job; None where none does."""
    if job.kind == "export":
        return "corpus.archive", "application/octet-stream"
    if job.kind == "crosswalk":
        form = str(job.settings.get("format", "json"))
        return f"crosswalk.{'oscal.json' if form == 'oscal' else form}", CROSSWALK_TYPES[form]
    return None


def carry_out(
    knowledge: Knowledge,
    job: Job,
    folder: Path,
    out: BinaryIO | None,
    progress: Progress,
    cache: Path,
) -> Any:  # noqa: ANN401 - any JSON value
    """Do a job.

    Args:
        knowledge: of the job's tenant, in the caller's name.
        job: what is asked.
        folder: what was uploaded for it.
        out: where its file goes, for the kinds that :func:`file_of` names one for.
        progress: told as it goes on.
        cache: a folder where answers of crosswalks are kept.

    Raises:
        CoditectError: as the use case.
    """
    if job.kind == "ingest":
        return ingest_shape(knowledge.ingest(job.corpus_id, [folder], progress=progress))
    if job.kind == "build":
        settings = BuildSettings.model_validate(job.settings)
        return build_shape(knowledge.build(job.corpus_id, settings, progress=progress))
    if job.kind == "validate":
        return knowledge.validate(job.corpus_id, progress=progress).model_dump(mode="json")
    assert out is not None  # noqa: S101 - as file_of has it
    if job.kind == "export":
        return asdict(knowledge.export(job.corpus_id, out, progress=progress))
    return _crosswalk(knowledge, job, out, progress, cache)


def _crosswalk(knowledge: Knowledge, job: Job, out: BinaryIO, progress: Progress, cache: Path) -> dict[str, Any]:
    given = job.settings
    framework_corpus = given.get("framework_corpus") or job.corpus_id
    view = knowledge.view(job.corpus_id, given.get("as_of"))
    knowledge.note_read(job.corpus_id, "crosswalk", view.generation)
    compared = compare_with_framework(
        view if framework_corpus == job.corpus_id else knowledge.view(framework_corpus),
        view,
        knowledge.models.ranking(),
        frameworks=tuple(given.get("frameworks", ())),
        documents=tuple(given.get("documents", ())),
        columns=None if given.get("columns") is None else read_columns(given["columns"]),
        cache=cache,
        progress=progress,
    )
    read = read_crosswalk(knowledge, compared, progress=progress)[0] if given.get("assessed") else None
    found = make_crosswalk(compared, knowledge.clock()[:10], read)
    _write(found, str(given.get("format", "json")), out, knowledge.clock())
    told = found.model_dump(
        mode="json", include={"framework_corpus", "framework_generation", "generation", "method", "assessor"}
    )
    return {
        **told,
        "rows": len(found.rows),
        "unread": sum(bool(each.unread) for each in found.rows),
        "orphans": len(found.orphans),
        "coverage": [each.model_dump(mode="json") for each in found.coverage],
    }


def _write(found: Crosswalk, form: str, out: BinaryIO, now: str) -> None:
    """As the command writes it."""
    from coditect.reports.registers.crosswalk import write_crosswalk
    from coditect.reports.registers.mapping.writing import mapping_collection

    if form in ("json", "oscal"):
        value: Any = found.model_dump(mode="json") if form == "json" else mapping_collection(found, now)
        out.write(orjson.dumps(value, option=orjson.OPT_INDENT_2) + b"\n")
    elif form == "csv":
        write_crosswalk(found, out, "csv")
    else:
        write_crosswalk(found, out, "jsonl" if form == "jsonl" else "xlsx")
