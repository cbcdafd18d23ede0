"""Keys of persons: made with a name that says nothing of them, registered, rotated, revoked."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from coditect.errors import InvalidProof, UsageError
from coditect.schemas import SignerKey
from coditect.transparency.notes import Signer, SigningKey, VerifierKey, base64_of, read_base64

__all__ = ["KeyLife", "key_lives", "key_problems", "new_person_key", "prove_possession"]

_SEED_BYTES = 32
_NAME_DIGITS = 16
_PREFIX = "signer/"


@dataclass(frozen=True, slots=True)
class KeyLife:
    """How long a key holds, and whose it is.

    Attributes:
        key: the public key, ``name+id+key``.
        person: the printed name.
        role: as what the person signs.
        since: from when on, RFC 3339.
        until: before when; empty: it still holds.
        ended: why it does not: "rotated" or "revoked", with the reason that was given.
    """

    key: str
    person: str
    role: str
    since: str
    until: str = ""
    ended: str = ""

    def holds_at(self, at: str) -> bool:
        """Whether what is signed at a time is signed with a valid key; RFC 3339, UTC."""
        return self.since <= at and (not self.until or at < self.until)


def new_person_key() -> SigningKey:
    """A new key, whose name is made of its public bytes."""
    seed = secrets.token_bytes(_SEED_BYTES)
    public = SigningKey(_PREFIX, seed).key.public
    return SigningKey(_PREFIX + hashlib.sha256(public).hexdigest()[:_NAME_DIGITS], seed)


def prove_possession(record: SignerKey, signer: Signer, former: Signer | None = None) -> SignerKey:
    """A registration with the proofs that who registers has the key, and had the one before.

    Args:
        record: without proofs.
        signer: the key that it is of.
        former: of a rotation, the key before; None where it is lost.
    """
    fields = {name: getattr(record, name) for name in SignerKey.model_fields if name != "signer_id"}
    fields["proof"] = base64_of(signer.sign(record.statement))
    if former is not None:
        fields["former_proof"] = base64_of(former.sign(record.statement))
    return SignerKey.create(**fields)


def key_problems(record: SignerKey) -> list[str]:
    """What is wrong with a record of a key, taken for itself; empty where nothing is."""
    problems = []
    if record.change != "revoked" and not _proves(record.key, record.statement, record.proof):
        problems.append("nothing proves that who registered the key had it")
    if record.former_proof and not _proves(record.replaces or "", record.statement, record.former_proof):
        problems.append("the key before did not sign the rotation")
    return problems


def _proves(key: str, statement: bytes, proof: str | None) -> bool:
    try:
        return proof is not None and VerifierKey.parse(key).verifies(statement, read_base64(proof, "proof"))
    except (InvalidProof, UsageError):
        return False


def key_lives(records: Iterable[SignerKey]) -> Mapping[str, KeyLife]:
    """How long each key holds, by public key; those that nobody proved to have are left out.

    Args:
        records: of the tenant's register, of a corpus, or both: the same statement may be among them twice.
    """
    found: dict[str, KeyLife] = {}
    ends: dict[str, tuple[str, str]] = {}

    def end(key: str, at: str, why: str) -> None:
        ends[key] = min(ends.get(key, (at, why)), (at, why))

    for each in sorted(records, key=lambda r: (r.at, r.change, r.signer_id)):
        if each.change == "revoked":
            end(each.key, each.at, f"revoked: {each.reason}" if each.reason else "revoked")
        elif not key_problems(each):
            found.setdefault(each.key, KeyLife(each.key, each.person, each.role, each.at))
            if each.replaces:
                end(each.replaces, each.at, "rotated")
    return {
        key: life if key not in ends else KeyLife(key, life.person, life.role, life.since, *ends[key])
        for key, life in found.items()
    }
