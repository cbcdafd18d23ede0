"""Whether a server is ready: its stores answer, and search of what they hold is made."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from coditect.retrieve.local.replica import Replicas
from coditect.server.running import Serving, opened_application
from tests.integration.server.served import Served, settings_at, store_of_two, tokens_at


def test_a_server_with_an_empty_cache_is_ready_when_search_is_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Until then it says how much is left, and answers; afterwards no question has anything to make."""
    place = tmp_path / "store"
    store_of_two(place)
    tokens = tokens_at(place)
    shutil.rmtree(settings_at(place).cache)
    with opened_application(settings_at(place), Serving(work=tmp_path / "work")) as app:
        server = Served(app, tokens)
        app.state.preparation._thread.join(60)
        ready = server.client().get("/readyz")
        assert (ready.status_code, ready.text) == (200, "ready\n")
        monkeypatch.setattr(Replicas, "_make", lambda *_: pytest.fail("a question had to make its replica"))
        asked = {"query": "who reviews access rights"}
        assert server.client("reader").get("/api/v1/corpora/policies/query", params=asked).status_code == 200
        for waiting, says in ((None, "some left"), (2, "2 left")):
            app.state.preparation._waiting = waiting
            found = server.client().get("/readyz")
            assert (found.status_code, found.headers["Retry-After"]) == (503, "5")
            assert says in found.text
            assert server.client().get("/healthz").status_code == 200
