"""kill -9 while a model is being asked: the next run finishes, and nothing that was answered is asked, and paid, again."""

from __future__ import annotations

import random
from collections import defaultdict
from pathlib import Path

import pytest

from coditect.schemas import BuildSettings
from tests.effort import times
from tests.integration.agents import CORPUS, POLICIES, folder_of, opened, require_verbatim
from tests.killed_programs import Program
from tests.llm_server import llm_process
from tests.llm_server.journal import Call

KILLS = times(8)
LATENCY_S = 0.1
CONCURRENCY = 4

SCRIPT = """
import sys
from pathlib import Path
import anthropic
from coditect.schemas import BuildSettings
from tests.integration.agents import CORPUS, opened
if __name__ == "__main__":
    with opened(Path(sys.argv[1]), sys.argv[2], agent_concurrency=int(sys.argv[3])) as knowledge:
        print("ready", flush=True)
        knowledge.build(CORPUS, BuildSettings())
"""


def _documents(seed: int) -> dict[str, str]:
    """Enough to be asking for a while, and other requests for each seed."""
    return {
        f"{n}-{name}": text.replace("Every user", f"Every user of site {seed}.{n}").replace(
            "24 hours", f"{n + 3} hours"
        )
        for n in range(3)
        for name, text in POLICIES.items()
    }


@pytest.mark.parametrize("seed", range(KILLS))
def test_killed_build_asks_for_nothing_twice(tmp_path: Path, seed: int) -> None:
    """At any moment, calls in flight: the second run is whole, and each answer was paid for once."""
    after_s = random.Random(seed).uniform(0.15, 2.5)  # noqa: S311 - no secret
    with llm_process(tmp_path / "calls.jsonl", latency_s=LATENCY_S) as server:
        with opened(tmp_path, server.base_url, llm="none") as knowledge:
            knowledge.ingest(CORPUS, [folder_of(tmp_path / "in", _documents(seed))])
        Program.written(tmp_path / "work.py", SCRIPT).killed_after_s(after_s, tmp_path, server.base_url, CONCURRENCY)
        asked = len(server.messages)
        with opened(tmp_path, server.base_url) as knowledge:
            report = knowledge.build(CORPUS, BuildSettings())
            require_verbatim(knowledge)
        assert not report.partial
        assert len(server.messages) > asked
        answered: dict[str, list[Call]] = defaultdict(list)
        for call in server.answered:
            answered[call.sha256].append(call)
    twice = [calls for calls in answered.values() if len(calls) > 1]
    assert len(twice) <= CONCURRENCY, "no more than were in flight: the others were stored before the next was asked"
