"""The explorer's own files: style, keys, icon. Nothing is loaded from anywhere else."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response

from coditect.errors import NotFound
from coditect.server.explorer.pages import ASSETS, asset
from coditect.server.explorer.routes.items import FOR_EVER

__all__ = ["asset_routes"]


def asset_routes() -> APIRouter:
    """The routes."""
    routes = APIRouter()

    @routes.get("/assets/{name}")
    def own_file(request: Request, name: str) -> Response:
        if name not in ASSETS:
            raise NotFound("no such file", name=name)
        data, digest = asset(name)
        headers = {"Cache-Control": FOR_EVER.replace("private", "public"), "ETag": f'"{digest}"'}
        return Response(data, media_type=ASSETS[name], headers=headers)

    return routes
