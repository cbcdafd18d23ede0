"""Checkpoints: what a log commits to at a size, as a note that its key signs. C2SP ``tlog-checkpoint``."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from coditect.errors import InvalidProof
from coditect.transparency.cosignatures import COSIGNATURE
from coditect.transparency.merkle.tree import HASH_BYTES
from coditect.transparency.notes import Note, Signer, VerifierKey, base64_of, open_note, read_base64

__all__ = ["Checkpoint", "OpenedCheckpoint", "open_checkpoint", "sign_checkpoint"]

_SIZE = re.compile(r"0|[1-9][0-9]{0,18}", re.ASCII)
_FIXED_LINES = 3


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """The head of a log.

    Attributes:
        origin: which log.
        size: its entries.
        root: of the tree over them, 32 bytes.
        extensions: lines that others may have added; ours have none, since no monitor could check them.
    """

    origin: str
    size: int
    root: bytes
    extensions: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """The note's text."""
        lines = (self.origin, str(self.size), base64_of(self.root), *self.extensions)
        return "".join(line + "\n" for line in lines)

    @classmethod
    def parse(cls, text: str) -> Checkpoint:
        """The checkpoint in a note's text.

        Raises:
            InvalidProof: it is none.
        """
        lines = text.split("\n")
        if len(lines) <= _FIXED_LINES or lines.pop() or not all(lines) or not _SIZE.fullmatch(lines[1]):
            raise InvalidProof("not a checkpoint", text=text[:200])
        root = read_base64(lines[2], "root")
        if len(root) != HASH_BYTES:
            raise InvalidProof("the root of a checkpoint does not have 32 bytes", origin=lines[0])
        return cls(lines[0], int(lines[1]), root, tuple(lines[_FIXED_LINES:]))


@dataclass(frozen=True, slots=True)
class OpenedCheckpoint:
    """A checkpoint whose signatures were verified.

    Attributes:
        checkpoint: what was signed.
        note: the signed note that it came in.
        log_keys: the log's keys that signed it, at least one.
        witnesses: the keys of known witnesses that cosigned it.
    """

    checkpoint: Checkpoint
    note: Note
    log_keys: tuple[VerifierKey, ...]
    witnesses: tuple[VerifierKey, ...]


def sign_checkpoint(checkpoint: Checkpoint, signers: Sequence[Signer]) -> str:
    """A checkpoint as a signed note."""
    return str(Note(checkpoint.text).signed_by(signers))


def open_checkpoint(
    raw: bytes, log_keys: Sequence[VerifierKey], witnesses: Sequence[VerifierKey] = (), origin: str | None = None
) -> OpenedCheckpoint:
    """A signed checkpoint, verified.

    Args:
        raw: the signed note.
        log_keys: of the log; one of them must have signed.
        witnesses: keys for cosignatures that are trusted; how many are enough is for the caller to say.
        origin: of the log; None: the name of the key that signed.

    Raises:
        InvalidProof: no key of the log signed it, a known signature does not verify, or it is of another log.
    """
    note, signed = open_note(raw, [*log_keys, *witnesses])
    own = tuple(key for key in signed if key in log_keys and key.algorithm != COSIGNATURE)
    if not own:
        raise InvalidProof(
            "the log did not sign its checkpoint", hint="A proof without a checkpoint's signature proves nothing."
        )
    checkpoint = Checkpoint.parse(note.text)
    if checkpoint.origin != (own[0].name if origin is None else origin):
        raise InvalidProof("a checkpoint is of another log", origin=checkpoint.origin)
    return OpenedCheckpoint(checkpoint, note, own, tuple(key for key in signed if key.algorithm == COSIGNATURE))
