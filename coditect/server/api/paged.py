"""Answers that come whole, or in pages where these are asked for: crosswalks, changes, and lists that decisions change.

Who asks without a limit gets what there was before pages: one answer with all rows.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import Any

from coditect.schemas import AffectedItem, CorpusChanges, Crosswalk, DocumentChanges, ProvisionChange
from coditect.server.answers import page_of
from coditect.store.view import View

__all__ = ["MOST_BY_DEFAULT", "changes_page", "crosswalk_page", "is_paged", "records_page"]

MOST_BY_DEFAULT = 100
"""Rows of a page whose cursor is shown without a limit."""

_ChangeRow = tuple[DocumentChanges, ProvisionChange | None]
"""A change with its document; None: nothing of the document is told but what became of it."""


def is_paged(limit: int | None, cursor: str) -> bool:
    """Whether a page is asked for, and not everything at once."""
    return limit is not None or bool(cursor)


def crosswalk_page(
    found: Crosswalk, cursor: str, limit: int | None, asked: str, generations: Mapping[str, int]
) -> dict[str, Any]:
    """A page of a crosswalk's rows; what is told of all of them stands on each page, statements without a row on the first.

    Args:
        found: all of it.
        cursor: of the page; "" for the first.
        limit: rows of a page; None: :data:`MOST_BY_DEFAULT`.
        asked: what it is of; see :func:`coditect.server.answers.page_of`.
        generations: that it is of, by the parameters that name them.

    Raises:
        Problem: not a cursor of this crosswalk.
    """
    rows, following = page_of(found.rows, cursor, limit or MOST_BY_DEFAULT, asked, generations)
    told = found.model_copy(update={"rows": tuple(rows)}).model_dump(
        mode="json", exclude={"orphans"} if cursor else None
    )
    return {**told, "total": len(found.rows), "next": following}


def changes_page(
    found: CorpusChanges, cursor: str, limit: int | None, asked: str, generations: Mapping[str, int]
) -> dict[str, Any]:
    """A page of changes: these document by document, and behind them the work list.

    A row is a change, a document of which no change is told, or a line of the work list. A document whose changes stand on two
    pages is named on both. Arguments as for :func:`crosswalk_page`.

    Raises:
        Problem: not a cursor of these changes, or the work list is another one since a decision.
    """
    rows: list[_ChangeRow | AffectedItem] = [*_change_rows(found.documents), *found.affected]
    keys = [_key_of_change(each) for each in rows]
    page, following = page_of(rows, cursor, limit or MOST_BY_DEFAULT, asked, generations, keys)
    changes = [each for each in page if not isinstance(each, AffectedItem)]
    documents = []
    for _, own in groupby(changes, key=lambda each: id(each[0])):
        listed = list(own)
        shown = tuple(change for _, change in listed if change is not None)
        documents.append(listed[0][0].model_copy(update={"changes": shown}))
    affected = tuple(each for each in page if isinstance(each, AffectedItem))
    told = found.model_copy(update={"documents": tuple(documents), "affected": affected})
    return {**told.model_dump(mode="json"), "total": len(rows), "next": following}


def records_page(
    name: str, listed: Sequence[dict[str, Any]], keys: Sequence[str], cursor: str, limit: int | None, view: View
) -> dict[str, Any]:
    """A page of a list that grows or is ordered anew as persons decide.

    Args:
        name: of the list, in the answer.
        listed: all records, as JSON.
        keys: what each is known by.
        cursor: of the page; "" for the first.
        limit: rows of a page; None: :data:`MOST_BY_DEFAULT`.
        view: the generation that the list is of.

    Raises:
        Problem: not a cursor of this list, or what stood before the page stands otherwise now.
    """
    asked = f"{view.shown_as} {name}"
    page, following = page_of(listed, cursor, limit or MOST_BY_DEFAULT, asked, view.generation, keys)
    told = {"corpus_id": view.corpus_id, "generation": view.generation, name: list(page)}
    return {**told, "total": len(listed), "next": following}


def _change_rows(documents: Sequence[DocumentChanges]) -> list[_ChangeRow]:
    rows: list[_ChangeRow] = []
    for document in documents:
        rows += [(document, change) for change in document.changes] or [(document, None)]
    return rows


def _key_of_change(row: _ChangeRow | AffectedItem) -> str:
    if isinstance(row, AffectedItem):
        return f"{row.kind} {row.item_id} {row.changed_document} {row.changes}"
    document, change = row
    return f"{document.document} {'' if change is None else change.number}"
