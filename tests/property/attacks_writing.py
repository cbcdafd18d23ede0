"""Attacks by doing: caches that are replaced, writes under another's ids, one of two twins erased, the command line, counting."""

from __future__ import annotations

import json
import logging
import os
import shutil
import stat
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, cast

import click.testing

from coditect.cli import coditect
from coditect.engine.lmdb import LmdbEngine
from coditect.errors import Corrupt, NotFound
from coditect.integrity.validate import validate
from coditect.keyspace import Keyspace
from coditect.knowledge.derive import DeriveTask, derive
from coditect.knowledge.manual import publish, store_chunk, store_extraction, store_section
from coditect.knowledge.service import Knowledge
from coditect.retrieve.replica import Replicas
from coditect.schemas import TIER_NAMES, BuildSettings, FeedEvent, QueryResult, TierName
from coditect.store.generations import append_feed, create_corpus, flip, generation_at
from coditect.store.store import Store
from coditect.store.view import open_view
from tests.corpora import CORPUS, DOCUMENTS, build_all, clock, folder_of, ingest_all
from tests.property.attacks import (
    ATTACKER,
    HIDDEN,
    LONG,
    NAMES,
    SECRETS,
    VICTIM,
    Witness,
    World,
    clone,
    everything,
    kind,
    shown,
)

__all__: list[str] = []

# Search replicas


def _folder(knowledge: Knowledge) -> Path:
    assert isinstance(knowledge.searcher, Replicas)
    return knowledge.searcher.folder


def _again(world: World, cache: Path, tenant: str = ATTACKER) -> Knowledge:
    store = Store(Witness(world.engine, tenant), tenant)
    return Knowledge(store, Replicas(store, cache), clock=clock, jobs=1)


@kind("folders of search replicas")
def _folders(world: World) -> Iterator[str]:
    """Whatever a tenant is called, its replicas lie in a folder of its own below the cache, closed to other users."""
    cache = world.fresh("folders")
    seen: dict[Path, str] = {}
    for name in dict.fromkeys(name for names in NAMES.values() for name in names):
        folder = Replicas(Store(world.engine, name), cache).folder
        assert folder.parent == cache / "replicas"
        assert folder.resolve().is_relative_to(cache.resolve())
        assert folder.name.isalnum()
        assert seen.setdefault(folder, name) == name
        yield f"{name[-60:]!r} ({len(name)})"
    world.attacker.query(CORPUS, "incident")
    made_folders = [path for path in _folder(world.attacker).glob("*/*") if path.is_dir()]
    assert made_folders
    assert all(stat.S_IMODE(path.stat().st_mode) & 0o077 == 0 for path in made_folders)
    yield "rights"


@kind("caches that are shared, linked or replaced")
def _caches(world: World) -> Iterator[str]:
    """A link, a copy, garbage: what lies in the cache changes no answer and shows nothing of another tenant."""
    real, link = world.fresh("real"), world.folder / "linked"
    link.symlink_to(real)
    for tenant in (VICTIM, ATTACKER):
        _again(world, link, tenant).query(CORPUS, "quokka")
    assert len(list((real / "replicas").iterdir())) == 2
    world.search(shown(_again(world, real).query(CORPUS, "quokka")), "quokka")
    yield "a cache behind a link"
    contents = b"".join(path.read_bytes() for path in _folder(_again(world, real)).rglob("*") if path.is_file())
    assert not any(secret.encode() in contents.lower() for secret in SECRETS)
    yield "words in the attacker's replica"
    theirs, mine = _folder(_again(world, real, VICTIM)), _folder(_again(world, real))
    kept = sorted(path.name for path in theirs.rglob("*"))
    shutil.rmtree(mine)
    mine.symlink_to(theirs)
    world.search(shown(_again(world, real).query(CORPUS, "quokka")), "quokka")
    assert set(kept) <= {path.name for path in theirs.rglob("*")}
    yield "the attacker's folder is a link to the victim's"
    mine.unlink()
    for tier in TIER_NAMES:
        yield from _replaced(world, real, tier)


