"""The register of keys: whose each is, for ever; what each corpus is told of it; and who can sign with it when."""

from __future__ import annotations

import json
from typing import Any

import pytest

from coditect.errors import NotFound, UsageError
from coditect.integrity.signing.checking import SignatureCheck, subject_bytes
from coditect.integrity.signing.registry import (
    copied_keys,
    known_keys,
    person_signer,
    register_key,
    registered_keys,
    revoke_key,
)
from coditect.schemas import Corpus, SignerKey
from coditect.store.items import write_logged
from coditect.store.store import Store
from coditect.transparency.sequencer import TransparencyLog
from tests.unit.integrity.signing.people import ADA, BEN, CORPUS, SPARE, at, decided, registered, signed


def _events(store: Store) -> list[tuple[str, str]]:
    told = [json.loads(each) for each in TransparencyLog(store.engine, store.keys).waiting()]
    return [(str(each["at"]), str(each["key"])) for each in told if each["kind"] == "key"]


def test_a_key_is_registered_once_and_logged(memory: Store) -> None:
    """Names are written with single spaces; the same again says nothing new."""
    made = register_key(memory, ADA, person=" Ada  Palmer ", role="head  of audit", at=at(1))
    assert (made.person, made.role, made.change, made.replaces) == ("Ada Palmer", "head of audit", "made", None)
    assert register_key(memory, ADA, person="Ada Palmer", role="head of audit", at=at(2)) == made
    assert registered_keys(memory) == [made]
    assert _events(memory) == [(at(1), str(ADA.key))]


@pytest.mark.parametrize(
    ("person", "role", "replaces"),
    [("Ben", "officer", ""), ("Ada", "clerk", ""), ("Ada", "officer", "another key")],
)
def test_a_registered_key_is_never_given_to_anybody_else(memory: Store, person: str, role: str, replaces: str) -> None:
    """Nor in another role, nor in the place of another; nor after its end."""
    registered(memory, ADA)
    for _ in range(2):
        with pytest.raises(UsageError, match="registered already"):
            register_key(memory, ADA, person=person, role=role, at=at(2), replaces=replaces)
        revoke_key(memory, str(ADA.key), reason="left", at=at(2))
    registered(memory, ADA)  # as it was said before


@pytest.mark.parametrize(("person", "role"), [("", "officer"), ("Ada", " "), (" \t", "")])
def test_a_key_is_somebodys_in_a_role(memory: Store, person: str, role: str) -> None:
    """Neither may be empty."""
    with pytest.raises(UsageError, match="somebody's"):
        register_key(memory, ADA, person=person, role=role, at=at(1))


def test_only_a_key_that_holds_is_replaced(memory: Store) -> None:
    """Not one that nobody registered, that was replaced before, or that was revoked; the next begins where it ends."""
    with pytest.raises(UsageError, match="no such key holds"):
        registered(memory, BEN, "Ada", replaces=str(ADA.key))
    registered(memory, ADA)
    registered(memory, BEN, "Ada", 2, replaces=str(ADA.key), former=ADA)
    again = registered_keys(memory)
    registered(memory, BEN, "Ada", 3, replaces=str(ADA.key), former=ADA)
    assert registered_keys(memory) == again
    assert [(each.at, each.change, each.replaces) for each in again] == [
        (at(1), "made", None),
        (at(2), "rotated", str(ADA.key)),
    ]
    with pytest.raises(UsageError, match="no such key holds"):
        registered(memory, SPARE, "Ada", 4, replaces=str(ADA.key))
    revoke_key(memory, str(BEN.key), reason="lost", at=at(5))
    with pytest.raises(UsageError, match="no such key holds"):
        registered(memory, SPARE, "Ada", 6, replaces=str(BEN.key))


def test_the_register_is_told_by_time(memory: Store) -> None:
    """Whatever was entered first; of one moment by key."""
    for key, day in ((BEN, 3), (SPARE, 1), (ADA, 3)):
        registered(memory, key, day=day)
    assert [each.key for each in registered_keys(memory)] == [str(SPARE.key), str(ADA.key), str(BEN.key)]


@pytest.mark.parametrize("named", [str(ADA.key), ADA.name])
def test_a_key_is_revoked_from_a_time_on(memory: Store, named: str) -> None:
    """By its name or whole; for an earlier day again, and not for a later one; with a reason."""
    registered(memory, BEN)
    registered(memory, ADA)
    with pytest.raises(UsageError, match="a revocation has a reason"):
        revoke_key(memory, named, reason=" ", at=at(9))
    first = revoke_key(memory, named, reason=" left ", at=at(9))
    assert (first.change, first.person, first.role, first.reason) == ("revoked", "Ada", "officer", "left")
    assert [revoke_key(memory, named, reason="x", at=at(day)) for day in (9, 10)] == [first, first]
    assert revoke_key(memory, named, reason="lost", at=at(8)) != first
    lives = known_keys(memory, CORPUS)
    assert (lives[str(ADA.key)].until, lives[str(ADA.key)].ended) == (at(8), "revoked: lost")
    assert lives[str(BEN.key)].until == ""
    with pytest.raises(NotFound, match="no such key"):
        revoke_key(memory, "signer/ad", reason="x", at=at(9))


