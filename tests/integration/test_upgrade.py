"""An upgrade that is killed, runs twice, or meets a writer: nothing is lost, and readers see whole generations."""

from __future__ import annotations

import random
from collections.abc import Callable
from contextlib import suppress
from typing import TypeVar

import pytest

from coditect.engine.port import Engine, Transaction
from coditect.engine.sequential import SequentialEngine
from coditect.errors import Conflict, Corrupt, NotFound
from coditect.integrity.validate import validate
from coditect.keyspace import FORMAT, Keyspace
from coditect.knowledge.archive.export import corpus_digest
from coditect.knowledge.archive.upgrade import clear_former, upgrade
from coditect.schemas import Intake
from coditect.store.header import read_header
from coditect.store.store import Store
from coditect.store.view import View, open_view
from coditect.testing.engine.memory import MemoryEngine, MemoryStore
from tests.corpora import CORPUS, clock
from tests.effort import times
from tests.golden import FORMER, facts, in_memory

T = TypeVar("T")

KILLS = times(20)


class _Killed(Exception):  # noqa: N818 - no error of the program
    """The process is gone."""


class _Mortal(SequentialEngine):
    """An engine whose process dies before, or just after, its n-th writing transaction."""

    def __init__(self, engine: Engine, at: int, *, after: bool) -> None:
        self.engine, self.at, self.after, self.runs = engine, at, after, 0

    url = "memory://"

    def run(self, fn: Callable[[Transaction], T]) -> T:
        """The engine's, or the end."""
        self.runs += 1
        if self.runs == self.at and not self.after:
            raise _Killed
        result = self.engine.run(fn)
        if self.runs == self.at:
            raise _Killed
        return result

    def read(self, fn: Callable[[Transaction], T]) -> T:
        """The engine's."""
        return self.engine.read(fn)

    def close(self) -> None:
        """Nothing to close."""


def copied(release: str) -> MemoryStore:
    """A store of a release that may be written to."""
    memory = MemoryStore()
    memory.state = in_memory(release).state
    return memory


def said(view: View) -> list[str]:
    """All that a generation says, tier by tier."""
    statements = [each.source_text for document in view.entries for each in view.extractions(document)]
    return [*statements, *(claim.text for claim in view.claims.values()), *(view.text(each) for each in view.entries)]


def digests(release: str) -> dict[str, str]:
    """The digest of each corpus as it was made."""
    return {corpus: each["corpus_digest"] for corpus, each in facts(release).items()}


@pytest.mark.parametrize("release", FORMER)
def test_killed_upgrade_goes_on_and_readers_see_whole_generations(release: str) -> None:
    """Twenty moments over all of its transactions, before and after they commit; each time nothing is seen of it until it ends."""
    counted = _Mortal(MemoryEngine(copied(release)), 0, after=False)
    upgrade(counted, "default", clock())
    moments = random.Random(14)  # noqa: S311 - any moments, but the same ones
    assert counted.runs > KILLS
    for at in sorted(moments.sample(range(1, counted.runs + 1), KILLS)):
        memory = copied(release)
        reader = open_view(Store(MemoryEngine(memory)), CORPUS, 2)
        before = said(reader)
        after = moments.random() < 0.5
        with suppress(_Killed):
            upgrade(_Mortal(MemoryEngine(memory), at, after=after), "default", clock())
        flipped = at == counted.runs and after
        store = Store(MemoryEngine(memory))
        assert store.keys.format == (FORMAT if flipped else 1)
        assert said(open_view(store, CORPUS, 2)) == before == said(reader)
        report = upgrade(MemoryEngine(memory), "default", clock())
        assert report.upgraded is not flipped
        upgraded = Store(MemoryEngine(memory))
        assert {each.corpus_id: corpus_digest(upgraded, each.corpus_id) for each in upgraded.corpora()} == digests(
            release
        )
        assert said(open_view(upgraded, CORPUS, 2)) == before == said(reader)


def _named(memory: MemoryStore) -> dict[bytes, bytes]:
    """The rows; those that wait for the log by their values, since the engine makes their keys."""
    pending = Keyspace("default").bounds("log/pending")
    rows = memory.state.values.items()
    return {value if pending[0] <= key < pending[1] else key: value for key, value in rows}


@pytest.mark.parametrize("release", FORMER)
def test_upgrade_whose_transactions_run_twice_is_the_same(release: str) -> None:
    """As after a commit whose result is unknown: the same rows, to the last byte."""
    once, twice = copied(release), copied(release)
    upgrade(MemoryEngine(once), "default", clock())
    upgrade(MemoryEngine(twice, rerun=True), "default", clock())
    assert _named(once) == _named(twice)


