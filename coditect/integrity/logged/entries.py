"""The log read from its first entry to its last: against its tree, its tiles and a checkpoint; and the acts it alone tells of."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial

import orjson

from coditect.engine.port import Transaction
from coditect.errors import Corrupt, InvalidProof
from coditect.integrity.logged.history import CorpusHistory
from coditect.keyspace import Keyspace, unseal
from coditect.store.store import Store
from coditect.transparency.checkpoints import Checkpoint
from coditect.transparency.events import act_at
from coditect.transparency.sequencer import TransparencyLog
from coditect.transparency.tiles import Tile, TileFold, tile_path
from coditect.transparency.tree import TreeFold, leaf_hash

__all__ = ["act_states", "follow_log"]

Told = Callable[[str, str], None]
"""Told of what is wrong: (name of a row, sentence)."""

MOST_ACTS = 500
"""Acts of the log that are read at once."""


def follow_log(store: Store, log: TransparencyLog, kept: Checkpoint | None, history: CorpusHistory, say: Told) -> int:
    """Read every entry, and what waits to become one.

    Args:
        store: the tenant's store.
        log: its log.
        kept: a checkpoint whose signature was checked; None: only against the tree as it is.
        history: follows what the entries tell.
        say: told of what is wrong.

    Returns:
        How many entries there are.
    """
    head, tree, tiles = log.head(), TreeFold(), TileFold()
    try:
        if kept is not None:
            log.require_continues(kept, head)
    except (Corrupt, InvalidProof) as error:
        say("log/heads/events", str(error))
    try:
        for index, entry in log.entries():
            if index != tree.size:
                say(f"log/entries/{tree.size}", "an entry of the log is missing")
                break
            leaf = leaf_hash(entry)
            tree.add(leaf)
            _compare_tiles(store, tiles.add(leaf), say)
            history.take(orjson.loads(entry))
            if kept is not None and tree.size == kept.size and tree.root() != kept.root:
                say("log/entries", f"the first {kept.size} entries are not those of the checkpoint that was kept")
        for entry in log.waiting():
            history.take(orjson.loads(entry))
        _compare_tiles(store, tiles.rest(), say)
    except Corrupt as error:
        say(f"log/entries/{tree.size}", str(error))
    except orjson.JSONDecodeError:
        say(f"log/entries/{tree.size - 1}", "an entry of the log is not JSON")
    # More entries than the head told of are of somebody who sequenced meanwhile.
    if tree.size < head.size or (tree.size == head.size and tree.root().hex() != head.root):
        say("log/entries", "the entries of the log are not those that its tree is over")
    for record, message in history.repeated:
        say(record, message)
    return tree.size


def _compare_tiles(store: Store, wanted: Iterable[tuple[Tile, bytes]], say: Told) -> None:
    """Tiles, by which proofs are made, against the entries; a stored one may have grown meanwhile."""
    for tile, data in wanted:
        key = store.keys.key("log/tiles", tile.level, tile.number)
        value = store.engine.read(lambda transaction, key=key: transaction.get(key))  # type: ignore[misc]
        held = b"" if value is None else unseal(store.keys.relative(key), value)[1]
        if not held.startswith(data):
            say(f"log/{tile_path(tile)}", "its hashes are not those of the entries")


def act_states(store: Store, acts: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Of each act, by its SHA-256: "" where it is there as it was written, "gone", or "changed"."""
    for first in range(0, len(acts), MOST_ACTS):
        told = acts[first : first + MOST_ACTS]
        yield from zip(told, store.engine.read(partial(_states_of, store.keys, told)), strict=True)


def _states_of(keys: Keyspace, acts: Sequence[str], transaction: Transaction) -> list[str]:
    """Of each act, by its SHA-256: "" where it is there as it was written, "gone", or "changed"."""
    states = []
    for sha256 in acts:
        try:
            states.append("" if act_at(transaction, keys, sha256) is not None else "gone")
        except Corrupt:
            states.append("changed")
    return states
