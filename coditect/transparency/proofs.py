"""Proofs that an entry is in a log, as text that is verified offline. C2SP ``tlog-proof``."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from coditect.errors import InvalidProof
from coditect.transparency.checkpoints import OpenedCheckpoint, open_checkpoint
from coditect.transparency.merkle.tree import HASH_BYTES, leaf_hash, require_inclusion
from coditect.transparency.notes import VerifierKey, base64_of, read_base64

__all__ = ["LogProof", "verify_log_proof"]

_FIRST_LINE = "c2sp.org/tlog-proof@v1"
_INDEX = re.compile(r"index (0|[1-9][0-9]{0,18})", re.ASCII)
_MOST_HASHES = 64


@dataclass(frozen=True, slots=True)
class LogProof:
    """A proof as it is sent; nothing of it is verified by being parsed.

    Attributes:
        index: of the entry.
        hashes: from the leaf's sibling up.
        checkpoint: the signed note, verbatim.
        extra: bytes that help to find the entry and that nothing authenticates; None for none.
    """

    index: int
    hashes: tuple[bytes, ...]
    checkpoint: str
    extra: bytes | None = None

    def __str__(self) -> str:
        """The proof as text."""
        extra = [] if self.extra is None else [f"extra {base64_of(self.extra)}"]
        lines = [_FIRST_LINE, *extra, f"index {self.index}", *map(base64_of, self.hashes), ""]
        return "".join(line + "\n" for line in lines) + self.checkpoint

    @classmethod
    def parse(cls, text: str) -> LogProof:
        """The proof in a text.

        Raises:
            InvalidProof: it is none.
        """
        head, blank, checkpoint = text.partition("\n\n")
        first, *lines = head.split("\n")
        if first != _FIRST_LINE or not blank:
            raise InvalidProof("not a proof of a log", first_line=first[:100])
        extra = (
            read_base64(lines.pop(0).removeprefix("extra "), "extra")
            if lines[:1] and lines[0][:6] == "extra "
            else None
        )
        index = _INDEX.fullmatch(lines.pop(0)) if lines else None
        if index is None or len(lines) > _MOST_HASHES:
            raise InvalidProof("a proof of a log does not say of which entry")
        hashes = tuple(read_base64(line, "hash") for line in lines)
        if any(len(each) != HASH_BYTES for each in hashes):
            raise InvalidProof("a hash of a proof does not have 32 bytes")
        return cls(int(index[1]), hashes, checkpoint, extra)


def verify_log_proof(
    text: str, entry: bytes, log_keys: Sequence[VerifierKey], witnesses: Sequence[VerifierKey] = ()
) -> OpenedCheckpoint:
    """Verify that an entry is in a log.

    Args:
        text: the proof.
        entry: the bytes of the entry, which whoever verifies has or can make.
        log_keys: the keys of the log; the name of each is the origin that it signs for.
        witnesses: keys of known witnesses.
    Returns:
        The checkpoint that commits to the entry, with who signed it.

    Raises:
        InvalidProof: it does not prove that; also where no key of the log signed its checkpoint.
    """
    proof = LogProof.parse(text)
    opened = open_checkpoint(proof.checkpoint.encode(), log_keys, witnesses)
    checkpoint = opened.checkpoint
    require_inclusion(leaf_hash(entry), proof.index, checkpoint.size, proof.hashes, checkpoint.root)
    return opened
