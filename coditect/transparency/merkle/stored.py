"""The tiles of a log as rows of the store, and proofs that are made of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from threading import Lock

from coditect.engine.port import Transaction
from coditect.errors import Corrupt
from coditect.keyspace import Keyspace, unseal
from coditect.transparency.merkle.tiles import TILE_WIDTH, OpenedTile, Tile, subtree_hashes, tile_path, tiles_asked
from coditect.transparency.merkle.tree import HASH_BYTES, SubtreeHash

__all__ = ["Prove", "StoredTiles"]

Prove = Callable[[SubtreeHash], list[bytes]]
"""Makes a proof from the hashes of subtrees."""


KEPT = 128
"""Tiles that are kept between proofs, some 50 kB each: those above the leaves, which hold the way up from 8 million entries, and
the last one of leaves."""


class StoredTiles:
    """The tiles of a tenant's log. Safe for threads.

    Proofs share most of their way up. Those tiles are kept, and so are the hashes that were made of them: a tile of a certain width
    never changes. (Where somebody changes it nevertheless, a proof that was made of it before and one that is made of it now
    cannot both verify against the checkpoint, which is what finds him.)

    Args:
        keys: of the tenant.
    """

    def __init__(self, keys: Keyspace) -> None:
        self._keys = keys
        self._kept: dict[Tile, OpenedTile] = {}
        self._lock = Lock()

    def read(self, tile: Tile, transaction: Transaction) -> bytes:
        """The hashes of a tile.

        Raises:
            Corrupt: it is not there, or shorter than it must be.
        """
        key = self._key(tile)
        return self._opened(tile, key, transaction.get(key))

    def proven(
        self, size: int, proofs: Sequence[Prove], transaction: Transaction, beside: Sequence[bytes] = ()
    ) -> tuple[list[list[bytes]], list[bytes | None]]:
        """(proofs, values of the keys beside), all of whose rows are read at once: on a cluster each read is a round trip.

        Args:
            size: leaves of the tree.
            proofs: make them.
            transaction: reads.
            beside: other keys.

        Raises:
            Corrupt: a tile is not there, or shorter than it must be.
        """
        tiles = dict.fromkeys(tile for prove in proofs for tile in tiles_asked(size, prove))
        with self._lock:
            opened = {tile: self._kept[tile] for tile in tiles if tile in self._kept}
        read = [tile for tile in tiles if tile not in opened]
        keys = [self._key(tile) for tile in read]
        values = transaction.get_many([*beside, *keys])
        found = values[len(beside) :]
        data = {tile: self._opened(tile, key, value) for tile, key, value in zip(read, keys, found, strict=True)}
        subtree = subtree_hashes(size, data.__getitem__, opened)
        made = [prove(subtree) for prove in proofs]
        self._keep({tile: opened[tile] for tile in read if tile.level or tile.width < TILE_WIDTH})
        return made, values[: len(beside)]

    def _keep(self, tiles: dict[Tile, OpenedTile]) -> None:
        with self._lock:
            self._kept.update(tiles)
            for oldest in list(self._kept)[: max(0, len(self._kept) - KEPT)]:
                del self._kept[oldest]

    def _key(self, tile: Tile) -> bytes:
        return self._keys.key("log/tiles", tile.level, tile.number)

    def _opened(self, tile: Tile, key: bytes, value: bytes | None) -> bytes:
        data = b"" if value is None else unseal(self._keys.relative(key), value)[1]
        if len(data) < tile.width * HASH_BYTES:
            raise Corrupt("a tile of the log is missing, or shorter than the log is long", tile=tile_path(tile))
        return data[: tile.width * HASH_BYTES]
