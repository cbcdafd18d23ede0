"""The queue of a crosswalk: rows that wait for a person, and one of them with both sides on one screen."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from coditect.errors import NotFound
from coditect.knowledge.review.rows import needs_person
from coditect.schemas.crosswalk import Crosswalk, CrosswalkRow, EarlierDecision
from coditect.schemas.decision import ItemDecision
from coditect.server.explorer.paging import ListPage, page_of
from coditect.server.explorer.shown.crosswalk import LABELS, EvidenceCell, evidence_cell
from coditect.server.explorer.shown.review import RISK, WITHDRAW, DecisionChoice
from coditect.server.explorer.visit import Visit

__all__ = ["RowDesk", "RowLine", "RowQueue", "row_key", "row_of", "row_queue"]

_SIZE = 12
_WORD = {label: word for label, word, _ in LABELS}
_CORRECT = DecisionChoice("correct", "Correct the label", "c", "The sentences say something else of it: choose what.")
_ACCEPT = DecisionChoice("accept", "Accept", "a", "The label is right.")
_DISMISS = DecisionChoice(
    "dismiss", "Dismiss", "d", "None of the sentences speaks to it: it counts as without evidence."
)


@dataclass(frozen=True, slots=True)
class RowLine:
    """A line of the queue.

    Attributes:
        name: of the requirement's part.
        document: of the framework.
        label: that the row has.
        word: that in words.
        text: of the part.
        href: this line's page of the queue.
        again: whether it was decided of other words.
        is_chosen: whether it is the one that is shown.
    """

    name: str
    document: str
    label: str
    word: str
    text: str
    href: str
    again: bool
    is_chosen: bool


@dataclass(frozen=True, slots=True)
class RowDesk:
    """A row that is decided on, with both sides.

    Attributes:
        key: names the row in forms and addresses.
        name: of the requirement's part.
        title: of the requirement.
        document: of the framework.
        text: of the part, verbatim.
        label: that the row has.
        word: that in words.
        read_as: the word of the rules' label, where a person changed it; "" else.
        evidence: the sentences beside it.
        decided: what a person decided; None where nobody did.
        earlier: what was decided of other words; None where nothing was, or a decision counts.
        earlier_label: the word of the label that was given then; "" where none was.
        choices: what can be decided.
        labels: (label, word) that a correction may give.
        command: the command that decides with a key of one's own.
    """

    key: str
    name: str
    title: str
    document: str
    text: str
    label: str
    word: str
    read_as: str
    evidence: tuple[EvidenceCell, ...]
    decided: ItemDecision | None
    earlier: EarlierDecision | None
    earlier_label: str
    choices: tuple[DecisionChoice, ...]
    labels: tuple[tuple[str, str], ...]
    command: str


@dataclass(frozen=True, slots=True)
class RowQueue:
    """The page.

    Attributes:
        page: of the queue.
        desk: what is decided on; None where the queue is empty and no row was chosen.
        next: key of the row behind; "" where there is none.
        back: the address of the matrix.
    """

    page: ListPage[RowLine]
    desk: RowDesk | None
    next: str
    back: str


def row_key(row: CrosswalkRow) -> str:
    """What names a row of a crosswalk: the framework's document and the part."""
    return f"{row.document} {row.part_id}"


def row_of(found: Crosswalk, key: str) -> CrosswalkRow:
    """The row with a key.

    Raises:
        NotFound: there is none.
    """
    row = next((each for each in found.rows if row_key(each) == key), None)
    if row is None:
        raise NotFound("no such row in the crosswalk", row=key, hint="The framework may have changed: go to its queue.")
    return row


def row_queue(visit: Visit, found: Crosswalk, query: dict[str, Any], key: str, number: int) -> RowQueue:
    """Make the page.

    Args:
        visit: who asks, and of what.
        found: the crosswalk, with what was decided.
        query: the parameters that ask for it.
        key: of the row that is decided on; "": the first that waits.
        number: page of the queue, from 1; 0: the one that has the row.

    Raises:
        NotFound: no such row.
    """
    waiting = [each for each in found.rows if needs_person(each)]
    at = next((n for n, each in enumerate(waiting) if row_key(each) == key), 0 if not key else -1)
    shown = page_of(
        range(len(waiting)),
        number or max(at, 0) // _SIZE + 1,
        lambda other: visit.links.to("crosswalk", "review", **query, page=other),
        _SIZE,
    )
    chosen = row_of(found, key) if key else (waiting[0] if waiting else None)
    lines = tuple(_line(visit, waiting[n], query, n == at) for n in shown.rows)
    return RowQueue(
        page=ListPage(lines, shown.number, shown.first, shown.total, shown.previous, shown.next),
        desk=None if chosen is None else _desk(visit, chosen, query),
        next=_next(waiting, at),
        back=visit.links.to("crosswalk", **query),
    )


def _next(waiting: Sequence[CrosswalkRow], at: int) -> str:
    return row_key(waiting[at + 1]) if at + 1 < len(waiting) else ""


def _name(row: CrosswalkRow) -> str:
    """A part as people call it: the id of a catalogue, or the number that a regulation prints."""
    return row.requirement_id if row.part_id.startswith("extraction_") else row.part_id


def _line(visit: Visit, row: CrosswalkRow, query: dict[str, Any], chosen: bool) -> RowLine:
    href = visit.links.to("crosswalk", "review", **query, row=row_key(row))
    return RowLine(
        _name(row), row.document, row.label, _WORD[row.label], row.text, href, row.earlier is not None, chosen
    )


def _desk(visit: Visit, row: CrosswalkRow, query: dict[str, Any]) -> RowDesk:
    rules = row.read_as or row.label
    undo = (WITHDRAW,) if row.decided is not None or row.earlier is not None else ()
    return RowDesk(
        key=row_key(row),
        name=_name(row),
        title=row.title if row.title != row.requirement_id else "",
        document=row.document,
        text=row.text,
        label=row.label,
        word=_WORD[row.label],
        read_as=_WORD[row.read_as] if row.read_as is not None else "",
        evidence=tuple(evidence_cell(visit, each) for each in row.evidence),
        decided=row.decided,
        earlier=row.earlier,
        earlier_label="" if row.earlier is None or row.earlier.label is None else _WORD[row.earlier.label],
        choices=(_ACCEPT, *((_DISMISS, _CORRECT) if row.evidence else ()), RISK, *undo),
        labels=tuple((label, word) for label, word, _ in LABELS if label != rules),
        command=_command(visit, row, query),
    )


def _command(visit: Visit, row: CrosswalkRow, query: dict[str, Any]) -> str:
    framework = f" --framework {shlex.quote(query['framework'])}" if query.get("framework") else ""
    columns = f" --columns {shlex.quote(query['columns'])}" if query.get("columns") else ""
    return (
        f"coditect knowledge decide --corpus-id {shlex.quote(visit.corpus_id)} --framework-corpus "
        f"{shlex.quote(query['corpus'])}{framework}{columns} --part {shlex.quote(row.part_id)} --decision … --meaning … "
        "--sign-key your.key"
    )
