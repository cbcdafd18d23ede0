"""A server in this process: two corpora, a token for each role, one for each corpus, and a second tenant."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from fastapi import FastAPI
from starlette.testclient import TestClient

from coditect import BuildSettings, Settings
from coditect.compose import open_knowledge
from coditect.server.access.callers import ROLES, Role
from coditect.server.access.tokens import new_token
from coditect.server.running import Serving, opened_application
from tests.corpora import DOCUMENTS, folder_of
from tests.places import ON_CLUSTER, tenant_at, url_at

__all__ = ["OTHER", "Served", "served", "settings_at", "store_of_two"]

OTHER = "secret"
"""A corpus beside the usual one."""


@dataclass(frozen=True)
class Served:
    """A running application.

    Attributes:
        app: it.
        tokens: by role, and "one": an administrator of one corpus; "stranger": of the other tenant.
    """

    app: FastAPI
    tokens: dict[str, str]

    def client(self, who: str = "", host: str = "127.0.0.1") -> TestClient:
        """A client of this machine that shows a token."""
        headers = {"Authorization": f"Bearer {self.tokens[who]}"} if who else {}
        return TestClient(
            self.app, "http://localhost", headers=headers, client=(host, 50000), raise_server_exceptions=False
        )


def settings_at(place: Path, tenant: str = "") -> Settings:
    """Settings for a store at a place."""
    name = tenant_at(place) + (f"-{tenant}" if tenant else "")
    return Settings(store=url_at(place), tenant=name, cache=Path(f"{place}-cache"), jobs=1)


_MADE: dict[str, bytes] = {}
"""Files of the store below, of its cache and of its documents, by what follows the place's name: built once in a process."""


def store_of_two(place: Path) -> None:
    """Two corpora in one tenant, one in another."""
    if ON_CLUSTER or not _MADE:
        _build_two(place)
        _MADE.update(
            (str(file).removeprefix(str(place)), file.read_bytes())
            for each in place.parent.glob(f"{place.name}*")
            for file in each.rglob("*")
            if file.is_file()
        )
        return
    for name, content in _MADE.items():
        file = Path(f"{place}{name}")
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content)


def _build_two(place: Path) -> None:
    folder = folder_of(Path(f"{place}-documents"), DOCUMENTS)
    hidden = folder_of(
        Path(f"{place}-hidden"), {"plan.md": "# Plan\n\n1 The board shall approve the merger within 30 days.\n"}
    )
    for tenant, corpus, documents in (("", "policies", folder), ("", OTHER, hidden), ("b", "theirs", hidden)):
        with open_knowledge(settings_at(place, tenant)) as knowledge:
            knowledge.ingest(corpus, [documents])
            knowledge.build(corpus, BuildSettings(topics=("incident", "access"), today="2026-06-01"))


def tokens_at(place: Path) -> dict[str, str]:
    """A token for each role, for one corpus, and of the other tenant."""
    made: dict[str, str] = {}
    with open_knowledge(settings_at(place)) as knowledge:
        for role in ROLES:
            made[role] = _token(knowledge.store, role, role)
        made["one"] = _token(knowledge.store, "one", "administrator", ("policies",))
    with open_knowledge(settings_at(place, "b")) as knowledge:
        made["stranger"] = _token(knowledge.store, "stranger", "administrator")
    return made


def _token(store: object, name: str, role: Role, corpora: tuple[str, ...] = ()) -> str:
    from coditect.knowledge.progress import utc_now
    from coditect.store.store import Store

    assert isinstance(store, Store)
    return new_token(store, name=name, role=role, corpora=corpora, clock=utc_now)[1]


@contextmanager
def served(place: Path, tokens: dict[str, str], log_key: Path | None = None, **serving: object) -> Iterator[Served]:
    """A server over a store for both tenants, closed at the end; with a key it signs the log.

    Its jobs have no processes of their own unless that is asked for: each would take half a second to begin.
    """
    names = (settings_at(place).tenant, settings_at(place, "b").tenant)
    given = {"tenants": names, "rate": "1000000/minute", "work": Path(f"{place}-work"), "apart": False, **serving}
    settings = settings_at(place).model_copy(update={"log_key": log_key})
    with opened_application(settings, Serving(**given)) as app:  # type: ignore[arg-type]
        yield Served(app, tokens)
