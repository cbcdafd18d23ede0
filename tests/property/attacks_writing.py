"""Attacks by doing: caches that are replaced, writes under another's ids, one of two twins erased."""

from __future__ import annotations

import shutil
import stat
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

from coditect.engine.lmdb.engine import LmdbEngine
from coditect.errors import Corrupt, NotFound
from coditect.integrity.validate import validate
from coditect.keyspace import Keyspace
from coditect.knowledge.building.publication import publish
from coditect.knowledge.building.stepwise import store_chunk, store_extraction, store_section
from coditect.knowledge.derivation.document import DeriveTask, derive
from coditect.knowledge.derivation.plan import ChunkPlan
from coditect.knowledge.service import Knowledge
from coditect.retrieve.local.replica import Replicas
from coditect.retrieve.local.search import HybridSearcher
from coditect.schemas import TIER_NAMES, FeedEvent, QueryResult, TierName
from coditect.store.blobs import put_rows
from coditect.store.generations import append_feed, create_corpus, flip, generation_at
from coditect.store.store import Store
from coditect.store.view import open_view
from tests.corpora import CORPUS, DOCUMENTS, MODELS, SETTINGS, build_all, clock, folder_of, ingest_all
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

__all__ = ["again"]

# Search replicas


def _folder(knowledge: Knowledge) -> Path:
    assert isinstance(knowledge.searcher, HybridSearcher)
    return knowledge.searcher.replicas.folder


def again(world: World, cache: Path, tenant: str = ATTACKER) -> Knowledge:
    """The services of a tenant of the world, opened anew, with their replicas below ``cache``."""
    store = Store(Witness(world.engine, tenant), tenant)
    return Knowledge(
        store, HybridSearcher(Replicas(store, cache)), clock=clock, jobs=1, models=MODELS, passages=SETTINGS.passages
    )


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
        again(world, link, tenant).query(CORPUS, "quokka")
    assert len(list((real / "replicas").iterdir())) == 2
    world.search(shown(again(world, real).query(CORPUS, "quokka")), "quokka")
    yield "a cache behind a link"
    contents = b"".join(path.read_bytes() for path in _folder(again(world, real)).rglob("*") if path.is_file())
    assert not any(secret.encode() in contents.lower() for secret in SECRETS)
    yield "words in the attacker's replica"
    theirs, mine = _folder(again(world, real, VICTIM)), _folder(again(world, real))
    kept = {path.name for path in theirs.glob("*/*")}
    shutil.rmtree(mine)
    mine.symlink_to(theirs)
    world.search(shown(again(world, real).query(CORPUS, "quokka")), "quokka")
    assert kept <= {path.name for path in theirs.glob("*/*")}
    yield "the attacker's folder is a link to the victim's"
    mine.unlink()
    yield from _replaced(world, real)


def _replaced(world: World, cache: Path) -> Iterator[str]:
    """The victim's index, then garbage, in the place of the attacker's, tier by tier."""
    attacker, victim = again(world, cache), again(world, cache, VICTIM)
    attacker.query(CORPUS, "quokka incident")
    victim.query(CORPUS, "quokka incident")
    (theirs,) = _folder(victim).glob(f"*/{victim.store.corpus(CORPUS).build_id}*")
    (mine,) = _folder(attacker).glob(f"*/{attacker.store.corpus(CORPUS).build_id}*")
    for tier in TIER_NAMES:
        ask = partial(_ask_anew, world, cache, tier)
        own = (mine / tier).rename(world.fresh("kept") / tier)
        shutil.copytree(theirs / tier, mine / tier)
        found = world.attempt(ask, "quokka")
        assert isinstance(found, Corrupt) or (isinstance(found, QueryResult) and not found.hits)
        yield f"the victim's index as the attacker's, {tier}"
        for path in (mine / tier).iterdir():
            garbage = bytes(byte ^ 0x55 for byte in path.read_bytes())
            path.unlink()  # a new file: cutting one short that a reader has mapped would end this process with SIGBUS
            path.write_bytes(garbage)
        # Garbage is told from an index, and the index is made again from the attacker's own rows.
        found = world.attempt(ask, "quokka")
        assert isinstance(found, QueryResult)
        assert not found.hits
        yield f"garbage as an index, {tier}"
        shutil.rmtree(mine / tier)
        own.rename(mine / tier)
        assert isinstance(world.attempt(ask, "quokka"), QueryResult)


def _ask_anew(world: World, cache: Path, tier: TierName) -> QueryResult:
    return again(world, cache).query(CORPUS, "quokka", tier=tier, include_sources=True)


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
        "announce": lambda: store.update(partial(append_feed, store=store, event=event)),
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
            "extraction": partial(store_extraction, store, corpus, document.document_id, {}, "Quokka", (2, 8), 1.0),
            "chunk": partial(store_chunk, store, corpus, document.document_id, [ids["extraction"]], "textrank"),
            "section": partial(store_section, store, corpus, "merger", [ids["chunk"]], 0.2),
            "generation": partial(publish, store, corpus, [ids["section"]], None, clock),
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
        derived = derive(
            DeriveTask(name, version, view.text_of(version), layout, frozenset(), ChunkPlan("textrank"), None)
        )
        begin, end = Keyspace(name).space
        keys = [key for item in derived.items.take() for key, _ in (item.record, *item.index, *item.blobs)]
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
    put_rows(store.engine, [(key, value[:-1] + b"!") for key, value in rows.items()])


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
