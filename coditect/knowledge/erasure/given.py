"""Copies of a corpus that left the store, as its log knows them: archives, reports and bundles, which no erasure reaches."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from operator import attrgetter

from coditect.keyspace import unseal
from coditect.schemas import Generation, LogAct
from coditect.store.store import Store
from coditect.store.view import open_view

__all__ = ["MOST_TOLD", "copies_given"]

MOST_TOLD = 20
"""Copies that are named one by one, the newest of them; of the others there is their number."""


def copies_given(store: Store, corpus_id: str, document_ids: Collection[str]) -> tuple[str, ...]:
    """A sentence for each copy that left the store while a generation held one of some documents, the newest first.

    An archive holds all generations up to its own; a report or a bundle quotes one.

    Args:
        store: the tenant's store.
        corpus_id: the corpus.
        document_ids: of what is to be erased.
    """
    acts = sorted(_given(store, corpus_id), key=attrgetter("at"), reverse=True)
    if not acts:
        return ()
    holding = [each for each in _generations(store, corpus_id) if _holds(store, corpus_id, each, document_ids)]
    told = [_told(each) for each in acts if _held(each, holding)]
    more = len(told) - MOST_TOLD
    return (*told[:MOST_TOLD], *((f"{more} more copies that left the store, earlier",) if more > 0 else ()))


def _given(store: Store, corpus_id: str) -> Iterator[LogAct]:
    """What left, once each: a report is logged as it is collected, and again with its file where one was written."""
    keys = store.keys
    for page in store.pages(*keys.bounds("log/acts")):
        for key, value in page:
            act = LogAct.parse(unseal(keys.relative(key), value)[1])
            if act.corpus_id == corpus_id and act.kind in ("export", "report"):
                yield act


def _generations(store: Store, corpus_id: str) -> list[int]:
    return sorted(each.generation for _, each in store.scan("generations", Generation, corpus_id))


def _holds(store: Store, corpus_id: str, generation: int, document_ids: Collection[str]) -> bool:
    view = open_view(store, corpus_id, generation)
    return any(each in document_ids for each in (*view.entries, *view.erased_entries))


def _held(act: LogAct, holding: list[int]) -> bool:
    generation = act.details.get("generation")
    if not holding or not isinstance(generation, int):
        return False
    return min(holding) <= generation if act.kind == "export" else generation in holding


def _told(act: LogAct) -> str:
    what = "archive" if act.kind == "export" else str(act.details.get("what", "report"))
    file = f" {act.details['file']}" if act.details.get("file") else ""
    return f"whoever has it keeps the words: {what}{file} of generation {act.details.get('generation')}, made {act.at}"
