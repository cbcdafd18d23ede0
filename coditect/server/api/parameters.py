"""Parameters that no route has: refused, since one that is misspelt would quietly be another question."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends, FastAPI, Request

from coditect.server.access.authentication import authenticated
from coditect.server.access.callers import Caller
from coditect.server.problems import Problem

__all__ = ["only_known_parameters"]


async def only_known_parameters(request: Request, _: Annotated[Caller, Depends(authenticated)]) -> None:
    """Refuse parameters of the address that the description does not name; who is not signed in is told that first.

    Raises:
        Problem: 422, with the names.
    """
    if not request.query_params:
        return
    unknown = set(request.query_params) - _known(request.app)[request.scope["route"].operation_id]
    if unknown:
        told = "; ".join(f"query.{each[:100]}: there is no such parameter" for each in sorted(unknown)[:5])
        raise Problem(422, "the request is not valid", told)


def _known(app: FastAPI) -> dict[str, frozenset[str]]:
    """The names of parameters by operation, as the API describes them; looked up once."""
    if not hasattr(app.state, "parameters"):
        operations = [each for path in app.openapi()["paths"].values() for each in path.values()]
        app.state.parameters = {
            each["operationId"]: frozenset(p["name"] for p in each.get("parameters", ()) if p["in"] == "query")
            for each in operations
        }
    found: dict[str, frozenset[str]] = app.state.parameters
    return found
