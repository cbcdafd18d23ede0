"""Answers that were read in pages, put together again: the same as would have come at once."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

__all__ = ["changes_of", "crosswalk_of", "paged"]

Page = dict[str, Any]
"""A page as JSON has it, with ``next``."""


def paged(
    ask: Callable[[Mapping[str, Any]], Page], rows: int, pinned: Callable[[Page], Mapping[str, Any]]
) -> Iterator[Page]:
    """The pages of an answer, as they are read.

    Args:
        ask: sends parameters, and gives the page.
        rows: of a page, at most.
        pinned: parameters that hold the pages behind to the generations of the first one, out of this.
    """
    first = page = ask({"limit": rows})
    yield page
    while page["next"]:
        page = ask({**pinned(first), "limit": rows, "cursor": page["next"]})
        yield page


def crosswalk_of(pages: Iterator[Page]) -> Page:
    """A crosswalk out of its pages."""
    found = next(pages)
    for page in pages:
        found["rows"] += page["rows"]
    return _whole(found)


def changes_of(pages: Iterator[Page]) -> Page:
    """Changes out of their pages; a document that stands on two of them is one."""
    found = next(pages)
    for page in pages:
        documents = page["documents"]
        if found["documents"] and documents and _goes_on(found["documents"][-1], documents[0]):
            found["documents"][-1]["changes"] += documents.pop(0)["changes"]
        found["documents"] += documents
        found["affected"] += page["affected"]
    return _whole(found)


def _goes_on(former: Page, following: Page) -> bool:
    """Whether changes of a page are of the document that the page before ended with."""
    names = ("document", "former", "status")
    same = all(former[each] == following[each] for each in names)
    return same and bool(former["changes"]) and bool(following["changes"])


def _whole(found: Page) -> Page:
    return {name: value for name, value in found.items() if name not in ("total", "next")}
