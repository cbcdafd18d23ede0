"""The tiles of a log against its entries: whoever asks for a proof gets what the tiles say."""

from __future__ import annotations

from collections.abc import Callable

from coditect.errors import Corrupt
from coditect.transparency.merkle.tiles import TILE_WIDTH, ReadTile, Tile, extended_tiles, tile_path
from coditect.transparency.merkle.tree import HASH_BYTES

__all__ = ["TileCheck"]


class TileCheck:
    """Computes tiles from the hashes of entries as these are read, and compares each with the stored one.

    Held are the partial tiles, one of each level, and the hashes of less than a tile.

    Args:
        stored: reads a stored tile.
        say: told (name of the tile, what is wrong with it).
    """

    def __init__(self, stored: ReadTile, say: Callable[[str, str], None]) -> None:
        self._stored = stored
        self._say = say
        self._size = 0
        self._leaves: list[bytes] = []
        self._partial: dict[tuple[int, int], tuple[Tile, bytes]] = {}

    def add(self, leaf: bytes) -> None:
        """Take in the hash of the next entry."""
        self._leaves.append(leaf)
        if len(self._leaves) == TILE_WIDTH:
            self._extend()

    def end(self) -> None:
        """Compare what is not full."""
        self._extend()
        for tile, data in self._partial.values():
            self._compare(tile, data)

    def _extend(self) -> None:
        for tile, data in extended_tiles(self._size, self._leaves, self._read).items():
            self._partial.pop((tile.level, tile.number), None)
            if tile.width == TILE_WIDTH:
                self._compare(tile, data)
            else:
                self._partial[tile.level, tile.number] = tile, data
        self._size += len(self._leaves)
        self._leaves = []

    def _read(self, tile: Tile) -> bytes:
        return self._partial[tile.level, tile.number][1][: tile.width * HASH_BYTES]

    def _compare(self, tile: Tile, data: bytes) -> None:
        name = f"log/{tile_path(tile)}"
        try:
            if self._stored(tile) != data:
                self._say(name, "its hashes are not those of the entries: no proof that is made of it holds")
        except Corrupt as error:
            self._say(name, str(error))
