"""The roles that a language model plays in a build: who asks, how much at a time, what it may cost, and what came of it.

Whatever a model says goes through the role's reader, which lets through only what the store bears out; what it says is kept under
its request, so that a build that was killed, or is repeated, asks for nothing twice. Where a model fails on a document for good,
rules read it, and the report and the summary name it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Generic, Protocol, TypeVar

from coditect.agents.asking.pool import Outcome, Pool
from coditect.agents.extraction_schema.schema import ExtractionSchema
from coditect.agents.roles.mapper import mapper_role
from coditect.agents.roles.role import Role
from coditect.errors import BudgetExceeded, CoditectError, RateLimited, Unreachable, UsageError
from coditect.knowledge.ingest.intake import failure_of
from coditect.knowledge.progress import Progress
from coditect.models.llm import LlmAnswer, LlmRequest
from coditect.schemas import AgentSettings, DocumentVersion, Failure

if TYPE_CHECKING:
    from coditect.agents.asking.ledger import Ledger
    from coditect.knowledge.building.executors import Executor
    from coditect.knowledge.building.plan import DocumentPlan
    from coditect.knowledge.building.report import BuildReport
    from coditect.schemas import Claim, Section, Verdict
    from coditect.store.store import Store
    from coditect.verify.checker import Evidence

__all__ = ["ROLE_NAMES", "Agency", "Asks", "Stage", "unread"]

ROLE_NAMES = ("mapper", "selector", "contextualiser", "reducer", "synthesiser", "validator")
"""In the order of a build."""

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

    async def prefetch(self, role: str, requests: Iterable[LlmRequest], progress: Callable[[int, int], None]) -> None:
        """Have many requests answered the cheap and slow way, if that was chosen; those that fail there are asked again."""
        ...


@dataclass(frozen=True, slots=True)
class Stage(Generic[T, R]):
    """Everything that one role is asked in one part of a build.

    Attributes:
        role: who.
        name: for progress.
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
        roles: those that a model plays, by name.
        schema: what the mapper looks for.
        asks: asks the model.
        pool: some at a time.
        ledger: what was asked, got and paid.
        runner: of the loop that everything asynchronous runs on.
        unanswered: what a role was asked for the summary and did not answer.
    """

    roles: Mapping[str, Role]
    schema: ExtractionSchema
    asks: Asks
    pool: Pool
    ledger: Ledger
    runner: asyncio.Runner
    unanswered: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        unknown = sorted(set(self.roles) - set(ROLE_NAMES))
        if unknown:
            raise UsageError(
                "there is no such role", roles=unknown, hint="The roles are " + ", ".join(ROLE_NAMES) + "."
            )
        if "mapper" in self.roles:
            self.roles = {**self.roles, "mapper": mapper_role(self.roles["mapper"], self.schema)}

    @property
    def settings(self) -> AgentSettings:
        """Who plays what, as a part of a build's identity."""
        versions = {name: f"{role.version} {role.model}" for name, role in sorted(self.roles.items())}
        return AgentSettings(roles=versions, extraction_schema=self.schema.content() if "mapper" in self.roles else {})

    def read(
        self,
        store: Store,
        documents: Sequence[DocumentPlan],
        report: BuildReport,
        progress: Progress,
        jobs: int | None,
        executor: Executor,
    ) -> None:
        """Tier 1 beside the rules' and the selection for Tier 2, entered into the documents' plans.

        Args:
            store: where.
            documents: of the build; their plans are changed.
            report: documents that a role failed on are named in it.
            progress: told of answers.
            jobs: as for the build.
            executor: prepares what a model may select from.
        Raises:
            BudgetExceeded: what was answered is kept.
        """
        from coditect.knowledge.model_roles.reading import map_documents, select_sentences

        if "mapper" in self.roles:
            map_documents(self, store, documents, report, progress)
        if "selector" in self.roles:
            select_sentences(self, store, documents, report, progress, jobs, executor)

    def situate(self, store: Store, documents: Sequence[DocumentPlan], report: BuildReport, progress: Progress) -> None:
        """Contexts of passages, stored as passages of their own. Arguments and errors as for :meth:`read`."""
        from coditect.knowledge.model_roles.contexts import situate_passages

        if "contextualiser" in self.roles:
            situate_passages(self, store, documents, report, progress)

    def propose(
        self, corpus_id: str, derivation_id: str, sections: Sequence[Section], progress: Progress
    ) -> list[Claim]:
        """Claims over sections: conflicts that the reducer sees, sentences that the synthesiser writes.

        Args:
            corpus_id: of the claims.
            derivation_id: that the claims are made under.
            sections: Tier 3, in order.
            progress: told of answers.
        """
        from coditect.knowledge.model_roles.summary import propose_claims

        return propose_claims(self, corpus_id, derivation_id, sections, progress)

    def judge(
        self, claims: Sequence[Claim], verdicts: Mapping[str, Verdict], evidence: Evidence, progress: Progress
    ) -> dict[str, Verdict]:
        """The checker's verdicts after the validator was heard.

        Args:
            claims: all of the summary.
            verdicts: the checker's, by claim.
            evidence: what the checker saw.
            progress: told of answers.
        """
        from coditect.knowledge.model_roles.summary import judge_claims

        return judge_claims(self, claims, verdicts, evidence, progress)

    def expected_seconds(self) -> float:
        """How long asking takes, if an answer takes :data:`ANSWER_S` and each of its tokens :data:`TOKEN_S`: no promise."""
        total = self.ledger.report()["total"]
        seconds = total["sent"] * ANSWER_S + total["paid"]["output_tokens"] * TOKEN_S
        return float(seconds / self.pool.pace.concurrency)

    # for the parts above

    def run(self, stage: Stage[T, R], take: Callable[[Outcome[T, R]], None], progress: Progress) -> None:
        """Ask all of a stage.

        Args:
            stage: what.
            take: given each outcome, in the order of the items.
            progress: told of answers.
        Raises:
            BudgetExceeded: the budget does not allow the rest; what came before was taken.
        """
        self.runner.run(self._run(stage, take, progress))

    def rejected(self, role: str, reasons: Mapping[str, int]) -> None:
        """What a role's reader did not let through, by reason."""
        for reason, count in reasons.items():
            self.ledger.rejected(role, reason, count)

    async def _run(self, stage: Stage[T, R], take: Callable[[Outcome[T, R]], None], progress: Progress) -> None:
        requests = (stage.request(item) for item in stage.items())
        await self.asks.prefetch(
            stage.role, requests, lambda done, total: progress(f"{stage.name} (batch)", done, total)
        )

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


def unread(report: BuildReport, version: DocumentVersion, role: str, error: CoditectError) -> None:
    """Name a document that a role failed on; once, with the first reason."""
    if any(failure.name == version.name for failure in report.unread):
        return
    failure: Failure = failure_of(version.corpus_id, version.name, error, version.raw_sha256)
    message = f"the {role} failed, so rules read the document: {failure.message}"
    report.unread.append(failure.model_copy(update={"message": message}))
