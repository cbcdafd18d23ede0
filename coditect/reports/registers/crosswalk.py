"""A crosswalk as a table: a row for each part of a requirement and each sentence beside it; a part that has none is a row, too."""

from __future__ import annotations

from collections.abc import Iterator
from typing import BinaryIO

from coditect.reports.registers.tables import TableFormat, write_table
from coditect.reports.registers.workbooks import Cell
from coditect.schemas.crosswalk import Crosswalk, CrosswalkEvidence, CrosswalkRow

__all__ = ["CROSSWALK_COLUMNS", "write_crosswalk"]

_PART = ("requirement_id", "part_id", "family", "title", "text", "char_start", "char_end")
_EVIDENCE = (
    "label", "reason", "document", "locator", "heading", "text", "char_start", "char_end", "item_id", "version_id",
    "reviewed_by",
)  # fmt: skip

_ASSESSED = (
    "assessed_as", "assessed_by", "assessor_reason", "assessor_words", "assessor_note", "rules_sentence_label", "rules_reason",
)  # fmt: skip

_DECIDED = (
    "rules_label",
    "decision",
    "decided_by",
    "decided_at",
    "decision_meaning",
    "decision_until",
    "look_again",
    "unread",
)

CROSSWALK_COLUMNS = (
    *("requirement_" + each.removeprefix("requirement_") for each in _PART),
    "part_label",
    "open_parameters",
    *_EVIDENCE,
    *_ASSESSED,
    *_DECIDED,
)
"""Names of the columns, in order."""


def write_crosswalk(found: Crosswalk, file: BinaryIO, form: TableFormat) -> int:
    """Write the rows of a crosswalk.

    Args:
        found: the crosswalk.
        file: open for writing bytes.
        form: of the file. JSON Lines has a row for each part, with all of its evidence; the tables one for each sentence. Cells
            that a spreadsheet program would take for a formula are texts, as in other registers.

    Returns:
        How many rows there were.
    """
    return write_table(found.rows, CROSSWALK_COLUMNS, _cells, file, form, "crosswalk")


def _cells(row: CrosswalkRow) -> Iterator[list[Cell]]:
    part = [*(getattr(row, name) for name in _PART), row.label, "; ".join(row.open_parameters)]
    for each in row.evidence:
        yield [*part, *(getattr(each, name) for name in _EVIDENCE), *_assessed(each), *_decided(row)]
    if not row.evidence:
        yield [*part, row.label, *([None] * (len(_EVIDENCE) + len(_ASSESSED) - 1)), *_decided(row)]


def _decided(row: CrosswalkRow) -> list[Cell]:
    """Whether the label is a person's, and what was decided of other words."""
    again, unread = row.look_again or None, row.unread or None
    if row.decided is None:
        return [*([None] * (len(_DECIDED) - 2)), again, unread]
    decided = row.decided
    told = [row.read_as or row.label, decided.decision, decided.by, decided.at, decided.meaning, decided.until]
    return [*told, again, unread]


def _assessed(evidence: CrosswalkEvidence) -> list[Cell]:
    """What a model said of a sentence, and what rules had said; empty where none was asked."""
    told = evidence.assessed
    if told is None:
        return [None] * len(_ASSESSED)
    words = " / ".join((*told.part_words, *told.sentence_words))
    return [told.verdict, told.by, told.reason, words, told.note or None, told.rules_label, told.rules_reason]
