"""What a build would derive, ask and cost, tried in a store that forgets."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from coditect.engine.scratch import ScratchEngine, open_beside
from coditect.errors import UsageError
from coditect.knowledge.building.pipeline import build
from coditect.knowledge.derivation.report import BuildReport
from coditect.knowledge.labour.scratch import scratch_folder
from coditect.knowledge.model_roles.agency import OpenAgency
from coditect.knowledge.model_roles.forecast import account_of
from coditect.knowledge.progress import Clock, Progress
from coditect.models.port import ModelSources
from coditect.schemas import BuildSettings
from coditect.store.store import Store

__all__ = ["forecast"]


def forecast(
    store: Store,
    corpus_id: str,
    settings: BuildSettings,
    open_agency: OpenAgency,
    *,
    clock: Clock,
    progress: Progress,
    jobs: int | None,
    document_extractions: int,
    models: ModelSources,
) -> BuildReport:
    """Try a build, with nobody asked and nothing stored; the report's agents tell what they would be asked.

    Args:
        store: the tenant's store.
        corpus_id: the corpus.
        settings: as for a build, and likewise all that follow.
        open_agency: the roles that a language model would play.
        clock: gives the time of records that are forgotten.
        progress: told as documents and sections are done.
        jobs: processes; None for one each core where that pays.
        document_extractions: extractions of one document, at most.
        models: how the configured models are opened.
    Raises:
        UsageError: no language model is configured.
    """
    with _scratch_store(store) as scratch, open_agency(scratch, corpus_id, forecast=True) as agency:
        if agency is None:
            raise UsageError(
                "no language model is configured, so this build costs nothing",
                hint="Add --llm claude to see what one would cost.",
            )
        report = build(
            scratch,
            corpus_id,
            settings,
            clock=clock,
            progress=progress,
            jobs=jobs,
            document_extractions=document_extractions,
            models=models,
            agency=agency,
            registrar=None,
        )
        report.agents = account_of(agency)
        return report


@contextmanager
def _scratch_store(store: Store) -> Iterator[Store]:
    """A store that shows what ``store`` holds, and forgets what is written to it."""
    with scratch_folder() as folder:
        engine = ScratchEngine(store.engine, open_beside(folder))
        try:
            yield Store(engine, store.keys.tenant)
        finally:
            engine.close()
