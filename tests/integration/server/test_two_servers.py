"""Two servers, each a process with a cache and jobs of its own, over one store: what is decided at one shows at the other."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
import uuid
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from coditect import errors
from coditect.client import Client, Patience
from coditect.compose import open_knowledge
from coditect.knowledge.progress import utc_now
from coditect.schemas import BuildSettings
from coditect.server.access.tokens import new_token
from coditect.settings import Settings
from tests.corpora import CORPUS, DOCUMENTS, folder_of
from tests.fdb_clusters import live
from tests.places import tenant_at, url_at

TODAY = "2026-06-01"


class Server:
    """``coditect serve`` on loopback.

    Args:
        settings: which store; its cache is the server's own.
        work: a folder for its jobs.
    """

    def __init__(self, settings: Settings, work: Path) -> None:
        work.mkdir()
        self._said = work / "said.txt"
        command = [sys.executable, "-m", "coditect", "--store", settings.store, "--tenant", settings.tenant]
        command += ["--cache", str(settings.cache), "serve", "--port", "0", "--work", str(work / "jobs")]
        environment = {key: value for key, value in os.environ.items() if not key.startswith("CODITECT_")}
        with self._said.open("wb") as said:
            self.process = subprocess.Popen(command, stderr=said, stdout=subprocess.DEVNULL, env=environment)
        self.address = self._listening()

    def _listening(self) -> str:
        while self.process.poll() is None:
            told = self._said.read_text(encoding="utf-8")
            if "listening on " in told and told.endswith("\n"):
                return told.partition("listening on ")[2].splitlines()[0].rstrip("/")
            time.sleep(0.05)
        raise RuntimeError(f"the server ended: {self._said.read_text(encoding='utf-8')}")


@contextmanager
def two_servers(settings: Settings, folder: Path) -> Iterator[tuple[Server, Server]]:
    """Both over the same store."""
    begun: list[Server] = []
    try:
        for name in ("first", "second"):
            own = settings.model_copy(update={"cache": folder / f"cache-{name}"})
            begun.append(Server(own, folder / name))
        yield begun[0], begun[1]
    finally:
        for each in begun:
            each.process.kill()
            each.process.wait()


def act(settings: Settings, folder: Path) -> None:
    """A decision at one shows at the other; then one is killed in a build, and the other goes on and builds."""
    documents = folder_of(folder / "in", DOCUMENTS)
    with open_knowledge(settings, must_exist=False) as knowledge:
        knowledge.ingest(CORPUS, [documents])
        knowledge.build(CORPUS, BuildSettings(today=TODAY))
        token = new_token(knowledge.store, name="Anna", role="administrator", clock=utc_now)[1]
    patience = Patience(tries=6, first_wait_s=0.05, longest_wait_s=1.0, timeout_s=60.0)
    with (
        two_servers(settings, folder) as (first, second),
        closing(Client(first.address, token, patience)) as one,
        closing(Client(second.address, token, patience)) as two,
    ):
        here, there = one.corpus(CORPUS), two.corpus(CORPUS)
        item = here.query("access rights", "extraction", gate=False).hits[0].item.item_id
        assert there.query("access rights", "extraction", gate=False) == here.query(
            "access rights", "extraction", gate=False
        )
        made = here.review(item, decision="accept", meaning="read against the policy")
        assert made.review_id in {each.review.review_id for each in there.reviews()}
        # What is taken in and built at one answers at the other.
        rule = folder / "parcels.md"
        rule.write_text("# Parcels\n\n1 The clerk shall weigh each parcel within 2 days.\n", encoding="utf-8")
        two.wait(there.ingest([rule]))
        two.wait(there.build(today=TODAY))
        assert here.status().generation == 2
        assert any("parcel" in each.text for each in here.register("obligations", today=TODAY))
        first.process.send_signal(signal.SIGKILL)
        first.process.wait()
        with pytest.raises(errors.Unavailable):
            Client(first.address, token, Patience(tries=1, timeout_s=5.0)).corpora()
        assert there.status().generation == 2
        rule.write_text("# Parcels\n\n1 The clerk shall weigh each parcel within 3 days.\n", encoding="utf-8")
        two.wait(there.ingest([rule]))
        two.wait(there.build(today=TODAY))
        assert there.status().generation == 3
        assert made.review_id in {each.review.review_id for each in there.reviews()}
    with open_knowledge(settings) as knowledge:
        assert knowledge.validate(CORPUS).clean


def test_two_servers_share_a_store(tmp_path: Path) -> None:
    """On the engine that the tests run on."""
    place = tmp_path / "store"
    act(Settings(store=url_at(place), tenant=tenant_at(place), cache=tmp_path / "cache", jobs=1), tmp_path)


@live
def test_two_servers_share_a_cluster(tmp_path: Path) -> None:
    """On a live FoundationDB, in a tenant of its own."""
    url = f"fdb://{Path(os.environ['FDB_CLUSTER_FILE']).absolute()}"
    settings = Settings(store=url, tenant=f"two-servers-{uuid.uuid4().hex[:12]}", cache=tmp_path / "cache", jobs=1)
    try:
        act(settings, tmp_path)
    finally:
        with open_knowledge(settings) as knowledge:
            begin, end = knowledge.store.keys.space
            knowledge.store.engine.run(lambda transaction: transaction.clear_range(begin, end))
