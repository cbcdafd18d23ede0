"""The official FoundationDB binding: loaded when it is asked for, described as types, its errors translated.

The binding (``foundationdb`` on PyPI, the extra ``[fdb]``) is Python over the native client library; a machine that only keeps
embedded stores need not have either. So nothing of it is imported before :func:`load_binding`, and keys are packed by
:mod:`coditect.keyspace.tuples`.

The classes here say what of the binding the engine uses, no more. ``coditect.testing.fake_fdb.client`` has the same shape.
"""

from __future__ import annotations

import os
import re
import threading
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final, Protocol, cast

from coditect.errors import Conflict, StoreError, TooLarge, Unavailable

__all__ = [
    "API_VERSION",
    "Binding",
    "NativeDatabase",
    "NativeError",
    "NativeReader",
    "NativeTransaction",
    "check_cluster_file",
    "load_binding",
    "translated",
]

API_VERSION: Final = 730
"""What this package was written for; a newer client library speaks it too."""

NOT_COMMITTED: Final = 1020
TIMED_OUT: Final = 1031

# description:id@host:port,host:port…, each address with an optional ":tls"; IPv6 addresses stand in brackets.
_CONNECTION = re.compile(r"[A-Za-z0-9_]+:[A-Za-z0-9]+@[^\s,@]+:\d+(:tls)?(,[^\s,@]+:\d+(:tls)?)*")

_CLIENT_HINT = (
    "install the FoundationDB 7.3 client library (package foundationdb-clients) and, where it lies outside the linker's "
    "path, name its folder in LD_LIBRARY_PATH; or use an lmdb:// store"
)
_EXTRA_HINT = "pip install 'coditect-knowledge[fdb]', or use an lmdb:// store"
_CLUSTER_HINT = (
    "copy the fdb.cluster file of the cluster to this machine and name it as fdb:///path/to/fdb.cluster; "
    "it holds one line like description:id@host:4500"
)
_ANSWER_HINT = (
    "check with fdbcli that the database is configured and available, that the addresses in the cluster file can be "
    "reached from here, and that client and server have the same major and minor version; then run it again"
)
_AGAIN_HINT = "run it again: what was written already is found, and nothing is written twice"
_SPAWN_HINT = "start the process with spawn and open the store in it"


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
    """Options of one transaction; kept through ``on_error``."""

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
    def exact(self) -> int: ...


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
        raise Unavailable("FoundationDB was in use before a fork", hint=_SPAWN_HINT)
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
            "the cluster file cannot be read", hint=_CLUSTER_HINT, path=str(path), reason=str(error)
        ) from error
    content = [line.strip() for line in lines if line.strip() and not line.lstrip().startswith("#")]
    if len(content) != 1 or not _CONNECTION.fullmatch(content[0]):
        raise Unavailable("not a cluster file", hint=_CLUSTER_HINT, path=str(path))


_TOO_LARGE = {
    2101: ("a transaction is too large for the cluster", "write and read in smaller batches"),
    2102: ("a key is too long for the cluster", "hash its longest part"),
    2103: ("a value is too long for the cluster", "split it over several keys"),
}
_UNAVAILABLE = {
    1007: (
        "a transaction lasted longer than the cluster keeps its snapshot, 5 s",
        "read smaller pages; if it was short, the cluster is overloaded: run it again later",
    ),
    1009: ("the cluster is behind", _ANSWER_HINT),
    1021: ("whether a commit was made is not known", _AGAIN_HINT),
    1025: ("a transaction was cancelled", _AGAIN_HINT),
    TIMED_OUT: ("the cluster does not answer", _ANSWER_HINT),
    1037: ("the cluster is behind", _ANSWER_HINT),
    1038: ("the database is locked", "a restore or an administrator locked it; run it again when it is unlocked"),
    1039: ("the cluster's version changed", _AGAIN_HINT),
    1515: ("the cluster file cannot be read", _CLUSTER_HINT),
    2104: ("not a cluster file", _CLUSTER_HINT),
}


def translated(error: NativeError, url: str) -> StoreError:
    """A FoundationDB error that ends a transaction, as the port's.

    Args:
        error: FoundationDB's.
        url: of the store.

    Source: FoundationDB 7.3, "Error codes".
    """
    code, reason = error.code, error.description.decode("utf-8", "replace")
    if code == NOT_COMMITTED:
        return Conflict("retries ran out", hint="other writers came first each time; try again", url=url, code=code)
    if code in _TOO_LARGE:
        message, hint = _TOO_LARGE[code]
        return TooLarge(message, hint=hint, url=url, code=code, reason=reason)
    message, hint = _UNAVAILABLE.get(code, ("the cluster refuses to go on", _ANSWER_HINT))
    return Unavailable(message, hint=hint, url=url, code=code, reason=reason)
