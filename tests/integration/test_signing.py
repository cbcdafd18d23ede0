"""Persons who sign: whose key it was, under what, when; two of them where the corpus asks for it; and who moves a signature."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from coditect.errors import Corrupt, UsageError
from coditect.integrity.signing.items import sign_item
from coditect.integrity.signing.policies import set_policy, stored_policies
from coditect.integrity.signing.registry import known_keys, person_signer, register_key, revoke_key
from coditect.integrity.validate import validate
from coditect.knowledge.ingest.intake import ingest
from coditect.knowledge.query.drilldown import chain
from coditect.knowledge.review.decisions import SignedDecisions, pending
from coditect.knowledge.review.in_force import reviews_in_force
from coditect.knowledge.review.sign_off import approve, drafted, sign
from coditect.schemas import Decision, PersonSignature, Review, SignerKey, sha256_hex
from coditect.store.store import Store
from coditect.store.view import open_view
from coditect.testing.engine.memory import MemoryEngine
from coditect.transparency.notes import SigningKey, base64_of
from coditect.transparency.persons.keys import prove_possession
from coditect.transparency.persons.shown import shown_review
from coditect.transparency.persons.signatures import signed_by
from tests.corpora import CORPUS, clock, ingest_all
from tests.integration.archives import export_bytes, import_bytes
from tests.integration.decided_corpus import extraction_of, rebuilt

ANNA, BEN = SigningKey("signer/anna", bytes(range(32))), SigningKey("signer/ben", bytes(range(1, 33)))
OTHER = SigningKey("signer/other", bytes(32))
NOW = clock()


def at(day: int) -> str:
    """A later day of that month."""
    return f"2026-01-{day:02}T00:00:00Z"


UNKNOWN = {
    "corpus_id": CORPUS,
    "subject": "review_none",
    "subject_sha256": "0" * 64,
    "shown": "",
    "by": "Nobody",
    "role": "none",
    "at": at(5),
    "meaning": "signed by a key that nobody registered",
}


@pytest.fixture
def signing(built: Store) -> Store:
    """A built corpus, and two registered persons."""
    register_key(built, ANNA, person="Anna Auditor", role="head of compliance", at=NOW)
    register_key(built, BEN, person="Ben Boss", role="owner", at=NOW)
    return built


def decide(
    store: Store, key: SigningKey | None, decision: Decision = "accept", item_id: str = "", when: str = NOW
) -> Review:
    """A decision on an extraction, signed with a key; None: by name alone."""
    return sign(
        store,
        open_view(store, CORPUS),
        item_id or extraction_of(store).extraction_id,
        decision=decision,
        by="Anna Auditor",
        meaning="read it",
        at=when,
        signer=None if key is None else person_signer(store, key, when),
    )


def second(store: Store, review: Review, key: SigningKey, when: str = NOW) -> None:
    """Another person's signature."""
    approve(store, review, person_signer(store, key, when), meaning="second look", at=when)


def states(store: Store) -> list[str]:
    """How the decisions stand, by time."""
    return [each.state for each in SignedDecisions(store, open_view(store, CORPUS)).statuses()]


def findings(store: Store) -> list[str]:
    """What validation says of signatures."""
    return [each.message for each in validate(store, CORPUS).findings if each.check == "signature"]


def test_signed_decision_names_person_role_time_and_meaning_and_is_valid(signing: Store) -> None:
    """Validation finds nothing, and the decision is listed with its signature; one by name alone has none."""
    decide(signing, ANNA)
    decide(signing, None, "dismiss", extraction_of(signing, "shall not share passwords", "prohibition").extraction_id)
    assert findings(signing) == []
    by_decision = {
        each.review.decision: each.signatures
        for each in SignedDecisions(signing, open_view(signing, CORPUS)).statuses()
    }
    (own,) = by_decision["accept"]
    assert (own.by, own.role, own.at, own.meaning, own.problems) == (
        "Anna Auditor",
        "head of compliance",
        NOW,
        "read it",
        (),
    )
    assert by_decision["dismiss"] == ()


def test_the_same_decision_signed_again_adds_nothing(signing: Store) -> None:
    """A second run finds the decision and the signature; one that was made by name is signed then, and stays one decision."""
    first = decide(signing, None)
    assert decide(signing, ANNA) == first
    assert decide(signing, ANNA) == first
    assert len(list(signing.scan("reviews", Review, CORPUS))) == 1
    assert len(list(signing.scan("signatures", PersonSignature, CORPUS))) == 1


