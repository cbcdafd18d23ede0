"""How decisions stand in one generation: what they are about now, and which wait for a person again.

A decision holds for the words and the reading that were signed. Where neither is there any more, the nearest sentence or claim of
today is shown beside what was decided on, and the decision is open until somebody decides again or withdraws it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from typing import Any

from coditect.errors import UsageError
from coditect.integrity.evidence import evidence_of
from coditect.integrity.signing.approvals import Approvals
from coditect.knowledge.derivation.decisions import DECIDED_METHOD
from coditect.knowledge.derivation.readings import stored_reading
from coditect.knowledge.derivation.source import stored_source
from coditect.knowledge.review.doubts import is_possible
from coditect.knowledge.review.in_force import (
    agreed,
    heard,
    is_expired,
    reviews_in_force,
    stored_reviews,
    waiting_reviews,
)
from coditect.knowledge.review.rows import row_status
from coditect.schemas import Claim, DecisionStatus, DocumentVersion, Extraction, PendingReview, Review, hint_of
from coditect.store.store import Store
from coditect.store.view import View
from coditect.tiers.claims.severity import SEVERITIES
from coditect.tiers.decisions.correction import corrected
from coditect.tiers.decisions.reviewed import Signable
from coditect.tiers.extractions.document import extraction_records, read_document
from coditect.verify.checker import quotes_of
from coditect.verify.judges import fingerprints, without_reviews

__all__ = ["SignedDecisions", "pending"]

LEAST_ALIKE = 0.4
"""Share of their words that two sentences have in common, from which on one is shown as what became of the other; 0..1."""

_WORD = re.compile(r"\w+")


class SignedDecisions:
    """The decisions of a corpus, held against one generation.

    Args:
        store: the store that the reviews are in.
        view: the generation.
        today: the day that it is, ``2026-03-31``; "": no accepted risk is over.
    """

    def __init__(self, store: Store, view: View, today: str = "") -> None:
        self.store = store
        self.view = view
        self.today = today
        self._documents: dict[str, _Document | None] = {}

    @cached_property
    def in_force(self) -> dict[str, tuple[Review, ...]]:
        """The reviews that no other follows, by fingerprint; risks that were accepted until an earlier day among them."""
        return reviews_in_force(self.store, self.view.corpus_id)

    def statuses(self) -> list[DecisionStatus]:
        """Every decision that was ever signed, by time."""
        every = stored_reviews(self.store, self.view.corpus_id)
        approvals = Approvals(self.store, self.view.corpus_id)
        counting, waiting = approvals.sorted_out(every)
        followers: dict[str, list[Review]] = {}
        for review in counting:
            for each in review.follows:
                followers.setdefault(each, []).append(review)
        found = []
        for review in sorted(every, key=lambda r: (r.at, r.review_id)):
            own = followers.get(review.review_id, [])
            if review in waiting:
                detail, item_id = approvals.said(review), review.signed_item or ""
                status = DecisionStatus(review=review, state="waiting", item_id=item_id, detail=detail)
            elif review.decision == "withdraw" or any(each.decision == "withdraw" for each in own):
                status = DecisionStatus(review=review, state="withdrawn")
            elif own:
                status = DecisionStatus(review=review, state="replaced")
            else:
                status = self.status(review)
            found.append(status.model_copy(update={"signatures": approvals.signatures(review)}))
        return found

    def open_again(self, reviews: Iterable[Review] | None = None) -> Iterator[DecisionStatus]:
        """The decisions that a person has to look at again; of all in force, or of some of them."""
        wanted = [each for own in self.in_force.values() for each in own] if reviews is None else reviews
        for review in wanted:
            status = self.status(review)
            if status.state in ("reopened", "expired"):
                yield status

    def status(self, review: Review) -> DecisionStatus:
        """How a decision stands that no other follows."""
        if review.row is not None:
            found = row_status(self.store, self.view, review, review.row)
        else:
            found = self._of_claim(review) if review.extraction is None else self._of_extraction(review)
        if found.state == "reopened":
            return found
        if is_expired(review, self.today):
            detail = f"the risk was accepted until {review.until}"
            return found.model_copy(update={"state": "expired", "detail": detail})
        if not agreed(self.in_force.get(review.fingerprint, (review,))):
            return found.model_copy(update={"state": "reopened", "detail": "another review in force decides otherwise"})
        return found

    @cached_property
    def claims(self) -> dict[str, Claim]:
        """The claims of the generation by each of their fingerprints."""
        evidence = evidence_of(self.view)
        return {each: claim for claim in self.view.claims.values() for each in fingerprints(claim, evidence)}

    def _of_claim(self, review: Review) -> DecisionStatus:
        claim = self.claims.get(review.fingerprint)
        if claim is None:
            return self._changed_claim(review)
        verdict = self.view.verdicts[claim.claim_id]
        own = without_reviews(verdict)
        detail, applied = "", any(each.review_id == review.review_id for each in verdict.opinions)
        if own == "unsupported":
            detail, applied = "the checker and the judges refuse the claim, whoever accepts it", True
        elif own == "supported" and review.decision in ("supported", "unsupported"):
            detail, applied = "the checker and the judges agree on the claim now", True
        state = "in force" if applied else "next build"
        return DecisionStatus(review=review, state=state, item_id=claim.claim_id, text=claim.text, detail=detail)

    def _changed_claim(self, review: Review) -> DecisionStatus:
        decided = {claim.claim_id for key, claim in self.claims.items() if key in self.in_force}
        undecided = [claim for claim in self.view.claims.values() if claim.claim_id not in decided]
        now = _nearest(review.claim_text, [claim.text for claim in undecided])
        if now is None:
            detail = f"decided on “{review.claim_text}”; no claim says so any more"
            return DecisionStatus(review=review, state="reopened", detail=detail)
        claim = undecided[now]
        same = claim.text == review.claim_text
        what = "its evidence is other than it was" if same else f"the claim now reads “{claim.text}”"
        return DecisionStatus(
            review=review,
            state="reopened",
            item_id=claim.claim_id,
            text=claim.text,
            detail=f"decided on “{review.claim_text}”; {what}",
        )

    def _of_extraction(self, review: Review) -> DecisionStatus:
        subject = review.extraction
        document = None if subject is None else self._document(subject.document)
        if subject is None or document is None:
            name = "" if subject is None else subject.document
            return DecisionStatus(review=review, state="reopened", detail=f"the document {name} is not there any more")
        record = document.live.get(review.fingerprint)
        if record is None and not (review.decision == "dismiss" and review.fingerprint in document.read_today):
            return document.changed(review)
        if record is not None and record.decided is None and review.decision == "correct":
            try:
                corrected(record, review.changes or {}, document.text)
            except UsageError as error:
                return DecisionStatus(
                    review=review,
                    state="reopened",
                    item_id=record.extraction_id,
                    text=subject.sentence,
                    detail=f"its correction does not hold any more: {error}",
                )
        applied = review.review_id in document.applied
        return DecisionStatus(
            review=review,
            state="in force" if applied else "next build",
            item_id="" if record is None else record.extraction_id,
            text=subject.quote,
        )

    def _document(self, name: str) -> _Document | None:
        if name not in self._documents:
            version = next((each for each in self.view.documents.values() if each.name == name), None)
            quotes = {own[0].claim_text for own in self.in_force.values()}
            self._documents[name] = None if version is None else _Document(self.store, self.view, version, quotes)
        return self._documents[name]


class _Document:
    """A document of the generation as decisions on its extractions are held against it."""

    def __init__(self, store: Store, view: View, version: DocumentVersion, quotes: set[str]) -> None:
        self._store = store
        self._version = version
        self._quotes = quotes
        self._reading = read_document(stored_source(store, version))
        self._signable = Signable(version.name, self._reading)
        self.text = self._reading.matched.verbatim
        self.records = view.extractions(version.document_id)
        entry = view.entries[version.document_id]
        self.steps = store.derivations(version.corpus_id, entry.extractions).values()
        self.applied = {str(each) for step in self.steps for each in step.parameters.get("reviews", ())}
        self.live = self._signed(self.records)

    def _signed(self, records: Iterable[Extraction]) -> dict[str, Extraction]:
        found: dict[str, Extraction] = {}
        for each in records:
            if each.source_text in self._quotes:
                found.setdefault(self._signable.reviewed(each).fingerprint, each)
        return found

    @cached_property
    def read_today(self) -> dict[str, Extraction]:
        """What is read of the document before any decision is applied."""
        told = [stored_reading(self._store, self._version, self._reading, step) for step in self.steps]
        by_model = next((each for each in told if each is not None), None)
        stated = next((str(each) for step in self.steps if (each := step.parameters.get("stated_role"))), "")
        found = self._signed(
            extraction_records(self._version, self._reading, "derivation_", told=by_model, stated_role=stated)
        )
        for step in self.steps:
            if step.method == DECIDED_METHOD:
                for mapped in self._store.derivations(self._version.corpus_id, list(step.inputs)).values():
                    places = [(self._version.corpus_id, self._version.document_id, each) for each in mapped.outputs]
                    stored = self._store.get_many("extractions", Extraction, places)
                    found |= self._signed(each for each in stored if each is not None)
        return found

    def changed(self, review: Review) -> DecisionStatus:
        """A decision whose sentence, or whose reading, is not there any more.

        Raises:
            UsageError: it is not of an extraction.
        """
        subject = review.extraction
        if subject is None:
            raise UsageError("the review is not of an extraction", review_id=review.review_id)
        spans = [self._reading.quote(span.start, span.end) for span in self._reading.sentences]
        at = self.text.find(subject.sentence)
        if at >= 0:
            text, start, end = subject.sentence, at, at + len(subject.sentence)
        else:
            now = _nearest(subject.sentence, [text for text, _, _ in spans])
            if now is None:
                detail = f"decided on “{subject.sentence}”; no such sentence is in {subject.document} any more"
                return DecisionStatus(review=review, state="reopened", detail=detail)
            text, start, end = spans[now]
        inside = [each for each in self.records if start <= each.char_offset_start and each.char_offset_end <= end]
        inside.sort(key=lambda e: (e.source_text != subject.quote, e.extraction_kind != subject.kind))
        kinds = ", ".join(dict.fromkeys(each.extraction_kind.replace("_", " ") for each in inside)) or "nothing"
        what = f"the sentence now reads “{text}”"
        if at >= 0:
            what = f"the same words, signed as {subject.kind.replace('_', ' ')}, are now read otherwise ({kinds})"
        return DecisionStatus(
            review=review,
            state="reopened",
            item_id=inside[0].extraction_id if inside else "",
            text=text,
            detail=f"decided on “{subject.sentence}”; {what}",
        )


def pending(store: Store, view: View, today: str = "") -> list[PendingReview]:
    """What is a person's to settle, open claims first; and decisions whose evidence changed, or whose date has passed.

    Args:
        store: the store that the reviews are in.
        view: the generation.
        today: the day that it is, ``2026-03-31``; "": no accepted risk is over.
    """
    signed = SignedDecisions(store, view, today)
    reopened = list(signed.open_again())
    of_claims = {each.item_id: each.review for each in reopened if each.item_id in view.claims}
    reviews = reviews_in_force(store, view.corpus_id, today)
    evidence = evidence_of(view)
    found = []
    for claim_id, verdict in view.verdicts.items():
        if without_reviews(verdict) != "needs_review":
            continue
        claim = view.claims[claim_id]
        found.append(
            PendingReview(
                item_id=claim_id,
                claim_id=claim_id,
                text=claim.text,
                label=verdict.label,
                support_score=verdict.support_score,
                reason=verdict.filter_reason,
                hint=hint_of(verdict.signals),
                evidence=tuple(quote.text for quote in quotes_of(claim, evidence)),
                reviews=heard(reviews, fingerprints(claim, evidence)),
                reopened=of_claims.get(claim_id),
            )
        )
    listed = {each.claim_id for each in found}
    found += [_reopened(view, each) for each in reopened if each.item_id not in listed]
    approvals = Approvals(store, view.corpus_id)
    found += [_waiting(view, each, approvals.said(each)) for each in waiting_reviews(store, view.corpus_id)]
    return sorted(found, key=lambda each: _by_weight(view, each))


def _by_weight(view: View, each: PendingReview) -> tuple[Any, ...]:
    """The order of the queue: what is open first; of that, what checkers disagree on before what is only possible, by weight."""
    claim = view.claims.get(each.claim_id)
    weight = (
        (0.0, 0) if claim is None else (-(claim.confidence or 0.0), SEVERITIES.index(claim.severity or "information"))
    )
    possible = is_possible(view.verdicts.get(each.claim_id))
    return each.label != "needs_review", bool(each.reviews), possible, *weight, each.claim_id, each.item_id, each.reason


def _waiting(view: View, review: Review, said: str) -> PendingReview:
    item_id = review.signed_item or ""
    verdict = view.verdicts.get(item_id)
    return PendingReview(
        item_id=item_id,
        claim_id=item_id if item_id in view.claims else "",
        text=review.claim_text,
        label="needs_review",
        support_score=0.0 if verdict is None else verdict.support_score,
        reason=said,
        evidence=review.evidence,
        reviews=(),
        waiting=review,
    )


def _reopened(view: View, status: DecisionStatus) -> PendingReview:
    verdict = view.verdicts.get(status.item_id)
    return PendingReview(
        item_id=status.item_id,
        claim_id=status.item_id if status.item_id in view.claims else "",
        text=status.text,
        label="needs_review",
        support_score=0.0 if verdict is None else verdict.support_score,
        reason=status.detail,
        evidence=status.review.evidence,
        reviews=(),
        reopened=status.review,
    )


def _nearest(text: str, candidates: Sequence[str]) -> int | None:
    """Which of some sentences shares most of its words with another; the first of several; None where none shares enough."""
    wanted = Counter(_WORD.findall(text.casefold()))
    best, found = LEAST_ALIKE, None
    for index, candidate in enumerate(candidates):
        own = Counter(_WORD.findall(candidate.casefold()))
        share = (wanted & own).total() / max(1, (wanted | own).total())
        if share > best:
            best, found = share, index
    return found
