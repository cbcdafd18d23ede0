"""A tenant's log as it is read: its head, entries and checkpoints, and the proofs that are made of its tiles."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

from coditect.engine.port import Engine, Page, Transaction
from coditect.errors import InvalidProof, NotFound, UsageError
from coditect.keyspace import Keyspace, unseal
from coditect.schemas import LogHead
from coditect.transparency.checkpoints import Checkpoint
from coditect.transparency.events import open_pending
from coditect.transparency.merkle.stored import StoredTiles
from coditect.transparency.merkle.tiles import (
    ENTRIES,
    TILE_HEIGHT,
    ReadTile,
    Tile,
    bundle_of,
    bundle_path,
    bundles_of,
    subtree_hashes,
    tile_at,
    tile_path,
    tiles_of,
)
from coditect.transparency.merkle.tiles import TILE_WIDTH as BATCH
from coditect.transparency.merkle.tree import (
    EMPTY_ROOT,
    SubtreeHash,
    consistency_proof,
    inclusion_proof,
    require_consistency,
)
from coditect.transparency.notes import Note, Signature, VerifierKey
from coditect.transparency.proofs import LogProof

__all__ = ["LOG", "LogReader", "is_signed_by"]

LOG = "events"
"""The name under which the head of a tenant's log stands."""


