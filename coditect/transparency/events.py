"""Events on their way into the transparency log: appended in the transaction of what they tell of, and waiting for an index.

The engine gives their keys in commit order, so writers have no key in common. The sequencer moves them behind the log's end
(:mod:`coditect.transparency.sequencer`).
"""

from __future__ import annotations

import hashlib

import coditect
from coditect.engine.port import Transaction
from coditect.keyspace import Keyspace, seal, unseal
from coditect.schemas import Corpus, Generation, LogEvent, LogEventKind, Record, tag_of

__all__ = ["append_event", "entry_of", "event_of", "open_pending"]


def event_of(
    kind: LogEventKind, corpus_id: str, record: Record | None = None, *, subject: str = "", at: str = ""
) -> LogEvent:
    """An event.

    Args:
        kind: what happened.
        corpus_id: to which corpus; its tag is what is logged.
        record: that it tells of; its bytes are committed to.
        subject: id of what it is about.
        at: the time, where who wrote it looked at a clock.
    """
    return LogEvent(
        kind=kind,
        corpus=tag_of(corpus_id),
        at=at,
        subject=subject,
        sha256="" if record is None else hashlib.sha256(record.payload()).hexdigest(),
        generation=record.generation if isinstance(record, Corpus | Generation) else 0,
        release=coditect.__version__,
    )


def entry_of(event: LogEvent) -> bytes:
    """An event as an entry of the log: canonical JSON by RFC 8785, with its record's kind and version."""
    import rfc8785

    body = event.model_dump(mode="json", exclude_defaults=True)
    return rfc8785.dumps({"$record": f"{event.record_kind}/{event.schema_version}", **body})


def append_event(transaction: Transaction, keys: Keyspace, event: LogEvent) -> None:
    """Add an event in the caller's transaction.

    A body may run again after it has committed, and would add it twice: append only where the body, run again, would see that
    there is nothing to write.

    Args:
        transaction: the caller's.
        keys: of the tenant.
        event: what happens in it.
    """
    transaction.append(keys.pending, seal(keys.relative(keys.key("log/pending")), entry_of(event)))


def open_pending(keys: Keyspace, value: bytes) -> bytes:
    """The entry in a stored value.

    Raises:
        Corrupt: changed bytes.
    """
    return unseal(keys.relative(keys.key("log/pending")), value)[1]
