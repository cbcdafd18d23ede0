"""Attacks by asking: names, corpora, words, ids, numbers, hashes, tokens and bounds that lead to another tenant."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from functools import partial
from itertools import permutations

import pytest

from coditect.engine.limits import RANGE_LIMIT
from coditect.engine.lmdb.engine import LmdbEngine
from coditect.engine.port import Engine, Transaction
from coditect.errors import Corrupt, NotFound, UsageError
from coditect.keyspace import LAYOUT, POINTER, Keyspace, seal
from coditect.keyspace.terms import definition_term, section_term, topic_key
from coditect.knowledge.archive.export import corpus_digest, export_corpus
from coditect.knowledge.service import Knowledge
from coditect.retrieve.lookup.live import LiveIndex
from coditect.schemas import TIER_NAMES, BuildSettings, Extraction, FeedEvent, Generation, Record, Section, sha256_hex
from coditect.store.generations import append_feed, create_corpus, generation_at, generations
from coditect.store.item_ids import locate
from coditect.store.rows import open_stored, row_name
from coditect.store.store import Store
from coditect.store.view import View, open_view
from coditect.testing.engine.memory import MemoryEngine
from tests.corpora import CORPUS, clock, feed
from tests.fdb_clusters import fake_engine
from tests.property.attacks import (
    ATTACKER,
    HIDDEN,
    KINDS,
    LONG,
    NAMES,
    SECRETS,
    VICTIM,
    Witness,
    World,
    everything,
    kind,
    shown,
)
from tests.unit.store.items import section

__all__: list[str] = []

# Names


def _names(names: tuple[str, ...], world: World) -> Iterator[str]:
    """Each name is a tenant with the same corpus and section and some of its own; each looks for what each other has."""
    engine = LmdbEngine(world.fresh("names"), durable=False)
    tenants = list(dict.fromkeys(names))
    for n, name in enumerate(tenants):
        store = Store(Witness(engine, name), name)
        for corpus in ("c", f"only-{n}"):
            create_corpus(store, corpus, "", clock())
        event = FeedEvent(corpus_id=f"only-{n}", event="ingested", at=clock(), counts={})
        store.update(partial(append_feed, store=store, event=event))
        store.put_items([section("shared", "c"), section(f"topic {n}", "c"), section("hidden", f"only-{n}")])
        store.put_blob("c", b"blob %d" % n)
    for (mine, me), (theirs, them) in permutations(enumerate(tenants), 2):
        _look(Store(Witness(engine, me), me), mine, Keyspace(them), theirs)
        yield f"{me[-60:]!r} ({len(me)}) against {them[-60:]!r} ({len(them)})"
    engine.close()


def _look(own: Store, mine: int, other: Keyspace, theirs: int) -> None:
    """All ways to what another tenant has, under the very same ids."""
    assert [corpus.corpus_id for corpus in own.corpora()] == ["c", f"only-{mine}"]
    with pytest.raises(NotFound) as caught:
        own.corpus(f"only-{theirs}")
    assert caught.value.hint == f"Corpora in this store: c, only-{mine}."
    foreign = section(f"topic {theirs}", "c")
    hidden = section("hidden", f"only-{theirs}")
    assert own.get("sections", Section, "c", foreign.section_id) is None
    assert own.get("sections", Section, f"only-{theirs}", hidden.section_id) is None
    assert {record.topic for _, record in own.scan("sections", Section)} == {"shared", f"topic {mine}", "hidden"}
    assert list(own.scan_index("idx/topic", f"topic {theirs}")) == []
    assert [place[1] for place, _ in own.scan_index("idx/topic", "hidden")] == [f"only-{mine}"]
    assert locate(own, hidden.section_id) == []
    assert feed(own, f"only-{theirs}") == []
    data = b"blob %d" % theirs
    with pytest.raises(Corrupt):
        own.get_blob("c", sha256_hex(data), len(data))
    begin, end = own.keys.space
    for table in LAYOUT:
        key = other.key(table, *"cccc"[: len(LAYOUT[table].fields)])
        assert not begin <= key < end
        assert own.keys.table_of(key) is None or not own.keys.bounds(table)[0] <= key < own.keys.bounds(table)[1]


for _group, _members in NAMES.items():
    KINDS[_group] = partial(_names, _members)


@kind("names that are none")
def _no_names(world: World) -> Iterator[str]:
    """What is no name is refused, a cut name given as the bytes that stand in keys among it."""
    cut = Keyspace("ä" * 100).prefix
    for name in ("", b"", b"alpha", cut, None, 0, ("alpha",)):
        with pytest.raises(UsageError):
            Store(world.engine, name)  # type: ignore[arg-type]
        yield repr(name)[:40]


# Look-ups


CORPUS_IDS = (
    HIDDEN,
    HIDDEN.upper(),
    f"{HIDDEN}\0",
    f"../{VICTIM}/{CORPUS}",
    f"{VICTIM}/{HIDDEN}",
    f"{CORPUS}\0\xff",
    Keyspace(VICTIM).prefix.decode("latin-1"),
    Keyspace(VICTIM).key("corpus", HIDDEN).decode("latin-1"),
    f"\0\x02coditect\0\x15\x01\x02{VICTIM}\0\x02knowledge\0\x02corpus\0\x02{HIDDEN}\0",
    "",
    "*",
    "%",
    "\xff" * 80,
    "\udcff",
    "c" * 5_000,
)


@kind("corpus ids")
def _corpus_ids(world: World) -> Iterator[str]:
    """A corpus of another tenant does not exist: not to be asked, read, checked, built, or told apart from any other."""
    store, knowledge = world.attacker.store, world.attacker
    for n, corpus in enumerate(CORPUS_IDS):
        ways: dict[str, Callable[[], object]] = {
            "status": partial(knowledge.status, corpus),
            "query": partial(knowledge.query, corpus, "quokka"),
            "validate": partial(knowledge.validate, corpus),
            "build": partial(knowledge.build, corpus, BuildSettings()),
            "view": partial(open_view, store, corpus),
            "export": partial(export_corpus, store, corpus, io.BytesIO()),
            "digest": partial(corpus_digest, store, corpus),
        }
        for name, way in ways.items():
            error = world.refused(way, corpus, "quokka")
            assert isinstance(error, NotFound)
            assert error.hint == f"Corpora in this store: {CORPUS}.", (
                "the hint names the attacker's corpora and no others"
            )
            yield f"{name} of corpus id {n}"
        assert generations(store, corpus) == []
        assert feed(store, corpus) == []
        yield f"generations and feed of corpus id {n}"


@kind("topics, entities and terms")
def _terms(world: World) -> Iterator[str]:
    """The victim's words are in no index of the attacker's, however they are dressed up."""
    store = world.attacker.store
    index = LiveIndex(world.attacker.view(CORPUS))
    words = [*SECRETS, "wombat clause", "Wombat clause", "quokka merger policy", "echidna team", HIDDEN, "bilby.md"]
    dressed = [
        *words,
        *(f"{word}\0" for word in words[:3]),
        *(f"{word}\0\xff" for word in words[:3]),
        "\xff",
        "\0",
        LONG,
    ]
    for word in dressed:
        for table, key in (
            ("idx/topic", topic_key(word)),
            ("idx/term", word),
            ("idx/term", definition_term(word)),
            ("idx/term", f"document:{word}"),
            ("idx/term", section_term(f"sec_{word}")),
            ("idx/locator", word),
        ):
            assert list(store.scan_index(table, key)) == []
            yield f"{table} {key!r} for {word[:40]!r}"
        assert [*index.by_term(definition_term(word)), *index.documents_of_topic(word)] == []
        yield f"live index {word[:40]!r}"


@kind("questions")
def _questions(world: World) -> Iterator[str]:
    """A question with the victim's words is answered from the attacker's corpus alone, at every tier."""
    own = set(_ids(world.attacker))
    for tier in TIER_NAMES:
        for question in (
            "quokka",
            '"disclose the quokka"',
            "what is a wombat clause",
            "section 1",
            "echidna team shall report",
            'item_id:"' + world.ids["section"] + '"',
            f"document_id:{'*'}",
            "* OR quokka",
        ):
            answer = world.attacker.query(CORPUS, question, tier=tier, include_sources=True, limit=50)
            world.search(shown(answer), question)
            assert {hit.item.item_id for hit in answer.hits} <= own
            yield f"{tier}: {question[:30]}"


def _ids(knowledge: Knowledge) -> Iterator[str]:
    view = knowledge.view(CORPUS)
    for document in view.entries:
        yield from (item.extraction_id for item in view.extractions(document))
        yield from (item.chunk_id for item in view.chunks(document))
    yield from view.section_by_id
    yield from view.claims


# Ids


@kind("item ids of another tenant")
def _item_ids(world: World) -> Iterator[str]:
    """An id that only the victim has leads nowhere: with and without a corpus, now and as of any generation."""
    knowledge = world.attacker
    for name, item in world.ids.items():
        for corpus in (None, CORPUS, HIDDEN):
            for as_of in (None, 1, 2):
                for way in (knowledge.drill_down, knowledge.chain):
                    world.refused(partial(way, item, corpus_id=corpus, as_of=as_of), item, corpus)
                yield f"{name}, corpus {corpus}, as of {as_of}"
        view = knowledge.view(CORPUS)
        world.refused(partial(view.find, item), item)
        yield f"{name}, by the view"


@kind("item ids that are crafted")
def _crafted_ids(world: World) -> Iterator[str]:
    """Ids put together from the victim's, cut, dressed up or pointing to somewhere: refused, by an error of ours."""
    theirs, own = world.ids["section"], next(iter(world.attacker.view(CORPUS).section_by_id))
    tag = theirs.partition("_")[2][:12]
    crafted = [
        f"section_{tag}",
        f"section_{tag}{own[-28:]}",
        f"{theirs[:-1]}",
        f"{theirs}0",
        theirs.upper(),
        f"chunk_{theirs.partition('_')[2]}",
        f"extraction_{theirs.partition('_')[2]}",
        f"{theirs}\0",
        f"{own}\0{theirs}",
        f"{theirs}\xff",
        f"../{VICTIM}/{theirs}",
        f"section_{'0' * 12}",
        f"section_{'0' * 5_000}",
        f"section_{tag}\0\xff\0",
        "section_",
        "_",
        "",
        "corpus_" + tag,
        "\udcff",
        "section_" + "\u0660" * 12,
    ]
    for n, item in enumerate(crafted):
        for way in (world.attacker.drill_down, world.attacker.chain, world.attacker.view(CORPUS).find):
            world.refused(partial(way, item), item, theirs, tag)
        yield f"crafted id {n}"


