"""Signatures of people, each relation by itself, and what is said of members to which nothing leads."""

from __future__ import annotations

from base64 import b64encode
from hashlib import sha256
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from coditect_verify import hops
from coditect_verify.bundle import canonical
from coditect_verify.log import ED25519, Key
from coditect_verify.result import Hop, Trust, Verification
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from coditect.store.store import Store
from verifier_tests.bundles import KEY, bundle_of, members_of, write_members

GENERATION = 5


REVOKED = "Whether ada still held when it signed: a revocation is an entry that a bundle need not have; ask Ada."


def _person(name: str, number: int) -> tuple[Key, Ed25519PrivateKey]:
    private = Ed25519PrivateKey.from_private_bytes(bytes([number]) * 32)
    return Key(name, ED25519, private.public_key().public_bytes_raw()), private


ADA, BEN = _person("ada", 1), _person("ben", 2)


def _text(key: Key) -> str:
    return f"{key.name}+{key.key_id.hex()}+{b64encode(bytes((key.algorithm,)) + key.public).decode()}"


def _signature(
    subject: str, *, by: tuple[Key, Ed25519PrivateKey] = ADA, digest: str = "", shown: str = "words"
) -> dict[str, Any]:
    """A person's record over a subject."""
    record = {
        "subject": subject, "subject_sha256": digest or sha256(subject.encode()).hexdigest(), "by": by[0].name.title(),
        "role": "officer", "at": "2026-01-01", "meaning": "approved", "key": _text(by[0]), "shown": shown,
        "shown_sha256": "5d",
    }  # fmt: skip
    signed = by[1].sign(b"coditect-signature/1\n" + canonical(record))
    return {**record, "signature": b64encode(signed).decode()}


def _checked(*signatures: tuple[dict[str, Any], int], people: tuple[Key, ...] = (), judged: str = "") -> Verification:
    """What comes of signatures, each with its index in the log, where one subject was looked at."""
    out = Verification()
    if judged:
        with out.hop("claim", judged):
            pass
    records = {f"signature_{number}": record for number, (record, _) in enumerate(signatures)}
    places = {f"signature_{number}": place for number, (_, place) in enumerate(signatures)}
    bundle = SimpleNamespace(
        index={"entries": {"signatures": places}},
        item=lambda each: records.get(each, {}),
        hashed=lambda name: sha256(name.removeprefix("items/").encode()).hexdigest(),
    )
    log = SimpleNamespace(
        bundle=bundle, out=out, trust=Trust(people=people), told=lambda place, kind, subject, member: place
    )
    hops._signatures(log, GENERATION)  # type: ignore[arg-type]
    return out


def test_a_signature_by_a_known_key_over_what_was_looked_at_leaves_nothing_open() -> None:
    """It says who signed what, and that it came after the generation."""
    found = _checked((_signature("claim_1"), 6), people=(ADA[0],), judged="claim_1")
    assert found.unchecked == [REVOKED]
    said = "Ada, officer, at 2026-01-01 as it says: approved; of claim_1"
    assert found.hops[1:] == [Hop("signature", "signature_0", True, said)]
    assert found.order == ["The generation (5) was logged before Ada signed (6)."]


@pytest.mark.parametrize(
    ("people", "judged", "left"),
    [
        ((ADA[0],), "", ["What Ada signed, claim_1"]),
        ((), "claim_1", ["Whether the key ada is Ada's"]),
        ((BEN[0],), "claim_1", ["Whether the key ada is Ada's", "Nothing by the key ben that you gave"]),
        ((_person("ada", 3)[0],), "claim_1", ["Whether the key ada is Ada's"]),
        ((ADA[0], BEN[0]), "claim_1", ["Nothing by the key ben that you gave"]),
    ],
)
def test_what_cannot_be_told_of_a_signature_is_named(people: tuple[Key, ...], judged: str, left: list[str]) -> None:
    """Whose key it is, what was signed, which keys were of no use; another key of the same name is another key."""
    found = _checked((_signature("claim_1"), 6), people=people, judged=judged)
    assert found.holds
    assert REVOKED in found.unchecked
    told = [each.partition(":")[0] for each in found.unchecked if each != REVOKED]
    assert [each.removesuffix(", claim_1") for each in told] == [each.removesuffix(", claim_1") for each in left]


def test_two_keys_of_one_person_are_both_known() -> None:
    """A key that was exchanged, and the one before it."""
    newer = _person("ada", 3)
    signatures = ((_signature("claim_1"), 6), (_signature("claim_1", by=newer), 7), (_signature("claim_1"), 8))
    assert _checked(*signatures, people=(ADA[0], newer[0]), judged="claim_1").unchecked == [REVOKED]


def test_of_a_file_that_was_signed_the_hash_is_told() -> None:
    """A report is signed with the generation that it is of: which file that was, its reader can compare."""
    found = _checked((_signature("build_1", shown=""), 6), judged="build_1")
    assert found.hops[1].detail.endswith("approved; of build_1, shown as a file of SHA-256 5d")


@pytest.mark.parametrize(
    ("subject", "index", "holds"),
    [
        ("build_1", 4, False),
        ("build_1", 5, False),
        ("build_1", 6, True),
        ("claim_1", 6, True),
        ("review_1", 4, True),
        ("review_1", 6, True),
    ],
)
def test_signatures_come_behind_the_generation_but_those_of_decisions(subject: str, index: int, holds: bool) -> None:
    """A decision is heeded by generations that come behind it; a build is signed once it is there."""
    found = _checked((_signature(subject), index), people=(ADA[0],), judged=subject)
    assert found.holds is holds
    assert len(found.order) == (holds and subject != "review_1")


def test_what_was_signed_before_the_generation_is_named() -> None:
    """An item that did not change since may have been signed in a generation before: not proven here, and not wrong."""
    found = _checked((_signature("extraction_1"), 4), people=(ADA[0],), judged="extraction_1")
    assert found.holds
    assert found.order == []
    early = "Whether extraction_1 was there when Ada signed it (entry 4, before this generation's 5): a bundle of that time tells."
    assert found.unchecked == [REVOKED, early]


def test_a_signature_is_by_its_key_and_over_its_record() -> None:
    """Neither another's, nor one of other words, nor one over another record."""
    record = _signature("claim_1")
    for spoilt, says in (
        ({**record, "key": _text(BEN[0])}, "does not verify"),
        ({**record, "meaning": "rejected"}, "does not verify"),
        (_signature("claim_1", digest="0" * 64), "it was signed for something else"),
    ):
        (cause,) = _checked((spoilt, 6), judged="claim_1").causes
        assert says in cause.detail


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (1, "Members that nothing leads to, 1: extra/0; "),
        (5, "Members that nothing leads to, 5: extra/0, extra/1, extra/2, extra/3, extra/4; "),
        (6, "Members that nothing leads to, 6: extra/0, extra/1, extra/2, extra/3, extra/4, …; "),
    ],
)
def test_five_members_that_nothing_leads_to_are_named(built: Store, tmp_path: Path, more: int, said: str) -> None:
    """Of more, that there are."""
    members = members_of(bundle_of(built, "document"))
    members |= {f"extra/{each}": b"x" for each in range(more)}
    found = hops.verify_bundle(write_members(tmp_path / "bundle", members), Trust([Key.parse(str(KEY.key))]))
    assert found.holds
    assert f"{said}nothing is known of them." in found.unchecked
    assert found.hops[0].detail == f"{len(members)} members"
