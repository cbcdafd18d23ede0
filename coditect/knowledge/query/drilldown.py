"""Drilling down from an item: one tier, or the whole chain of evidence to the characters."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from coditect.errors import NotFound, UsageError
from coditect.knowledge.query.sources import SourceBuilder
from coditect.schemas import CorpusSummary, DrillDown, Item, Section, Source
from coditect.store.item_ids import kind_of, locate
from coditect.store.store import Store
from coditect.store.view import View, open_view

__all__ = ["chain", "drill_down", "drill_down_from", "find_item", "read_item"]

Views = Callable[[str, int], View]
"""Opens a generation of a corpus; whoever asks often keeps some open."""


def drill_down(
    store: Store, item_id: str, *, corpus_id: str | None = None, as_of: int | None = None, views: Views | None = None
) -> list[Source]:
    """The items one tier below an item; none below Tier 1.

    Args:
        store: the tenant's store.
        item_id: of any tier; the corpus is found from it.
        corpus_id: looks in this corpus only.
        as_of: a generation; None is the current one, or the newest that holds the item.
        views: opens the current generation, or the one that is asked for; None: it is read anew.
    Raises:
        UsageError: not an item id.
        NotFound: no such item.
    """
    view, item = find_item(store, item_id, corpus_id, as_of, views)
    return SourceBuilder(view).below(item)


def drill_down_from(
    store: Store, item_id: str, *, corpus_id: str | None = None, as_of: int | None = None, views: Views | None = None
) -> DrillDown:
    """An item with the items one tier below it. Arguments and errors as :func:`drill_down`."""
    view, item = find_item(store, item_id, corpus_id, as_of, views)
    builder = SourceBuilder(view)
    return DrillDown(item_id=item_id, item=builder.source(item, deep=False), sources=tuple(builder.below(item)))


def chain(
    store: Store, item_id: str, *, corpus_id: str | None = None, as_of: int | None = None, views: Views | None = None
) -> Source:
    """An item with its whole chain of evidence. Arguments and errors as :func:`drill_down`."""
    view, item = find_item(store, item_id, corpus_id, as_of, views)
    return SourceBuilder(view).source(item, deep=True)


def read_item(
    store: Store, item_id: str, *, corpus_id: str | None = None, as_of: int | None = None, views: Views | None = None
) -> Item:
    """An item of any kind, with what was erased left out. Arguments and errors as :func:`drill_down`."""
    if item_id.startswith(FINDING):
        return _find_finding(store, item_id, corpus_id, as_of)[1]
    view, item = _find_by_id(store, item_id, corpus_id, as_of, views)
    if isinstance(item, CorpusSummary):
        return view.summary
    if isinstance(item, Section) and item.section_id not in view.section_by_id:
        raise NotFound("unknown item", item_id=item_id)  # it quotes a document that is on its way out
    return item


FINDING = "finding_"
"""What the ids of findings begin with."""


def find_item(
    store: Store, item_id: str, corpus_id: str | None, as_of: int | None, views: Views | None = None
) -> tuple[View, Item]:
    """(view, item) by the item's id alone.

    An item that the current generation no longer holds is looked for in earlier ones, newest first: an id in an old
    report still leads to its evidence.

    Args:
        store: the tenant's store.
        item_id: of an item of any tier, or of a finding.
        corpus_id: look in this corpus only; None: in all.
        as_of: look in this generation only; None: in all, the newest first.
        views: opens generations that are kept open; None: each is opened anew.

    Raises:
        NotFound: no such item.
        UsageError: not an id, or one of what stands in no tier.
    """
    if item_id.startswith(FINDING):
        return _find_finding(store, item_id, corpus_id, as_of)
    if kind_of(item_id) in ("version", "verdict"):
        raise UsageError(
            "this item stands in no tier", item_id=item_id, hint="Ask for a claim, section, chunk or extraction."
        )
    return _find_by_id(store, item_id, corpus_id, as_of, views)


def _find_by_id(
    store: Store, item_id: str, corpus_id: str | None, as_of: int | None, views: Views | None
) -> tuple[View, Item]:
    kind_of(item_id)  # what is no id is refused as such
    corpora = list(dict.fromkeys(found for found, _ in locate(store, item_id)))
    for each in corpora:
        if corpus_id not in (None, each):
            continue
        newest = store.corpus(each).generation
        for generation in [as_of] if as_of is not None else range(newest, 0, -1):
            opened = views if views is not None and generation in (as_of, newest) else partial(open_view, store)
            view = opened(each, generation)
            try:
                return view, view.find(item_id)
            except NotFound:
                continue
    raise NotFound(
        "unknown item",
        item_id=item_id,
        hint="Item ids are printed by 'coditect knowledge query'; check tenant, corpus and --as-of.",
    )


def _find_finding(store: Store, finding_id: str, corpus_id: str | None, as_of: int | None) -> tuple[View, Item]:
    """A claim by the id of what it finds, in the newest generation that tells it; several corpora may."""
    for each in sorted(corpus.corpus_id for corpus in store.corpora()):
        if corpus_id not in (None, each):
            continue
        newest = store.corpus(each).generation
        for generation in [as_of] if as_of is not None else range(newest, 0, -1):
            view = open_view(store, each, generation)
            if finding_id in view.claim_by_finding:
                return view, view.claim_by_finding[finding_id]
    raise NotFound(
        "unknown finding",
        finding_id=finding_id,
        hint="The audit report and 'coditect knowledge build' print the ids of findings; check tenant, corpus and --as-of.",
    )
