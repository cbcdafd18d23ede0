"""A small corpus, and decisions of a person on it, for the tests of decisions."""

from __future__ import annotations

from pydantic import JsonValue

from coditect.knowledge.building.pipeline import BuildReport, build
from coditect.knowledge.review.decisions import pending
from coditect.knowledge.review.doubts import possible_in
from coditect.knowledge.review.sign_off import sign
from coditect.schemas import BuildSettings, Claim, Decision, Extraction, PendingReview, Review
from coditect.store.store import Store
from coditect.store.view import View, open_view
from tests.corpora import CORPUS, clock

__all__ = ["LEAVER", "claim_of", "decide", "extraction_of", "extractions_of", "left_open", "rebuilt"]

LEAVER = "must disable the account of a leaver within 24 hours"
"""Words of an obligation of ``access.md``."""

SETTINGS = BuildSettings(topics=("incident", "access", "customer data"))


def rebuilt(store: Store, day: str = clock()[:10], *, jobs: int = 1) -> BuildReport:
    """One more build, on a day."""
    return build(store, CORPUS, SETTINGS, clock=lambda: f"{day}T00:00:00Z", jobs=jobs)


def extractions_of(store: Store, words: str, kind: str = "") -> list[Extraction]:
    """The extractions of the current generation with these words in them, of one kind or of all, in order."""
    view = open_view(store, CORPUS)
    every = [each for document_id in view.entries for each in view.extractions(document_id)]
    return [each for each in every if words in each.source_text and kind in ("", each.extraction_kind)]


def extraction_of(store: Store, words: str = LEAVER, kind: str = "obligation") -> Extraction:
    """The only such extraction."""
    (found,) = extractions_of(store, words, kind)
    return found


def claim_of(view: View, words: str) -> Claim:
    """The first requirement with these words."""
    return next(each for each in view.claims.values() if each.claim_kind == "requirement" and words in each.text)


def left_open(store: Store, view: View, today: str = "") -> list[PendingReview]:
    """What waits for a person, but for the conflicts and gaps of the corpus that rules alone find possible."""
    possible = {each.claim_id for each in possible_in(view)}
    return [each for each in pending(store, view, today) if each.item_id not in possible]


def decide(
    store: Store,
    item_id: str,
    decision: Decision,
    *,
    changes: dict[str, JsonValue] | None = None,
    until: str | None = None,
    at: str = "2026-02-01T00:00:00Z",
    by: str = "R. Viewer",
) -> Review:
    """A signed decision on an item of the current generation."""
    view = open_view(store, CORPUS)
    return sign(
        store, view, item_id, decision=decision, by=by, meaning="for a reason", at=at, changes=changes, until=until
    )
