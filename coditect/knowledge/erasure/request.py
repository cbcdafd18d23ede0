"""Asking for an erasure: which documents are meant, what would go, and the record that makes it lasting."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from coditect.engine.port import Transaction
from coditect.errors import NotFound, UsageError
from coditect.knowledge.erasure.plan import ErasurePlan
from coditect.knowledge.erasure.planning import copies_of, make_plan, versions_of
from coditect.knowledge.erasure.repeated import carried_out
from coditect.schemas import Erasure, LegalHold, RowCount, document_id_for
from coditect.store.intake.erasures import holds_in, holds_over, pending_erasures
from coditect.store.rows import item_rows
from coditect.store.store import Store
from coditect.transparency.events import append_event, event_of

__all__ = ["ErasureForecast", "document_ids_of", "drawn_up", "forecast_erasure", "record_erasure"]


@dataclass(frozen=True, slots=True)
class ErasureForecast:
    """What an erasure would take.

    Attributes:
        documents: name by document id.
        removed: rows and bytes by table.
        stays: what is left, and why.
        runs: runs of words that are going to be looked for.
        holds: that refuse it.
    """

    documents: dict[str, str]
    removed: dict[str, RowCount]
    stays: tuple[str, ...]
    runs: int
    holds: tuple[LegalHold, ...] = field(default=())


def document_ids_of(store: Store, corpus_id: str, documents: Sequence[str]) -> tuple[str, ...]:
    """The ids of documents that are named by id or by name; also of those whose erasure has begun and waits to be gone on with.

    Raises:
        NotFound: no version of one of them is stored; the error says so where it was erased, and when.
    """
    store.corpus(corpus_id)
    waiting = {document for each in pending_erasures(store, corpus_id) for document in each.document_ids}
    found: set[str] = set()
    for each in documents:
        known = [each, document_id_for(corpus_id, each)]
        own = next((i for i in known if i in waiting or versions_of(store, corpus_id, [i])), None)
        if own is None:
            raise carried_out(store, corpus_id, each, known) or NotFound(
                "no such document in the corpus",
                document=each,
                corpus_id=corpus_id,
                hint="'coditect knowledge documents' lists them; give the id or the whole name.",
            )
        found.add(own)
    return tuple(sorted(found))


def drawn_up(
    store: Store, corpus_id: str, document_ids: Sequence[str], *, reason: str, by: str, at: str, salt: bytes
) -> Erasure:
    """An erasure as it is going to be recorded; nothing is written.

    Args:
        store: the tenant's store.
        corpus_id: the corpus.
        document_ids: of the documents.
        reason: why.
        by: who asks.
        at: when, RFC 3339.
        salt: random, 16 bytes.

    Raises:
        UsageError: the same bytes stand under another name: its words would stay.
    """
    digests = sorted({each.raw_sha256 for each in versions_of(store, corpus_id, document_ids)})
    key = salt.hex()
    erasure = Erasure.create(
        corpus_id=corpus_id,
        document_ids=tuple(sorted(document_ids)),
        reason=reason,
        by=by,
        at=at,
        salt=key,
        files=tuple(sorted(Erasure.file_mark(key, each) for each in digests)),
    )
    copies = copies_of(store, corpus_id, erasure)
    if copies:
        names = sorted(each.name for each in copies.values())
        raise UsageError(
            "the same bytes stand under other names, too",
            names=", ".join(names),
            hint="Name these documents as well (--document); else the words would stay.",
        )
    return erasure


def forecast_erasure(store: Store, erasure: Erasure, key: bytes) -> ErasureForecast:
    """What an erasure would take; nothing is written.

    Args:
        store: the tenant's store.
        erasure: as it was drawn up.
        key: random, 16 bytes; of the numbers of runs.
    """
    plan: ErasurePlan = make_plan(store, erasure, key)
    versions = versions_of(store, erasure.corpus_id, erasure.document_ids)
    holds = holds_over(holds_in(store, erasure.corpus_id), erasure.document_ids)
    names = {each.document_id: each.name for each in versions}
    return ErasureForecast(names, plan.counts, plan.stays, len(plan.runs), tuple(holds))


def record_erasure(store: Store, erasure: Erasure) -> tuple[LegalHold, ...]:
    """Write what was asked, with its event; from then on nobody is shown the documents, and no build takes them in.

    Returns:
        The holds that refuse it: then it waits for their end, and the documents stay as they are.
    """
    row = item_rows(store.keys, erasure).record
    by = store.acting.by
    event = event_of("erasure", erasure.corpus_id, erasure, subject=erasure.erasure_id, at=erasure.at, by=by)

    def body(transaction: Transaction) -> tuple[LegalHold, ...]:
        held = holds_over(holds_in(store, erasure.corpus_id, transaction), erasure.document_ids)
        if transaction.get(row[0]) is None:
            transaction.set(*row)
            append_event(transaction, store.keys, event)
        return tuple(held)

    return store.update(body)
