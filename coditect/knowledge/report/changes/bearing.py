"""Which documents can follow from which, and which of their sentences say anything that can follow from elsewhere."""

from __future__ import annotations

import re

from coditect.schemas import Extraction
from coditect.store.view import View
from coditect.tiers.findings.standing import Standings

__all__ = ["Bearing", "told_of_itself"]

_TOLD = ("edition", "owner", "date", "effective_from", "effective_to", "next_review")
"""Facts of a profile that a line of document control tells."""


_PAGE = re.compile(r"[\s|–—-]*\bpage\s+\d+(?:\s+of\s+\d+)?\s*\Z", re.IGNORECASE)
"""The number of a page behind the title in its head."""


class Bearing:
    """What bears on what among the documents of a generation.

    Args:
        view: the generation.
    """

    def __init__(self, view: View) -> None:
        self._view = view
        self._standings = Standings(view.documents, view.profiles, view.manifest.settings.today or "")

    def may_rest_on(self, document_id: str, changed_id: str) -> bool:
        """Whether what a document says can follow from another one.

        A law does not follow from a policy, nor from what explains it; whatever a house has written may follow from anything.

        Args:
            document_id: the one whose sentences are looked at.
            changed_id: the one that changed.
        """
        standings = self._standings
        return not standings.is_outside(document_id) or standings.rank(document_id) <= standings.rank(changed_id)

    def says(self, extraction: Extraction) -> bool:
        """Whether a sentence says something by itself: no lead-in, no head of a table, no title, nor what tells of its document."""
        if extraction.extraction_kind != "proposition":
            return True
        start, end = extraction.char_offset_start, extraction.char_offset_end
        told = any(first < end and start < after for first, after in self._control(extraction.document_id))
        text = extraction.source_text.rstrip()
        return not (told or text.endswith(":") or _is_head(text) or self._is_title(text, extraction.document_id))

    def _is_title(self, text: str, document_id: str) -> bool:
        """Whether a line only prints the title of its document, as the head of a page does."""
        version = self._view.documents[document_id]
        plain = _PAGE.sub("", text).strip(" .|").casefold()
        return bool(version.title) and plain == version.title.strip(" .|").casefold()

    def _control(self, document_id: str) -> list[tuple[int, int]]:
        return told_of_itself(self._view, document_id)


def _is_head(row: str) -> bool:
    """Whether a row of a table only names its columns: a few words in each cell, and no figure."""
    cells = [each.strip() for each in row.split(" | ")]
    return (
        len(cells) > 1 and not any(each.isdigit() for each in row) and all(len(each.split()) <= _HEAD for each in cells)
    )


_HEAD = 3
"""Words of the head of a column, at most."""


def told_of_itself(view: View, document_id: str) -> list[tuple[int, int]]:
    """Where a document tells of itself, not of what it lays down, as (first code point, one past the last).

    Args:
        view: the generation.
        document_id: of the document.
    """
    profile = view.profiles.get(document_id)
    if profile is None:
        return []
    facts = [*(getattr(profile, name) for name in _TOLD), *profile.supersedes]
    return [(each.char_start, each.char_end) for each in facts if each is not None and each.char_start is not None]
