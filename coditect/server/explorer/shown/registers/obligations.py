"""Obligations: the register of what documents ask, as a list."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, cast

from coditect.knowledge.report.registers.rows import register_rows
from coditect.knowledge.report.registers.selection import RegisterFilters
from coditect.reports.wording import EXTRACTION_NAMES
from coditect.schemas import RegisterKind, RegisterRow
from coditect.server.explorer.paging import ListPage, streamed
from coditect.server.explorer.shown.wording import kind_name
from coditect.server.explorer.visit import Visit

__all__ = ["NORMS", "DutyList", "DutyRow", "Wanted", "documents_by_name", "duty_list", "duty_row"]

NORMS: frozenset[RegisterKind] = frozenset(("obligation", "prohibition", "permission"))
"""What a list of duties holds where no kind was asked for."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """What the list holds.

    Attributes:
        kind: of the statements; "" for obligations, prohibitions and permissions, "all" for statements of every kind.
        force: mandatory, recommended, optional, prohibited; "" for all.
        actor: words of who acts.
        document: a name, or a pattern of names.
        words: that the text holds.
        timed: only what has a deadline, a date or a frequency.
        in_force: leave out what stands in documents that do not bind today.
    """

    kind: str = ""
    force: str = ""
    actor: str = ""
    document: str = ""
    words: str = ""
    timed: bool = False
    in_force: bool = False

    @property
    def filters(self) -> RegisterFilters:
        """The same as the register takes it."""
        kinds = NORMS
        if self.kind == "all":
            kinds = cast("frozenset[RegisterKind]", frozenset(EXTRACTION_NAMES))
        elif self.kind in EXTRACTION_NAMES:
            kinds = frozenset((cast("RegisterKind", self.kind),))
        return RegisterFilters(
            kinds=kinds,
            forces=frozenset(filter(None, (self.force,))),
            actors=tuple(filter(None, (self.actor,))),
            documents=tuple(filter(None, (self.document,))),
            words=tuple(self.words.split()),
            timed=self.timed,
            in_force=self.in_force,
        )

    @property
    def query(self) -> dict[str, Any]:
        """As parameters of an address."""
        return {
            "kind": self.kind,
            "force": self.force,
            "actor": self.actor,
            "document": self.document,
            "q": self.words,
            "timed": self.timed,
            "in_force": self.in_force,
        }


@dataclass(frozen=True, slots=True)
class DutyRow:
    """A line of the register.

    Attributes:
        item_id: of the statement.
        kind: what it is, in words.
        force: mandatory, …
        actor: who acts.
        action: which duty of its sentence is meant, as the text puts it: what is done, and to what.
        text: verbatim.
        when: deadline, date, frequency or duration as printed; "" where there is none.
        conditions: as printed.
        exceptions: as printed.
        where: document, number and page.
        standing: what the dates of the document say today.
        decided: what a person decided, and who.
        href: the words in the document.
        item_href: its own page.
    """

    item_id: str
    kind: str
    force: str
    actor: str
    action: str
    text: str
    when: str
    conditions: tuple[str, ...]
    exceptions: tuple[str, ...]
    where: str
    standing: str
    decided: str
    href: str
    item_href: str


@dataclass(frozen=True, slots=True)
class DutyList:
    """A page of the register."""

    page: ListPage[DutyRow]
    wanted: Wanted


def duty_list(visit: Visit, wanted: Wanted, cursor: str) -> DutyList:
    """A page of the register, read only as far as it is shown.

    Args:
        visit: who asks, and of what.
        wanted: what the list holds.
        cursor: "document number.rows to pass over.rows before"; what is none begins at the beginning.
    Raises:
        NotFound: no document is called so.
    """
    begin, skip, before = _cursor(cursor)
    ordered = visit.remember("documents by name", lambda: documents_by_name(visit))
    first = ordered[begin] if begin < len(ordered) else ""
    rows = register_rows(visit.view, wanted.filters, visit.today, first=first) if ordered else iter(())
    numbers = {visit.view.documents[d].name: n for n, d in enumerate(ordered)}

    def counted() -> Iterator[tuple[str, DutyRow]]:
        document, inside = begin, 0
        for count, row in enumerate(rows):
            number = numbers.get(row.document, document)
            document, inside = number, inside + 1 if number == document else 1
            if count >= skip:
                yield f"{document}.{inside}.{before + count - skip + 1}", duty_row(visit, row)

    def link(behind: str) -> str:
        return visit.links.to("obligations", **wanted.query, after=behind)

    back = visit.links.to("obligations", **wanted.query) if before else ""
    visit.note("register")
    return DutyList(streamed(counted(), link, first=before + 1, previous=back), wanted)


def documents_by_name(visit: Visit) -> list[str]:
    """Ids of the documents in the order of the register."""
    return sorted(visit.view.documents, key=lambda each: (visit.view.documents[each].name, each))


def _cursor(given: str) -> tuple[int, int, int]:
    parts = given.split(".")
    if len(parts) == 3 and all(p.isascii() and p.isdigit() and len(p) < 10 for p in parts):
        return int(parts[0]), int(parts[1]), int(parts[2])
    return 0, 0, 0


def duty_row(visit: Visit, row: RegisterRow) -> DutyRow:
    """A line of the register, with its addresses."""
    version = visit.remember("by name", lambda: {v.name: v.version_id for v in visit.view.documents.values()})
    links = visit.links
    place = links.item(row.item_id)
    if row.char_start is not None and row.char_end is not None and row.document in version:
        place = links.place(version[row.document], row.char_start, row.char_end, item=row.item_id)
    page = "" if row.page is None else f"page {row.page}"
    return DutyRow(
        item_id=row.item_id,
        kind=kind_name(row.kind),
        force=row.force,
        actor=row.actor,
        action=_action(row),
        text=row.text,
        when=_when(row),
        conditions=row.conditions,
        exceptions=row.exceptions,
        where=" · ".join(filter(None, (row.document, row.locator or row.heading, page))),
        standing="; ".join(
            filter(
                None,
                (row.standing, row.amended, row.proposed and f"only proposed, in a tracked change: {row.proposed}"),
            )
        ),
        decided="" if row.decision is None else f"{row.decision.replace('_', ' ')} by {row.decided_by}",
        href=place,
        item_href=links.item(row.item_id),
    )


def _action(row: RegisterRow) -> str:
    """What is done, behind whatever has to be so where the action does not name it; of a definition or a reference, its term."""
    named = not row.object or row.object.casefold() in row.action.casefold()
    return (row.action if named else f"{row.object}: {row.action}") or row.term


def _when(row: RegisterRow) -> str:
    return "; ".join(
        filter(
            None,
            dict.fromkeys((row.deadline, row.due if row.due not in row.deadline else "", row.frequency, row.duration)),
        )
    )
