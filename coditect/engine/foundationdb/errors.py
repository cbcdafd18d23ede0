"""FoundationDB's errors, and what they mean for who uses a store."""

from __future__ import annotations

from typing import Final, Protocol

from coditect.errors import Conflict, StoreError, TooLarge, Unavailable

__all__ = ["CLUSTER_HINT", "PASSING", "TIMED_OUT", "translated"]

NOT_COMMITTED: Final = 1020
TIMED_OUT: Final = 1031
NO_ROOM: Final = 1051
THROTTLED: Final = 1213
THROTTLED_LONG: Final = 1223

PASSING: Final = frozenset({NOT_COMMITTED, NO_ROOM, THROTTLED, THROTTLED_LONG})
"""What a cluster that answers may say until the time is up."""

CLUSTER_HINT = (
    "copy the fdb.cluster file of the cluster to this machine and name it as fdb:///path/to/fdb.cluster; "
    "it holds one line like description:id@host:4500"
)
_ANSWER_HINT = (
    "check with fdbcli that the database is configured and available, that the addresses in the cluster file can be "
    "reached from here, and that client and server have the same major and minor version; then run it again"
)
_AGAIN_HINT = "run it again: what was written already is found, and nothing is written twice"
_BUSY_HINT = (
    "it serves queries first, and is busy with them, or has lost a machine: look at 'fdbcli --exec status', and run it again "
    "when there is room; what was written already is found"
)
_THROTTLED_HINT = (
    "an operator gave its tag, coditect/<kind of work>, a quota, or the cluster is busy with it: 'quota get' and 'throttle list' "
    "of fdbcli tell; run it again later: what was written already is found"
)


class NativeFailure(Protocol):
    """What ``fdb.FDBError`` tells."""

    @property
    def code(self) -> int:
        """FoundationDB's error number."""
        ...

    @property
    def description(self) -> bytes:
        """FoundationDB's own words."""
        ...


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
    NO_ROOM: ("the cluster has no room for bulk work", _BUSY_HINT),
    THROTTLED: ("the cluster throttles this kind of work", _THROTTLED_HINT),
    THROTTLED_LONG: ("the cluster throttles this kind of work", _THROTTLED_HINT),
    1515: ("the cluster file cannot be read", CLUSTER_HINT),
    2104: ("not a cluster file", CLUSTER_HINT),
}


def translated(error: NativeFailure, url: str, *, bulk: bool = False) -> StoreError:
    """A FoundationDB error that ends a transaction, as the port's.

    Args:
        error: FoundationDB's.
        url: of the store.
        bulk: the transaction had batch priority, which a busy cluster may let wait until its time is up.

    Source: FoundationDB 7.3, "Error codes".
    """
    code, reason = error.code, error.description.decode("utf-8", "replace")
    if code == NOT_COMMITTED:
        return Conflict("retries ran out", hint="other writers came first each time; try again", url=url, code=code)
    if code in _TOO_LARGE:
        message, hint = _TOO_LARGE[code]
        return TooLarge(message, hint=hint, url=url, code=code, reason=reason)
    message, hint = _UNAVAILABLE.get(code, ("the cluster refuses to go on", _ANSWER_HINT))
    if bulk and code == TIMED_OUT:
        message, hint = "the cluster does not answer, or has no room for bulk work", f"{_ANSWER_HINT}; {_BUSY_HINT}"
    return Unavailable(message, hint=hint, url=url, code=code, reason=reason)
