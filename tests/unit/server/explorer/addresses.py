"""The explorer's addresses over a corpus that is made by hand, with pages that say what they were given."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest
from fastapi import FastAPI, Request
from fastapi.testclient import TestClient
from starlette.responses import Response

from coditect.errors import CoditectError, NotFound
from coditect.server.access.callers import Caller, Role
from coditect.server.access.sessions import Session
from coditect.server.explorer import router
from coditect.server.problems import Problem, as_problem, problem_response
from tests.unit.server.explorer.visits import knowledge_of, view_of

__all__ = ["Site", "holding"]


class Site:
    """A server of the explorer alone.

    Args:
        patch: replaces what pages are made by.
        views: generations of the corpus c.
        role: of whoever asks on this machine; "": nobody may.
        fields: of the knowledge.
    """

    def __init__(self, patch: pytest.MonkeyPatch, *views: Any, role: Role | str = "reviewer", **fields: Any) -> None:  # noqa: ANN401 - doubles
        self._patch = patch
        self.shown: list[dict[str, Any]] = []
        self.knowledge = knowledge_of(*(views or (view_of(1), view_of(2), view_of(3))), **fields)
        self.begun: list[tuple[str, str]] = []
        caller = Caller("Ada", "t", role) if role else None  # type: ignore[arg-type]
        app = FastAPI()
        app.state.gatekeeper = SimpleNamespace(
            anonymous=caller,
            count=lambda _: None,
            by_session=lambda cookie: Caller("Bob", "t", "reader", session=True) if cookie == "good" else None,
            by_token=lambda _: None,
            is_own_form=lambda cookie, given: (cookie, given) == ("good", "form"),
            form_token=lambda _: "form",
            begin_session=self._begin,
            end_session=lambda _: None,
        )  # fmt: skip
        app.state.service = SimpleNamespace(knowledge=lambda _: self.knowledge, work=Path("nowhere"))
        app.state.encrypted = True
        app.add_exception_handler(Problem, _told)
        app.add_exception_handler(CoditectError, _told)
        app.include_router(router())
        self.app = app
        self.client = TestClient(app, "http://localhost", client=("127.0.0.1", 5), follow_redirects=False)

    def _begin(self, token: str, address: str) -> tuple[str, Session] | None:
        self.begun.append((token, address))
        return (
            ("cookie", Session(Caller("Ada", "t", "reader", public_id="00"), "form", 0.0, 0.0))
            if token == "good"
            else None
        )

    def replace(self, module: ModuleType, **made: Any) -> None:  # noqa: ANN401 - doubles
        """Make pages of a module's addresses say what they are given, and their contents by these."""

        def render(template: str, visit: object, **context: Any) -> str:  # noqa: ANN401 - of a template
            self.shown.append({"template": template, "visit": visit, **context})
            return "page"

        self._patch.setattr(module, "render", render)
        for name, value in made.items():
            self._patch.setattr(module, name, value)

    def get(self, path: str, **headers: str) -> Any:  # noqa: ANN401 - of httpx
        """Ask for a page below the corpus."""
        return self.client.get(f"/explorer/c/c{path}", headers=headers)


def holding(**held: Any) -> Any:  # noqa: ANN401 - doubles
    """What finds these items by their ids, and no others."""

    def find(item_id: str) -> Any:  # noqa: ANN401 - a double
        if item_id not in held:
            raise NotFound("unknown item")
        return held[item_id]

    return find


async def _told(request: Request, error: Exception) -> Response:
    problem = error if isinstance(error, Problem) else as_problem(error)  # type: ignore[arg-type]
    return problem_response(problem, request.url.path)
