"""What the attacks on tenants have in common: two tenants with documents, a witness for every key, and crafted names.

The attacker works through :class:`Witness`, which stands between a store and its engine and lets nothing pass that is not in the
attacker's own space: a key, a bound or a row of somebody else is an error at once, whatever the code above makes of it. What
comes back, be it a result or an error, is searched for the victim's secrets by :meth:`World.attempt`.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

from coditect.engine.lmdb.engine import LmdbEngine
from coditect.engine.port import Engine, Page, Transaction
from coditect.engine.sequential import SequentialEngine
from coditect.errors import CoditectError
from coditect.keyspace import FORMATS, Keyspace, key_part, part_text
from coditect.keyspace.tuples import pack
from coditect.knowledge.service import Knowledge
from coditect.retrieve.local.replica import Replicas
from coditect.retrieve.local.search import HybridSearcher
from coditect.schemas import Record
from coditect.store.blobs import put_rows
from coditect.store.header import header_key
from coditect.store.store import Store
from tests.corpora import CORPUS, DOCUMENTS, MODELS, SETTINGS, build_all, clock, folder_of, ingest_all

__all__ = [
    "ATTACKER",
    "HIDDEN",
    "KINDS",
    "LONG",
    "NAMES",
    "SECRETS",
    "VICTIM",
    "LeakError",
    "Witness",
    "World",
    "clone",
    "everything",
    "kind",
    "shown",
]

T = TypeVar("T")

VICTIM = "alpha"
ATTACKER = "beta"

HIDDEN = "numbat-merger"
"""A corpus that only the victim has."""

SECRETS = ("numbat", "quokka", "bilby", "wombat", "echidna")
"""Words that stand nowhere but in the victim's corpora: their ids, names, topics, terms and texts."""

SECRET_TEXT = """# Quokka Merger Policy

## 1 Quokka

"Wombat clause" means an agreement on the price of the quokka. The echidna team shall report each quokka within 3 hours.
The echidna team must not disclose the quokka. See the Bilby Policy, section 1.
"""

LONG = "t" * 5_000

NAMES: dict[str, tuple[str, ...]] = {
    "names that begin each other": ("a", "al", "alpha", "alpha-", "alpha2", "alpha.beta", "alph", "alphaalpha", "b"),
    "names that differ in case": ("alpha", "Alpha", "ALPHA", "alphA", "aLPHA"),
    "NUL and 0xFF in names": (
        "alpha",
        "alpha\0",
        "alpha\0\0",
        "\0alpha",
        "\0",
        "alpha\xff",
        "alpha\0\xff",
        "alpha\0\xff\0",
        "\xff",
        "\xff\xff",
    ),
    "tuple escapes in names": (
        "alpha",
        "alpha\0\x02knowledge\0\x02corpus\0",
        "alpha\0\xff\x02knowledge\0",
        "\x02alpha\0",
        "\x01alpha\0",
        "alpha\0\x15\x01",
        "alpha\x05\0",
        pack(("coditect", 1, "alpha")).decode("latin-1"),
        pack(("alpha", "knowledge", "corpus")).decode("latin-1"),
    ),
    "names that are cut": (
        LONG,
        LONG + "x",
        "x" + LONG,
        "t" * 87,
        "t" * 88,
        "t" * 89,
        "t" * 90,
        "ä" * 100,
        "\0" * 60,
        "\0" * 61,
    ),
    "names like the cut form of another": (
        LONG,
        part_text(key_part(LONG)),
        part_text(key_part(LONG)).upper(),
        part_text(key_part(LONG)) + "\0",
        part_text(key_part(part_text(key_part(LONG)) * 20)),
        "ä" * 100,
        part_text(key_part("ä" * 100)),
        "\0" * 60,
        part_text(key_part("\0" * 60)),
        "#" + part_text(key_part(LONG)).partition("#")[2],
    ),
    "names that look alike": (
        "café",
        unicodedata.normalize("NFD", "café"),
        "alpha",
        "\u0430lpha",  # Cyrillic
        "ａｌｐｈａ",
        "alpha\u200b",
        "\u202ealpha",
        "\u212a",  # the Kelvin sign, which folds to k
        "K",
        "\ufb01nance",
        "finance",
        "stra\u00dfe",
        "strasse",
    ),
    "white space in names": (
        " ",
        "  ",
        "\t",
        "\n",
        "alpha",
        "alpha ",
        " alpha",
        "alpha\n",
        "\u00a0",
        "\u3000",
        "alpha\r",
    ),
    "paths as names": (
        "..",
        "../alpha",
        "alpha",
        "/",
        "/alpha",
        "alpha/../beta",
        ".",
        "alpha/",
        "replicas",
        "C:\\alpha",
        "~",
        "*",
    ),
    "surrogates in names": ("a\udcff", "a\udc80", "a\xff", "\ud800", "\udfff\ud800", "\ud83d\ude00", "\U0001f600", "a"),
    "names with a meaning elsewhere": (
        "default",
        "None",
        "0",
        "coditect",
        "knowledge",
        "' OR ''='",
        "{{7*7}}",
        "%s",
        "$(id)",
    ),
}
"""Crafted names by what is crafted about them; every one of a group attacks every other."""


