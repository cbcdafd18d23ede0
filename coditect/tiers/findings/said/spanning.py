"""Rows of tables beside cells that were merged downwards: such a cell is printed in its first row, and fills its column in each."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby

from coditect.documents.source import Block
from coditect.tiers.findings.tables import labels, printed_cells

__all__ = ["filled_columns"]


def filled_columns(text: str, blocks: Sequence[Block]) -> dict[int, tuple[str, ...]]:
    """The labels of the columns that rows beside merged cells fill, with those that a cell of a row above fills for them.

    What is merged and has no words fills nothing. Rows that no cell from above stands beside are left out.

    Args:
        text: the canonical text.
        blocks: its layout; the level of a row says which of its cells go on from above.

    Returns:
        Labels in the order of the columns, by the first code point of the row.
    """
    found: dict[int, tuple[str, ...]] = {}
    for is_table, table in groupby(blocks, key=lambda block: block.kind == "table_row"):
        rows = list(table) if is_table else []
        if any(row.level for row in rows):
            found.update(_of_table(text, rows))
    return found


def _of_table(text: str, rows: Iterable[Block]) -> Iterable[tuple[int, tuple[str, ...]]]:
    header: tuple[str, ...] = ()
    above: dict[int, str] = {}
    for row in rows:
        printed = text[row.start : row.end]
        own = labels(printed)
        if not any(own):
            header, above = printed_cells(printed), {}
            continue
        spanned = [column for column in range(row.level.bit_length()) if row.level >> column & 1]
        covered = {column: above[column] for column in spanned if column in above}
        above = _placed(own, header, spanned) | covered
        if covered:
            yield row.start, tuple(above[column] for column in sorted(above))


def _placed(own: Sequence[str], header: Sequence[str], spanned: Sequence[int]) -> dict[int, str]:
    """A row's labels by their column: where the header names them, else in order, past the columns that go on from above.

    Word prints such a column as an empty cell, web pages leave it out.
    """
    if all(label in header for label in own):
        return {header.index(label): label for label in own}
    if any(column < len(own) and not own[column] for column in spanned):
        return {column: label for column, label in enumerate(own) if label}
    free = [column for column in range(len(own) + len(spanned)) if column not in spanned]
    return {column: label for column, label in zip(free, own, strict=False) if label}
