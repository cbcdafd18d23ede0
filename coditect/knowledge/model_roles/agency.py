"""The roles that a language model plays in a build: who asks, how much at a time, what it may cost, and what came of it.

Whatever a model says goes through the role's reader, which lets through only what the store bears out; what it says is kept under
its request, so that a build that was killed, or is repeated, asks for nothing twice. Where a model fails on a document for good,
rules read it, and the report and the summary name it.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Collection, Iterable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import Generic, Protocol, TypeVar

from coditect.agents.asking.ledger import Ledger
from coditect.agents.asking.pool import Outcome, Pool
from coditect.agents.extraction_schema.schema import ExtractionSchema
from coditect.agents.roles.mapper import mapper_role
from coditect.agents.roles.role import Role
from coditect.errors import BudgetExceeded, RateLimited, Unreachable
from coditect.knowledge.derivation.readings import READER
from coditect.knowledge.model_roles.further import further_prompts
from coditect.knowledge.progress import Progress
from coditect.models.llm import LlmAnswer, LlmRequest
from coditect.schemas import AgentSettings
from coditect.store.store import Store

__all__ = [
    "ASSESSOR",
    "EXAMINER",
    "ROLE_NAMES",
    "SUMMARY_ROLES",
    "TRACER",
    "USUAL_ROLES",
    "Agency",
    "Asks",
    "OpenAgency",
    "Prefetch",
    "Stage",
]

SUMMARY_ROLES = ("reducer", "synthesiser", "validator")
"""The roles that are asked about Tiers 3 and 4, in the order of a build."""

USUAL_ROLES = ("mapper", "selector", "contextualiser", *SUMMARY_ROLES)
"""The roles of a build that a model plays unless somebody chooses, in its order."""

ROLE_NAMES = (READER, *USUAL_ROLES)
"""All roles of a build; the reader, which takes the place of rules in Tier 1, is played only where it is named."""

EXAMINER = "examiner"
"""The role that is asked about claims of others: no build has it."""

ASSESSOR = "assessor"
"""The role that is asked about crosswalks: no build has it."""

TRACER = "tracer"
"""The role that is asked what rests on changes: no build has it."""

ANSWER_S = 1.0
TOKEN_S = 1 / 80
"""Assumed, for the estimate of a dry run; nobody measured the service from here."""

T = TypeVar("T")
R = TypeVar("R")


class Asks(Protocol):
    """Asks a model, and remembers."""

    async def ask(
        self, role: str, request: LlmRequest, *, check: Callable[[LlmAnswer], object] | None = None
    ) -> LlmAnswer:
        """One attempt; a request that was answered before is not sent. See :class:`coditect.agents.asking.remembered.Asker`."""
        ...


Prefetch = Callable[[str, Iterable[LlmRequest], Callable[[int], object]], Awaitable[object]]
"""(role, requests, progress): has requests answered the cheap and slow way; what fails there is asked again."""


@dataclass(frozen=True, slots=True)
class Stage(Generic[T, R]):
    """Everything that one role is asked in one part of a build.

    Attributes:
        role: the name of the role that is asked.
        name: what progress calls it.
        items: taken as there is room; may be gone through twice.
        request: what is asked about an item.
        read: what of the answer can be used; Malformed where nothing can.
    """

    role: str
    name: str
    items: Callable[[], Iterable[T]]
    request: Callable[[T], LlmRequest]
    read: Callable[[T, LlmAnswer], R]


@dataclass
class Agency:
    """The roles of one build. Opened for it, in the thread that builds.

    Attributes:
        roles: those that a model plays, by name: of :data:`ROLE_NAMES`, or one alone that no build has.
        schema: what the mapper looks for.
        asks: asks the model.
        pool: asks about some items at a time.
        ledger: what was asked, got and paid.
        runner: of the loop that everything asynchronous runs on.
        prefetch: answers in batches before anything is asked one by one; None: nothing does.
        unanswered: what a role was asked for the summary and did not answer.
        pairs: pairs of sentences that the reducer reads, at most; 0: none.
        pairs_by: the id of the embedder that finds them; "" where there is none, and none are read.
    """

    roles: Mapping[str, Role]
    schema: ExtractionSchema
    asks: Asks
    pool: Pool
    ledger: Ledger
    runner: asyncio.Runner
    prefetch: Prefetch | None = None
    unanswered: set[str] = field(default_factory=set)
    pairs: int = 0
    pairs_by: str = ""

    def __post_init__(self) -> None:
        if "mapper" in self.roles:
            self.roles = {**self.roles, "mapper": mapper_role(self.roles["mapper"], self.schema)}

    def settings_for(self, names: Collection[str]) -> AgentSettings:
        """Who plays which of these roles, as a part of a build's identity."""
        roles = {name: self.version_of(name) for name in sorted(self.roles) if name in names}
        if "reducer" in roles and self.reads_pairs:
            roles["reducer"] += f" {self.pairs} pairs by {self.pairs_by}"
        return AgentSettings(roles=roles, extraction_schema=self.schema.content() if "mapper" in roles else {})

    def version_of(self, role: str) -> str:
        """Who plays a role, as it stands in what comes of it: the version of its prompt and readers, and the model."""
        own = self.roles[role]
        return " ".join((*(each.version for each in (own, *further_prompts(own))), own.model))

    @property
    def reads_statements(self) -> bool:
        """Whether the reducer reads what the documents say, for gaps and, where an embedder is configured, for conflicts."""
        return "reducer" in self.roles and self.pairs > 0

    @property
    def reads_pairs(self) -> bool:
        """Whether the reducer reads pairs of sentences."""
        return "reducer" in self.roles and self.pairs > 0 and bool(self.pairs_by)

    def expected_seconds(self) -> float:
        """How long asking takes, if an answer takes :data:`ANSWER_S` and each of its tokens :data:`TOKEN_S`: no promise."""
        total = self.ledger.report()["total"]
        seconds = total["sent"] * ANSWER_S + total["paid"]["output_tokens"] * TOKEN_S
        return float(seconds / self.pool.pace.concurrency)

    def rejected(self, role: str, reasons: Mapping[str, int]) -> None:
        """Note what a role's reader did not let through, by reason."""
        for reason, count in reasons.items():
            self.ledger.rejected(role, reason, count)

    def count_rejected(self, role: str, reasons: Iterable[str]) -> None:
        """The same, of single reasons in any order."""
        self.rejected(role, dict(sorted(Counter(reasons).items())))

    def run(self, stage: Stage[T, R], take: Callable[[Outcome[T, R]], None], progress: Progress) -> None:
        """Ask all of a stage.

        Args:
            stage: what is asked of whom.
            take: given each outcome, in the order of the items.
            progress: told of answers.
        Raises:
            BudgetExceeded: the budget does not allow the rest; what came before was taken.
        """
        self.runner.run(self._run(stage, take, progress))

    async def _run(self, stage: Stage[T, R], take: Callable[[Outcome[T, R]], None], progress: Progress) -> None:
        if self.prefetch is not None:
            requests = (stage.request(item) for item in stage.items())
            await self.prefetch(stage.role, requests, lambda done: progress(f"{stage.name} (batch)", done, 0))

        async def one(item: T) -> R:
            usable: list[R] = []

            def check(answer: LlmAnswer) -> None:
                usable[:] = [stage.read(item, answer)]

            answer = await self.asks.ask(stage.role, stage.request(item), check=check)
            if not usable:
                check(answer)
            return usable[0]

        def told(done: int) -> None:
            progress(stage.name, done, 0)

        async with self.pool.stream(stage.items(), one, progress=told, repeat_malformed=True) as outcomes:
            async for outcome in outcomes:
                if isinstance(outcome.error, BudgetExceeded):
                    raise outcome.error
                if isinstance(outcome.error, RateLimited | Unreachable):  # as often as it was tried
                    self.ledger.count(stage.role, "failed")
                take(outcome)


class OpenAgency(Protocol):
    """Opens the roles that a language model plays in a build, or elsewhere."""

    def __call__(
        self, store: Store, corpus_id: str, *, forecast: bool = False, roles: tuple[str, ...] = ()
    ) -> AbstractContextManager[Agency | None]:
        """For one build, or for ``roles`` of something else; with ``forecast`` nothing is asked. None where rules play all."""
        ...
