"""A server that restarts under its clients: requests are sent again, a job that was interrupted is taken up and ends."""

from __future__ import annotations

import threading
import time
from pathlib import Path

import pytest

from coditect import errors
from coditect.client import Client, Patience
from tests.integration.client.conftest import listening
from tests.integration.server.served import served, store_of_two, tokens_at


def test_an_interrupted_job_is_taken_up_while_the_client_waits(tmp_path: Path) -> None:
    """The server goes, comes back on the same port, and the client that waited all the time has its result."""
    place = tmp_path / "store"
    store_of_two(place)
    tokens = tokens_at(place)
    hold = threading.Event()
    with served(place, tokens) as first, listening(first.app) as port:
        address = f"http://127.0.0.1:{port}"
        client = Client(address, tokens["analyst"], Patience(tries=10, first_wait_s=0.1, longest_wait_s=2.0))
        first.app.state.jobs._workers.submit(hold.wait)  # so that the job waits when the server goes
        rule = tmp_path / "rule.md"
        rule.write_text("# Rule\n\n1 The clerk shall weigh each parcel.\n")
        job = client.corpus("sent").ingest([rule])
        ended: list[str] = []
        waiter = threading.Thread(target=lambda: ended.append(client.wait(job).state))
        waiter.start()
        time.sleep(0.3)
        threading.Timer(0.2, hold.set).start()
        first.app.state.jobs._workers.shutdown(wait=False, cancel_futures=True)
    with served(place, tokens) as second, listening(second.app, port):
        waiter.join(timeout=60)
        assert ended == ["done"]
        assert [each.corpus_id for each in client.status() if each.corpus_id == "sent"] == ["sent"]
        assert second.app.state.jobs.get(job.job_id).state == "done"
        client.close()


def test_a_job_that_is_not_taken_up_again_says_so(tmp_path: Path) -> None:
    """Whoever asks not to resume is told why."""
    place = tmp_path / "store"
    store_of_two(place)
    tokens = tokens_at(place)
    hold = threading.Event()
    with served(place, tokens) as first, listening(first.app) as port:
        first.app.state.jobs._workers.submit(hold.wait)
        with Client(f"http://127.0.0.1:{port}", tokens["analyst"]) as client:
            job = client.corpus("policies").build()
        first.app.state.jobs._workers.shutdown(wait=False, cancel_futures=True)
        hold.set()
    with (
        served(place, tokens) as second,
        listening(second.app) as port,
        Client(f"http://127.0.0.1:{port}", tokens["analyst"]) as client,
    ):
        with pytest.raises(errors.Unavailable, match="restarted meanwhile"):
            client.wait(job, resume=False)
        assert client.wait(client.resume(job)).state == "done"
