"""The list of erasures: a small file beside the backups, by which a store that is restored from one is erased again.

Each line is an erasure as it is stored, as JSON; there is no word of a document in it, and no hash that names a file
to who has it not. Applying a line that is known does nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from coditect.errors import Corrupt, UsageError
from coditect.knowledge.erasure.request import record_erasure
from coditect.schemas import Corpus, Erasure
from coditect.store.store import Store

__all__ = ["add_to_list", "apply_list", "erasure_lines", "read_list"]


def erasure_lines(store: Store, corpus_id: str | None = None) -> Iterator[bytes]:
    """The lines of a list: every erasure that was asked for, of one corpus or of all of the tenant."""
    corpora = [corpus_id] if corpus_id is not None else [each.corpus_id for each in store.corpora()]
    for each in corpora:
        for _, erasure in store.scan("erasures", Erasure, each):
            yield erasure.payload() + b"\n"


def read_list(path: Path) -> list[Erasure]:
    """The erasures of a list.

    Raises:
        UsageError: it is not there, or a line is no erasure.
    """
    found: list[Erasure] = []
    try:
        lines = path.read_bytes().splitlines()
    except OSError as error:
        raise UsageError(
            "the list of erasures cannot be read",
            path=str(path),
            reason=str(error),
            hint="A store that was restored must not be opened without it: give the file that 'coditect knowledge erasures "
            "--output' wrote, or an empty one where nothing was ever erased.",
        ) from error
    for number, line in enumerate(lines, 1):
        try:
            found.append(Erasure.parse(line))
        except Corrupt as error:
            raise UsageError("a line is no erasure", path=str(path), line=number, reason=error.message) from error
    return found


def apply_list(store: Store, erasures: Iterable[Erasure]) -> list[str]:
    """Record erasures that the store does not know, of corpora that it has; they are carried out by whoever finishes erasures.

    Returns:
        The corpora that have something to erase now.
    """
    changed: set[str] = set()
    for each in erasures:
        if store.get("corpus", Corpus, each.corpus_id) is None:
            continue
        if store.get("erasures", Erasure, each.corpus_id, each.erasure_id) is None:
            record_erasure(store, each)
            changed.add(each.corpus_id)
    return sorted(changed)


def add_to_list(path: Path, erasures: Iterable[Erasure]) -> None:
    """Add those to a list that are not in it; the file is made where it is not there."""
    known = set(path.read_bytes().splitlines()) if path.exists() else set()
    fresh = [line for each in erasures if (line := each.payload()) not in known]
    if fresh:
        with path.open("ab") as file:
            file.write(b"".join(line + b"\n" for line in fresh))
