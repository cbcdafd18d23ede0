"""Opening the agency of a build: roles, limits, accounts and the loop that they run on."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from coditect.agents.asking.batching import answer_in_batches
from coditect.agents.asking.budget import Budget
from coditect.agents.asking.ledger import Ledger
from coditect.agents.asking.pool import Pool
from coditect.agents.asking.prices import Prices
from coditect.agents.asking.remembered import Asker
from coditect.agents.extraction_schema.default import DEFAULT_EXTRACTION_SCHEMA
from coditect.agents.extraction_schema.file import load_extraction_schema
from coditect.agents.roles.role import Role, roles_with
from coditect.errors import UsageError
from coditect.knowledge.model_roles.agency import ROLE_NAMES, USUAL_ROLES, Agency, Prefetch
from coditect.knowledge.model_roles.forecast import Forecaster, experience_of
from coditect.knowledge.progress import utc_now
from coditect.models.llm import Llm, LlmRequest
from coditect.store.answers.requests import AnswerStore
from coditect.store.store import Store
from coditect.store.work import process_is_gone, process_owner

__all__ = ["AgencyOptions", "opened_agency"]


@dataclass(frozen=True, slots=True)
class AgencyOptions:
    """What a user chooses.

    Attributes:
        agents: the roles that the model plays.
        offered: the roles that can be chosen: those of a build, or of what else a model is asked for.
        models: other models than the roles' own, by role.
        concurrency: calls at a time, 1..50.
        pairs: pairs of sentences that the reducer reads, at most.
        extraction_schema: file of what the mapper looks for; None: the schema of the package.
        batch: ask in batches.
        budget_tokens: what all roles together may take; None: no limit.
        budget_usd: what all roles together may cost; None: no limit.
        prices: a price file; None: the package's.
    """

    agents: tuple[str, ...] = USUAL_ROLES
    offered: tuple[str, ...] = ROLE_NAMES
    models: Mapping[str, str] = field(default_factory=dict)
    concurrency: int = 10
    pairs: int = 0
    extraction_schema: Path | None = None
    batch: bool = False
    budget_tokens: int | None = None
    budget_usd: float | None = None
    prices: Path | None = None


@contextmanager
def opened_agency(
    options: AgencyOptions,
    llm: Llm | None,
    store: Store,
    corpus_id: str,
    *,
    forecast: bool = False,
) -> Iterator[Agency]:
    """The agency of one build, check of texts or crosswalk; the model's connections are let go at the end.

    Args:
        options: the user's choices.
        llm: answers requests; None: nothing is sent to a service, which only a forecast can do without.
        store: the tenant's store, where answers are kept.
        corpus_id: the corpus that is built.
        forecast: nothing is asked; the ledger tells what would be.
    Raises:
        UsageError: no such role, no model to ask, a price file that cannot be used, or a service without batches.
        SchemaError: the extraction schema cannot be used.
    """
    roles = _chosen(options)
    schema = DEFAULT_EXTRACTION_SCHEMA
    if options.extraction_schema is not None:
        schema = load_extraction_schema(options.extraction_schema)
    prices = Prices.load(options.prices)
    unpriced = sorted({role.model for role in roles.values() if not prices.knows(role.model)})
    if unpriced and options.budget_usd is not None:
        raise UsageError(
            "there is no price for a model, so that a budget in dollars cannot be kept",
            models=unpriced,
            hint="Give a price file that has it (CODITECT_PRICES), or a budget in tokens.",
        )
    ledger, answers, pool = Ledger(prices), AnswerStore(store, corpus_id), Pool(options.concurrency)
    with asyncio.Runner() as runner:
        try:
            if forecast:
                judging = roles["validator"].model if "validator" in roles else ""
                experience = experience_of(store)
                forecaster = Forecaster(llm, answers, ledger, experience, judging, batched=options.batch)
                yield Agency(roles, schema, forecaster, pool, ledger, runner, pairs=options.pairs)
                return
            if llm is None:
                raise UsageError("these roles need a language model", hint="Add --llm claude.")
            if options.batch and llm.batches is None:
                raise UsageError("this model's service has no batches", hint="Leave --batch out.")
            limits = {name: role.budget_tokens for name, role in roles.items()}
            budget = Budget(options.budget_tokens, options.budget_usd, limits, prices)
            asker = _asker(llm, answers, ledger, budget)
            prefetch = _batches(asker) if options.batch else None
            yield Agency(roles, schema, asker, pool, ledger, runner, prefetch, pairs=options.pairs)
        finally:
            if llm is not None:
                runner.run(llm.close())


def _chosen(options: AgencyOptions) -> dict[str, Role]:
    unknown = sorted({*options.agents} - {*options.offered})
    if unknown:
        raise UsageError(
            "there is no such role", roles=unknown, hint="The roles are " + ", ".join(options.offered) + "."
        )
    every = roles_with(options.models)
    return {name: every[name] for name in options.offered if name in options.agents}


def _asker(llm: Llm, answers: AnswerStore, ledger: Ledger, budget: Budget) -> Asker:
    return Asker(
        llm,
        answers,
        ledger=ledger,
        budget=budget,
        owner=process_owner(),
        now=time.time,
        at=utc_now,
        gone=process_is_gone,
    )


def _batches(asker: Asker) -> Prefetch:
    async def prefetch(role: str, requests: Iterable[LlmRequest], progress: Callable[[int], object]) -> None:
        await answer_in_batches(asker, role, requests, progress=progress)

    return prefetch
