"""What became of the files of an ingest."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Literal

__all__ = ["FileOutcome", "FileStatus", "IngestReport"]

FileStatus = Literal["added", "updated", "described", "unchanged", "duplicate", "failed", "withdrawn"]


@dataclass(frozen=True, slots=True)
class FileOutcome:
    """What became of one file."""

    name: str
    status: FileStatus
    message: str = ""
    hint: str = ""
    error: str = ""
    document_id: str = ""

    def as_described(self, name: str) -> FileOutcome:
        """The outcome of a file that did not change, where what a manifest states of it did."""
        return replace(self, status="described") if (self.name, self.status) == (name, "unchanged") else self

    def as_copy(self, first_of: Mapping[str, str]) -> FileOutcome:
        """The outcome of a file that was taken in, or, where it is a copy of another, that it is one.

        Args:
            first_of: by name of a document, the first by name of those that hold the same bytes.
        """
        first = first_of.get(self.name, self.name)
        if self.status not in ("added", "updated", "described", "unchanged") or first == self.name:
            return self
        return FileOutcome(
            self.name,
            "duplicate",
            f"the same bytes as {first!r}; kept as one document",
            "Remove one of the two, or leave it: answers cite the first name.",
        )


@dataclass(slots=True)
class IngestReport:
    """What became of all files of an ingest.

    Attributes:
        corpus_id: the corpus that took them in.
        outcomes: one for each file, ordered by name.
        seconds: time taken, by stage.
        passed_over: names of hidden files and folders, which begin with a dot; folders with a "/" behind them.
    """

    corpus_id: str
    outcomes: list[FileOutcome] = field(default_factory=list)
    seconds: dict[str, float] = field(default_factory=dict)
    passed_over: list[str] = field(default_factory=list)

    def count(self, *statuses: FileStatus) -> int:
        """How many files have one of these statuses."""
        return sum(outcome.status in statuses for outcome in self.outcomes)

    @property
    def partial(self) -> bool:
        """Whether a file was not taken in as a document of its own."""
        return self.count("failed", "duplicate") > 0
