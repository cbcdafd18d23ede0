"""FoundationDB for tests: a fake one everywhere, and a live one where ``FDB_CLUSTER_FILE`` names a cluster.

A live cluster may hold other things and serve other tests at the same moment, so each test gets a prefix of its own there:
:class:`Prefixed` puts it in front of every key below the engine, between it and the binding. Bounds of ranges go through
it too, so a test sees an empty database that ends where its prefix ends.
"""

from __future__ import annotations

import os
import struct
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import pytest

from coditect.engine.foundationdb.client import Binding, load_binding
from coditect.engine.foundationdb.engine import FoundationDbEngine
from coditect.testing.fake_fdb.client import FakeCluster, FakeFdb

__all__ = [
    "CONNECTION",
    "FakePlace",
    "LivePlace",
    "Prefixed",
    "fake_engine",
    "live",
    "live_engine",
    "write_cluster_file",
]

CONNECTION = "test:test@127.0.0.1:4500\n"
"""What a cluster file says."""

_LIVE_FILE = os.environ.get("FDB_CLUSTER_FILE", "")


def live(function: Any) -> Any:  # noqa: ANN401 - a test function or class
    """Mark a test as one that needs a live cluster, and skip it where there is none."""
    reason = "FDB_CLUSTER_FILE is not set: no live FoundationDB cluster"
    return pytest.mark.fdb(pytest.mark.skipif(not _LIVE_FILE, reason=reason)(function))


def write_cluster_file(folder: Path, content: str = CONNECTION) -> Path:
    """A cluster file in a folder."""
    path = folder / "fdb.cluster"
    path.write_text(content)
    return path


def fake_engine(folder: Path, cluster: FakeCluster | None = None, **options: Any) -> FoundationDbEngine:  # noqa: ANN401
    """An engine on a fake cluster."""
    return FoundationDbEngine(write_cluster_file(folder), binding=binding_of(FakeFdb(cluster)), **options)


def binding_of(fake: object) -> Binding:
    """A fake as what the engine wants; its shape is compared with the real one by tests, not by types."""
    return cast("Binding", fake)


def live_engine(prefix: bytes, **options: Any) -> FoundationDbEngine:  # noqa: ANN401
    """An engine on the part of the live cluster below a prefix; the same one in every process."""
    return FoundationDbEngine(Path(_LIVE_FILE), binding=binding_of(Prefixed(load_binding(), prefix)), **options)


class FakePlace:
    """A fake database in a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.cluster = FakeCluster()

    def open_engine(self, **options: Any) -> FoundationDbEngine:  # noqa: ANN401
        """Another engine on it."""
        return fake_engine(self.folder, self.cluster, **options)

    def discard(self) -> None:
        """Nothing is left."""


class LivePlace:
    """An empty part of the live cluster."""

    def __init__(self) -> None:
        self.prefix = b"coditect-test/" + uuid.uuid4().bytes + b"/"
        self.binding = Prefixed(load_binding(), self.prefix)

    def open_engine(self, **options: Any) -> FoundationDbEngine:  # noqa: ANN401
        """Another engine on it."""
        return live_engine(self.prefix, **options)

    def open_database(self) -> Any:  # noqa: ANN401
        """The same part, below the engine."""
        return self.binding.open(_LIVE_FILE)

    def discard(self) -> None:
        """Clear it."""
        engine = self.open_engine()
        engine.run(lambda transaction: transaction.clear_range(b"", b"\xff"))
        engine.close()


class Prefixed:
    """The official binding, confined to the keys with a prefix."""

    def __init__(self, binding: Any, prefix: bytes) -> None:  # noqa: ANN401 - the module fdb
        self.FDBError = binding.FDBError
        self.StreamingMode = binding.StreamingMode
        self._binding = binding
        self._prefix = prefix

    def open(self, cluster_file: str) -> _Database:
        return _Database(self._binding.open(cluster_file), self._prefix)


class _Database:
    def __init__(self, database: Any, prefix: bytes) -> None:  # noqa: ANN401
        self._database = database
        self._prefix = prefix

    def create_transaction(self) -> _Transaction:
        return _Transaction(self._database.create_transaction(), self._prefix)


class _Row:
    __slots__ = ("key", "value")

    def __init__(self, key: bytes, value: bytes) -> None:
        self.key = key
        self.value = value


class _Reader:
    def __init__(self, raw: Any, prefix: bytes) -> None:  # noqa: ANN401
        self._raw = raw
        self._prefix = prefix

    def get(self, key: bytes) -> Any:  # noqa: ANN401
        return self._raw.get(self._prefix + key)

    def get_range(self, begin: bytes, end: bytes, **options: Any) -> Iterator[_Row]:  # noqa: ANN401
        found = self._raw.get_range(self._prefix + begin, self._prefix + end, **options)
        return (_Row(row.key[len(self._prefix) :], row.value) for row in found)


class _Transaction(_Reader):
    def __init__(self, raw: Any, prefix: bytes) -> None:  # noqa: ANN401
        super().__init__(raw, prefix)
        self.snapshot = _Reader(raw.snapshot, prefix)
        self.options = raw.options
        self.commit = raw.commit
        self.on_error = raw.on_error

    def watch(self, key: bytes) -> Any:  # noqa: ANN401
        return self._raw.watch(self._prefix + key)

    def set(self, key: bytes, value: bytes) -> None:
        self._raw.set(self._prefix + key, value)

    def clear(self, key: bytes) -> None:
        self._raw.clear(self._prefix + key)

    def clear_range(self, begin: bytes, end: bytes) -> None:
        self._raw.clear_range(self._prefix + begin, self._prefix + end)

    def add(self, key: bytes, param: bytes) -> None:
        self._raw.add(self._prefix + key, param)

    def set_versionstamped_key(self, key: bytes, param: bytes) -> None:
        (place,) = struct.unpack("<L", key[-4:])
        moved = struct.pack("<L", place + len(self._prefix))
        self._raw.set_versionstamped_key(self._prefix + key[:-4] + moved, param)
