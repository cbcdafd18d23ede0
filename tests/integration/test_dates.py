"""Dates that programs give: what the calendar does not have is refused before anything is read or written."""

from __future__ import annotations

import inspect
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from coditect import BuildSettings, Knowledge
from coditect.errors import UsageError
from coditect.knowledge.report.audit.trail import AuditFilters
from coditect.store.store import Store
from tests.corpora import CORPUS, SETTINGS, clock
from tests.integration.test_threads import ScanningSearcher

NO_DAY = "2026-94-10"


@pytest.fixture
def knowledge(built: Store) -> Knowledge:
    """The small corpus."""
    return Knowledge(built, ScanningSearcher(), clock=clock, jobs=1)


def test_every_use_case_refuses_a_day_that_does_not_exist(knowledge: Knowledge) -> None:
    """By the name of its parameter; no use case with a date is left out."""
    calls: dict[str, Callable[[], object]] = {
        "agreements": lambda: knowledge.agreements(CORPUS, today=NO_DAY),
        "conflicts": lambda: knowledge.conflicts(CORPUS, today=NO_DAY),
        "conflict_page": lambda: knowledge.conflict_page(CORPUS, today=NO_DAY),
        "documents": lambda: knowledge.documents(CORPUS, today=NO_DAY),
        "crosswalk": lambda: knowledge.crosswalk(CORPUS, today=NO_DAY),
        "answer_questions": lambda: knowledge.answer_questions(CORPUS, ["Why?"], today=NO_DAY),
        "questionnaire": lambda: knowledge.questionnaire(CORPUS, b"", today=NO_DAY),
        "waivers": lambda: knowledge.waivers(CORPUS, today=NO_DAY),
        "register": lambda: knowledge.register(CORPUS, today=NO_DAY),
        "changes": lambda: knowledge.changes(CORPUS, today=NO_DAY),
        "changes_between": lambda: knowledge.changes_between(CORPUS, "a", "b", today=NO_DAY),
        "report": lambda: knowledge.report(CORPUS, today=NO_DAY),
    }
    assert set(calls) == {name for name, each in inspect.getmembers(Knowledge) if _takes(each, "today")}
    for call in calls.values():
        with pytest.raises(UsageError, match=rf"there is no such day \(today='{NO_DAY}'\)\. Write YYYY-MM-DD"):
            call()
    settings = SETTINGS.model_copy(update={"today": NO_DAY})
    for build in (knowledge.build, knowledge.forecast):
        with pytest.raises(UsageError, match="there is no such day"):
            build(CORPUS, BuildSettings.model_validate(settings.model_dump()))


def test_states_decisions_and_the_trail_refuse_dates_that_do_not_exist(knowledge: Knowledge) -> None:
    """Each by the name of its parameter."""
    for name in ("before", "after"):
        with pytest.raises(UsageError, match=rf"neither a generation nor a day \({name}='{NO_DAY}'\)"):
            knowledge.changes(CORPUS, **{name: NO_DAY})
    claim = next(iter(knowledge.view(CORPUS).claims))
    with pytest.raises(UsageError, match=r"there is no such day \(until="):
        knowledge.review(CORPUS, claim, decision="accept_risk", by="B. Reviewer", meaning="small", until="2026-02-30")
    with pytest.raises(UsageError, match=r"there is no such time \(at="):
        knowledge.revoke_key("key", reason="lost", at="2026-9-3T8:0:0Z")
    for name in ("since", "until"):
        with pytest.raises(UsageError, match=rf"neither a day nor a time \({name}="):
            AuditFilters(**{name: NO_DAY})


def test_assistants_give_no_dates() -> None:
    """A tool that takes one has to refuse what the calendar does not have, and to be named here."""
    tools = json.loads((Path(__file__).parents[2] / "schemas" / "mcp.json").read_text())["tools"]
    taken = {name for each in tools for name in each["inputSchema"].get("properties", {})}
    assert {"corpus_id", "before", "after"} <= taken
    assert not taken & {"today", "since", "until", "as_of"}
    states = [
        each["inputSchema"]["properties"][name]
        for each in tools
        if each["name"] == "changes"
        for name in ("before", "after")
    ]
    assert all({one.get("type") for one in each["anyOf"]} == {"integer", "null"} for each in states)


def _takes(member: object, name: str) -> bool:
    return inspect.isfunction(member) and name in inspect.signature(member).parameters
