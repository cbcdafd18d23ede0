"""What ``verify`` is asked of one text or of many."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from coditect.knowledge.model_roles.on_request.examiner import Examiner
    from coditect.knowledge.progress import Progress
    from coditect.knowledge.service import Knowledge
    from coditect.schemas import ExaminerReads, TextReport

__all__ = ["TextCheck"]


@dataclass(frozen=True, slots=True)
class TextCheck:
    """How texts are checked, and where the result goes.

    Attributes:
        corpus_id: that has to support them.
        output_format: as ``--format`` names it.
        output: a file; None: the standard output.
        fail_on: the mildest verdict that fails, "needs_review" or "unsupported".
        minimum_support: probability from which a sentence is supported, 0..1; None: as the corpus was built.
        as_of: the generation; None: the current one.
        reads: which sentences a language model reads as well; None: no model is asked.
        dry_run: nothing is asked; what would be is told.
    """

    corpus_id: str
    output_format: str
    output: Path | None
    fail_on: str
    minimum_support: float | None
    as_of: int | None
    reads: ExaminerReads | None = None
    dry_run: bool = False

    def report(
        self, knowledge: Knowledge, content: bytes, name: str, examiner: Examiner | None, progress: Progress
    ) -> TextReport:
        """Check one text."""
        return knowledge.verify(
            self.corpus_id,
            content,
            name,
            minimum_support=self.minimum_support,
            as_of=self.as_of,
            examiner=examiner,
            progress=progress,
        )
