"""What a page is made from: who asks, of which corpus and generation, and what is kept of it between requests."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from functools import cached_property
from typing import TypeVar, cast

from coditect.documents.layout import version_source
from coditect.documents.source import SourceText
from coditect.documents.structure.outline import OutlineSection, outline
from coditect.errors import NotFound
from coditect.knowledge.query.opened import Opened
from coditect.knowledge.service import Knowledge
from coditect.retrieve.recent import Recent
from coditect.schemas import DocumentVersion, Item
from coditect.server.explorer.links import PageLinks
from coditect.store.view import View

__all__ = ["KeptViews", "Visit"]

KEPT = 96
"""Things that are kept between requests: open generations, read documents, comparisons; the last used longest."""

T = TypeVar("T")


class KeptViews:
    """What pages are made from, kept between requests. Safe for threads; everything in it is a function of its key."""

    def __init__(self) -> None:
        self._values: Recent[Hashable, object] = Recent(KEPT)

    def get(self, key: Hashable, make: Callable[[], T]) -> T:
        """The value of a key, made where it is not kept; the key tells its type."""
        return cast("T", self._values.get(key, make))


@dataclass(frozen=True)
class Visit:
    """One request of somebody who may read a corpus.

    Attributes:
        knowledge: of the visitor's tenant.
        kept: what is kept between requests.
        links: makes addresses.
        name: of the visitor.
        role: of the visitor.
        may_decide: whether the visitor may review.
        may_analyse: whether the visitor may compare corpora: the crosswalk.
        csrf: the token that forms send back.
        sign_out: where a form ends the session; "" where there is none.
        is_built: whether the corpus has a generation to look at.
    """

    knowledge: Knowledge
    kept: KeptViews
    links: PageLinks
    name: str = ""
    role: str = ""
    may_decide: bool = False
    may_analyse: bool = False
    csrf: str = ""
    sign_out: str = ""
    is_built: bool = False

    @property
    def corpus_id(self) -> str:
        """The corpus."""
        return self.links.corpus_id

    @property
    def today(self) -> str:
        """The day that it is, ISO 8601."""
        return self.knowledge.clock()[:10]

    @cached_property
    def view(self) -> View:
        """The generation that is looked at."""
        return self.knowledge.view(self.corpus_id, self.links.as_of)

    @cached_property
    def current(self) -> int:
        """The number of the current generation."""
        return self.knowledge.store.corpus(self.corpus_id).generation

    @property
    def key(self) -> tuple[Hashable, ...]:
        """Stands for the generation and for what was erased from the corpus since, be it from another generation alone."""
        return self.knowledge.store.keys.tenant, self.corpus_id, self.view.generation, self.view.shown_as

    def remember(self, what: Hashable, make: Callable[[], T]) -> T:
        """Something that is a function of the generation, kept between requests."""
        return self.kept.get((self.key, what), make)

    @cached_property
    def opened(self) -> Opened:
        """The generation with what answers questions about it."""
        return self.remember("opened", lambda: Opened(self.view))

    def note(self, what: str, *items: str) -> None:
        """Tell the audit trail what was shown."""
        self.knowledge.note_read(self.corpus_id, what, self.view.generation, items)

    def find(self, item_id: str) -> Item:
        """An item of this generation.

        Raises:
            UsageError: not an item id.
            NotFound: no such item in this generation.
        """
        if item_id.startswith("finding_"):
            claim = self.view.claim_by_finding.get(item_id)
            if claim is None:
                raise NotFound("unknown finding", finding_id=item_id, generation=self.view.generation)
            return claim
        return self.view.find(item_id)

    def version(self, version_id: str) -> DocumentVersion:
        """A version of a document of this generation.

        Raises:
            NotFound: it is not of this generation.
        """
        found = self.find(version_id)
        if not isinstance(found, DocumentVersion):
            raise NotFound("unknown version of a document", version_id=version_id, generation=self.view.generation)
        return found

    def generation_of(self, item_id: str) -> int | None:
        """The newest other generation that holds an item; None where none does."""
        for generation in range(self.current, 0, -1):
            if generation == self.view.generation:
                continue
            try:
                view = self.knowledge.view(self.corpus_id, generation)
                view.find(item_id)
            except NotFound:
                continue
            return generation
        return None

    def source(self, version: DocumentVersion) -> tuple[SourceText, tuple[OutlineSection, ...]]:
        """A document with its layout, and its outline."""

        def read() -> tuple[SourceText, tuple[OutlineSection, ...]]:
            layout = self.view.store.get_blob(self.corpus_id, version.layout_sha256, version.layout_bytes)
            source = version_source(version, self.opened.sources.text(version), layout)
            return source, tuple(outline(source))

        return self.remember(("source", version.version_id), read)
