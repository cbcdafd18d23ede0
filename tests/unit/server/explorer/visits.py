"""Visits of a generation that is made by hand: only what a page reads of it is there."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, TypeVar

from coditect.schemas.record import Record
from coditect.server.explorer.links import PageLinks
from coditect.server.explorer.visit import KeptViews, Visit

__all__ = ["TODAY", "knowledge_of", "partly", "view_of", "visit_of"]

R = TypeVar("R", bound=Record)

TODAY = "2026-06-15"


def partly(of: type[R], **fields: Any) -> R:  # noqa: ANN401 - of a record
    """A record of which nothing but these fields is read."""
    made: R = of.model_construct(**fields)  # type: ignore[assignment]
    return made


def view_of(generation: int = 3, **fields: Any) -> Any:  # noqa: ANN401 - a double
    """A generation; what is not given is empty."""
    given: dict[str, Any] = {
        "corpus_id": "c",
        "generation": generation,
        "manifest": SimpleNamespace(build_id=f"build-{generation}", counts={}),
        "erased_entries": (),
        "shown_as": f"build-{generation}",
        "documents": {},
        "profiles": {},
        "entries": {},
        "claims": {},
        "verdicts": {},
        "sections": (),
        "section_by_id": {},
        "summary": SimpleNamespace(claims=(), filtered=(), summary_id="summary_1"),
    }
    return SimpleNamespace(**{**given, **fields})


def knowledge_of(*views: Any, **fields: Any) -> Any:  # noqa: ANN401 - doubles
    """What a tenant knows: these generations of the corpus c, the last one the current."""
    from coditect.errors import NotFound

    by_number = {view.generation: view for view in views}
    current = max(by_number, default=0)

    def view(_corpus: str, as_of: int | None = None) -> Any:  # noqa: ANN401 - a double
        if (current if as_of is None else as_of) not in by_number:
            raise NotFound("no such generation")
        return by_number[current if as_of is None else as_of]

    store = SimpleNamespace(
        keys=SimpleNamespace(tenant="t"),
        corpus=lambda name: SimpleNamespace(corpus_id=name, generation=current),
        corpora=lambda: [SimpleNamespace(corpus_id="c", generation=current)],
    )
    noted: list[tuple[Any, ...]] = []
    given = {"view": view, "clock": lambda: f"{TODAY}T10:00:00Z", "store": store, "noted": noted,
             "note_read": lambda *each: noted.append(each)}  # fmt: skip
    return SimpleNamespace(**{**given, **fields})


def visit_of(*views: Any, as_of: int | None = None, **fields: Any) -> Visit:  # noqa: ANN401 - doubles
    """A visit of the corpus c; without views, of an empty one.

    Args:
        views: its generations.
        as_of: the one that is asked for.
        fields: of the knowledge.
    """
    return Visit(knowledge_of(*(views or (view_of(),)), **fields), KeptViews(), PageLinks("/e", "c", as_of))
