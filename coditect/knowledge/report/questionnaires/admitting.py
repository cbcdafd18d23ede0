"""What may answer a question: papers that were chosen, no exceptions, and what is in force before what is not."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from coditect.documents.profile.waivers.facts import NOUN
from coditect.errors import NotFound
from coditect.knowledge.query.filters import matching_documents
from coditect.knowledge.report.registers.waivers import waiver_rows
from coditect.knowledge.report.standing import OUT_OF_FORCE, standing_of
from coditect.schemas import DocumentRole, Hit, WaiverRow
from coditect.store.view import View

__all__ = ["AdmittedPapers", "answering_documents"]

_ASKS_FOR_EXCEPTIONS = re.compile(rf"\b(?:{NOUN}|exempt\w*|excus\w*|waive\w*|except\w*)\b", re.IGNORECASE)
_HOLDING = ("in force", "ends soon", "open-ended", "no end found")


def answering_documents(view: View, names: Sequence[str], roles: Collection[DocumentRole]) -> frozenset[str] | None:
    """Ids of the documents that may answer; None where nothing restricts them.

    Args:
        view: the generation.
        names: names, or patterns with ``*``; none: whatever they are called.
        roles: what they may be; none: whatever they are. A document of no known role has none of them.

    Raises:
        NotFound: no document is called so, or none of those has such a role.
    """
    if not names and not roles:
        return None
    named = matching_documents(view, names) if names else frozenset(view.documents)
    profiles = view.profiles
    found = frozenset(
        each for each in named if not roles or (each in profiles and profiles[each].told("role") in roles)
    )
    if not found:
        raise NotFound(
            "no document has this role",
            role=", ".join(sorted(roles)),
            hint="The list of documents tells the role of each; a corpus.yaml states it where it is guessed wrongly.",
        )
    return found


class AdmittedPapers:
    """Which statements of a generation may answer, on a day.

    Args:
        view: the generation.
        today: the day, ISO 8601.
        documents: ids of those that may answer; None: all.
    """

    def __init__(self, view: View, today: str, documents: frozenset[str] | None = None) -> None:
        self._view = view
        self._today = today
        self.documents = documents
        self._standing = {
            document_id: tuple(each for each in phrases if each.startswith(OUT_OF_FORCE))
            for document_id, phrases in standing_of(view, today).items()
        }
        self._exceptions: dict[str, list[WaiverRow]] = {}

    def admits(self, document_id: str) -> bool:
        """Whether a document is one of those that may answer."""
        return self.documents is None or document_id in self.documents

    def standing(self, document_id: str) -> tuple[str, ...]:
        """Why a document does not bind on the day: "superseded by …", "in force until …"; nothing where it does."""
        return self._standing.get(document_id, ())

    def role(self, document_id: str) -> str:
        """What a document is; "" where that is not known."""
        profile = self._view.profiles.get(document_id)
        return "" if profile is None else profile.told("role")

    def exception(self, question: str, hit: Hit) -> WaiverRow | None:
        """The exception that a statement grants: it says who is excused from a rule, and not what the rule is.

        Args:
            question: as it is printed; one that asks for exceptions is answered by them.
            hit: a statement.
        """
        start, end = hit.item.char_offset_start, hit.item.char_offset_end
        if start is None or end is None or _ASKS_FOR_EXCEPTIONS.search(question):
            return None
        document_id = hit.item.document_id
        if document_id not in self._exceptions:
            self._exceptions[document_id] = list(waiver_rows(self._view, self._today, documents=(document_id,)))
        overlapping = (
            each for each in self._exceptions[document_id] if each.char_start < end and start < each.char_end
        )
        return next(overlapping, None)

    @staticmethod
    def holds(exception: WaiverRow) -> bool:
        """Whether somebody is excused on the day: an exception that has ended, or was refused, changes nothing."""
        return exception.status in _HOLDING
