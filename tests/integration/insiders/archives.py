"""Attacks on archives: edited, or made of a corpus that was forged before it was exported."""

from __future__ import annotations

from coditect.errors import CoditectError
from coditect.store.store import Store
from coditect.testing.engine.memory import MemoryEngine
from tests.integration.archives import export_bytes, import_bytes
from tests.integration.insiders import tiers
from tests.integration.insiders.hands import Hands
from tests.integration.insiders.lived import CORPUS, lived
from tests.integration.insiders.watchers import computed, own

__all__ = ["forged_before_export", "found_of", "line_is_deleted", "line_is_edited", "lines_are_swapped"]


def _lines() -> list[bytes]:
    return export_bytes(lived(decided=False).copy()).splitlines(keepends=True)


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


def found_of(archive: bytes) -> tuple[str, ...]:
    """Who finds what is wrong with an archive: "import" refuses it, or "own", or "deep" in the store that it was imported into."""
    store = Store(MemoryEngine())
    try:
        import_bytes(store, archive)
    except CoditectError:
        assert not [each for each in store.corpora() if each.corpus_id == CORPUS]
        return ("import",)
    return tuple(name for name, look in (("own", own), ("deep", computed)) if look(store))
