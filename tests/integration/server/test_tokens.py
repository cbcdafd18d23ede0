"""Tokens: shown once, held for a time, revoked at once, and entries of the log."""

from __future__ import annotations

import json
from collections import Counter
from functools import partial
from pathlib import Path

import click.testing
import pytest

from coditect.cli import coditect
from coditect.compose import open_knowledge
from coditect.errors import NotFound, UsageError
from coditect.integrity.logged.check import check_logged
from coditect.knowledge.service import Knowledge
from coditect.schemas import AuditEntry
from coditect.server.access.callers import Caller
from coditect.server.access.sessions import IDLE_S, LONGEST_S, MOST_SESSIONS, Sessions
from coditect.server.access.tokens import FRESH_S, TokenRegister, _write, made_tokens, new_token, revoke_token
from coditect.store.store import Store
from tests.corpora import clock
from tests.integration.server.served import settings_at
from tests.places import options_at


def entropy(number: int) -> bytes:
    """Not random at all."""
    return bytes(range(number))


def run(place: Path, *words: str) -> click.testing.Result:
    """Run the program on the store of a place."""
    return click.testing.CliRunner().invoke(coditect, [*options_at(place), *words])


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """A store with a corpus without documents."""
    with open_knowledge(settings_at(tmp_path / "store")) as knowledge:
        knowledge.ingest("c", [])
    return tmp_path / "store"


def test_a_token_opens_what_it_says_until_it_ends(place: Path) -> None:
    """Name, role and corpora are those that were given; a second before its end it holds, then it does not."""
    times = {"now": "2026-01-01T00:00:00Z"}
    with open_knowledge(settings_at(place)) as knowledge:
        store = knowledge.store
        given = {"name": " Ada  Analyst ", "corpora": ("b", "a", "a"), "days": 10}
        record, token = new_token(store, role="analyst", clock=lambda: times["now"], entropy=entropy, **given)  # type: ignore[arg-type]
        assert token == f"coditect_{bytes(range(8)).hex()}_{bytes(range(32)).hex()}"
        assert token.rpartition("_")[2] not in record.model_dump_json()
        register = TokenRegister(store, lambda: times["now"])
        wanted = Caller("Ada Analyst", store.keys.tenant, "analyst", frozenset(("a", "b")), record.public_id)
        assert register.caller(token) == wanted
        times["now"] = "2026-01-10T23:59:59Z"
        assert register.caller(token) == wanted
        times["now"] = "2026-01-11T00:00:00Z"
        assert register.caller(token) is None
        assert not register.any()


def test_a_revocation_holds_within_seconds_everywhere(place: Path) -> None:
    """What another server revokes is read again after a while; who revokes twice changes nothing."""
    seconds = {"now": 0.0}
    with open_knowledge(settings_at(place)) as knowledge:
        record, token = new_token(knowledge.store, name="a", role="reader", clock=knowledge.clock)
        register = TokenRegister(knowledge.store, knowledge.clock, lambda: seconds["now"])
        assert register.caller(token) is not None
        revoked = revoke_token(knowledge.store, record.public_id, reason="lost", clock=knowledge.clock)
        assert register.caller(token) is not None
        seconds["now"] = FRESH_S
        assert register.caller(token) is None
        assert not register.holds(record.public_id)
        assert revoke_token(knowledge.store, record.public_id, reason="again", clock=knowledge.clock) == revoked
        assert [each.change for each in made_tokens(knowledge.store)] == ["made", "revoked"]


def test_every_token_is_known_however_many_there_are(memory: Store) -> None:
    """More rows than a page has: the last ones hold, and of revoked ones none does, wherever a page ends."""
    ids = (f"{number:016x}" for number in range(700))
    made = [
        new_token(memory, name="a", role="reader", clock=clock, entropy=partial(_entropy_of, next(ids)))
        for _ in range(700)
    ]
    for record, _ in made[:400]:
        _write(memory, record.model_copy(update={"change": "revoked", "reason": "left"}))
    assert len(made_tokens(memory)) == 1100
    register = TokenRegister(memory, clock)
    assert [register.caller(token) is not None for _, token in made] == [False] * 400 + [True] * 300


def _entropy_of(public_id: str, length: int) -> bytes:
    return bytes.fromhex(public_id).rjust(length, b"\0")


