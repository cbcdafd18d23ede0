"""Wiring: from settings to services. The only importer of concrete adapters."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING

from coditect.documents.sandbox.budget import ReadBudget
from coditect.engine.port import Engine
from coditect.errors import NotFound, UsageError
from coditect.knowledge.service import Knowledge
from coditect.models.port import Embedder, Entailment, ModelSources, Reranker, Tokenizer
from coditect.retrieve.local.replica import Replicas
from coditect.retrieve.local.search import HybridSearcher
from coditect.retrieve.port import Searcher
from coditect.schemas import PassageSettings
from coditect.settings import Settings
from coditect.store.store import Store

if TYPE_CHECKING:
    from coditect.knowledge.derivation.executors import Executor
    from coditect.knowledge.model_roles.agency import Agency

__all__ = ["model_sources", "open_agency", "open_engine", "open_executor", "open_knowledge", "shared_store"]

NO_STORE = "no store here"

LMDB = "lmdb://"
FDB = "fdb://"


def open_engine(url: str, *, must_exist: bool = False) -> Engine:
    """The storage engine that a URL names.

    Args:
        url: lmdb:///path/to/a/folder, or fdb:///path/to/fdb.cluster.
        must_exist: do not make a new store.
    Raises:
        NotFound: there is no store, and none was to be made.
        UsageError: not a URL of an engine that is here.
        Unavailable: it cannot be opened.
    """
    if url.startswith(LMDB) and len(url) > len(LMDB):
        from coditect.engine.lmdb.engine import LmdbEngine

        folder = Path(url.removeprefix(LMDB)).expanduser()
        if must_exist and (folder.is_dir() or not folder.exists()) and not (folder / "data.mdb").exists():
            raise NotFound(NO_STORE, hint="Check --store (CODITECT_STORE), or ingest something first.")
        return LmdbEngine(folder)
    if url.startswith(FDB) and len(url) > len(FDB):
        from coditect.engine.foundationdb.engine import FoundationDbEngine

        return FoundationDbEngine(Path(url.removeprefix(FDB)).expanduser())
    raise UsageError(
        "unknown kind of store", store=url, hint="Use lmdb:///path/to/a/folder or fdb:///path/to/fdb.cluster."
    )


@cache
def shared_store(url: str, tenant: str) -> Store:
    """The store as a worker on another machine opens it, once a process."""
    return Store(open_engine(url, must_exist=True), tenant)


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


def model_sources(settings: Settings) -> ModelSources:
    """How the configured models are opened; nothing is opened yet."""
    return ModelSources(
        tokenizer=_tokenizer,
        embedder=None if settings.embedder == "none" else partial(_embedder, settings.embedder, settings.device),
        reranker=None
        if settings.reranker == "none"
        else partial(_reranker, settings.reranker, settings.embedder, settings.device),
        entailment=None
        if settings.entailment == "none"
        else partial(_entailment, settings.entailment, settings.device),
    )


# Cached: a process opens each model once, also a worker to which only these functions are sent.


@cache
def _tokenizer() -> Tokenizer:
    from coditect.models.wordllama.embedder import WordLlamaTokenizer

    return WordLlamaTokenizer()


@cache
def _embedder(spec: str, device: str | None) -> Embedder | None:
    from coditect.models.catalogue import open_embedder

    return open_embedder(spec, device=device)


@cache
def _reranker(spec: str, embedder: str, device: str | None) -> Reranker | None:
    from coditect.models.catalogue import open_reranker

    return open_reranker(spec, device=device, embedder=_embedder(embedder, device))


@cache
def _entailment(folder: str, device: str | None) -> Entailment:
    from coditect.models.flag.entailment import open_entailment

    return open_entailment(Path(folder).expanduser(), device=device)


def _return_level(settings: Settings) -> int:
    if settings.small_to_big_return_level is not None:
        return settings.small_to_big_return_level
    return min(2, len(settings.hierarchical_chunk_levels) - 1)


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
        replicas = Replicas(store, settings.cache, level=level)
        yield HybridSearcher(replicas, models.embedder, models.reranker)
        return
    from coditect.retrieve.qdrant.searcher import QdrantSearcher

    api_key = settings.qdrant_api_key.get_secret_value() if settings.qdrant_api_key is not None else None
    with closing(
        QdrantSearcher(store, settings.qdrant, models.embedder, models.reranker, level=level, api_key=api_key)
    ) as searcher:
        yield searcher


@contextmanager
def open_agency(settings: Settings, store: Store, corpus_id: str, *, forecast: bool = False) -> Iterator[Agency | None]:
    """The roles that a language model plays in a build, let go at the end; None where rules play all.

    Args:
        settings: which roles, which models, which limits.
        store: where answers are kept.
        corpus_id: of the build.
        forecast: nothing is asked; the ledger tells what would be.
    Raises:
        UsageError: no key, no library, no such role, a schema or price file that cannot be used.
    """
    if settings.llm == "none":
        yield None
        return
    if settings.api_key is None:
        raise UsageError(
            "there is no API key for Claude", hint="Set CODITECT_API_KEY (or ANTHROPIC_API_KEY), or leave --llm out."
        )
    from coditect.knowledge.model_roles.opening import AgencyOptions, opened_agency
    from coditect.models.claude.service import ClaudeLlm

    options = AgencyOptions(
        agents=settings.agents,
        models=settings.agent_models,
        concurrency=settings.agent_concurrency,
        extraction_schema=settings.extraction_schema,
        batch=settings.batch,
        budget_tokens=settings.budget_tokens,
        budget_usd=settings.budget_usd,
        prices=settings.prices,
    )
    key = settings.api_key.get_secret_value()
    llm = ClaudeLlm(key, settings.llm_base_url or None, timeout_s=settings.llm_timeout_s)
    with opened_agency(options, llm, store, corpus_id, forecast=forecast) as agency:
        yield agency


@contextmanager
def open_knowledge(settings: Settings, *, must_exist: bool = False) -> Iterator[Knowledge]:
    """The services over the configured store, closed at the end.

    Args:
        settings: which store, which tenant's data, which models.
        must_exist: do not make a new store.
    Raises:
        NotFound: there is no store, and none was to be made.
        UsageError: not the URL of a store; or a Qdrant is configured, and its client is not installed.
        Unavailable: the store cannot be opened.
    """
    engine = open_engine(settings.store, must_exist=must_exist)
    try:
        store = Store(engine, settings.tenant)
        models = model_sources(settings)
        with _open_searcher(settings, store, models) as searcher:
            yield Knowledge(
                store,
                searcher,
                jobs=settings.jobs,
                read_budget=ReadBudget(settings.read_memory_mb, settings.read_time_s),
                models=models,
                passages=_passages(settings),
                return_level=_return_level(settings),
                open_executor=partial(open_executor, settings),
                open_agency=partial(open_agency, settings),
            )
    finally:
        engine.close()
