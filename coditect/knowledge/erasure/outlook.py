"""What goes next and what must stay: erasures that are not done, the retention policy that was applied last, and legal holds."""

from __future__ import annotations

import re
from dataclasses import dataclass

from coditect.knowledge.erasure.retention import RetentionForecast, forecast_retention
from coditect.schemas import Erasure, LegalHold, Retention, Tombstone
from coditect.store.intake.erasures import holds_in, pending_erasures
from coditect.store.store import Store

__all__ = ["RemovalOutlook", "removal_outlook"]

_POLICY = re.compile(r"(?:keep (?P<age>\w+))?\s?(?:keep-generations (?P<count>\d+))?")


@dataclass(frozen=True, slots=True)
class RemovalOutlook:
    """What goes next from a corpus, and what must stay.

    Attributes:
        erasures: asked for and not done, oldest first: the next command that writes carries them out, but for those that are held.
        begun: ids of those of which something is gone already.
        holds: in force, oldest first.
        policy: of retention, as it was applied last; empty: none ever was.
        retention: what the same policy would let go now; None where there is none.
    """

    erasures: tuple[Erasure, ...] = ()
    begun: frozenset[str] = frozenset()
    holds: tuple[LegalHold, ...] = ()
    policy: str = ""
    retention: RetentionForecast | None = None


def removal_outlook(store: Store, corpus_id: str, *, now: str) -> RemovalOutlook:
    """What goes next from a corpus, and what must stay; nothing is written.

    Args:
        store: the tenant's store.
        corpus_id: the corpus.
        now: the time now, RFC 3339.

    Raises:
        NotFound: no such corpus.
    """
    store.corpus(corpus_id)
    applied = [each for _, each in store.scan("retentions", Retention, corpus_id)]
    policy = max(applied, key=lambda each: (each.at, each.retention_id)).policy if applied else ""
    given = _POLICY.fullmatch(policy) if policy else None
    retention = None
    if given is not None:
        age, count = given["age"], given["count"]
        retention = forecast_retention(store, corpus_id, now=now, age=age, count=int(count) if count else None)
    return RemovalOutlook(
        erasures=tuple(pending_erasures(store, corpus_id)),
        begun=frozenset(each.erasure_id for _, each in store.scan("tombstones", Tombstone, corpus_id)),
        holds=tuple(holds_in(store, corpus_id)),
        policy=policy,
        retention=retention,
    )
