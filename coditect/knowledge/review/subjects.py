"""What a person decides on: a claim, an extraction, a row of a crosswalk, or a decision that is taken back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from pydantic import JsonValue

from coditect.errors import NotFound, UsageError
from coditect.integrity.evidence import evidence_of
from coditect.integrity.references import BY_PROGRAM
from coditect.knowledge.derivation.source import stored_source
from coditect.schemas import Decision, Extraction, Review, ReviewedExtraction, ReviewedRow
from coditect.store.store import Store
from coditect.store.view import View
from coditect.tiers.decisions.correction import corrected
from coditect.tiers.decisions.reviewed import Signable
from coditect.tiers.extractions.document import read_document
from coditect.verify.checker import quotes_of
from coditect.verify.judges import fingerprints, without_reviews

__all__ = ["ReviewSubject", "subject_of", "subject_of_row"]


@dataclass(frozen=True, slots=True)
class ReviewSubject:
    """What is signed."""

    fingerprint: str
    text: str
    evidence: tuple[str, ...]
    item_id: str | None
    extraction: ReviewedExtraction | None = None
    row: ReviewedRow | None = None
    earlier: str = ""
    """Id of the decision on other words of the row whose place the new one takes; "": there is none."""
    known_by: tuple[str, ...] = ()
    """Of a claim each of its fingerprints, those of earlier releases among them."""

    @property
    def signed_by(self) -> tuple[str, ...]:
        """The fingerprints by which decisions on it are stored."""
        return self.known_by or (self.fingerprint,)


def subject_of(
    store: Store, view: View, item_id: str, decision: Decision, changes: Mapping[str, JsonValue] | None
) -> ReviewSubject:
    """The claim, the extraction or the review of a generation that a decision is made of.

    Args:
        store: the store of the generation.
        view: the generation that the reviewer looked at.
        item_id: of a claim or its finding, of an extraction, or of a review.
        decision: what is to be decided.
        changes: of a correction: new values by field.

    Raises:
        NotFound: no such item in this generation.
        UsageError: the decision cannot be made of this item, or a correction does not hold.
    """
    kind = item_id.partition("_")[0]
    if kind == "review":
        return _of_review(store, view, item_id, decision)
    if kind == "extraction":
        return _of_extraction(store, view, item_id, decision, changes or {})
    found = view.claim_by_finding.get(item_id)
    return _of_claim(view, item_id if found is None else found.claim_id, decision)


def subject_of_row(row: ReviewedRow, earlier: str) -> ReviewSubject:
    """A row of a crosswalk as somebody looked at it, and the decision on other words that it told of; "": none."""
    texts = tuple(each.text for each in row.sentences)
    return ReviewSubject(row.fingerprint, row.text, texts, None, row=row, earlier=earlier)


def _of_review(store: Store, view: View, review_id: str, decision: Decision) -> ReviewSubject:
    review = store.get("reviews", Review, view.corpus_id, review_id)
    if review is None:
        raise NotFound("unknown review", review_id=review_id, corpus_id=view.corpus_id)
    if decision != "withdraw":
        raise UsageError(
            "a decision is only withdrawn by its own id",
            review_id=review_id,
            decision=decision,
            hint="Decide on the claim or extraction; one that was dismissed is back in the build after the withdrawal.",
        )
    return ReviewSubject(
        review.fingerprint, review.claim_text, review.evidence, review.signed_item, review.extraction, review.row
    )


def _of_claim(view: View, claim_id: str, decision: Decision) -> ReviewSubject:
    claim, verdict = view.claims.get(claim_id), view.verdicts.get(claim_id)
    if claim is None or verdict is None:
        raise NotFound(
            "unknown claim",
            claim_id=claim_id,
            generation=view.generation,
            hint="'coditect knowledge review' without --claim lists what needs review.",
        )
    own = without_reviews(verdict)
    if decision in ("supported", "unsupported") and own != "needs_review":
        raise UsageError(
            "the claim does not need review",
            claim_id=claim_id,
            label=verdict.label,
            hint="It can be accepted or dismissed, or its risk accepted.",
        )
    if decision == "correct":
        raise UsageError(
            "a claim is not corrected",
            claim_id=claim_id,
            hint="Dismiss it, or correct the extraction under it: 'coditect knowledge drilldown' shows which.",
        )
    if own == "unsupported" and decision != "withdraw":
        raise UsageError(
            "the checker and the judges refuse the claim, and no signature publishes it",
            claim_id=claim_id,
            reason=verdict.filter_reason,
            hint="Correct or dismiss the extraction under it.",
        )
    evidence = evidence_of(view)
    quotes = tuple(quote.text for quote in quotes_of(claim, evidence))
    known_by = fingerprints(claim, evidence)
    return ReviewSubject(known_by[0], claim.text, quotes, claim_id, known_by=known_by)


def _of_extraction(
    store: Store, view: View, extraction_id: str, decision: Decision, changes: Mapping[str, JsonValue]
) -> ReviewSubject:
    record = view.find(extraction_id)
    if not isinstance(record, Extraction):
        raise NotFound("unknown extraction", extraction_id=extraction_id, generation=view.generation)
    if decision in ("supported", "unsupported"):
        raise UsageError(
            "an extraction is not supported or unsupported: it is verbatim",
            extraction_id=extraction_id,
            hint="Accept, dismiss or correct it, or accept its risk.",
        )
    made = store.derivations(view.corpus_id, [record.derivation_id]).get(record.derivation_id)
    if made is not None and made.method == BY_PROGRAM:
        raise UsageError(
            "the extraction was stored by a program, and no build reads it again",
            extraction_id=extraction_id,
            hint="Let the program store it as it should be.",
        )
    version = view.document(record.document_id)
    reading = read_document(stored_source(store, version))
    subject = Signable(version.name, reading).reviewed(record)
    if decision == "correct":
        fields = {name: getattr(record, name) for name in Extraction.model_fields}
        original = Extraction(**{**fields, "extraction_kind": subject.kind, "tier1_data": _original(record)})
        corrected(original, changes, reading.matched.verbatim)
    return ReviewSubject(subject.fingerprint, record.source_text, (subject.sentence,), extraction_id, subject)


def _original(record: Extraction) -> dict[str, JsonValue]:
    """What was read from the quote, whatever was corrected since."""
    decided = record.decided
    return record.tier1_data.fields() if decided is None else decided.original_data or record.tier1_data.fields()
