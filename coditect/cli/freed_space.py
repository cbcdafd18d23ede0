"""The space that an erasure freed in an embedded store: given back, so that no page of the file keeps what was removed."""

from __future__ import annotations

__all__ = ["give_back"]


def give_back(store: str) -> str:
    """Compact the store's file, and say what became of it."""
    from coditect.compose import compact_store
    from coditect.errors import Unavailable, UsageError

    try:
        done = compact_store(store)
    except UsageError:
        return "a cluster uses freed space again by itself; its disks and backups are its operator's matter"
    except Unavailable as error:
        return f"not compacted, freed pages keep the words until 'coditect store compact' was run: {error.message}"
    return f"compacted: {done.before_bytes:,} bytes before, {done.after_bytes:,} after"
