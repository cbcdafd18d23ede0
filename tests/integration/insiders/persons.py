"""Attacks on what persons signed and ordered: signatures forged and moved, keys in another's name, erasures and holds bent."""

from __future__ import annotations

import hashlib

from coditect.integrity.signing.registry import register_key
from coditect.keyspace import seal
from coditect.schemas import (
    Claim,
    Erasure,
    ErasureCertificate,
    Extraction,
    HoldRelease,
    LegalHold,
    PersonSignature,
    Retention,
    Review,
    SignerKey,
    Tombstone,
)
from coditect.transparency.notes import SigningKey, base64_of
from coditect.transparency.persons.keys import prove_possession
from coditect.transparency.persons.shown import shown_review
from coditect.transparency.persons.signatures import signed_by
from tests.integration.insiders.hands import Hands
from tests.integration.insiders.lived import ANNA, CLERK, CORPUS, at

OWN = SigningKey("signer/insider", bytes(range(9, 41)))
"""A key of the insider's."""


def _unsigned(hands: Hands) -> Review:
    """A decision that nobody signed."""
    signed = {each.subject for each in hands.rows("signatures", PersonSignature)}
    return next(each for each in hands.rows("reviews", Review) if each.review_id not in signed)


def _applied(hands: Hands) -> PersonSignature:
    """The signature of a decision that the current generation applies."""
    applied = {each.review_id for verdict in hands.view.verdicts.values() for each in verdict.opinions}
    return next(each for each in hands.rows("signatures", PersonSignature) if each.subject in applied)


def _signed_as(hands: Hands, key: SigningKey, review: Review, *, day: int = 7, by: str = "Anna Auditor") -> None:
    hands.write(
        signed_by(
            key,
            corpus_id=CORPUS,
            subject=review.review_id,
            subject_sha256=hashlib.sha256(review.payload()).hexdigest(),
            shown=shown_review(review),
            by=by,
            role="auditor" if by == "Anna Auditor" else "clerk",
            at=at(day),
            meaning="approved",
            salt="5" * 32,
        )
    )


def signature_by_an_unregistered_key(hands: Hands) -> None:
    """The insider signs a decision in the auditor's name with a key of his own."""
    _signed_as(hands, OWN, _unsigned(hands))


def signature_is_made_up(hands: Hands) -> None:
    """The auditor's own key is named, and somebody else signed."""
    review = _unsigned(hands)
    _signed_as(hands, OWN, review)
    made = next(each for each in hands.rows("signatures", PersonSignature) if each.key == str(OWN.key))
    hands.swap(made, key=str(ANNA.key))


def signature_by_a_revoked_key(hands: Hands) -> None:
    """A key that was lost signs behind its revocation."""
    _signed_as(hands, CLERK, _unsigned(hands), day=7, by="Cy Clark")


def signature_by_a_revoked_key_of_before(hands: Hands) -> None:
    """The same, and the signature says an earlier time, at which the key still held."""
    _signed_as(hands, CLERK, _unsigned(hands), day=2, by="Cy Clark")


def decision_is_dated_before_the_policy(hands: Hands) -> None:
    """Two persons must sign corrections from now on: one that nobody signed says that it was made before."""
    review = _unsigned(hands)
    hands.write(hands.forged(review, decision="correct", at=at(2), meaning="as agreed", follows=()))


def signature_is_moved_to_another_claim(hands: Hands) -> None:
    """A genuine signature is cut out and put under another claim."""
    signature = next(each for each in hands.rows("signatures", PersonSignature) if each.subject.startswith("claim_"))
    claims = [each for each in hands.rows("claims", Claim) if each.claim_id in hands.view.claims]
    other = next(each for each in claims if each.claim_id != signature.subject)
    hands.swap(signature, subject=other.claim_id, subject_sha256=hashlib.sha256(other.payload()).hexdigest())


