"""Relevance marks: somebody's word on whether an item answers a question. They are added, never changed."""

from __future__ import annotations

from collections import defaultdict

from coditect.errors import UsageError
from coditect.schemas import Claim, Extraction, Granularity, Item, RelevanceMark, Section
from coditect.store.items import write_logged
from coditect.store.rows import item_rows
from coditect.store.store import Store
from coditect.store.view import View
from coditect.transparency.events import event_of

__all__ = ["documents_of", "mark", "marks_in_force", "tier_of"]


def mark(store: Store, view: View, query: str, item_id: str, *, relevant: bool, by: str, at: str) -> RelevanceMark:
    """Store whether an item of a generation answers a question.

    Args:
        store: where.
        view: the generation that the judge looked at.
        query: the question.
        item_id: of a claim, a section, a chunk, a passage or an extraction of that generation.
        relevant: whether it answers.
        by: who judges.
        at: now, RFC 3339, UTC.
    Returns:
        the mark; the one that is in force already where the same person said the same.

    Raises:
        NotFound: no such item in this generation.
        UsageError: not the id of an item that answers questions, or a field is empty.
    """
    query, by = " ".join(query.split()), " ".join(by.split())
    if not query or not by:
        raise UsageError("a mark names the question and who judges", query=query, by=by)
    item = view.find(item_id)
    tier = tier_of(item)
    before = marks_in_force(store, view.corpus_id).get((query, item_id), ())
    if len(before) == 1 and (before[0].relevant, before[0].by) == (relevant, by):
        return before[0]
    made = RelevanceMark.create(
        corpus_id=view.corpus_id,
        query=query,
        tier=tier,
        judged_id=item_id,
        documents=documents_of(view, item),
        relevant=relevant,
        by=by,
        at=at,
        follows=tuple(each.mark_id for each in before),
        salt=store.acting.salts(),
    )
    event = event_of("mark", view.corpus_id, made, subject=made.mark_id, at=at, by=store.acting.by)
    write_logged(store.engine, store.keys, [(item_rows(store.keys, made), event)])
    return made


def marks_in_force(store: Store, corpus_id: str) -> dict[tuple[str, str], tuple[RelevanceMark, ...]]:
    """By question and item the marks that no other follows, ordered by time and id."""
    every = [each for _, each in store.scan("marks", RelevanceMark, corpus_id)]
    followed = {each for made in every for each in made.follows}
    found: dict[tuple[str, str], list[RelevanceMark]] = defaultdict(list)
    for made in every:
        if made.mark_id not in followed:
            found[made.query, made.judged_id].append(made)
    return {key: tuple(sorted(found[key], key=lambda m: (m.at, m.mark_id))) for key in sorted(found)}


def tier_of(item: Item) -> Granularity:
    """The granularity at which an item answers.

    Raises:
        UsageError: it answers at none.
    """
    if isinstance(item, Extraction):
        return "proposition" if item.extraction_kind == "proposition" else "extraction"
    tiers: dict[str, Granularity] = {"claim": "corpus", "section": "section", "chunk": "chunk", "passage": "passage"}
    if item.record_kind not in tiers:
        raise UsageError(
            "no question is answered with such an item",
            item_id=item.item_id,
            hint="Mark what 'coditect knowledge query' returns: a claim, a section, a chunk, a passage or an extraction.",
        )
    return tiers[item.record_kind]


def documents_of(view: View, item: Item) -> tuple[str, ...]:
    """Ids of the documents that an item rests on, in the order of its citations."""
    if isinstance(item, Claim):
        sections = view.section_by_id
        parts = [sections[each.section_id].content[each.part] for each in item.citations if each.section_id in sections]
    elif isinstance(item, Section):
        parts = list(item.content)
    else:
        return (str(getattr(item, "document_id")),)  # noqa: B009 - items below Tier 3 are of one document, Item does not say so
    cited = (part.citation.document_id for part in parts if part.citation is not None)
    return tuple(dict.fromkeys(cited)) or (item.item_id,)
