"""The register of persons' keys: the tenant's own, and a copy in each corpus of all that concerns who signed in it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from coditect.errors import NotFound, UsageError
from coditect.schemas import TENANT, LogEvent, SignerKey
from coditect.schemas.day import require_time
from coditect.store.header import write_header
from coditect.store.items import write_logged
from coditect.store.rows import ItemRows, item_rows
from coditect.store.store import Store
from coditect.transparency.events import event_of
from coditect.transparency.notes import Signer
from coditect.transparency.persons.keys import KeyLife, key_lives, prove_possession
from coditect.transparency.persons.names import folded, printed

__all__ = [
    "PersonSigner",
    "copied_keys",
    "known_keys",
    "person_signer",
    "register_key",
    "registered_keys",
    "revoke_key",
]


@dataclass(frozen=True, slots=True)
class PersonSigner:
    """A registered person with what signs for them.

    Attributes:
        signer: the key.
        life: whose it is, and how long it holds.
    """

    signer: Signer
    life: KeyLife


def registered_keys(store: Store) -> list[SignerKey]:
    """Everything that became of the keys of a tenant, by time."""
    found = (each for _, each in store.scan("signers", SignerKey, TENANT))
    return sorted(found, key=lambda each: (each.at, each.key, each.change))


def known_keys(store: Store, corpus_id: str) -> Mapping[str, KeyLife]:
    """How long each key holds, by what the tenant's register and the corpus say, by public key."""
    own = (each for _, each in store.scan("signers", SignerKey, corpus_id))
    return key_lives([*registered_keys(store), *own])


def register_key(
    store: Store, signer: Signer, *, person: str, role: str, at: str, replaces: str = "", former: Signer | None = None
) -> SignerKey:
    """Enter a person's key in the tenant's register, and into the log.

    Args:
        store: the tenant's store.
        signer: the key.
        person: the printed name of whose it is.
        role: as what the person signs.
        at: now, RFC 3339, UTC.
        replaces: of a rotation: the public key that ends now.
        former: of a rotation: that key, to sign the rotation; None where it is lost.
    Returns:
        The record; the one that is there already, of a key that was registered before.

    Raises:
        UsageError: an empty name or role, one that looks like another that is registered, a key that is somebody else's, or nothing
            to be replaced.
    """
    person, role = printed(person), printed(role)
    if not person or not role:
        raise UsageError("a key is somebody's, in a role", person=person, role=role)
    every, key = registered_keys(store), str(signer.key)
    like = next(
        (each.person for each in every if each.person != person and folded(each.person) == folded(person)), None
    )
    if like is not None:
        raise UsageError(
            "a name like this one is registered already",
            person=person,
            registered=like,
            hint="Is it the same person? Then write the name as it is registered; "
            "else add what tells the two apart, such as a middle name.",
        )
    before = next((each for each in every if each.key == key and each.change != "revoked"), None)
    if before is not None:
        if (before.person, before.role) == (person, role) and (before.replaces or "") == replaces:
            return before
        raise UsageError(
            "this key is registered already, and is never given to anybody else", key=key, person=before.person
        )
    if replaces:
        life = key_lives(every).get(replaces)
        if life is None or life.until:
            raise UsageError(
                "no such key holds, so nothing takes its place",
                key=replaces,
                hint="'coditect keys list' shows which keys hold. Make a new one with 'coditect keys new'.",
            )
    fields = {"replaces": replaces} if replaces else {}
    draft = SignerKey.create(
        corpus_id=TENANT,
        key=key,
        change="rotated" if replaces else "made",
        person=person,
        role=role,
        at=at,
        salt=store.acting.salts(),
        **fields,
    )
    record = prove_possession(draft, signer, former)
    _write(store, record)
    if replaces:
        _copy_everywhere(store, replaces)
    return record


