"""What goes: sweeps, erasures, and retention; and the holds that keep it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from pydantic import JsonValue

from coditect.knowledge.cases.base import KnowledgeBase, erasure_desk
from coditect.knowledge.progress import Progress, silent

if TYPE_CHECKING:
    from coditect.knowledge.erasure.desk import ErasureEntry
    from coditect.knowledge.erasure.execution import ErasureOutcome
    from coditect.knowledge.erasure.outlook import RemovalOutlook
    from coditect.knowledge.erasure.request import ErasureForecast
    from coditect.knowledge.erasure.retention import RetentionForecast
    from coditect.schemas import (
        HoldRelease,
        LegalHold,
        SweepReport,
    )

# What only some use cases need is imported where it is used: a question need not wait for what a build loads.

__all__ = ["RemovingCases"]


class RemovingCases(KnowledgeBase):
    """What goes from a store, and what must stay."""

    def sweep(self, corpus_id: str | None = None, *, apply: bool = False, progress: Progress = silent) -> SweepReport:
        """Find what nothing refers to, and remove it. See :func:`coditect.integrity.sweeping.sweep.sweep`.

        Args:
            corpus_id: the corpus; None is all of them.
            apply: remove it; else it is only counted, and nothing is written.
            progress: told as pages are read.
        Returns:
            What was found and removed, by corpus; a corpus that somebody is at work on is left alone, and says so.
        Raises:
            NotFound: no such corpus.
        """
        from coditect.integrity.sweeping.sweep import sweep

        for corpus in self.store.corpora() if apply else ():
            if corpus_id in (None, corpus.corpus_id):
                self._finish_erasures(corpus.corpus_id, progress)
        report = sweep(self.store, corpus_id, apply=apply, progress=progress)
        for each in report.corpora:
            if each.removed:
                removed: dict[str, JsonValue] = {
                    table: count.model_dump(mode="json") for table, count in each.removed.items()
                }
                self._log_act("sweep", each.corpus_id, removed=removed)
        return report

    def forecast_erasure(self, corpus_id: str, documents: Sequence[str], *, reason: str, by: str) -> ErasureForecast:
        """What an erasure would take; nothing is written.

        Raises:
            NotFound: as :meth:`erase`.
            UsageError: as :meth:`erase`.
            Conflict: an erasure of these documents waits already; the error says for what.
        """
        return erasure_desk(self).forecast(corpus_id, documents, reason=reason, by=by)

    def erase(
        self, corpus_id: str, documents: Sequence[str], *, reason: str, by: str, progress: Progress = silent
    ) -> ErasureOutcome:
        """Erase documents, every version of each, and all that holds their words. See ADR 54.

        Args:
            corpus_id: the corpus.
            documents: by id or whole name.
            reason: why; it stands in the certificate.
            by: who asks.
            progress: told as rows are read.
        Returns:
            What became of it: done, with its certificate; or why it waits, and for whom. Asked again for documents whose erasure
            waits, what became of that one.
        Raises:
            NotFound: no such corpus or document, or it was erased; the error says when.
            UsageError: the same bytes stand under another name, too; or an erasure of only some of the documents waits.
        """
        self._act()
        return erasure_desk(self).erase(corpus_id, documents, reason=reason, by=by, progress=progress)

    def finish_erasures(self, corpus_id: str | None = None, *, progress: Progress = silent) -> list[ErasureOutcome]:
        """Carry out what was asked to be erased and is not done: after a kill, say. Whatever writes to a corpus does so first.

        Args:
            corpus_id: the corpus; None is all of them.
            progress: told as rows are read.
        """
        self._act()
        return erasure_desk(self).finish(corpus_id, progress=progress)

    def erasures(self, corpus_id: str | None = None) -> list[ErasureEntry]:
        """Every erasure of one corpus, or of all, with its certificate where it is done; oldest first."""
        return erasure_desk(self).entries(corpus_id)

    def hold(self, corpus_id: str, documents: Sequence[str] = (), *, matter: str, reason: str, by: str) -> LegalHold:
        """Order that documents be kept until :meth:`release`; meanwhile the corpus is not swept, and erasures of them wait.

        Args:
            corpus_id: the corpus.
            documents: by id or whole name; none: all of the corpus.
            matter: the case that it serves.
            reason: why.
            by: who orders it.
        Raises:
            NotFound: no such corpus or document.
            Conflict: one of them is being erased.
        """
        self._act()
        return erasure_desk(self).hold(corpus_id, documents, matter=matter, reason=reason, by=by)

    def release(
        self, corpus_id: str, hold_id: str, *, reason: str, by: str, progress: Progress = silent
    ) -> tuple[HoldRelease, list[ErasureOutcome]]:
        """End a hold, and carry out the erasures that were asked for meanwhile.

        Args:
            corpus_id: the corpus.
            hold_id: of the hold.
            reason: why.
            by: who ends it.
            progress: told as rows are read.
        Raises:
            NotFound: no such hold is in force.
        """
        self._act()
        return erasure_desk(self).release(corpus_id, hold_id, reason=reason, by=by, progress=progress)

    def holds(self, corpus_id: str | None = None) -> list[LegalHold]:
        """The legal holds that are in force, of one corpus or of all."""
        return erasure_desk(self).holds(corpus_id)

    def forecast_retention(
        self, corpus_id: str, *, age: str | None = None, count: int | None = None
    ) -> RetentionForecast:
        """Which generations a policy would let go, and why others stay; nothing is written. Raises as :meth:`retain`."""
        return erasure_desk(self).retention(corpus_id, age=age, count=count)

    def removal_outlook(self, corpus_id: str) -> RemovalOutlook:
        """What goes next from a corpus, by erasures that wait and by the retention policy applied last, and what is on hold.

        Args:
            corpus_id: the corpus.
        Raises:
            NotFound: no such corpus.
        """
        from coditect.knowledge.erasure.outlook import removal_outlook

        return removal_outlook(self.store, corpus_id, now=self.clock())

    def retain(
        self, corpus_id: str, *, age: str | None = None, count: int | None = None, progress: Progress = silent
    ) -> tuple[int, SweepReport]:
        """Let old generations go, and remove what only they reached.

        Never the current generation goes, nor one that a person signed, that holds what a person signed, or of which a report or
        an evidence bundle was made; nor any while a hold is in force.

        Args:
            corpus_id: the corpus.
            age: keep what is not older: '90d', '12m', '7y'.
            count: keep the newest so many.
            progress: told as rows are read.
        Returns:
            (generations that went, what the sweep removed)
        Raises:
            NotFound: no such corpus.
            UsageError: no policy, or not an age.
        """
        self._act()
        return erasure_desk(self).retain(corpus_id, age=age, count=count, progress=progress)
