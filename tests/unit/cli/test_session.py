"""What a run sets up before its command is called."""

from __future__ import annotations

import json
import logging
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from coditect.cli import session
from coditect.compose import open_knowledge
from coditect.errors import SchemaError, UsageError
from coditect.settings import Settings
from tests.corpora import CORPUS, DOCUMENTS, SETTINGS, folder_of

UNASKED = (
    "asyncio",
    "coditect.language.references.targets",
    "coditect.models.flag.embedder",
    "coditect.retrieve.lookup.references",
    "coditect.schemas.agreement",
    "coditect.schemas.change",
    "coditect.schemas.crosswalk",
    "coditect.schemas.register",
    "coditect.schemas.review",
    "coditect.schemas.status",
    "coditect.schemas.text_report",
)
"""What only other commands need: each takes a hundredth of a question's time and more."""

PROGRAM = f"""
import logging, sys
from coditect.cli.app import coditect
coditect.main(sys.argv[1:], standalone_mode=False)
print([name for name in {UNASKED!r} if name in sys.modules])
print("structlog" in sys.modules)
logging.getLogger("a.library").warning("odd %s", "thing")
print("structlog" in sys.modules)
logging.getLogger("a.library").warning("again")
"""


BUILDING = """
import sys
from coditect.cli.app import coditect
for words in (sys.argv[1:], [*sys.argv[1:-4], "build", "--corpus-id", "new"]):
    coditect.main(words, standalone_mode=False)
unasked = ("structlog", "asyncio", "scipy", "coditect.agents", "coditect.knowledge.model_roles.agency")
print([name for name in unasked if name in sys.modules])
"""
"""Takes documents in and builds them; prints what of it was loaded that rules alone have no use for."""


@pytest.fixture(autouse=True)
def _restore() -> Iterator[None]:
    """As in a new process: what an earlier test set up is put aside, and put back."""
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    root.handlers[:] = [each for each in handlers if not type(each).__module__.startswith("coditect.")]
    yield
    root.handlers[:], root.level = handlers, level


def run_of(log_level: str, place: Path) -> click.Context:
    """A run with these options."""
    options = {"store": f"lmdb://{place / 'store'}", "cache": place / "cache", "log_level": log_level}
    return click.Context(click.Command("query"), obj=options)


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """A built store."""
    with open_knowledge(Settings(store=f"lmdb://{tmp_path / 'store'}", cache=tmp_path / "cache", jobs=1)) as knowledge:
        knowledge.ingest(CORPUS, [folder_of(tmp_path / "files", DOCUMENTS)])
        knowledge.build(CORPUS, SETTINGS)
    return tmp_path


@pytest.mark.parametrize(
    "words", [["query", "--query", "incident"], ["query", "--query", "incident", "--tier", "passage"]]
)
def test_question_waits_for_no_library_and_no_records_that_it_does_not_show(place: Path, words: list[str]) -> None:
    """No structlog, and no module of what it does not answer with; a library's first line sets logging up and is told once."""
    options = ["knowledge", "--store", f"lmdb://{place / 'store'}", "--cache", str(place / "cache")]
    command = [sys.executable, "-c", PROGRAM, *options, words[0], "--corpus-id", CORPUS, *words[1:], "--format", "json"]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    assert done.stdout.splitlines()[-3:] == ["[]", "False", "True"]
    lines = [json.loads(line) for line in done.stderr.splitlines()]
    assert [(line["event"], line["level"]) for line in lines] == [("odd thing", "warning"), ("again", "warning")]


def test_build_by_rules_loads_nothing_of_models_and_of_long_documents(place: Path) -> None:
    """No library of logging, no roles of agents, no loop that asks models, and no matrices for sentences that are few."""
    options = ["knowledge", "--store", f"lmdb://{place / 'store'}", "--cache", str(place / "cache"), "--jobs", "1"]
    given = ["ingest", "--corpus-id", "new", str(place / "files")]
    command = [sys.executable, "-c", BUILDING, *options, *given]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    assert done.stdout.splitlines()[-1] == "[]"


def test_logging_of_a_command_that_logs_is_set_up_at_once(place: Path) -> None:
    """A command whose own code logs does so from its first line on, whatever ran in the process before."""
    before = [type(each).__name__ for each in logging.getLogger().handlers]
    with session.open_session(run_of("WARNING", place), logs=False):
        pass
    with session.open_session(run_of("INFO", place)):
        now = [type(each).__name__ for each in logging.getLogger().handlers if type(each).__name__ not in before]
    assert now == ["_StderrHandler"]
    assert logging.getLogger().level == logging.INFO


def test_unknown_log_level_is_refused_either_way(place: Path) -> None:
    """A command that logs nothing refuses it, too."""
    for logs in (True, False):
        with pytest.raises(UsageError, match="log level"), session.open_session(run_of("LOUD", place), logs=logs):
            pass


@pytest.mark.parametrize(("given", "left"), [({}, ""), ({"OPENBLAS_NUM_THREADS": "3"}, "3")])
def test_numpy_alone_leaves_the_environment_as_it_was(given: dict[str, str], left: str) -> None:
    """One thread fewer for each core in this process; workers that it starts are not concerned, and the user's word holds."""
    program = (
        "import os, sys; from coditect.cli.session import import_numpy_alone as f; f(); f(); "
        "print('numpy' in sys.modules, os.environ.get('OPENBLAS_NUM_THREADS', ''))"
    )
    environment = {name: value for name, value in os.environ.items() if name != "OPENBLAS_NUM_THREADS"} | given
    done = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True, env=environment)
    assert done.stdout == f"{not given} {left}\n"


def test_setting_that_is_not_valid_is_named_with_its_option(place: Path) -> None:
    """The hint tells the variable, and the option only of a command that has it."""
    obj = {"store": f"lmdb://{place / 'store'}", "jobs": "many"}
    plain = click.Context(click.Command("query"), obj=obj)
    with pytest.raises(SchemaError) as told:
        session.load_settings(plain)
    assert (told.value.context["setting"], told.value.context["value"]) == ("jobs", "many")
    assert told.value.hint == "Set CODITECT_JOBS to something else, or leave it out."
    params: list[click.Parameter] = [click.Option(["--other"]), click.Option(["--jobs"])]
    having = click.Context(click.Command("build", params=params), obj=obj)
    with pytest.raises(SchemaError) as told:
        session.load_settings(having)
    assert told.value.hint == "Set CODITECT_JOBS or --jobs to something else, or leave it out."