def signature_is_moved_to_another_decision(hands: Hands) -> None:
    """The same with a decision: the statement does not say so, but the record does."""
    signature = next(each for each in hands.rows("signatures", PersonSignature) if each.subject.startswith("review_"))
    other = _unsigned(hands)
    hands.swap(
        signature,
        subject=other.review_id,
        subject_sha256=hashlib.sha256(other.payload()).hexdigest(),
        shown=shown_review(other),
        shown_sha256=hashlib.sha256(shown_review(other).encode()).hexdigest(),
    )


def signed_record_is_changed_under_its_signature(hands: Hands) -> None:
    """The decision says the contrary, under the genuine signature that now names the new record."""
    signature = _applied(hands)
    review = next(each for each in hands.rows("reviews", Review) if each.review_id == signature.subject)
    fresh = hands.swap(review, decision="dismiss")
    hands.swap(signature, subject=fresh.review_id, subject_sha256=hashlib.sha256(fresh.payload()).hexdigest())


def signatures_are_swapped(hands: Hands) -> None:
    """Two signatures change their bytes: that of a decision that the generation applies, and that of a claim."""
    one = _applied(hands)
    two = next(each for each in hands.rows("signatures", PersonSignature) if each.subject.startswith("claim_"))
    hands.swap(one, signature=two.signature)
    hands.swap(two, signature=one.signature)


def signature_is_backdated(hands: Hands) -> None:
    """A genuine signature says that it was made before the generation."""
    signature = next(each for each in hands.rows("signatures", PersonSignature) if each.subject.startswith("claim_"))
    hands.swap(signature, at="2020-01-01T00:00:00Z")


def key_without_proof_in_another_name(hands: Hands) -> None:
    """A key that nobody proved to have is entered as the auditor's, and its owner's signature is shown as hers."""
    forged = SignerKey.create(
        corpus_id=CORPUS, key=str(OWN.key), change="made", person="Anna Auditor", role="auditor", at=at(1)
    )
    hands.write(forged)
    _signed_as(hands, OWN, _unsigned(hands))


def key_with_proof_in_another_name(hands: Hands) -> None:
    """The insider has the key and proves it; the name is the auditor's. No event tells of it."""
    made = SignerKey.create(
        corpus_id="", key=str(OWN.key), change="made", person="Anna Auditor", role="auditor", at=at(1), salt="6" * 32
    )
    hands.write(prove_possession(made, OWN))
    _signed_as(hands, OWN, _unsigned(hands))


def key_in_another_name_through_the_program(hands: Hands) -> None:
    """The same by the program, which logs it, with a signature that it logs, too: the register names whom it was told.

    That the person behind a key was identified (21 CFR 11.100(b)) is the organisation's: what is logged can be read in the
    register, and who verifies a bundle gives the keys of the persons whom they know.
    """
    from coditect.integrity.signing.registry import person_signer
    from coditect.knowledge.review.sign_off import approve

    register_key(hands.store, OWN, person="Anna Auditor", role="auditor", at=at(8))
    approve(hands.store, _unsigned(hands), person_signer(hands.store, OWN, at(8)), meaning="approved", at=at(8))


def revocation_is_deleted(hands: Hands) -> None:
    """A key that was lost holds again, in the register and in the corpus."""
    for corpus in (CORPUS, ""):
        for each in hands.rows("signers", SignerKey, corpus):
            if each.change == "revoked":
                hands.drop(each)


def revocation_is_planted(hands: Hands) -> None:
    """The auditor's key is revoked from before she signed."""
    held = next(each for each in hands.rows("signers", SignerKey) if each.person == "Anna Auditor")
    hands.write(hands.forged(held, change="revoked", at="2020-01-01T00:00:00Z", reason="lost", proof=None))


def sign_off_is_forged_in_a_name(hands: Hands) -> None:
    """A decision by name, in the auditor's name, without a signature."""
    review = _unsigned(hands)
    hands.write(hands.forged(review, by="Anna Auditor", meaning="approved", follows=()))


def sign_off_is_moved_to_another_claim(hands: Hands) -> None:
    """A decision that was made on one claim is shown on another."""
    review = _unsigned(hands)
    other = next(each for each in hands.rows("claims", Claim) if each.claim_id != review.signed_item)
    hands.swap(review, signed_item=other.claim_id)


