"""What is sent to a witness: the size that it saw last, the proof that this checkpoint continues that, and the checkpoint."""

from __future__ import annotations

import re
from dataclasses import dataclass

from coditect.errors import InvalidProof
from coditect.transparency.notes import base64_of, read_base64

__all__ = ["MOST_BYTES", "SIZE_TYPE", "Submission"]

SIZE_TYPE = "text/x.tlog.size"
"""The content type of the size that a witness answers a conflict with."""

MOST_BYTES = 64_000
"""Longer requests and answers are refused, so that they cost who reads them little."""

_OLD = re.compile(r"old (0|[1-9][0-9]{0,18})", re.ASCII)
_MOST_HASHES = 63


@dataclass(frozen=True, slots=True)
class Submission:
    """The body of ``add-checkpoint``.

    Attributes:
        old_size: of the checkpoint before, 0 where the witness saw none.
        proof: consistency proof from there, empty from 0.
        note: the signed checkpoint.
    """

    old_size: int
    proof: tuple[bytes, ...]
    note: str

    def __str__(self) -> str:
        """The body as it is sent."""
        lines = (f"old {self.old_size}", *map(base64_of, self.proof), "")
        return "".join(line + "\n" for line in lines) + self.note

    @classmethod
    def parse(cls, body: bytes) -> Submission:
        """The submission in a request's body.

        Raises:
            InvalidProof: it is none.
        """
        try:
            head, blank, note = body.decode().partition("\n\n")
        except UnicodeDecodeError as error:
            raise InvalidProof("a submission is not UTF-8") from error
        first, *lines = head.split("\n")
        old = _OLD.fullmatch(first)
        if old is None or not blank or len(lines) > _MOST_HASHES:
            raise InvalidProof("not a submission of a checkpoint", first_line=first[:100])
        return cls(int(old[1]), tuple(read_base64(line, "hash") for line in lines), note)
