"""The tenant's log as static files, C2SP tlog-tiles: with the checkpoint beside them, whoever audits can read along."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Request
from starlette.responses import Response

from coditect.server.answers import IMMUTABLE, not_modified
from coditect.server.api.common import REFUSALS, knowledge_of
from coditect.server.api.proofs import Auditor

__all__ = ["router"]

router = APIRouter(responses=REFUSALS, tags=["proofs"])


@router.get(
    "/log/tile/{level}/{place:path}",
    operation_id="get_log_tile",
    response_class=Response,
    responses={200: {"content": {"application/octet-stream": {}}}},
)
def get_tile(
    request: Request,
    caller: Auditor,
    level: Annotated[str, Path(pattern=r"^(entries|[0-9]{1,2})$", description="Of the tree, or 'entries'.")],
    place: Annotated[
        str, Path(pattern=r"^(x[0-9]{3}/){0,5}[0-9]{3}(\.p/[0-9]{1,3})?$", description="As 'x001/067', '000.p/5'.")
    ],
) -> Response:
    """A tile of the log, or a bundle of its entries, up to the newest checkpoint; what was answered once never changes."""
    path = f"tile/{level}/{place}"
    data = knowledge_of(request, caller).log_file(path)
    etag = f'"{path}"'
    headers = {"ETag": etag, "Cache-Control": IMMUTABLE, "Vary": "Authorization, Cookie"}
    if not_modified(request, etag):
        return Response(status_code=304, headers=headers)
    return Response(data, media_type="application/octet-stream", headers=headers)
