"""What a signature says that it was made of, against what is stored."""

from __future__ import annotations

from typing import Any

import pytest

from coditect.integrity.decisions import untrue_evidence
from coditect.schemas import Claim, Review, ReviewedExtraction
from coditect.store.store import Store
from tests.unit.store.items import CORPUS, extraction, version

CLAIM = Claim.create(
    corpus_id=CORPUS, derivation_id="derivation_1", claim_kind="theme", text="Logs are kept.", citations=()
)
SENTENCE = "The clerk shall sign."


def signed(text: str, item_id: str | None, **more: object) -> Review:
    """A decision on an item."""
    fields: dict[str, Any] = {
        "corpus_id": CORPUS,
        "fingerprint": "ab" * 32,
        "claim_text": text,
        "evidence": (),
        "decision": "accept",
        "by": "the CISO",
        "at": "2026-01-01T00:00:00Z",
        "meaning": "agreed",
        "signed_item": item_id,
    }
    return Review.create(**{**fields, **more})


def on_extraction(**changes: object) -> Review:
    """A decision on the clerk's duty, with other facts about what was looked at."""
    seen: dict[str, Any] = {
        "document": "a.md",
        "sentence": SENTENCE,
        "quote": SENTENCE,
        "quote_start": 0,
        "kind": "obligation",
        "data": {},
        **changes,
    }
    looked_at = ReviewedExtraction(**seen)
    return signed(looked_at.quote, extraction().extraction_id, extraction=looked_at, fingerprint=looked_at.fingerprint)


@pytest.fixture
def filled(memory: Store) -> Store:
    """A store with a claim, and a document with one duty."""
    memory.put_blob(CORPUS, SENTENCE.encode())
    memory.put_items([CLAIM, version(), extraction()])
    return memory


def test_signature_under_the_words_of_its_claim_is_true(filled: Store) -> None:
    """Other words under the same name are told; a claim that is gone, and a review that names none, are not judged here."""
    assert not list(untrue_evidence(filled, signed("Logs are kept.", CLAIM.claim_id)))
    (problem,) = untrue_evidence(filled, signed("Logs are lost.", CLAIM.claim_id))
    assert "other words" in problem
    assert not list(untrue_evidence(filled, signed("Logs are lost.", "claim_" + "0" * 52)))
    assert not list(untrue_evidence(filled, signed("Logs are lost.", None)))


def test_signature_under_an_extraction_is_true_where_everything_seen_is_there(filled: Store) -> None:
    """Its document, its sentence, its quote and its reading are all compared."""
    assert not list(untrue_evidence(filled, on_extraction()))


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"quote": "The clerk may sign."}, "another reading"),
        ({"kind": "permission"}, "another reading"),
        ({"data": {"actor": "clerk"}}, "another reading"),
        ({"document": "b.md"}, "does not stand in the document"),
        ({"sentence": "The clerk shall resign."}, "does not stand in the document"),
    ],
    ids=["quote", "kind", "data", "document", "sentence"],
)
def test_signature_under_what_never_was_is_told(filled: Store, changes: dict[str, object], problem: str) -> None:
    """Each of the things that a reviewer saw, changed alone, is one finding."""
    (found,) = untrue_evidence(filled, on_extraction(**changes))
    assert problem in found


def test_signature_whose_fingerprint_is_of_something_else_is_told(filled: Store) -> None:
    """The fingerprint is what later builds look for, so it has to be that of what was seen."""
    forged = on_extraction().model_copy(update={"fingerprint": "cd" * 32})
    (problem,) = untrue_evidence(filled, forged)
    assert "fingerprint" in problem
    other_words = on_extraction().model_copy(update={"claim_text": "Something else."})
    (problem,) = untrue_evidence(filled, other_words)
    assert "fingerprint" in problem