class LeakError(AssertionError):
    """A tenant's code touched what is not the tenant's."""


class Witness(SequentialEngine):
    """An engine that lets one tenant's keys pass and no others, and counts.

    Args:
        engine: the engine that all tenants share.
        tenant: whose handle this is.

    Attributes:
        rows: how many rows were read so far, by get or range.
        writes: how many keys or ranges were written.
    """

    def __init__(self, engine: Engine, tenant: str) -> None:
        self.engine = engine
        self.spaces = [Keyspace(tenant, each).space for each in FORMATS]
        self.header = header_key(tenant)
        self.rows = 0
        self.writes = 0

    @property
    def url(self) -> str:
        return self.engine.url

    def run(self, fn: Callable[[Transaction], T]) -> T:
        return self.engine.run(lambda transaction: fn(_Seen(transaction, self)))

    def read(self, fn: Callable[[Transaction], T]) -> T:
        return self.engine.read(lambda transaction: fn(_Seen(transaction, self)))

    def close(self) -> None:
        """The engine is everybody's: it stays open."""

    def check(self, *keys: bytes) -> None:
        """Refuse keys outside the tenant's space; a bound may be its edge."""
        for key in keys:
            if key != self.header and not any(begin <= key <= end for begin, end in self.spaces):
                raise LeakError(f"{key!r} is not in the tenant's space")


class _Seen:
    """A transaction under witness. See :class:`coditect.engine.port.Transaction`."""

    def __init__(self, transaction: Transaction, witness: Witness) -> None:
        self._inner = transaction
        self._witness = witness

    def get(self, key: bytes) -> bytes | None:
        return self.get_many([key])[0]

    def get_many(self, keys: Sequence[bytes], *, snapshot: bool = False) -> list[bytes | None]:
        self._witness.check(*keys)
        found = self._inner.get_many(keys, snapshot=snapshot)
        self._witness.rows += sum(value is not None for value in found)
        return found

    def range(
        self,
        begin: bytes,
        end: bytes,
        *,
        limit: int = 1000,
        reverse: bool = False,
        continuation: bytes | None = None,
    ) -> Page:
        self._witness.check(*([begin, end] if begin < end else []))
        page = self._inner.range(begin, end, limit=limit, reverse=reverse, continuation=continuation)
        self._witness.check(*(key for key, _ in page.rows))
        self._witness.rows += len(page.rows)
        return page

    def set(self, key: bytes, value: bytes) -> None:
        self._written(key)
        self._inner.set(key, value)

    def clear(self, key: bytes) -> None:
        self._written(key)
        self._inner.clear(key)

    def clear_range(self, begin: bytes, end: bytes) -> None:
        self._written(begin, end)
        self._inner.clear_range(begin, end)

    def add(self, key: bytes, delta: int) -> None:
        self._written(key)
        self._inner.add(key, delta)

    def append(self, prefix: bytes, value: bytes) -> None:
        self._written(prefix)
        self._inner.append(prefix, value)

    def _written(self, *keys: bytes) -> None:
        self._witness.check(*keys)
        self._witness.writes += 1

    @property
    def size_bytes(self) -> int:
        return self._inner.size_bytes


def everything(engine: Engine, tenant: str) -> dict[bytes, bytes]:
    """Every row of a tenant."""
    store = Store(engine, tenant)
    return {key: value for page in store.pages(*store.keys.space) for key, value in page}


def without_log(rows: dict[bytes, bytes]) -> dict[bytes, bytes]:
    """Rows of the victim without its log: its own commands give waiting events their index."""
    keys = Keyspace(VICTIM)
    return {key: value for key, value in rows.items() if not (keys.table_of(key) or "").startswith("log/")}


def clone(engine: Engine, source: str, target: str) -> None:
    """Give a tenant the rows of another: what two tenants with the same documents have, ids and all."""
    begin, into = Keyspace(source).prefix, Keyspace(target).prefix
    rows = everything(engine, source)
    put_rows(engine, [(into + key.removeprefix(begin), value) for key, value in rows.items()])


