"""What every step of a build that goes over documents is given."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from coditect.documents.limits import MOST_EXTRACTIONS
from coditect.knowledge.derivation.beside import KeptBeside
from coditect.knowledge.derivation.executors import LOCAL, Executor
from coditect.knowledge.derivation.plan import NOTHING_PLANNED, PlannedDocuments
from coditect.knowledge.derivation.report import BuildReport
from coditect.knowledge.labour.handed import ReadItems
from coditect.knowledge.progress import Progress, silent
from coditect.schemas import Section
from coditect.store.store import Store
from coditect.store.view import View

__all__ = ["BuildRun", "Handed"]


@dataclass(frozen=True, slots=True)
class BuildRun:
    """One run of a build.

    Attributes:
        store: the tenant's store.
        report: what the build tells of itself; its steps add to it.
        progress: told as documents are done.
        jobs: how many processes derive documents; None for one on each core where that pays.
        executor: derives documents.
        document_extractions: extractions of one document, at most.
        at: when it began, RFC 3339, for the log.
        beside: keeps what is made of documents beside their tiers; None: nothing is.
    """

    store: Store
    report: BuildReport
    progress: Progress = silent
    jobs: int | None = None
    executor: Executor = LOCAL
    document_extractions: int = MOST_EXTRACTIONS
    at: str = ""
    beside: KeptBeside | None = None


@dataclass(slots=True)
class Handed:
    """What was read for a build, or is handed to what follows it, so that it is not read again.

    Attributes:
        former: the generation that the build begins from, where it is open in this process.
        memory: items that were read before, and are read now, by id; None: nothing is remembered.
        draft: the new one, with the manifest that was published; None until it is.
        sections: its Tier 3, in order.
        planned: what the last build of this process planned of the former one; then what this one planned.
    """

    former: View | None = None
    memory: ReadItems | None = None
    draft: View | None = None
    sections: Sequence[Section] = ()
    planned: PlannedDocuments = NOTHING_PLANNED
