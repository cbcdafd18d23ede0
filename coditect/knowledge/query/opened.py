"""A generation with what answers questions about it, kept from one question to the next."""

from __future__ import annotations

from dataclasses import dataclass, field

from coditect.knowledge.query.context import Surroundings
from coditect.knowledge.query.following import Links
from coditect.knowledge.query.sources import SourceBuilder
from coditect.store.live import LiveIndex
from coditect.store.view import View

__all__ = ["Opened"]


@dataclass(frozen=True, slots=True)
class Opened:
    """A generation that is kept open between questions.

    Attributes:
        view: the generation.
        sources: makes the nodes, and keeps page maps and texts.
        index: counts through the indexes, and keeps terms.
        surroundings: finds what holds an item, and keeps outlines and passages.
        links: follows cross-references and defined terms.
    """

    view: View
    sources: SourceBuilder
    index: LiveIndex
    surroundings: Surroundings = field(init=False)
    links: Links = field(init=False)

    def __post_init__(self) -> None:
        """What follows from them."""
        object.__setattr__(self, "surroundings", Surroundings(self.view, self.sources))
        object.__setattr__(self, "links", Links(self.view, self.index, self.sources))
