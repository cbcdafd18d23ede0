"""What a build with roles of agents says that it asked, and would ask."""

from __future__ import annotations

import io
import json
from typing import Any

import pytest

from coditect.cli.agent_options import agent_table, write_forecast
from coditect.cli.console import Screen
from coditect.knowledge.derivation.report import BuildReport


def _account(**fields: Any) -> dict[str, Any]:  # noqa: ANN401 - what a report holds
    paid = {"input_tokens": 1, "cache_creation_input_tokens": 20, "cache_read_input_tokens": 300, "output_tokens": 4000}
    made = {
        "sent": 7,
        "reused": 8,
        "refused": 1,
        "malformed": 20,
        "failed": 300,
        "rejected": {},
        "usd": 0.5,
        "unpriced": 0,
    }
    return {**made, "paid": paid, **fields}


def _agents(**fields: Any) -> dict[str, Any]:  # noqa: ANN401 - what a report holds
    roles = {"mapper": _account(), "reducer": _account(rejected={"no quote": 4000}, unpriced=1)}
    return {
        "roles": roles,
        "total": _account(sent=14),
        "sent_to_count": 0,
        "expected_seconds": 1234.0,
        "prices_as_of": "2026-01-01",
        **fields,
    }


def _lines(agents: dict[str, Any]) -> list[list[str]]:
    stream = io.StringIO()
    agent_table(Screen(stream), agents)
    return [line.split() for line in stream.getvalue().splitlines()]


def test_table_of_agents_adds_up_what_was_read_and_what_was_wrong() -> None:
    """Input is what was new, what was written to the cache, and what was read from it; refused, failed and rejected are one sum."""
    _, mapper, reducer, together, reason = _lines(_agents())
    assert mapper == ["mapper", "7", "8", "321", "300", "4,000", "0.5000", "321"]
    assert reducer == ["reducer", "7", "8", "321", "300", "4,000", "0.5000", "+", "?", "4,321"]
    assert together[:2] == ["all", "14"]
    assert reason == ["reducer:", "4000", "×", "no", "quote"]


def test_table_of_one_role_has_no_sum() -> None:
    """The sum of one row would be that row."""
    assert [line[0] for line in _lines(_agents(roles={"mapper": _account()}))] == ["role", "mapper"]


def _forecast(agents: dict[str, Any]) -> BuildReport:
    return BuildReport(corpus_id="c", generation=0, seconds={"all": 1.5}, counts={"documents": 2}, agents=agents)


@pytest.mark.parametrize(
    ("count", "said"),
    [(0, "nothing was sent"), (1, "1 request went to the service"), (2, "2 requests went to the service")],
)
def test_forecast_says_whether_anything_was_sent(capsys: pytest.CaptureFixture[str], count: int, said: str) -> None:
    """Counting by the service sends text, and a forecast on this machine does not."""
    write_forecast(_forecast(_agents(sent_to_count=count)), "text")
    shown = capsys.readouterr().out
    assert said in shown
    assert "about 1,234 s" in shown


def test_forecast_as_json_says_that_nothing_was_built(capsys: pytest.CaptureFixture[str]) -> None:
    """A dry run, and what it counted."""
    agents = _agents()
    write_forecast(_forecast(agents), "json")
    assert json.loads(capsys.readouterr().out) == {
        "corpus_id": "c",
        "dry_run": True,
        "agents": agents,
        "counts": {"documents": 2},
        "seconds": {"all": 1.5},
    }
