"""What changed as a table: a row for each provision, and one for each thing that rests on it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import BinaryIO

from coditect.reports.plots import DUTY_NAMES
from coditect.reports.registers.tables import TableFormat, write_table
from coditect.reports.registers.workbooks import Cell, workbook_of_sheets
from coditect.schemas.change import (
    AffectedItem,
    ChangedSide,
    CorpusChanges,
    DocumentChanges,
    DutyHistory,
    DutyPoint,
)

__all__ = ["AFFECTED_COLUMNS", "CHANGE_COLUMNS", "HISTORY_COLUMNS", "write_affected", "write_changes", "write_history"]

_SIDE = ("place", "heading", "text", "page", "char_start", "char_end", "version_id")

CHANGE_COLUMNS = (
    *("document", "former_name", "status", "number", "kind", "duty", "weight", "duty_fields", "carried"),
    *(f"{each}_before" for each in _SIDE),
    *(f"{each}_after" for each in _SIDE),
)
"""Names of the columns, in order."""

AFFECTED_COLUMNS = (
    "kind", "item_id", "document", "place", "text", "owner", "changed_document", "changes", "reason", "weight", "named_by",
    "words_before",
)  # fmt: skip
"""Names of the columns of the work list, in order: the fields of a line, and the words before a change that a model quotes."""


def write_changes(found: CorpusChanges, file: BinaryIO, form: TableFormat) -> int:
    """Write what changed; a workbook has the work list on a second sheet.

    Args:
        found: the changes.
        file: open for writing bytes.
        form: of the file. JSON Lines has a document a line, with all of its changes; the tables a provision a row. A document that
            was added or removed is a row of its own.

    Returns:
        How many rows there were, the work list's among them; of JSON Lines, how many documents.
    """
    if form == "xlsx":
        changed = (row for each in found.documents for row in _cells(each))
        affected = (_affected(each) for each in found.affected)
        return workbook_of_sheets(
            [("changes", CHANGE_COLUMNS, changed), ("work list", AFFECTED_COLUMNS, affected)], file
        )
    return write_table(found.documents, CHANGE_COLUMNS, _cells, file, form, "changes")


HISTORY_COLUMNS = ("at", "state", "former", "document", "former_name", "status", *DUTY_NAMES)
"""Names of the columns of a history, in order; a row is a document that differs; a state in which none does has one without."""


def write_history(found: DutyHistory, file: BinaryIO, form: TableFormat) -> int:
    """Write what became of duties over time: for each state a row for each document that differs, so that columns add up.

    Args:
        found: the history.
        file: open for writing bytes.
        form: of the file; JSON Lines has a state a line.

    Returns:
        How many rows there were; of JSON Lines, how many states.
    """
    return write_table(found.points, HISTORY_COLUMNS, _states, file, form, "duties over time")


def _states(point: DutyPoint) -> Iterator[list[Cell]]:
    own: list[Cell] = [point.at, point.state, point.former]
    if not point.documents:
        yield [*own, None, None, None, *(0 for _ in DUTY_NAMES)]
    for each in point.documents:
        told = (each.duties.get(name, 0) for name in DUTY_NAMES)
        yield [*own, each.document, each.former or None, each.status, *told]


def write_affected(found: CorpusChanges, file: BinaryIO, form: TableFormat) -> int:
    """Write the work list alone, and say how many rows there were. See :func:`coditect.reports.registers.tables.write_table`."""
    return write_table(found.affected, AFFECTED_COLUMNS, lambda each: [_affected(each)], file, form, "work list")


def _cells(document: DocumentChanges) -> Iterator[list[Cell]]:
    own: list[Cell] = [document.document, document.former, document.status]
    if not document.changes:
        yield [*own, *([None] * (len(CHANGE_COLUMNS) - len(own)))]
    for each in document.changes:
        fields = "; ".join(
            f"{field.field}: {field.before or 'nothing'} -> {field.after or 'nothing'}" for field in each.fields
        )
        told: list[Cell] = [each.number, each.kind, each.duty, each.weight, fields, len(each.carried)]
        yield [*own, *told, *_side(each.before), *_side(each.after)]


def _side(side: ChangedSide | None) -> list[Cell]:
    """Its place as pages tell it: as it is cited, and by the format's own id where it has one."""
    if side is None:
        return [None] * len(_SIDE)
    return [side.named if name == "place" else getattr(side, name) for name in _SIDE]


def _affected(item: AffectedItem) -> list[Cell]:
    values = (getattr(item, name) for name in AFFECTED_COLUMNS[:-1])
    quoted = "; ".join(f"#{each.change} “{each.before_words}”" for each in item.traced)
    return [*("; ".join(map(str, value)) if isinstance(value, tuple) else value for value in values), quoted or None]