@kind("as-of numbers")
def _as_of(world: World) -> Iterator[str]:
    """A generation that the victim has reached and the attacker has not is unknown, and so is any other number."""
    own = next(iter(world.attacker.view(CORPUS).section_by_id))
    for number in (2, 3, 0, -1, 2**31, 2**32, 2**63 - 1, 2**63, 2**64, -(2**64), 10**30, 10**400, -(10**400)):
        for way in (
            partial(generation_at, world.attacker.store, world.attacker.store.corpus(CORPUS), number),
            partial(world.attacker.query, CORPUS, "incident", as_of=number),
            partial(world.attacker.drill_down, own, as_of=number),
            partial(world.attacker.validate, CORPUS, as_of=number),
        ):
            error = world.refused(way)
            assert isinstance(error, NotFound)
            assert error.hint == "Generations of this corpus: 1 to 1."
        yield f"generation of {len(str(number))} digits, {str(number)[:20]}"


@kind("names of blobs")
def _blobs(world: World) -> Iterator[str]:
    """Who knows the hash of a file does not get the file, nor learns whether anybody has it."""
    store = world.attacker.store
    version = next(d for d in world.victim.view(HIDDEN).documents.values() if d.name == "bilby.md")
    for corpus in (CORPUS, HIDDEN):
        for what, digest, size in (
            ("file", version.raw_sha256, version.raw_bytes),
            ("text", version.text_sha256, version.text_bytes),
            ("layout", version.layout_sha256, version.layout_bytes),
        ):
            error = world.refused(partial(store.get_blob, corpus, digest, size), corpus)
            assert isinstance(error, Corrupt)
            yield f"{what} from {corpus}"
        data = world.victim.store.get_blob(HIDDEN, version.raw_sha256, version.raw_bytes)
        mallory = Witness(world.engine, "mallory")
        before = mallory.writes
        Store(mallory, "mallory").put_blob(corpus, data)
        assert mallory.writes > before, "a blob that another tenant has is written all the same"
        yield f"the same bytes again in {corpus}"


