"""The changes page: what differs between two generations, provision by provision, and what rests on it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from coditect.schemas import AffectedItem, ChangedSide, CorpusChanges, Generation, ProvisionChange
from coditect.server.explorer.links import PageLinks
from coditect.server.explorer.paging import ListPage, page_of
from coditect.server.explorer.shown.reading.pieces import MarkedPiece, Overlay
from coditect.server.explorer.shown.wording import CHANGE_NAMES
from coditect.server.explorer.visit import Visit
from coditect.store.generations import generations

__all__ = ["AffectedRow", "ChangeRow", "Changes", "ProvisionShown", "changes_page"]

CHANGES = 15
"""Changes of a page."""


@dataclass(frozen=True, slots=True)
class ProvisionShown:
    """A provision in one of the two states.

    Attributes:
        place: the number that a person would cite, and the heading.
        pieces: its words; those that differ are highlighted.
        href: the words in that version.
    """

    place: str
    pieces: tuple[MarkedPiece, ...]
    href: str


@dataclass(frozen=True, slots=True)
class ChangeRow:
    """What happened to one provision.

    Attributes:
        document: its name.
        number: of the change in its document's list.
        kind: what happened, in words.
        duty: whether what is asked differs: "changed", "same" or "none".
        before: None for what was added.
        after: None for what was removed.
        fields: (field, before, after) of the duty.
        carried: how many provisions below it moved with it.
    """

    document: str
    number: int
    kind: str
    duty: str
    before: ProvisionShown | None
    after: ProvisionShown | None
    fields: tuple[tuple[str, str, str], ...]
    carried: int


@dataclass(frozen=True, slots=True)
class AffectedRow:
    """A line of the work list: what rests on what changed."""

    kind: str
    text: str
    where: str
    reason: str
    owner: str
    href: str


@dataclass(frozen=True, slots=True)
class Changes:
    """The page.

    Attributes:
        before: number of the earlier generation.
        after: of the later one.
        generations: (number, when it was built), newest first.
        show: "affected" for the work list, else "".
        only: "duty" for changes of duties alone, else "".
        document: that the list is restricted to; "" for all.
        documents: (name, what became of it, changes) of those that differ.
        counts: (kind of change, how many).
        unchanged: documents that are as they were.
        page: the changes.
        affected: the work list.
        affected_count: how long that is.
    """

    before: int
    after: int
    generations: tuple[tuple[int, str], ...]
    show: str
    only: str
    document: str
    documents: tuple[tuple[str, str, int], ...]
    counts: tuple[tuple[str, int], ...]
    unchanged: int
    page: ListPage[ChangeRow]
    affected: ListPage[AffectedRow]
    affected_count: int


def history(visit: Visit) -> tuple[Generation, ...]:
    """The generations that are still there, newest first."""
    return tuple(reversed(list(generations(visit.knowledge.store, visit.corpus_id))))


def changes_page(
    visit: Visit, found: CorpusChanges, before: int, after: int, number: int, *, show: str, only: str, document: str
) -> Changes:
    """Make the page.

    Args:
        visit: who asks, and of what.
        found: what differs between the two generations.
        before: the earlier generation.
        after: the later one.
        number: of the page, from 1.
        show: "affected" for the work list.
        only: "duty" for changes of duties alone.
        document: name of the document that the list is restricted to.
    """
    every = [
        (each.document, change)
        for each in found.documents
        for change in each.changes
        if document in ("", each.document) and (only != "duty" or change.duty == "changed")
    ]

    def link(page: int) -> str:
        return visit.links.to("changes", before=before, after=after, show=show, only=only, document=document, page=page)

    shown = page_of(every, number if show != "affected" else 1, link, CHANGES)
    work = page_of(found.affected, number if show == "affected" else 1, link, CHANGES)
    former, later = visit.links.at(before), visit.links.at(after if after != visit.current else None)
    rows = tuple(_row(name, change, former, later) for name, change in shown.rows)
    affected = tuple(_affected(visit, each) for each in work.rows)
    kinds = Counter(change.kind for each in found.documents for change in each.changes)
    return Changes(
        before=before,
        after=after,
        generations=tuple((g.generation, g.created_at) for g in history(visit)),
        show=show,
        only=only,
        document=document,
        documents=tuple((each.document, each.status, len(each.changes)) for each in found.documents),
        counts=tuple((CHANGE_NAMES[kind], kinds[kind]) for kind in CHANGE_NAMES if kinds[kind]),
        unchanged=found.unchanged_documents,
        page=ListPage(rows, shown.number, shown.first, shown.total, shown.previous, shown.next),
        affected=ListPage(affected, work.number, work.first, work.total, work.previous, work.next),
        affected_count=len(found.affected),
    )


def _row(document: str, change: ProvisionChange, former: PageLinks, later: PageLinks) -> ChangeRow:
    olds = [each.before for each in change.words]
    news = [each.after for each in change.words]
    return ChangeRow(
        document=document,
        number=change.number,
        kind=CHANGE_NAMES[change.kind],
        duty=change.duty,
        before=None if change.before is None else _side(change.before, olds, former),
        after=None if change.after is None else _side(change.after, news, later),
        fields=tuple((each.field, each.before, each.after) for each in change.fields),
        carried=len(change.carried),
    )


def _side(side: ChangedSide, words: Iterable[str], links: PageLinks) -> ProvisionShown:
    return ProvisionShown(
        place=" · ".join(filter(None, ("" if side.heading.startswith(side.place) else side.named, side.heading))),
        pieces=Overlay(_found(side.text, words)).pieces(side.text, 0, len(side.text)),
        href=links.place(side.version_id, side.char_start, side.char_end),
    )


def _found(text: str, words: Iterable[str]) -> Sequence[tuple[int, int]]:
    """Where words stand in a text, one after another."""
    found, at = [], 0
    for each in words:
        start = text.find(each, at) if each else -1
        if start >= 0:
            at = start + len(each)
            found.append((start, at))
    return found


_AFFECTED = {
    "decision": "Decision of a person",
    "claim": "Finding",
    "reference": "Reference to it",
    "statement": "May say the same",
}


def _affected(visit: Visit, item: AffectedItem) -> AffectedRow:
    is_item = item.item_id.partition("_")[0] in ("claim", "extraction", "section", "chunk")
    return AffectedRow(
        kind=_AFFECTED.get(item.kind, item.kind),
        text=item.text,
        where=" · ".join(filter(None, (item.document, item.place))),
        reason=item.reason,
        owner=item.owner,
        href=visit.links.item(item.item_id) if is_item else "",
    )
