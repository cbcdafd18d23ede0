"""Version 1 of the HTTP API: one module for each kind of thing; what is answered is the JSON that the command line prints."""

from __future__ import annotations

from fastapi import APIRouter, Depends

__all__ = ["routes"]


def routes() -> APIRouter:
    """All routes, without their prefix."""
    from coditect.server.api import (
        changing,
        corpora,
        documents,
        items,
        jobs,
        kept,
        proofs,
        questions,
        registers,
        reviews,
        tables,
    )
    from coditect.server.api.parameters import only_known_parameters

    found = APIRouter(dependencies=[Depends(only_known_parameters)])
    # In the order in which they are looked through for a request: what is asked most comes first.
    for each in (items, questions, documents, corpora, registers, changing, tables, reviews, proofs, kept, jobs):
        found.include_router(each.router)
    return found
