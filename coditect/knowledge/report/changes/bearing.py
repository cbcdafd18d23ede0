"""Which documents can follow from which, and which of their sentences say anything that can follow from elsewhere."""

from __future__ import annotations

from coditect.schemas import Extraction
from coditect.store.view import View
from coditect.tiers.findings.standing import Standings

__all__ = ["Bearing"]

_TOLD = ("owner", "date", "effective_from", "effective_to", "next_review")
"""Facts of a profile that a line of document control tells."""


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
        """Whether a sentence says something by itself: no lead-in without its items, nor what tells of its document."""
        if extraction.extraction_kind != "proposition":
            return True
        start, end = extraction.char_offset_start, extraction.char_offset_end
        told = any(first < end and start < after for first, after in self._control(extraction.document_id))
        return not (told or extraction.source_text.rstrip().endswith(":"))

    def _control(self, document_id: str) -> list[tuple[int, int]]:
        """Where a document tells of itself, as (first code point, one past the last)."""
        profile = self._view.profiles.get(document_id)
        facts = [] if profile is None else [getattr(profile, name) for name in _TOLD]
        return [(each.char_start, each.char_end) for each in facts if each is not None and each.char_start is not None]
