"""Tiles: the paths of C2SP tlog-tiles, growth from tiles alone, and the log that Tessera wrote."""

from __future__ import annotations

from base64 import b64decode

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from coditect.errors import InvalidProof, TooLarge
from coditect.transparency.merkle.tiles import (
    ENTRIES,
    Tile,
    bundle_of,
    bundle_path,
    bundles_of,
    entries_of,
    extended_tiles,
    subtree_hashes,
    tile_at,
    tile_path,
    tiles_of,
)
from coditect.transparency.merkle.tree import inclusion_proof, leaf_hash, require_inclusion, root_of_hashes, tree_root
from tests.unit.transparency.vector_files import vectors


@pytest.mark.parametrize(
    ("path", "tile"),
    [
        ("tile/0/x001/x234/067", Tile(0, 1234067)),
        ("tile/1/000.p/17", Tile(1, 0, 17)),
        ("tile/entries/x001/000.p/5", Tile(ENTRIES, 1000, 5)),
        *((path, None) for path in (
            "checkpoint", "tile/0/1", "tile/0/x000/001", "tile/00/001", "tile/0/001.p/256", "tile/0/001.p/0",
            "tile/0/001.p/05", "tile/-1/001", "tile/0/001/", "tile/0/../0/001", "tile/0/٠٠١",
        )),
    ],
)  # fmt: skip
def test_a_path_is_read_back_as_it_was_written(path: str, tile: Tile | None) -> None:
    """One path for each tile and each bundle: whatever is written otherwise is none."""
    assert tile_at(path) == tile


def test_paths_are_those_of_the_specification() -> None:
    """Groups of three digits, all but the last with an x; partial ones say their width."""
    assert tile_path(Tile(0, 1234067)) == "tile/0/x001/x234/067"
    assert tile_path(Tile(1, 0, 17)) == "tile/1/000.p/17"
    assert tile_path(Tile(63, 999)) == "tile/63/999"
    assert bundle_path(1000, 5) == "tile/entries/x001/000.p/5"


def test_tiles_of_a_size_are_those_of_the_specification() -> None:
    """A tree of 70,000 has the tiles that tlog-tiles counts, and one of 256 a full and a partial one."""
    found = list(tiles_of(70_000))
    assert [sum(each.level == level and each.width == 256 for each in found) for level in range(3)] == [273, 1, 0]
    assert [each for each in found if each.width < 256] == [Tile(0, 273, 112), Tile(1, 1, 17), Tile(2, 0, 1)]
    assert list(tiles_of(256)) == [Tile(0, 0), Tile(1, 0, 1)]
    assert list(tiles_of(0)) == []
    assert list(bundles_of(513)) == [(0, 256), (1, 256), (2, 1)]


class _Log:
    """A log of numbered entries in a dictionary of tiles, which refuses to show more than the tiles of its size."""

    def __init__(self) -> None:
        self.size = 0
        self.held: dict[tuple[int, int], bytes] = {}

    def read(self, tile: Tile) -> bytes:
        data = self.held[tile.level, tile.number]
        assert len(data) >= tile.width * 32
        return data[: tile.width * 32]

    def append(self, count: int) -> dict[Tile, bytes]:
        leaves = [leaf_hash(str(self.size + each).encode()) for each in range(count)]
        changed = extended_tiles(self.size, leaves, self.read)
        for tile, data in changed.items():
            self.held[tile.level, tile.number] = data
        self.size += count
        return changed

    def root(self, size: int) -> bytes:
        return tree_root(size, subtree_hashes(size, self.read))


@settings(max_examples=25, deadline=None)
@given(st.lists(st.integers(1, 700), min_size=1, max_size=4))
def test_a_log_grows_to_the_same_tiles_in_any_steps(steps: list[int]) -> None:
    """However entries arrive, roots and tiles are those of one go, and old sizes keep their roots."""
    grown, whole = _Log(), _Log()
    roots = {}
    for step in steps:
        grown.append(step)
        roots[grown.size] = grown.root(grown.size)
    whole.append(sum(steps))
    assert grown.held == whole.held
    leaves = [leaf_hash(str(each).encode()) for each in range(grown.size)]
    for size, root in roots.items():
        assert root == whole.root(size) == root_of_hashes(leaves[:size])
    assert {(each.level, each.number) for each in tiles_of(grown.size)} == set(grown.held)


def test_growth_reads_and_writes_the_last_tiles_alone() -> None:
    """One more entry in a log of 70,000 costs one tile, and one that completes a tile costs its parents besides."""
    log = _Log()
    log.append(70_000)
    assert list(log.append(1)) == [Tile(0, 273, 113)]
    log.append(143 - 1)
    assert list(log.append(1)) == [Tile(0, 273), Tile(1, 1, 18)]


def test_proofs_are_made_from_tiles() -> None:
    """Every level of tiles gives nodes for a proof, with trees of old sizes, too."""
    log = _Log()
    log.append(66_000)
    for index, size in ((0, 66_000), (65_999, 66_000), (65_535, 65_536), (300, 301), (255, 65_537)):
        subtree = subtree_hashes(size, log.read)
        proof = inclusion_proof(index, size, subtree)
        require_inclusion(leaf_hash(str(index).encode()), index, size, proof, tree_root(size, subtree))


def test_a_tile_of_another_width_is_refused() -> None:
    """A store that gives fewer or more hashes than the size calls for makes no proof."""
    with pytest.raises(InvalidProof):
        tree_root(2, subtree_hashes(2, lambda tile: b"\x00" * 32))


@given(st.lists(st.binary(max_size=300), max_size=20))
def test_bundles_give_back_their_entries(entries: list[bytes]) -> None:
    """Entries of any bytes, empty ones among them, come back as they were."""
    assert entries_of(bundle_of(entries)) == entries


@pytest.mark.parametrize("cut", [b"\x00", b"\x00\x05four", b"\x00\x01a\x00"])
def test_bundles_that_are_cut_off_are_refused(cut: bytes) -> None:
    """A bundle that ends inside an entry, or inside its length, is none."""
    with pytest.raises(InvalidProof):
        entries_of(cut)


def test_an_entry_that_no_bundle_can_hold_is_refused() -> None:
    """Lengths have two bytes."""
    assert entries_of(bundle_of([b"a" * 65_535])) == [b"a" * 65_535]
    with pytest.raises(TooLarge):
        bundle_of([b"a" * 65_536])


def test_the_log_that_tessera_wrote_is_read_and_written_again() -> None:
    """From Tessera's entries come Tessera's tiles, at each of 15 sizes, byte for byte."""
    files = {path: b64decode(data) for path, data in vectors("tessera")["tiles"].items()}
    for size in range(1, 16):
        entries = entries_of(files[bundle_path(0, size)])
        tile = Tile(0, 0, size)
        assert bundle_of(entries) == files[bundle_path(0, size)]
        assert extended_tiles(0, [leaf_hash(entry) for entry in entries], lambda _: b"") == {
            tile: files[tile_path(tile)]
        }
