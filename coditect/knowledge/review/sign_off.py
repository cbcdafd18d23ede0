"""Sign-off: a person decides of a claim or an extraction. Reviews are added, never changed; the next build heeds them.

A review holds for a fingerprint of words and evidence, not for an id: it outlives rebuilds, and a changed word needs a new one.
"""

from __future__ import annotations

from collections.abc import Mapping

from pydantic import JsonValue

from coditect.errors import UsageError
from coditect.integrity.signing.approvals import Approvals
from coditect.integrity.signing.checking import subject_bytes
from coditect.integrity.signing.items import signature_rows
from coditect.integrity.signing.policies import stored_policies
from coditect.integrity.signing.registry import PersonSigner, copied_keys
from coditect.knowledge.review.decisions import SignedDecisions
from coditect.knowledge.review.in_force import heard, reviews_in_force, waiting_reviews
from coditect.knowledge.review.rows import require_row_decision
from coditect.knowledge.review.said import SaidDecision
from coditect.knowledge.review.subjects import ReviewSubject, subject_of, subject_of_row
from coditect.schemas import Decision, PersonSignature, Review, ReviewedRow, sha256_hex
from coditect.store.items import write_logged
from coditect.store.rows import item_rows
from coditect.store.store import Store
from coditect.store.view import View
from coditect.transparency.events import event_of
from coditect.transparency.persons.shown import shown_review
from coditect.transparency.persons.signatures import signed_by

__all__ = ["approve", "drafted", "sign", "sign_row"]


def sign(
    store: Store,
    view: View,
    item_id: str,
    *,
    decision: Decision,
    by: str,
    meaning: str,
    at: str,
    changes: Mapping[str, JsonValue] | None = None,
    until: str | None = None,
    signer: PersonSigner | None = None,
    shown_sha256: str | None = None,
) -> Review:
    """Store a person's decision on a claim or an extraction of a generation; it takes effect in the next build.

    Where the corpus asks for signatures, the decision waits until as many persons have signed.

    Args:
        store: the store that the review is written to.
        view: the generation that the reviewer looked at.
        item_id: of a claim or extraction of that generation; to withdraw, also that of the review.
        decision: "supported" or "unsupported" of a claim that needs review; "accept", "dismiss" or "accept_risk" of any claim that
            is not refused by all, and of any extraction; "correct" of an extraction; "withdraw" takes back what is decided.
        by: the reviewer's name.
        meaning: of the signature: the reason.
        at: now, RFC 3339, UTC.
        changes: of a correction: new values by field of the typed data, and ``kind``; None empties a field.
        until: of an accepted risk: the last day on which it is accepted, ``2026-12-31``; None: until somebody decides otherwise.
        signer: what signs it, of the person who decides; None: it is decided by name, unsigned.
        shown_sha256: SHA-256 of the text that the person was shown, as ``shown_review`` gives it; None: not said.
    Returns:
        the review; the one that is in force already where it says the same of the same by the same person.

    Raises:
        NotFound: no such item in this generation.
        UsageError: the decision cannot be made of this item, a correction does not hold, or a field is empty.
    """
    review, is_known = drafted(
        store, view, item_id, decision=decision, by=by, meaning=meaning, at=at, changes=changes, until=until
    )
    return _stored(store, review, is_known, signer, at, shown_sha256)


def sign_row(
    store: Store,
    view: View,
    row: ReviewedRow,
    *,
    decision: Decision,
    by: str,
    meaning: str,
    at: str,
    changes: Mapping[str, JsonValue] | None = None,
    earlier: str = "",
    until: str | None = None,
    signer: PersonSigner | None = None,
    shown_sha256: str | None = None,
) -> Review:
    """Store a person's decision on a row of a crosswalk; it counts from now on, wherever both sides say what they said.

    Args:
        store: the store that the review is written to.
        view: the generation of the documents.
        row: what the person looked at.
        decision: "accept", "dismiss", "accept_risk"; "correct" with another label; "withdraw" takes back what is decided.
        by: the reviewer's name.
        meaning: of the signature: the reason.
        at: now, RFC 3339, UTC.
        changes: of a correction: ``label``, a label of crosswalks.
        earlier: id of the decision on other words that the row told of; the new one takes its place; "": it told of none.
        until: of an accepted risk: the last day on which it is accepted; None: until somebody decides otherwise.
        signer: what signs it, of the person who decides; None: it is decided by name, unsigned.
        shown_sha256: SHA-256 of the text that the person was shown, as ``shown_review`` gives it; None: not said.

    Raises:
        UsageError: the decision cannot be made of a row, the label is none, or a field is empty.
    """
    said = SaidDecision.of(decision, by, meaning, changes, until, at=at)
    require_row_decision(row, decision, changes or {})
    review, is_known = _made(store, view, subject_of_row(row, earlier), "", said, at)
    return _stored(store, review, is_known, signer, at, shown_sha256)


def _stored(
    store: Store, review: Review, is_known: bool, signer: PersonSigner | None, at: str, shown_sha256: str | None
) -> Review:
    if signer is None:
        if not is_known:
            _write(store, review)
        return review
    return approve(store, review, signer, meaning=review.meaning, at=at, shown_sha256=shown_sha256)


