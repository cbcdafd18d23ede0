"""What a witness decides of a checkpoint, without I/O: cosign it, or say which rule of C2SP ``tlog-witness`` it breaks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Protocol

from coditect.errors import InvalidProof
from coditect.transparency.checkpoints import Checkpoint, open_checkpoint
from coditect.transparency.cosignatures import COSIGNATURE, message_at
from coditect.transparency.merkle.tree import require_consistency
from coditect.transparency.notes import Note, Signature, SigningKey, VerifierKey
from coditect.transparency.witness.submission import SIZE_TYPE, Submission

__all__ = ["LastSeen", "Witness", "WitnessAnswer", "witness_key"]


@dataclass(frozen=True, slots=True)
class WitnessAnswer:
    """What a witness answers.

    Attributes:
        status: of HTTP.
        body: text, with its last line end.
        content_type: of the body.
    """

    status: int
    body: str
    content_type: str = "text/plain; charset=utf-8"


class LastSeen(Protocol):
    """The newest checkpoint of each log that a witness cosigned, kept over restarts."""

    def held(self, origin: str) -> AbstractContextManager[Checkpoint | None]:
        """The newest checkpoint of a log, which nobody else reads or writes for as long as the block lasts."""
        ...

    def keep(self, checkpoint: Checkpoint) -> None:
        """Make a checkpoint the newest of its log; on disk when this returns."""
        ...


def witness_key(key: SigningKey) -> VerifierKey:
    """The public part of a key as a witness signs with it: of the same bytes, with the type of cosignatures."""
    return VerifierKey(key.name, COSIGNATURE, key.key.public)


class Witness:
    """Cosigns checkpoints of the logs that it knows, each only if it continues the last one that it cosigned.

    Args:
        key: the witness' own.
        logs: keys of each log that it knows, by origin.
        seen: what it remembers.
    """

    def __init__(self, key: SigningKey, logs: Mapping[str, Sequence[VerifierKey]], seen: LastSeen) -> None:
        self._key = key
        self._logs = logs
        self._seen = seen

    def add_checkpoint(self, body: bytes, time_s: int) -> WitnessAnswer:
        """Decide of a submission.

        Args:
            body: of the request.
            time_s: now, seconds since 1970.
        """
        try:
            submission = Submission.parse(body)
            checkpoint = Checkpoint.parse(Note.parse(submission.note.encode()).text)
        except InvalidProof as error:
            return WitnessAnswer(400, f"{error.message}\n")
        keys = self._logs.get(checkpoint.origin)
        if keys is None:
            return WitnessAnswer(404, "this witness does not know the log\n")
        try:
            open_checkpoint(submission.note.encode(), keys, origin=checkpoint.origin)
        except InvalidProof as error:
            return WitnessAnswer(403, f"{error.message}\n")
        if submission.old_size > checkpoint.size:
            return WitnessAnswer(400, "the old size is larger than that of the checkpoint\n")
        # Compared and kept in one: of two requests at once, the later would else take back what the first added.
        with self._seen.held(checkpoint.origin) as last:
            refusal = _refusal(submission, checkpoint, last)
            if refusal is not None:
                return refusal
            self._seen.keep(checkpoint)
        return WitnessAnswer(200, self._cosignature(checkpoint, time_s).line + "\n")

    def _cosignature(self, checkpoint: Checkpoint, time_s: int) -> Signature:
        signed = self._key.sign(message_at(checkpoint.text.encode(), time_s))
        key = witness_key(self._key)
        return Signature(key.name, key.key_id, time_s.to_bytes(8, "big") + signed)


def _refusal(submission: Submission, checkpoint: Checkpoint, last: Checkpoint | None) -> WitnessAnswer | None:
    """Why a checkpoint does not continue the last one; None where it does."""
    size = 0 if last is None else last.size
    other = last is not None and last.size == checkpoint.size and last.root != checkpoint.root
    if submission.old_size != size or other:
        return WitnessAnswer(409, f"{size}\n", SIZE_TYPE)
    try:
        if last is None or size == 0:
            if submission.proof:
                raise InvalidProof("a proof from the empty log has no hashes")
        else:
            require_consistency(size, checkpoint.size, submission.proof, last.root, checkpoint.root)
    except InvalidProof as error:
        return WitnessAnswer(422, f"{error.message}\n")
    return None
