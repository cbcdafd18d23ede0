"""The documents of a corpus as a table, a row each: what is known of it, what of that is guessed, and what its dates say."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import BinaryIO

from coditect.reports.registers.tables import TableFormat, write_table
from coditect.reports.registers.workbooks import Cell
from coditect.schemas import ListedDocument

__all__ = ["DOCUMENT_COLUMNS", "write_documents"]

_FACTS = ("role", "title", "edition", "date", "effective_from", "effective_to", "next_review", "owner")
DOCUMENT_COLUMNS = ("name", *_FACTS, "parties", "supersedes", "standing", "guessed", "document_id", "version_id")
"""Names of the columns, in order; "guessed" names those whose value nobody stated."""


def write_documents(rows: Iterable[ListedDocument], file: BinaryIO, form: TableFormat) -> int:
    """Write a list of documents, and say how many; see :func:`coditect.reports.registers.tables.write_table`."""
    return write_table(rows, DOCUMENT_COLUMNS, _cells, file, form, "documents")


def _cells(row: ListedDocument) -> Iterator[list[Cell]]:
    profile = row.profile
    if profile is None:
        told = dict.fromkeys((*_FACTS, "parties", "supersedes", "guessed"), "")
    else:
        told = {name: profile.told(name) for name in _FACTS}
        told["parties"] = "; ".join(f"{e.value} ({e.called})" if e.called else e.value for e in profile.parties)
        told["supersedes"] = "; ".join(each.value for each in profile.supersedes)
        told["guessed"] = ", ".join(dict.fromkeys(name for name, fact in profile.facts if not fact.is_given))
    behind = [each for each in DOCUMENT_COLUMNS[1:] if each in told]
    values: list[Cell] = [row.name, *(told[each] for each in behind if each != "guessed")]
    yield [*values, "; ".join(row.standing), told["guessed"], row.document_id, row.version_id]
