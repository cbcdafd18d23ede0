"""The log: its entries and proofs, its witnesses and time stamps, and the audit trail that is read from it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from coditect.errors import NotFound
from coditect.knowledge.cases.base import KnowledgeBase

if TYPE_CHECKING:
    from coditect.knowledge.report.audit.trail import AuditFilters
    from coditect.schemas import (
        AuditEntry,
        LogHead,
    )

# What only some use cases need is imported where it is used: a question need not wait for what a build loads.

__all__ = ["ProvingCases"]


class ProvingCases(KnowledgeBase):
    """That nothing was changed behind anybody's back."""

    def audit(
        self, filters: AuditFilters | None = None, *, first: int = 0, last: int | None = None
    ) -> Iterator[AuditEntry]:
        """The audit trail: who did what, when, what was before and is after, and why; of the log, with the records that are there.

        Args:
            filters: which entries; None: all.
            first: index of the first; the index of an entry and one more asks for what is behind it.
            last: index behind the last; None: to the end.
        """
        from coditect.knowledge.report.audit.trail import audit_trail

        self.flush_reads()
        self._log().sequence()
        return audit_trail(self.store, filters, first, last)

    def log_head(self) -> LogHead:
        """How long the log is, without events that wait for their index."""
        return self._log().head()

    def log_entries(self, first: int = 0, last: int | None = None) -> Iterator[tuple[int, bytes]]:
        """(index, entry) of entries of the log, from the first to before the last; None: to its end."""
        return self._log().entries(first, last)

    def log_proof(self, index: int) -> str:
        """The proof that an entry is in the log, by the newest signed checkpoint: C2SP tlog-proof.

        Raises:
            NotFound: no signed checkpoint holds such an entry.
        """
        return self._log().prove(index)

    def log_consistency(self, first: int, second: int) -> list[bytes]:
        """The proof that the log of one size is the beginning of that of another, as hashes. RFC 9162, 2.1.4.

        Raises:
            UsageError: sizes between which nothing can be proved.
        """
        return self._log().consistency(first, second)

    def log_files(self) -> Iterator[tuple[str, bytes]]:
        """(path, bytes) of the files that serve the log, C2SP tlog-tiles; the checkpoint is the last.

        Raises:
            NotFound: nothing was signed yet.
        """
        return self._log().files()

    def log_file(self, path: str) -> bytes:
        """One of the static files of :meth:`log_files`, but for the checkpoint: a tile, or a bundle of entries.

        Args:
            path: "tile/0/x001/067", "tile/entries/000.p/5": any width that the newest checkpoint holds.

        Raises:
            NotFound: the newest signed checkpoint does not hold it, or nothing was signed yet.
        """
        return self._log().file(path)

    def log_witness(self, url: str, key: str, last_size: int = 0) -> str:
        """Have a witness cosign the newest checkpoint, and keep its cosignature with it: C2SP tlog-witness.

        Args:
            url: the witness' submission prefix.
            key: the witness' verifier key.
            last_size: of the last checkpoint that it cosigned, as far as is known; it says so where it is another.
        Returns:
            The checkpoint with all of its signatures.
        Raises:
            NotFound: nothing was signed yet.
            InvalidProof: the witness saw another history, or does not answer with its cosignature.
            UsageError: it does not know the log; or not a key or URL.
            Unreachable: it does not answer.
        """
        from coditect.transparency.checkpoints import Checkpoint
        from coditect.transparency.notes import VerifierKey
        from coditect.transparency.witness.client import cosigned

        log = self._log()
        note = cosigned(self._signed_checkpoint(), log.consistency, url, VerifierKey.parse(key), last_size=last_size)
        log.add_signatures(Checkpoint.parse(note.text).size, note)
        return self._signed_checkpoint()

    def log_timestamp(self, url: str, authority: bytes) -> str:
        """Have an authority stamp the newest checkpoint with the time, and keep that: RFC 3161.

        Args:
            url: of the authority.
            authority: its certificates in PEM: roots, and what stands between.
        Returns:
            The time, RFC 3339.
        Raises:
            NotFound: nothing was signed yet.
            InvalidProof: the answer is no time stamp on it.
            UsageError: the extra ``timestamp`` is not installed; or not a URL or certificates.
            Unreachable: it does not answer.
        """
        from coditect.transparency.checkpoints import Checkpoint
        from coditect.transparency.notes import Note
        from coditect.transparency.timestamps import request_timestamp

        text = Note.parse(self._signed_checkpoint().encode()).text
        token, time = request_timestamp(text.encode(), url, authority)
        self._log().add_timestamp(Checkpoint.parse(text).size, token)
        return time.isoformat()

    def _signed_checkpoint(self) -> str:
        """The newest checkpoint, of what the log is now where a key is configured."""
        note = self.checkpoint() or self._log().last_checkpoint()
        if note is None:
            raise NotFound("the log has no signed checkpoint", hint="Run 'coditect log checkpoint' with the log's key.")
        return note