@kind("rows that point to another tenant's blob")
def _pointers(world: World) -> Iterator[str]:
    """A forged record whose bytes, or whose document, are named by the hash of the victim's: nothing of it is read."""
    store = Store(Witness(world.engine, "mallory"), "mallory")
    version = next(d for d in world.victim.view(HIDDEN).documents.values() if d.name == "bilby.md")
    item = world.victim.view(HIDDEN).extractions(version.document_id)[0]
    for table, cls, place in (
        ("extractions", Extraction, (HIDDEN, item.document_id, item.extraction_id)),
        ("sections", Section, (HIDDEN, world.ids["section"])),
        ("extractions", Extraction, (CORPUS, item.document_id, "extraction_1")),
        ("sections", Section, (CORPUS, "section_1")),
    ):
        key = store.keys.key(table, *place)
        pointer = seal(store.keys.relative(key), f"{version.text_sha256}:{version.text_bytes}".encode(), POINTER)
        store.update(lambda transaction, k=key, v=pointer: transaction.set(k, v))  # type: ignore[misc]
        error = world.refused(partial(store.get, table, cls, *place), HIDDEN, *place, version.text_sha256)
        assert isinstance(error, Corrupt)
        yield f"{table} in {place[0]}"
    store.put_items([version])
    view = world.victim.view(HIDDEN)
    forged = View(store, view.manifest)
    error = world.refused(partial(forged.text_of, version), HIDDEN, version.text_sha256)
    assert isinstance(error, Corrupt)
    yield "a document version"
    error = world.refused(lambda: forged.entries, HIDDEN, *view.manifest.trees.values())
    assert isinstance(error, Corrupt)
    yield "a manifest"


