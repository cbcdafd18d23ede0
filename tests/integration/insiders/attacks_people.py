"""Signatures, keys, policies, orders and acts forged, moved and deleted by who leaves the log alone."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import Any, TypeVar

from coditect.engine.port import Transaction
from coditect.schemas import (
    CalibrationSwitch,
    CorpusPolicy,
    Erasure,
    ErasureCertificate,
    HoldRelease,
    Item,
    LegalHold,
    LogAct,
    PersonSignature,
    RelevanceMark,
    Retention,
    Review,
    SignerKey,
    Tombstone,
)
from coditect.store.rows import TABLE_OF
from coditect.store.store import Store
from coditect.transparency.events import act_at
from coditect.transparency.persons.keys import prove_possession
from coditect.transparency.persons.signatures import signed_by
from coditect.transparency.sequencer import TransparencyLog
from tests.corpora import CORPUS, clock
from tests.integration.insiders.scene import ANNA, CHARLES, desk_of

I = TypeVar("I", bound=Item)  # noqa: E741 - an item

EARLIER = "2020-01-01T00:00:00Z"


def every(store: Store, cls: type[I]) -> list[I]:
    """The records of a class, in the order of their ids."""
    return [each for _, each in store.scan(TABLE_OF[cls], cls, CORPUS)]


def first(store: Store, cls: type[I], wanted: Callable[[I], bool] = lambda each: True) -> I:
    """The first record of a class that is wanted."""
    return next(each for each in every(store, cls) if wanted(each))


def remove(store: Store, item: Item) -> None:
    """Remove a record; its index entries, where it has any, are not looked for."""
    from tests.integration.insiders.insider import Insider

    Insider(store, CORPUS).drop(item)


def again(store: Store, item: I, *, instead: bool = True, **changes: Any) -> I:  # noqa: ANN401 - fields of any record
    """A changed record under an id of its own, instead of the one it was made from or beside it."""
    cls = type(item)
    fields = {name: getattr(item, name) for name in cls.model_fields if name != cls.id_field}
    forged = cls.create(**{**fields, **changes})
    if instead:
        remove(store, item)
    store.put_items([forged])
    return forged


def _of_review(each: PersonSignature) -> bool:
    return each.subject.startswith("review_")


# people


def signature_deleted(store: Store) -> None:
    """Nobody ever signed the section."""
    remove(store, first(store, PersonSignature, lambda each: not _of_review(each)))


def signature_of_decision_deleted(store: Store) -> None:
    """A decision was made by name alone."""
    remove(store, first(store, PersonSignature, _of_review))


def signature_moved(store: Store) -> None:
    """A signature stands under another decision than the one that was signed."""
    signature = first(store, PersonSignature, _of_review)
    other = first(store, Review, lambda each: each.review_id != signature.subject)
    again(store, signature, subject=other.review_id, subject_sha256=hashlib.sha256(other.payload()).hexdigest())


def signature_given_another_name(store: Store) -> None:
    """What Anna signed was signed by the owner."""
    again(store, first(store, PersonSignature, lambda each: each.by == "Anna Auditor"), by="Ben Boss", role="owner")


def signature_backdated(store: Store) -> None:
    """The section was approved years ago."""
    again(store, first(store, PersonSignature, lambda each: not _of_review(each)), at=EARLIER)


def signature_by_a_stranger(store: Store) -> None:
    """A valid signature by a key that nobody registered."""
    genuine = first(store, PersonSignature, lambda each: not _of_review(each))
    fields = ("corpus_id", "subject", "subject_sha256", "shown", "by", "role", "at", "meaning")
    store.put_items([signed_by(CHARLES, **{name: getattr(genuine, name) for name in fields})])


def signature_with_a_stolen_key(store: Store) -> None:
    """A valid signature with Anna's key, which the log does not tell of."""
    genuine = first(store, PersonSignature, lambda each: not _of_review(each))
    fields = ("corpus_id", "subject", "subject_sha256", "shown", "by", "role", "at")
    said = {name: getattr(genuine, name) for name in fields}
    store.put_items([signed_by(ANNA, meaning="seen and approved without exception", **said)])


