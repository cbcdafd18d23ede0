"""The record that an entry of the log tells of: found by the entry's kind and subject, held against the hash that was logged."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache, partial

from coditect.errors import Corrupt, NewerRecord
from coditect.schemas import (
    TENANT,
    Corpus,
    DocumentVersion,
    Failure,
    FeedEvent,
    Intake,
    LogEvent,
    Record,
    document_id_for,
    sha256_hex,
    tag_of,
)
from coditect.schemas.audit import AuditState
from coditect.schemas.record import TAG_DIGITS
from coditect.store.acts.events import entries_after
from coditect.store.intake.erasures import gone_rows
from coditect.store.rows import item_tables, open_row, payload_of, record_tables
from coditect.store.store import Store
from coditect.transparency.events import act_at, principal_of
from coditect.transparency.sequencer import TransparencyLog

__all__ = ["FoundRecord", "LoggedRecords"]

KEPT = 10_000
"""Names of documents that are kept in memory."""

_TABLE_OF_KIND = {cls.record_kind: table for cls, table in item_tables().items()}
_CHANGING = ("document", "withdrawal", "failure", "failure cleared")
"""Kinds of entries that tell of rows which later ones change."""


def _row_of(event: LogEvent) -> tuple[str, str]:
    """What the entries on one changing row have in common: the tag in the ids of a document and of its versions, and the table."""
    table = "failures" if event.kind.startswith("failure") else "intake"
    return table, event.corpus + event.subject.partition("_")[2][:TAG_DIGITS]


@dataclass(frozen=True, slots=True)
class FoundRecord:
    """What became of the record that an entry tells of.

    Attributes:
        state: whether it is there as it was logged.
        record: as it was logged, or, where it differs, as it is now; None where it is gone.
        note: what is wrong, in words.
        name: of the document that it is about; empty where that is not known.
    """

    state: AuditState
    record: Record | None = None
    note: str = ""
    name: str = ""


class LoggedRecords:
    """Finds records for entries.

    Args:
        store: the tenant's store.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._last: dict[tuple[str, str], tuple[int, LogEvent]] | None = None
        self._corpora = {tag_of(each.corpus_id): each for each in store.corpora()}
        self.principal = lru_cache(KEPT)(self._principal)
        self._by_right = lru_cache(64)(partial(gone_rows, store))
        self._failures = lru_cache(64)(self._failures_of)
        self._feed = lru_cache(64)(self._feed_of)
        self.document_name = lru_cache(KEPT)(self._document_name)

    def corpus_id(self, tag: str) -> str:
        """The corpus of a tag; empty where no such corpus is here."""
        found = self._corpora.get(tag)
        return "" if found is None else found.corpus_id

    def _principal(self, pseudonym: str) -> str:
        return self._store.engine.read(lambda t: principal_of(t, self._store.keys, pseudonym)) if pseudonym else ""

    def _last_of(self, event: LogEvent) -> LogEvent:
        """The last entry on the row that an entry tells of, where rows change. The log is read through once, if ever."""
        if self._last is None:
            self._last = {}
            log = TransparencyLog(self._store.engine, self._store.keys)
            for index, entry in log.entries():
                each = LogEvent.parse(entry)
                if each.kind in _CHANGING:
                    self._last[_row_of(each)] = (index, each)
        return self._last.get(_row_of(event), (0, event))[1]

    def find(self, event: LogEvent) -> FoundRecord:
        """The record of an entry."""
        try:
            found = self._find(event)
        except (Corrupt, NewerRecord) as error:
            return FoundRecord("differs", note=str(error))
        if found.state == "gone" and self._went_by_right(event):
            return replace(found, state="erased", note="an erasure, or retention, took the record")
        return found

    def _went_by_right(self, event: LogEvent) -> bool:
        """Whether a tombstone or a retention covers what an entry tells of."""
        corpus_id = self.corpus_id(event.corpus) if event.corpus else ""
        if not corpus_id:
            return False
        right = self._by_right(corpus_id)
        if event.kind == "generation":
            return right.covers("generations", event.generation)
        return any(right.covers(table, event.subject) for table in right.rows)

    def _find(self, event: LogEvent) -> FoundRecord:
        corpus_id = self.corpus_id(event.corpus) if event.corpus else TENANT
        if not event.sha256:
            return FoundRecord("none", name=self.document_name(corpus_id, event.subject))
        if event.corpus and not corpus_id:
            return FoundRecord("gone", note="its corpus is not here any more")
        act = self._store.engine.read(lambda t: act_at(t, self._store.keys, event.sha256))
        if act is not None:
            return FoundRecord("present", act)
        match event.kind:
            case "corpus" | "import":
                return self._corpus(event)
            case "document" | "withdrawal":
                return self._intake(event, corpus_id)
            case "failure":
                return self._failure(event, corpus_id)
            case "generation":
                return self._row(event, "generations", corpus_id, event.generation)
            case "ingested":
                return self._ingest(event, corpus_id)
            case "answer":  # which one is not said: a request may be guessed
                return FoundRecord("none")
        table = _TABLE_OF_KIND.get(event.subject.partition("_")[0])
        if table is None:
            return FoundRecord("gone", note="the record that it tells of is not there any more")
        return self._row(event, table, corpus_id, event.subject)

    def _row(self, event: LogEvent, table: str, *place: str | int) -> FoundRecord:
        """A record that never changes, by its place."""
        keys = self._store.keys
        key = keys.key(table, *place)
        value = self._store.engine.read(lambda transaction: transaction.get(key))
        if value is None:
            return FoundRecord("gone", note="the record that it tells of is not there any more")
        record = open_row(self._store.engine, keys, table, place, key, value, record_tables()[table])
        stored = sha256_hex(payload_of(self._store.engine, keys, place, key, value))
        if stored != event.sha256:
            return FoundRecord("differs", record, "the record is not the one that was logged: it was changed since")
        return FoundRecord("present", record)

    def _ingest(self, event: LogEvent, corpus_id: str) -> FoundRecord:
        """The event in the feed."""
        if event.sha256 in self._feed(corpus_id):
            return FoundRecord("present", self._feed(corpus_id)[event.sha256])
        return FoundRecord("gone", note="the feed's event of it is not there any more, or was changed")

    def _feed_of(self, corpus_id: str) -> dict[str, FeedEvent]:
        events = (each.event for each in entries_after(self._store, corpus_id))
        return {sha256_hex(each.payload()): each for each in events if each.event == "ingested"}

    def _corpus(self, event: LogEvent) -> FoundRecord:
        held = self._corpora.get(event.corpus)
        if held is None:
            return FoundRecord("gone", note="its corpus is not here any more")
        made = Corpus(corpus_id=held.corpus_id, name=held.name, created_at=held.created_at)
        for each in (made, held):
            if sha256_hex(each.payload()) == event.sha256:
                return FoundRecord("present", each)
        if event.kind == "import":  # its pointer was flipped since
            return FoundRecord("replaced", held, "generations were built since")
        return FoundRecord("differs", held, "the corpus has another name or time than was logged")

    def _intake(self, event: LogEvent, corpus_id: str) -> FoundRecord:
        version = self._version(corpus_id, event.subject)
        if version is None:
            return FoundRecord("gone", note="neither the document's version nor what was said of it is there any more")
        held = self._store.get("intake", Intake, corpus_id, version.document_id)
        if held is not None and sha256_hex(held.payload()) == event.sha256:
            return FoundRecord("present", held, name=version.name)
        last = self._last_of(event)
        if held is None:
            return FoundRecord("gone", version, "what was said of the document is not there any more", version.name)
        if sha256_hex(held.payload()) != last.sha256:
            note = "what is said of the document now was never logged"
            return FoundRecord("differs", version, note, version.name)
        return FoundRecord("replaced", version, "a later entry replaced what was said of the document", version.name)

    def _version(self, corpus_id: str, version_id: str) -> DocumentVersion | None:
        document = self._document_id(version_id)
        return None if not document else self._store.get("documents", DocumentVersion, corpus_id, document, version_id)

    def _document_id(self, item_id: str) -> str:
        tag = item_id.partition("_")[2][:TAG_DIGITS]
        for (_, _, document), _ in self._store.scan_index("idx/locator", tag):
            if document:
                return str(document)
        return ""

    def _document_name(self, corpus_id: str, subject: str) -> str:
        """The name of the document whose id or version is a subject; empty where that is not known."""
        if subject.startswith("version_"):
            version = self._version(corpus_id, subject)
            return "" if version is None else version.name
        if subject.startswith("document_"):
            held = self._store.get("intake", Intake, corpus_id, subject)
            return "" if held is None else held.name
        return ""

    def _failures_of(self, corpus_id: str) -> dict[str, Failure]:
        every = (each for _, each in self._store.scan("failures", Failure, corpus_id))
        return {document_id_for(corpus_id, each.name): each for each in every}

    def _failure(self, event: LogEvent, corpus_id: str) -> FoundRecord:
        held = self._failures(corpus_id).get(event.subject)
        name = held.name if held is not None else self.document_name(corpus_id, event.subject)
        if held is not None and sha256_hex(held.payload()) == event.sha256:
            return FoundRecord("present", held, name=name)
        last = self._last_of(event)
        if last.kind == "failure cleared" and held is None:
            return FoundRecord("replaced", note="the failure was cleared since, which removes its record", name=name)
        if held is not None and sha256_hex(held.payload()) == last.sha256:
            return FoundRecord("replaced", note="the file failed again since, otherwise", name=name)
        if held is not None:
            return FoundRecord("differs", held, "the failure that is there was never logged", name)
        return FoundRecord("gone", note="its record is not there any more, and no entry says why", name=name)
