"""Where a trial keeps its stores: folders of LMDB, or tenants of a FoundationDB cluster, copied and cleared by name."""

from __future__ import annotations

import shutil
from contextlib import closing
from pathlib import Path
from typing import Any

from coditect.compose import open_engine
from coditect.settings import Settings
from coditect.store.blobs import put_rows
from coditect.store.store import Store
from coditect.transparency.custody.key_files import new_key, write_key_file

__all__ = ["Places"]


class Places:
    """Stores of a trial.

    Args:
        root: a folder for everything that is kept in files.
        cluster: URL of a cluster, fdb:///path; empty: stores are folders.
        name: of the trial, which keeps its tenants apart from those of others.
    """

    def __init__(self, root: Path, cluster: str, name: str) -> None:
        self.root = root
        self.cluster = cluster
        self._name = name
        self._made: set[str] = set()

    def settings(self, store: str, **more: Any) -> Settings:  # noqa: ANN401 - settings of any kind
        """Those of a store by name, with a cache of its own."""
        self._made.add(store)
        place = (
            {"store": self.cluster, "tenant": f"{self._name}-{store}"} if self.cluster else {"store": self._url(store)}
        )
        if not self.log_key(store).exists():
            self.log_key(store).parent.mkdir(parents=True, exist_ok=True)
            write_key_file(self.log_key(store), new_key("log.example.com/trial"))
        fixed = {
            "cache": self.cache(store),
            "jobs": 1,
            "log_key": self.log_key(store),
            "principal": "trial@example.com",
        }
        return Settings(**{**fixed, **place, **more})

    def log_key(self, store: str) -> Path:
        """The file of the key of a store's log; what that key signed last is remembered in a file beside it."""
        return self.root / "keys" / store / "log.key"

    def folder(self, store: str) -> Path:
        """The folder of an embedded store."""
        return self.root / "stores" / store

    def cache(self, store: str) -> Path:
        """The folder of a store's search replicas."""
        return self.root / "caches" / store

    def copy(self, source: str, target: str) -> None:
        """Make a store that holds what another does, with its key and what that signed; nobody may have either open."""
        self._made.add(target)
        self.copy_key(source, target)
        if not self.cluster:
            shutil.copytree(self.folder(source), self.folder(target))
            return
        read, write = self._open(source), self._open(target)
        with closing(read.engine), closing(write.engine):
            for page in read.pages(*read.keys.space):
                put_rows(write.engine, [(write.keys.prefix + read.keys.relative(key), value) for key, value in page])

    def copy_key(self, source: str, target: str) -> None:
        """Have the log of one store signed with the key of another, which remembers what it signed there."""
        shutil.rmtree(self.log_key(target).parent, ignore_errors=True)
        shutil.copytree(self.log_key(source).parent, self.log_key(target).parent)

    def clear(self, store: str) -> None:
        """Remove a store and its cache."""
        for folder in (self.cache(store), self.log_key(store).parent):
            shutil.rmtree(folder, ignore_errors=True)
        self._made.discard(store)
        if not self.cluster:
            shutil.rmtree(self.folder(store), ignore_errors=True)
            return
        found = self._open(store)
        with closing(found.engine):
            found.engine.run(lambda transaction: transaction.clear_range(*found.keys.space))
        self._made.discard(store)

    def clear_all(self) -> None:
        """Remove all stores of a cluster; folders go with the root."""
        for store in sorted(self._made) if self.cluster else ():
            self.clear(store)

    def _url(self, store: str) -> str:
        return f"lmdb://{self.folder(store)}"

    def _open(self, store: str) -> Store:
        settings = self.settings(store)
        return Store(open_engine(settings.store), settings.tenant)
