"""A build of the product with the stand-in as its model's service: what it asks is kept, and then answered."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import orjson
from coditect_benchmarks.stand_in.folder import StandInFolder
from coditect_benchmarks.stand_in.server import StandInServer, stand_in_server
from coditect_benchmarks.stand_in.sheets import take_answers, write_sheets

from benchmark_tests.stand_in.material import written_lines
from coditect.compose import open_knowledge
from coditect.knowledge.derivation.report import BuildReport
from coditect.schemas import BuildSettings
from coditect.settings import Settings

POLICY = """# Access Control Policy

## 1 Accounts

Every user shall have an account of their own. Shared accounts are prohibited. The system owner shall review the access
rights of all users every 90 days. Passwords shall have at least 14 characters.
"""


def _build(folder: Path, server: StandInServer, roles: tuple[str, ...]) -> BuildReport:
    (folder / "in").mkdir(exist_ok=True)
    (folder / "in" / "access.md").write_text(POLICY, encoding="utf-8")
    chosen: dict[str, Any] = {
        **{"store": f"lmdb://{folder / 'store'}", "cache": folder / "cache", "jobs": 1, "embedder": "none"},
        **{"llm": "claude", "api_key": "sk-of-tests", "llm_base_url": server.base_url, "agents": roles},
    }
    with open_knowledge(Settings(**chosen)) as knowledge:
        knowledge.ingest("policies", [folder / "in"])
        return knowledge.build("policies", BuildSettings())


def test_a_build_collects_and_the_next_one_is_answered(tmp_path: Path) -> None:
    """The first build goes on by rules and says so; the second one asks the same again, and is paid by estimated tokens."""
    folder = StandInFolder(tmp_path / "f")
    with stand_in_server(folder) as server:
        first = _build(tmp_path, server, ("selector", "contextualiser"))
        assert first.partial
        assert first.agents["total"]["failed"] == server.refused == len(folder.asked()) > 1
        (sheet,) = write_sheets(folder, 1, tmp_path / "sheets")
        lines = [
            {"n": n, "answer": {"sentences": [1]} if each.output_schema else "From the policy on access, on accounts."}
            for n, each in folder.asked().items()
        ]
        assert take_answers(folder, sheet, written_lines(tmp_path / "a.jsonl", *lines)).missing == ()
        second = _build(tmp_path, server, ("selector", "contextualiser"))
    assert not second.partial, orjson.dumps(second.agents)
    assert second.agents["total"]["failed"] == 0
    assert server.answered == len(lines)
    assert second.agents["total"]["paid"]["output_tokens"] > 0
    assert folder.open_requests() == {}
