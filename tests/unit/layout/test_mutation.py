"""What the tool that mutates the product takes for a kill, and what it does not."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.tool_modules import tool_module

ROOT = Path(__file__).resolve().parents[3]

drawing = tool_module("mutation.drawing")
processes = tool_module("mutation.processes")
forks = tool_module("mutation.forks")

_MODULE = """
LIMIT = 3

def _doubled(number: int) -> int:
    return number * 2

SEEN = _doubled(2)

def within(number: int) -> bool:
    return number < LIMIT and number > -LIMIT

def unseen(number: int) -> bool:
    return number == 0

def unreached(number: int) -> int:
    return number - 1

def endless(number: int) -> int:
    while number > 0:
        number = number - 1
    return number
"""
_TESTS = """
import os
import subprocess
import sys
from pathlib import Path
from coditect.store.limits import SEEN, endless, unseen, within

def test_limits():
    assert within(2)
    assert not within(3)

def test_unseen():
    unseen(1)

def test_in_a_program():
    code = "from coditect.store.limits import unreached; assert unreached(3) == 2"
    subprocess.run([sys.executable, "-c", code], check=True)

def test_that_always_fails():
    assert SEEN == 5
    within(1)
"""


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A small checkout of its own, with tests of which one never passes."""
    room, tests = tmp_path / "coditect" / "store", tmp_path / "tests"
    room.mkdir(parents=True)
    tests.mkdir()
    (tmp_path / "coditect" / "__init__.py").touch()
    (tmp_path / "coditect" / "errors.py").touch()
    (room / "__init__.py").touch()
    (tmp_path / "pyproject.toml").write_text(
        "[tool.pytest.ini_options]\nasyncio_default_fixture_loop_scope = 'function'\n", encoding="utf-8"
    )
    (room / "limits.py").write_text(_MODULE, encoding="utf-8")
    (tests / "test_limits.py").write_text(_TESTS, encoding="utf-8")
    return tmp_path


def _mutations(checkout: Path) -> dict[str, Any]:
    """The mutations of the small checkout, by what they say."""
    path = checkout / "coditect" / "store" / "limits.py"
    return {f"{each.line} {each.was.strip()}": each for each in drawing.mutations(path, checkout)}


def _verdicts(checkout: Path, mutations: list[Any]) -> dict[Any, str]:
    """What a session of forks says."""
    asked, answers = checkout / "asked", checkout / "answers"
    asked.write_text(forks.Request(("tests",), tuple(mutations)).to_json(), encoding="utf-8")
    places = os.pathsep.join((str(checkout), str(ROOT), str(ROOT / "tools")))
    words = [sys.executable, "-m", "mutation.forks", str(asked), str(answers)]
    # As the tool's own runs have it: a file that changes twice in a second would be read from the compiled one.
    environment = {**os.environ, "PYTHONPATH": places, "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(words, cwd=checkout, env=environment, capture_output=True, text=True, check=False)
    assert not done.stderr, done.stderr
    assert "without any mutation: tests/test_limits.py::test_that_always_fails fails" in done.stdout
    found = [json.loads(line) for line in answers.read_text(encoding="utf-8").splitlines()]
    return {drawing.Mutation(**line["mutation"]): line["verdict"] for line in found}


def test_forks_tell_kills_from_survivors_from_what_is_no_mutation(checkout: Path) -> None:
    """A failing test kills, here or in a program that it starts; nothing does that is equal, broken, or fails anyway.

    So of few mutations, for which all tests run, and of many, for which those run that enter a function.
    """
    made = _mutations(checkout)
    same = drawing.Mutation(**{**vars_of(made["10 <"]), "text": " < "})
    broken = drawing.Mutation(**{**vars_of(made["10 <"]), "text": " < ( "})
    wanted = [made["10 <"], made["10 >"], made["13 =="], made["16 -"], made["2 3"], made["5 *"], same, broken]
    verdicts, few = _verdicts(checkout, wanted), _verdicts(checkout, wanted[:4])
    assert list(verdicts) == wanted
    assert [each.split()[0] for each in few.values()] == [verdicts[each].split()[0] for each in few]
    killed, survived, unseen, reached, threshold, imported, equal, odd = verdicts.values()
    assert killed == "killed by tests/test_limits.py::test_limits"
    assert survived.startswith("SURVIVED")
    assert unseen.startswith("SURVIVED")
    assert reached == "killed by tests/test_limits.py::test_in_a_program"
    assert (threshold, imported) == (forks.UNDECIDED, forks.UNDECIDED)
    assert equal.startswith("odd: its function was not found")
    assert odd.startswith("odd: SyntaxError")
    assert (checkout / "coditect" / "store" / "limits.py").read_text(encoding="utf-8") == _MODULE


def vars_of(mutation: Any) -> dict[str, Any]:  # noqa: ANN401 - a class of a tool
    """The fields of a mutation."""
    return {name: getattr(mutation, name) for name in ("path", "line", "begin", "end", "text", "was")}


def test_drawn_mutations_are_python_and_the_same_for_a_seed() -> None:
    """A few of one room: each changes its line, and compiles."""
    first, again = (drawing.drawn(ROOT, 12, 7, ["keyspace"]) for _ in range(2))
    assert first == again
    assert len(set(first)) == 12
    for mutation in first:
        source = (ROOT / mutation.path).read_text(encoding="utf-8")
        assert mutation.mutated(source) != source
        compile(mutation.mutated(source), mutation.path, "exec")
