"""The layout of a log as static files: C2SP ``tlog-tiles``.

A tile is up to 256 hashes side by side. At level 0 they are those of leaves, at each level above those of the full tiles below. An
entry bundle holds up to 256 entries. Both never change once they are full, and a partial one is the beginning of the next.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from coditect.errors import InvalidProof, TooLarge
from coditect.transparency.merkle.tree import HASH_BYTES, SubtreeHash, root_of_hashes

__all__ = [
    "ENTRIES",
    "ENTRY_BYTES",
    "TILE_HEIGHT",
    "TILE_WIDTH",
    "OpenedTile",
    "ReadTile",
    "Tile",
    "bundle_of",
    "bundle_path",
    "bundles_of",
    "entries_of",
    "extended_tiles",
    "subtree_hashes",
    "tile_at",
    "tile_path",
    "tiles_asked",
    "tiles_of",
]

TILE_HEIGHT = 8
TILE_WIDTH = 1 << TILE_HEIGHT
TILE_BYTES = TILE_WIDTH * HASH_BYTES

ENTRY_BYTES = 0xFFFF
"""The longest entry that an entry bundle can hold: its length is written in two bytes."""

ENTRIES = -1
"""The level that stands for bundles of entries, which are numbered as the tiles above them."""

_LENGTH_BYTES = 2
_SERVED = re.compile(r"tile/(entries|\d{1,2})/((?:x\d{3}/){0,5}\d{3})(?:\.p/(\d{1,3}))?", re.ASCII)
_GROUP = 1000


@dataclass(frozen=True, slots=True, order=True)
class Tile:
    """Which hashes a tile holds.

    Attributes:
        level: 0 over leaves; each level spans 256 times as many.
        number: of the tile in its level, from 0.
        width: hashes in it, 1 to 256.
    """

    level: int
    number: int
    width: int = TILE_WIDTH


ReadTile = Callable[[Tile], bytes]
"""The hashes of a tile, ``32 * width`` bytes; raises where the log does not have it."""


def _numbered(number: int, width: int) -> str:
    groups = [f"{number % _GROUP:03d}"]
    while number := number // _GROUP:
        groups.append(f"x{number % _GROUP:03d}")
    return "/".join(reversed(groups)) + ("" if width == TILE_WIDTH else f".p/{width}")


def tile_path(tile: Tile) -> str:
    """Where a tile is served: ``tile/0/x001/x234/067``, and ``….p/5`` for the first five of its hashes."""
    return f"tile/{tile.level}/{_numbered(tile.number, tile.width)}"


def bundle_path(number: int, width: int = TILE_WIDTH) -> str:
    """Where an entry bundle is served."""
    return f"tile/entries/{_numbered(number, width)}"


def tile_at(path: str) -> Tile | None:
    """The tile that is served at a path; a bundle of entries is one of level :data:`ENTRIES`; None: no path of the layout."""
    found = _SERVED.fullmatch(path)
    if found is None:
        return None
    level, number, width = found.groups()
    tile = Tile(
        ENTRIES if level == "entries" else int(level),
        int(number.replace("x", "").replace("/", "")),
        TILE_WIDTH if width is None else int(width),
    )
    told = bundle_path(tile.number, tile.width) if tile.level == ENTRIES else tile_path(tile)
    return tile if told == path and 0 < tile.width <= TILE_WIDTH else None


def tiles_of(size: int) -> Iterator[Tile]:
    """The tiles of a tree, from the leaves up, in order; none is empty.

    Args:
        size: leaves of the tree.
    """
    level = 0
    while size:
        full, rest = divmod(size, TILE_WIDTH)
        yield from (Tile(level, number) for number in range(full))
        if rest:
            yield Tile(level, full, rest)
        level, size = level + 1, full


def bundles_of(size: int) -> Iterator[tuple[int, int]]:
    """(number, width) of the entry bundles of a log with ``size`` entries."""
    full, rest = divmod(size, TILE_WIDTH)
    yield from ((number, TILE_WIDTH) for number in range(full))
    if rest:
        yield full, rest


def bundle_of(entries: Sequence[bytes]) -> bytes:
    """Entries as a bundle.

    Raises:
        TooLarge: an entry is longer than its length can say.
    """
    if any(len(entry) > ENTRY_BYTES for entry in entries):
        raise TooLarge("an entry of the log is longer than a bundle can hold", limit=ENTRY_BYTES)
    return b"".join(len(entry).to_bytes(_LENGTH_BYTES, "big") + entry for entry in entries)


def entries_of(bundle: bytes) -> list[bytes]:
    """The entries in a bundle.

    Raises:
        InvalidProof: it is cut off.
    """
    entries: list[bytes] = []
    place = 0
    while place < len(bundle):
        begin = place + _LENGTH_BYTES
        place = begin + int.from_bytes(bundle[begin - _LENGTH_BYTES : begin], "big")
        if begin > len(bundle) or place > len(bundle):
            raise InvalidProof("an entry bundle is cut off", size_bytes=len(bundle))
        entries.append(bundle[begin:place])
    return entries


def extended_tiles(size: int, leaves: Sequence[bytes], read: ReadTile) -> dict[Tile, bytes]:
    """What becomes of a tree's tiles when leaves are added: those that are new or longer, whole.

    Only the last tile of each level is read, so the cost is that of the leaves, whatever the size of the log.

    Args:
        size: leaves of the tree before.
        leaves: hashes of those that are added.
        read: reads a tile of the tree before.
    """
    changed: dict[Tile, bytes] = {}
    level, hashes = 0, list(leaves)
    while hashes:
        number, width = divmod(size, TILE_WIDTH)
        held = read(Tile(level, number, width)) if width else b""
        full: list[bytes] = []
        for each in hashes:
            held += each
            if len(held) == TILE_BYTES:
                changed[Tile(level, number)] = held
                full.append(root_of_hashes(_hashes(held)))
                number, held = number + 1, b""
        if held:
            changed[Tile(level, number, len(held) // HASH_BYTES)] = held
        level, size, hashes = level + 1, size // TILE_WIDTH, full
    return changed


class OpenedTile:
    """The hashes of a tile, and those of the complete subtrees above them that were asked for.

    Args:
        data: of the tile, ``32 * width`` bytes.
    """

    def __init__(self, data: bytes) -> None:
        self._hashes = _hashes(data)
        self._above: dict[tuple[int, int], bytes] = {}

    def root(self, place: int, count: int) -> bytes:
        """The root of ``count`` hashes, a power of two, from a place on."""
        if count == 1:
            return self._hashes[place]
        found = self._above.get((place, count))
        if found is None:
            found = self._above[place, count] = root_of_hashes(self._hashes[place : place + count])
        return found


def subtree_hashes(size: int, read: ReadTile, opened: dict[Tile, OpenedTile] | None = None) -> SubtreeHash:
    """Tells the hashes of complete subtrees from tiles, each tile read once.

    Args:
        size: leaves of the tree, which says how wide its last tiles are.
        read: reads a tile.
        opened: tiles that were read before, which are not read again; those that are read are added. None: none.

    Returns:
        a function from (level, index) to a hash, 32 bytes, that raises InvalidProof where a tile does not have its width.
    """
    held = {} if opened is None else opened

    def subtree(level: int, index: int) -> bytes:
        tile, place, count = _place_of(size, level, index)
        if tile not in held:
            data = read(tile)
            if len(data) != tile.width * HASH_BYTES:
                raise InvalidProof("a tile does not have its width", tile=tile_path(tile), size_bytes=len(data))
            held[tile] = OpenedTile(data)
        return held[tile].root(place, count)

    return subtree


def tiles_asked(size: int, prove: Callable[[SubtreeHash], object]) -> list[Tile]:
    """The tiles that a proof is made of, so that they can be read at once: the proof is made without any hash to see.

    Args:
        size: leaves of the tree.
        prove: makes the proof from subtrees, which are told as zeros.
    """
    asked: dict[Tile, None] = {}

    def subtree(level: int, index: int) -> bytes:
        asked[_place_of(size, level, index)[0]] = None
        return bytes(HASH_BYTES)

    prove(subtree)
    return list(asked)


def _place_of(size: int, level: int, index: int) -> tuple[Tile, int, int]:
    """The tile that holds a complete subtree, the first of its hashes there, and how many there are."""
    height, above = divmod(level, TILE_HEIGHT)
    number, place = divmod(index << above, TILE_WIDTH)
    width = min(TILE_WIDTH, (size >> (TILE_HEIGHT * height)) - number * TILE_WIDTH)
    return Tile(height, number, width), place, 1 << above


def _hashes(data: bytes) -> list[bytes]:
    return [data[begin : begin + HASH_BYTES] for begin in range(0, len(data), HASH_BYTES)]
