"""Pages for people: overview, search, reader, review, changes and proof, made on the server and readable without a script."""

from __future__ import annotations

from fastapi import APIRouter

__all__ = ["router"]


def router() -> APIRouter:
    """The routes of the pages."""
    return APIRouter()
