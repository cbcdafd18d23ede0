"""Keys of persons: how long each holds, and every single thing that makes a signature invalid; what is shown to who signs."""

from __future__ import annotations

import pytest

from coditect.schemas import PersonSignature, Review, SignerKey, Source
from coditect.transparency.notes import SigningKey, base64_of
from coditect.transparency.persons.keys import KeyLife, key_lives, key_problems, new_person_key, prove_possession
from coditect.transparency.persons.shown import shown_item, shown_review
from coditect.transparency.persons.signatures import signature_problems, signed_by

OLD, NEW = (SigningKey(f"signer/{number}", bytes([number]) * 32) for number in (1, 2))
MADE, ROTATED, REVOKED = "2026-01-01T00:00:00Z", "2026-03-01T00:00:00Z", "2026-05-01T00:00:00Z"


def _said(key: SigningKey, change: str, at: str, *, former: SigningKey | None = None, **more: object) -> SignerKey:
    """Something that became of a key, with the proofs that it asks for."""
    fields = {"corpus_id": "", "key": str(key.key), "change": change, "person": "Ada", "role": "officer", "at": at}
    record = SignerKey.create(**fields, **more)
    return record if change == "revoked" else prove_possession(record, key, former)


BEGUN = _said(OLD, "made", MADE)
TURNED = _said(NEW, "rotated", ROTATED, former=OLD, replaces=str(OLD.key))
ENDED = _said(NEW, "revoked", REVOKED, reason="lost")


def test_a_key_holds_from_its_registration_until_it_is_replaced_or_revoked() -> None:
    """In whatever order the records are given, and however often."""
    old = KeyLife(str(OLD.key), "Ada", "officer", MADE, ROTATED, "rotated")
    new = KeyLife(str(NEW.key), "Ada", "officer", ROTATED, REVOKED, "revoked: lost")
    assert key_lives([ENDED, TURNED, BEGUN, TURNED]) == {old.key: old, new.key: new}
    assert key_lives([BEGUN]) == {old.key: KeyLife(old.key, "Ada", "officer", MADE)}
    bare = _said(OLD, "revoked", REVOKED)
    assert key_lives([BEGUN, bare])[old.key].ended == "revoked"


def test_a_key_ends_when_it_first_did() -> None:
    """A revocation for an earlier day counts; a later one takes nothing back."""
    earlier = _said(OLD, "revoked", "2026-02-01T00:00:00Z", reason="stolen")
    later = _said(OLD, "revoked", "2026-04-01T00:00:00Z", reason="late")
    for records in ([BEGUN, TURNED, earlier, later], [later, earlier, TURNED, BEGUN]):
        life = key_lives(records)[str(OLD.key)]
        assert (life.until, life.ended) == ("2026-02-01T00:00:00Z", "revoked: stolen")


def test_a_key_that_nobody_proved_to_have_is_none() -> None:
    """Without its proof, with that of another key, or where the key before did not sign a rotation; its end needs no proof."""
    stranger = SigningKey("signer/3", bytes([3]) * 32)
    for record in (
        BEGUN.model_copy(update={"proof": None}),
        BEGUN.model_copy(update={"proof": base64_of(stranger.sign(BEGUN.statement))}),
        BEGUN.model_copy(update={"role": "director"}),
        BEGUN.model_copy(update={"key": "nothing"}),
        BEGUN.model_copy(update={"proof": "%%"}),
    ):
        assert key_problems(record) == ["nothing proves that who registered the key had it"]
        assert key_lives([record]) == {}
    forged = _said(NEW, "rotated", ROTATED, former=stranger, replaces=str(OLD.key))
    for wrong in (forged, TURNED.model_copy(update={"former_proof": base64_of(bytes(64))})):
        assert key_problems(wrong) == ["the key before did not sign the rotation"]
    assert key_problems(_said(NEW, "rotated", ROTATED, former=OLD)) == ["the key before did not sign the rotation"]
    lost = _said(NEW, "rotated", ROTATED, replaces=str(OLD.key))
    assert [key_problems(each) for each in (BEGUN, TURNED, ENDED, lost)] == [[]] * 4


@pytest.mark.parametrize(
    ("at", "until", "holds"),
    [
        ("2025-12-31T23:59:59Z", "", False),
        (MADE, "", True),
        ("2030-01-01T00:00:00Z", "", True),
        ("2026-02-28T23:59:59Z", ROTATED, True),
        (ROTATED, ROTATED, False),
        (REVOKED, ROTATED, False),
        ("2025-01-01T00:00:00Z", ROTATED, False),
    ],
)
def test_a_key_holds_from_its_first_moment_to_before_its_last(at: str, until: str, holds: bool) -> None:
    """And for ever, where it has none."""
    assert KeyLife("k", "Ada", "officer", MADE, until).holds_at(at) is holds


