"""Persons, their keys, and decisions that they sign, in a store of nothing else."""

from __future__ import annotations

from typing import Any

from coditect.integrity.signing.registry import register_key
from coditect.schemas import Decision, PersonSignature, Review, sha256_hex
from coditect.store.store import Store
from coditect.transparency.notes import SigningKey
from coditect.transparency.persons.shown import shown_review
from coditect.transparency.persons.signatures import signed_by

__all__ = ["ADA", "BEN", "CORPUS", "SPARE", "at", "decided", "registered", "signed"]

CORPUS = "c"
ADA, BEN, SPARE = (
    SigningKey(f"signer/{name}", bytes([number]) * 32) for number, name in enumerate(("ada", "ben", "x"))
)


def at(day: int) -> str:
    """A day of one month."""
    return f"2026-01-{day:02}T00:00:00Z"


def registered(store: Store, key: SigningKey, person: str = "", day: int = 1, **more: Any) -> None:  # noqa: ANN401 - as register_key's
    """A key in the register."""
    register_key(store, key, person=person or key.name.partition("/")[2].title(), role="officer", at=at(day), **more)


def decided(store: Store, decision: Decision = "accept", day: int = 2, *follows: Review) -> Review:
    """A decision, stored."""
    review = Review.create(
        corpus_id=CORPUS, fingerprint="0" * 64, claim_text="Logs are kept.", evidence=(), decision=decision, by="Ada",
        at=at(day), meaning="seen", follows=tuple(each.review_id for each in follows),
    )  # fmt: skip
    store.put_items([review])
    return review


def signed(store: Store, review: Review, key: SigningKey, day: int = 2, **more: object) -> PersonSignature:
    """A signature under a decision, stored."""
    fields: dict[str, Any] = {
        "corpus_id": CORPUS, "subject": review.review_id, "subject_sha256": sha256_hex(review.payload()),
        "shown": shown_review(review), "by": key.name.partition("/")[2].title(), "role": "officer", "at": at(day),
        "meaning": "approved",
    }  # fmt: skip
    record = signed_by(key, **{**fields, **more})
    store.put_items([record])
    return record
