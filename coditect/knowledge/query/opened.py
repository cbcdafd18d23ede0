"""A generation with what answers questions about it, kept from one question to the next."""

from __future__ import annotations

from coditect.knowledge.query.enclosures import Enclosures
from coditect.knowledge.query.following import Links
from coditect.knowledge.query.resting import RestsOn
from coditect.knowledge.query.sources import SourceBuilder
from coditect.retrieve.lookup.live import LiveIndex
from coditect.store.view import View

__all__ = ["Opened"]


class Opened:
    """A generation that is kept open between questions. Safe for threads, as all its parts are.

    Args:
        view: the generation.

    Attributes:
        view: the generation.
        sources: makes the nodes, and keeps page maps and texts.
        index: looks things up through the secondary indexes, and keeps terms.
        enclosures: finds what encloses an item, and keeps outlines and passages.
        links: follows cross-references and defined terms.
        resting: finds what rests on places of documents.
    """

    def __init__(self, view: View) -> None:
        self.view = view
        self.sources = SourceBuilder(view)
        self.index = LiveIndex(view)
        self.enclosures = Enclosures(view, self.sources)
        self.links = Links(view, self.index, self.sources)
        self.resting = RestsOn(view)
