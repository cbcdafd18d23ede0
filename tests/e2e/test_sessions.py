"""What the documentation shows is what the program does: recorded sessions and the README's code."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.effort import FULL
from tests.places import lmdb_only, tenant_at, url_at
from tests.tool_modules import tool_module
from tests.warm import run_warm

ROOT = Path(__file__).resolve().parents[2]


@lmdb_only("the recorded sessions name its folder")
@pytest.mark.parametrize("name", ["quickstart", "errors"])
def test_sessions_replay_word_for_word(name: str) -> None:
    """Every recorded command prints what is recorded, and ends with the recorded exit code."""
    module = tool_module("sessions")
    recorded = (ROOT / "cli" / "sessions" / f"{name}.txt").read_text(encoding="utf-8")
    assert module.record(name, run_warm) == recorded, "run 'make contracts' and read the difference"


def test_sessions_on_disk_are_those_that_are_replayed() -> None:
    """No session lies in the folder that no test runs."""
    module = tool_module("sessions")
    recorded = {path.stem for path in (ROOT / "cli" / "sessions").glob("*.txt")}
    assert recorded == set(module.SESSIONS) | set(module.DATA_SESSIONS)


@lmdb_only("the recorded sessions name its folder")
@pytest.mark.slow
@pytest.mark.skipif(
    not FULL, reason="a twentieth of all tests' time, and what one builds changes with every rule: make soak"
)
def test_sessions_with_documents_of_others_replay_where_those_are() -> None:
    """As recorded, command by command."""
    module = tool_module("sessions")
    if not module.DATA.is_dir():
        pytest.skip("the shared data are not at hand")
    for name in module.DATA_SESSIONS:
        assert module.record(name) == (ROOT / "cli" / "sessions" / f"{name}.txt").read_text(encoding="utf-8")


def test_sessions_with_documents_of_others_quote_none_of_them() -> None:
    """Figures and names are recorded, no sentences: between quotation marks stands nothing."""
    for name in tool_module("sessions").DATA_SESSIONS:
        recorded = (ROOT / "cli" / "sessions" / f"{name}.txt").read_text(encoding="utf-8")
        assert set(re.findall(r"“([^”]*)”", recorded)) <= {"…"}
        assert max(map(len, recorded.splitlines())) < 500  # the longest line counts what is not published, by why


def test_readme_python_example_runs(tmp_path: Path) -> None:
    """The README's Python block runs as it stands, but for where the store lies."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    blocks = re.findall(r"```python\n(.*?)```", text, flags=re.DOTALL)
    assert len(blocks) == 1
    place, shown = tmp_path / "readme", 'store="lmdb:///tmp/coditect-readme"'
    assert shown in blocks[0]
    code = blocks[0].replace(shown, f'store="{url_at(place)}", tenant="{tenant_at(place)}"')
    code = code.replace("/tmp/coditect-readme", str(place))  # noqa: S108 - the README's own path
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert len(done.stdout.splitlines()) == 3


def test_readme_commands_exist() -> None:
    """Every command and option that the README shows is one of the program's."""
    from coditect.cli.reference import reference_markdown

    reference = reference_markdown()
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    for option in sorted(set(re.findall(r"(?<![\w-])--[a-z][a-z-]+", text))):
        assert option in reference, option
