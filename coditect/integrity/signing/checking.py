"""Signatures of persons against what they are under: the record, the text that was shown, the key, the time."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from contextlib import suppress

from coditect.errors import Corrupt
from coditect.schemas import TENANT, DocumentItem, PersonSignature, Review, SignerKey
from coditect.store.item_ids import CLASS_OF, locate
from coditect.store.rows import payload_of
from coditect.store.store import Store
from coditect.transparency.persons.keys import KeyLife, key_lives, key_problems
from coditect.transparency.persons.shown import shown_review
from coditect.transparency.persons.signatures import signature_problems

__all__ = ["SignatureCheck", "subject_bytes"]

_TABLES = {"review": "reviews", "build": "manifests"}


def subject_bytes(store: Store, corpus_id: str, subject: str) -> bytes | None:
    """The stored bytes of a record that is signed; None where it is not there.

    Args:
        store: the tenant's store.
        corpus_id: the corpus.
        subject: id of a review, a build, or an item of a tier.

    Raises:
        Corrupt: changed bytes.
    """
    kind = subject.partition("_")[0]
    places: list[tuple[str, ...]] = []
    if kind in _TABLES:
        table, places = _TABLES[kind], [(corpus_id, subject)]
    elif kind in CLASS_OF:
        table, cls = CLASS_OF[kind]
        places = [(corpus_id, subject)]  # of a corpus that is being imported the locator says nothing yet
        if issubclass(cls, DocumentItem):
            found = (document for corpus, document in locate(store, subject) if corpus == corpus_id)
            places = [(corpus_id, document, subject) for document in found if document]
    else:
        return None
    for place in places:
        key = store.keys.key(table, *place)
        value = store.engine.read(lambda transaction, key=key: transaction.get(key))  # type: ignore[misc]
        if value is not None:
            return payload_of(store.engine, store.keys, place, key, value)
    return None


class SignatureCheck:
    """Checks the keys and signatures of a corpus.

    Args:
        store: the tenant's store.
        corpus_id: the corpus.
        ended_keys: whether a signature by a key that had ended is wrong.
    """

    def __init__(self, store: Store, corpus_id: str, *, ended_keys: bool = True) -> None:
        self._store = store
        self._corpus_id = corpus_id
        self._ended_keys = ended_keys
        self._lives: Mapping[str, KeyLife] | None = None

    def key(self, record: SignerKey) -> Iterator[str]:
        """What is wrong with a record of a key."""
        yield from key_problems(record)

    def signature(self, record: PersonSignature) -> Iterator[str]:
        """What is wrong with a signature, and with what ties it to its record."""
        if self._lives is None:
            self._lives = self._known_keys()
        yield from signature_problems(record, self._lives, ended_keys=self._ended_keys)
        try:
            payload = subject_bytes(self._store, self._corpus_id, record.subject)
        except Corrupt:  # said of the damaged row
            return
        if payload is None:
            yield f"what it signs, {record.subject}, is not there"
            return
        if hashlib.sha256(payload).hexdigest() != record.subject_sha256:
            yield f"what it signs, {record.subject}, is another record than it was"
        elif record.subject.startswith("review_") and record.shown != shown_review(
            Review.parse(payload, record.subject)
        ):
            yield "the text that was shown does not say what the decision says"

    def _known_keys(self) -> Mapping[str, KeyLife]:
        records: list[SignerKey] = []
        for corpus_id in (TENANT, self._corpus_id):
            with suppress(Corrupt):  # said of the damaged row
                records += [each for _, each in self._store.scan("signers", SignerKey, corpus_id)]
        return key_lives(records)
