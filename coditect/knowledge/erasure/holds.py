"""Legal holds: ordered and ended by name and for a reason; what was asked meanwhile is carried out when the last one ends."""

from __future__ import annotations

from collections.abc import Sequence

from coditect.engine.port import Transaction
from coditect.errors import Conflict, NotFound
from coditect.schemas import HoldRelease, LegalHold
from coditect.store.intake.erasures import holds_in, pending_erasures
from coditect.store.rows import item_rows
from coditect.store.store import Store
from coditect.transparency.events import append_event, event_of

__all__ = ["order_hold", "release_hold"]


def order_hold(
    store: Store, corpus_id: str, document_ids: Sequence[str], *, matter: str, reason: str, by: str, at: str
) -> LegalHold:
    """Order that documents, or the whole corpus, be kept.

    Args:
        store: the tenant's store.
        corpus_id: the corpus.
        document_ids: empty: all of it.
        matter: the case that it serves.
        reason: why.
        by: who orders it.
        at: when, RFC 3339.

    Raises:
        NotFound: no such corpus.
        Conflict: one of them is being erased: part of it may be gone.
    """
    store.corpus(corpus_id)
    hold = LegalHold.create(
        corpus_id=corpus_id, document_ids=tuple(sorted(document_ids)), matter=matter, reason=reason, by=by, at=at
    )
    row = item_rows(store.keys, hold).record
    event = event_of("hold", corpus_id, hold, subject=hold.hold_id, at=at, by=store.acting.by)
    asked = pending_erasures(store, corpus_id)

    def body(transaction: Transaction) -> None:
        begun = {
            store.keys.parts("erasing", key)[1]
            for each in asked
            for key, _ in transaction.range(*store.keys.bounds("erasing", corpus_id, each.erasure_id), limit=1).rows
        }
        for each in asked:
            touched = not hold.document_ids or set(hold.document_ids) & set(each.document_ids)
            if each.erasure_id in begun and touched:
                raise Conflict(
                    "an erasure of it has begun, and part of it may be gone",
                    corpus_id=corpus_id,
                    erasure_id=each.erasure_id,
                    hint="It cannot be held any more; 'coditect knowledge erasures' shows who asked for it.",
                )
        if transaction.get(row[0]) is None:
            transaction.set(*row)
            append_event(transaction, store.keys, event)

    store.update(body)
    return hold


def release_hold(store: Store, corpus_id: str, hold_id: str, *, reason: str, by: str, at: str) -> HoldRelease:
    """End a hold.

    Raises:
        NotFound: no such hold is in force.
    """
    held = {each.hold_id for each in holds_in(store, corpus_id)}
    if hold_id not in held:
        raise NotFound(
            "no such hold is in force",
            hold_id=hold_id,
            corpus_id=corpus_id,
            hint="'coditect knowledge holds' lists those in force.",
        )
    release = HoldRelease.create(corpus_id=corpus_id, hold_id=hold_id, reason=reason, by=by, at=at)
    row = item_rows(store.keys, release).record
    event = event_of("release", corpus_id, release, subject=release.release_id, at=at, by=store.acting.by)

    def body(transaction: Transaction) -> None:
        if transaction.get(row[0]) is None:
            transaction.set(*row)
            append_event(transaction, store.keys, event)

    store.update(body)
    return release
