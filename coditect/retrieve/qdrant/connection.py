"""The way to a Qdrant: a server, or a folder that the client's local mode keeps. One family of errors comes back."""

from __future__ import annotations

import sqlite3
import warnings
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from coditect.errors import Unavailable, UsageError

if TYPE_CHECKING:
    from qdrant_client import QdrantClient

__all__ = ["answering", "is_server", "open_client", "require_client"]

IN_MEMORY = ":memory:"
TIMEOUT_S = 60

_SERVER = ("http://", "https://")


def require_client(place: str) -> None:
    """Notice that the client is missing or no place is named, without importing anything.

    Raises:
        UsageError: with the extra to install, or the way to name a place.
    """
    if not place.strip():
        raise UsageError("no place for vectors is named", hint="Use http://HOST:6333 of a Qdrant server, or a folder.")
    if find_spec("qdrant_client") is None:
        raise UsageError("vectors in Qdrant need the extra [qdrant]", hint="pip install 'coditect-knowledge[qdrant]'")


def open_client(place: str, api_key: str | None = None) -> QdrantClient:
    """A client for a vector store. A server is not asked anything yet.

    Args:
        place: http://host:6333 of a server; a folder for the client's local mode, which one process at a time may open and
            which suits up to some ten thousand units; or ":memory:".
        api_key: of a server.
    Raises:
        UsageError: the client is not installed, or the place is empty.
        Unavailable: the folder cannot be opened.
    """
    require_client(place)
    from qdrant_client import QdrantClient

    with answering(place):
        if is_server(place):
            # Asking for the version is a thread of its own that can only warn; the first request says what is wrong.
            return QdrantClient(url=place, api_key=api_key, timeout=TIMEOUT_S, check_compatibility=False)
        if place == IN_MEMORY:
            return QdrantClient(IN_MEMORY)
        folder = Path(place).expanduser()
        _require_free(folder)
        return QdrantClient(path=str(folder), force_disable_check_same_thread=True)


def _require_free(folder: Path) -> None:
    """Refuse a folder that is open. The client would too, but leaves its lock file open when it does."""
    lock_file = folder / ".lock"
    if not lock_file.is_file():
        return
    import portalocker

    with lock_file.open("r+") as file:
        try:
            portalocker.lock(file, portalocker.LockFlags.EXCLUSIVE | portalocker.LockFlags.NON_BLOCKING)
        except portalocker.exceptions.LockException as error:
            raise Unavailable(
                "the vector store's folder is open in another process",
                place=str(folder),
                hint="Wait until it is closed, or run a Qdrant server, which any number of processes may use.",
            ) from error
        portalocker.unlock(file)


def is_server(place: str) -> bool:
    """Whether a place is that of a server; else the client keeps the points itself, and compares with all of them."""
    return place.startswith(_SERVER)


class answering:  # noqa: N801 - used as a verb in a with statement
    """Turns what the client says of a vector store that does not answer into one error that tells the way out.

    Local mode advises a server above 20,000 points; that is said in :func:`open_client`, and not again on every write.

    Args:
        place: named in the error.
    """

    def __init__(self, place: str) -> None:
        self.place = place
        self._warnings = warnings.catch_warnings()

    def __enter__(self) -> None:
        """Begin to watch; a warning that is no news is left out."""
        self._warnings.__enter__()
        warnings.filterwarnings("ignore", message="Local mode is not recommended", category=UserWarning)

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: object) -> None:
        """Raise what the client says as one error."""
        self._warnings.__exit__(None, None, None)
        if error is None:
            return
        from qdrant_client.http.exceptions import ApiException

        # ValueError: local mode's, for what a server answers with 400 or 404. RuntimeError: its, for a folder in use.
        if isinstance(error, ApiException | OSError | sqlite3.Error | ValueError | RuntimeError):
            raise Unavailable(
                "the vector store does not answer",
                place=self.place,
                reason=str(error) or type(error).__name__,
                hint="Check CODITECT_QDRANT: a running server, or a folder that no other process has open. What is in it may "
                "be deleted at any time; it is filled again from the store.",
            ) from error