def test_what_was_shown_is_what_is_signed(signing: Store) -> None:
    """The digest of the text that was looked at; another one is refused, and nothing is stored."""
    view, item = open_view(signing, CORPUS), extraction_of(signing).extraction_id
    said: dict[str, Any] = {"decision": "accept", "by": "Anna Auditor", "meaning": "read it", "at": NOW}
    draft, is_known = drafted(signing, view, item, **said)
    assert not is_known
    digest = sha256_hex(shown_review(draft).encode())
    person = person_signer(signing, ANNA, NOW)
    with pytest.raises(UsageError, match="what was shown"):
        sign(signing, view, item, **said, signer=person, shown_sha256=sha256_hex(b"something else"))
    assert not list(signing.scan("reviews", Review, CORPUS))
    sign(signing, view, item, **said, signer=person, shown_sha256=digest)
    ((_, stored),) = signing.scan("signatures", PersonSignature, CORPUS)
    assert stored.shown_sha256 == digest
    assert extraction_of(signing).source_text in stored.shown


def test_item_is_signed_with_the_characters_that_it_rests_on(signing: Store) -> None:
    """The text names file and offsets; it verifies, and stays valid when the corpus is built again."""
    from coditect.knowledge.query.drilldown import chain

    view = open_view(signing, CORPUS)
    section = view.sections[0]
    shown = chain(signing, section.section_id, corpus_id=CORPUS, as_of=None)
    made = sign_item(signing, view, shown, person_signer(signing, BEN, NOW), meaning="approved", at=NOW)
    assert made.shown.count(" of file ") > 0
    rebuilt(signing, "2026-03-01")
    assert findings(signing) == []


FORGED: dict[str, dict[str, Any]] = {
    "another time": {"at": at(9)},
    "another meaning": {"meaning": "approved for the regulator"},
    "another name": {"by": "Ben Boss"},
    "another role": {"role": "owner"},
    "another text": {"shown": "Decision: dismiss\n", "shown_sha256": sha256_hex(b"Decision: dismiss\n")},
    "another digest of the text": {"shown_sha256": "0" * 64},
    "another key": {"key": str(BEN.key)},
    "an unknown key": {"key": str(OTHER.key)},
    "another salt": {"salt": "0" * 32},
    "other bytes": {"signature": base64_of(bytes(64))},
}


@pytest.mark.parametrize("forged", FORGED)
def test_forged_signature_is_found(signing: Store, forged: str) -> None:
    """With its id and checksum computed again, whatever was changed; and it approves nothing."""
    set_policy(signing, CORPUS, 1, (), NOW)
    review = decide(signing, ANNA)
    ((_, genuine),) = signing.scan("signatures", PersonSignature, CORPUS)
    replace_item(signing, genuine, **FORGED[forged])
    assert findings(signing)
    assert review.fingerprint not in reviews_in_force(signing, CORPUS)


def replace_item(store: Store, item: PersonSignature | SignerKey, **changes: Any) -> None:  # noqa: ANN401 - fields of the record
    """An insider puts a changed record in the place of another, under its own right id."""
    from coditect.store.rows import record_key

    kind = type(item)
    fields = {name: getattr(item, name) for name in kind.model_fields if name != kind.id_field}
    store.update(lambda transaction: transaction.clear(record_key(store.keys, item)))
    store.put_items([kind.create(**{**fields, **changes})])


def test_signature_that_is_moved_to_another_record_is_found(signing: Store) -> None:
    """The other decision is by the same person, of the same kind, at the same time."""
    set_policy(signing, CORPUS, 1, (), NOW)
    decide(signing, ANNA)
    other = decide(
        signing, None, "accept", extraction_of(signing, "shall not share passwords", "prohibition").extraction_id
    )
    ((_, genuine),) = signing.scan("signatures", PersonSignature, CORPUS)
    moved = {"subject": other.review_id, "subject_sha256": sha256_hex(other.payload()), "shown": shown_review(other)}
    replace_item(signing, genuine, **moved, shown_sha256=sha256_hex(shown_review(other).encode()))
    assert findings(signing)
    assert not reviews_in_force(signing, CORPUS)


def test_record_that_is_changed_below_its_signature_is_found(signing: Store) -> None:
    """The signature stands as it was; the record that it names is not there any more."""
    from coditect.store.rows import record_key

    review = decide(signing, ANNA)
    signing.update(lambda transaction: transaction.clear(record_key(signing.keys, review)))
    assert any("is not there" in each for each in findings(signing))


def test_key_is_valid_from_its_registration_to_its_end(signing: Store) -> None:
    """Before and after it signs nothing valid; what it signed in between stays valid, also where it is revoked since."""
    decide(signing, BEN.__class__("signer/ben", BEN.seed), when=at(5))
    revoke_key(signing, str(BEN.key), reason="left", at=at(10))
    assert findings(signing) == []
    with pytest.raises(UsageError, match="does not hold"):
        person_signer(signing, BEN, at(10))
    revoke_key(signing, str(BEN.key), reason="it was lost before", at=at(4))
    assert any("revoked" in each for each in findings(signing))


