"""The audit trail (21 CFR 11.10(e)): the log, entry by entry, with what is there of what it tells of.

Nothing is left out because its record is: an entry whose record is gone, or is not the one that was logged, says so.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass

from coditect.errors import Corrupt, NewerRecord
from coditect.knowledge.report.audit.records import LoggedRecords
from coditect.knowledge.report.audit.values import told_of
from coditect.schemas import AuditEntry, LogEvent, tag_of
from coditect.schemas.day import require_day_or_time
from coditect.schemas.record import TAG_DIGITS
from coditect.store.store import Store
from coditect.transparency.sequencer import TransparencyLog

__all__ = ["AuditFilters", "audit_trail"]


@dataclass(frozen=True, slots=True)
class AuditFilters:
    """Which entries are wanted; what is left empty does not restrict.

    Attributes:
        kinds: of events.
        corpora: ids of corpora; those that are not here any more, too.
        since: at this time or later, as 2026-09-30T08:00:00Z, or a day; entries whose time is not known are kept.
        until: before this time; a day counts whole.
        subject: an id, or its beginning.
        document: the name of a document.
        person: who did it, or whose key it is; the whole name.
    """

    kinds: Collection[str] = ()
    corpora: Collection[str] = ()
    since: str = ""
    until: str = ""
    subject: str = ""
    document: str = ""
    person: str = ""

    def __post_init__(self) -> None:
        """See to it that times can be compared.

        Raises:
            UsageError: neither a day nor a time in UTC.
        """
        require_day_or_time("since", self.since)
        require_day_or_time("until", self.until)


def audit_trail(
    store: Store, filters: AuditFilters | None = None, first: int = 0, last: int | None = None
) -> Iterator[AuditEntry]:
    """The entries of a tenant's log in its order, each joined with its record. Holds a page of entries in memory.

    Args:
        store: the tenant's store.
        filters: which of them; None: all.
        first: index of the first.
        last: index behind the last; None: to the end.

    Raises:
        Corrupt: an entry of the log itself was changed.
    """
    wanted = filters or AuditFilters()
    log = TransparencyLog(store.engine, store.keys)
    trail = _Trail(store, wanted)
    for index, entry in log.entries(first, last):
        try:
            event = LogEvent.parse(entry)
        except NewerRecord as error:  # of a kind that a later release logs
            yield trail.unread(index, str(error))
            continue
        if trail.may_be(event):
            found = trail.joined(index, event)
            if trail.is_wanted(found, event):
                yield found


class _Trail:
    def __init__(self, store: Store, wanted: AuditFilters) -> None:
        self._store = store
        self._wanted = wanted
        self._records = LoggedRecords(store)
        self._tags = {tag_of(each) for each in wanted.corpora}
        self._documents = {tag_of(corpus.corpus_id, wanted.document) for corpus in store.corpora() if wanted.document}
        self._until = f"{wanted.until}T24" if len(wanted.until) == len("2026-12-31") else wanted.until

    def may_be(self, event: LogEvent) -> bool:
        """Whether an entry can be wanted, by what itself says; so that no record is read in vain."""
        wanted = self._wanted
        return (
            (not wanted.kinds or event.kind in wanted.kinds)
            and (not self._tags or event.corpus in self._tags)
            and (not wanted.subject or event.subject.startswith(wanted.subject))
            and self._in_time(event.at)
        )

    def _in_time(self, at: str) -> bool:
        return not at or (self._wanted.since <= at and (not self._until or at < self._until))

    def is_wanted(self, found: AuditEntry, event: LogEvent) -> bool:
        """Whether an entry is wanted, by all that is known of it."""
        if not self._in_time(found.at):
            return False
        if self._wanted.person and self._wanted.person not in (found.who, str((found.after or {}).get("person", ""))):
            return False
        if not self._wanted.document or found.document == self._wanted.document:
            return True
        return event.subject.partition("_")[2][:TAG_DIGITS] in self._documents

    def unread(self, index: int, note: str) -> AuditEntry:
        """An entry that this release cannot read."""
        return AuditEntry(
            index=index,
            at="",
            who="",
            kind="unknown",
            what="an entry of a later release",
            corpus_id="",
            subject="",
            state="none",
            note=note,
            sha256="",
            release="",
        )

    def joined(self, index: int, event: LogEvent) -> AuditEntry:
        """An entry with its record."""
        found = self._records.find(event)
        state, note = found.state, found.note
        try:
            told = told_of(self._store, event, found.record)
        except Corrupt as error:  # of what was before
            told, note = told_of(self._store, event, None), "; ".join(each for each in (note, str(error)) if each)
        if event.key:
            told.after = {**(told.after or {}), "key": event.key}
        if event.digest:
            told.after = {**(told.after or {}), "corpus_digest": event.digest}
        if event.by and not self._records.principal(event.by):
            note = "; ".join(each for each in (note, "who it was is not known any more") if each)
        extraction = getattr(found.record, "extraction", None)
        corpus_id = self._records.corpus_id(event.corpus)
        return AuditEntry(
            index=index,
            at=event.at or told.at,
            who=told.who or self._records.principal(event.by),
            role=told.role,
            kind=event.kind,
            what=told.what,
            corpus_id=corpus_id,
            subject=event.subject,
            document=found.name or ("" if extraction is None else extraction.document),
            before=told.before,
            after=told.after,
            reason=told.reason,
            state=state,
            note=note,
            sha256=event.sha256,
            release=event.release,
        )
