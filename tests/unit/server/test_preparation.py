"""Search is made ready behind a server that begins."""

from __future__ import annotations

from collections.abc import Callable
from threading import Event
from types import SimpleNamespace
from typing import Any

import pytest

from coditect.errors import CoditectError, Unavailable
from coditect.server.ready.preparation import Preparation
from tests.panics import Panic


def service_of(refresh: Callable[[str], None], corpora: dict[str, int] | CoditectError) -> Any:  # noqa: ANN401 - a double
    """One tenant, of corpora with their generations."""

    def listed() -> list[Any]:
        if isinstance(corpora, CoditectError):
            raise corpora
        return [SimpleNamespace(corpus_id=name, generation=generation) for name, generation in corpora.items()]

    knowledge = SimpleNamespace(
        store=SimpleNamespace(corpora=listed), view=lambda corpus: corpus, searcher=SimpleNamespace(refresh=refresh)
    )
    return SimpleNamespace(tenants={"t": knowledge})


def test_every_corpus_that_was_built_is_made_ready_in_turn() -> None:
    """It tells how many are left, and is ready at the end."""
    made: list[tuple[str, int | None]] = []
    going = Event()

    def refresh(corpus: str) -> None:
        assert going.wait(60)
        made.append((corpus, preparation.waiting))

    preparation = Preparation(service_of(refresh, {"a": 1, "empty": 0, "b": 3}))
    assert preparation.waiting is None
    preparation.begin()
    going.set()
    preparation._thread.join(60)
    assert made == [("a", 2), ("b", 1)]
    assert preparation.waiting == 0
    preparation.close()


@pytest.mark.parametrize(
    "error", [Unavailable("the search replica cannot be written or read"), RuntimeError("a fault"), Panic()]
)
def test_a_corpus_that_cannot_be_made_ready_keeps_no_other_from_it(
    error: BaseException, caplog: pytest.LogCaptureFixture
) -> None:
    """It is logged; questions of it say why."""
    made: list[str] = []

    def refresh(corpus: str) -> None:
        if corpus == "a":
            raise error
        made.append(corpus)

    preparation = Preparation(service_of(refresh, {"a": 1, "b": 1}))
    preparation.begin()
    preparation._thread.join(60)
    assert (made, preparation.waiting) == (["b"], 0)
    assert "search of a corpus is not ready" in caplog.text


def test_corpora_that_cannot_be_listed_are_left_to_the_probe(caplog: pytest.LogCaptureFixture) -> None:
    """Which asks the store itself, again and again."""
    preparation = Preparation(service_of(lambda _: None, Unavailable("the store does not answer")))
    preparation.begin()
    preparation._thread.join(60)
    assert preparation.waiting == 0
    assert "the corpora of a tenant are not known" in caplog.text


def test_a_server_that_ends_waits_for_the_corpus_under_way_and_begins_no_other() -> None:
    """Nothing is left half made."""
    begun, going, made = Event(), Event(), list[str]()

    def refresh(corpus: str) -> None:
        begun.set()
        assert going.wait(60)
        made.append(corpus)

    preparation = Preparation(service_of(refresh, {"a": 1, "b": 1}))
    preparation.begin()
    assert begun.wait(60)
    preparation._stopped.set()
    going.set()
    preparation.close()
    assert made == ["a"]
    assert preparation.waiting == 1


def test_what_never_began_is_closed_at_once() -> None:
    """As where the port is taken."""
    Preparation(service_of(lambda _: None, {"a": 1})).close()