def test_corpus_with_a_signature_by_a_key_that_was_revoked_from_before_is_restored(signing: Store) -> None:
    """A backup comes back as it was, and says of the signature what it said; one that was never valid is refused."""
    decide(signing, BEN, when=at(5))
    revoke_key(signing, str(BEN.key), reason="it was lost before", at=at(4))
    other, data = Store(MemoryEngine()), export_bytes(signing)
    import_bytes(other, data)
    assert export_bytes(other) == data
    assert findings(other) == findings(signing) != []
    signing.put_items([signed_by(OTHER, **UNKNOWN)])
    with pytest.raises(Corrupt, match="not whole or not true"):
        import_bytes(Store(MemoryEngine()), export_bytes(signing))


def test_rotated_key_hands_over_to_the_next(signing: Store) -> None:
    """The former one ends where the next begins; the next is the same person's; and a key is nobody else's, ever."""
    register_key(signing, OTHER, person="Ben Boss", role="owner", at=at(7), replaces=str(BEN.key), former=BEN)
    lives = known_keys(signing, CORPUS)
    assert (lives[str(BEN.key)].until, lives[str(BEN.key)].ended) == (at(7), "rotated")
    assert lives[str(OTHER.key)].holds_at(at(8))
    with pytest.raises(UsageError, match="registered already"):
        register_key(signing, OTHER, person="Carl Clerk", role="clerk", at=at(8))


def test_key_that_nobody_proved_to_have_signs_nothing(signing: Store) -> None:
    """An insider enters the public part of somebody's key under another name."""
    forged = SignerKey.create(
        corpus_id="", key=str(OTHER.key), change="made", person="Anna Auditor", role="head of compliance", at=NOW
    )
    signing.put_items([forged])
    assert str(OTHER.key) not in known_keys(signing, CORPUS)
    with pytest.raises(UsageError, match="not registered"):
        person_signer(signing, OTHER, NOW)


def test_decision_waits_for_a_second_person(signing: Store) -> None:
    """It has no effect on a build until another person has signed; then it has."""
    set_policy(signing, CORPUS, 2, (), NOW)
    item = extraction_of(signing)
    review = decide(signing, ANNA, "dismiss")
    statuses = SignedDecisions(signing, open_view(signing, CORPUS)).statuses()
    assert [(each.state, each.detail) for each in statuses] == [("waiting", "waiting for a second person")]
    (waiting,) = [each for each in pending(signing, open_view(signing, CORPUS)) if each.waiting is not None]
    assert (waiting.waiting, waiting.item_id) == (review, item.extraction_id)
    rebuilt(signing, "2026-03-01")
    assert extraction_of(signing)
    second(signing, review, BEN)
    assert states(signing) == ["next build"]
    rebuilt(signing, "2026-03-02")
    assert states(signing) == ["in force"]
    assert validate(signing, CORPUS).findings == ()


def test_one_person_with_two_keys_is_one_person(signing: Store) -> None:
    """And so is one key twice."""
    set_policy(signing, CORPUS, 2, (), NOW)
    register_key(signing, OTHER, person="Anna Auditor", role="deputy owner", at=NOW)
    review = decide(signing, ANNA)
    second(signing, review, OTHER)
    second(signing, review, ANNA)
    assert states(signing) == ["waiting"]
    second(signing, review, BEN)
    assert states(signing) == ["next build"]


@pytest.mark.parametrize("name", ["anna auditor", "Anna\u00a0 AUDITOR", "\uff21nna Auditor"])
def test_one_person_in_two_spellings_is_one_person(signing: Store, name: str) -> None:
    """The register refuses the second spelling; where a record has one all the same, the person counts once."""
    with pytest.raises(UsageError, match="a name like this one is registered already"):
        register_key(signing, OTHER, person=name, role="owner", at=NOW)
    draft = SignerKey.create(corpus_id="", key=str(OTHER.key), change="made", person=name, role="owner", at=NOW)
    signing.put_items([prove_possession(draft, OTHER)])
    set_policy(signing, CORPUS, 2, (), NOW)
    review = decide(signing, ANNA)
    second(signing, review, OTHER)
    assert states(signing) == ["waiting"]


def test_slow_clock_signs_with_no_key_that_was_ended_and_passes_by_no_policy(signing: Store) -> None:
    """The end of a key counts as soon as it is told, and so does a policy; whatever time it is for whoever signs or decides."""
    revoke_key(signing, str(BEN.key), reason="left", at=at(5))
    with pytest.raises(UsageError, match="does not hold"):
        person_signer(signing, BEN, at(4))
    set_policy(signing, CORPUS, 2, (), at(5))
    assert decide(signing, ANNA, when=at(4)).at == at(5)
    assert states(signing) == ["waiting"]


