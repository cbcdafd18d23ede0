"""A sweep: what nothing refers to is found, said, and, where that is asked for, removed."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Literal

from coditect.errors import Conflict
from coditect.integrity.sweeping.claim import SweepClaim
from coditect.integrity.sweeping.inventory import Advance, Inventory, take_inventory
from coditect.integrity.sweeping.removal import Removal
from coditect.schemas import CorpusSweep, RowCount, SweepReport, Work
from coditect.store.intake.erasures import holds_in
from coditect.store.store import Store
from coditect.store.work import REGISTRAR, Registrar, work_under_way

__all__ = ["sweep"]

MOST_NAMED = 5
"""Damaged rows that are named."""

BULK = "sweep"
"""What kind of work the engine is told that this is."""

Progress = Callable[[str, int, int], None]


def sweep(
    store: Store,
    corpus_id: str | None = None,
    *,
    apply: bool = False,
    registrar: Registrar = REGISTRAR,
    progress: Progress = lambda stage, done, total: None,
) -> SweepReport:
    """Find the rows that nothing refers to, and remove them. Readers of every generation go on undisturbed.

    A corpus is left alone while somebody builds it or takes documents in, and where what its generations need is damaged: then
    nobody knows what the damaged rows referred to.

    Args:
        store: the tenant's store.
        corpus_id: the corpus; None for every corpus of the tenant.
        apply: remove; else nothing is written at all.
        registrar: tells the time, and who is at work.
        progress: told (stage, done, total) of pages, of which the total is not known.
    Raises:
        NotFound: no such corpus.
    """
    begin = time.perf_counter()
    pages: Counter[str] = Counter()

    def telling(stage: str) -> Advance:
        def advance(table: str) -> None:
            pages[f"{stage} {table}"] += 1
            progress(f"{stage} {table}", pages[f"{stage} {table}"], 0)

        return advance

    corpora = [store.corpus(corpus_id)] if corpus_id is not None else store.corpora()
    found = []
    for corpus in corpora:
        if apply:
            found.append(_swept(store, corpus.corpus_id, registrar, telling("reading"), telling("sweeping")))
        else:
            found.append(_looked_through(store, corpus.corpus_id, registrar, telling("reading")))
    return SweepReport(applied=apply, corpora=tuple(found), seconds=round(time.perf_counter() - begin, 3))


def _looked_through(store: Store, corpus_id: str, registrar: Registrar, advance: Advance) -> CorpusSweep:
    inventory = take_inventory(store.for_bulk(BULK), corpus_id, advance)
    working = store.engine.read(lambda transaction: work_under_way(transaction, store, corpus_id))
    reason = "; ".join(inventory.damage[:MOST_NAMED])
    alive = [work for work in working if registrar.alive(work)]
    if not reason and alive:
        reason = f"{_described(alive[0])}: what it has written, and nothing refers to yet, is counted as dead"
    return _outcome(corpus_id, "damaged" if inventory.damage else "found", inventory, reason=reason)


def _swept(store: Store, corpus_id: str, registrar: Registrar, reading: Advance, sweeping: Advance) -> CorpusSweep:
    held = holds_in(store, corpus_id)
    if held:
        reason = "; ".join(f"legal hold '{each.matter}' by {each.by} since {each.at}: {each.reason}" for each in held)
        return _outcome(corpus_id, "held", Inventory(), reason=reason)
    claim = SweepClaim(store, corpus_id, registrar)
    working = claim.take()
    if working is not None:
        return _outcome(corpus_id, "at work", Inventory(), reason=_described(working))
    try:
        bulk = store.for_bulk(BULK)
        inventory = take_inventory(bulk, corpus_id, reading)
        if inventory.damage:
            return _outcome(corpus_id, "damaged", inventory, reason="; ".join(inventory.damage[:MOST_NAMED]))
        removal = Removal(bulk, corpus_id, claim, inventory, sweeping)
        try:
            removal.run()
        except Conflict as stopped:
            return _outcome(corpus_id, "at work", inventory, removal.removed.by_table, stopped.message)
        return _outcome(corpus_id, "swept", inventory, removal.removed.by_table)
    finally:
        claim.release()


def _outcome(
    corpus_id: str,
    state: Literal["found", "swept", "at work", "damaged", "held"],
    inventory: Inventory,
    removed: dict[str, RowCount] | None = None,
    reason: str = "",
) -> CorpusSweep:
    return CorpusSweep(
        corpus_id=corpus_id,
        state=state,
        reason=reason,
        live=inventory.live.by_table,
        dead=inventory.dead.by_table,
        removed=removed or {},
    )


def _described(work: Work) -> str:
    since = datetime.fromtimestamp(work.since, UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
    return f"work is under way since {since}: {work.what}, by {work.owner}"
