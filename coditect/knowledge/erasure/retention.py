"""Retention: old generations go by policy, never the current one, nor one that a hold, a signature or a report refers to.

A generation goes with the record that names it; what only it reached is dead then, and the sweep that follows removes it. That a
report or an evidence bundle was made of a generation stands in the log.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from itertools import chain

from coditect.engine.port import Transaction
from coditect.errors import UsageError
from coditect.keyspace import unseal
from coditect.schemas import Generation, LegalHold, LogAct, PersonSignature, Retention, Review
from coditect.store.generations import generations
from coditect.store.intake.erasures import holds_in
from coditect.store.rows import item_rows
from coditect.store.store import Store
from coditect.store.view import View, open_view
from coditect.transparency.events import append_event, event_of

__all__ = ["RetentionForecast", "forecast_retention", "parse_age", "reported_builds", "retain"]

_AGE = re.compile(r"([1-9][0-9]{0,4})([dmy])")
_AT_ONCE = 100
"""Generations that go in one transaction."""


@dataclass(frozen=True, slots=True)
class RetentionForecast:
    """What a policy lets go.

    Attributes:
        goes: generations, oldest first.
        kept: why one stays that the policy alone would let go, by its number.
        holds: in force: then nothing goes.
    """

    goes: tuple[Generation, ...]
    kept: Mapping[int, str]
    holds: tuple[LegalHold, ...] = ()


def parse_age(text: str) -> str:
    """An age as it was given, '90d', '12m' or '7y', if it is one.

    Raises:
        UsageError: it is not.
    """
    if not _AGE.fullmatch(text):
        raise UsageError("not an age", age=text, hint="Give days, months or years: 90d, 12m, 7y.")
    return text


def _before(age: str, now: str) -> str:
    """The time that is so long before another, RFC 3339."""
    number, unit = int(age[:-1]), age[-1]
    at = datetime.fromisoformat(now.replace("Z", "+00:00")).astimezone(UTC)
    if unit == "d":
        return datetime.fromtimestamp(at.timestamp() - number * 86_400, UTC).isoformat()
    months = at.year * 12 + at.month - 1 - number * (12 if unit == "y" else 1)
    year, month = divmod(max(months, 12), 12)
    return at.replace(year=year, month=month + 1, day=min(at.day, 28)).isoformat()


def forecast_retention(
    store: Store,
    corpus_id: str,
    *,
    now: str,
    age: str | None = None,
    count: int | None = None,
    reported: Sequence[str] = (),
) -> RetentionForecast:
    """What a policy would let go; nothing is written.

    Args:
        store: the tenant's store.
        corpus_id: the corpus.
        now: the time now, RFC 3339.
        age: generations stay that are not older, e.g. '12m'; None: age is no reason to stay.
        count: the newest so many stay; None: number is no reason to stay.
        reported: build ids that something outside of the store names, beside those of which the log tells a report.

    Raises:
        NotFound: no such corpus.
        UsageError: no policy.
    """
    if age is None and count is None:
        raise UsageError("no policy", hint="Say --keep 12m, or --keep-generations 10.")
    corpus = store.corpus(corpus_id)
    history = generations(store, corpus_id)
    newest = {each.generation for each in history[-count:]} if count else set()
    limit = None if age is None else _before(parse_age(age), now)
    old = [
        each
        for each in history
        if each.generation != corpus.generation
        and each.generation not in newest
        and (limit is None or _iso(each.created_at) < limit)
    ]
    holds = tuple(holds_in(store, corpus_id))
    if holds:
        return RetentionForecast((), {each.generation: "a legal hold" for each in old}, holds)
    named = reported_builds(store, corpus_id) if old else {}
    signed = _signed(store, corpus_id) if old else frozenset()
    kept: dict[int, str] = {}
    goes: list[Generation] = []
    for each in old:
        if each.build_id in signed:
            kept[each.generation] = "a person signed it"
        elif each.build_id in named or each.build_id in reported:
            kept[each.generation] = f"a {named.get(each.build_id, 'report')} names it"
        elif signed and signed & _items_of(open_view(store, corpus_id, each.generation)):
            kept[each.generation] = "a person signed what stands in it"
        else:
            goes.append(each)
    return RetentionForecast(tuple(goes), kept)


def reported_builds(store: Store, corpus_id: str) -> dict[str, str]:
    """What was made of each build of a corpus that leaves the store and names it, by build id: a report, an evidence bundle."""
    found: dict[str, str] = {}
    keys = store.keys
    for page in store.pages(*keys.bounds("log/acts")):
        for key, value in page:
            act = LogAct.parse(unseal(keys.relative(key), value)[1])
            build_id, what = act.details.get("build_id"), act.details.get("what")
            if (act.kind, act.corpus_id) == ("report", corpus_id) and isinstance(build_id, str):
                found.setdefault(build_id, str(what))
    return found


def _iso(at: str) -> str:
    return datetime.fromisoformat(at.replace("Z", "+00:00")).astimezone(UTC).isoformat()


def _signed(store: Store, corpus_id: str) -> frozenset[str]:
    """Ids of the items and builds that persons decided on or signed."""
    reviewed = (review.signed_item for _, review in store.scan("reviews", Review, corpus_id))
    signed = (signature.subject for _, signature in store.scan("signatures", PersonSignature, corpus_id))
    return frozenset(each for each in chain(reviewed, signed) if each)


def _items_of(view: View) -> set[str]:
    """Ids of everything of a generation that a person can sign."""
    steps = [step for entry in view.entries.values() for step in entry.steps]
    found = {*view.summary.claims, *view.summary.filtered, *view.section_by_id}
    for derivation in view.store.derivations(view.corpus_id, steps).values():
        found.update(derivation.outputs)
    return found


def retain(store: Store, corpus_id: str, forecast: RetentionForecast, *, policy: str, at: str) -> int:
    """Let generations go; what only they reached is dead then, for the next sweep.

    Args:
        store: the tenant's store.
        corpus_id: the corpus.
        forecast: what goes.
        policy: as it was asked for.
        at: when, RFC 3339.

    Returns:
        How many generations went; 0 where a hold was ordered meanwhile.
    """
    gone = 0
    for begin in range(0, len(forecast.goes), _AT_ONCE):
        some = forecast.goes[begin : begin + _AT_ONCE]
        record = Retention.create(
            corpus_id=corpus_id,
            generations=tuple(each.generation for each in some),
            build_ids=tuple(each.build_id for each in some),
            policy=policy,
            at=at,
        )
        gone += len(some) if store.update(partial(_let_go, store, record, at)) else 0
    return gone


def _let_go(store: Store, record: Retention, at: str, transaction: Transaction) -> bool:
    """Let the generations of a record go, unless there is a hold."""
    corpus_id = record.corpus_id
    row = item_rows(store.keys, record).record
    if holds_in(store, corpus_id, transaction):
        return False
    if transaction.get(row[0]) is None:
        transaction.set(*row)
        for number in record.generations:
            transaction.clear(store.keys.key("generations", corpus_id, number))
        subject, by = record.retention_id, store.acting.by
        append_event(transaction, store.keys, event_of("retention", corpus_id, record, subject=subject, at=at, by=by))
    return True
