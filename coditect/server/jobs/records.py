"""A job as it is kept: a file of JSON, version 1."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

__all__ = ["JOB_FORMAT", "Download", "Job", "JobKind", "JobState"]

JOB_FORMAT = "job/1"

JobKind = Literal["ingest", "build", "validate", "crosswalk", "export"]
JobState = Literal["queued", "running", "done", "failed", "interrupted"]


class Download(BaseModel):
    """A file that came of a job."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str = Field(description="As it is saved.")
    media_type: str
    size_bytes: int = Field(ge=0)
    sha256: str = Field(pattern=r"^[0-9a-f]{64}$")


class Job(BaseModel):
    """Long work that somebody asked for."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    format: Literal["job/1"] = "job/1"
    job_id: str = Field(pattern=r"^[0-9a-f]{32}$")
    kind: JobKind
    tenant: str
    corpus_id: str
    caller: str = Field(description="Name of who asked.")
    state: JobState = "queued"
    asked_at: str = Field(description="RFC 3339, UTC.")
    ended_at: str = ""
    step: str = Field(default="", description="What it is at.")
    done: int = Field(default=0, ge=0, description="Pieces of the step that are done.")
    total: int = Field(default=0, ge=0, description="Pieces that the step has; 0 where nobody knows.")
    settings: dict[str, Any] = Field(default_factory=dict, description="What was asked for.")
    result: Any = Field(default=None, description="What the command line would have printed as JSON.")
    problem: dict[str, Any] | None = Field(default=None, description="Why it failed.")
    download: Download | None = Field(default=None, description="The file that came of it, while it is kept.")
    key_sha256: str = Field(default="", description="Of the idempotency key, with who sent it.")
    request_sha256: str = Field(default="", description="Of what was asked with the key.")

    @property
    def ended(self) -> bool:
        """Whether nothing more comes of it."""
        return self.state in ("done", "failed", "interrupted")

    def told(self) -> dict[str, Any]:
        """What its caller is told. A job that was interrupted is taken up again by ``POST /jobs/{job_id}/resume``."""
        kept = {
            "format",
            "job_id",
            "kind",
            "corpus_id",
            "caller",
            "state",
            "asked_at",
            "ended_at",
            "step",
            "done",
            "total",
        }
        made = None if self.download is None else self.download.model_dump(mode="json")
        return {
            **self.model_dump(mode="json", include=kept),
            "result": self.result,
            "problem": self.problem,
            "download": made,
        }
