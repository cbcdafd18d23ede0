"""From URLs and settings to storage engines and stores, and what is done with a whole store."""

from __future__ import annotations

from contextlib import closing, suppress
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from coditect.engine.port import Engine
from coditect.errors import CoditectError, NotFound, UsageError
from coditect.knowledge.progress import Progress, silent, utc_now
from coditect.settings import Settings
from coditect.store.store import Store

if TYPE_CHECKING:
    from coditect.engine.lmdb.compaction import Compaction, FileSpace
    from coditect.knowledge.archive.upgrade import UpgradeReport
    from coditect.schemas import CompactionOwed

__all__ = [
    "NO_STORE",
    "clear_former_rows",
    "compact_store",
    "compactions_owed",
    "open_engine",
    "settle_compaction",
    "shared_store",
    "store_header",
    "store_space",
    "upgrade_store",
]

NO_STORE = "no store here"
"""What an error says where there is no store: commands that only look treat it as an empty one."""

LMDB = "lmdb://"
FDB = "fdb://"


def open_engine(url: str, *, must_exist: bool = False) -> Engine:
    """The storage engine that a URL names.

    Args:
        url: lmdb:///path/to/a/folder, or fdb:///path/to/fdb.cluster.
        must_exist: do not make a new store.
    Raises:
        NotFound: there is no store, and none was to be made.
        UsageError: not a URL of an engine that is here.
        Unavailable: it cannot be opened.
    """
    if url.startswith(LMDB) and len(url) > len(LMDB):
        from coditect.engine.lmdb.engine import LmdbEngine

        folder = Path(url.removeprefix(LMDB)).expanduser()
        if must_exist and _is_missing(folder):
            raise NotFound(NO_STORE, hint="Check --store (CODITECT_STORE), or ingest something first.")
        return LmdbEngine(folder)
    if url.startswith(FDB) and len(url) > len(FDB):
        from coditect.engine.foundationdb.engine import FoundationDbEngine

        return FoundationDbEngine(Path(url.removeprefix(FDB)).expanduser())
    raise UsageError(
        "unknown kind of store", store=url, hint="Use lmdb:///path/to/a/folder or fdb:///path/to/fdb.cluster."
    )


def _is_missing(folder: Path) -> bool:
    """Whether there is no store; of a folder that may not be looked into the engine says so."""
    try:
        return (folder.is_dir() or not folder.exists()) and not (folder / "data.mdb").exists()
    except PermissionError:
        return False


def _lmdb_folder(url: str) -> Path | None:
    """The folder that the URL of an embedded store names; None for another kind of store."""
    return Path(url.removeprefix(LMDB)).expanduser() if url.startswith(LMDB) else None


def store_space(url: str) -> FileSpace | None:
    """What a store takes on disk, all its tenants together; None where the engine does not tell, as a cluster does not.

    Args:
        url: as for :func:`open_engine`; the store must be there.
    Raises:
        Unavailable: it cannot be opened.
    """
    from coditect.engine.lmdb.compaction import file_space

    folder = _lmdb_folder(url)
    return None if folder is None else file_space(folder)


def compact_store(url: str) -> Compaction:
    """Put a compact copy of a store in its place. See :func:`coditect.engine.lmdb.compaction.compact`.

    Args:
        url: as for :func:`open_engine`.
    Raises:
        UsageError: not an embedded store; or this process has it open.
        NotFound: there is no store.
        Unavailable: another process has it open, or the disk is full or failing.
    """
    from coditect.engine.lmdb.compaction import compact

    folder = _lmdb_folder(url)
    if folder is None:
        raise UsageError(
            "only an embedded store is compacted",
            store=url,
            hint="A FoundationDB cluster uses free space again by itself.",
        )
    return compact(folder)


def settle_compaction(settings: Settings) -> Compaction:
    """Compact the configured store, and clear the marks of the erasures that waited for it. Raises as :func:`compact_store`.

    A process that is killed between both leaves the marks, and the file is compacted once more.
    """
    owed = [] if _lmdb_folder(settings.store) is None else compactions_owed(settings)
    done = compact_store(settings.store)
    if owed:
        from coditect.store.intake.compactions import clear_owed_compactions

        with closing(open_engine(settings.store, must_exist=True)) as engine:
            clear_owed_compactions(Store(engine, settings.tenant), owed)
    return done


def compactions_owed(settings: Settings) -> list[CompactionOwed]:
    """The tenant's erasures after which the store's file is still to be compacted; none of a store that cannot be read."""
    from coditect.store.intake.compactions import owed_compactions

    with suppress(CoditectError), closing(open_engine(settings.store, must_exist=True)) as engine:
        return owed_compactions(Store(engine, settings.tenant))
    return []


def store_header(settings: Settings) -> dict[str, object]:
    """What the configured store says of itself, also if a later release wrote it.

    Raises:
        NotFound: there is no store, or the tenant has nothing in it.
    """
    from coditect.store.header import raw_header

    with closing(open_engine(settings.store, must_exist=True)) as engine:
        found = raw_header(engine, settings.tenant)
    if found is None:
        raise NotFound("nothing is stored for this tenant", tenant=settings.tenant)
    return found


def upgrade_store(settings: Settings, *, progress: Progress = silent) -> UpgradeReport:
    """Bring the configured store to the format of this release. See :func:`coditect.knowledge.archive.upgrade.upgrade`."""
    from coditect.knowledge.archive.upgrade import upgrade

    with closing(open_engine(settings.store, must_exist=True)) as engine:
        return upgrade(engine, settings.tenant, utc_now(), progress=progress)


def clear_former_rows(settings: Settings, *, progress: Progress = silent) -> int:
    """Remove the rows of the former format. See :func:`coditect.knowledge.archive.upgrade.clear_former`."""
    from coditect.knowledge.archive.upgrade import clear_former

    with closing(open_engine(settings.store, must_exist=True)) as engine:
        return clear_former(engine, settings.tenant, progress=progress)


@cache
def shared_store(url: str, tenant: str) -> Store:
    """The store as a worker on another machine opens it, once a process."""
    return Store(open_engine(url, must_exist=True), tenant)
