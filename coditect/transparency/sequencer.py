"""The log of a tenant: gives events their index, extends the tree, and signs checkpoints.

Whoever asks for a checkpoint sequences first. A batch is one transaction, which reads the head and writes it: of two sequencers one
commits and the other, run again, finds the events gone and the head moved. So no lease decides who may (ADR 50), nothing is
written twice, and one that is killed has done a batch or has not.
"""

from __future__ import annotations

from functools import partial

from coditect.engine.port import Transaction
from coditect.errors import InvalidProof, UsageError
from coditect.keyspace import seal_compressed, unseal
from coditect.schemas import LogHead
from coditect.transparency.checkpoints import Checkpoint, sign_checkpoint
from coditect.transparency.custody.memory import CheckpointMemory
from coditect.transparency.events import open_pending
from coditect.transparency.log import LOG, LogReader, is_signed_by
from coditect.transparency.merkle.tiles import TILE_WIDTH as BATCH
from coditect.transparency.merkle.tiles import extended_tiles, subtree_hashes
from coditect.transparency.merkle.tree import leaf_hash, tree_root
from coditect.transparency.notes import Note, Signer, VerifierKey

__all__ = ["TransparencyLog"]


class TransparencyLog(LogReader):
    """The log of a tenant.

    Args:
        engine: the store's.
        keys: of the tenant.
    """

    def sequence(self) -> LogHead:
        """Give every event that waits its index, in commit order, and extend the tree.

        Returns:
            The head then.

        Raises:
            Corrupt: a stored event, tile or head was changed.
        """
        begin, end = self._keys.bounds("log/pending")
        while True:
            last = self._engine.read(lambda t: t.range(begin, end, limit=1, reverse=True).rows)
            if not last:
                return self.head()
            # Up to what is there now: whoever appends behind it meanwhile is no conflict.
            until = last[0][0] + b"\x00"
            self._engine.run(partial(self._take, begin, until))

    def _take(self, begin: bytes, end: bytes, transaction: Transaction) -> None:
        rows = transaction.range(begin, end, limit=BATCH).rows
        if not rows:
            return
        head = self._head(transaction)
        entries = [open_pending(self._keys, value) for _, value in rows]
        changed = extended_tiles(head.size, [leaf_hash(each) for each in entries], self._reader(transaction))
        for key, _ in rows:
            transaction.clear(key)
        for index, entry in enumerate(entries, head.size):
            self._set(transaction, self._keys.key("log/entries", index), entry)
        for tile, data in changed.items():
            self._set(transaction, self._keys.key("log/tiles", tile.level, tile.number), data)
        size = head.size + len(entries)
        root = tree_root(size, subtree_hashes(size, self._reader(transaction)))
        self._set(transaction, self._keys.key("log/heads", LOG), LogHead(size=size, root=root.hex()).payload())

    # checkpoints

    def checkpoint(self, signer: Signer, memory: CheckpointMemory | None = None) -> str:
        """Sequence what waits, and sign what the log is now; nothing new gives the last checkpoint again.

        Args:
            signer: the log's key; its name is the log's origin.
            memory: beside the key, outside of the store: what it signed last.
        Returns:
            The signed note.

        Raises:
            InvalidProof: the log does not continue what was signed before, or what the key remembers, so that nothing is signed.
            UsageError: the checkpoints before are of another origin.
        """
        head = self.sequence()
        if memory is not None:
            self._require_remembered(signer.key, memory, head)
        note = self._signed(signer, head)
        if memory is not None:
            memory.keep(note, signer.key)
        return note

    def _require_remembered(self, key: VerifierKey, memory: CheckpointMemory, head: LogHead) -> None:
        remembered = memory.last(key)
        try:
            if remembered is not None:
                self.require_continues(remembered, head)
        except InvalidProof as error:
            raise InvalidProof(
                "this key has signed another log, or a longer one, than the store holds: nothing is signed",
                reason=error.message,
                signed=0 if remembered is None else remembered.size,
                size=head.size,
                file=memory.place,
                hint="An older copy of the store was put back, its log was rewritten, or this is another tenant or store, "
                "which needs a key of its own. Put the newest copy back. Only if what is newer is lost for good: move the file "
                "away, keep it for your auditors, and sign again; whoever kept the old checkpoint sees that the log began anew.",
            ) from error

    def _signed(self, signer: Signer, head: LogHead) -> str:
        last = self.last_checkpoint()
        if last is not None:
            before = Checkpoint.parse(Note.parse(last.encode()).text)
            if before.origin != signer.key.name:
                raise UsageError(
                    "the log has another origin than this key signs for", origin=before.origin, key=signer.key.name
                )
            self.require_continues(before, head)
            signed = Note.parse(last.encode()).signatures
            if before.size == head.size and is_signed_by(signed, signer.key):
                return last
        note = sign_checkpoint(Checkpoint(signer.key.name, head.size, bytes.fromhex(head.root)), [signer])
        key = self._keys.key("log/checkpoints", head.size)
        self._engine.run(lambda transaction: self._set(transaction, key, note.encode()))
        return note

    def add_signatures(self, size: int, note: Note) -> None:
        """Keep a checkpoint with more signatures than it had: those of witnesses. Signatures that came meanwhile stay.

        Args:
            size: of the log at the checkpoint.
            note: the checkpoint; its signatures were verified.

        Raises:
            InvalidProof: another text was signed at that size.
        """
        key = self._keys.key("log/checkpoints", size)

        def body(transaction: Transaction) -> None:
            value = transaction.get(key)
            held = note if value is None else Note.parse(unseal(self._keys.relative(key), value)[1])
            if held.text != note.text:
                raise InvalidProof("another checkpoint was signed at this size", size=size)
            signatures = tuple(dict.fromkeys((*held.signatures, *note.signatures)))
            self._set(transaction, key, str(Note(note.text, signatures)).encode())

        self._engine.run(body)

    def add_timestamp(self, size: int, token: bytes) -> None:
        """Keep a time stamp on the checkpoint at a size, beside those that are there."""

        def body(transaction: Transaction) -> None:
            begin, end = self._keys.bounds("log/timestamps", size)
            rows = transaction.range(begin, end, limit=BATCH).rows
            held = [unseal(self._keys.relative(key), value)[1] for key, value in rows]
            if token not in held:  # also when this body runs again after it has committed
                self._set(transaction, self._keys.key("log/timestamps", size, len(held)), token)

        self._engine.run(body)

    def _set(self, transaction: Transaction, key: bytes, data: bytes) -> None:
        transaction.set(key, seal_compressed(self._keys.relative(key), data))
