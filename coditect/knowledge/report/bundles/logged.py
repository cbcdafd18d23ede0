"""Which entries of the log tell of what a bundle holds, and their proofs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import orjson

from coditect.errors import NotFound
from coditect.schemas import tag_of
from coditect.transparency.checkpoints import Checkpoint
from coditect.transparency.notes import Note, base64_of
from coditect.transparency.sequencer import TransparencyLog

__all__ = ["LoggedEntry", "SignedLog"]


@dataclass(frozen=True, slots=True)
class LoggedEntry:
    """An entry of the log.

    Attributes:
        index: where it stands.
        data: its bytes.
        body: what they say.
    """

    index: int
    data: bytes
    body: dict[str, Any]


class SignedLog:
    """The log as its newest checkpoint signs it.

    Args:
        log: of the tenant.

    Attributes:
        note: the checkpoint, verbatim.
        checkpoint: what it says.

    Raises:
        NotFound: nothing was signed yet.
    """

    def __init__(self, log: TransparencyLog) -> None:
        note = log.last_checkpoint()
        if note is None:
            raise NotFound(
                "the log has no signed checkpoint",
                hint="Make a key with 'coditect keys new', name it in CODITECT_LOG_KEY, and run 'coditect log checkpoint': "
                "a proof without a checkpoint's signature proves nothing.",
            )
        self._log = log
        self.note = note
        self.checkpoint = Checkpoint.parse(Note.parse(note.encode()).text)

    def entries_of(self, corpus_id: str, subjects: Iterable[str]) -> dict[str, list[LoggedEntry]]:
        """The entries that tell of some subjects, in order, by subject.

        Args:
            corpus_id: of which corpus; the same bytes may be in several.
            subjects: ids of versions, builds, reviews and signatures.
        """
        wanted, corpus = set(subjects), tag_of(corpus_id)
        found: dict[str, list[LoggedEntry]] = {each: [] for each in wanted}
        for index, data in self._log.entries(0, self.checkpoint.size):
            body = orjson.loads(data)
            if body.get("subject") in wanted and body.get("corpus") == corpus:
                found[body["subject"]].append(LoggedEntry(index, data, body))
        return found

    def proof(self, index: int) -> str:
        """The proof of an entry by the checkpoint: C2SP tlog-proof."""
        return self.proofs([index])[0]

    def proofs(self, indexes: Sequence[int]) -> list[str]:
        """The proofs of entries by the checkpoint, whatever is signed meanwhile."""
        return self._log.proofs(indexes, self.note)

    def timestamps(self) -> list[bytes]:
        """Time stamps on the checkpoint, RFC 3161."""
        return self._log.timestamps(self.checkpoint.size)

    def consistency(self, kept: Checkpoint) -> str:
        """The proof that the log continues a checkpoint that somebody kept, a hash in base64 on each line.

        Raises:
            InvalidProof: it does not.
        """
        self._log.require_continues(kept)
        proof = self._log.consistency(kept.size, self.checkpoint.size)
        return "".join(base64_of(each) + "\n" for each in proof)
