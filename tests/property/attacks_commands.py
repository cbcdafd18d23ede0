"""Attacks by the command line: options, variables and ids; and what is counted and logged meanwhile."""

from __future__ import annotations

import json
import logging
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, cast

import click.testing

from coditect.cli import coditect
from coditect.engine.lmdb.engine import LmdbEngine
from coditect.keyspace import Keyspace
from coditect.knowledge.service import Knowledge
from coditect.retrieve.local.replica import Replicas
from coditect.retrieve.local.search import HybridSearcher
from coditect.schemas import BuildSettings
from coditect.store.blobs import put_rows
from coditect.store.header import header_key
from coditect.store.store import Store
from coditect.telemetry import configure_logging
from tests.corpora import CORPUS, MODELS, SETTINGS, build_all, clock, ingest_all
from tests.property.attacks import (
    ATTACKER,
    HIDDEN,
    LONG,
    SECRETS,
    VICTIM,
    Witness,
    World,
    everything,
    kind,
)
from tests.property.attacks_writing import again

__all__: list[str] = []


@kind("work that grows with another tenant")
def _counts(world: World) -> Iterator[str]:
    """What one tenant's commands read is the same to the row, whether another tenant is there or not."""
    engine = LmdbEngine(world.fresh("alone"), durable=False)
    prefix = Keyspace(ATTACKER).prefix
    rows = everything(world.engine, ATTACKER)
    put_rows(engine, list(rows.items()))
    assert all(key.startswith(prefix) for key in rows)
    header = world.engine.read(lambda transaction: transaction.get(header_key(ATTACKER)))
    assert header is not None
    put_rows(engine, [(header_key(ATTACKER), header)])  # it is read by every transaction that writes items
    item = next(iter(world.attacker.view(CORPUS).section_by_id))
    ways: dict[str, Callable[[Knowledge], object]] = {
        "status": lambda knowledge: knowledge.status(),
        "validate": lambda knowledge: knowledge.validate(CORPUS),
        "query": lambda knowledge: knowledge.query(CORPUS, "quokka incident", include_sources=True),
        "drill-down": lambda knowledge: knowledge.drill_down(item),
        "chain": lambda knowledge: knowledge.chain(item),
        "build": lambda knowledge: knowledge.build(CORPUS, BuildSettings()),
        "all rows": lambda knowledge: sum(len(page) for page in knowledge.store.pages(b"", b"\xff")),
    }
    for name, way in ways.items():
        read = []
        for place, shared in (("alone", engine), ("shared", world.engine)):
            witness = Witness(shared, ATTACKER)
            store = Store(witness, ATTACKER)
            way(
                Knowledge(
                    store,
                    HybridSearcher(Replicas(store, world.fresh(f"cache-{place}"))),
                    clock=clock,
                    jobs=1,
                    models=MODELS,
                    passages=SETTINGS.passages,
                )
            )
            read.append(witness.rows)
        assert read[0] == read[1] > 0
        yield f"{name} reads the same rows"
    engine.close()


class _Lines(logging.Handler):
    """Keeps what is logged."""

    def __init__(self) -> None:
        super().__init__(logging.DEBUG)
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(f"{record.getMessage()} {record.__dict__}")


@kind("log lines")
def _logs(world: World) -> Iterator[str]:
    """At the level that says most, no line holds a word of a document's, and none of a tenant's names another's corpus."""
    root, lines = logging.getLogger(), _Lines()
    level, handlers = root.level, list(root.handlers)
    configure_logging("DEBUG")
    root.addHandler(lines)
    try:
        victim = again(world, world.fresh("log-cache"), VICTIM)
        attacker = again(world, world.fresh("log-cache"))
        third = Store(world.engine, "gamma")
        item = next(iter(attacker.view(CORPUS).section_by_id))
        ways: dict[str, Callable[[], object]] = {
            "a third tenant's ingest": lambda: ingest_all(third, world.folder / "secret", corpus=HIDDEN),
            "a third tenant's build": lambda: build_all(third, corpus=HIDDEN),
            "the victim's question": lambda: victim.query(HIDDEN, "quokka", include_sources=True),
            "the victim's validation": lambda: victim.validate(HIDDEN),
            "the victim's build": lambda: victim.build(HIDDEN, BuildSettings()),
            "the attacker's question": lambda: attacker.query(CORPUS, "quokka"),
            "the attacker's drill-down": lambda: attacker.drill_down(item),
            "the attacker's drill-down to the victim's": lambda: attacker.drill_down(world.ids["claim"]),
            "the attacker's status": attacker.status,
        }
        for name, way in ways.items():
            lines.lines.clear()
            world.attempt(way, *SECRETS, *world.ids.values())
            said = () if "attacker" in name else (HIDDEN,)  # a line may name the corpus that was worked on
            world.search(" ".join(lines.lines), *said)
            assert lines.lines or "third" not in name, "nothing was logged, so nothing was tried"
            yield name
    finally:
        root.handlers[:] = handlers
        root.setLevel(level)


def _run(world: World, words: list[str], environment: dict[str, str]) -> click.testing.Result:
    """Run the program in this process; a defect is raised."""
    settings = {
        "CODITECT_STORE": world.engine.url,
        "CODITECT_CACHE": str(world.folder / "cli-cache"),
        "CODITECT_JOBS": "1",
    }
    root = logging.getLogger()
    level, handlers = root.level, list(root.handlers)
    try:
        result = click.testing.CliRunner(env={**settings, **environment}).invoke(coditect, words)
    finally:
        root.setLevel(level)
        root.handlers[:] = handlers
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


