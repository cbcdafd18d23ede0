"""Attacks on what is handed out: bundles put together from pieces of others, time stamps and cosignatures moved.

Sixteen more, one for each hop, are in ``verifier/verifier_tests/test_tampered.py``.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, datetime
from functools import cache
from hashlib import sha256
from io import BytesIO
from pathlib import Path

from coditect_verify import Trust, verify_bundle
from verifier_tests.bundles import Members, members_of, only, write_members

from coditect.knowledge.report.bundles.collection import write_bundle
from coditect.knowledge.report.bundles.logged import SignedLog
from coditect.schemas import canonical_json
from coditect.store.store import Store
from coditect.store.view import open_view
from coditect.transparency.checkpoints import Checkpoint
from coditect.transparency.notes import Note
from coditect.transparency.proofs import LogProof
from coditect.transparency.sequencer import TransparencyLog
from tests.corpora import copy_of
from tests.integration.insiders.lived import CORPUS, KEY, lived
from tests.integration.insiders.watchers import cosign, trust
from tests.unit.transparency.time_authority import TimeAuthority

__all__ = ["MOVED", "genuine", "wrong"]


YEARS = (datetime(2010, 1, 1, tzinfo=UTC), datetime(2040, 1, 1, tzinfo=UTC))
"""In which the certificates of the authorities are valid."""


@cache
def _authority() -> TimeAuthority:
    return TimeAuthority(YEARS)


def _written(store: Store) -> Members:
    log = TransparencyLog(store.engine, store.keys)
    log.checkpoint(KEY)
    cosign(log)
    note = log.last_checkpoint() or ""
    checkpoint = Checkpoint.parse(Note.parse(note.encode()).text)
    log.add_timestamp(checkpoint.size, _stamp(checkpoint.text.encode()))
    file = BytesIO()
    kept = Checkpoint.parse(Note.parse(lived().kept_earlier.encode()).text)
    write_bundle(open_view(store, CORPUS), SignedLog(log), "report", "", file, kept=kept)
    return members_of(file.getvalue())


def _stamp(message: bytes) -> bytes:
    return _authority().stamp(message, datetime(2026, 2, 1, tzinfo=UTC))


@cache
def genuine() -> Members:
    """The bundle of the report, cosigned and stamped, with the proof from a checkpoint that somebody kept."""
    return _written(lived().copy())


@cache
def _earlier() -> Members:
    """The same of the store as it was before."""
    return _written(copy_of(lived().earlier))


def wrong(members: Members, folder: Path) -> list[str]:
    """What the verifier finds, given the keys, the checkpoint that was kept, a witness and the authority's certificates."""
    from coditect_verify.log import Checkpoint as KeptCheckpoint

    base = trust(KeptCheckpoint.parse(lived().kept_earlier))
    asked = Trust(base.log_keys, base.kept, base.witnesses, base.quorum, (), _authority().certificates)
    found = verify_bundle(write_members(folder / "bundle", members), asked)
    return [f"{each.kind} {each.subject}: {each.detail}" for each in found.hops if not each.holds]


def signature_is_moved_to_another_record(members: Members) -> Members:
    """A genuine signature of a person is said to be under another record."""
    name = only(members, "items/signature_")
    body = json.loads(members[name])
    body["subject"] = only(members, "items/section_").removeprefix("items/")
    return {**members, name: canonical_json(body)}


def signature_is_of_another_bundle(members: Members) -> Members:
    """The entry of a signature is told to be that of another one."""
    index = json.loads(members["bundle.json"])
    told = index["entries"]["signatures"]
    ids = sorted(told)
    told[ids[0]], told[ids[-1]] = told[ids[-1]], told[ids[0]]
    return {**members, "bundle.json": canonical_json(index)}


def cosignature_is_taken_off(members: Members) -> Members:
    """No witness saw this: the line is gone from the checkpoint."""
    return _notes(members, lambda note: Note(note.text, note.signatures[:1]))


def cosignature_of_an_earlier_checkpoint(members: Members) -> Members:
    """The line of a witness is that of another checkpoint."""
    proof = LogProof.parse(_earlier()[f"log/{_proof_name(_earlier())}"].decode())
    other = Note.parse(proof.checkpoint.encode()).signatures[-1]
    return _notes(members, lambda note: Note(note.text, (note.signatures[0], other)))


def _proof_name(members: Members) -> str:
    return next(each for each in sorted(members) if each.endswith(".tlog-proof")).removeprefix("log/")


def _notes(members: Members, change: Callable[[Note], Note]) -> Members:
    out = dict(members)
    for name in (each for each in members if each.endswith(".tlog-proof")):
        proof = LogProof.parse(members[name].decode())
        note = change(Note.parse(proof.checkpoint.encode()))
        out[name] = str(LogProof(proof.index, proof.hashes, str(note))).encode()
    return out


def timestamp_is_moved(members: Members) -> Members:
    """The time stamp is that of an earlier checkpoint, so that all of this would be older than it is."""
    name = only(members, "timestamps/")
    return {**members, name: _earlier()[only(_earlier(), "timestamps/")]}


def timestamp_is_of_nobody(members: Members) -> Members:
    """The time stamp is by an authority of the insider's."""
    proof = LogProof.parse(members[f"log/{_proof_name(members)}"].decode())
    text = Note.parse(proof.checkpoint.encode()).text
    forged = TimeAuthority(YEARS).stamp(text.encode(), datetime(2020, 1, 1, tzinfo=UTC))
    return {**members, only(members, "timestamps/"): forged}


def checkpoint_is_an_earlier_one(members: Members) -> Members:
    """Proofs of one checkpoint are shown with another."""
    earlier = LogProof.parse(_earlier()[f"log/{_proof_name(_earlier())}"].decode()).checkpoint
    return _notes(members, lambda note: Note.parse(earlier.encode()))


def consistency_is_cut(members: Members) -> Members:
    """The proof that the log continues what was kept is another one."""
    name = only(members, "log/consistency-")
    lines = members[name].decode().splitlines()
    return {**members, name: "\n".join(reversed(lines)).encode() + b"\n"}


def generation_is_that_of_another_bundle(members: Members) -> Members:
    """An earlier generation's record, with the entry and the proof of this one."""
    return {**members, "records/generation": _earlier()["records/generation"]}


def entry_is_replaced_by_another_genuine_one(members: Members) -> Members:
    """The entry of a document is that of another document, with its own proof."""
    index = json.loads(members["bundle.json"])
    told = index["entries"]["documents"]
    ids = sorted(told)
    told[ids[0]] = told[ids[-1]]
    return {**members, "bundle.json": canonical_json(index)}


def file_is_replaced_under_its_name(members: Members) -> Members:
    """Another file under the SHA-256 of the genuine one."""
    name = only(members, "files/")
    assert sha256(members[name]).hexdigest() == name.removeprefix("files/")
    return {**members, name: b"# Access Control Policy\n"}


MOVED = (
    signature_is_moved_to_another_record,
    signature_is_of_another_bundle,
    cosignature_is_taken_off,
    cosignature_of_an_earlier_checkpoint,
    timestamp_is_moved,
    timestamp_is_of_nobody,
    checkpoint_is_an_earlier_one,
    consistency_is_cut,
    generation_is_that_of_another_bundle,
    entry_is_replaced_by_another_genuine_one,
    file_is_replaced_under_its_name,
)
