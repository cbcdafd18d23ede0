"""Decisions on extractions, applied: the one place that Tier 1 passes on its way to Tiers 2 to 4.

A dismissed extraction is not part of the generation; what it was stands in the signed record. A corrected one is, as corrected,
with what had been read beside it; one that was accepted, or whose risk was accepted, says so.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from coditect.errors import UsageError
from coditect.schemas import Extraction, ItemDecision, Review
from coditect.tiers.decisions.correction import corrected
from coditect.tiers.decisions.reviewed import Signable
from coditect.tiers.extractions.document import DocumentReading

__all__ = ["overruled"]


def overruled(
    records: Iterable[Extraction], document: str, reading: DocumentReading, reviews: Sequence[Review]
) -> Iterator[Extraction]:
    """Tier 1 of a document after what persons decided of it, in the same order.

    Args:
        records: what was read, under the derivation that the reviews are parameters of.
        document: the document's name.
        reading: its text and sentences.
        reviews: in force for extractions of this document, one for each fingerprint.
    """
    by_fingerprint = {review.fingerprint: review for review in reviews}
    quotes = {review.claim_text for review in reviews}
    signable = Signable(document, reading)
    for record in records:
        found = record.source_text in quotes and by_fingerprint.get(signable.reviewed(record).fingerprint)
        if not found:
            yield record
        elif found.decision != "dismiss":
            yield _decided(record, found, reading.matched.verbatim)


def _decided(record: Extraction, review: Review, text: str) -> Extraction:
    """An extraction with the decision on it; as it was where its correction is not in the document any more."""
    fields = {name: getattr(record, name) for name in Extraction.model_fields if name != "extraction_id"}
    fields["tier1_data"] = record.tier1_data.fields()
    original = {}
    if review.decision == "correct":
        try:
            kind, data = corrected(record, review.changes or {}, text)
        except UsageError:  # words from elsewhere in the document, which is there without them now: it is open again
            return record
        original = {"original_kind": record.extraction_kind, "original_data": record.tier1_data.fields()}
        fields |= {"extraction_kind": kind, "tier1_data": data}
    fields["decided"] = ItemDecision(
        review_id=review.review_id,
        decision=review.decision,
        by=review.by,
        at=review.at,
        meaning=review.meaning,
        until=review.until,
        **original,
    )
    return Extraction.create(**fields)