class LogReader:
    """The log of a tenant, to be read.

    Args:
        engine: the store's.
        keys: of the tenant.
    """

    def __init__(self, engine: Engine, keys: Keyspace) -> None:
        self._engine = engine
        self._keys = keys
        self._tiles = StoredTiles(keys)
        self._signed_size = 0
        """Of the newest checkpoint when a proof was last made."""

    def head(self) -> LogHead:
        """How long the log is; events that wait are not counted."""
        return self._engine.read(self._head)

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

    def last_checkpoint(self) -> str | None:
        """The newest signed checkpoint, as it was signed; None where none was."""
        return self._engine.read(self._newest)

    def _newest(self, transaction: Transaction) -> str | None:
        rows = transaction.range(*self._keys.bounds("log/checkpoints"), limit=1, reverse=True).rows
        return unseal(self._keys.relative(rows[0][0]), rows[0][1])[1].decode() if rows else None

    def is_new_key(self, key: VerifierKey) -> bool:
        """Whether the newest checkpoint was not signed with this key, as before its first one."""
        last = self.last_checkpoint()
        return last is None or not is_signed_by(Note.parse(last.encode()).signatures, key)

    def timestamps(self, size: int) -> list[bytes]:
        """The time stamps on the checkpoint at a size, in the order in which they came: RFC 3161 responses in DER."""
        begin, end = self._keys.bounds("log/timestamps", size)
        rows = self._engine.read(lambda transaction: transaction.range(begin, end, limit=BATCH).rows)
        return [unseal(self._keys.relative(key), value)[1] for key, value in rows]

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
        """The proof that an entry is in the log, by the newest checkpoint: C2SP tlog-proof. Raises as :meth:`proofs`."""
        return self.proofs([index])[0]

    def proofs(self, indexes: Sequence[int], checkpoint: str | None = None) -> list[str]:
        """The proofs of entries by one checkpoint, from tiles that are read at once: on a cluster each read is a round trip.

        Args:
            indexes: of the entries.
            checkpoint: the signed note; None: the newest.

        Raises:
            NotFound: the checkpoint does not hold such an entry, or nothing was signed.
        """
        return self._engine.read(partial(self._proofs, indexes, checkpoint))

    def _proofs(self, indexes: Sequence[int], checkpoint: str | None, transaction: Transaction) -> list[str]:
        if checkpoint is None and indexes and min(indexes) >= 0 and max(indexes) < self._signed_size:
            made = self._proofs_as_before(indexes, transaction)
            if made is not None:
                return made
        note = self._newest(transaction) if checkpoint is None else checkpoint
        size = 0 if note is None else Checkpoint.parse(Note.parse(note.encode()).text).size
        for index in indexes:
            if note is None or not 0 <= index < size:
                raise NotFound(
                    "no signed checkpoint of the log holds this entry",
                    index=index,
                    size=size,
                    hint="Run 'coditect log checkpoint' with the log's key: a proof without a checkpoint's signature "
                    "proves nothing.",
                )
        if checkpoint is None:
            self._signed_size = size
        proofs = [partial(inclusion_proof, index, size) for index in indexes]
        return _told(indexes, self._tiles.proven(size, proofs, transaction)[0], note or "")

    def _proofs_as_before(self, indexes: Sequence[int], transaction: Transaction) -> list[str] | None:
        """The proofs if the newest checkpoint is of the size that it had when last looked at; None where the log has grown.

        Whether it has is read with the tiles: on a cluster that is one round trip instead of two.
        """
        size = self._signed_size
        beside = [self._keys.key("log/heads", LOG), self._keys.key("log/checkpoints", size)]
        proofs = [partial(inclusion_proof, index, size) for index in indexes]
        made, (head, note) = self._tiles.proven(size, proofs, transaction, beside)
        if head is None or note is None or LogHead.parse(unseal(self._keys.relative(beside[0]), head)[1]).size != size:
            return None
        return _told(indexes, made, unseal(self._keys.relative(beside[1]), note)[1].decode())

    def consistency(self, first: int, second: int) -> list[bytes]:
        """The proof that the log at a size is the beginning of what it was at a later one. Raises as :func:`consistency_proof`."""
        if second > self.head().size:
            raise UsageError("the log is not that long", second=second, size=self.head().size)
        proofs = [partial(consistency_proof, first, second)]
        return self._engine.read(lambda transaction: self._tiles.proven(second, proofs, transaction))[0][0]

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

    def file(self, path: str) -> bytes:
        """A tile or a bundle of entries as :meth:`files` has it, of any width up to that of the newest checkpoint.

        Raises:
            NotFound: the newest checkpoint does not hold it, or nothing was signed yet.
        """
        note, tile = self.last_checkpoint(), tile_at(path)
        size = 0 if note is None else Checkpoint.parse(Note.parse(note.encode()).text).size
        if tile is None or tile.number * BATCH + tile.width > size >> (TILE_HEIGHT * max(0, tile.level)):
            raise NotFound("the signed log has no such tile", tile=path, size=size)
        if tile.level != ENTRIES:
            return self.tile(tile)
        first = tile.number * BATCH
        return bundle_of([entry for _, entry in self.entries(first, first + tile.width)])

    # rows

    def _subtree(self, size: int) -> SubtreeHash:
        return subtree_hashes(size, self.tile)

    def tile(self, tile: Tile) -> bytes:
        """The stored hashes of a tile. Raises as :meth:`StoredTiles.read`."""
        return self._engine.read(lambda transaction: self._tiles.read(tile, transaction))

    def _reader(self, transaction: Transaction) -> ReadTile:
        return lambda tile: self._tiles.read(tile, transaction)

    def _head(self, transaction: Transaction) -> LogHead:
        key = self._keys.key("log/heads", LOG)
        value = transaction.get(key)
        if value is None:
            return LogHead(size=0, root=EMPTY_ROOT.hex())
        return LogHead.parse(unseal(self._keys.relative(key), value)[1])


def _told(indexes: Sequence[int], proofs: Sequence[Sequence[bytes]], note: str) -> list[str]:
    return [str(LogProof(index, tuple(each), note)) for index, each in zip(indexes, proofs, strict=True)]


def is_signed_by(signatures: Sequence[Signature], key: VerifierKey) -> bool:
    """Whether a key is among those that signed; its signature is not checked here."""
    return any((each.name, each.key_id) == (key.name, key.key_id) for each in signatures)


def _page(begin: bytes, end: bytes, continuation: bytes | None, transaction: Transaction) -> Page:
    return transaction.range(begin, end, limit=BATCH, continuation=continuation)
