"""How many persons a corpus asks for: what its manifest states becomes a record, and each record counts from its time on."""

from __future__ import annotations

from collections.abc import Sequence

from coditect.schemas import CorpusPolicy, Decision
from coditect.store.items import write_logged
from coditect.store.rows import item_rows
from coditect.store.store import Store
from coditect.transparency.events import event_of

__all__ = ["asked_approvals", "set_policy", "stored_policies"]


def stored_policies(store: Store, corpus_id: str) -> list[CorpusPolicy]:
    """Every policy that a corpus has had, in the order in which they followed each other."""
    left = sorted(
        (each for _, each in store.scan("policies", CorpusPolicy, corpus_id)), key=lambda p: (p.at, p.policy_id)
    )
    ordered: list[CorpusPolicy] = []
    while left:
        waiting = {each.policy_id for each in left}
        ready = [each for each in left if waiting.isdisjoint(each.follows)] or left
        ordered += ready
        left = [each for each in left if each not in ready]
    return ordered


def set_policy(
    store: Store, corpus_id: str, approvals: int, decisions: Sequence[Decision], at: str
) -> CorpusPolicy | None:
    """Store what a corpus asks for from now on, and log it; None where it asks for that already.

    Args:
        store: the tenant's store.
        corpus_id: the corpus.
        approvals: persons who must sign, 0 to 2.
        decisions: of which decisions; empty: of all.
        at: now, RFC 3339, UTC.
    """
    before = stored_policies(store, corpus_id)[-1:]
    wanted = tuple(sorted(set(decisions)))
    if (before[0].approvals, before[0].decisions) == (approvals, wanted) if before else approvals == 0:
        return None
    made = CorpusPolicy.create(
        corpus_id=corpus_id,
        approvals=approvals,
        decisions=wanted,
        at=at,
        follows=tuple(each.policy_id for each in before),
    )
    event = event_of("policy", corpus_id, made, subject=made.policy_id, at=at, by=store.acting.by)
    write_logged(store.engine, store.keys, [(item_rows(store.keys, made), event)])
    return made


def asked_approvals(policies: Sequence[CorpusPolicy], decision: Decision, at: str) -> int:
    """How many persons must have signed a decision that was made at a time, by the policy that counted then.

    Args:
        policies: of the corpus, in order.
        decision: the decision.
        at: when it was made, RFC 3339, UTC.
    """
    counting = [each for each in policies if each.at <= at]
    if not counting or (counting[-1].decisions and decision not in counting[-1].decisions):
        return 0
    return counting[-1].approvals
