"""A decision that is asked for twice is made once: at the same time, after it was taken back, and after a restart."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from coditect.server.access.callers import Caller
from coditect.server.problems import Problem
from coditect.server.replies import Replies
from tests.corpora import CORPUS
from tests.integration.server.served import Served, served, store_of_two, tokens_at

C = f"/api/v1/corpora/{CORPUS}"


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store that the tests of this file may change."""
    found = tmp_path_factory.mktemp("once") / "store"
    store_of_two(found)
    return found


@pytest.fixture(scope="module")
def shown(place: Path) -> dict[str, str]:
    """Tokens by who shows them."""
    return tokens_at(place)


@pytest.fixture
def own(place: Path, shown: dict[str, str]) -> Iterator[Served]:
    """A server over it."""
    with served(place, shown) as found:
        yield found


def _extractions(server: Served) -> list[str]:
    asked: dict[str, Any] = {"query": "access", "tier": "extraction", "limit": 5, "gate": False}
    found: Any = server.client("reviewer").get(f"{C}/query", params=asked).json()
    return [each["item"]["item_id"] for each in found["hits"]]


def _count(server: Served) -> int:
    return len(server.client("reviewer").get(f"{C}/reviews").json())


def test_a_retried_decision_is_made_once_whatever_happened_in_between(
    own: Served, place: Path, shown: dict[str, str]
) -> None:
    """Taken back meanwhile, a retry of the first request is answered as it was, and decides nothing anew; nor after a restart."""
    item, key = _extractions(own)[0], {"Idempotency-Key": "first-decision"}
    body = {"item_id": item, "decision": "accept", "meaning": "read"}
    client = own.client("reviewer")
    first = client.post(f"{C}/reviews", json=body, headers=key)
    assert first.status_code == 201
    taken_back = {"item_id": item, "decision": "withdraw", "meaning": "too early"}
    assert client.post(f"{C}/reviews", json=taken_back, headers={"Idempotency-Key": "second-one"}).status_code == 201
    before = _count(own)
    again = client.post(f"{C}/reviews", json=body, headers=key)
    assert (again.status_code, again.content, _count(own)) == (201, first.content, before)
    other = client.post(f"{C}/reviews", json={**body, "meaning": "something else"}, headers=key)
    assert (other.status_code, other.json()["title"]) == (409, "the idempotency key is of another request")
    with served(place, shown) as restarted:
        after = restarted.client("reviewer").post(f"{C}/reviews", json=body, headers=key)
        assert (after.content, _count(restarted)) == (first.content, before)


def test_the_same_key_at_the_same_time_is_one_decision(own: Served) -> None:
    """Eight at once: one review, eight equal answers."""
    item, before = _extractions(own)[1], _count(own)
    body = {"item_id": item, "decision": "dismiss", "meaning": "none of ours"}
    answers: list[bytes] = []

    def ask() -> None:
        found = own.client("reviewer").post(f"{C}/reviews", json=body, headers={"Idempotency-Key": "all-at-once"})
        answers.append(found.content)

    threads = [threading.Thread(target=ask) for _ in range(8)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert (len(answers), len(set(answers)), _count(own)) == (8, 1, before + 1)


def test_a_refused_request_is_not_remembered(tmp_path: Path) -> None:
    """What failed may be asked again with its key; keys of others are others; the oldest answers go."""
    replies, me = Replies(tmp_path / "r", kept=2), Caller("me", "t", "reviewer")
    with pytest.raises(Problem):
        replies.once(me, "key-number-1", {}, _refuse)
    assert replies.once(me, "key-number-1", {}, lambda: 1) == 1
    assert replies.once(me, "key-number-1", {}, lambda: 2) == 1
    assert replies.once(Caller("you", "t", "reviewer"), "key-number-1", {}, lambda: 3) == 3
    assert replies.once(me, "key-number-2", {}, lambda: 4) == 4
    assert replies.once(me, "key-number-1", {}, lambda: 5) == 5
    assert len(list((tmp_path / "r").iterdir())) == 2


def test_a_damaged_answer_is_no_answer(tmp_path: Path) -> None:
    """A file that a power cut spoiled is passed over."""
    me = Caller("me", "t", "reviewer")
    Replies(tmp_path).once(me, "key-number-1", {}, lambda: 1)
    (place,) = tmp_path.glob("*.json")
    place.write_bytes(b"{")
    assert Replies(tmp_path).once(me, "key-number-1", {}, lambda: 2) == 2


def _refuse() -> None:
    raise Problem(404, "no")
