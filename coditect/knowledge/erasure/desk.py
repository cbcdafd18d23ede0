"""Erasures, holds and retention of a tenant's corpora, behind one door that a session opens beside its other use cases."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from coditect.errors import InvalidProof
from coditect.integrity.sweeping.sweep import sweep
from coditect.knowledge.erasure.execution import ErasureOutcome, Surroundings, finish_erasures
from coditect.knowledge.erasure.holds import order_hold, release_hold
from coditect.knowledge.erasure.lists import add_to_list, apply_list, erasure_lines, read_list
from coditect.knowledge.erasure.repeated import refused_while_waiting, waiting_erasures
from coditect.knowledge.erasure.request import (
    ErasureForecast,
    document_ids_of,
    drawn_up,
    forecast_erasure,
    record_erasure,
)
from coditect.knowledge.erasure.retention import RetentionForecast, forecast_retention, retain
from coditect.knowledge.progress import Progress, silent
from coditect.schemas import Erasure, ErasureCertificate, HoldRelease, LegalHold, SweepReport
from coditect.store.intake.erasures import holds_in
from coditect.store.store import Store
from coditect.telemetry import Logger
from coditect.transparency.sequencer import TransparencyLog

__all__ = ["ErasureDesk", "ErasureEntry"]

log = Logger(__name__)


@dataclass(frozen=True, slots=True)
class ErasureEntry:
    """An erasure, and its certificate where it is done."""

    erasure: Erasure
    certificate: ErasureCertificate | None


class ErasureDesk:
    """What goes and what must stay. Every method that changes something ends with a checkpoint of the log.

    Args:
        store: the tenant's store.
        around: what an erasure reaches beside it.
        checkpoint: signs the log.
        erasure_list: the list beside the backups; None: none is kept.
    """

    def __init__(
        self,
        store: Store,
        around: Surroundings,
        checkpoint: Callable[[], object],
        erasure_list: Path | None = None,
    ) -> None:
        self._store = store
        self._around = around
        self._checkpoint = checkpoint
        self._list = erasure_list

    def forecast(self, corpus_id: str, documents: Sequence[str], *, reason: str, by: str) -> ErasureForecast:
        """What an erasure would take; nothing is written. Raises as :meth:`erase`, and of documents whose erasure waits.

        Raises:
            Conflict: an erasure of these documents waits already; the error says for what.
        """
        ids = document_ids_of(self._store, corpus_id, documents)
        waiting = waiting_erasures(self._store, corpus_id, ids)
        if waiting:
            raise refused_while_waiting(self._store, waiting)
        return forecast_erasure(self._store, self._drawn_up(corpus_id, ids, reason, by), self._around.random(16))

    def erase(
        self, corpus_id: str, documents: Sequence[str], *, reason: str, by: str, progress: Progress = silent
    ) -> ErasureOutcome:
        """Erase documents, every version of each, and all that holds their words.

        Asked again for documents whose erasure waits, it goes on with that one: nothing else is recorded.

        Args:
            corpus_id: the corpus.
            documents: by id or name.
            reason: why; it stands in the certificate.
            by: who asks.
            progress: told as rows are read.

        Raises:
            NotFound: no such corpus or document, or it was erased.
            UsageError: the same bytes stand under another name, too; or an erasure of only some of the documents waits.
        """
        ids = document_ids_of(self._store, corpus_id, documents)
        waiting = waiting_erasures(self._store, corpus_id, ids)
        if waiting:
            return self._gone_on_with(corpus_id, waiting, progress)
        erasure = self._drawn_up(corpus_id, ids, reason, by)
        if self._list is not None:  # before anything goes: a backup that is restored then knows of it
            add_to_list(self._list, [erasure])
        record_erasure(self._store, erasure)
        outcomes = self.finish(corpus_id, progress=progress)
        return next(each for each in outcomes if each.erasure.erasure_id == erasure.erasure_id)

    def _gone_on_with(self, corpus_id: str, waiting: Sequence[Erasure], progress: Progress) -> ErasureOutcome:
        """What became of erasures that waited: of the first that still does, or else of the last."""
        names = {each.erasure_id for each in waiting}
        outcomes = [each for each in self.finish(corpus_id, progress=progress) if each.erasure.erasure_id in names]
        found = next((each for each in outcomes if each.state != "done"), outcomes[-1])
        asked = f"asked for before, by {found.erasure.by} at {found.erasure.at}"
        return replace(found, reason="; ".join(each for each in (asked, found.reason) if each))

    def _drawn_up(self, corpus_id: str, ids: Sequence[str], reason: str, by: str) -> Erasure:
        around = self._around
        return drawn_up(self._store, corpus_id, ids, reason=reason, by=by, at=around.clock(), salt=around.random(16))

    def finish(self, corpus_id: str | None = None, *, progress: Progress = silent) -> list[ErasureOutcome]:
        """Carry out what was asked for and is not done: after a kill, the end of a hold, or when a list was applied."""
        corpora = [corpus_id] if corpus_id is not None else [each.corpus_id for each in self._store.corpora()]
        done = [each for corpus in corpora for each in finish_erasures(self._store, corpus, self._around, progress)]
        for each in done:
            log.info("erasure", corpus_id=each.erasure.corpus_id, erasure_id=each.erasure.erasure_id, state=each.state)
        if done:
            self._checkpoint()
        return done

    def apply_list(self, path: Path | None = None, *, progress: Progress = silent) -> list[ErasureOutcome]:
        """Erase what a list names and the store still has, as one that was restored from a backup does.

        Args:
            path: of the list; None: the one that is kept beside the backups, which is made where it is not there.
            progress: told as rows are read.

        Raises:
            UsageError: it cannot be read, or holds what is no erasure.
        """
        if path is None:
            if self._list is None:
                return []
            if not self._list.exists():
                self._list.touch()
        outcomes: list[ErasureOutcome] = []
        for corpus_id in apply_list(self._store, read_list(path or self._list or Path())):
            try:
                outcomes += self.finish(corpus_id, progress=progress)
            except (
                InvalidProof
            ) as error:  # an older copy is erased and may be read; whatever writes says that nothing is signed
                log.warning("the log is not signed", corpus_id=corpus_id, reason=error.message, hint=error.hint)
        return outcomes

    def listed(self) -> list[Erasure]:
        """The erasures of the list beside the backups."""
        return read_list(self._list) if self._list is not None and self._list.exists() else []

    def entries(self, corpus_id: str | None = None) -> list[ErasureEntry]:
        """Every erasure with its certificate, oldest first."""
        corpora = [self._store.corpus(corpus_id)] if corpus_id is not None else self._store.corpora()
        found: list[ErasureEntry] = []
        for corpus in corpora:
            done = {
                each.erasure_id: each
                for _, each in self._store.scan("certificates", ErasureCertificate, corpus.corpus_id)
            }
            for _, erasure in self._store.scan("erasures", Erasure, corpus.corpus_id):
                found.append(ErasureEntry(erasure, done.get(erasure.erasure_id)))
        return sorted(found, key=lambda each: (each.erasure.at, each.erasure.erasure_id))

    def logged(self, erasures: Sequence[Erasure]) -> dict[str, int]:
        """The index of the log's entry for each erasure that was asked for in this store."""
        wanted = {each.erasure_id: f'"{each.erasure_id}"'.encode() for each in erasures}
        found: dict[str, int] = {}
        for index, entry in TransparencyLog(self._store.engine, self._store.keys).entries() if wanted else ():
            for erasure_id, marked in wanted.items():
                if marked in entry and b'"erasure"' in entry:
                    found.setdefault(erasure_id, index)
        return found

    def lines(self, corpus_id: str | None = None) -> bytes:
        """The list of erasures, as a file holds it."""
        return b"".join(erasure_lines(self._store, corpus_id))

    def hold(self, corpus_id: str, documents: Sequence[str] = (), *, matter: str, reason: str, by: str) -> LegalHold:
        """Order that documents, or the whole corpus, be kept. See :func:`coditect.knowledge.erasure.holds.order_hold`."""
        ids = document_ids_of(self._store, corpus_id, documents) if documents else ()
        made = order_hold(self._store, corpus_id, ids, matter=matter, reason=reason, by=by, at=self._around.clock())
        self._checkpoint()
        return made

    def release(
        self, corpus_id: str, hold_id: str, *, reason: str, by: str, progress: Progress = silent
    ) -> tuple[HoldRelease, list[ErasureOutcome]]:
        """End a hold, and carry out what was asked meanwhile."""
        made = release_hold(self._store, corpus_id, hold_id, reason=reason, by=by, at=self._around.clock())
        self._checkpoint()
        return made, self.finish(corpus_id, progress=progress)

    def holds(self, corpus_id: str | None = None) -> list[LegalHold]:
        """The holds that are in force, of one corpus or of all."""
        corpora = [self._store.corpus(corpus_id)] if corpus_id is not None else self._store.corpora()
        return [each for corpus in corpora for each in holds_in(self._store, corpus.corpus_id)]

    def retention(self, corpus_id: str, *, age: str | None = None, count: int | None = None) -> RetentionForecast:
        """What a policy would let go; nothing is written."""
        return forecast_retention(self._store, corpus_id, now=self._around.clock(), age=age, count=count)

    def retain(
        self, corpus_id: str, *, age: str | None = None, count: int | None = None, progress: Progress = silent
    ) -> tuple[int, SweepReport]:
        """Let old generations go, and remove what only they reached.

        Args:
            corpus_id: the corpus.
            age: keep what is not older, e.g. '12m'.
            count: keep the newest so many.
            progress: told as rows are read.

        Returns:
            (generations that went, what the sweep removed)
        """
        forecast = self.retention(corpus_id, age=age, count=count)
        policy = " ".join([*([f"keep {age}"] if age else []), *([f"keep-generations {count}"] if count else [])])
        gone = retain(self._store, corpus_id, forecast, policy=policy, at=self._around.clock())
        report = sweep(self._store, corpus_id, apply=True, registrar=self._around.registrar, progress=progress)
        self._around.forget(corpus_id)
        self._checkpoint()
        return gone, report
