"""A log of many entries: its tiles, head and checkpoint as the sequencer would have written them, and what proofs of it cost."""

from __future__ import annotations

import random
import time
from collections.abc import Mapping
from dataclasses import dataclass

from coditect.engine.port import Engine, Transaction
from coditect.keyspace import seal
from coditect.schemas import LogHead
from coditect.store.store import Store
from coditect.transparency.checkpoints import Checkpoint
from coditect.transparency.events import append_event, event_of
from coditect.transparency.merkle.tiles import TILE_WIDTH, Tile, extended_tiles
from coditect.transparency.merkle.tree import TreeFold, leaf_hash, require_inclusion
from coditect.transparency.notes import Note, SigningKey
from coditect.transparency.proofs import LogProof
from coditect.transparency.sequencer import TransparencyLog

__all__ = ["LongLog", "ProofTimes", "middle"]

BATCH_LEAVES = 64 * TILE_WIDTH
"""Leaves of one transaction, whose tiles are half a megabyte."""


def middle(values: list[float], share: float = 0.5) -> float:
    """The value below which this share of the values lies."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


BUNDLE = 30
"""Proofs in the bundle of a report on one document."""


@dataclass(frozen=True)
class ProofTimes:
    """Milliseconds: the median and the 99th percentile of each.

    Attributes:
        entries: of the log.
        made: to make an inclusion proof, tiles read from the store.
        together: the same for each of those of a bundle, which are made at once.
        verified: to verify it.
        signed: to give one event its index and sign the checkpoint.
    """

    entries: int
    made: tuple[float, float]
    together: tuple[float, float]
    verified: tuple[float, float]
    signed: tuple[float, float]


class LongLog:
    """A log of so many entries in a store; the entries themselves are told by their number and are not stored.

    Args:
        engine: holds nothing else of this tenant.
        tenant: whose log.
        entries: how many.
        key: signs it.
    """

    def __init__(self, engine: Engine, tenant: str, entries: int, key: SigningKey) -> None:
        self.store = Store(engine, tenant)
        self.log = TransparencyLog(engine, self.store.keys)
        self._entries, self._key = entries, key
        self._write()
        self.log.checkpoint(key)

    @staticmethod
    def entry(number: int) -> bytes:
        """An entry."""
        return b'{"kind":"document","number":%d}' % number

    def _write(self) -> None:
        tree, held = TreeFold(), dict[tuple[int, int], bytes]()

        def partly(tile: Tile) -> bytes:
            return held[tile.level, tile.number]

        for first in range(0, self._entries, BATCH_LEAVES):
            leaves = [
                leaf_hash(self.entry(number)) for number in range(first, min(first + BATCH_LEAVES, self._entries))
            ]
            changed = extended_tiles(first, leaves, partly)
            held.update({(tile.level, tile.number): data for tile, data in changed.items() if tile.width < TILE_WIDTH})
            self._set(changed)
            for leaf in leaves:
                tree.add(leaf)
        keys = self.store.keys
        head, place = LogHead(size=tree.size, root=tree.root().hex()), keys.key("log/heads", "events")
        self.store.update(lambda t: t.set(place, seal(keys.relative(place), head.payload())))

    def _set(self, tiles: Mapping[Tile, bytes]) -> None:
        def body(transaction: Transaction) -> None:
            for tile, data in tiles.items():
                key = self.store.keys.key("log/tiles", tile.level, tile.number)
                transaction.set(key, seal(self.store.keys.relative(key), data))

        self.store.update(body)

    def times(self, count: int, seed: int) -> ProofTimes:
        """Prove entries that are drawn, and verify each; then append, sequence and sign, one event at a time.

        Args:
            count: of each.
            seed: of the draw.
        """
        rng = random.Random(seed)  # noqa: S311 - which entries are proven
        made, together, verified, signed = [], [], [], []
        for _ in range(count):
            number = rng.randrange(self._entries)
            begin = time.perf_counter()
            proof = self.log.prove(number)
            made.append(time.perf_counter() - begin)
            begin = time.perf_counter()
            read = LogProof.parse(proof)
            checkpoint = Checkpoint.parse(Note.parse(read.checkpoint.encode()).text)
            require_inclusion(leaf_hash(self.entry(number)), number, checkpoint.size, read.hashes, checkpoint.root)
            verified.append(time.perf_counter() - begin)
        for _ in range(max(1, count // BUNDLE)):
            numbers = rng.sample(range(self._entries), BUNDLE)
            begin = time.perf_counter()
            self.log.proofs(numbers)
            together.append((time.perf_counter() - begin) / BUNDLE)
        for number in range(count):
            event = event_of("failure cleared", "corpus", subject=str(number))
            self.store.update(lambda t, event=event: append_event(t, self.store.keys, event))  # type: ignore[misc]
            begin = time.perf_counter()
            self.log.checkpoint(self._key)
            signed.append(time.perf_counter() - begin)
        every = [[1000 * each for each in values] for values in (made, together, verified, signed)]
        pairs = [(round(middle(values), 3), round(middle(values, 0.99), 3)) for values in every]
        return ProofTimes(self._entries, *pairs)