def _replaced(world: World, cache: Path, tier: TierName) -> Iterator[str]:
    """The victim's index, then garbage, in the place of the attacker's."""
    attacker, victim = _again(world, cache), _again(world, cache, VICTIM)
    attacker.query(CORPUS, "quokka incident")
    victim.query(CORPUS, "quokka incident")
    (theirs,) = _folder(victim).glob(f"*/{victim.store.corpus(CORPUS).build_id}*")
    (mine,) = _folder(attacker).glob(f"*/{attacker.store.corpus(CORPUS).build_id}*")
    shutil.rmtree(mine / tier)
    shutil.copytree(theirs / tier, mine / tier)
    found = world.attempt(
        lambda: _again(world, cache).query(CORPUS, "quokka", tier=tier, include_sources=True), "quokka"
    )
    assert isinstance(found, Corrupt) or (isinstance(found, QueryResult) and not found.hits)
    yield f"the victim's index as the attacker's, {tier}"
    for path in (mine / tier).iterdir():
        path.write_bytes(bytes(byte ^ 0x55 for byte in path.read_bytes()))
    world.refused(lambda: _again(world, cache).query(CORPUS, "quokka", tier=tier), "quokka")
    yield f"garbage as an index, {tier}"
    shutil.rmtree(mine)


# Writes


@kind("writes under another tenant's ids")
def _writes(world: World) -> Iterator[str]:
    """Storing, removing, announcing and publishing under the victim's ids changes the writer's own space alone."""
    store = Store(Witness(world.engine, "mallory"), "mallory")
    view = world.victim.view(HIDDEN)
    document = next(d for d in view.documents.values() if d.name == "bilby.md")
    corpus = world.victim.store.corpus(HIDDEN)
    generation = generation_at(world.victim.store, corpus, 1)
    event = FeedEvent(corpus_id=HIDDEN, event="ingested", at=clock(), counts={"added": 9})
    writes: dict[str, Callable[[], object]] = {
        "create the corpus": lambda: create_corpus(store, HIDDEN, "mine", clock()),
        "put items": lambda: store.put_items([document, *view.sections, *view.extractions(document.document_id)]),
        "put derivations": lambda: store.put_derivations([]),
        "announce": lambda: store.update(partial(append_feed, store=store, event=event)),  # type: ignore[arg-type]
        "publish": lambda: flip(store, view.manifest, corpus.model_copy(update={"generation": 0}), generation),
        "remove the intake": lambda: store.remove("intake", HIDDEN, document.document_id),
        "remove the corpus": lambda: store.remove("corpus", HIDDEN),
        "remove a section": lambda: store.remove("sections", HIDDEN, world.ids["section"]),
    }
    for name, write in writes.items():
        world.attempt(write, HIDDEN, *SECRETS, *world.ids.values())
        world.check_untouched()
        yield name
    assert world.victim.validate(HIDDEN).clean


@kind("tiers stored by hand on another tenant's items")
def _by_hand(world: World) -> Iterator[str]:
    """Nothing can be derived from an item of another tenant's, and nothing published that rests on one."""
    store, ids = world.attacker.store, world.ids
    document = next(d for d in world.victim.view(HIDDEN).documents.values() if d.name == "bilby.md")
    for corpus in (CORPUS, HIDDEN):
        ways: dict[str, Callable[[], object]] = {
            "extraction": lambda c=corpus: store_extraction(store, c, document.document_id, {}, "Quokka", (2, 8), 1.0),  # type: ignore[misc]
            "chunk": lambda c=corpus: store_chunk(store, c, document.document_id, [ids["extraction"]], "textrank"),  # type: ignore[misc]
            "section": lambda c=corpus: store_section(store, c, "merger", [ids["chunk"]], 0.2),  # type: ignore[misc]
            "generation": lambda c=corpus: publish(store, c, [ids["section"]], None, clock),  # type: ignore[misc]
        }
        for name, way in ways.items():
            error = world.refused(way, corpus, "quokka", *ids.values(), document.document_id)
            assert isinstance(error, NotFound)
            yield f"{name} in {corpus}"


@kind("rows made by worker processes")
def _workers(world: World) -> Iterator[str]:
    """What a worker derives for a tenant is made of that tenant's keys, whatever the tenant is called."""
    view = world.attacker.view(CORPUS)
    version = next(iter(view.documents.values()))
    layout = view.store.get_blob(CORPUS, version.layout_sha256, version.layout_bytes)
    for name in dict.fromkeys(names[-1] for names in NAMES.values()):
        derived = derive(DeriveTask(name, version, view.text_of(version), layout, "textrank", False))
        begin, end = Keyspace(name).space
        keys = [key for item in derived.items for key, _ in (item.record, *item.index, *item.blobs)]
        assert keys
        assert all(begin <= key < end for key in keys)
        yield f"{name[-40:]!r} ({len(name)})"


# Twins: the same corpus with the same documents, so the same ids throughout

TWINS = (
    ("one", "other"),
    ("one", "one\0"),
    ("one\0", "one"),
    ("one", "one\0\xff\0"),
    ("one", "one\xff"),
    ("ONE", "one"),
    (LONG, LONG + "x"),
    ("\u212a", "K"),
    ("a\udcff", "a\xff"),
    ("../one", "one"),
)


