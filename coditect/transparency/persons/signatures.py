"""What makes a person's signature valid: the statement verifies, and its key was that person's, in that role, at that time."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from coditect.errors import InvalidProof, UsageError
from coditect.schemas import PersonSignature, sha256_hex
from coditect.transparency.notes import Signer, VerifierKey, base64_of, read_base64
from coditect.transparency.persons.keys import KeyLife

__all__ = ["signature_problems", "signed_by"]

_WRITTEN_TIME = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z")
"""Times are compared as they are written, so that they are written in one way."""


def signed_by(signer: Signer, **fields: Any) -> PersonSignature:  # noqa: ANN401 - the fields of the record
    """A signature over everything that it says.

    Args:
        signer: the person's key.
        fields: of the record, without the key, the signature and the digest of the shown text.
    """
    if "shown_sha256" not in fields:
        fields["shown_sha256"] = sha256_hex(fields["shown"].encode())
    fields["key"] = str(signer.key)
    unsigned = PersonSignature(signature_id="", signature="", **fields)
    return PersonSignature.create(signature=base64_of(signer.sign(unsigned.statement)), **fields)


def signature_problems(record: PersonSignature, lives: Mapping[str, KeyLife], *, ended_keys: bool = True) -> list[str]:
    """What is wrong with a signature, taken with the keys alone; empty where nothing is.

    Args:
        record: the signature.
        lives: of the keys that are known, by public key.
        ended_keys: also that its key had ended by then: without it, what was signed and whose key it is alone.
    """
    problems = []
    if record.shown and sha256_hex(record.shown.encode()) != record.shown_sha256:
        problems.append("the text that was shown is not the one that was signed")
    try:
        known = VerifierKey.parse(record.key)
        verified = known.verifies(record.statement, read_base64(record.signature, "signature"))
    except (InvalidProof, UsageError):
        verified = False
    if not verified:
        problems.append(
            "its key did not sign this: record, text, name, role, time or meaning are not those that were signed"
        )
    if not _WRITTEN_TIME.fullmatch(record.at):
        problems.append(f"it says no time: {record.at!r}")
    life = lives.get(record.key)
    if life is None:
        problems.append("its key is not registered")
        return problems
    if (life.person, life.role) != (record.by, record.role):
        problems.append(f"its key is that of {life.person}, {life.role}")
    if not life.holds_at(record.at) and (ended_keys or record.at < life.since):
        why = f"not registered before {life.since}" if record.at < life.since else f"{life.ended} at {life.until}"
        problems.append(f"its key did not hold at {record.at}: {why}")
    return problems
