"""Wiring: from settings to services. The only importer of concrete adapters, with its parts in :mod:`coditect.wiring`."""

from __future__ import annotations

import logging
import os
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from platformdirs import user_cache_path

from coditect.documents.sandbox.budget import ReadBudget
from coditect.errors import UsageError
from coditect.knowledge.cases.base import erasure_desk
from coditect.knowledge.service import Knowledge
from coditect.models.port import ModelSources
from coditect.retrieve.local.replica import Replicas
from coditect.retrieve.local.search import HybridSearcher
from coditect.retrieve.port import Searcher
from coditect.schemas import PassageSettings
from coditect.schemas.quota import NO_QUOTA
from coditect.settings import Settings
from coditect.store.store import Store
from coditect.wiring.models import model_sources
from coditect.wiring.stores import (
    NO_STORE,
    clear_former_rows,
    compact_store,
    compactions_owed,
    open_engine,
    settle_compaction,
    shared_store,
    store_header,
    store_space,
    upgrade_store,
)

if TYPE_CHECKING:
    from coditect.knowledge.derivation.executors import Executor
    from coditect.knowledge.model_roles.agency import Agency
    from coditect.models.llm import Llm
    from coditect.schemas.quota import Quota
    from coditect.transparency.custody.memory import CheckpointMemory
    from coditect.transparency.notes import Signer

__all__ = [
    "NO_STORE",
    "clear_former_rows",
    "compact_store",
    "compactions_owed",
    "model_sources",
    "open_agency",
    "open_engine",
    "open_executor",
    "open_knowledge",
    "settle_compaction",
    "shared_store",
    "store_header",
    "store_space",
    "upgrade_store",
]

log = logging.getLogger(__name__)


@contextmanager
def open_executor(settings: Settings) -> Iterator[Executor]:
    """Who derives documents, let go at the end.

    Raises:
        UsageError: Ray is not installed.
        Unavailable: its cluster does not answer.
    """
    from coditect.knowledge.derivation.executors import LOCAL, RayExecutor

    if settings.executor == "local":
        yield LOCAL
        return
    executor = RayExecutor(partial(shared_store, settings.store, settings.tenant), settings.ray_address)
    try:
        yield executor
    finally:
        executor.close()


def _return_level(settings: Settings) -> int:
    if settings.small_to_big_return_level is not None:
        return settings.small_to_big_return_level
    return min(2, len(settings.hierarchical_chunk_levels) - 1)


def _log_signer(settings: Settings) -> Signer | None:
    """The key that signs the log's checkpoints; None where none is configured.

    Raises:
        UsageError: it cannot be read, or others can.
    """
    if settings.log_key is None:
        return None
    from coditect.transparency.custody.key_files import read_signer

    return read_signer(settings.log_key)


def _log_memory(settings: Settings) -> CheckpointMemory | None:
    """Where the log's key remembers what it signed last: a file beside it."""
    if settings.log_key is None:
        return None
    from coditect.transparency.custody.memory import FileMemory

    return FileMemory(settings.log_key)


def _answered_with(settings: Settings) -> dict[str, str]:
    """What answers depend on and no build covers."""
    names = ("embedder", "reranker", "entailment", "hierarchical_embedding_level", "small_to_big_return_level")
    return {name: str(getattr(settings, name)) for name in names}


def _passages(settings: Settings) -> PassageSettings | None:
    if not settings.hierarchical_chunks_enabled:
        return None
    return PassageSettings(
        chunk_levels=settings.hierarchical_chunk_levels,
        overlap_ratio=settings.hierarchical_overlap_ratio,
        boundaries=settings.hierarchical_boundaries,
        min_propositions=settings.min_propositions,
        max_propositions=settings.max_propositions,
    )


@contextmanager
def _open_searcher(settings: Settings, store: Store, models: ModelSources) -> Iterator[Searcher]:
    """The configured searcher, let go at the end; nothing is asked of it yet."""
    level = settings.hierarchical_embedding_level
    if not settings.qdrant:
        with _writable_cache(settings.cache) as folder:
            replicas = Replicas(store, folder, level=level)
            reads = settings.token_vectors
            yield HybridSearcher(replicas, models.embedder, models.reranker, words=models.words, reads=reads)
        return
    from coditect.retrieve.qdrant.searcher import QdrantSearcher

    api_key = settings.qdrant_api_key.get_secret_value() if settings.qdrant_api_key is not None else None
    with closing(
        QdrantSearcher(store, settings.qdrant, models.embedder, models.reranker, level=level, api_key=api_key)
    ) as searcher:
        yield searcher


@contextmanager
def _writable_cache(configured: Path) -> Iterator[Path]:
    """The folder for search replicas: the configured one; the user's where that cannot be written; else one until the end."""
    places = (configured, user_cache_path("coditect"))
    found = next((each for each in places if _may_be_written(each)), None)
    if found != configured:
        log.warning(
            "the cache %s cannot be written; search replicas lie in %s", configured, found or "a folder of this run"
        )
    if found is not None:
        yield found
        return
    with tempfile.TemporaryDirectory(prefix="coditect-") as folder:
        yield Path(folder)


