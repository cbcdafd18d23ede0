"""What an upgrade says that it did, for people and for programs."""

from __future__ import annotations

import json
from typing import Any

import pytest
from click.testing import CliRunner

from coditect import compose
from coditect.cli.app import coditect
from coditect.knowledge.archive.upgrade import UpgradeReport

WORDS = ["store", "upgrade"]


@pytest.fixture
def upgraded(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """An upgrade that copied 1,200 rows of two corpora; what was called, in order."""
    called: list[str] = []

    def upgrade_store(settings: object, *, progress: object) -> UpgradeReport:
        called.append("upgrade")
        return UpgradeReport(upgraded=True, from_format=1, to_format=2, rows=1_200, digests={"a": "x", "b": "y"})

    def clear_former_rows(settings: object, *, progress: object) -> int:
        called.append("clear")
        return 1_234

    monkeypatch.setattr(compose, "upgrade_store", upgrade_store)
    monkeypatch.setattr(compose, "clear_former_rows", clear_former_rows)
    return called


def _run(*more: str) -> str:
    done = CliRunner().invoke(coditect, [*WORDS, *more])
    assert done.exit_code == 0, done.output
    return done.stdout


def test_upgrade_leaves_the_former_rows_unless_it_is_told(upgraded: list[str]) -> None:
    """Nothing is cleared, and 0 rows are told as cleared."""
    told: dict[str, Any] = json.loads(_run("--format", "json"))
    assert (told["upgraded"], told["from_format"], told["to_format"]) == (True, 1, 2)
    assert (told["rows"], told["cleared_rows"], set(told["digests"])) == (1_200, 0, {"a", "b"})
    assert upgraded == ["upgrade"]


def test_upgrade_tells_what_it_copied_and_cleared(upgraded: list[str]) -> None:
    """Rows and corpora in words; the former rows are counted where they were cleared."""
    shown = _run("--clear-former")
    assert "from format 1 to format 2" in shown
    assert "1,200 rows copied; the digests of 2 corpora are what they were" in shown
    assert "1,234" in shown
    assert upgraded == ["upgrade", "clear"]