def approve(
    store: Store, review: Review, signer: PersonSigner, *, meaning: str, at: str, shown_sha256: str | None = None
) -> Review:
    """Sign a decision: one's own, which is stored with the signature, or another person's.

    Args:
        store: the store that it is written to.
        review: the decision.
        signer: what signs, of the person who signs.
        meaning: of the signature.
        at: now, RFC 3339, UTC.
        shown_sha256: SHA-256 of the text that the person was shown; None: not said.

    Raises:
        UsageError: what was shown is not what is signed, or a field is empty.
    """
    shown = shown_review(review)
    if shown_sha256 is not None and shown_sha256 != sha256_hex(shown.encode()):
        raise UsageError(
            "what was shown is not what would be signed",
            shown=shown_sha256,
            now=sha256_hex(shown.encode()),
            hint="Look at it again: the same command with --show, and without --sign-key.",
        )
    if not meaning.strip():
        raise UsageError("a signature has a meaning", by=signer.life.person)
    stored = subject_bytes(store, review.corpus_id, review.review_id)
    own = Approvals(store, review.corpus_id).signatures(review)
    if any(each.key == str(signer.signer.key) and not each.problems for each in own):
        return review  # this person has signed it
    signature = signed_by(
        signer.signer,
        corpus_id=review.corpus_id,
        subject=review.review_id,
        subject_sha256=sha256_hex(review.payload() if stored is None else stored),
        shown=shown,
        by=signer.life.person,
        role=signer.life.role,
        at=at,
        meaning=meaning.strip(),
        salt=store.acting.salts(),
    )
    _write(store, review, signature)
    return review


def _write(store: Store, review: Review, signature: PersonSignature | None = None) -> None:
    """A review, with the signature under it and the keys that this needs, in one transaction."""
    by = store.acting.by
    logged = event_of("review", review.corpus_id, review, subject=review.review_id, at=review.at, by=by)
    items = [(item_rows(store.keys, review), logged)]
    if signature is not None:
        items = [*copied_keys(store, review.corpus_id, signature.key), *items, signature_rows(store, signature)]
    write_logged(store.engine, store.keys, items)


def drafted(
    store: Store,
    view: View,
    item_id: str,
    *,
    decision: Decision,
    by: str,
    meaning: str,
    at: str,
    changes: Mapping[str, JsonValue] | None = None,
    until: str | None = None,
) -> tuple[Review, bool]:
    """A decision that is not stored yet, and whether the very same is there already. Arguments and errors as for :func:`sign`."""
    said = SaidDecision.of(decision, by, meaning, changes, until, at=at)
    subject = subject_of(store, view, item_id, decision, changes)
    return _made(store, view, subject, item_id, said, at)


def _made(
    store: Store, view: View, subject: ReviewSubject, item_id: str, said: SaidDecision, at: str
) -> tuple[Review, bool]:
    """The decision on a subject, with what it takes the place of, and whether the very same is there already."""
    waiting = [each for each in waiting_reviews(store, view.corpus_id) if each.fingerprint in subject.signed_by]
    before = [*heard(reviews_in_force(store, view.corpus_id), subject.signed_by), *waiting]
    if any(each.review_id == item_id for each in waiting):  # taken back before it was in force: what is in force stands
        before = [each for each in waiting if each.review_id == item_id]
    if len(before) == 1 and said.is_said_by(before[0]):
        return before[0], True
    replaced = [*before, *_replaced(SignedDecisions(store, view, at[:10]), subject, item_id)]
    if said.decision == "withdraw" and not replaced:
        raise UsageError(
            "nothing that is in force, or waits, is decided of this item",
            item_id=item_id,
            hint="'coditect knowledge review --list' shows what was decided, and what was taken back already.",
        )
    # A clock that is slow does not pass by a policy that is there.
    at = max([at, *(each.at for each in stored_policies(store, view.corpus_id)[-1:])])
    review = Review.create(
        corpus_id=view.corpus_id,
        fingerprint=subject.fingerprint,
        claim_text=subject.text,
        evidence=subject.evidence,
        decision=said.decision,
        by=said.by,
        at=at,
        meaning=said.meaning,
        follows=tuple(dict.fromkeys(each.review_id for each in replaced)),
        signed_item=subject.item_id,
        extraction=subject.extraction,
        row=subject.row,
        changes=said.changes,
        until=said.until,
        salt=store.acting.salts(),
    )
    return review, False


def _replaced(signed: SignedDecisions, subject: ReviewSubject, item_id: str) -> list[Review]:
    """Decisions that were open again for this item: who decides on what it says now, closes them."""
    mine = [
        each
        for own in signed.in_force.values()
        for each in own
        if (each.extraction and each.extraction.document) == (subject.extraction and subject.extraction.document)
        and (_part(each.row) == _part(subject.row) or each.review_id == subject.earlier)
        and each.fingerprint not in subject.signed_by
    ]
    if subject.row is not None:
        # Of a row as it is now what was decided on other words counts for none; a review that is named is perhaps not of now.
        return [status.review for status in signed.open_again(mine)] if item_id else mine
    return [status.review for status in signed.open_again(mine) if status.item_id == subject.item_id]


def _part(row: ReviewedRow | None) -> tuple[str, str, str, str] | None:
    return None if row is None else (row.framework, row.document, row.requirement_id, row.named_part or row.text)
