"""What the dates of a generation's documents say on a day: for reports, lists of documents and answers."""

from __future__ import annotations

from collections import defaultdict

from coditect.documents.languages import is_in_another_language
from coditect.documents.unseen import holds_proposals
from coditect.schemas import QueryResult, Source
from coditect.store.view import View
from coditect.tiers.findings.standing import Standings
from coditect.tiers.findings.timeliness import TimelyFinding, find_timely

__all__ = ["OUT_OF_FORCE", "phrases_of", "standing_of", "superseded_documents", "with_standing"]


OUT_OF_FORCE = ("superseded by", "not in force before", "in force until")
"""How phrases begin that say of a document that it does not bind on the day."""


def standing_of(view: View, today: str) -> dict[str, tuple[str, ...]]:
    """What there is to say of each document, a phrase each: superseded, not yet in force, expired, overdue for review.

    Args:
        view: the generation.
        today: ISO 8601.
    Returns:
        By document id; documents of which there is nothing to say are left out.
    """
    return phrases_of(Standings(view.documents, view.profiles, today))


def superseded_documents(view: View) -> dict[str, str]:
    """The documents that took the place of others of a generation, by the ids of these, on the day that its build held."""
    return Standings(view.documents, view.profiles, view.manifest.settings.today or "").replaced


def phrases_of(standings: Standings) -> dict[str, tuple[str, ...]]:
    """The same of documents that are at hand, on the day of their standings."""
    found: dict[str, list[str]] = defaultdict(list)
    for document_id, version in standings.documents.items():
        if is_in_another_language(version.warnings):
            found[document_id].append("not in English: nothing is read of it")
        if holds_proposals(version.warnings):
            found[document_id].append("holds tracked changes that nobody accepted")
    for finding in find_timely(standings):
        found[finding.document_id].append(_phrase(finding, standings))
    return {document_id: tuple(phrases) for document_id, phrases in found.items()}


def _phrase(finding: TimelyFinding, standings: Standings) -> str:
    match finding.kind:
        case "superseded":
            return f"superseded by {standings.documents[finding.other_id].name}"
        case "not_yet":
            return f"not in force before {finding.day}"
        case "expired":
            return f"in force until {finding.day}"
    return f"overdue: to be reviewed by {finding.day}"


def with_standing(result: QueryResult, view: View, today: str) -> QueryResult:
    """An answer that also says which of the documents behind it do not bind on a day, or are to be reviewed.

    Args:
        result: the answer, of the generation of the view.
        view: the generation.
        today: ISO 8601.
    """
    behind = {each.document_id for hit in result.hits for each in _chain(hit.item)}
    phrases = standing_of(view, today)
    told = {view.documents[each].name: phrases[each] for each in sorted(behind & phrases.keys())}
    return result.model_copy(update={"standing": told})


def _chain(item: Source) -> list[Source]:
    return [item, *(each for source in item.sources for each in _chain(source))]
