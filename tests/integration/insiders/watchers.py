"""Who looks: the store's own newest checkpoint, one that somebody kept, a witness, recomputation, and the verifier of a bundle."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from io import BytesIO
from pathlib import Path

from coditect_verify import Trust, verify_bundle
from coditect_verify.log import Key

from coditect.documents.limits import MOST_EXTRACTIONS
from coditect.documents.sandbox.budget import ReadBudget
from coditect.errors import CoditectError
from coditect.integrity.logged.check import check_logged
from coditect.integrity.validate import validate
from coditect.knowledge.building.recomputation import recompute
from coditect.knowledge.report.bundles.collection import write_bundle
from coditect.knowledge.report.bundles.logged import SignedLog
from coditect.store.store import Store
from coditect.store.view import open_view
from coditect.testing.engine.memory import MemoryEngine
from coditect.transparency.checkpoints import Checkpoint, open_checkpoint
from coditect.transparency.cosignatures import message_at
from coditect.transparency.notes import Note, Signature, SigningKey
from coditect.transparency.sequencer import TransparencyLog
from coditect.transparency.witness.client import cosigned
from coditect.transparency.witness.judgement import Witness, witness_key
from tests.integration.insiders.lived import CORPUS, KEY, SOURCES

__all__ = ["WITNESS", "bundled", "computed", "cosign", "kept", "own", "remarks", "trust", "witnessed"]

WITNESS = SigningKey("witness.example.com/w1", bytes([9] * 32))


@dataclass
class Seen:
    """What a witness remembers, in memory."""

    last: dict[str, Checkpoint] = field(default_factory=dict)

    @contextmanager
    def held(self, origin: str) -> Iterator[Checkpoint | None]:
        """See :class:`coditect.transparency.witness.judgement.LastSeen`."""
        yield self.last.get(origin)

    def keep(self, checkpoint: Checkpoint) -> None:
        """See :class:`coditect.transparency.witness.judgement.LastSeen`."""
        self.last[checkpoint.origin] = checkpoint


def told(look: Callable[[], list[str]]) -> list[str]:
    """What somebody finds; what they are refused with is found, too."""
    try:
        return look()
    except CoditectError as error:
        return [f"refused: {error}"]


def _rows(store: Store) -> list[str]:
    """What is found in the rows. Several look at one state of a store, which is another object after every commit: once."""
    assert isinstance(store.engine, MemoryEngine)
    state = store.engine._store.state
    if _LAST.state is not state:
        _LAST.found = [f"{each.record}: {each.message}" for each in validate(store, CORPUS).findings]
        _LAST.state = state
    return _LAST.found.copy()


@dataclass
class _Looked:
    """The state of a store that was looked at last, and what was found."""

    state: object = None
    found: list[str] = field(default_factory=list)


_LAST = _Looked()


def _log(store: Store, note: str | None) -> list[str]:
    checkpoint = None if note is None else open_checkpoint(note.encode(), [KEY.key]).checkpoint
    findings, _ = check_logged(store, CORPUS, checkpoint, Counter(), lambda table: None)
    return [f"{each.record}: {each.message}" for each in findings]


def own(store: Store) -> list[str]:
    """``validate --log``: rows, then the log with the newest checkpoint that the store itself has."""
    log = TransparencyLog(store.engine, store.keys)
    return told(lambda: _rows(store)) + told(lambda: _log(store, log.last_checkpoint()))


def kept(store: Store, note: str) -> list[str]:
    """``validate --checkpoint``: the log with a checkpoint that somebody kept."""
    return told(lambda: _rows(store)) + told(lambda: _log(store, note))


def remarks(store: Store) -> list[str]:
    """What ``validate --log`` says beside findings: what the log does not tell of, and what it tells out of time."""
    return check_logged(store, CORPUS, None, Counter(), lambda table: None)[1]


def witnessed(store: Store, note: str) -> list[str]:
    """Why a witness that cosigned one checkpoint does not cosign the newest of the store; nothing: it does."""
    seen = Seen()
    before = open_checkpoint(note.encode(), [KEY.key]).checkpoint
    seen.keep(before)
    witness = Witness(WITNESS, {KEY.name: [KEY.key]}, seen)
    log = TransparencyLog(store.engine, store.keys)

    def send(url: str, body: bytes, content_type: str, most: int) -> tuple[int, bytes]:
        answer = witness.add_checkpoint(body, 1_800_000_000)
        return answer.status, answer.body.encode()

    def look() -> list[str]:
        newest = log.last_checkpoint()
        if newest is None:
            return ["there is no checkpoint to cosign"]
        answered = cosigned(newest, log.consistency, "http://witness", witness_key(WITNESS), send=send)
        size = Checkpoint.parse(answered.text).size
        return [] if size >= before.size else [f"it is shorter than {before.size}"]

    return told(look)


def computed(store: Store) -> list[str]:
    """``validate --deep``: what comes out when the generation is built again from its files."""

    def look() -> list[str]:
        found = recompute(
            store,
            CORPUS,
            models=SOURCES,
            budget=ReadBudget(),
            document_extractions=MOST_EXTRACTIONS,
            progress=lambda stage, done, total: None,
            announce=lambda expected: None,
            jobs=1,
        )
        return [f"{each.record}: {each.message}" for each in found.findings]

    return told(look)


def bundled(store: Store, note: str, folder: Path) -> list[str]:
    """What the verifier says of a bundle of the report, given the log's key, a kept checkpoint, and a witness to ask for.

    A witness cosigns for whom it can: an insider who made a log of his own gets no cosignature.
    """

    def look() -> list[str]:
        log = TransparencyLog(store.engine, store.keys)
        if log.waiting_count():  # what the program itself does at the end of each command
            log.checkpoint(KEY)
        if not witnessed(store, note):
            cosign(log)
        before = Checkpoint.parse(Note.parse(note.encode()).text)
        file = BytesIO()
        write_bundle(open_view(store, CORPUS), SignedLog(log), "report", "", file, kept=before)
        path = folder / "bundle"
        path.write_bytes(file.getvalue())
        return verified(path, note)

    return told(look)


def verified(path: Path, note: str) -> list[str]:
    """What the verifier finds wrong with a bundle."""
    from coditect_verify.log import Checkpoint as KeptCheckpoint

    found = verify_bundle(path, trust(KeptCheckpoint.parse(note)))
    return [f"{each.kind} {each.subject}: {each.detail}" for each in found.hops if not each.holds]


@cache
def trust(before: object) -> Trust:
    """What an auditor believes: the log's key, a witness', and the checkpoint that they kept."""
    return Trust(
        log_keys=[Key.parse(str(KEY.key))],
        witnesses=[Key.parse(str(witness_key(WITNESS)))],
        quorum=1,
        kept=before,  # type: ignore[arg-type]
    )


def cosign(log: TransparencyLog) -> None:
    """Put the witness' cosignature on the newest checkpoint of a log."""
    newest = log.last_checkpoint()
    assert newest is not None
    note = Note.parse(newest.encode())
    key, time_s = witness_key(WITNESS), 1_800_000_000
    signed = WITNESS.sign(message_at(note.text.encode(), time_s))
    log.add_signatures(
        Checkpoint.parse(note.text).size,
        Note(note.text, (*note.signatures, Signature(key.name, key.key_id, time_s.to_bytes(8, "big") + signed))),
    )
