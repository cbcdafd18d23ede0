"""Witnesses: what they cosign, what they refuse and how, over HTTP and without; and what a log takes from them."""

from __future__ import annotations

import threading
from base64 import b64encode
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from coditect.errors import InvalidProof, Unreachable, UsageError
from coditect.store.store import Store
from coditect.transparency.checkpoints import Checkpoint, open_checkpoint, sign_checkpoint
from coditect.transparency.cosignatures import cosignature_time
from coditect.transparency.events import append_event, event_of
from coditect.transparency.exchange import exchange
from coditect.transparency.merkle.tree import leaf_hash, node_hash
from coditect.transparency.notes import Note, SigningKey
from coditect.transparency.sequencer import TransparencyLog
from coditect.transparency.witness.client import cosigned
from coditect.transparency.witness.folder import FolderLastSeen
from coditect.transparency.witness.judgement import Witness, witness_key
from coditect.transparency.witness.server import witness_server
from coditect.transparency.witness.submission import SIZE_TYPE, Submission

LOG = SigningKey("log.example.com/tests", bytes(range(32)))
OTHER_LOG = SigningKey("log.example.com/other", bytes([3] * 32))
OWN = SigningKey("witness.example.com/w1", bytes([9] * 32))

NOW_S = 1_800_000_000


@pytest.fixture
def witness(tmp_path: Path) -> Witness:
    """A witness of one log that saw nothing yet."""
    return Witness(OWN, {LOG.name: [LOG.key]}, FolderLastSeen(tmp_path / "witness"))


@contextmanager
def _serving(witness: Witness) -> Iterator[str]:
    with witness_server(witness, ("127.0.0.1", 0), lambda: float(NOW_S)) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_address[1]}"
        finally:
            server.shutdown()
            thread.join()


def _append(store: Store, count: int) -> TransparencyLog:
    def body(transaction: object) -> None:
        for _ in range(count):
            append_event(transaction, store.keys, event_of("export", "policies"))  # type: ignore[arg-type]

    store.update(body)
    log = TransparencyLog(store.engine, store.keys)
    log.sequence()
    return log


def test_log_gets_a_cosignature_for_each_checkpoint_that_continues_the_last(memory: Store, witness: Witness) -> None:
    """Without knowing what the witness saw; the cosignature opens with the checkpoint, is kept, and goes into proofs."""
    with _serving(witness) as url:
        for count in (3, 1, 300, 0):
            log = _append(memory, count)
            note = cosigned(log.checkpoint(LOG), log.consistency, url, witness_key(OWN))
            opened = open_checkpoint(str(note).encode(), [LOG.key], [witness_key(OWN)])
            assert opened.witnesses == (witness_key(OWN),)
            assert cosignature_time(note.signatures[-1].data) == NOW_S
            log.add_signatures(opened.checkpoint.size, note)
            proof = log.prove(0)
            assert f"— {OWN.name} " in proof
            assert log.checkpoint(LOG) == log.last_checkpoint()


def _tree(*leaves: bytes) -> bytes:
    hashes = [leaf_hash(each) for each in leaves]
    return node_hash(*hashes) if len(hashes) == 2 else hashes[0]


ONE = Checkpoint(LOG.name, 1, _tree(b"a"))
TWO = Checkpoint(LOG.name, 2, _tree(b"a", b"b"))
OTHER_TWO = Checkpoint(LOG.name, 2, _tree(b"c", b"b"))
GROWN = (leaf_hash(b"b"),)


def _body(old: int, proof: tuple[bytes, ...], checkpoint: Checkpoint, key: SigningKey = LOG) -> bytes:
    return str(Submission(old, proof, sign_checkpoint(checkpoint, [key]))).encode()


