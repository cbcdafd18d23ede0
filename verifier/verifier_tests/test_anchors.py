"""What everything hangs on: the checkpoint, who vouches for it, and entries that are proven by it, each broken by itself."""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Callable
from hashlib import sha256
from typing import Any

import pytest
from coditect_verify.anchors import Anchors
from coditect_verify.bundle import tag_of
from coditect_verify.log import COSIGNATURE, ED25519, Checkpoint, Key, Wrong
from coditect_verify.result import Trust, Verification
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

ORIGIN = "log.example.com"
RECORD = b'{"a":1}'
ENTRY = {"kind": "document", "subject": "version_1", "corpus": tag_of("c"), "sha256": sha256(RECORD).hexdigest()}
OTHER_LEAF = sha256(b"\0other").digest()


def _key(number: int, name: str = ORIGIN, algorithm: int = ED25519) -> tuple[Key, Ed25519PrivateKey]:
    private = Ed25519PrivateKey.from_private_bytes(bytes([number]) * 32)
    return Key(name, algorithm, private.public_key().public_bytes_raw()), private


LOG, LOG_KEY = _key(1)
WITNESSES = [_key(number, f"witness{number}.example.com", COSIGNATURE) for number in (2, 3)]


def _leaf(entry: dict[str, Any]) -> bytes:
    return sha256(b"\0" + json.dumps(entry).encode()).digest()


def _note(entry: dict[str, Any], *, origin: str = ORIGIN, size: int = 2, by: Key = LOG, witnesses: int = 2) -> str:
    """A checkpoint of a log of this entry and another one."""
    leaf = _leaf(entry)
    root = leaf if size == 1 else sha256(b"\1" + leaf + OTHER_LEAF).digest()
    text = f"{origin}\n{size}\n{b64encode(root).decode()}\n"
    lines = [(by.name, by.key_id + LOG_KEY.sign(text.encode()))]
    for key, private in WITNESSES[:witnesses]:
        signed = private.sign(b"cosignature/v1\ntime 1700000000\n" + text.encode())
        lines.append((key.name, key.key_id + (1_700_000_000).to_bytes(8, "big") + signed))
    return text + "\n" + "".join(f"— {name} {b64encode(data).decode()}\n" for name, data in lines)


class Members:
    """The members of a bundle whose first entry is a document's."""

    corpus_id = "c"

    def __init__(self, entry: dict[str, Any] = ENTRY, note: str | None = None, index: int = 0) -> None:
        proof = f"c2sp.org/tlog-proof@v1\nindex {index}\n{b64encode(OTHER_LEAF).decode()}\n\n{note or _note(entry)}"
        self.held = {
            "log/0.entry": json.dumps(entry).encode(),
            "log/0.tlog-proof": proof.encode(),
            "records/version_1": RECORD,
        }
        self.read: set[str] = set()

    @property
    def names(self) -> set[str]:
        return set(self.held)

    def member(self, name: str) -> bytes:
        if name not in self.held:
            raise Wrong(f"{name} is not in the bundle")
        return self.held[name]

    def text(self, name: str) -> str:
        return self.member(name).decode()

    def under(self, folder: str) -> list[str]:
        return sorted(each for each in self.names if each.startswith(folder + "/"))

    def hashed(self, name: str) -> str:
        return sha256(self.member(name)).hexdigest()


def _anchors(members: Members | None = None, **trust: Any) -> Anchors:  # noqa: ANN401 - values of Trust
    anchors = Anchors(members or Members(), Trust(**{"log_keys": [LOG], **trust}), Verification())  # type: ignore[arg-type]
    anchors.check()
    return anchors


def test_a_checkpoint_that_a_given_key_signed_holds() -> None:
    """With what is not asked for named."""
    found = _anchors()
    assert found.checkpoint is not None
    assert (found.out.causes, found.out.checkpoint) == ([], _note(ENTRY))
    assert len(found.out.unchecked) == 3
    assert found.told(0, "document", "version_1", "records/version_1") == 0


@pytest.mark.parametrize(
    ("members", "keys", "says"),
    [
        (Members(), [_key(9)[0]], "signed the checkpoint of log.example.com"),
        (Members(), [], "signed the checkpoint of log.example.com"),
        (Members(note=_note(ENTRY, by=Key("other.example.com", ED25519, LOG.public))), None, "no key that you gave"),
        (Members(note=_note(ENTRY, origin="other.example.com")), None, "no key that you gave"),
    ],
)
def test_a_checkpoint_that_nobody_vouches_for_is_wrong(members: Members, keys: list[Key] | None, says: str) -> None:
    """Another key, none, a key of another name, a log of another name than its key."""
    found = _anchors(members, **({} if keys is None else {"log_keys": keys}))
    assert found.checkpoint is None
    assert [says in each.detail for each in found.out.causes] == [True]
    with pytest.raises(Wrong, match="there is no checkpoint"):
        found.told(0, "document", "version_1", "records/version_1")