def test_a_person_signs_while_the_key_holds(memory: Store) -> None:
    """With a key that is registered, from its first moment on, until its end is told: also where a clock says that it is before."""
    with pytest.raises(UsageError, match="not registered"):
        person_signer(memory, ADA, at(5))
    registered(memory, ADA, day=3)
    assert person_signer(memory, ADA, at(3)).life.person == "Ada"
    assert person_signer(memory, ADA, at(5)).signer == ADA
    with pytest.raises(UsageError, match="does not hold"):
        person_signer(memory, ADA, at(2))
    revoke_key(memory, ADA.name, reason="left", at=at(6))
    for day in (2, 3, 5, 6, 7):
        with pytest.raises(UsageError, match="does not hold"):
            person_signer(memory, ADA, at(day))


def _told(store: Store) -> list[tuple[str, str]]:
    """What a corpus says of keys."""
    return sorted((each.change, each.key) for _, each in store.scan("signers", SignerKey, CORPUS))


def test_a_corpus_is_told_of_a_key_and_of_those_before_and_behind_it(memory: Store) -> None:
    """What it lacks, once; of others it is told nothing."""
    registered(memory, ADA)
    registered(memory, SPARE, "Ada", 2, replaces=str(ADA.key), former=ADA)
    registered(memory, BEN)
    for key in (ADA, SPARE):
        assert len(copied_keys(memory, CORPUS, str(key.key))) == 2
    assert len(copied_keys(memory, CORPUS, str(BEN.key))) == 1
    assert copied_keys(memory, CORPUS, "unknown") == []
    write_logged(memory.engine, memory.keys, copied_keys(memory, CORPUS, str(ADA.key)))
    assert _told(memory) == [("made", str(ADA.key)), ("rotated", str(SPARE.key))]
    assert copied_keys(memory, CORPUS, str(SPARE.key)) == []


def test_the_end_of_a_key_is_told_where_it_was_known(memory: Store) -> None:
    """In the corpora that hold it, also when it is replaced; in no others, and once."""
    for each in (CORPUS, "other"):
        record = Corpus(corpus_id=each, created_at=at(1))
        memory.update(lambda t, record=record: memory.write_record(t, "corpus", record, record.corpus_id))  # type: ignore[misc]
    registered(memory, ADA)
    write_logged(memory.engine, memory.keys, copied_keys(memory, CORPUS, str(ADA.key)))
    registered(memory, SPARE, "Ada", 2, replaces=str(ADA.key), former=ADA)
    assert _told(memory) == [("made", str(ADA.key)), ("rotated", str(SPARE.key))]
    for _ in range(2):
        revoke_key(memory, SPARE.name, reason="left", at=at(5))
    assert _told(memory) == [("made", str(ADA.key)), ("revoked", str(SPARE.key)), ("rotated", str(SPARE.key))]
    assert not list(memory.scan("signers", SignerKey, "other"))


def test_what_ties_a_signature_to_its_record_is_checked(memory: Store) -> None:
    """The record is there and is the one that was signed, and the text that was shown is what it says."""
    registered(memory, ADA)
    review = decided(memory)

    def problems(**more: Any) -> list[str]:  # noqa: ANN401 - fields of a record
        return list(SignatureCheck(memory, CORPUS).signature(signed(memory, review, ADA, **more)))

    assert problems() == []
    assert problems(subject="review_gone") == ["what it signs, review_gone, is not there"]
    assert problems(subject="poem_1") == ["what it signs, poem_1, is not there"]
    assert problems(subject_sha256="0" * 64) == [f"what it signs, {review.review_id}, is another record than it was"]
    assert problems(shown="Accept.\n") == ["the text that was shown does not say what the decision says"]
    assert problems(role="clerk") == ["its key is that of Ada, officer"]
    assert subject_bytes(memory, CORPUS, review.review_id) == review.payload()
    assert subject_bytes(memory, "other", review.review_id) is None


@pytest.mark.parametrize(
    "given", ["2026-1-5T08:00:00Z", "2026-01-05", "2026-01-05T08:00:00+01:00", "2026-13-05T08:00:00Z"]
)
def test_a_revocation_says_its_time_as_signatures_do(memory: Store, given: str) -> None:
    """Times are compared as they are written, and one in another form would leave the key in force."""
    register_key(memory, ADA, person="Ada", role="officer", at=at(1))
    with pytest.raises(UsageError, match="there is no such time"):
        revoke_key(memory, ADA.name, reason="lost", at=given)
