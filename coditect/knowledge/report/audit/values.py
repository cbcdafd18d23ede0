"""What an entry of the audit trail says: who, in words what, the values before and after, and the reason."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from pydantic import JsonValue

from coditect.schemas import (
    CalibrationSwitch,
    Corpus,
    CorpusPolicy,
    DocumentVersion,
    Failure,
    FeedEvent,
    Generation,
    Intake,
    LogAct,
    LogEvent,
    Manifest,
    PersonSignature,
    Record,
    RelevanceMark,
    Review,
    SignerKey,
)
from coditect.store.store import Store

__all__ = ["WORDS", "EntryValues", "told_of"]

Values = dict[str, JsonValue]

WORDS = {
    "corpus": "corpus made",
    "document": "document taken in",
    "withdrawal": "document withdrawn",
    "failure": "file failed",
    "failure cleared": "failure cleared",
    "generation": "generation published",
    "review": "decision made",
    "report": "report or evidence bundle made",
    "export": "corpus exported",
    "import": "corpus imported",
    "signature": "signed",
    "key": "key of a person",
    "log key": "first checkpoint of a key of the log",
    "policy": "approvals asked for",
    "mark": "answer judged",
    "calibration": "calibration proposed",
    "switch": "calibration switched",
    "answer": "answer of a model kept",
    "sweep": "dead rows removed",
    "compaction": "store compacted",
    "index": "index changed",
    "upgrade": "store brought to the format of a release",
    "access": "read",
    "ingested": "ingest ended",
    "vectors": "vectors stored",
    "settings": "settings of a build changed",
    "token": "token of the HTTP API",
    "erasure": "erasure ordered",
    "erased": "erasure done",
    "hold": "legal hold placed",
    "release": "legal hold ended",
    "retention": "generations retired by policy",
}
"""What an entry says where its record says nothing better, by kind of event."""


@dataclass(slots=True)
class EntryValues:
    """What a record tells of an event.

    Attributes:
        what: in words.
        who: as the record names the person; empty where it names none.
        role: of a signature.
        at: when, as the record says; empty where it does not.
        before: values before; None: there were none.
        after: values after; None: there are none.
        reason: as it was given.
    """

    what: str
    who: str = ""
    role: str = ""
    at: str = ""
    before: Values | None = None
    after: Values | None = None
    reason: str = ""


def told_of(store: Store, event: LogEvent, record: Record | None) -> EntryValues:
    """What an entry says with its record.

    Args:
        store: the tenant's store, for what was before.
        event: the entry.
        record: that it tells of, or what is there in its place; None where there is none.
    """
    told = EntryValues(WORDS.get(event.kind, event.kind))
    match record:
        case Intake():
            told.after = _present(record, ("status", "raw_sha256", "aliases", "declared"))
        case DocumentVersion():
            told.after = _present(record, ("raw_sha256", "reader"))
        case Failure():
            told.after, told.reason = _present(record, ("error", "raw_sha256")), record.message
        case Corpus():
            told.after, told.at = _present(record, ("name",)), record.created_at
        case Generation():
            _of_generation(store, record, told)
        case Review():
            told.what = f"decided: {record.decision.replace('_', ' ')}"
            told.who, told.at, told.reason = record.by, record.at, record.meaning
            told.before = _followed(store, "reviews", Review, record, ("decision", "by", "at", "changes", "until"))
            told.after = _present(record, ("decision", "claim_text", "signed_item", "changes", "until"))
        case PersonSignature():
            told.who, told.role, told.at, told.reason = record.by, record.role, record.at, record.meaning
            told.after = _present(record, ("subject", "subject_sha256", "shown_sha256", "key"))
        case SignerKey():
            told.what = f"key of a person {record.change}"
            told.at, told.reason = record.at, record.reason
            told.after = _present(record, ("person", "role", "key", "replaces"))
        case CorpusPolicy():
            told.at = record.at
            told.before = _followed(store, "policies", CorpusPolicy, record, ("approvals", "decisions"))
            told.after = _present(record, ("approvals", "decisions"))
        case RelevanceMark():
            told.what = "answer judged relevant" if record.relevant else "answer judged not relevant"
            told.who, told.at = record.by, record.at
            told.before = _followed(store, "marks", RelevanceMark, record, ("relevant", "by", "at"))
            told.after = _present(record, ("query", "judged_id", "relevant"))
        case CalibrationSwitch():
            told.who, told.at, told.reason = record.by, record.at, record.meaning
            told.before = _followed(store, "switches", CalibrationSwitch, record, ("calibration_id", "by", "at"))
            told.after = {"calibration_id": record.calibration_id}
        case FeedEvent():
            told.at, told.after = record.at, dict(record.counts)
        case LogAct():
            told.at = record.at
            before, after = record.details.get("before"), record.details.get("after")
            told.before = before if isinstance(before, dict) else None
            rest = {name: each for name, each in record.details.items() if name not in ("before", "after", "reason")}
            told.after = {**rest, **after} if isinstance(after, dict) else rest
            if record.kind == "vectors" and isinstance(
                blocks := rest.get("blocks"), dict
            ):  # hundreds: the act has them
                told.after["blocks"] = len(blocks)
            told.reason = str(record.details.get("reason", ""))
            if record.kind == "report" and rest.get("what"):
                told.what = f"{rest['what']} {'written' if rest.get('sha256') else 'made'}"
            if record.kind == "token":
                _of_token(record, told)
        case Record():  # of a kind that has its own use case: what such records have in common
            told.who, told.at = str(getattr(record, "by", "")), str(getattr(record, "at", ""))
            told.reason = str(getattr(record, "reason", "") or getattr(record, "meaning", ""))
            told.after = record.model_dump(mode="json", exclude_none=True)
    return told


def _present(record: Record, names: tuple[str, ...]) -> Values:
    """Fields of a record that say something."""
    body = record.model_dump(mode="json", include=set(names))
    return {name: body[name] for name in names if body[name] not in (None, "", [], {})}


def _followed(store: Store, table: str, cls: type[Any], record: Any, names: tuple[str, ...]) -> Values | None:  # noqa: ANN401 - any record that follows others of its kind
    """Fields of the last record that one follows; None where it is the first."""
    found = store.get_many(table, cls, [(record.corpus_id, each) for each in record.follows])
    there = sorted((each for each in found if each is not None), key=lambda each: str(each.at))
    return _present(there[-1], names) if there else None


def _of_generation(store: Store, record: Generation, told: EntryValues) -> None:
    """A generation against the one before: its build, its counts, and the settings that changed."""
    told.at = record.created_at
    own = _build(store, record.corpus_id, record.build_id)
    former = _build(store, record.corpus_id, record.parent_build_id) if record.parent_build_id else None
    told.after = {"generation": record.generation, "build_id": record.build_id, **_settings(own, former)}
    if record.parent_build_id:
        told.before = {
            "generation": record.generation - 1,
            "build_id": record.parent_build_id,
            **_settings(former, own),
        }


def _of_token(act: LogAct, told: EntryValues) -> None:
    """Whose token, as what, for which corpora, and until when; not what is of its secret."""
    details = act.details
    told.what = f"token of {details.get('name')} ({details.get('role')}) {details.get('change')}"
    names = ("public_id", "name", "role", "corpora", "until")
    said: Values = {name: details[name] for name in names if details.get(name) not in (None, "", [])}
    told.before, told.after = (said, None) if details.get("change") == "revoked" else (None, said)


def _build(store: Store, corpus_id: str, build_id: str) -> Manifest | None:
    return store.get("manifests", Manifest, corpus_id, build_id)


def _settings(own: Manifest | None, other: Manifest | None) -> Values:
    """Counts of a build, and those of its settings that another does not have so."""
    if own is None:
        return {}
    mine = own.settings.model_dump(mode="json")
    theirs = other.settings.model_dump(mode="json") if other is not None else {}
    changed = {name: value for name, value in mine.items() if name not in theirs or theirs[name] != value}
    return {"counts": dict(own.counts), **({"settings": changed} if changed else {})}