def test_proofs_of_two_checkpoints_are_of_none() -> None:
    """A bundle is of one moment."""
    members = Members()
    members.held["log/1.tlog-proof"] = members.held["log/0.tlog-proof"].replace(b"\n2\n", b"\n3\n")
    (cause,) = _anchors(members).out.causes
    assert "the 2 proofs of the bundle are of 2 checkpoints" in cause.detail


def _entry(**other: object) -> Callable[[], Members]:
    return lambda: Members({**ENTRY, **other})


def _without(name: str) -> Callable[[], Members]:
    def make() -> Members:
        members = Members()
        del members.held[name]
        return members

    return make


def _changed() -> Members:
    members = Members()
    members.held["records/version_1"] = b'{"a":2}'
    return members


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (_entry(kind="review"), "which tells of review version_1, not of document version_1"),
        (_entry(subject="version_2"), "which tells of document version_2"),
        (_entry(corpus=tag_of("d")), "of the log is not"),
        (_entry(sha256="0" * 64), "is not the one that the log tells of"),
        (_changed, "records/version_1 is not the one that the log tells of"),
        (_without("log/0.entry"), "log/0.entry is not in the bundle"),
        (lambda: Members(index=1), "log/0.tlog-proof is the proof of entry 1, not of 0"),
        (lambda: Members(note=_note({**ENTRY, "subject": "version_2"})), "does not lead to the root"),
        (lambda: Members(note=_note(ENTRY, size=1)), "longer than the tree is high"),
    ],
)
def test_an_entry_that_tells_of_something_else_is_wrong(make: Callable[[], Members], says: str) -> None:
    """Another kind, subject, corpus or record; no entry; a proof of another place or another tree."""
    found = _anchors(make())
    assert found.checkpoint is not None
    with pytest.raises(Wrong, match=says):
        found.told(0, "document", "version_1", "records/version_1")


def test_only_a_document_may_have_been_replaced_since() -> None:
    """A later state took the place of its record; of anything else the record is there, or it is wrong."""
    assert _anchors(_without("records/version_1")()).told(0, "document", "version_1", "records/version_1") == 0
    for kind in ("review", "generation"):
        members = Members({**ENTRY, "kind": kind})
        del members.held["records/version_1"]
        with pytest.raises(Wrong, match="records/version_1 is not in the bundle"):
            _anchors(members).told(0, kind, "version_1", "records/version_1")


def _kept(size: int, origin: str = ORIGIN) -> Checkpoint:
    return Checkpoint.parse(_note(ENTRY, size=size, origin=origin))


def test_a_kept_checkpoint_is_the_beginning_of_the_log() -> None:
    """By a proof; of the same length without one; another log, another history or no proof is wrong."""
    members = Members()
    members.held["log/consistency-1"] = b64encode(OTHER_LEAF) + b"\n"
    assert _anchors(members, kept=_kept(1)).out.causes == []
    assert _anchors(kept=_kept(2)).out.causes == []
    for made, kept, says in (
        (Members(), _kept(1), "log/consistency-1 is not in the bundle"),
        (Members(), _kept(2, origin="other.example.com"), "it is of another log"),
        (Members(), Checkpoint.parse(_note({**ENTRY, "subject": "x"})), "two histories"),
        (Members(), _kept(3), "does not go on from one of 3"),
    ):
        (cause,) = _anchors(made, kept=kept).out.causes
        assert says in cause.detail


@pytest.mark.parametrize(("there", "quorum", "holds"), [(2, 2, True), (1, 1, True), (1, 2, False), (0, 1, False)])
def test_witnesses_are_as_many_as_are_asked_for(there: int, quorum: int, holds: bool) -> None:
    """Each with its time; whose cosignature is missing is named."""
    members = Members(note=_note(ENTRY, witnesses=there))
    found = _anchors(members, witnesses=[key for key, _ in WITNESSES], quorum=quorum)
    (hop,) = [each for each in found.out.hops if each.kind == "witnesses"]
    assert hop.holds is holds
    if holds:
        assert "witness2.example.com at 2023-11-14T22:13:20+00:00" in hop.detail
    else:
        assert f"({there} of {quorum} that you ask for)" in hop.detail
        assert "witness3.example.com" in hop.detail


def test_time_stamps_that_nobody_asked_for_are_named_and_those_that_are_asked_for_must_be_there() -> None:
    """Whether there are any or none is said."""
    with_one = Members()
    with_one.held["timestamps/0.tsr"] = b"x"
    told = [_anchors(each).out.unchecked for each in (Members(), with_one)]
    assert told[0] != told[1]
    assert "timestamps/0.tsr" in with_one.read
    (cause,) = _anchors(authority=b"certificates").out.causes
    assert (cause.kind, "timestamps/0.tsr is not in the bundle" in cause.detail) == ("time stamp", True)
    (cause,) = _anchors(with_one, authority=b"certificates").out.causes
    assert cause.kind == "time stamp"


def test_consistency_proofs_for_others_count_as_read() -> None:
    """A bundle may carry one for each of its readers."""
    members = Members()
    members.held["log/consistency-1"] = b"x"
    found = _anchors(members)
    assert found.out.causes == []
    assert "log/consistency-1" in members.read
