"""Events on their way into the transparency log: appended in the transaction of what they tell of, and waiting for an index.

The engine gives their keys in commit order, so writers have no key in common. The sequencer moves them behind the log's end
(:mod:`coditect.transparency.sequencer`).
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

import coditect
from coditect.engine.port import Transaction
from coditect.errors import Corrupt
from coditect.keyspace import Keyspace, seal, seal_compressed, unseal
from coditect.schemas import Corpus, Generation, LogAct, LogEvent, LogEventKind, LogPrincipal, Record, tag_of
from coditect.transparency.salts import Salts, random_salt

__all__ = [
    "NOBODY",
    "Acting",
    "act_at",
    "acts_at",
    "append_act",
    "append_event",
    "append_event_once",
    "entry_of",
    "event_of",
    "open_pending",
    "principal_named",
    "principal_of",
]


@dataclass(frozen=True, slots=True)
class Acting:
    """On whose behalf a process writes.

    Attributes:
        by: the pseudonym of who runs it; empty where nobody is configured.
        salts: gives the salts of records that need one.
    """

    by: str = ""
    salts: Salts = random_salt


NOBODY = Acting()
"""Nobody is configured."""


def event_of(
    kind: LogEventKind,
    corpus_id: str,
    record: Record | None = None,
    *,
    subject: str = "",
    at: str = "",
    by: str = "",
    key: str = "",
    digest: str = "",
) -> LogEvent:
    """An event.

    Args:
        kind: what happened.
        corpus_id: to which corpus; its tag is what is logged.
        record: that it tells of; its bytes are committed to.
        subject: id of what it is about.
        at: the time, where who wrote it looked at a clock.
        by: pseudonym of who does it.
        key: of a key, its public part.
        digest: of an import, the archive's corpus digest.
    """
    return LogEvent(
        kind=kind,
        corpus=tag_of(corpus_id) if corpus_id else "",
        at=at,
        subject=subject,
        sha256="" if record is None else hashlib.sha256(record.payload()).hexdigest(),
        generation=record.generation if isinstance(record, Corpus | Generation) else 0,
        by=by,
        key=key,
        digest=digest,
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


def append_event_once(transaction: Transaction, keys: Keyspace, event: LogEvent) -> None:
    """Add an event that no other row tells of; nothing where it is the last one that waits, as when the body runs again.

    Args:
        transaction: the caller's; it conflicts with whoever adds an event meanwhile.
        keys: of the tenant.
        event: what happens, with the time at which it does.
    """
    last = transaction.range(*keys.bounds("log/pending"), limit=1, reverse=True).rows
    if not last or open_pending(keys, last[0][1]) != entry_of(event):
        append_event(transaction, keys, event)


def open_pending(keys: Keyspace, value: bytes) -> bytes:
    """The entry in a stored value.

    Raises:
        Corrupt: changed bytes.
    """
    return unseal(keys.relative(keys.key("log/pending")), value)[1]


def append_act(transaction: Transaction, keys: Keyspace, act: LogAct, by: str = "") -> None:
    """Store what only the log tells of, under its hash, with its event; nothing where it is there already.

    Args:
        transaction: the caller's.
        keys: of the tenant.
        act: salted, so that no other is equal to it.
        by: pseudonym of who does it.
    """
    payload = act.payload()
    key = keys.key("log/acts", hashlib.sha256(payload).hexdigest())
    if transaction.get(key) is None:
        transaction.set(key, seal_compressed(keys.relative(key), payload))
        append_event(transaction, keys, event_of(act.kind, act.corpus_id, act, at=act.at, by=by))


def act_at(transaction: Transaction, keys: Keyspace, sha256: str) -> LogAct | None:
    """What only the log tells of, by the hash that its entry names; None where it is not there any more.

    Raises:
        Corrupt: changed bytes.
    """
    return acts_at(transaction, keys, [sha256])[0]


def acts_at(transaction: Transaction, keys: Keyspace, hashes: Sequence[str]) -> list[LogAct | None]:
    """Some of these in their order, asked for together. See :func:`act_at`."""
    wanted = [keys.key("log/acts", sha256) for sha256 in hashes]
    return [
        None if value is None else _opened_act(keys, key, sha256, value)
        for sha256, key, value in zip(hashes, wanted, transaction.get_many(wanted), strict=True)
    ]


def _opened_act(keys: Keyspace, key: bytes, sha256: str, value: bytes) -> LogAct:
    payload = unseal(keys.relative(key), value)[1]
    if hashlib.sha256(payload).hexdigest() != sha256:
        raise Corrupt("a record of the log does not have the hash that it stands under", sha256=sha256)
    return LogAct.parse(payload)


def principal_named(transaction: Transaction, keys: Keyspace, name: str, fresh: str) -> str:
    """The pseudonym of a principal, which is given one where it has none.

    Args:
        transaction: the caller's.
        keys: of the tenant.
        name: who.
        fresh: a salt, under which the name is hashed to the pseudonym.
    """
    continuation: bytes | None = None
    while True:  # all of them: a page is no more than the first
        page = transaction.range(*keys.bounds("log/principals"), continuation=continuation)
        for key, value in page.rows:
            known = LogPrincipal.parse(unseal(keys.relative(key), value)[1])
            if known.name == name:
                return known.pseudonym
        continuation = page.continuation
        if continuation is None:
            break
    pseudonym = LogPrincipal.pseudonym_for(name, fresh)
    key = keys.key("log/principals", pseudonym)
    record = LogPrincipal(pseudonym=pseudonym, name=name, salt=fresh)
    transaction.set(key, seal(keys.relative(key), record.payload()))
    return pseudonym


def principal_of(transaction: Transaction, keys: Keyspace, pseudonym: str) -> str:
    """Who stands behind a pseudonym; empty where that is not known any more."""
    key = keys.key("log/principals", pseudonym)
    value = transaction.get(key)
    return "" if value is None else LogPrincipal.parse(unseal(keys.relative(key), value)[1]).name
