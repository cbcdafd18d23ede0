"""Keys of persons, what they sign with them, and how many persons a corpus asks for."""

from __future__ import annotations

from typing import ClassVar, Literal

from pydantic import Field

from coditect.schemas.decision import Decision
from coditect.schemas.record import CorpusItem, Record, canonical_json

__all__ = ["TENANT", "CorpusPolicy", "PersonSignature", "SignatureStatus", "SignerChange", "SignerKey"]

TENANT = ""
"""Stands for the corpus in records of the tenant's own register of keys; no corpus has this id."""

SALT_PATTERN = r"^[0-9a-f]{32}$"

SALT = "32 random hex digits, so that nobody can guess this record from its hash in the log; they go with the record."

SignerChange = Literal["made", "rotated", "revoked"]
"""What became of a key."""


class SignerKey(CorpusItem):
    """Something that became of a person's key; only added to. A corpus has a copy of all that concerns who signed in it."""

    record_kind: ClassVar[str] = "signer"
    schema_version: ClassVar[int] = 1
    id_field: ClassVar[str] = "signer_id"

    signer_id: str
    key: str = Field(
        description="The public key, name+id+key. Its name is made of its bytes and says nothing of the person."
    )
    change: SignerChange
    # 21 CFR 11.100(a): each signature is one individual's, and never given to anybody else.
    person: str = Field(min_length=1, max_length=200, description="Whose it is: the printed name.")
    role: str = Field(min_length=1, max_length=200, description="As what the person signs.")
    at: str = Field(description="From when on, RFC 3339, UTC.")
    reason: str = Field(default="", max_length=2000, description="Of a revocation.")
    replaces: str | None = Field(default=None, description="Of a rotation: the public key whose place it takes.")
    proof: str | None = Field(
        default=None, description="The key's own signature over this statement, base64: who registered it had it."
    )
    former_proof: str | None = Field(default=None, description="Of a rotation: the signature of the key before.")
    salt: str | None = Field(default=None, pattern=SALT_PATTERN, description=SALT)

    @property
    def statement(self) -> bytes:
        """What the proofs sign: the same in every corpus that has a copy."""
        fields = ("key", "change", "person", "role", "at", "reason", "replaces")
        return b"coditect-signer/1\n" + canonical_json({name: getattr(self, name) for name in fields})


class CorpusPolicy(CorpusItem):
    """How many persons must sign a decision before it is in force; only added to, the last one counts."""

    record_kind: ClassVar[str] = "policy"
    schema_version: ClassVar[int] = 1
    id_field: ClassVar[str] = "policy_id"

    policy_id: str
    approvals: int = Field(
        ge=0, le=2, description="Persons who must have signed with their keys; 0: a name without a signature is enough."
    )
    decisions: tuple[Decision, ...] = Field(default=(), description="Of which decisions; empty: of all.")
    at: str = Field(description="From when on, RFC 3339, UTC. What was decided before stands as it does.")
    follows: tuple[str, ...] = Field(default=(), description="The policies that this one replaces.")


class PersonSignature(CorpusItem):
    """A person's signature under a record and under what was shown of it; stored once and never changed."""

    record_kind: ClassVar[str] = "signature"
    schema_version: ClassVar[int] = 1
    id_field: ClassVar[str] = "signature_id"

    signature_id: str
    subject: str = Field(
        description="Id of the record that is signed: of a review, a claim, an extraction, a section, a build."
    )
    # 21 CFR 11.70: linked to its record, so that it cannot be cut out, copied or moved.
    subject_sha256: str = Field(pattern=r"^[0-9a-f]{64}$", description="Of the stored bytes of that record.")
    shown: str = Field(default="", description="The text that was shown; empty where a file was.")
    shown_sha256: str = Field(pattern=r"^[0-9a-f]{64}$", description="Of that text in UTF-8, or of the file.")
    # 21 CFR 11.50(a): the printed name of the signer, when, and the meaning of the signature.
    by: str = Field(min_length=1, max_length=200, description="Who signed.")
    role: str = Field(min_length=1, max_length=200, description="As what.")
    at: str = Field(description="When, RFC 3339, UTC.")
    meaning: str = Field(min_length=1, max_length=2000, description="What the signature says.")
    key: str = Field(description="The public key, name+id+key.")
    signature: str = Field(description="Ed25519 over the statement, base64.")
    salt: str | None = Field(default=None, pattern=SALT_PATTERN, description=SALT)

    @property
    def statement(self) -> bytes:
        """The bytes that are signed: everything in the record but the signature."""
        body = self.model_dump(mode="json", exclude_none=True, exclude={"signature_id", "signature"})
        return b"coditect-signature/1\n" + self._named(body)


class SignatureStatus(Record):
    """A signature, and what is wrong with it."""

    signature_id: str
    by: str
    role: str
    at: str
    meaning: str
    key: str
    problems: tuple[str, ...] = Field(default=(), description="Why it is not valid; empty where it is.")
