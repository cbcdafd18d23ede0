"""Carrying erasures out: a plan that outlives the process, removal in bounded steps, the search, and the certificate at the end.

Every step can be killed and done again. Until the plan is whole nothing goes, and it is made again; from then on the tombstone says
what goes, and whoever comes next removes what is left of it. The certificate is the last write, with the end of the plan.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import coditect
from coditect.engine.port import Transaction
from coditect.errors import Conflict
from coditect.integrity.sweeping.claim import SweepClaim
from coditect.integrity.sweeping.removal import Removal
from coditect.integrity.sweeping.sweep import sweep
from coditect.knowledge.erasure.plan import ErasurePlan, load_plan, save_parts, set_head
from coditect.knowledge.erasure.planning import make_plan
from coditect.knowledge.erasure.search import search_words
from coditect.knowledge.progress import Clock, Progress, silent
from coditect.schemas import CompactionOwed, Erasure, ErasureCertificate, LegalHold
from coditect.store.blobs import put_blobs
from coditect.store.intake.compactions import owe_compaction
from coditect.store.intake.erasures import holds_in, holds_over, pending_erasures
from coditect.store.rows import item_rows, record_tables
from coditect.store.store import Store
from coditect.store.work import REGISTRAR, Registrar
from coditect.transparency.events import append_event, event_of

__all__ = ["ErasureOutcome", "Surroundings", "finish_erasures"]

_TABLES = tuple(table for table in reversed(record_tables()) if table != "corpus")


@dataclass(frozen=True, slots=True)
class ErasureOutcome:
    """What became of an erasure.

    Attributes:
        erasure: what was asked.
        state: done; held: a legal hold refuses it until it ends; at work: somebody builds or ingests, the next command goes on;
            words left: the search found some, and there is no certificate.
        certificate: of one that is done.
        holds: that refuse it.
        reason: why it is not done.
        found: where words are left.
    """

    erasure: Erasure
    state: Literal["done", "held", "at work", "words left"]
    certificate: ErasureCertificate | None = None
    holds: tuple[LegalHold, ...] = ()
    reason: str = ""
    found: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What an erasure reaches beside the store.

    Attributes:
        clock: tells the time of the certificate.
        random: gives so many random bytes.
        forget: removes search replicas of a corpus, and says which could not be removed.
        places: files and folders that are looked through at the end: caches, spools, exports.
        registrar: tells who is at work.
        erased: called once an erasure has its certificate: an embedded store's file then still holds what was removed.
    """

    clock: Clock
    random: Callable[[int], bytes]
    forget: Callable[[str], Sequence[str]] = lambda corpus_id: ()
    places: tuple[Path, ...] = ()
    registrar: Registrar = REGISTRAR
    erased: Callable[[], None] = lambda: None


def finish_erasures(
    store: Store, corpus_id: str, around: Surroundings, progress: Progress = silent
) -> list[ErasureOutcome]:
    """Carry out every erasure of a corpus that was asked for and is not done; one that a hold refuses waits.

    Args:
        store: the tenant's store.
        corpus_id: the corpus.
        around: what it reaches beside the store.
        progress: told as rows are read and removed.
    """
    return [_finish(store, each, around, progress) for each in pending_erasures(store, corpus_id)]


def _finish(store: Store, erasure: Erasure, around: Surroundings, progress: Progress) -> ErasureOutcome:
    corpus_id = erasure.corpus_id
    plan = load_plan(store, corpus_id, erasure.erasure_id)
    if plan is None:
        held = holds_over(holds_in(store, corpus_id), erasure.document_ids)
        if held:
            return ErasureOutcome(erasure, "held", holds=tuple(held), reason=_named(held))
        # Bytes that killed work left belong to nobody, so nobody could tell that they go.
        sweep(store, corpus_id, apply=True, registrar=around.registrar, progress=progress)
    claim = SweepClaim(store, corpus_id, around.registrar)
    working = claim.take()
    if working is not None:
        return ErasureOutcome(erasure, "at work", reason=f"{working.what}, by {working.owner}")
    try:
        if plan is None:
            progress("planning the erasure", 0, 0)
            plan = make_plan(store, erasure, around.random(16))
            held = _begin(store, erasure, plan, claim)
            if held:
                return ErasureOutcome(erasure, "held", holds=tuple(held), reason=_named(held))
        bulk = store.for_bulk("erase")
        Removal(bulk, corpus_id, claim, plan, lambda table: progress(f"erasing {table}", 0, 0), _TABLES).run()
        unremoved = around.forget(corpus_id)
        found = search_words(
            bulk, corpus_id, plan.key, plan.runs, around.places, lambda done: progress("searching", done, 0)
        )
        if found.found:
            return ErasureOutcome(erasure, "words left", reason="the search found some of its words", found=found.found)
        stays = (*plan.stays, *(f"a copy that another process may have open: {each}" for each in unremoved))
        certificate = ErasureCertificate.create(
            corpus_id=corpus_id,
            erasure_id=erasure.erasure_id,
            tombstone_id=plan.tombstone(corpus_id, erasure.erasure_id).tombstone_id,
            at=around.clock(),
            removed=plan.counts,
            stays=stays,
            scan=found,
            release=coditect.__version__,
        )
        _end(store, erasure, certificate, claim)
        around.erased()
        return ErasureOutcome(erasure, "done", certificate)
    except Conflict as stopped:
        return ErasureOutcome(erasure, "at work", reason=stopped.message)
    finally:
        claim.release()


def _begin(store: Store, erasure: Erasure, plan: ErasurePlan, claim: SweepClaim) -> list[LegalHold]:
    """Make the plan the one that is carried out, with its tombstone; the holds that refuse it, if there are any now."""
    corpus_id = erasure.corpus_id
    count = save_parts(store, corpus_id, erasure.erasure_id, plan)
    stone = item_rows(store.keys, plan.tombstone(corpus_id, erasure.erasure_id))
    put_blobs(store.engine, store.keys, stone.blobs)

    def body(transaction: Transaction) -> list[LegalHold]:
        claim.require(transaction)
        held = holds_over(holds_in(store, corpus_id, transaction), erasure.document_ids)
        if not held:
            transaction.set(*stone.record)
            set_head(transaction, store, corpus_id, erasure.erasure_id, count)
        return held

    return store.update(body)


def _end(store: Store, erasure: Erasure, certificate: ErasureCertificate, claim: SweepClaim) -> None:
    """Write the certificate, its event and that the file is to be compacted, and forget the plan with its key."""
    owed = CompactionOwed(corpus_id=erasure.corpus_id, erasure_id=erasure.erasure_id, at=certificate.at)
    row = item_rows(store.keys, certificate).record
    subject, by = certificate.certificate_id, store.acting.by
    event = event_of("erased", erasure.corpus_id, certificate, subject=subject, at=certificate.at, by=by)

    def body(transaction: Transaction) -> None:
        if transaction.get(row[0]) is None:
            claim.require(transaction)
            transaction.set(*row)
            transaction.clear_range(*store.keys.bounds("erasing", erasure.corpus_id, erasure.erasure_id))
            append_event(transaction, store.keys, event)
            owe_compaction(transaction, store, owed)

    store.update(body)


def _named(holds: Sequence[LegalHold]) -> str:
    return "; ".join(f"legal hold '{each.matter}' by {each.by} since {each.at}: {each.reason}" for each in holds)
