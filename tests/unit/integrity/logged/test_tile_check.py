"""The tiles of a log against its entries, tile by tile."""

from __future__ import annotations

import pytest

from coditect.errors import Corrupt
from coditect.integrity.logged.tiles import TileCheck
from coditect.transparency.merkle.tiles import Tile, extended_tiles, tile_path, tiles_of
from coditect.transparency.merkle.tree import leaf_hash

LEAVES = [leaf_hash(str(each).encode()) for each in range(700)]


def _read(tile: Tile) -> bytes:
    raise AssertionError(tile)


def _checked(size: int, stored: dict[Tile, bytes | None]) -> tuple[list[tuple[str, str]], list[Tile]]:
    """What is said of stored tiles beside entries of so many, and which were asked for."""
    said: list[tuple[str, str]] = []
    asked: list[Tile] = []

    def read(tile: Tile) -> bytes:
        asked.append(tile)
        found = stored[tile]
        if found is None:
            raise Corrupt("a tile is missing")
        return found

    check = TileCheck(read, lambda name, message: said.append((name, message)))
    for leaf in LEAVES[:size]:
        check.add(leaf)
    check.end()
    return said, asked


@pytest.mark.parametrize("size", [0, 1, 255, 256, 257, 511, 512, 513, 700])
def test_each_tile_of_a_log_is_compared_once(size: int) -> None:
    """Those that its size calls for; any that is changed or missing is said by its path."""
    whole: dict[Tile, bytes | None] = dict(extended_tiles(0, LEAVES[:size], _read))
    said, asked = _checked(size, whole)
    assert said == []
    assert sorted(asked) == sorted(tiles_of(size)) == sorted(whole)
    for tile in whole:
        ((name, message),), _ = _checked(size, {**whole, tile: b"x" * 32})
        assert name == f"log/{tile_path(tile)}"
        assert "are not those of the entries" in message
        ((name, message),), _ = _checked(size, {**whole, tile: None})
        assert (name, "a tile is missing" in message) == (f"log/{tile_path(tile)}", True)