def key_in_another_name(store: Store) -> None:
    """A key of the insider's own is Anna's, and signs."""
    genuine = first(store, SignerKey, lambda each: each.person == "Anna Auditor")
    said = {name: getattr(genuine, name) for name in ("change", "person", "role", "at")}
    key = prove_possession(SignerKey.create(corpus_id=CORPUS, key=str(CHARLES.key), **said), CHARLES)
    store.put_items([key])
    signature_by_a_stranger(store)


def key_given_to_another(store: Store) -> None:
    """Anna's key is somebody else's."""
    again(store, first(store, SignerKey, lambda each: each.key == str(ANNA.key)), person="Ivan Insider")


def revocation_deleted(store: Store) -> None:
    """A key that was lost holds."""
    remove(store, first(store, SignerKey, lambda each: each.change == "revoked"))


def revocation_delayed(store: Store) -> None:
    """A key that was lost held a year longer."""
    revoked = first(store, SignerKey, lambda each: each.change == "revoked")
    again(store, revoked, at="2027-02-01T00:00:00Z")


def revocation_forged(store: Store) -> None:
    """Anna's key was lost before she signed."""
    genuine = first(store, SignerKey, lambda each: each.key == str(ANNA.key))
    again(store, genuine, instead=False, change="revoked", at=EARLIER, reason="lost", proof=None)


def policy_deleted(store: Store) -> None:
    """Nobody ever asked for two signatures."""
    remove(store, first(store, CorpusPolicy))


def policy_lowered(store: Store) -> None:
    """From now on none is asked for."""
    asked = first(store, CorpusPolicy)
    again(store, asked, instead=False, approvals=0, follows=(asked.policy_id,))


def mark_forged(store: Store) -> None:
    """A person judged an answer as they did not."""
    mark = first(store, RelevanceMark)
    again(store, mark, instead=False, relevant=not mark.relevant, follows=(mark.mark_id,))


def mark_deleted(store: Store) -> None:
    """A judgement that calibration learns from is gone."""
    remove(store, first(store, RelevanceMark))


def switch_forged(store: Store) -> None:
    """Other figures were put in force, by nobody who is known to have done so."""
    last = next(each for each in every(store, CalibrationSwitch) if not each.calibration_id)
    other = next(each.calibration_id for each in every(store, CalibrationSwitch) if each.calibration_id)
    again(store, last, instead=False, calibration_id=other, follows=(last.switch_id,))


def switch_given_another_name(store: Store) -> None:
    """Somebody else decided with which figures claims are judged."""
    again(store, first(store, CalibrationSwitch, lambda each: bool(each.calibration_id)), by="Ben Boss")


# orders


def hold_deleted(store: Store) -> None:
    """What must be kept may go."""
    held = {each.hold_id for each in every(store, HoldRelease)}
    remove(store, first(store, LegalHold, lambda each: each.hold_id not in held))


def release_forged(store: Store) -> None:
    """A hold has ended that nobody ended; what it keeps is then erased by the book."""
    ended = first(store, HoldRelease)
    held = first(store, LegalHold, lambda each: each.hold_id != ended.hold_id)
    again(store, ended, instead=False, hold_id=held.hold_id)


def release_deleted(store: Store) -> None:
    """A hold goes on for ever, so that nothing is erased."""
    remove(store, first(store, HoldRelease))


def hold_given_another_reason(store: Store) -> None:
    """The matter that a hold serves is another."""
    again(store, first(store, LegalHold), matter="an audit of no weight")


