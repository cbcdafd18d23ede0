"""The official FoundationDB binding: loaded when it is asked for, described as types.

The binding (``foundationdb`` on PyPI, the extra ``[fdb]``) is Python over the native client library; a machine that only keeps
embedded stores need not have either. So nothing of it is imported before :func:`load_binding`, and keys are packed by
:mod:`coditect.keyspace.tuples`.

The classes here say what of the binding the engine uses, no more. ``coditect.testing.fake_fdb.client`` has the same shape.
"""

from __future__ import annotations

import os
import re
import threading
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, Final, Protocol, cast

from coditect.engine.foundationdb.errors import CLUSTER_HINT
from coditect.errors import Unavailable

__all__ = [
    "API_VERSION",
    "SPAWN_HINT",
    "Binding",
    "NativeDatabase",
    "NativeError",
    "NativeReader",
    "NativeTransaction",
    "check_cluster_file",
    "load_binding",
]

API_VERSION: Final = 730
"""What this package was written for; a newer client library speaks it too."""

# description:id@host:port,host:port…, each address with an optional ":tls"; IPv6 addresses stand in brackets.
_CONNECTION = re.compile(r"[A-Za-z0-9_]+:[A-Za-z0-9]+@[^\s,@]+:\d+(:tls)?(,[^\s,@]+:\d+(:tls)?)*")

_CLIENT_HINT = (
    "install the FoundationDB 7.3 client library (package foundationdb-clients) and, where it lies outside the linker's "
    "path, name its folder in LD_LIBRARY_PATH; or use an lmdb:// store"
)
_EXTRA_HINT = "pip install 'coditect-knowledge[fdb]', or use an lmdb:// store"
SPAWN_HINT = "start the process with spawn and open the store in it"


class NativeError(Exception):
    """The shape of ``fdb.FDBError``.

    Attributes:
        code: FoundationDB's error number.
        description: FoundationDB's own words.
    """

    code: int
    description: bytes


class Future(Protocol):
    """A result that is on its way."""

    def wait(self) -> Any:  # noqa: ANN401 - what it is depends on the call
        """Block until it is there. Raises FDBError."""
        ...

    def on_ready(self, callback: Callable[[Any], object]) -> None:
        """Have this called, by the client's own thread, when it is there."""
        ...

    def cancel(self) -> None:
        """Do without it."""
        ...


class ValueFuture(Protocol):
    """A value that is on its way."""

    @property
    def value(self) -> bytes | None:
        """Block until it is there; None where the key is absent. Raises FDBError."""
        ...


class KeyValue(Protocol):
    """A row of a range."""

    key: bytes
    value: bytes


class NativeReader(Protocol):
    """What can be asked of a transaction, and of its ``snapshot``."""

    def get(self, key: bytes) -> ValueFuture:
        """Ask for a value."""
        ...

    def get_range(
        self, begin: bytes, end: bytes, limit: int = 0, reverse: bool = False, streaming_mode: int = ...
    ) -> Iterable[KeyValue]:
        """Ask for rows; the first request leaves at once."""
        ...


class Options(Protocol):
    """Options of one transaction. The first three are kept through ``on_error``, the others are not."""

    def set_timeout(self, milliseconds: int, /) -> None:
        """From the first use to the end of the last retry."""
        ...

    def set_retry_limit(self, retries: int, /) -> None:
        """How often ``on_error`` lets the body run again."""
        ...

    def set_max_retry_delay(self, milliseconds: int, /) -> None:
        """The longest pause of ``on_error``."""
        ...

    def set_size_limit(self, size_bytes: int, /) -> None:
        """Refuse a larger commit."""
        ...

    def set_priority_batch(self) -> None:
        """Come after all that has not said this, and wait where the cluster is busy."""
        ...

    def set_auto_throttle_tag(self, tag: str, /) -> None:
        """Be throttled with all others of this tag, by the cluster itself or by an operator; at most 16 bytes."""
        ...


class NativeTransaction(NativeReader, Protocol):
    """``fdb.Transaction``."""

    @property
    def snapshot(self) -> NativeReader:
        """The same reads without read conflicts."""
        ...

    @property
    def options(self) -> Options:
        """See :class:`Options`."""
        ...

    def set(self, key: bytes, value: bytes) -> None:
        """Write."""
        ...

    def clear(self, key: bytes) -> None:
        """Remove."""
        ...

    def clear_range(self, begin: bytes, end: bytes) -> None:
        """Remove a range."""
        ...

    def add(self, key: bytes, param: bytes) -> None:
        """Atomic addition."""
        ...

    def set_versionstamped_key(self, key: bytes, param: bytes) -> None:
        """Write under a key that the commit completes; the key ends with the stamp's place, 4 bytes, little-endian."""
        ...

    def watch(self, key: bytes) -> Future:
        """Be told when the value changes, once this is committed."""
        ...

    def commit(self) -> Future:
        """Commit."""
        ...

    def on_error(self, error: int) -> Future:
        """Pause and reset, or fail with the error that is final."""
        ...


class NativeDatabase(Protocol):
    """``fdb.Database``."""

    def create_transaction(self) -> NativeTransaction:
        """A transaction without a retry loop."""
        ...


class _StreamingMode(Protocol):
    @property
    def exact(self) -> int:
        """The mode that sends so many rows as were asked for at once."""
        ...


class Binding(Protocol):
    """The module ``fdb`` after ``api_version``."""

    @property
    def FDBError(self) -> type[NativeError]:  # noqa: N802 - the binding's name
        """What everything raises."""
        ...

    @property
    def StreamingMode(self) -> _StreamingMode:  # noqa: N802 - the binding's name
        """How many rows an answer holds."""
        ...

    def open(self, cluster_file: str) -> NativeDatabase:
        """The database of a cluster; the same object for the same file."""
        ...


_loading = threading.Lock()
_network_pid: int | None = None


def load_binding() -> Binding:
    """Import ``fdb`` and choose the API version. The network thread starts with the first ``open``.

    Raises:
        Unavailable: the package or the native client library is not installed or too old, another part of this process chose
            another API version, or this process was forked from one that had loaded it.
    """
    global _network_pid  # noqa: PLW0603 - the client's network is the process's, see FoundationDbEngine
    if _network_pid not in (None, os.getpid()):
        # The child of a fork has the library and not its thread: every wait in it would last for ever.
        raise Unavailable("FoundationDB was in use before a fork", hint=SPAWN_HINT)
    with _loading:
        try:
            import fdb
        except ModuleNotFoundError as error:
            raise Unavailable("stores on FoundationDB need the extra [fdb]", hint=_EXTRA_HINT) from error
        try:
            fdb.api_version(API_VERSION)
        except Exception as error:  # the binding raises bare Exceptions when the library is missing or too old
            raise Unavailable(
                "the FoundationDB client cannot be loaded", hint=_CLIENT_HINT, reason=str(error)
            ) from error
        _network_pid = os.getpid()
        return cast("Binding", fdb)


def check_cluster_file(path: Path) -> None:
    """Refuse a cluster file that cannot lead anywhere, before the client looks for it in its own slow way.

    Raises:
        Unavailable: missing, unreadable, or without a connection string.
    """
    try:
        lines = path.read_text("utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise Unavailable(
            "the cluster file cannot be read", hint=CLUSTER_HINT, path=str(path), reason=str(error)
        ) from error
    content = [line.strip() for line in lines if line.strip() and not line.lstrip().startswith("#")]
    if len(content) != 1 or not _CONNECTION.fullmatch(content[0]):
        raise Unavailable("not a cluster file", hint=CLUSTER_HINT, path=str(path))
