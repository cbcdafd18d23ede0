"""Decisions against what they say that they were made of: a signature under words that never were is no signature."""

from __future__ import annotations

from collections.abc import Iterator

from coditect.errors import Corrupt
from coditect.schemas import Claim, DocumentVersion, Extraction, Review, ReviewedExtraction
from coditect.store.item_ids import locate
from coditect.store.store import Store
from coditect.tiers.decisions.reviewed import read_without_places

__all__ = ["untrue_evidence"]


def untrue_evidence(store: Store, review: Review) -> Iterator[str]:
    """What is wrong with the evidence that a review names; that its item is there at all is checked elsewhere.

    Args:
        store: where the item is.
        review: as it is stored; one of release 0.1.0 names no item, and nothing is found.
    """
    subject = review.extraction
    if review.row is not None and (review.fingerprint, review.claim_text) != (review.row.fingerprint, review.row.text):
        yield "its fingerprint is not that of the row that it signs"
    try:
        if subject is not None:
            if (review.fingerprint, review.claim_text) != (subject.fingerprint, subject.quote):
                yield "its fingerprint is not that of the extraction that it signs"
            yield from _of_extraction(store, review, subject)
        elif review.signed_item:
            claim = store.get("claims", Claim, review.corpus_id, review.signed_item)
            if claim is not None and claim.text != review.claim_text:
                yield "it signs other words than those of the claim that it names"
    except Corrupt:  # said of the damaged row
        return


def _of_extraction(store: Store, review: Review, subject: ReviewedExtraction) -> Iterator[str]:
    for corpus_id, document_id in locate(store, review.signed_item or "extraction_"):
        if corpus_id != review.corpus_id or not document_id:
            continue
        found = store.get("extractions", Extraction, corpus_id, document_id, review.signed_item or "")
        if found is None:
            continue
        if found.source_text != subject.quote or read_without_places(found) != (subject.kind, subject.data):
            yield "it signs another reading than that of the extraction that it names"
        version = store.get("documents", DocumentVersion, corpus_id, document_id, found.version_id)
        if version is None:
            return
        text = store.get_blob(corpus_id, version.text_sha256, version.text_bytes).decode()
        if version.name != subject.document or subject.sentence not in text:
            yield "the sentence that it signs does not stand in the document"
