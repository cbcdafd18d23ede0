"""Where tests keep their stores: below a folder of their own, or in a part of a live cluster that belongs to that folder.

With ``CODITECT_TEST_ENGINE=fdb``, and ``FDB_CLUSTER_FILE`` naming a cluster, every test that asks here runs on
FoundationDB; without, on LMDB. A place is a path on both; on a cluster its hash says which part is meant, so that child
processes need nothing but the path. Tests reach a place in two ways, which see different data on a cluster:

- through an engine (:func:`open_at`): behind a prefix, a database of its own for each path;
- through settings and command lines (:func:`options_at`, :func:`url_at`, :func:`tenant_at`): a tenant of its own for each
  path, which :func:`store_at` opens, too.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import uuid
from contextlib import closing
from pathlib import Path

import pytest

from coditect.engine.foundationdb.engine import FoundationDbEngine
from coditect.engine.lmdb.engine import LmdbEngine
from coditect.engine.port import Engine
from coditect.keyspace import FORMATS
from coditect.keyspace.tuples import pack
from coditect.store.blobs import put_rows
from coditect.store.store import Store
from coditect.testing.engine.memory import MemoryStore
from tests.corpora import copy_of
from tests.fdb_clusters import live_engine

__all__ = [
    "ON_CLUSTER",
    "copy_place",
    "discard",
    "lmdb_only",
    "open_at",
    "options_at",
    "own_copy",
    "store_at",
    "tenant_at",
    "url_at",
]

_ASKED = os.environ.get("CODITECT_TEST_ENGINE", "lmdb")
_CLUSTER_FILE = os.environ.get("FDB_CLUSTER_FILE", "")
if _ASKED not in ("lmdb", "fdb") or (_ASKED == "fdb" and not _CLUSTER_FILE):
    raise pytest.UsageError("CODITECT_TEST_ENGINE is lmdb, or fdb and FDB_CLUSTER_FILE names a cluster")

ON_CLUSTER = _ASKED == "fdb"
"""Whether places are parts of a live cluster."""

# Paths come back in later sessions (pytest's --basetemp), and a session that was killed has not cleared its places. What the
# session is called is in the environment, for child processes and workers of xdist; who put it there clears at the end.
_OWNER = "CODITECT_TEST_SESSION" not in os.environ
_SESSION = os.environ.setdefault("CODITECT_TEST_SESSION", uuid.uuid4().hex[:12])

_PREFIX = b"coditect-places/" + _SESSION.encode() + b"/"


def lmdb_only(reason: str) -> pytest.MarkDecorator:
    """Skips a test of what only the embedded engine has when places are on a cluster."""
    return pytest.mark.skipif(ON_CLUSTER, reason=f"about LMDB: {reason}")


def open_at(path: Path, *, durable: bool = False) -> Engine:
    """Another engine on a place; close it.

    Args:
        path: of the place; made if there is nothing.
        durable: whether LMDB waits for the disk, which few tests are about; a cluster always does.
    """
    if not ON_CLUSTER:
        return LmdbEngine(path, durable=durable)
    return live_engine(_PREFIX + _name(path).encode() + b"/")


def url_at(path: Path) -> str:
    """What ``--store`` and ``Settings.store`` say for a place."""
    return f"fdb://{Path(_CLUSTER_FILE).absolute()}" if ON_CLUSTER else f"lmdb://{path}"


def tenant_at(path: Path) -> str:
    """What ``--tenant`` and ``Settings.tenant`` say for a place."""
    return f"test-{_SESSION}-{_name(path)}" if ON_CLUSTER else "default"


def options_at(path: Path) -> list[str]:
    """The command line's options for a place."""
    return ["--store", url_at(path), *(["--tenant", tenant_at(path)] if ON_CLUSTER else [])]


def store_at(path: Path) -> Store:
    """The store that commands with :func:`options_at` see; close its engine."""
    engine = FoundationDbEngine(Path(_CLUSTER_FILE)) if ON_CLUSTER else LmdbEngine(path, durable=False)
    return Store(engine, tenant_at(path))


def copy_place(source: Path, target: Path) -> Path:
    """Make a place that holds what another does, both ways; returns it. Nobody may have either open."""
    if not ON_CLUSTER:
        return Path(shutil.copytree(source, target))
    for one, other in (
        (Store(open_at(source)), Store(open_at(target))),
        (store_at(source), store_at(target)),
    ):
        with closing(one.engine), closing(other.engine):
            for page in one.pages(*one.keys.space):
                put_rows(other.engine, [(other.keys.prefix + one.keys.relative(key), value) for key, value in page])
    return target


def own_copy(once: MemoryStore, empty: Store) -> Store:
    """A store of a test's own that holds what was made once: in memory, or on a cluster in the empty one, which is given back."""
    if not ON_CLUSTER:
        return copy_of(once)
    for page in copy_of(once).pages(*empty.keys.space):
        put_rows(empty.engine, list(page))
    return empty


def discard() -> None:
    """Clear every place of this session, if this process began it."""
    if not (ON_CLUSTER and _OWNER):
        return
    # Tenants' names are packed as text: theirs begin as this one does, less the byte that ends it.
    tenants = [pack(("coditect", number, f"test-{_SESSION}-"))[:-1] for number in (0, *FORMATS)]  # 0 is that of headers
    for prefix in (_PREFIX, *tenants):
        with closing(live_engine(prefix)) as engine:
            engine.run(lambda transaction: transaction.clear_range(b"", b"\xff"))


def _name(path: Path) -> str:
    return hashlib.sha256(os.fsencode(path.resolve())).hexdigest()[:24]
