"""The log of a store: which events stand in it, who sequences it, and what is found of somebody who rewrites it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from coditect.engine.port import Transaction
from coditect.errors import InvalidProof, NotFound, UsageError
from coditect.knowledge.ingest.intake import ingest
from coditect.knowledge.report.bundles.logged import SignedLog
from coditect.schemas import Generation, sha256_hex
from coditect.store.store import Store
from coditect.transparency.checkpoints import Checkpoint, open_checkpoint
from coditect.transparency.events import append_event, event_of
from coditect.transparency.merkle.tiles import bundle_path, entries_of
from coditect.transparency.merkle.tree import leaf_hash, require_consistency, root_of_hashes
from coditect.transparency.notes import SigningKey
from coditect.transparency.proofs import verify_log_proof
from coditect.transparency.sequencer import TransparencyLog
from tests.corpora import CORPUS, DOCUMENTS, build_all, clock, folder_of, ingest_all, table_rows

KEY = SigningKey("log.example.com/tests", bytes(range(32)))


def _log(store: Store) -> TransparencyLog:
    return TransparencyLog(store.engine, store.keys)


def _events(store: Store) -> list[dict[str, object]]:
    log = _log(store)
    log.sequence()
    return [json.loads(entry) for _, entry in log.entries()]


def _fill(store: Store, count: int, begin: int = 0) -> None:
    """Append numbered events, a hundred to a transaction."""
    for first in range(begin, begin + count, 100):

        def body(transaction: Transaction, first: int = first) -> None:
            for each in range(first, min(first + 100, begin + count)):
                append_event(transaction, store.keys, event_of("document", CORPUS, subject=str(each)))

        store.update(body)


def test_events_tell_what_happened_in_its_order(memory: Store, tmp_path: Path) -> None:
    """The corpus, each document, the failure and its end, the withdrawal and each generation: with ids and hashes alone."""
    files = {**DOCUMENTS, "broken.pdf": "no PDF"}
    folder = folder_of(tmp_path, files)
    ingest_all(memory, folder)
    build_all(memory)
    (folder / "broken.pdf").write_text("still none", "utf-8")
    (folder / "access.md").unlink()
    ingest(memory, CORPUS, [folder], clock=clock, jobs=1, sync=True)
    build_all(memory)
    kinds = [str(each["kind"]) for each in _events(memory)]
    assert kinds[0] == "corpus"
    assert kinds.count("document") == len(DOCUMENTS)
    assert [each for each in kinds if each in ("failure", "withdrawal", "generation")] == [
        "failure",
        "generation",
        "failure",
        "withdrawal",
        "generation",
    ]
    logged = json.dumps(_events(memory))
    assert not any(word in logged for word in (*files, "access", "incident", CORPUS))


def test_events_of_what_changes_nothing_are_none(memory: Store, documents: Path) -> None:
    """The same files again, and a build of the same, say nothing."""
    ingest_all(memory, documents)
    build_all(memory)
    before = _events(memory)
    ingest_all(memory, documents)
    build_all(memory)
    assert _events(memory) == before


def test_entries_are_short_and_name_the_bytes_that_they_tell_of(built: Store) -> None:
    """At most a kilobyte each, and a generation's event names its record's SHA-256."""
    log = _log(built)
    log.sequence()
    entries = [entry for _, entry in log.entries()]
    assert max(map(len, entries)) < 1000
    last = json.loads(entries[-1])

    generation = built.get("generations", Generation, CORPUS, 1)
    assert generation is not None
    assert (last["kind"], last["generation"], last["subject"]) == ("generation", 1, generation.build_id)
    assert last["sha256"] == sha256_hex(generation.payload())


@pytest.mark.parametrize("count", [1, 255, 256, 257, 700])
def test_tree_is_that_over_the_entries_however_they_came(memory: Store, count: int) -> None:
    """Sequenced one by one or in batches, the root is RFC 9162's over the entries in order."""
    log = _log(memory)
    _fill(memory, count // 2)
    log.sequence()
    _fill(memory, count - count // 2, count // 2)
    head = log.sequence()
    entries = [entry for _, entry in log.entries()]
    assert [json.loads(each)["subject"] for each in entries] == [str(each) for each in range(count)]
    assert (head.size, head.root) == (count, root_of_hashes([leaf_hash(each) for each in entries]).hex())
    assert not table_rows(memory.engine, memory, "log/pending")
    assert log.sequence() == head


def test_two_sequencers_make_one_log(memory: Store) -> None:
    """Whoever comes second finds nothing left of a batch that the first took, also where both looked before either wrote."""
    _fill(memory, 300)
    first, second = _log(memory), _log(Store(memory.engine))
    begin, end = memory.keys.bounds("log/pending")
    memory.update(lambda transaction: first._take(begin, end, transaction))
    memory.update(lambda transaction: second._take(begin, end, transaction))
    memory.update(lambda transaction: first._take(begin, end, transaction))
    assert [json.loads(entry)["subject"] for _, entry in second.entries()] == [str(each) for each in range(300)]
    assert second.head().size == 300


def test_proofs_verify_with_the_log_key_alone(built: Store) -> None:
    """Every entry, from the text of its proof, its bytes and the verifier key; and two checkpoints are consistent."""
    log = _log(built)
    first = open_checkpoint(log.checkpoint(KEY).encode(), [KEY.key]).checkpoint
    _fill(built, 300)
    second = open_checkpoint(log.checkpoint(KEY).encode(), [KEY.key]).checkpoint
    for index, entry in log.entries():
        if index % 37 == 0:
            assert verify_log_proof(log.prove(index), entry, [KEY.key]).checkpoint == second
    indexes = [0, first.size - 1, 37, second.size - 1]
    assert log.proofs(indexes) == [log.prove(each) for each in indexes]
    proof = log.consistency(first.size, second.size)
    require_consistency(first.size, second.size, proof, first.root, second.root)
    with pytest.raises(InvalidProof):
        verify_log_proof(log.prove(0), b"{}", [KEY.key])
    with pytest.raises(UsageError):
        log.consistency(1, second.size + 1)


def test_a_bundle_has_one_checkpoint_whatever_is_signed_meanwhile(built: Store) -> None:
    """All proofs lead to the checkpoint that was the newest when the bundle was begun."""
    log = _log(built)
    note = log.checkpoint(KEY)
    signed = SignedLog(log)
    _fill(built, 5)
    assert log.checkpoint(KEY) != note
    entries = dict(log.entries())
    for index, proof in zip((0, 3), signed.proofs([0, 3]), strict=True):
        assert verify_log_proof(proof, entries[index], [KEY.key]).checkpoint == signed.checkpoint
    with pytest.raises(NotFound):
        signed.proof(signed.checkpoint.size)


def test_nothing_is_proven_without_a_checkpoint(memory: Store) -> None:
    """Before a key signed, there are entries and no proofs, and the hint says why."""
    _fill(memory, 3)
    log = _log(memory)
    log.sequence()
    with pytest.raises(NotFound) as refused:
        log.prove(0)
    assert "proves nothing" in (refused.value.hint or "")
    with pytest.raises(NotFound):
        list(log.files())


def test_checkpoint_of_an_unchanged_log_is_the_same(memory: Store) -> None:
    """Also of an empty one; asking twice writes nothing new, and another origin is refused."""
    log = _log(memory)
    assert Checkpoint.parse(log.checkpoint(KEY).partition("\n\n")[0] + "\n").size == 0
    _fill(memory, 2)
    assert log.checkpoint(KEY) == log.checkpoint(KEY) == log.last_checkpoint()
    with pytest.raises(UsageError, match="origin"):
        log.checkpoint(SigningKey("log.example.com/other", bytes(32)))


def _rewrite(store: Store, keep: int) -> None:
    """An insider begins the log anew with other entries, and computes tiles and head again."""
    for table in ("log/entries", "log/tiles", "log/heads"):
        begin, end = store.keys.bounds(table)
        store.update(lambda transaction, begin=begin, end=end: transaction.clear_range(begin, end))  # type: ignore[misc]
    _fill(store, keep, 1)
    _log(store).sequence()


@pytest.mark.parametrize("keep", [2, 5, 9])
def test_rewritten_or_cut_log_is_not_signed_and_does_not_continue_what_was_kept(memory: Store, keep: int) -> None:
    """Shorter, as long or longer than before: the last checkpoint is not its beginning."""
    log = _log(memory)
    _fill(memory, 5)
    kept = open_checkpoint(log.checkpoint(KEY).encode(), [KEY.key]).checkpoint
    _rewrite(memory, keep)
    with pytest.raises(InvalidProof):
        log.require_continues(kept)
    with pytest.raises(InvalidProof):
        log.checkpoint(KEY)


def test_files_are_a_log_that_others_read(memory: Store, tmp_path: Path) -> None:
    """From the files alone: the checkpoint verifies, and entries hash to leaf tiles that hash to its root."""
    _fill(memory, 300)
    log = _log(memory)
    log.checkpoint(KEY)
    files = dict(log.files())
    assert list(files)[-1] == "checkpoint"
    assert set(files) == {
        "checkpoint",
        "tile/0/000",
        "tile/0/001.p/44",
        "tile/1/000.p/1",
        "tile/entries/000",
        "tile/entries/001.p/44",
    }
    checkpoint = open_checkpoint(files["checkpoint"], [KEY.key]).checkpoint
    entries = entries_of(files[bundle_path(0)]) + entries_of(files[bundle_path(1, 44)])
    leaves = [leaf_hash(each) for each in entries]
    assert files["tile/0/000"] + files["tile/0/001.p/44"] == b"".join(leaves)
    assert (checkpoint.size, checkpoint.root) == (300, root_of_hashes(leaves))


def test_tenants_have_logs_of_their_own(memory: Store) -> None:
    """What happens to one tenant is in no other's log."""
    other = Store(memory.engine, "other")
    _fill(memory, 2)
    _fill(other, 3)
    assert _log(memory).sequence().size == 2
    assert _log(other).sequence().size == 3