REFUSED = {
    "nothing": (b"", 400, ""),
    "not UTF-8": (b"old 0\n\n\xff", 400, ""),
    "no old size": (b"\n\n" + sign_checkpoint(TWO, [LOG]).encode(), 400, ""),
    "a size with a zero in front": (b"old 01\n\n" + sign_checkpoint(TWO, [LOG]).encode(), 400, ""),
    "a hash that is no base64": (b"old 1\n%%\n\n" + sign_checkpoint(TWO, [LOG]).encode(), 400, ""),
    "64 hashes": (_body(1, GROWN * 64, TWO), 400, ""),
    "another log": (_body(1, GROWN, Checkpoint(OTHER_LOG.name, 2, TWO.root), OTHER_LOG), 404, ""),
    "another key": (_body(1, GROWN, TWO, SigningKey(LOG.name, bytes(32))), 403, ""),
    "older than it says": (_body(3, (), TWO), 400, ""),
    "from the beginning": (_body(0, (), TWO), 409, "1\n"),
    "from a later size": (_body(2, (), TWO), 409, "1\n"),
    "no proof": (_body(1, (), TWO), 422, ""),
    "a wrong proof": (_body(1, (leaf_hash(b"c"),), TWO), 422, ""),
    "another history": (_body(1, GROWN, OTHER_TWO), 422, ""),
    "another root at the same size": (_body(1, (), Checkpoint(LOG.name, 1, _tree(b"c"))), 409, "1\n"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_witness_refuses_as_the_specification_says(witness: Witness, name: str) -> None:
    """With the status of each case, and nothing of it is remembered."""
    body, status, said = REFUSED[name]
    assert witness.add_checkpoint(_body(0, (), ONE), NOW_S).status == 200
    answer = witness.add_checkpoint(body, NOW_S)
    assert answer.status == status
    if said:
        assert (answer.body, answer.content_type) == (said, SIZE_TYPE)
    assert witness.add_checkpoint(_body(1, GROWN, TWO), NOW_S).status == 200
    assert witness.add_checkpoint(_body(2, (), TWO), NOW_S + 1).status == 200, "the same again is cosigned again"


def test_witness_refuses_a_proof_from_the_empty_log(witness: Witness) -> None:
    """The proof must be empty if the old size is zero."""
    assert witness.add_checkpoint(_body(0, GROWN, TWO), NOW_S).status == 422


def test_witness_remembers_over_restarts_and_forgets_nothing_that_is_damaged(tmp_path: Path) -> None:
    """Another one on the same folder goes on; one whose memory cannot be read does not begin anew."""
    logs = {LOG.name: [LOG.key]}
    folder = tmp_path / "witness"
    assert Witness(OWN, logs, FolderLastSeen(folder)).add_checkpoint(_body(0, (), TWO), NOW_S).status == 200
    again = Witness(OWN, logs, FolderLastSeen(folder))
    assert again.add_checkpoint(_body(0, (), ONE), NOW_S).body == "2\n"
    next(folder.glob("*.checkpoint")).write_text("", "utf-8")
    with pytest.raises(UsageError):
        again.add_checkpoint(_body(0, (), ONE), NOW_S)


def test_one_of_two_histories_is_cosigned_whoever_comes_first(tmp_path: Path) -> None:
    """Many requests at once for two checkpoints of one size: all cosignatures are on one of them."""
    witness = Witness(OWN, {LOG.name: [LOG.key]}, FolderLastSeen(tmp_path))
    answers: dict[int, list[int]] = {0: [], 1: []}

    def ask(which: int) -> None:
        body = _body(0, (), (TWO, OTHER_TWO)[which])
        answers[which].append(witness.add_checkpoint(body, NOW_S).status)

    threads = [threading.Thread(target=ask, args=(each % 2,)) for each in range(12)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert sum(200 in statuses for statuses in answers.values()) == 1


def test_client_tells_a_split_view_from_a_witness_that_is_behind(memory: Store, witness: Witness) -> None:
    """Two logs of one key: the second is refused at the same size, at a smaller one and at a larger one."""
    other = Store(memory.engine, "other")
    with _serving(witness) as url:
        log = _append(memory, 5)
        cosigned(log.checkpoint(LOG), log.consistency, url, witness_key(OWN))
        event = event_of("export", "another corpus")
        other.update(lambda transaction: append_event(transaction, other.keys, event))
        for count in (1, 3, 4):
            forged = _append(other, count)
            with pytest.raises(InvalidProof, match="saw another history"):
                cosigned(forged.checkpoint(LOG), forged.consistency, url, witness_key(OWN))


def test_client_takes_nothing_but_the_cosignature_that_it_asked_for(memory: Store) -> None:
    """Signatures of others are passed over, wrong ones and other texts refused; failures are told by their kind."""
    log = _append(memory, 2)
    note = log.checkpoint(LOG)
    line = Note.parse(note.encode()).signatures[0].line

    def answering(status: int, body: str) -> None:
        cosigned(note, log.consistency, "http://w", witness_key(OWN), send=lambda *_: (status, body.encode()))

    for body in (
        "",
        "nothing\n",
        line + "\n",
        f"— {OWN.name} {b64encode(witness_key(OWN).key_id + bytes(72)).decode()}\n",
    ):
        with pytest.raises(InvalidProof):
            answering(200, body)
    for status, error in (
        (404, UsageError),
        (403, UsageError),
        (400, UsageError),
        (422, InvalidProof),
        (503, Unreachable),
    ):
        with pytest.raises(error):
            answering(status, "no")
    with pytest.raises(InvalidProof):
        answering(409, "many\n")
    with pytest.raises(UsageError):
        cosigned(note, log.consistency, "http://w", OWN.key)


def test_signatures_are_added_to_the_checkpoint_that_they_are_on(memory: Store, witness: Witness) -> None:
    """To no other text; those that are there stay."""
    log = _append(memory, 2)
    note = Note.parse(log.checkpoint(LOG).encode())
    with pytest.raises(InvalidProof):
        log.add_signatures(2, Note(Checkpoint(LOG.name, 2, bytes(32)).text, note.signatures))
    for seed in (1, 2):
        log.add_signatures(2, Note(note.text).signed_by([SigningKey(f"w{seed}", bytes([seed] * 32))]))
    names = [each.name for each in Note.parse((log.last_checkpoint() or "").encode()).signatures]
    assert names == [LOG.name, "w1", "w2"]


def test_exchange_goes_nowhere_else(witness: Witness) -> None:
    """Not to other schemes, not where nobody is, not past the longest answer; another path is not found."""
    with pytest.raises(UsageError):
        exchange("file:///etc/passwd", b"", "text/plain", 10)
    with _serving(witness) as url:
        assert exchange(f"{url}/else", b"x", "text/plain", 100)[0] == 404
        with pytest.raises(Unreachable):
            exchange(f"{url}/else", b"x", "text/plain", 3)
    with pytest.raises(Unreachable):
        exchange(url, b"", "text/plain", 10)
