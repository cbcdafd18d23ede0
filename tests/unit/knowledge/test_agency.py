"""The agency asks a stage's items in order; roles that read documents are given a document's outcomes together."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import pytest

from coditect.agents.asking.ledger import Ledger
from coditect.agents.asking.pool import Outcome, Pool
from coditect.agents.asking.prices import Prices
from coditect.agents.extraction_schema.default import DEFAULT_EXTRACTION_SCHEMA
from coditect.agents.roles.role import ROLES
from coditect.errors import BudgetExceeded, Malformed, Refused
from coditect.knowledge.derivation.plan import ChunkPlan, DocumentPlan
from coditect.knowledge.derivation.report import BuildReport
from coditect.knowledge.model_roles.agency import ROLE_NAMES, SUMMARY_ROLES, Agency, Stage
from coditect.knowledge.model_roles.documents import first_error, run_by_document, unread
from coditect.knowledge.progress import silent
from coditect.models.llm import LlmAnswer, LlmRequest, TextBlock, TextPart, Usage
from tests.unit.store.items import version


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a document that is asked about."""

    document: DocumentPlan
    text: str


@dataclass
class Echo:
    """A model that says what it was asked, but refuses one thing and cannot pay for another."""

    refused: str = ""
    unpaid: str = ""
    asked: list[str] = field(default_factory=list)

    async def ask(
        self, role: str, request: LlmRequest, *, check: Callable[[LlmAnswer], object] | None = None
    ) -> LlmAnswer:
        block = request.content[0]
        assert isinstance(block, TextBlock)
        self.asked.append(block.text)
        if block.text == self.refused:
            raise Refused("no")
        if block.text == self.unpaid:
            raise BudgetExceeded("spent")
        answer = LlmAnswer(request.sha256, request.model, (TextPart(block.text),), Usage())
        if check is not None:
            check(answer)
        return answer


@pytest.fixture
def runner() -> Iterator[asyncio.Runner]:
    """A loop for the agency."""
    with asyncio.Runner() as opened:
        yield opened


def _agency(echo: Echo, runner: asyncio.Runner, **changes: Any) -> Agency:  # noqa: ANN401 - fields of the agency
    ledger = Ledger(Prices.load())
    return Agency(dict(ROLES), DEFAULT_EXTRACTION_SCHEMA, echo, Pool(2), ledger, runner, **changes)


def _parts(*names: str) -> list[Part]:
    documents = {name: DocumentPlan(version(f"{name}.md"), ChunkPlan("textrank"), None) for name in "abc"}
    return [Part(documents[name[0]], name) for name in names]


def _stage(parts: Sequence[Part]) -> Stage[Part, str]:
    def request(part: Part) -> LlmRequest:
        return LlmRequest("model", (), (TextBlock(part.text),), 10)

    return Stage("mapper", "mapper reads", lambda: parts, request, lambda part, answer: answer.text.upper())


def test_run_by_document_gives_all_outcomes_of_a_document_at_once(runner: asyncio.Runner) -> None:
    """In the order of the documents, the last one included; an error is one of the outcomes."""
    taken: list[tuple[str, list[str | None]]] = []
    errors = []

    def take(document: DocumentPlan, outcomes: Sequence[Outcome[Part, str]]) -> None:
        taken.append((document.version.name, [outcome.value for outcome in outcomes]))
        errors.append(first_error(outcomes))

    agency = _agency(Echo(refused="b1"), runner)
    run_by_document(agency, _stage(_parts("a1", "a2", "b1", "c1", "c2")), take, silent)
    assert taken == [("a.md", ["A1", "A2"]), ("b.md", [None]), ("c.md", ["C1", "C2"])]
    assert [type(error) for error in errors] == [type(None), Refused, type(None)]


def test_run_without_items_takes_nothing(runner: asyncio.Runner) -> None:
    """A stage with nothing to ask asks nothing."""
    echo = Echo()

    def take(document: DocumentPlan, outcomes: Sequence[Outcome[Part, str]]) -> None:
        raise AssertionError("nothing was asked")

    run_by_document(_agency(echo, runner), _stage([]), take, silent)
    assert echo.asked == []


def test_run_whose_budget_is_spent_ends_before_the_document_is_whole(runner: asyncio.Runner) -> None:
    """What was whole before is taken; of the document in which the budget ended nothing is."""
    taken = []
    with pytest.raises(BudgetExceeded):
        run_by_document(
            _agency(Echo(unpaid="b2"), runner),
            _stage(_parts("a1", "b1", "b2")),
            lambda document, outcomes: taken.append(document.version.name),
            silent,
        )
    assert taken == ["a.md"]


def test_run_has_requests_answered_in_batches_first_where_that_was_chosen(runner: asyncio.Runner) -> None:
    """All requests of the stage are offered to the batch before one is asked by itself."""
    echo = Echo()
    offered: list[tuple[str, str]] = []

    async def prefetch(role: str, requests: Iterable[LlmRequest], progress: Callable[[int], object]) -> None:
        assert echo.asked == []
        offered.extend((role, request.sha256) for request in requests)
        progress(len(offered))

    told: list[tuple[str, int, int]] = []
    stage = _stage(_parts("a1", "b1"))
    agency = _agency(echo, runner, prefetch=prefetch)
    agency.run(stage, lambda outcome: None, lambda *said: told.append(said))
    assert offered == [("mapper", stage.request(part).sha256) for part in stage.items()]
    assert told[0] == ("mapper reads (batch)", 2, 0)
    assert sorted(echo.asked) == ["a1", "b1"]


def test_agency_settings_name_the_roles_that_are_heard(runner: asyncio.Runner) -> None:
    """The extraction schema is a part of them only where the mapper is."""
    agency = _agency(Echo(), runner)
    assert tuple(sorted(agency.settings_for(ROLE_NAMES).roles)) == tuple(sorted(ROLE_NAMES))
    assert agency.settings_for(ROLE_NAMES).extraction_schema == DEFAULT_EXTRACTION_SCHEMA.content()
    summary = agency.settings_for(SUMMARY_ROLES)
    assert (set(summary.roles), summary.extraction_schema) == (set(SUMMARY_ROLES), {})


def test_unread_names_a_document_once_with_the_first_reason() -> None:
    """Two roles that fail on a document are one failure of it."""
    report, made = BuildReport("c"), version()
    unread(report, made, "mapper", Refused("no"))
    unread(report, made, "selector", Malformed("not JSON"))
    assert [failure.message for failure in report.unread] == ["the mapper failed, so rules read the document: no"]