@pytest.mark.parametrize(
    "when", ["2026-01-02", "2026-01-02T00:00:00+02:00", "2026-01-02T00:00:00.5Z", "2026-01-02T00:00:00Z "]
)
def test_signature_says_its_time_in_one_way(signing: Store, when: str) -> None:
    """Times are compared as they are written."""
    review = decide(signing, None)
    signed = signed_by(
        ANNA,
        corpus_id=CORPUS,
        subject=review.review_id,
        subject_sha256=sha256_hex(review.payload()),
        shown=shown_review(review),
        by="Anna Auditor",
        role="head of compliance",
        at=when,
        meaning="read it",
    )
    signing.put_items([signed])
    assert findings(signing) == [f"it says no time: {when!r}"]


def test_what_waits_replaces_nothing_yet(signing: Store) -> None:
    """The decision before stays in force; and whoever takes back what only waits needs nobody else."""
    first = decide(signing, None)
    set_policy(signing, CORPUS, 2, (), at(2))
    then = decide(signing, ANNA, "dismiss", when=at(3))
    assert states(signing) == ["next build", "waiting"]
    assert list(reviews_in_force(signing, CORPUS).values()) == [(first,)]
    decide(signing, ANNA, "withdraw", then.review_id, when=at(4))
    assert states(signing) == ["next build", "withdrawn", "withdrawn"]
    assert list(reviews_in_force(signing, CORPUS).values()) == [(first,)]


def test_policy_counts_from_its_time_on_and_for_the_decisions_that_it_names(signing: Store) -> None:
    """Decisions before it stand as they do; others than those that it names need nobody."""
    decide(signing, None)
    set_policy(signing, CORPUS, 2, ("dismiss",), at(2))
    assert states(signing) == ["next build"]
    decide(
        signing, None, "accept", extraction_of(signing, "shall not share passwords", "prohibition").extraction_id, at(3)
    )
    assert states(signing) == ["next build", "next build"]
    assert set_policy(signing, CORPUS, 2, ("dismiss",), at(4)) is None


def test_manifest_asks_for_two_persons(memory: Store, documents: Path) -> None:
    """What ``corpus.yaml`` states becomes a record; what is wrong with it is a problem with a line, and changes nothing."""
    manifest = documents / "corpus.yaml"
    manifest.write_text("approvals:\n  persons: 2\n  decisions: [accept, accept-risk]\n")
    ingest_all(memory, documents)
    (policy,) = stored_policies(memory, CORPUS)
    assert (policy.approvals, policy.decisions) == (2, ("accept", "accept_risk"))
    manifest.write_text("documents: []\n")
    ingest_all(memory, documents)
    manifest.write_text("documents: []\napprovals:\n  persons: many\n")
    report = ingest_all(memory, documents)
    assert any(each.name.endswith(":3") and "persons" in each.message for each in report.outcomes)
    assert stored_policies(memory, CORPUS) == [policy]
    manifest.write_text("approvals:\n  persons: 0\n")
    ingest(memory, CORPUS, [documents], clock=lambda: at(2), jobs=1)
    assert [each.approvals for each in stored_policies(memory, CORPUS)] == [2, 0]


def test_archive_carries_signatures_keys_and_policy(signing: Store) -> None:
    """In another store, where nobody is registered, the same is valid and in force; a forged one is not imported."""
    set_policy(signing, CORPUS, 2, (), NOW)
    second(signing, decide(signing, ANNA), BEN)
    view = open_view(signing, CORPUS)
    for item in (next(iter(view.claims)), extraction_of(signing).extraction_id, view.sections[0].section_id):
        evidence = chain(signing, item, corpus_id=CORPUS)
        sign_item(signing, view, evidence, person_signer(signing, ANNA, NOW), meaning="approved", at=NOW)
    other = Store(MemoryEngine())
    import_bytes(other, export_bytes(signing))
    assert states(other) == ["next build"]
    assert findings(other) == []
    assert export_bytes(other) == export_bytes(signing)


@pytest.mark.parametrize("ends", [revoke_key])
def test_end_of_a_key_is_told_to_every_corpus_where_it_signed(signing: Store, ends: Callable[..., SignerKey]) -> None:
    """So that an archive says it, too; and a second run says nothing twice."""
    decide(signing, ANNA)
    for _ in range(2):
        ends(signing, "signer/anna", reason="left", at=at(9))
    changes = [each.change for _, each in signing.scan("signers", SignerKey, CORPUS)]
    assert sorted(changes) == ["made", "revoked"]