def _may_be_written(folder: Path) -> bool:
    """Whether files can be made in a folder, or the folder in what is there of its parents."""
    there = next(each for each in (folder, *folder.absolute().parents) if each.exists())
    return there.is_dir() and os.access(there, os.W_OK | os.X_OK)


@contextmanager
def open_agency(
    settings: Settings, store: Store, corpus_id: str, *, forecast: bool = False, roles: tuple[str, ...] = ()
) -> Iterator[Agency | None]:
    """The roles that a language model plays in a build, or elsewhere, let go at the end; None where rules play all.

    Args:
        settings: which roles, which models, which limits.
        store: where answers are kept.
        corpus_id: of the build, or of the documents that are asked about.
        forecast: nothing is asked; the ledger tells what would be.
        roles: those that something else than a build asks; none: those of a build, as the settings name them.
    Raises:
        UsageError: no key, no library, no such role, a schema or price file that cannot be used.
    """
    if settings.llm == "none":
        yield None
        return
    from coditect.knowledge.model_roles.agency import EXAMINER, ROLE_NAMES
    from coditect.knowledge.model_roles.opening import AgencyOptions, opened_agency

    options = AgencyOptions(
        agents=roles or settings.agents,
        offered=roles or ROLE_NAMES,
        models=settings.agent_models,
        concurrency=settings.agent_concurrency,
        pairs=settings.conflict_pairs,
        extraction_schema=None if roles else settings.extraction_schema,
        batch=settings.batch and EXAMINER not in roles,  # somebody waits for a check of texts
        budget_tokens=settings.budget_tokens,
        budget_usd=settings.budget_usd,
        prices=settings.prices,
    )
    llm = None if forecast and settings.count_tokens == "local" else _open_llm(settings)
    with opened_agency(options, llm, store, corpus_id, forecast=forecast) as agency:
        yield agency


def _open_llm(settings: Settings) -> Llm:
    if settings.api_key is None:
        raise UsageError(
            "there is no API key for Claude", hint="Set CODITECT_API_KEY (or ANTHROPIC_API_KEY), or leave --llm out."
        )
    from coditect.models.claude.service import ClaudeLlm

    key = settings.api_key.get_secret_value()
    return ClaudeLlm(key, settings.llm_base_url or None, timeout_s=settings.llm_timeout_s)


def _searched_places(settings: Settings) -> tuple[Path, ...]:
    """Where an erasure looks for words that are left: search replicas, also those that a vector store keeps in a folder."""
    here = settings.qdrant and "://" not in settings.qdrant and settings.qdrant != ":memory:"
    return (settings.cache.expanduser() / "replicas", *([Path(settings.qdrant).expanduser()] if here else []))


def quota_for(settings: Settings, tenant: str) -> Quota:
    """What the operator's file grants a tenant; without a file nothing is limited.

    Raises:
        UsageError: the file cannot be read.
        SchemaError: it is not right; names the line.
    """
    if settings.quotas is None:
        return NO_QUOTA
    from coditect.knowledge.ingest.quotas.file import read_quota

    return read_quota(settings.quotas, tenant)


@contextmanager
def open_knowledge(settings: Settings, *, must_exist: bool = False) -> Iterator[Knowledge]:
    """The services over the configured store, closed at the end.

    Args:
        settings: which store, which tenant's data, which models.
        must_exist: do not make a new store.
    Raises:
        NotFound: there is no store, and none was to be made.
        SchemaError: the file of quotas is not right.
        UsageError: not the URL of a store; or a Qdrant is configured, and its client is not installed.
        Unavailable: the store cannot be opened.
    """
    quota = quota_for(settings, settings.tenant)  # before a store is made: one that is not right stops everything
    engine = open_engine(settings.store, must_exist=must_exist)
    try:
        store = Store(engine, settings.tenant)
        models = model_sources(settings)
        with _open_searcher(settings, store, models) as searcher:
            knowledge = Knowledge(
                store,
                searcher,
                jobs=settings.jobs,
                log_signer=_log_signer(settings),
                log_memory=_log_memory(settings),
                principal=settings.principal,
                answered_with=_answered_with(settings),
                read_budget=ReadBudget(settings.read_memory_mb, settings.read_time_s),
                document_extractions=settings.document_extractions,
                models=models,
                passages=_passages(settings),
                return_level=_return_level(settings),
                open_executor=partial(open_executor, settings),
                open_agency=partial(open_agency, settings),
                erasure_list=settings.erasures,
                searched_places=_searched_places(settings),
                quota=quota,
                folders=searcher.replicas if isinstance(searcher, HybridSearcher) else None,
            )
            if settings.erasures is not None:  # before anything is served
                erasure_desk(knowledge).apply_list()
            try:
                yield knowledge
            finally:
                knowledge.flush_reads()
    finally:
        engine.close()