def erasure_forged(store: Store) -> None:
    """A document that somebody wants gone was erased on request, with a certificate: the order is planted, and followed."""
    genuine = first(store, Erasure)
    own = {each.erasure_id for each in every(store, Erasure)}
    order = desk_of(store)
    log = TransparencyLog(store.engine, store.keys)
    log.sequence()
    assert order.erase(CORPUS, ["suppliers/cloud.md"], reason=genuine.reason, by=genuine.by).state == "done"
    assert {each.erasure_id for each in every(store, Erasure)} - own
    waiting = [key for page in store.pages(*store.keys.bounds("log/pending")) for key, _ in page]

    def forget(transaction: Transaction) -> None:
        for key in waiting:
            transaction.clear(key)

    store.update(forget)


def erasure_deleted(store: Store) -> None:
    """Who asked for the erasure is not known any more."""
    remove(store, first(store, Erasure))


def tombstone_widened(store: Store) -> None:
    """A genuine erasure took another document with it: its tombstone covers rows that were never meant."""
    stone = first(store, Tombstone)
    claim = next(iter(_claims(store)))
    rows = {**stone.rows, "claims": (*stone.rows.get("claims", ()), claim.item_id)}
    remove(store, claim)
    again(store, stone, rows=rows)


def _claims(store: Store) -> list[Item]:
    from coditect.store.view import open_view

    return list(open_view(store, CORPUS).claims.values())


def certificate_deleted(store: Store) -> None:
    """An erasure that is done was never done."""
    remove(store, first(store, ErasureCertificate))


def certificate_reworded(store: Store) -> None:
    """The certificate says that nothing stayed."""
    again(store, first(store, ErasureCertificate), stays=())


def retention_forged(store: Store) -> None:
    """A generation that says too much went by policy."""
    genuine = first(store, Retention)
    from coditect.schemas import Generation

    gone = store.get("generations", Generation, CORPUS, 1)
    assert gone is not None
    again(store, genuine, instead=False, generations=(gone.generation,), build_ids=(gone.build_id,))
    store.remove("generations", CORPUS, gone.generation)


def retention_deleted(store: Store) -> None:
    """Nobody knows by what policy a generation went."""
    remove(store, first(store, Retention))


# acts


def _act(store: Store, kind: str) -> bytes:
    log = TransparencyLog(store.engine, store.keys)
    import json

    told = [json.loads(entry) for _, entry in log.entries()]
    sha256 = next(each["sha256"] for each in told if each["kind"] == kind)
    return store.keys.key("log/acts", sha256)


def export_hidden(store: Store) -> None:
    """Nobody ever exported the corpus."""
    key = _act(store, "export")
    store.update(lambda transaction: transaction.clear(key))


def access_hidden(store: Store) -> None:
    """Nobody ever read it."""
    key = _act(store, "access")
    store.update(lambda transaction: transaction.clear(key))


def access_reworded(store: Store) -> None:
    """Somebody else read it, under the hash of the genuine record."""
    from coditect.keyspace import seal_compressed

    key = _act(store, "access")
    sha256 = str(store.keys.parts("log/acts", key)[0])
    genuine = store.engine.read(lambda transaction: act_at(transaction, store.keys, sha256))
    assert genuine is not None
    forged = LogAct(kind="access", corpus_id=CORPUS, at=clock(), details={"what": "nothing"}, salt=genuine.salt)
    value = seal_compressed(store.keys.relative(key), forged.payload())
    store.update(lambda transaction: transaction.set(key, value))


PEOPLE = (
    *(signature_deleted, signature_of_decision_deleted, signature_moved, signature_given_another_name),
    *(signature_backdated, signature_by_a_stranger, signature_with_a_stolen_key, key_in_another_name),
    *(key_given_to_another, revocation_deleted, revocation_delayed, revocation_forged, policy_deleted, policy_lowered),
    *(mark_forged, mark_deleted, switch_forged, switch_given_another_name),
)
ORDERS = (
    *(hold_deleted, release_forged, release_deleted, hold_given_another_reason, erasure_forged, erasure_deleted),
    *(tombstone_widened, certificate_deleted, certificate_reworded, retention_forged, retention_deleted),
    *(export_hidden, access_hidden, access_reworded),
)
