"""Attacks on archives: edited, or made of a corpus that was forged before it was exported."""

from __future__ import annotations

import json
from functools import cache

from coditect.errors import CoditectError
from coditect.keyspace import seal
from coditect.schemas import canonical_json
from coditect.store.store import Store
from coditect.testing.engine.memory import MemoryEngine
from coditect.transparency.sequencer import TransparencyLog
from tests.corpora import copy_of
from tests.integration.archives import export_bytes, import_bytes, opened
from tests.integration.insiders import tiers
from tests.integration.insiders.hands import LOG_TABLES, Hands
from tests.integration.insiders.lived import CORPUS, KEY, lived, note_of
from tests.integration.insiders.watchers import computed, kept, own, remarks

__all__ = [
    "another_archive_is_imported_in_its_place",
    "forged_before_export",
    "found_of",
    "genuine_archive",
    "import_is_told_of_the_genuine_archive",
    "line_is_deleted",
    "line_is_edited",
    "lines_are_swapped",
]


@cache
def genuine_archive() -> bytes:
    """What was exported, and whose digest whoever asked for it was told."""
    return export_bytes(lived(decided=False).copy())


def _lines() -> list[bytes]:
    return genuine_archive().splitlines(keepends=True)


def line_is_edited() -> bytes:
    """Words in a record are others."""
    return b"".join(each.replace(b"24 hours", b"96 hours") for each in _lines())


def line_is_deleted() -> bytes:
    """A record is gone."""
    lines = _lines()
    return b"".join([*lines[:40], *lines[41:]])


def lines_are_swapped() -> bytes:
    """Two records stand in another order."""
    lines = _lines()
    return b"".join([*lines[:40], lines[41], lines[40], *lines[42:]])


def forged_before_export() -> bytes:
    """Everything was computed again before the export, so that the archive agrees with itself."""
    hands = Hands(lived(decided=False))
    tiers.obligation_becomes_a_harmless_fragment(hands)
    return export_bytes(hands.store)


def another_archive_is_imported_in_its_place() -> bytes:
    """A genuine archive of some time before."""
    return export_bytes(copy_of(lived(decided=False).earlier))


def import_is_told_of_the_genuine_archive() -> bytes:
    """The same; who holds the log's key has the log name the digest of the genuine one afterwards."""
    return another_archive_is_imported_in_its_place()


def _digest_of(archive: bytes) -> str:
    return opened(archive).header.corpus_digest


def _retell(store: Store) -> None:
    """Write the log anew, with another digest in the event of the import."""
    log = TransparencyLog(store.engine, store.keys)
    entries = [json.loads(entry) for _, entry in log.entries()]
    for table in LOG_TABLES:
        begin, end = store.keys.bounds(table)
        store.update(lambda transaction, begin=begin, end=end: transaction.clear_range(begin, end))  # type: ignore[misc]
    relative = store.keys.relative(store.keys.key("log/pending"))
    for each in entries:
        told = {**each, "digest": _digest_of(genuine_archive())} if each["kind"] == "import" else each
        value = seal(relative, canonical_json(told))
        store.update(lambda transaction, value=value: transaction.append(store.keys.pending, value))  # type: ignore[misc]
    log.checkpoint(KEY)


def found_of(archive: bytes, *, retold: bool = False) -> tuple[str, ...]:
    """Who finds what is wrong with an archive.

    "import" refuses it. In the store that it was imported into: "own", "deep"; "digest": the log tells of another corpus digest
    than that of the genuine export; "kept": a checkpoint that somebody kept right after the import.
    """
    store = Store(MemoryEngine())
    try:
        import_bytes(store, archive)
    except CoditectError:
        assert not [each for each in store.corpora() if each.corpus_id == CORPUS]
        return ("import",)
    note = note_of(store)
    if retold:
        _retell(store)

    def digest(store: Store) -> list[str]:
        genuine = _digest_of(genuine_archive())
        return (
            [] if any(genuine in each for each in remarks(store)) else ["the log names the digest of another archive"]
        )

    looks = (("own", own), ("deep", computed), ("digest", digest), ("kept", lambda store: kept(store, note)))
    return tuple(name for name, look in looks if look(store))
