"""Attacks on single records that the log tells of: each kind of record changed, deleted, and put there."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, cast

from coditect.keyspace import seal, unseal
from coditect.schemas import (
    AnswerPart,
    Calibration,
    CalibrationSwitch,
    CorpusPolicy,
    Erasure,
    ErasureCertificate,
    Failure,
    Generation,
    HoldRelease,
    Intake,
    Item,
    LegalHold,
    LogAct,
    LogPrincipal,
    ModelAnswer,
    PersonSignature,
    Record,
    RelevanceMark,
    Retention,
    Review,
    SignerKey,
    document_id_for,
    sha256_hex,
)
from tests.integration.insiders.hands import Hands
from tests.integration.insiders.lived import CORPUS

__all__ = ["TOLD", "Told", "changed", "deleted", "planted"]

Change = Callable[[Any], dict[str, Any]]


@dataclass(frozen=True)
class Told:
    """A kind of record that the log tells of.

    Attributes:
        name: for people.
        table: where it stands.
        cls: its class.
        change: what an insider makes of it.
        plant: what is different in one that an insider puts there; None: the same as in a change.
        corpus: the corpus; "" is the tenant's register.
        which: of the records, where there are several that others look at in different ways.
    """

    name: str
    table: str
    cls: type[Record]
    change: Change
    plant: Change | None = None
    corpus: str = CORPUS
    which: Callable[[Any], bool] = lambda record: True

    def first(self, hands: Hands) -> Any:  # noqa: ANN401 - a record
        """The one that is attacked."""
        return next(each for each in hands.rows(self.table, self.cls, self.corpus) if self.which(each))


def _other_name(record: Any) -> dict[str, Any]:  # noqa: ANN401 - an intake or a failure
    if isinstance(record, Failure):
        return {"name": "other.pdf"}
    return {"name": "other.md", "document_id": document_id_for(CORPUS, "other.md")}


TOLD = (
    Told("intake", "intake", Intake, lambda r: {"aliases": ("other.md",)}, _other_name),
    Told("failure", "failures", Failure, lambda r: {"message": "it is empty"}, _other_name),
    Told(
        "generation",
        "generations",
        Generation,
        lambda r: {"created_at": "2020-01-01T00:00:00Z"},
        lambda r: {"generation": 4, "parent_build_id": ""},
    ),
    Told("decision", "reviews", Review, lambda r: {"meaning": "everything was read"}),
    Told("signature", "signatures", PersonSignature, lambda r: {"meaning": "everything was read"}),
    Told(
        "key of a person",
        "signers",
        SignerKey,
        lambda r: {"role": "the board"},
        which=lambda r: r.person == "Anna Auditor",  # a copy beside her signatures
    ),
    Told("key in the register", "signers", SignerKey, lambda r: {"role": "the board"}, corpus=""),
    Told("policy of approvals", "policies", CorpusPolicy, lambda r: {"approvals": 0}),
    Told("mark", "marks", RelevanceMark, lambda r: {"relevant": not r.relevant}),
    Told("calibration", "calibrations", Calibration, lambda r: {"seed": 7}),
    Told("switch of the calibration", "switches", CalibrationSwitch, lambda r: {"meaning": "nothing changed"}),
    Told(
        "answer of a model",
        "answers",
        ModelAnswer,
        lambda r: {"parts": (AnswerPart(text='{"label":"supported"}'),)},
        lambda r: {"request_sha256": "f" * 64},
    ),
    Told("erasure order", "erasures", Erasure, lambda r: {"reason": "tidying up"}),
    Told("certificate of an erasure", "certificates", ErasureCertificate, lambda r: {"at": "2020-01-01T00:00:00Z"}),
    Told("hold", "holds", LegalHold, lambda r: {"reason": "none"}),
    Told(
        "release of a hold",
        "releases",
        HoldRelease,
        lambda r: {"reason": "none"},
        lambda r: {"hold_id": "hold_of_nobody"},
    ),
    Told("retention", "retentions", Retention, lambda r: {"policy": "keep 1m"}, lambda r: {"generations": (2,)}),
)


def _with(record: Any, changes: dict[str, Any], hands: Hands) -> Any:  # noqa: ANN401 - a record
    return hands.forged(record, **changes) if isinstance(record, Item) else record.model_copy(update=changes)


def changed(told: Told) -> Callable[[Hands], None]:
    """The record says something else, under the id that it must have."""

    def attack(hands: Hands) -> None:
        record = told.first(hands)
        fresh = _with(record, told.change(record), hands)
        hands.drop(record)
        hands.write(fresh)

    return attack


def deleted(told: Told) -> Callable[[Hands], None]:
    """The record and its index entries are gone."""
    return lambda hands: hands.drop(told.first(hands))


def planted(told: Told) -> Callable[[Hands], None]:
    """A record that nobody made stands beside it."""

    def attack(hands: Hands) -> None:
        record = told.first(hands)
        hands.write(_with(record, (told.plant or told.change)(record), hands))

    return attack


# what belongs to the log alone


def export_is_hidden(hands: Hands) -> None:
    """What was exported is not told."""
    hands.clear_rows(hands.acts("export")[0][0])


def read_is_changed_under_its_hash(hands: Hands) -> None:
    """Somebody else read something else, under the hash that the log names."""
    key, act = hands.acts("access")[0]
    hands.put_act(act.model_copy(update={"details": {"what": "nothing"}}), str(hands.keys.parts("log/acts", key)[0]))


def read_is_replaced(hands: Hands) -> None:
    """The same, under its own hash."""
    key, act = hands.acts("access")[0]
    hands.clear_rows(key)
    hands.put_act(act.model_copy(update={"details": {"what": "nothing"}}))


def act_is_planted(hands: Hands) -> None:
    """A sweep that nobody ran explains what is missing."""
    hands.put_act(LogAct(kind="sweep", corpus_id=CORPUS, at="2026-01-08T00:00:00Z", details={"rows": 7}))


def principal_is_renamed(hands: Hands) -> None:
    """Somebody else did all that: the name behind the pseudonym is another one."""
    for page in hands.store.pages(*hands.keys.bounds("log/principals")):
        for key, value in page:
            record = LogPrincipal.parse(unseal(hands.keys.relative(key), value)[1])
            fresh = record.model_copy(update={"name": "Ian Nocent"})
            hands.set_rows((key, seal(hands.keys.relative(key), fresh.payload())))


def settings_are_hidden(hands: Hands) -> None:
    """Nobody is told that a build ran with other settings than the one before."""
    key, _ = max(hands.acts("settings"), key=lambda each: str(each[1].details["generation"]))  # whatever its id is
    hands.clear_rows(key)


def settings_are_told_otherwise(hands: Hands) -> None:
    """The log is told of settings that no build had."""
    key, act = max(hands.acts("settings"), key=lambda each: str(each[1].details["generation"]))
    hands.clear_rows(key)
    hands.put_act(act.model_copy(update={"details": {**act.details, "after": {"minimum_support": 0.99}}}))


def settings_are_planted(hands: Hands) -> None:
    """A change that never was explains another result."""
    _, act = hands.acts("settings")[0]
    details = {"generation": 2, "build_id": hands.first("generations", Generation, generation=2).build_id}
    hands.put_act(act.model_copy(update={"details": {**details, "after": {"minimum_support": 0.0}}}))


# tokens of the HTTP API


def _tokens(hands: Hands, change: str) -> list[tuple[bytes, LogAct]]:
    return [(key, act) for key, act in hands.acts("token") if act.details["change"] == change]


def _token_key(hands: Hands, act: LogAct) -> bytes:
    return cast(bytes, hands.keys.key("tokens", act.details["public_id"], act.details["change"]))


def _token(hands: Hands, act: LogAct) -> None:
    """Write an act on a token, and its row."""
    hands.put_act(act)
    key = _token_key(hands, act)
    hands.set_rows((key, seal(hands.keys.relative(key), sha256_hex(act.payload()).encode())))


def revoked_token_holds_again(hands: Hands) -> None:
    """The row of a revocation is gone, and the log still tells of it."""
    hands.clear_rows(_token_key(hands, _tokens(hands, "revoked")[0][1]))


def revocation_of_a_token_is_hidden(hands: Hands) -> None:
    """The row of a revocation is gone, and its act as well."""
    key, act = _tokens(hands, "revoked")[0]
    hands.clear_rows(key, _token_key(hands, act))


def token_is_planted(hands: Hands) -> None:
    """A token that nobody made opens everything."""
    _, act = _tokens(hands, "made")[0]
    _token(hands, act.model_copy(update={"details": {**act.details, "public_id": "0" * 16, "role": "administrator"}}))


def token_gets_another_role(hands: Hands) -> None:
    """A reader's token becomes an administrator's."""
    key, act = _tokens(hands, "made")[0]
    hands.clear_rows(key)
    _token(hands, act.model_copy(update={"details": {**act.details, "role": "administrator"}}))


def token_is_made_with_the_act_of_another(hands: Hands) -> None:
    """The row of one token leads to the act on another."""
    (_, one), (_, two) = _tokens(hands, "made")[:2]
    key = _token_key(hands, one)
    hands.set_rows((key, seal(hands.keys.relative(key), sha256_hex(two.payload()).encode())))


# rows that together hide something


def withdrawn_document_is_present(hands: Hands) -> None:
    """A withdrawal is undone."""
    gone = hands.first("intake", Intake, status="withdrawn")
    hands.write(gone.model_copy(update={"status": "present"}))


def present_document_is_withdrawn(hands: Hands) -> None:
    """A document that waits for its build is withdrawn."""
    late = hands.first("intake", Intake, name="late/late.md" if _nested(hands) else "late.md")
    hands.write(late.model_copy(update={"status": "withdrawn"}))


def _nested(hands: Hands) -> bool:
    return any(each.name.startswith("late/") for each in hands.rows("intake", Intake))


def intakes_are_swapped(hands: Hands) -> None:
    """Two documents change their names."""
    one, two = hands.rows("intake", Intake)[:2]
    hands.write(one.model_copy(update={"name": two.name}))
    hands.write(two.model_copy(update={"name": one.name}))


def salts_are_swapped(hands: Hands) -> None:
    """Two decisions change their salts, so that what the log tells of one could be said of the other."""
    one, two = hands.rows("reviews", Review)[:2]
    hands.swap(one, salt=two.salt)
    hands.swap(two, salt=one.salt)


def answers_are_swapped(hands: Hands) -> None:
    """Two requests change their answers."""
    one, two = hands.rows("answers", ModelAnswer)[:2]
    hands.write(one.model_copy(update={"parts": two.parts}))
    hands.write(two.model_copy(update={"parts": one.parts}))


def generation_is_rolled_back(hands: Hands) -> None:
    """The last generation is gone, and the corpus points to the one before."""
    last = hands.store.corpus(CORPUS)
    generations = {each.generation: each for each in hands.rows("generations", Generation)}
    hands.drop(generations[last.generation])
    before = generations[last.generation - 1]
    hands.write(last.model_copy(update={"generation": before.generation, "build_id": before.build_id}))


def pointer_is_rolled_back(hands: Hands) -> None:
    """The corpus points to the generation before; the last one is still there."""
    last = hands.store.corpus(CORPUS)
    before = hands.first("generations", Generation, generation=last.generation - 1)
    hands.write(last.model_copy(update={"generation": before.generation, "build_id": before.build_id}))


def corpus_is_older_than_it_was(hands: Hands) -> None:
    """The corpus says that it was made years ago."""
    hands.write(hands.store.corpus(CORPUS).model_copy(update={"created_at": "2019-01-01T00:00:00Z"}))


def generations_are_swapped(hands: Hands) -> None:
    """Two generations change their builds."""
    one, two = hands.rows("generations", Generation)[:2]
    hands.write(one.model_copy(update={"build_id": two.build_id}))
    hands.write(two.model_copy(update={"build_id": one.build_id}))
