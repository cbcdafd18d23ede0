"""What went by right, and what must stay: erasures, tombstones, holds and retentions, as readers and writers ask for them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from hashlib import sha256
from itertools import chain
from typing import TYPE_CHECKING, TypeVar

from coditect.engine.port import Transaction
from coditect.errors import Corrupt, NewerRecord
from coditect.schemas import Record
from coditect.store.rows import open_stored
from coditect.store.store import Store

if TYPE_CHECKING:
    from coditect.schemas import ErasedStep, ErasedSummary, Erasure, LegalHold

# Records of what went are imported where there are some: of most corpora nothing did, and a question need not wait for them.

__all__ = [
    "NOTHING_GONE",
    "GoneRows",
    "erased_since",
    "erasure_of_file",
    "gone_rows",
    "holds_in",
    "holds_over",
    "pending_erasures",
]

R = TypeVar("R", bound=Record)

_ANY_NUMBER = 10_000
"""Holds of a corpus that one transaction reads."""


@dataclass(frozen=True, slots=True)
class GoneRows:
    """The rows of a corpus that are gone, or going, by right.

    Attributes:
        rows: ids by table.
        steps: what generations commit to of derivations that are gone.
        summaries: what is left of summaries that are gone.
        documents: ids of documents that are to be erased and whose rows may still be here: nobody is shown them.
        pending: erasures that are not done.
        builds: build ids of generations that went by policy, by number.
    """

    rows: Mapping[str, frozenset[str]] = field(default_factory=dict)
    steps: Mapping[str, ErasedStep] = field(default_factory=dict)
    summaries: Mapping[str, ErasedSummary] = field(default_factory=dict)
    documents: frozenset[str] = frozenset()
    pending: tuple[Erasure, ...] = ()
    builds: Mapping[int, str] = field(default_factory=dict)

    def covers(self, table: str, item_id: str | int) -> bool:
        """Whether a row is missing by right."""
        return str(item_id) in self.rows.get(table, ())

    def hides(self, document_id: str, version_id: str) -> bool:
        """Whether a version of a document is shown to nobody."""
        return document_id in self.documents or self.covers("documents", version_id)


NOTHING_GONE = GoneRows()


def gone_rows(store: Store, corpus_id: str) -> GoneRows:
    """What is gone from a corpus, or going, by right.

    Args:
        store: the tenant's store.
        corpus_id: the corpus; it need not be visible yet.
    """
    if not any(_has_rows(store, table, corpus_id) for table in ("erasures", "retentions")):
        return NOTHING_GONE
    from coditect.schemas import Erasure, ErasureCertificate, Retention, Tombstone

    asked = _readable(store, "erasures", Erasure, corpus_id)
    kept = _readable(store, "retentions", Retention, corpus_id)
    if not asked and not kept:
        return NOTHING_GONE
    stones = _readable(store, "tombstones", Tombstone, corpus_id)
    done = {each.erasure_id for each in _readable(store, "certificates", ErasureCertificate, corpus_id)}
    begun = {each.erasure_id for each in stones}
    pending = tuple(each for each in asked if each.erasure_id not in done)
    held: list[LegalHold] = []
    with suppress(Corrupt, NewerRecord):  # where nobody can tell what is held, nobody is shown what was to be erased
        held = holds_in(store, corpus_id) if pending else []
    rows: dict[str, set[str]] = {}
    for table, ids in chain.from_iterable(stone.rows.items() for stone in stones):
        rows.setdefault(table, set()).update(ids)
    rows.setdefault("generations", set()).update(str(number) for each in kept for number in each.generations)
    return GoneRows(
        rows={table: frozenset(ids) for table, ids in rows.items()},
        steps={each: step for stone in stones for each, step in stone.steps.items()},
        summaries={each: summary for stone in stones for each, summary in stone.summaries.items()},
        documents=frozenset(
            document
            for each in pending
            if each.erasure_id in begun or not holds_over(held, each.document_ids)
            for document in each.document_ids
        ),
        pending=pending,
        builds={
            number: build for each in kept for number, build in zip(each.generations, each.build_ids, strict=False)
        },
    )


def erased_since(store: Store, corpus_id: str) -> str:
    """How far the erasures of a corpus are, 12 hex digits that change with every step of one; "" of a corpus that had none.

    Who keeps something open that shows the corpus asks this first: another process may have erased a document meanwhile.
    """
    if not _has_rows(store, "erasures", corpus_id):
        return ""
    steps = sha256()
    for table in ("erasures", "tombstones", "certificates", "holds", "releases"):
        for page in store.pages(*store.keys.bounds(table, corpus_id)):
            for key, _ in page:
                steps.update(len(key).to_bytes(4, "big") + key)
    return steps.hexdigest()[:12]


def _has_rows(store: Store, table: str, corpus_id: str) -> bool:
    return any(store.pages(*store.keys.bounds(table, corpus_id), limit=1))


def _readable(store: Store, table: str, cls: type[R], corpus_id: str) -> list[R]:
    """The records of a table that can be read; of the others validation tells."""
    found: list[R] = []
    for page in store.pages(*store.keys.bounds(table, corpus_id)):
        for row in page:
            with suppress(Corrupt, NewerRecord):
                found.append(open_stored(store.engine, store.keys, row, cls))
    return found


def pending_erasures(store: Store, corpus_id: str) -> list[Erasure]:
    """What was asked to be erased and is not done, oldest first."""
    if not _has_rows(store, "erasures", corpus_id):
        return []
    from coditect.schemas import Erasure, ErasureCertificate

    asked = [each for _, each in store.scan("erasures", Erasure, corpus_id)]
    if not asked:
        return []
    done = {each.erasure_id for _, each in store.scan("certificates", ErasureCertificate, corpus_id)}
    return sorted((each for each in asked if each.erasure_id not in done), key=lambda each: (each.at, each.erasure_id))


def holds_in(store: Store, corpus_id: str, transaction: Transaction | None = None) -> list[LegalHold]:
    """The holds of a corpus that are in force, oldest first.

    Args:
        store: the tenant's store.
        corpus_id: the corpus.
        transaction: the caller's, which then conflicts with whoever orders or releases one; None: a snapshot.
    """
    from coditect.schemas import HoldRelease, LegalHold

    def body(reading: Transaction) -> list[LegalHold]:
        def records(table: str, cls: type[R]) -> list[R]:
            rows = reading.range(*store.keys.bounds(table, corpus_id), limit=_ANY_NUMBER).rows
            return [open_stored(reading, store.keys, row, cls) for row in rows]

        ended = {each.hold_id for each in records("releases", HoldRelease)}
        held = [each for each in records("holds", LegalHold) if each.hold_id not in ended]
        return sorted(held, key=lambda each: (each.at, each.hold_id))

    return store.engine.read(body) if transaction is None else body(transaction)


def holds_over(holds: list[LegalHold], document_ids: tuple[str, ...]) -> list[LegalHold]:
    """Those of some holds that are of the whole corpus, or of one of these documents."""
    return [each for each in holds if not each.document_ids or set(each.document_ids) & set(document_ids)]


def erasure_of_file(erasures: Iterable[Erasure], raw_sha256: str) -> Erasure | None:
    """The erasure by which a file with this SHA-256 went; None where none did."""
    return next((each for each in erasures if each.knows(raw_sha256)), None)