def test_a_new_key_says_nothing_of_its_person() -> None:
    """Its name is made of its own bytes, another each time."""
    keys = [new_person_key() for _ in range(3)]
    assert len({each.name for each in keys}) == 3
    assert all(each.name.startswith("signer/") and len(each.name) == len("signer/") + 16 for each in keys)
    assert all(len(each.seed) == 32 for each in keys)


def _signature(**more: object) -> PersonSignature:
    fields = {
        "corpus_id": "c", "subject": "review_1", "subject_sha256": "0" * 64, "shown": "what was shown", "by": "Ada",
        "role": "officer", "at": ROTATED, "meaning": "approved", **more,
    }  # fmt: skip
    return signed_by(OLD, **fields)


LIFE = KeyLife(str(OLD.key), "Ada", "officer", MADE)
UNSIGNED = "its key did not sign this: record, text, name, role, time or meaning are not those that were signed"


@pytest.mark.parametrize(
    ("record", "life", "problems"),
    [
        (_signature(), LIFE, []),
        (_signature(shown="", shown_sha256="1" * 64), LIFE, []),
        (_signature(shown_sha256="1" * 64), LIFE, ["the text that was shown is not the one that was signed"]),
        (_signature().model_copy(update={"meaning": "seen"}), LIFE, [UNSIGNED]),
        (_signature().model_copy(update={"signature": "%%"}), LIFE, [UNSIGNED]),
        (_signature(), None, ["its key is not registered"]),
        (_signature(by="Ben"), LIFE, ["its key is that of Ada, officer"]),
        (_signature(role="clerk"), LIFE, ["its key is that of Ada, officer"]),
        (
            _signature(at="2025-12-31T00:00:00Z"),
            LIFE,
            [f"its key did not hold at 2025-12-31T00:00:00Z: not registered before {MADE}"],
        ),
        (
            _signature(at=REVOKED),
            KeyLife(str(OLD.key), "Ada", "officer", MADE, ROTATED, "rotated"),
            [f"its key did not hold at {REVOKED}: rotated at {ROTATED}"],
        ),
        (_signature().model_copy(update={"key": "nothing"}), None, [UNSIGNED, "its key is not registered"]),
    ],
)
def test_everything_that_is_wrong_with_a_signature_is_said(
    record: PersonSignature, life: KeyLife | None, problems: list[str]
) -> None:
    """Each thing by itself; of a valid one nothing."""
    assert signature_problems(record, {} if life is None else {life.key: life}) == problems


def _review(**more: object) -> Review:
    fields = {
        "corpus_id": "c", "fingerprint": "0" * 64, "claim_text": "Logs are kept.", "evidence": ("One.", "Two."),
        "decision": "accept_risk", "by": "Ada", "at": MADE, "meaning": "seen", **more,
    }  # fmt: skip
    return Review.create(**fields)


def test_a_decision_is_shown_with_what_it_rests_on() -> None:
    """Line by line; a date, changes and what it replaces where there are any."""
    assert shown_review(_review()).splitlines() == [
        "Decision: accept risk", "Corpus: c", "Of: ", "Text: Logs are kept.", "Evidence 1: One.", "Evidence 2: Two.",
        "Decided by: Ada", "Meaning: seen",
    ]  # fmt: skip
    reading = {
        "document": "a.md", "sentence": "Logs are kept.", "quote": "Logs", "quote_start": 0, "kind": "obligation",
        "data": {"b": 1, "a": "ü"},
    }  # fmt: skip
    more = _review(
        until="2026-12-31",
        signed_item="claim_1",
        follows=("review_0",),
        changes={"z": None, "kind": "é"},
        extraction=reading,
    )
    assert shown_review(more).splitlines() == [
        "Decision: accept risk until 2026-12-31", "Corpus: c", "Of: claim_1", "Text: Logs are kept.",
        "Evidence 1: One.", "Evidence 2: Two.", "Document: a.md", 'Read as: obligation {"a": "ü", "b": 1}',
        'Changed: kind = "é"', "Changed: z = null", "In the place of: review_0", "Decided by: Ada", "Meaning: seen",
    ]  # fmt: skip


def test_an_item_is_shown_down_to_its_characters() -> None:
    """Each level is two spaces further in; a place without characters is left empty."""
    leaf = Source(
        item_id="e", tier=1, kind="obligation", text="Keep logs.", document_name="a.md", raw_sha256="ff",
        char_offset_start=0, char_offset_end=10,
    )  # fmt: skip
    whole = Source(item_id="d", tier=0, kind="document", text="A", document_name="b.md", raw_sha256="ee")
    middle = Source(item_id="s", tier=3, kind="topic", text="Logs", sources=(leaf,))
    root = Source(item_id="k", tier=4, kind="gap", text="No logs.", sources=(middle, whole))
    assert shown_item("c", root) == (
        "Corpus: c\nk: No logs.\n  s: Logs\n    e: Keep logs.\n      in a.md 0-10 of file ff\n"
        "  d: A\n    in b.md  of file ee\n"
    )