def test_what_cannot_be_is_refused(place: Path) -> None:
    """No name, no such role, too long a time, no such token, no reason."""
    with open_knowledge(settings_at(place)) as knowledge:
        store, clock = knowledge.store, knowledge.clock
        for name, role, days in ((" ", "reader", 1), ("a", "king", 1), ("a", "reader", 0), ("a", "reader", 367)):
            with pytest.raises(UsageError):
                new_token(store, name=name, role=role, days=days, clock=clock)  # type: ignore[arg-type]
        record, _ = new_token(store, name="a", role="reader", clock=clock)
        with pytest.raises(NotFound):
            revoke_token(store, "0" * 16, reason="x", clock=clock)
        with pytest.raises(UsageError, match="reason"):
            revoke_token(store, record.public_id, reason=" ", clock=clock)


def test_commands_make_list_and_revoke(place: Path) -> None:
    """The token is on the standard output alone, once; the list never has it; the log has both acts, and validates."""
    made = run(place, "tokens", "new", "--name", "Ada", "--role", "reviewer", "--corpus", "c", "--days", "5")
    token = made.stdout.strip()
    assert "It is not shown again." in made.stderr
    listed = run(place, "tokens", "list", "--format", "json")
    (record,) = json.loads(listed.stdout)
    assert (record["name"], record["role"], record["corpora"]) == ("Ada", "reviewer", ["c"])
    assert token.rpartition("_")[2] not in listed.stdout
    assert "secret" not in listed.stdout
    ended = run(place, "tokens", "revoke", "--token", record["public_id"], "--reason", "left the firm")
    assert ended.exit_code == 0
    assert "revoked" in run(place, "tokens", "list").stdout
    kinds = [each["kind"] for each in json.loads(run(place, "audit", "list", "--format", "json").stdout)["entries"]]
    assert kinds.count("token") == 2
    with open_knowledge(settings_at(place)) as knowledge:
        assert check_logged(knowledge.store, "c", None, Counter(), lambda table: None) == ([], [])
    told = run(place, "audit", "list").stdout
    assert "token of Ada (reviewer) made" in told
    assert "token of Ada (reviewer) revoked" in told
    assert run(place, "tokens", "new", "--name", "x", "--role", "king").exit_code == 2


def test_first_token_makes_the_store(tmp_path: Path) -> None:
    """A server for uploads begins with the token of who may upload: before it there is nothing to open."""
    made = run(tmp_path, "tokens", "new", "--name", "Ada", "--role", "administrator")
    assert made.exit_code == 0
    assert made.stdout.startswith("coditect_")
    (record,) = json.loads(run(tmp_path, "tokens", "list", "--format", "json").stdout)
    assert record["name"] == "Ada"


def test_what_somebody_does_stands_under_their_name(place: Path) -> None:
    """Two callers of one store: each act has its own pseudonym, and the first one's name is not the second's."""
    with open_knowledge(settings_at(place)) as knowledge:
        ada, bob = knowledge.on_behalf_of("Ada"), knowledge.on_behalf_of(" Bob  B ")
        for each in (ada, bob, knowledge):
            each.note_read("c", "status", 0)
            each.flush_reads()
        assert [each.who for each in audited(knowledge)] == ["Ada", "Bob B"]


def audited(knowledge: Knowledge) -> list[AuditEntry]:
    """The reads of the trail."""
    return [each for each in knowledge.audit() if each.kind == "access"]


def test_sessions_end_by_themselves() -> None:
    """After half an hour without use, after half a day in any case, and when there are too many."""
    now = {"s": 0.0}
    number = iter(range(10**9))
    sessions = Sessions(lambda: now["s"], lambda size: next(number).to_bytes(size, "big"))
    caller = Caller("a", "t", "reader")
    cookie, begun = sessions.begin(caller)
    assert begun.caller.session
    now["s"] = IDLE_S
    assert sessions.find(cookie) is not None
    now["s"] = 2 * IDLE_S + 1
    assert sessions.find(cookie) is None
    cookie, _ = sessions.begin(caller)
    for _ in range(int(LONGEST_S / IDLE_S)):
        now["s"] += IDLE_S
        assert sessions.find(cookie) is not None
    now["s"] += 1
    assert sessions.find(cookie) is None
    kept = [sessions.begin(caller)[0] for _ in range(MOST_SESSIONS)]
    now["s"] += 1
    assert sessions.find(kept[0]) is not None
    sessions.begin(caller)
    assert sessions.find(kept[0]) is not None
    assert sessions.find(kept[1]) is None
    sessions.end(kept[0])
    assert sessions.find(kept[0]) is None
