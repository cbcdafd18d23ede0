"""What is installed: a licence, bounds for every dependency, locks in step, and a base that needs no compiler."""

from __future__ import annotations

import subprocess
import sys
import tomllib
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from packaging.requirements import Requirement

from tests.tool_modules import tool_module

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture(scope="module")
def project() -> dict[str, Any]:
    found: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    return found


@pytest.fixture(scope="module")
def lock() -> ModuleType:
    """The tool that writes the locks."""
    return tool_module("lock")


def test_licence_is_the_one_that_the_metadata_name(project: dict[str, Any]) -> None:
    """The text is part of what is distributed."""
    assert project["license"] == "Apache-2.0"
    assert project["license-files"] == ["LICENSE"]
    assert (ROOT / "LICENSE").read_text("utf-8").split()[:4] == ["Apache", "License", "Version", "2.0,"]


def test_dependencies_have_bounds_on_both_sides(project: dict[str, Any]) -> None:
    """A next major version of a library is tried before it is installed for everybody."""
    lines = [*project["dependencies"], *(each for extra in project["optional-dependencies"].values() for each in extra)]
    assert len(lines) > 30
    for line in lines:
        operators = {each.operator for each in Requirement(line).specifier}
        assert operators == {">=", "<"}, line


def test_locks_are_in_step_with_what_is_asked_for(lock: ModuleType) -> None:
    """Whoever changes a dependency writes them anew: make lock."""
    assert lock.drift() == []


def test_locks_that_are_out_of_step_are_told(lock: ModuleType, tmp_path: Path) -> None:
    """A new dependency, a version outside its bounds, and two locks that differ; what is for later Pythons is in none."""
    (tmp_path / "requirements").mkdir()
    (tmp_path / "pyproject.toml").write_text(
        '[project]\ndependencies = ["one>=2,<3", "two>=1,<2"]\n[project.optional-dependencies]\n'
        "dev = [\"new; python_version >= '3.12'\"]\n"
        "server = []\nfdb = []\ncalendar = []\npdf = []\ntimestamp = []\n"
    )
    (tmp_path / "requirements/base.lock").write_text("# head\none==1.9\n")
    (tmp_path / "requirements/dev.lock").write_text("# head\none==2.1\ntwo==1.0\n")
    (tmp_path / "requirements/server.lock").write_text("# head\none==2.1\ntwo==1.0\n")
    assert lock.drift(tmp_path) == [
        "base.lock has one 1.9, and pyproject.toml asks for <3,>=2",
        "base.lock has two None, and pyproject.toml asks for <2,>=1",
        "dev.lock has one 2.1, and base.lock 1.9",
    ]


def test_lock_of_the_base_holds_all_that_it_requires(lock: ModuleType) -> None:
    """Down to the last library, as far as this environment tells; and nothing that only the tests need."""
    text = (ROOT / "requirements/base.lock").read_text("utf-8")
    named = {line.split("==")[0] for line in text.splitlines() if not line.startswith("#")}
    assert set(lock.locked(lock.requirements_of(()))) == named
    assert not named & {"foundationdb", "pytest", "torch", "ray", "anthropic", "qdrant-client"}
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert project["requires-python"] == f">={lock.OLDEST}"


@pytest.mark.parametrize("file", ["base.lock", "dev.lock"])
def test_locks_name_no_place(file: str) -> None:
    """They serve every index: no address, no path."""
    lines = (ROOT / "requirements" / file).read_text("utf-8").splitlines()
    assert all(
        "/" not in line and "@" not in line and line.count("==") == 1 for line in lines if not line.startswith("#")
    )


def test_base_is_imported_without_the_client_of_foundationdb() -> None:
    """The one dependency that is a source distribution is an extra."""
    code = (
        "import sys; sys.modules['fdb'] = None; import coditect.compose, coditect.knowledge.service, coditect.cli.app"
    )
    assert subprocess.run([sys.executable, "-c", code], timeout=120).returncode == 0
