"""Attempts are counted over processes: an answer that nobody can use is asked for once more, and then no more."""

from __future__ import annotations

import pytest

from coditect.errors import Malformed
from coditect.models.llm import LlmAnswer
from coditect.schemas import ModelAnswer
from coditect.store.store import Store
from tests.unit.agents.asking.service import Service, asker_on, request


def _unusable(answer: LlmAnswer) -> None:
    raise Malformed("nobody can use it")


async def _asked(store: Store, service: Service, owner: str) -> None:
    """Ask twice, as a pool does that repeats what cannot be used."""
    asker = asker_on(store, service, owner=owner)
    for _ in range(2):
        with pytest.raises(Malformed):
            await asker.ask("mapper", request(1), check=_unusable)


async def test_answer_that_cannot_be_used_is_paid_for_twice_at_most(store: Store) -> None:
    """Three processes, each of which would repeat: two calls, and the record says so."""
    service = Service()
    for owner in ("one", "two", "three"):
        await _asked(store, service, owner)
    assert service.calls[request(1).sha256] == 2
    ((_, record),) = store.scan("answers", ModelAnswer)
    assert record.attempts == 2