# what goes, and what must stay


def deletion_is_hidden_by_a_tombstone(hands: Hands) -> None:
    """Rows of another document are deleted, and a second tombstone of a genuine erasure names them as erased."""
    item = hands.rows("extractions", Extraction)[0]
    genuine = hands.rows("tombstones", Tombstone)[0]
    hands.drop(item)
    hands.write(hands.forged(genuine, rows={"extractions": (item.extraction_id,)}, steps={}, summaries={}))


def deletion_is_hidden_by_a_longer_tombstone(hands: Hands) -> None:
    """The same in the place of the genuine one, with a certificate that names it."""
    item = hands.rows("extractions", Extraction)[0]
    genuine = hands.rows("tombstones", Tombstone)[0]
    hands.drop(item)
    rows = {**genuine.rows, "extractions": (*genuine.rows.get("extractions", ()), item.extraction_id)}
    stone = hands.swap(genuine, rows=rows)
    hands.swap(hands.rows("certificates", ErasureCertificate)[0], tombstone_id=stone.tombstone_id)


def erasure_is_made_up(hands: Hands) -> None:
    """An erasure that nobody asked for, with tombstone and certificate, explains a deleted decision."""
    review = _unsigned(hands)
    hands.drop(review)
    erasure = hands.swap_in(hands.rows("erasures", Erasure)[0], reason="Art. 17 request 4712")
    stone = hands.forged(
        hands.rows("tombstones", Tombstone)[0],
        erasure_id=erasure.erasure_id,
        rows={"reviews": (review.review_id,)},
        steps={},
        summaries={},
    )
    hands.write(stone)
    certificate = hands.rows("certificates", ErasureCertificate)[0]
    hands.write(hands.forged(certificate, erasure_id=erasure.erasure_id, tombstone_id=stone.tombstone_id))


def certificate_says_that_nothing_was_found(hands: Hands) -> None:
    """The search of an erasure looked at more than it did."""
    certificate = hands.rows("certificates", ErasureCertificate)[0]
    hands.swap(certificate, scan=certificate.scan.model_copy(update={"rows": 10_000_000}))


def tombstone_is_deleted(hands: Hands) -> None:
    """What was erased looks lost, and can be brought back."""
    hands.drop(hands.rows("tombstones", Tombstone)[0])


def hold_is_ended_by_nobody(hands: Hands) -> None:
    """A release that nobody gave, so that the documents can be erased."""
    held = next(each for each in hands.rows("holds", LegalHold) if each.matter == "Doe v. Acme")
    hands.write(HoldRelease.create(corpus_id=CORPUS, hold_id=held.hold_id, reason="settled", by="C. Ounsel", at=at(8)))


def retention_hides_a_generation(hands: Hands) -> None:
    """A generation is cut out, and a retention says that it went by policy."""
    from coditect.schemas import Generation

    second = hands.first("generations", Generation, generation=2)
    hands.drop(second)
    hands.write(
        Retention.create(
            corpus_id=CORPUS, generations=(2,), build_ids=(second.build_id,), policy="keep-generations 1", at=at(8)
        )
    )


def erased_rows_come_back(hands: Hands) -> None:
    """A row that was erased is put back."""
    stone = hands.rows("tombstones", Tombstone)[0]
    erased = next(each for each in stone.rows["extractions"])
    like = hands.rows("extractions", Extraction)[0]
    key = hands.keys.key("extractions", CORPUS, like.document_id, erased)
    hands.set_rows((key, seal(hands.keys.relative(key), like.payload())))


def proof_of_a_key_is_forged(hands: Hands) -> None:
    """The auditor's key gets another role, with a proof that the insider made."""
    held = next(each for each in hands.rows("signers", SignerKey) if each.person == "Anna Auditor")
    draft = hands.forged(held, role="the board", proof=None)
    hands.drop(held)
    hands.write(hands.forged(draft, proof=base64_of(OWN.sign(draft.statement))))
