"""Every kind of attack, and everybody who looks: found by whom the table says, and by nobody else."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from coditect.engine.port import Transaction
from coditect.knowledge.service import Knowledge
from coditect.store.store import Store
from coditect.testing.engine.memory import MemoryEngine
from coditect.transparency.checkpoints import Checkpoint, open_checkpoint
from coditect.transparency.custody.memory import FileMemory
from coditect.transparency.events import append_event, event_of
from coditect.transparency.merkle.tree import leaf_hash, root_of_hashes
from coditect.transparency.sequencer import TransparencyLog
from tests.corpora import clock, copy_of
from tests.integration.archives import Watched, export_bytes
from tests.integration.insiders import archives, logs
from tests.integration.insiders.bundles import MOVED, genuine, wrong
from tests.integration.insiders.hands import Hands
from tests.integration.insiders.kinds import ARCHIVES, KINDS, Kind
from tests.integration.insiders.lived import CORPUS, KEY, lived
from tests.integration.insiders.table import PAGE, page
from tests.integration.insiders.watchers import bundled, computed, kept, own, remarks, witnessed
from tests.integration.sweeps import CrashError
from tests.integration.test_threads import ScanningSearcher


def test_honest_store_is_clean_for_everybody(tmp_path: Path) -> None:
    """With whatever checkpoint somebody kept, rewritten by an insider who changed nothing, and computed again from its files."""
    for decided in (True, False):
        hands = Hands(lived(decided=decided))
        for note in (hands.lived.kept, hands.lived.kept_earlier):
            assert kept(hands.store, note) == []
            assert witnessed(hands.store, note) == []
        assert remarks(hands.store) == []
        assert own(hands.store) == computed(hands.store) == bundled(hands.store, hands.lived.kept, tmp_path) == []
        hands.rewrite_log()
        assert own(hands.store) == kept(hands.store, hands.lived.kept) == []


@pytest.mark.parametrize("kind", KINDS, ids=[each.name.replace(" ", "_") for each in KINDS])
def test_attack_is_found_by_whom_the_table_says(kind: Kind, tmp_path: Path) -> None:
    """First with the log as it was; then, where the attack was not on the log, with one that tells of what was made."""
    hands = Hands(lived(decided=kind.decided))
    note = hands.lived.kept
    kind.attack(hands)
    found = {"own": own(hands.store), "remark": remarks(hands.store)}
    if "deep" in kind.looks:
        found["deep"] = computed(hands.store)
    if "bundle" in kind.looks:
        found["bundle"] = bundled(hands.store, note, tmp_path)
    if kind.rewrites:
        found["kept, the log as it was"] = kept(hands.store, note)
        assert bool(found["kept, the log as it was"]) == bool(found["own"])
        hands.rewrite_log()
        found["own+key"] = own(hands.store)
    found["kept"] = kept(hands.store, note)
    found["witness"] = witnessed(hands.store, note)
    said = {name for name, each in found.items() if each and name in _NAMES}
    if not kind.rewrites or "own" in kind.finds:  # a planted beginning is told of as unknown rows, beside what is found
        said -= {"remark"} - kind.finds
    assert said == kind.finds, found


_NAMES = ("own", "own+key", "kept", "witness", "deep", "bundle", "remark")


def test_whatever_leaves_the_store_is_found() -> None:
    """No kind of attack is left that nobody finds but those that take nothing away and contradict nothing; these are named."""
    left = {kind.name for kind in KINDS if not kind.finds}
    assert left == {
        # 21 CFR 11.100(b): who is behind a key is for the organisation to know; it is logged
        "key in another name through the program",
    }
    assert len(KINDS) + len(MOVED) + len(ARCHIVES) >= 60


@pytest.mark.parametrize("move", MOVED, ids=[each.__name__ for each in MOVED])
def test_bundle_that_was_put_together_is_refused(move: Callable[..., dict[str, bytes]], tmp_path: Path) -> None:
    """And the genuine one holds, with its cosignature, its time stamp, and the checkpoint that was kept."""
    assert wrong(genuine(), tmp_path) == []
    assert wrong(move(genuine()), tmp_path)


@pytest.mark.parametrize(("name", "found"), ARCHIVES.items())
def test_archive_is_found_by_whom_the_table_says(name: str, found: tuple[str, ...]) -> None:
    """An edited archive is never seen; one that was forged as a whole is for recomputation, and for the log that it came from."""
    retold = name == "import_is_told_of_the_genuine_archive"
    assert archives.found_of(getattr(archives, name)(), retold=retold) == found


def test_genuine_archive_of_the_store_is_imported_and_clean() -> None:
    """With decisions, signatures under claims, an erasure, holds and retention in it."""
    assert archives.found_of(archives.genuine_archive()) == ()
    assert archives.found_of(export_bytes(lived().copy())) == ("digest",), "it is of another corpus"


def _append(store: Store, count: int, begin: int = 0) -> None:
    def body(transaction: Transaction) -> None:
        for number in range(begin, begin + count):
            append_event(transaction, store.keys, event_of("document", "another corpus", subject=str(number)))

    store.update(body)


def test_two_sequencers_at_once_make_one_log_that_continues_what_was_kept() -> None:
    """Both look before either writes; one comes too late, and both sign; the corpus and the kept checkpoint agree with it."""
    store = lived().copy()
    _append(store, 300)
    first, second = (TransparencyLog(each.engine, each.keys) for each in (store, Store(store.engine)))
    begin, end = store.keys.bounds("log/pending")
    store.update(lambda transaction: first._take(begin, end, transaction))
    store.update(lambda transaction: second._take(begin, end, transaction))
    store.update(lambda transaction: first._take(begin, end, transaction))
    assert second.checkpoint(KEY) == first.checkpoint(KEY)
    subjects = [json.loads(entry).get("subject") for _, entry in first.entries()][-300:]
    assert subjects == [str(number) for number in range(300)]
    assert own(store) == kept(store, lived().kept) == witnessed(store, lived().kept) == []


@pytest.mark.parametrize("attack", [logs.older_copy_of_the_store, logs.log_is_rewritten_from_the_middle])
def test_memory_of_the_key_is_a_kept_checkpoint(attack: Callable[[Hands], None], tmp_path: Path) -> None:
    """On the machine with the log's key, ``validate --log`` takes what the key signed last, wherever the store went meanwhile."""
    hands = Hands(lived())
    memory = FileMemory(tmp_path / "log.key")
    memory.keep(hands.lived.kept, KEY.key)

    def said() -> list[str]:
        searcher = ScanningSearcher()
        knowledge = Knowledge(hands.store, searcher, clock=clock, log_signer=KEY, log_memory=memory)
        return [each.message for each in knowledge.validate(CORPUS, log=True).findings]

    assert said() == []
    attack(hands)
    assert any("shorter than it was signed" in each for each in said())


