"""All routes of the explorer, for the application to mount."""

from __future__ import annotations

from fastapi import APIRouter

from coditect.server.explorer.door import PREFIX, Door
from coditect.server.explorer.routes.assets import asset_routes
from coditect.server.explorer.routes.changes import changes_routes
from coditect.server.explorer.routes.conflicts import conflict_routes
from coditect.server.explorer.routes.corpora import corpora_routes
from coditect.server.explorer.routes.crosswalk import crosswalk_routes
from coditect.server.explorer.routes.items import item_routes
from coditect.server.explorer.routes.obligations import obligation_routes
from coditect.server.explorer.routes.reader import reader_routes
from coditect.server.explorer.routes.review import review_routes
from coditect.server.explorer.routes.search import search_routes
from coditect.server.explorer.routes.signing_in import sign_in_routes
from coditect.server.explorer.visit import KeptViews

__all__ = ["router"]


def router() -> APIRouter:
    """The explorer's routes, below its prefix; its own files and the sign-in page are for anybody, all else for who is known."""
    door = Door(KeptViews())
    every = APIRouter(include_in_schema=False)
    every.include_router(sign_in_routes())
    every.include_router(asset_routes(), prefix=PREFIX)
    for routes in (
        corpora_routes,
        conflict_routes,
        search_routes,
        item_routes,
        reader_routes,
        review_routes,
        changes_routes,
        crosswalk_routes,
        obligation_routes,
    ):
        every.include_router(routes(door), prefix=PREFIX)
    return every