def revoke_key(store: Store, key: str, *, reason: str, at: str) -> SignerKey:
    """Say that a key does not hold any more, in the register, in each corpus where it signed, and in the log.

    Args:
        store: the tenant's store.
        key: the public key, ``name+id+key``, or its name.
        reason: why.
        at: from when on, RFC 3339, UTC; earlier than now where it was lost earlier.

    Raises:
        NotFound: no such key is registered.
        UsageError: no reason, or a time that is not written as all others are.
    """
    every = registered_keys(store)
    own = next((each for each in every if key in (each.key, each.key.partition("+")[0])), None)
    if own is None:
        raise NotFound("no such key is registered", key=key, hint="'coditect keys list' shows them.")
    if not reason.strip():
        raise UsageError("a revocation has a reason", key=own.key)
    require_time("at", at)
    before = next((each for each in every if each.key == own.key and each.change == "revoked" and each.at <= at), None)
    if before is None:
        before = SignerKey.create(
            corpus_id=TENANT,
            key=own.key,
            change="revoked",
            person=own.person,
            role=own.role,
            at=at,
            reason=reason.strip(),
            salt=store.acting.salts(),
        )
        _write(store, before)
    _copy_everywhere(store, own.key)
    return before


def person_signer(store: Store, signer: Signer, at: str) -> PersonSigner:
    """Who signs with a key.

    Raises:
        UsageError: it is nobody's, was ended, or does not hold at that time.
    """
    key = str(signer.key)
    life = key_lives(registered_keys(store)).get(key)
    if life is None:
        raise UsageError(
            "this key is not registered in this store",
            key=key,
            hint="Register it: 'coditect keys new --person NAME --role ROLE', or 'coditect keys register' for a key that is there.",
        )
    # A clock that is slow signs with no key that the log has already told the end of.
    if life.until or not life.holds_at(at):
        raise UsageError(
            "this key does not hold",
            key=key,
            person=life.person,
            since=life.since,
            ended=life.ended,
            hint="Sign with a key that holds: 'coditect keys list' shows them, 'coditect keys new --person' makes one.",
        )
    return PersonSigner(signer, life)


def copied_keys(store: Store, corpus_id: str, key: str) -> list[tuple[ItemRows, LogEvent]]:
    """What a corpus lacks of what the tenant's register says of a key, to be written with what is signed.

    Args:
        store: the tenant's store.
        corpus_id: the corpus.
        key: the public key.
    """
    held = {each.signer_id for _, each in store.scan("signers", SignerKey, corpus_id)}
    found = []
    for each in _concerning(registered_keys(store), key):
        fields = {
            name: getattr(each, name) for name in SignerKey.model_fields if name not in ("signer_id", "corpus_id")
        }
        copy = SignerKey.create(corpus_id=corpus_id, **fields)
        if copy.signer_id not in held:
            found.append((item_rows(store.keys, copy), _event(store, copy)))
    return found


def _concerning(records: Iterable[SignerKey], key: str) -> list[SignerKey]:
    """What is said of a key, and of those that it took the place of, or that took its place."""
    every = list(records)
    wanted = {key}
    while True:
        more = {each.key for each in every if each.replaces in wanted} | {
            each.replaces for each in every if each.key in wanted and each.replaces
        }
        if more <= wanted:
            return [each for each in every if each.key in wanted]
        wanted |= more


def _copy_everywhere(store: Store, key: str) -> None:
    """Tell every corpus in which a key signed what became of it; what was told is not told again."""
    for corpus in store.corpora():
        if any(each.key == key for _, each in store.scan("signers", SignerKey, corpus.corpus_id)):
            copies = copied_keys(store, corpus.corpus_id, key)
            if copies:
                write_logged(store.engine, store.keys, copies)


def _write(store: Store, record: SignerKey) -> None:
    store.update(lambda transaction: write_header(transaction, store.keys.tenant, record.at))
    write_logged(store.engine, store.keys, [(item_rows(store.keys, record), _event(store, record))])


def _event(store: Store, record: SignerKey) -> LogEvent:
    subject, by = record.signer_id, store.acting.by
    return event_of("key", record.corpus_id, record, subject=subject, at=record.at, by=by, key=record.key)