def shown(result: object) -> str:
    """All that a caller gets to see of a result or an error."""
    if isinstance(result, CoditectError):
        return f"{result} {result.message} {result.hint} {result.context} {result.__cause__} {result.__context__}"
    if isinstance(result, Record):
        return result.model_dump_json()
    if isinstance(result, list | tuple):
        return " ".join(map(shown, result))
    return repr(result)


@dataclass
class World:
    """A store with a victim and an attacker.

    Attributes:
        folder: everything of it.
        engine: the engine that they share.
        victim: the victim's services.
        attacker: the attacker's, under witness.
        witness: the attacker's engine.
        ids: ids of items that only the victim has, one of each kind.
        before: the victim's rows as they must stay.
    """

    folder: Path
    engine: LmdbEngine
    victim: Knowledge
    attacker: Knowledge
    witness: Witness
    ids: dict[str, str] = field(default_factory=dict)
    before: dict[bytes, bytes] = field(default_factory=dict)

    @classmethod
    def make(cls, folder: Path) -> World:
        """Victim and attacker have a corpus of the same id and nearly the same documents; the victim also a hidden one."""
        engine = LmdbEngine(folder / "store")
        witness = Witness(engine, ATTACKER)
        cache = folder / "cache"
        stores = Store(engine, VICTIM), Store(witness, ATTACKER)
        victim, attacker = (
            Knowledge(
                store,
                HybridSearcher(Replicas(store, cache)),
                clock=clock,
                jobs=1,
                models=MODELS,
                passages=SETTINGS.passages,
            )
            for store in stores
        )
        own = folder_of(folder / "own", DOCUMENTS)
        secret = folder_of(folder / "secret", DOCUMENTS | {"bilby.md": SECRET_TEXT})
        ingest_all(stores[0], own)
        build_all(stores[0])
        for corpus in (CORPUS, HIDDEN):
            ingest_all(stores[0], secret, corpus=corpus)
            build_all(stores[0], corpus=corpus)
        ingest_all(stores[1], own)
        build_all(stores[1])
        world = cls(folder, engine, victim, attacker, witness)
        world.ids = world._victims_ids()
        world.before = everything(engine, VICTIM)
        return world

    def _victims_ids(self) -> dict[str, str]:
        view = self.victim.view(HIDDEN)
        document = next(d for d in view.documents.values() if d.name == "bilby.md")
        claim = view.summary.claims[0]
        return {
            "version": document.version_id,
            "extraction": view.extractions(document.document_id)[0].extraction_id,
            "chunk": view.chunks(document.document_id)[0].chunk_id,
            "section": view.sections[0].section_id,
            "claim": claim,
            "verdict": view.summary.verdicts[claim],
            "summary": view.summary.summary_id,
        }

    def attempt(self, fn: Callable[[], object], *said: object) -> object:
        """Run an attack; what it shows must hold no secret that the attacker did not say himself.

        Args:
            fn: the attack.
            said: the words of the attacker's own that an error may repeat.

        Returns:
            Its result, or the error that it ended with. Errors that are not ours pass: they are defects.
        """
        result: object
        try:
            result = fn()
        except CoditectError as error:
            result = error
        self.search(shown(result), *said)
        return result

    def refused(self, fn: Callable[[], object], *said: object) -> CoditectError:
        """Run an attack that must end with an error of ours."""
        result = self.attempt(fn, *said)
        if not isinstance(result, CoditectError):
            raise LeakError(f"not refused, but answered: {shown(result)[:500]}")
        return result

    def search(self, text: str, *said: object) -> None:
        """Look for the victim's secrets in what was shown."""
        own = " ".join(map(str, said)).casefold()
        secrets = (*SECRETS, *self.ids.values(), *(each.partition("_")[2] for each in self.ids.values()))
        for secret in secrets:
            if secret in text.casefold() and secret not in own:
                raise LeakError(f"{secret!r} came to light in {text[:500]}")

    def check_untouched(self) -> None:
        """No row of the victim was changed, added or removed."""
        if without_log(everything(self.engine, VICTIM)) != without_log(self.before):
            raise LeakError("rows of the victim changed")

    def fresh(self, name: str) -> Path:
        """A folder that was not used before."""
        taken: Iterator[Path] = (self.folder / f"{name}-{n}" for n in range(1_000))
        folder = next(path for path in taken if not path.exists())
        folder.mkdir()
        return folder


Kind = Callable[[World], Iterator[str]]

KINDS: dict[str, Kind] = {}
"""Every kind of attack by its name: a generator that yields a label after each attempt that failed."""


def kind(name: str) -> Callable[[Kind], Kind]:
    """Enter a generator of attacks under a name."""

    def enter(function: Kind) -> Kind:
        KINDS[name] = function
        return function

    return enter