@pytest.mark.parametrize("release", FORMER)
def test_upgraded_store_is_whole_and_the_former_rows_can_go(release: str) -> None:
    """Nothing is found, before and after; what is left is of the new format alone."""
    memory = copied(release)
    upgrade(MemoryEngine(memory), "default", clock())
    header = read_header(MemoryEngine(memory), "default")
    assert header is not None
    assert (header.format, header.former_format, header.upgrade) == (FORMAT, 1, None)
    assert clear_former(MemoryEngine(memory), "default") > 1000
    assert clear_former(MemoryEngine(memory), "default") == 0
    begin, end = Keyspace("default", 1).space
    assert not [key for key in memory.state.keys if begin <= key < end]
    for corpus in Store(MemoryEngine(memory)).corpora():
        assert validate(Store(MemoryEngine(memory)), corpus.corpus_id).findings == ()


@pytest.mark.parametrize("release", FORMER)
def test_changed_row_of_a_former_step_is_a_finding(release: str) -> None:
    """Rows that lead to former steps are checked like all others."""
    memory = copied(release)
    upgrade(MemoryEngine(memory), "default", clock())
    engine = MemoryEngine(memory)
    store = Store(engine)
    begin, end = store.keys.bounds("former", CORPUS)
    key, value = engine.read(lambda transaction: transaction.range(begin, end, limit=1).rows[0])
    changed = value[:-1] + bytes([value[-1] ^ 1])
    engine.run(lambda transaction: transaction.set(key, changed))
    findings = validate(store, CORPUS).findings
    assert [(each.check, each.record.partition("/")[0]) for each in findings] == [("bytes", "former")]


@pytest.mark.parametrize("release", FORMER)
def test_upgrade_beside_a_writer_of_the_former_release_begins_again_or_gives_up(release: str) -> None:
    """What was written behind it is copied, too; who never stops is told of."""
    memory = copied(release)
    former = Store(MemoryEngine(memory))
    (place, intake), *_ = former.scan("intake", Intake, CORPUS)
    key = former.keys.key("intake", *place)

    class Meddled(_Mortal):
        times = 1

        def run(self, fn: Callable[[Transaction], T]) -> T:
            result = super().run(fn)
            if self.runs % 20 == 0 and self.times:
                self.times -= 1
                _flip_a_row(MemoryEngine(memory), former.keys, key, intake)
            return result

    upgrade(Meddled(MemoryEngine(memory), 0, after=False), "default", clock())
    store = Store(MemoryEngine(memory))
    assert corpus_digest(store, CORPUS) != digests(release)[CORPUS]
    found = store.get("intake", Intake, *place)
    assert found is not None
    assert found.aliases == ("written meanwhile 1",)


def _flip_a_row(engine: Engine, keys: Keyspace, key: bytes, intake: Intake) -> None:
    from coditect.keyspace import seal, unseal
    from coditect.schemas import canonical_json

    def body(transaction: Transaction) -> None:
        value = transaction.get(key)
        assert value is not None
        number = unseal(keys.relative(key), value)[1].count(b"meanwhile") + 1
        fields = intake.model_dump(mode="json") | {"aliases": [f"written meanwhile {number}"]}
        transaction.set(key, seal(keys.relative(key), canonical_json(fields)))

    engine.run(body)


@pytest.mark.parametrize("release", FORMER)
def test_upgrade_of_a_damaged_store_leaves_it_as_it_was(release: str) -> None:
    """The row is named, and nothing was switched."""
    memory = copied(release)
    store = Store(MemoryEngine(memory))
    begin, _ = store.keys.bounds("extractions", CORPUS)
    key = min(key for key in memory.state.keys if key > begin)
    value = bytearray(memory.state.values[key])
    value[-1] ^= 1
    MemoryEngine(memory).run(lambda transaction: transaction.set(key, bytes(value)))
    with pytest.raises(Corrupt):
        upgrade(MemoryEngine(memory), "default", clock())
    assert Store(MemoryEngine(memory)).keys.format == 1


def test_upgrade_of_nothing_says_so() -> None:
    """A tenant without rows has no store."""
    with pytest.raises(NotFound):
        upgrade(MemoryEngine(), "default", clock())
    with pytest.raises(NotFound):
        clear_former(MemoryEngine(), "default")


def test_former_writer_that_never_stops_ends_in_a_conflict() -> None:
    """After three rounds."""
    memory = copied("0.1.0")
    former = Store(MemoryEngine(memory))
    (place, intake), *_ = former.scan("intake", Intake, CORPUS)
    key = former.keys.key("intake", *place)

    class Busy(_Mortal):
        def run(self, fn: Callable[[Transaction], T]) -> T:
            result = super().run(fn)
            header = read_header(self.engine, "default")
            if header is not None and header.upgrade is not None and header.upgrade.table == "feed":
                _flip_a_row(
                    MemoryEngine(memory),
                    former.keys,
                    key,
                    intake.model_copy(update={"name": intake.name + str(self.runs)}),
                )
            return result

    with pytest.raises(Conflict, match="changes while it is upgraded"):
        upgrade(Busy(MemoryEngine(memory), 0, after=False), "default", clock())
    assert Store(MemoryEngine(memory)).keys.format == 1