def _changed(store: Store, folder: Path) -> None:
    changed = DOCUMENTS["access.md"].replace("90 days", "60 days")
    ingest_all(store, folder_of(folder, DOCUMENTS | {"access.md": changed}))
    build_all(store)


def _withdrawn(store: Store, folder: Path) -> None:
    ingest_all(store, folder_of(folder, {"retention.txt": DOCUMENTS["retention.txt"]}), sync=True)
    build_all(store)


def _cleared(store: Store, folder: Path) -> None:
    store.update(lambda transaction: transaction.clear_range(*store.keys.space))


def _damaged(store: Store, folder: Path) -> None:
    rows = everything(store.engine, store.keys.tenant)
    store.update(lambda transaction: [transaction.set(key, value[:-1] + b"!") for key, value in rows.items()])


@kind("one of two twins changed or erased")
def _twins(world: World) -> Iterator[str]:
    """Of two tenants with the same corpus and ids one changes, withdraws, loses or damages all: the other keeps every byte."""
    engine = LmdbEngine(world.fresh("twins"), durable=False)
    clone_from = Store(engine, "source")
    ingest_all(clone_from, folder_of(world.fresh("twins-source"), DOCUMENTS))
    build_all(clone_from)
    for n, (one, other) in enumerate(TWINS):
        for deed in (_changed, _withdrawn, _cleared, _damaged):
            for tenant in (one, other):
                clear = Keyspace(tenant).space
                engine.run(lambda transaction, span=clear: transaction.clear_range(*span))  # type: ignore[misc]
                clone(engine, "source", tenant)
            before, item = everything(engine, other), next(iter(open_view(Store(engine, other), CORPUS).section_by_id))
            deed(Store(Witness(engine, one), one), world.fresh("deed"))
            assert everything(engine, one) != {Keyspace(one).prefix + k: v for k, v in _relative(before, other).items()}
            assert everything(engine, other) == before
            kept = Store(Witness(engine, other), other)
            assert validate(kept, CORPUS).clean
            assert open_view(kept, CORPUS).find(item).item_id == item
            yield f"{deed.__name__.strip('_')}: twins {n}"
    engine.close()


def _relative(rows: dict[bytes, bytes], tenant: str) -> dict[bytes, bytes]:
    prefix = Keyspace(tenant).prefix
    return {key.removeprefix(prefix): value for key, value in rows.items()}


# Counting, logging, the command line


@kind("work that grows with another tenant")
def _counts(world: World) -> Iterator[str]:
    """What one tenant's commands read is the same to the row, whether another tenant is there or not."""
    engine = LmdbEngine(world.fresh("alone"), durable=False)
    prefix = Keyspace(ATTACKER).prefix
    rows = everything(world.engine, ATTACKER)
    engine.run(lambda transaction: [transaction.set(key, rows[key]) for key in rows])
    assert all(key.startswith(prefix) for key in rows)
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
            way(Knowledge(store, Replicas(store, world.fresh(f"cache-{place}")), clock=clock, jobs=1))
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
    """At the level that says most, no line holds a word of a document's, neither the tenant's own nor another's."""
    root, lines = logging.getLogger(), _Lines()
    level = root.level
    root.addHandler(lines)
    root.setLevel(logging.DEBUG)
    try:
        victim = _again(world, world.fresh("log-cache"), VICTIM)
        attacker = _again(world, world.fresh("log-cache"))
        item = next(iter(attacker.view(CORPUS).section_by_id))
        ways: dict[str, Callable[[], object]] = {
            "the victim's question": lambda: victim.query(HIDDEN, "quokka", include_sources=True),
            "the victim's validation": lambda: victim.validate(HIDDEN),
            "the victim's build": lambda: victim.build(HIDDEN, BuildSettings()),
            "the attacker's question": lambda: attacker.query(CORPUS, "quokka"),
            "the attacker's drill-down": lambda: attacker.drill_down(item),
            "the attacker's drill-down to the victim's": lambda: attacker.drill_down(world.ids["claim"]),
            "the attacker's status": attacker.status,
        }
        for name, way in ways.items():
            world.attempt(way, *SECRETS, *world.ids.values())
            world.search(" ".join(lines.lines))
            yield name
    finally:
        root.removeHandler(lines)
        root.setLevel(level)


def _run(world: World, words: list[str], environment: dict[str, str]) -> click.testing.Result:
    """Run the program in this process; a defect is raised."""
    settings = {
        "CODITECT_STORE": world.engine.url,
        "CODITECT_CACHE": str(world.folder / "cli-cache"),
        "CODITECT_JOBS": "1",
    }
    result = click.testing.CliRunner(env={**settings, **environment}).invoke(coditect, words)
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
