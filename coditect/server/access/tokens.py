"""Tokens of the API: shown once, kept as hashes; what is made and revoked stands in the store and in its log."""

from __future__ import annotations

import hashlib
import hmac
import secrets
import time
from collections.abc import Callable, Iterable, Sequence
from datetime import datetime, timedelta
from functools import partial
from threading import Lock

from coditect.engine.port import Transaction
from coditect.errors import NotFound, UsageError
from coditect.keyspace import Keyspace, seal, unseal
from coditect.knowledge.progress import Clock
from coditect.schemas import AccessToken, LogAct, sha256_hex
from coditect.server.access.callers import ROLES, Caller, Role
from coditect.store.blobs import Row
from coditect.store.store import Store
from coditect.transparency.events import acts_at, append_act

__all__ = ["FRESH_S", "LONGEST_DAYS", "PREFIX", "TokenRegister", "made_tokens", "new_token", "revoke_token"]

PREFIX = "coditect"
"""How a token begins, so that scanners of source code find one that was left in it."""

FRESH_S = 5.0
"""How old what a server knows of tokens gets, in seconds: what another one revokes holds here after that."""

LONGEST_DAYS = 366
"""Days for which a token may hold, at most."""

_AT_ONCE = 500
"""Rows of tokens that are read in one snapshot, with the acts that they lead to."""


def made_tokens(store: Store) -> list[AccessToken]:
    """What became of a tenant's tokens, by time: each was made, and some were revoked.

    Read in pages: what is revoked while they are read may be missing yet, and is there the next time.
    """
    found: list[AccessToken] = []
    for page in store.pages(*store.keys.bounds("tokens"), limit=_AT_ONCE):
        found += store.engine.read(partial(_acts_of, store.keys, page))
    return sorted(found, key=lambda each: (each.at, each.public_id, each.change))


def _acts_of(keys: Keyspace, rows: Sequence[Row], transaction: Transaction) -> list[AccessToken]:
    """What some rows lead to: an act stands under its hash, and validation holds it against the log."""
    hashes = [unseal(keys.relative(key), value)[1].decode() for key, value in rows]
    return [AccessToken.model_validate(act.details) for act in acts_at(transaction, keys, hashes) if act is not None]


def new_token(
    store: Store,
    *,
    name: str,
    role: Role,
    corpora: Iterable[str] = (),
    days: int = 90,
    clock: Clock,
    entropy: Callable[[int], bytes] = secrets.token_bytes,
) -> tuple[AccessToken, str]:
    """(the record, the token, which is kept nowhere).

    Args:
        store: the tenant's store.
        name: of the person or service that will show it.
        role: as what.
        corpora: ids of the corpora that it opens; none: all.
        days: for how many days it holds.
        clock: tells the time.
        entropy: gives random bytes.

    Raises:
        UsageError: no name, no such role, or too long a time.
    """
    name = " ".join(name.split())
    if not name or role not in ROLES:
        raise UsageError("a token is somebody's, in a role", name=name, role=role, hint=f"Roles: {', '.join(ROLES)}.")
    if not 1 <= days <= LONGEST_DAYS:
        raise UsageError("a token holds for some days", days=days, hint=f"From 1 to {LONGEST_DAYS}.")
    at = clock()
    public_id, secret = entropy(8).hex(), entropy(32).hex()
    record = AccessToken(
        public_id=public_id,
        change="made",
        name=name,
        role=role,
        corpora=tuple(sorted(set(corpora))),
        secret_sha256=_hashed(secret),
        at=at,
        until=(datetime.fromisoformat(at) + timedelta(days=days)).isoformat().replace("+00:00", "Z"),
    )
    _write(store, record)
    return record, f"{PREFIX}_{public_id}_{secret}"


def revoke_token(store: Store, public_id: str, *, reason: str, clock: Clock) -> AccessToken:
    """Say that a token does not hold any more; a second time changes nothing.

    Raises:
        NotFound: no such token.
        UsageError: no reason.
    """
    every = [each for each in made_tokens(store) if each.public_id == public_id]
    made = next((each for each in every if each.change == "made"), None)
    if made is None:
        raise NotFound("no such token", token=public_id, hint="'coditect tokens list' shows them.")
    if not reason.strip():
        raise UsageError("a revocation has a reason", token=public_id)
    revoked = next((each for each in every if each.change == "revoked"), None)
    if revoked is None:
        revoked = AccessToken(
            public_id=public_id,
            change="revoked",
            name=made.name,
            role=made.role,
            corpora=made.corpora,
            at=clock(),
            reason=reason.strip(),
        )
        _write(store, revoked)
    return revoked


class TokenRegister:
    """The tokens of a tenant as a server knows them. Safe for threads.

    Args:
        store: the tenant's store.
        clock: tells the time.
        now_s: seconds that only grow.
    """

    def __init__(self, store: Store, clock: Clock, now_s: Callable[[], float] = time.monotonic) -> None:
        self._store = store
        self._clock = clock
        self._now_s = now_s
        self._lock = Lock()
        self._read_s = -FRESH_S
        self._holding: dict[str, AccessToken] = {}

    def caller(self, token: str) -> Caller | None:
        """The caller that a token is of; None where it is none, has expired or was revoked."""
        prefix, _, rest = token.partition("_")
        public_id, _, secret = rest.partition("_")
        if prefix != PREFIX or not secret:
            return None
        record = self._tokens().get(public_id)
        given = _hashed(secret)
        # Compared with something in any case, so that how long it takes does not tell which ids there are.
        same = hmac.compare_digest(given, record.secret_sha256 if record is not None else "0" * 64)
        if record is None or not same or record.until <= self._clock():
            return None
        return caller_of(record, self._store.keys.tenant)

    def holds(self, public_id: str) -> bool:
        """Whether a token still holds."""
        record = self._tokens().get(public_id)
        return record is not None and record.until > self._clock()

    def any(self) -> bool:
        """Whether somebody could sign in."""
        return any(each.until > self._clock() for each in self._tokens().values())

    def _tokens(self) -> dict[str, AccessToken]:
        with self._lock:
            if self._now_s() - self._read_s >= FRESH_S:
                every = made_tokens(self._store)
                revoked = {each.public_id for each in every if each.change == "revoked"}
                self._holding = {
                    each.public_id: each for each in every if each.change == "made" and each.public_id not in revoked
                }
                self._read_s = self._now_s()
            return self._holding


def caller_of(record: AccessToken, tenant: str) -> Caller:
    """Whoever shows a token."""
    return Caller(
        name=record.name,
        tenant=tenant,
        role=record.role,
        corpora=frozenset(record.corpora) or None,
        public_id=record.public_id,
    )


def _hashed(secret: str) -> str:
    # 256 random bits need no slow hash: there is no dictionary of them.
    return hashlib.sha256(secret.encode("utf-8", "replace")).hexdigest()


def _write(store: Store, record: AccessToken) -> None:
    act = LogAct(
        kind="token", corpus_id="", at=record.at, details=record.model_dump(mode="json"), salt=store.acting.salts()
    )
    key = store.keys.key("tokens", record.public_id, record.change)

    def write(transaction: Transaction) -> None:
        if transaction.get(key) is None:
            append_act(transaction, store.keys, act, store.acting.by)
            transaction.set(key, seal(store.keys.relative(key), sha256_hex(act.payload()).encode()))

    store.update(write)