STATUS = ["knowledge", "status", "--format", "json"]

MIXES: dict[str, tuple[list[str], dict[str, str]]] = {
    "the variable": (STATUS, {"CODITECT_TENANT": ATTACKER}),
    "the option": (["--tenant", ATTACKER, *STATUS], {}),
    "the option against the variable": (["--tenant", ATTACKER, *STATUS], {"CODITECT_TENANT": VICTIM}),
    "the option of the group against the variable": (
        ["knowledge", "--tenant", ATTACKER, *STATUS[1:]],
        {"CODITECT_TENANT": VICTIM},
    ),
    "the option of the command against the variable": ([*STATUS, "--tenant", ATTACKER], {"CODITECT_TENANT": VICTIM}),
    "the innermost option": (
        ["--tenant", VICTIM, "knowledge", "--tenant", VICTIM, *STATUS[1:], "--tenant", ATTACKER],
        {},
    ),
    "the last of two options": (["--tenant", VICTIM, "--tenant", ATTACKER, *STATUS], {}),
}

OTHERS = {
    "NUL": f"{VICTIM}\0",
    "0xFF": f"{VICTIM}\xff",
    "a path": f"../{VICTIM}",
    "white space": f"{VICTIM} ",
    "upper case": VICTIM.upper(),
    "a part of the name": VICTIM[:-1],
    "a longer name": f"{VICTIM}2",
    "several names": f"{VICTIM},{ATTACKER}",
    "a pattern": "*",
    "very long": LONG,
}


@kind("tenants by option and variable")
def _options(world: World) -> Iterator[str]:
    """The option wins over the variable, the innermost over the others; a name nearly the victim's is not the victim's."""
    for name, (words, environment) in MIXES.items():
        result = _run(world, words, environment)
        world.search(result.output)
        answer = json.loads(result.stdout)
        assert (answer["tenant"], [each["corpus_id"] for each in answer["corpora"]]) == (ATTACKER, [CORPUS])
        yield name
    for name, tenant in OTHERS.items():
        for words, environment in ((["--tenant", tenant, *STATUS], {}), (STATUS, {"CODITECT_TENANT": tenant})):
            if environment and "\0" in tenant:
                continue  # no environment holds it
            result = _run(world, words, environment)
            world.search(result.output)
            assert json.loads(result.stdout)["corpora"] == []
            yield f"{name}, by {'variable' if environment else 'option'}"
    for words, environment in (
        (["--tenant", "", *STATUS], {}),
        (["--tenant", " ", *STATUS], {}),
        (STATUS, {"CODITECT_TENANT": ""}),
    ):
        result = _run(world, words, environment)
        assert result.exit_code == 2
        world.search(result.output)
        yield f"no name: {words[:2]} {environment}"


@kind("commands with another tenant's ids")
def _commands(world: World) -> Iterator[str]:
    """Every command, asked for what only the victim has, ends with code 2 and says what the attacker has and nothing more."""
    ids, tenant = world.ids, {"CODITECT_TENANT": ATTACKER}
    output = str(world.folder / "report.html")
    commands: dict[str, list[str]] = {
        "status": ["status", "--corpus-id", HIDDEN],
        "query": ["query", "--corpus-id", HIDDEN, "--query", "quokka"],
        "validate": ["validate", "--corpus-id", HIDDEN],
        "build": ["build", "--corpus-id", HIDDEN],
        "report": ["report", "--corpus-id", HIDDEN, "--output", output],
        **{f"drilldown to a {name}": ["drilldown", "--item-id", item] for name, item in ids.items()},
        "drilldown in the victim's corpus": ["drilldown", "--item-id", ids["claim"], "--corpus-id", HIDDEN],
        "drilldown as of": ["drilldown", "--item-id", ids["claim"], "--as-of", "2"],
        "query as of the victim's generation": ["query", "--corpus-id", CORPUS, "--query", "incident", "--as-of", "2"],
        "query as of a number without end": [
            "query",
            "--corpus-id",
            CORPUS,
            "--query",
            "incident",
            "--as-of",
            "9" * 300,
        ],
    }
    for name, words in commands.items():
        for level in ("WARNING", "DEBUG"):
            result = _run(world, ["--log-level", level, "knowledge", *words], tenant)
            assert result.exit_code == 2, result.output
            world.search(result.output, *words)
            yield f"{name}, {level}"
    assert not Path(output).exists()


@kind("variables with bytes that are no text")
def _bytes(world: World) -> Iterator[str]:
    """A process whose CODITECT_TENANT cannot be decoded is refused before it opens anything."""
    own = {b"CODITECT_STORE": world.engine.url.encode(), b"CODITECT_CACHE": os.fsencode(world.folder / "cli-cache")}
    for value in (VICTIM.encode() + b"\xff", b"\xff", b"\xc0\x80"):
        done = subprocess.run(
            [sys.executable, "-m", "coditect", *STATUS],
            env={**os.environb, **own, b"CODITECT_TENANT": value},
            capture_output=True,
            text=True,
            errors="replace",
            timeout=60,
        )
        assert done.returncode == 2, done.stderr
        assert cast("dict[str, Any]", json.loads(done.stderr))["error"] == "SchemaError"
        world.search(done.stdout + done.stderr)
        yield repr(value)