@kind("values under another tenant's key")
def _values(world: World) -> Iterator[str]:
    """A value of the victim's does not open in another's hands, nor its key unpack, also where both names are of one length."""
    rows = everything(world.engine, VICTIM)
    for keys in (Keyspace(ATTACKER), Keyspace(VICTIM[::-1])):
        for table, cls in (("extractions", Extraction), ("sections", Section), ("generations", Generation)):
            begin, end = world.victim.store.keys.bounds(table)
            key, value = next((key, value) for key, value in rows.items() if begin <= key < end)
            with pytest.raises(Corrupt):
                world.witness.read(partial(_open, keys, key, value, cls))
            yield f"{table}: opened by {keys.tenant}"
            with pytest.raises(Corrupt):
                keys.parts(table, key)
            assert keys.table_of(key) is None
            assert row_name(keys, key) == repr(key)
            yield f"{table}: unpacked by {keys.tenant}"


def _open(keys: Keyspace, key: bytes, value: bytes, cls: type[Record], transaction: Transaction) -> Record:
    return open_stored(transaction, keys, (key, value), cls)


# Ranges


def _engines(world: World) -> Iterator[tuple[str, Engine]]:
    yield "lmdb", world.engine
    rows = {key: value for tenant in (VICTIM, ATTACKER) for key, value in everything(world.engine, tenant).items()}
    for name, engine in (("memory", MemoryEngine()), ("fdb", fake_engine(world.fresh("fdb")))):
        for key, value in rows.items():
            engine.run(lambda transaction, k=key, v=value: transaction.set(k, v))  # type: ignore[misc]
        yield name, engine


@kind("continuation tokens of another tenant")
def _continuations(world: World) -> Iterator[str]:
    """A range never leaves its bounds, whatever continuation it is given; on every engine and in both directions."""
    mine, theirs = Keyspace(ATTACKER), Keyspace(VICTIM)
    for name, engine in _engines(world):
        for table in LAYOUT:
            begin, end = mine.bounds(table)
            own = {key for key, _ in engine.read(lambda t, b=begin, e=end: t.range(b, e, limit=RANGE_LIMIT)).rows}  # type: ignore[misc]
            low, high = theirs.bounds(table)
            page = engine.read(lambda t, b=low, e=high: t.range(b, e, limit=1))  # type: ignore[misc]
            tokens = [page.continuation or low, low, high, *theirs.space, b"", b"\0", b"\xff", b"\xff\xff", mine.prefix]
            tokens += [begin, end, end + b"\xff" * 900, begin + bytes(20_000)]
            for token in tokens:
                for reverse in (False, True):
                    found = engine.read(
                        lambda t, b=begin, e=end, r=reverse, c=token: t.range(b, e, limit=50, reverse=r, continuation=c)  # type: ignore[misc]
                    )
                    assert {key for key, _ in found.rows} <= own
                    assert found.continuation is None or begin <= found.continuation < end
            yield f"{name}: {table}"


@kind("bounds of a scan")
def _bounds(world: World) -> Iterator[str]:
    """Raw bounds given to a tenant's store are moved to the edge of its own space."""
    store, theirs = world.attacker.store, Keyspace(VICTIM)
    own = everything(world.engine, ATTACKER)
    spans = {
        "all": (b"", b"\xff"),
        "more than all": (b"", b"\xff\xff\xff"),
        "the victim's space": theirs.space,
        "the victim's prefix": (theirs.prefix, theirs.prefix + b"\xff"),
        "from the victim's on": (theirs.space[0], b"\xff"),
        "to the victim's end": (b"", theirs.space[1]),
        "from own to the victim's": (store.keys.space[0], theirs.space[1]),
        "inverted": (b"\xff", b""),
        "nothing": (b"", b""),
        "without a tenant": (theirs.prefix[:-8], theirs.prefix[:-8] + b"\xff"),
        **{f"the victim's {table}": theirs.bounds(table) for table in LAYOUT},
    }
    for name, (begin, end) in spans.items():
        found = dict(row for page in store.pages(begin, end, limit=7) for row in page)
        assert found == {key: value for key, value in own.items() if begin <= key < end}
        yield name
