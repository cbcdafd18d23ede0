"""Table rows as the readers print them: "Label: value | Label: value" below a header "Label | Label"."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from coditect.language.matched import as_matched

__all__ = ["cells", "columns", "dates_of", "empty_columns", "is_row"]

_BAR = " | "
_LABELLED = re.compile(r"(?P<label>[A-Z][\w /()&'’-]{1,48}): (?P<value>\S.*)", re.DOTALL)
_DATE = re.compile(r"\b(\d{4}-\d{2}-\d{2})\b")

MOST_ROWS_HAVE = 0.75
"""Share of a table's rows that fill a column before an empty cell in it is worth a note."""

FEW_ROWS = 4
"""Rows below which a table says nothing about what its rows usually fill."""


def is_row(text: str) -> bool:
    """Whether a sentence is a row of a table."""
    return _BAR in text


def cells(text: str) -> dict[str, str]:
    """Value by label of a row; for a row of two plain cells the first is the label. {} where there are no labels.

    Repeated labels keep their first value.
    """
    parts = [part.strip() for part in as_matched(text).split(_BAR)]
    if len(parts) < 2:
        return {}
    labelled = [_LABELLED.fullmatch(part) for part in parts]
    found: dict[str, str] = {}
    if all(labelled):
        for match in labelled:
            if match is not None:
                found.setdefault(match["label"], match["value"])
    elif len(parts) == 2 and parts[0] and parts[1]:
        found[parts[0]] = parts[1]
    return found


def columns(text: str) -> tuple[str, ...]:
    """The labels of a header row of at least three plain cells; () for any other text."""
    parts = tuple(part.strip() for part in as_matched(text).split(_BAR))
    return parts if len(parts) > 2 and not any(_LABELLED.fullmatch(part) for part in parts) else ()


def dates_of(text: str) -> tuple[str, ...]:
    """ISO dates in a text, in order; as strings they sort by time."""
    return tuple(_DATE.findall(as_matched(text)))


def empty_columns(rows: Sequence[dict[str, str]]) -> list[tuple[str, ...]]:
    """For each row of one table, the labels that it leaves empty and most others fill.

    A column that decides whether another can be filled is not known here, so what is found is a note, not a verdict.

    Args:
        rows: labelled rows of one table, in order.
    """
    if len(rows) < FEW_ROWS:
        return [() for _ in rows]
    counts = Counter(label for row in rows for label in row)
    usual = [label for label, count in counts.items() if MOST_ROWS_HAVE * len(rows) <= count < len(rows)]
    return [tuple(label for label in usual if label not in row) for row in rows]
