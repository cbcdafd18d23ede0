"""Events of the change feed as values: the engine gives their keys, so they are sealed over what a corpus' keys begin with."""

from __future__ import annotations

from coditect.keyspace import Keyspace, seal, unseal
from coditect.schemas import FeedEvent

__all__ = ["event_payload", "open_event", "seal_event", "seal_event_payload"]


def seal_event(keys: Keyspace, event: FeedEvent) -> bytes:
    """The value of an event."""
    return seal_event_payload(keys, event.corpus_id, event.payload())


def seal_event_payload(keys: Keyspace, corpus_id: str | bytes, payload: bytes) -> bytes:
    """The value of an event of these bytes."""
    return seal(keys.relative(keys.key("feed", corpus_id)), payload)


def event_payload(keys: Keyspace, corpus_id: str | bytes, value: bytes) -> bytes:
    """The bytes of an event.

    Raises:
        Corrupt: changed bytes.
    """
    return unseal(keys.relative(keys.key("feed", corpus_id)), value)[1]


def open_event(keys: Keyspace, corpus_id: str, value: bytes) -> FeedEvent:
    """The event in a stored value.

    Raises:
        Corrupt: changed bytes, or not an event.
        NewerRecord: a later release wrote it.
    """
    return FeedEvent.parse(event_payload(keys, corpus_id, value))
