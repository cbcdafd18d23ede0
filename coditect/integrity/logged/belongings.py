"""What belongs to the log and to no corpus, against what its entries tell: acts, tokens, and the names behind pseudonyms."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Set

from coditect.errors import Corrupt
from coditect.keyspace import unseal
from coditect.schemas import LogAct, LogPrincipal, tag_of
from coditect.store.rows import row_name
from coditect.store.store import Store

__all__ = ["CHANGED", "GONE", "PLANTED", "act_rows", "check_acts", "check_principals", "check_tokens"]

CHANGED = "it is not what the log tells of: it was changed"
GONE = "the log tells of it, and it is gone"
PLANTED = "the log does not tell of it: it was put there"

Say = Callable[[str, str], None]
"""Told (name of a row, what is wrong with it)."""


def check_acts(store: Store, corpus_id: str, told: Set[str], say: Say) -> bool:
    """Check what only the log tells of, of all corpora of the tenant: each stands under its hash, and in an entry.

    Args:
        store: the tenant's store.
        corpus_id: the corpus that is asked about.
        told: SHA-256 of each act of which an entry tells.
        say: told of each thing that is wrong.

    Returns:
        Whether the corpus was there before the log: an upgrade from a release without a log says so.
    """
    left, older = set(told), False
    for name, place, payload in _rows(store, "log/acts", say):
        if hashlib.sha256(payload).hexdigest() != place:
            say(name, "it does not have the hash that it stands under: it was changed")
        elif place not in told:
            say(name, PLANTED)
        else:
            left.discard(place)
            act = LogAct.parse(payload)
            if act.kind == "upgrade":
                corpora = act.details.get("corpora")
                older = older or (isinstance(corpora, list) and tag_of(corpus_id) in corpora)
    for each in sorted(left):
        say(f"log/acts/{each}", GONE)
    return older


def act_rows(store: Store) -> Iterator[tuple[str, LogAct]]:
    """(name of the row, act) of what only the log tells of; :func:`check_acts` says which of them do not have their hash."""
    for digest, act in _acts(store):
        yield f"log/acts/{digest}", act


def check_principals(store: Store, say: Say) -> None:
    """Check that the names behind pseudonyms are those that these commit to; names may be gone.

    Args:
        store: the tenant's store.
        say: told of each thing that is wrong.
    """
    for name, place, payload in _rows(store, "log/principals", say):
        record = LogPrincipal.parse(payload)
        if record.pseudonym != place or not record.holds:
            say(name, "the pseudonym is not that of this name: it was changed")


def check_tokens(store: Store, say: Say) -> None:
    """Check that tokens of the HTTP API are those of which acts tell; without its row, a token that was revoked holds again.

    Args:
        store: the tenant's store.
        say: told of each thing that is wrong.
    """
    told = {digest: act for digest, act in _acts(store) if act.kind == "token"}
    left = set(told)
    for name, _, payload in _rows(store, "tokens", say):
        digest = payload.decode("ascii", "replace")
        if digest not in told:
            say(name, PLANTED)
            continue
        left.discard(digest)
        if not name.endswith("/{public_id}/{change}".format_map(told[digest].details)):
            say(name, "it is not that of the token of which its act tells: it was changed")
    for digest in sorted(left):
        say("tokens/{public_id}/{change}".format_map(told[digest].details), GONE)


def _acts(store: Store) -> Iterator[tuple[str, LogAct]]:
    """(SHA-256, act) of what only the log tells of and has its hash."""
    for _, place, payload in _rows(store, "log/acts", lambda name, message: None):
        if hashlib.sha256(payload).hexdigest() == place:
            yield place, LogAct.parse(payload)


def _rows(store: Store, table: str, say: Say) -> Iterator[tuple[str, str, bytes]]:
    """(name, last element of the key, payload) of the rows of a table of the log that can be read."""
    for page in store.pages(*store.keys.bounds(table)):
        for key, value in page:
            name = row_name(store.keys, key)
            try:
                yield name, str(store.keys.parts(table, key)[-1]), unseal(store.keys.relative(key), value)[1]
            except Corrupt as error:
                say(name, error.message)
