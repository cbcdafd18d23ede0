"""Attacks by doing: caches that are replaced, writes under another's ids, one of two twins erased, the command line, counting."""

from __future__ import annotations

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


def _replaced(world: World, cache: Path, tier: str) -> Iterator[str]:
    """The victim's index, then garbage, in the place of the attacker's."""
    attacker, victim = _again(world, cache), _again(world, cache, VICTIM)
    attacker.query(CORPUS, "quokka incident")
    victim.query(CORPUS, "quokka incident")
    (theirs,) = _folder(victim).glob(f"*/{victim.store.corpus(CORPUS).build_id}*")
    (mine,) = _folder(attacker).glob(f"*/{attacker.store.corpus(CORPUS).build_id}*")
    shutil.rmtree(mine / tier)
    shutil.copytree(theirs / tier, mine / tier)
    found = world.attempt(lambda: _again(world, cache).query(CORPUS, "quokka", tier=tier, include_sources=True), "quokka")  # type: ignore[arg-type]
    assert isinstance(found, Corrupt) or not found.hits  # type: ignore[attr-defined]
    yield f"the victim's index as the attacker's, {tier}"
    for path in (mine / tier).iterdir():
        path.write_bytes(b"garbage")
    world.refused(lambda: _again(world, cache).query(CORPUS, "quokka", tier=tier), "quokka")  # type: ignore[arg-type]
    yield f"garbage as an index, {tier}"
    shutil.rmtree(mine)


# Writes


@kind("writes under another tenant's ids")
def _writes(world: World) -> Iterator[str]:
    """Storing, removing, announcing and publishing under the victim's ids changes the writer's own space alone."""
    store = Store(Witness(world.engine, "mallory"), "mallory")
    view = world.victim.view(HIDDEN)
    document = next(d for d in view.documents.values() if d.name == "bilby.md")
    corpus, generation = world.victim.store.corpus(HIDDEN), generation_at(world.victim.store, view_corpus(world), 1)
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


def view_corpus(world: World) -> object:
    return world.victim.store.corpus(HIDDEN)
