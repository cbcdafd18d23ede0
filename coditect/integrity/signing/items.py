"""Signing what a corpus says: a claim, an extraction or a section with its chain of evidence, or the report of a generation."""

from __future__ import annotations

import hashlib

from coditect.errors import NotFound, UsageError
from coditect.integrity.signing.checking import subject_bytes
from coditect.integrity.signing.registry import PersonSigner, copied_keys
from coditect.schemas import LogEvent, PersonSignature, Source
from coditect.store.items import write_logged
from coditect.store.rows import ItemRows, item_rows
from coditect.store.store import Store
from coditect.store.view import View
from coditect.transparency.events import event_of
from coditect.transparency.persons.shown import shown_item
from coditect.transparency.persons.signatures import signed_by

__all__ = ["sign_item", "sign_report", "signature_rows"]

SIGNABLE = ("claim", "extraction", "section", "chunk", "passage")
"""Kinds of items that are signed with their evidence."""


def signature_rows(store: Store, signature: PersonSignature) -> tuple[ItemRows, LogEvent]:
    """A signature and the event that tells of it, to be written in one transaction."""
    subject, by = signature.signature_id, store.acting.by
    event = event_of("signature", signature.corpus_id, signature, subject=subject, at=signature.at, by=by)
    return item_rows(store.keys, signature), event


def sign_item(
    store: Store, view: View, evidence: Source, signer: PersonSigner, *, meaning: str, at: str
) -> PersonSignature:
    """Sign an item of a generation and the text of its whole chain of evidence, which is stored with the signature.

    Args:
        store: the store that it is written to.
        view: the generation.
        evidence: the item with its sources, down to the characters of files.
        signer: what signs, of the person who signs.
        meaning: of the signature.
        at: now, RFC 3339, UTC.

    Raises:
        NotFound: no such item in this generation.
        UsageError: not an item that is signed, or no meaning.
    """
    if evidence.item_id.partition("_")[0] not in SIGNABLE:
        raise UsageError("not an item that is signed", item_id=evidence.item_id, kinds=", ".join(SIGNABLE))
    view.find(evidence.item_id)
    shown = shown_item(view.corpus_id, evidence)
    return _sign(store, view.corpus_id, evidence.item_id, signer, meaning, at, shown=shown)


def sign_report(
    store: Store, view: View, file_sha256: str, signer: PersonSigner, *, meaning: str, at: str
) -> PersonSignature:
    """Sign the file of a report, and with it the build that it is of.

    Args:
        store: the store that it is written to.
        view: the generation of the report.
        file_sha256: of the file, 64 hex digits.
        signer: what signs, of the person who signs.
        meaning: of the signature.
        at: now, RFC 3339, UTC.

    Raises:
        UsageError: no meaning.
    """
    return _sign(store, view.corpus_id, view.manifest.build_id, signer, meaning, at, shown_sha256=file_sha256)


def _sign(
    store: Store, corpus_id: str, subject: str, signer: PersonSigner, meaning: str, at: str, **shown: str
) -> PersonSignature:
    if not meaning.strip():
        raise UsageError("a signature has a meaning", by=signer.life.person)
    stored = subject_bytes(store, corpus_id, subject)
    if stored is None:
        raise NotFound("what is to be signed is not there", subject=subject, corpus_id=corpus_id)
    signature = signed_by(
        signer.signer,
        corpus_id=corpus_id,
        subject=subject,
        subject_sha256=hashlib.sha256(stored).hexdigest(),
        by=signer.life.person,
        role=signer.life.role,
        at=at,
        meaning=meaning.strip(),
        salt=store.acting.salts(),
        **shown,
    )
    copies = copied_keys(store, corpus_id, signature.key)
    write_logged(store.engine, store.keys, [*copies, signature_rows(store, signature)])
    return signature
