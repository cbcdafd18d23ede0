"""The space that an erasure freed in an embedded store: given back, so that no page of the file keeps what was removed."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from coditect.settings import Settings

__all__ = ["give_back", "give_back_owed"]


def give_back(settings: Settings) -> str:
    """Compact the store's file, note that no erasure waits for it any more, and say what became of it."""
    from coditect.compose import settle_compaction, store_space
    from coditect.errors import Unavailable, UsageError

    try:
        done = settle_compaction(settings)
    except (UsageError, Unavailable) as error:
        if store_space(settings.store) is None:
            return "a cluster uses freed space again by itself; its disks and backups are its operator's matter"
        return (
            "not compacted, freed pages keep the words; the next command that writes and is alone compacts, and so does "
            f"'coditect store compact': {error.message}"
        )
    return f"compacted: {done.before_bytes:,} bytes before, {done.after_bytes:,} after"


def give_back_owed(settings: Settings, tenants: Sequence[str]) -> str:
    """Compact the store's file where an erasure of before left that to be done, before a program opens it for long.

    Args:
        settings: which store.
        tenants: whose erasures count; none: those of the tenant of the settings.

    Returns:
        What became of it; "" where nothing was owed.
    """
    from coditect.compose import compactions_owed

    told = ""
    for tenant in tenants or (settings.tenant,):
        own = settings.model_copy(update={"tenant": tenant})
        if compactions_owed(own):
            told = give_back(own)
    return told