def _killed() -> None:
    raise CrashError


@pytest.mark.parametrize("at", range(1, 5))
def test_sequencer_that_is_killed_leaves_a_log_that_the_next_one_ends(at: int) -> None:
    """Before each of its writing transactions: nothing is lost, nothing stands twice, and what was kept is continued."""
    state = lived().memory
    store = copy_of(state)
    _append(store, 600)
    watched = Store(Watched(store.engine, _killed, run=at))
    before = store.engine
    try:
        TransparencyLog(watched.engine, watched.keys).checkpoint(KEY)
    except CrashError:
        assert kept(store, lived().kept) == []
    log = TransparencyLog(before, store.keys)
    checkpoint = open_checkpoint(log.checkpoint(KEY).encode(), [KEY.key]).checkpoint
    entries = [entry for _, entry in log.entries()]
    assert [json.loads(each).get("subject") for each in entries][-600:] == [str(number) for number in range(600)]
    expected = Checkpoint(KEY.name, len(entries), root_of_hashes([leaf_hash(each) for each in entries]))
    assert checkpoint == expected
    assert kept(store, lived().kept) == witnessed(store, lived().kept) == []


def test_page_is_the_table() -> None:
    """Readers look at the page; ``python -m tests.integration.insiders.table`` writes it."""
    assert PAGE.read_text("utf-8") == page()


def test_fresh_store_beside_the_attacked_one_knows_nothing() -> None:
    """The corpus of these tests is in no other store: copies are copies."""
    assert not Store(MemoryEngine()).corpora()
    assert lived().copy().corpus(CORPUS).generation == 3
