"""The log of a tenant: gives events their index, extends the tree, signs checkpoints, and makes proofs.

Whoever asks for a checkpoint sequences first. A batch is one transaction, which reads the head and writes it: of two sequencers one
commits and the other, run again, finds the events gone and the head moved. So no lease decides who may (ADR 50), nothing is
written twice, and one that is killed has done a batch or has not.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial

from coditect.engine.port import Engine, Page, Transaction
from coditect.errors import Corrupt, InvalidProof, NotFound, UsageError
from coditect.keyspace import Keyspace, seal_compressed, unseal
from coditect.schemas import LogHead
from coditect.transparency.checkpoints import Checkpoint, sign_checkpoint
from coditect.transparency.events import open_pending
from coditect.transparency.memory import CheckpointMemory
from coditect.transparency.notes import Note, Signature, Signer, VerifierKey
from coditect.transparency.proofs import LogProof
from coditect.transparency.tiles import TILE_WIDTH as BATCH
from coditect.transparency.tiles import (
    ReadTile,
    Tile,
    bundle_of,
    bundle_path,
    bundles_of,
    extended_tiles,
    subtree_hashes,
    tile_path,
    tiles_asked,
    tiles_of,
)
from coditect.transparency.tree import (
    EMPTY_ROOT,
    HASH_BYTES,
    SubtreeHash,
    consistency_proof,
    inclusion_proof,
    leaf_hash,
    require_consistency,
    tree_root,
)

__all__ = ["TransparencyLog"]

_LOG = "events"


class TransparencyLog:
    """The log of a tenant.

    Args:
        engine: the store's.
        keys: of the tenant.
    """

    def __init__(self, engine: Engine, keys: Keyspace) -> None:
        self._engine = engine
        self._keys = keys

    def head(self) -> LogHead:
        """How long the log is; events that wait are not counted."""
        return self._engine.read(self._head)

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
        self._set(transaction, self._keys.key("log/heads", _LOG), LogHead(size=size, root=root.hex()).payload())

    def entries(self, first: int = 0, last: int | None = None) -> Iterator[tuple[int, bytes]]:
        """(index, entry) of entries, in order.

        Args:
            first: index of the first.
            last: index behind the last; None: to the end.
        """
        begin, end = self._keys.key("log/entries", first), self._keys.bounds("log/entries")[1]
        if last is not None:
            end = self._keys.key("log/entries", last)
        continuation: bytes | None = None
        while True:
            page = self._engine.read(partial(_page, begin, end, continuation))
            for key, value in page.rows:
                index = self._keys.parts("log/entries", key)[0]
                yield int(str(index)), unseal(self._keys.relative(key), value)[1]
            continuation = page.continuation
            if continuation is None:
                return

    def waiting(self) -> Iterator[bytes]:
        """Entries that have no index yet, in the order in which they will get one."""
        begin, end = self._keys.bounds("log/pending")
        continuation: bytes | None = None
        while True:
            page = self._engine.read(partial(_page, begin, end, continuation))
            yield from (open_pending(self._keys, value) for _, value in page.rows)
            continuation = page.continuation
            if continuation is None:
                return

    def waiting_count(self) -> int:
        """How many events wait for their index."""
        return sum(1 for _ in self.waiting())

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
            if before.size == head.size and _is_signed_by(signed, signer.key):
                return last
        note = sign_checkpoint(Checkpoint(signer.key.name, head.size, bytes.fromhex(head.root)), [signer])
        key = self._keys.key("log/checkpoints", head.size)
        self._engine.run(lambda transaction: self._set(transaction, key, note.encode()))
        return note

    def last_checkpoint(self) -> str | None:
        """The newest signed checkpoint, as it was signed; None where none was."""
        return self._engine.read(self._newest)

    def _newest(self, transaction: Transaction) -> str | None:
        rows = transaction.range(*self._keys.bounds("log/checkpoints"), limit=1, reverse=True).rows
        return unseal(self._keys.relative(rows[0][0]), rows[0][1])[1].decode() if rows else None

    def is_new_key(self, key: VerifierKey) -> bool:
        """Whether the newest checkpoint was not signed with this key, as before its first one."""
        last = self.last_checkpoint()
        return last is None or not _is_signed_by(Note.parse(last.encode()).signatures, key)

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

    def timestamps(self, size: int) -> list[bytes]:
        """The time stamps on the checkpoint at a size, in the order in which they came: RFC 3161 responses in DER."""
        begin, end = self._keys.bounds("log/timestamps", size)
        rows = self._engine.read(lambda transaction: transaction.range(begin, end, limit=BATCH).rows)
        return [unseal(self._keys.relative(key), value)[1] for key, value in rows]

    def add_timestamp(self, size: int, token: bytes) -> None:
        """Keep a time stamp on the checkpoint at a size, beside those that are there."""

        def body(transaction: Transaction) -> None:
            begin, end = self._keys.bounds("log/timestamps", size)
            rows = transaction.range(begin, end, limit=BATCH).rows
            held = [unseal(self._keys.relative(key), value)[1] for key, value in rows]
            if token not in held:  # also when this body runs again after it has committed
                self._set(transaction, self._keys.key("log/timestamps", size, len(held)), token)

        self._engine.run(body)

    def require_continues(self, before: Checkpoint, head: LogHead | None = None) -> None:
        """Check that the log is a continuation of a checkpoint, whoever kept it.

        Args:
            before: the checkpoint, whose signature was checked.
            head: of the log; None: as it is.

        Raises:
            InvalidProof: it is not: entries were changed, removed or cut off since.
        """
        head = head or self.head()
        if before.size > head.size:
            raise InvalidProof("the log is shorter than it was signed to be", signed=before.size, size=head.size)
        if before.size:  # of the empty log nothing follows
            proof = consistency_proof(before.size, head.size, self._subtree(head.size))
            require_consistency(before.size, head.size, proof, before.root, bytes.fromhex(head.root))

    # proofs

    def prove(self, index: int) -> str:
        """The proof that an entry is in the log, by the newest checkpoint that holds it: C2SP tlog-proof.

        Args:
            index: of the entry.

        Raises:
            NotFound: no signed checkpoint holds such an entry.
        """
        return self._engine.read(partial(self._prove, index))

    def _prove(self, index: int, transaction: Transaction) -> str:
        note = self._newest(transaction)
        size = 0 if note is None else Checkpoint.parse(Note.parse(note.encode()).text).size
        if note is None or not 0 <= index < size:
            raise NotFound(
                "no signed checkpoint of the log holds this entry",
                index=index,
                size=size,
                hint="Run 'coditect log checkpoint' with the log's key: a proof without a checkpoint's signature proves nothing.",
            )
        hashes = self._proven(size, partial(inclusion_proof, index, size), transaction)
        return str(LogProof(index, tuple(hashes), note))

    def _proven(self, size: int, prove: Callable[[SubtreeHash], list[bytes]], transaction: Transaction) -> list[bytes]:
        """A proof from tiles that are read at once: on a cluster each read is a round trip."""
        tiles = tiles_asked(size, prove)
        keys = [self._keys.key("log/tiles", tile.level, tile.number) for tile in tiles]
        data = {
            tile: self._opened(tile, key, value)
            for tile, key, value in zip(tiles, keys, transaction.get_many(keys), strict=True)
        }
        return prove(subtree_hashes(size, data.__getitem__))

    def consistency(self, first: int, second: int) -> list[bytes]:
        """The proof that the log at a size is the beginning of what it was at a later one. Raises as :func:`consistency_proof`."""
        if second > self.head().size:
            raise UsageError("the log is not that long", second=second, size=self.head().size)
        return self._engine.read(partial(self._proven, second, partial(consistency_proof, first, second)))

    # files

    def files(self) -> Iterator[tuple[str, bytes]]:
        """(path, bytes) of the static files that serve the log up to its newest checkpoint, which is the last: C2SP tlog-tiles.

        Raises:
            NotFound: nothing was signed yet.
        """
        note = self.last_checkpoint()
        if note is None:
            raise NotFound("the log has no signed checkpoint", hint="Run 'coditect log checkpoint' with the log's key.")
        size = Checkpoint.parse(Note.parse(note.encode()).text).size
        for tile in tiles_of(size):
            yield tile_path(tile), self.tile(tile)
        for number, width in bundles_of(size):
            first = number * BATCH
            yield bundle_path(number, width), bundle_of([entry for _, entry in self.entries(first, first + width)])
        yield "checkpoint", note.encode()

    # rows

    def _subtree(self, size: int) -> SubtreeHash:
        return subtree_hashes(size, self.tile)

    def tile(self, tile: Tile) -> bytes:
        """The stored hashes of a tile.

        Raises:
            Corrupt: it is not there, or shorter than it must be.
        """
        return self._engine.read(lambda transaction: self._reader(transaction)(tile))

    def _reader(self, transaction: Transaction) -> ReadTile:
        def read(tile: Tile) -> bytes:
            key = self._keys.key("log/tiles", tile.level, tile.number)
            return self._opened(tile, key, transaction.get(key))

        return read

    def _opened(self, tile: Tile, key: bytes, value: bytes | None) -> bytes:
        data = b"" if value is None else unseal(self._keys.relative(key), value)[1]
        if len(data) < tile.width * HASH_BYTES:
            raise Corrupt("a tile of the log is missing, or shorter than the log is long", tile=tile_path(tile))
        return data[: tile.width * HASH_BYTES]

    def _head(self, transaction: Transaction) -> LogHead:
        key = self._keys.key("log/heads", _LOG)
        value = transaction.get(key)
        if value is None:
            return LogHead(size=0, root=EMPTY_ROOT.hex())
        return LogHead.parse(unseal(self._keys.relative(key), value)[1])

    def _set(self, transaction: Transaction, key: bytes, data: bytes) -> None:
        transaction.set(key, seal_compressed(self._keys.relative(key), data))


def _is_signed_by(signatures: Sequence[Signature], key: VerifierKey) -> bool:
    return any((each.name, each.key_id) == (key.name, key.key_id) for each in signatures)


def _page(begin: bytes, end: bytes, continuation: bytes | None, transaction: Transaction) -> Page:
    return transaction.range(begin, end, limit=BATCH, continuation=continuation)
