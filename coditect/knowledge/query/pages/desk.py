"""The desk that gives pages: places of words from the stored layout, pictures drawn from the stored file.

Documents that an earlier release took in have no places. Theirs are found when they are asked for: the file is read again, and
where that gives the very text that is stored, its places hold for the offsets that are stored. Where it gives another text, there
are none, and who shows the document shows its text. Files are read and drawn by a process of their own, within the budget of any
reading.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from threading import BoundedSemaphore
from typing import TYPE_CHECKING

from coditect.documents.layout import version_source
from coditect.documents.sandbox.budget import ReadBudget
from coditect.documents.source import PageSpan
from coditect.errors import NotFound, ReadError, UsageError
from coditect.retrieve.recent import Recent
from coditect.schemas import DocumentVersion, sha256_hex
from coditect.store.store import Store

if TYPE_CHECKING:
    from coditect.documents.places import PlacedPage
    from coditect.schemas import PageRectangles

__all__ = ["PDF", "WIDTH_PX", "PageDesk"]

PDF = "application/pdf"

WIDTH_PX = 1400
"""Of a picture, where nobody says: sharp on a screen with twice the usual pixels, some 200 KB."""

_KEPT_PICTURES = 32
_KEPT_LAYOUTS = 16
_AT_ONCE = 2
"""Files that are read or drawn at the same time; whoever asks for more waits."""


@dataclass(frozen=True, slots=True)
class _Layout:
    pages: tuple[PageSpan, ...]
    places: str


class PageDesk:
    """Gives places and pictures, and keeps the last of them. Safe for threads.

    Args:
        budget: what one file may take.
    """

    def __init__(self, budget: ReadBudget) -> None:
        self._budget = budget
        self._busy = BoundedSemaphore(_AT_ONCE)
        self.forget()

    def forget(self) -> None:
        """Let go of everything that is kept."""
        self._layouts: Recent[tuple[str, str], _Layout] = Recent(_KEPT_LAYOUTS)
        self._pictures: Recent[tuple[str, str, int, int], tuple[int, bytes]] = Recent(_KEPT_PICTURES)

    def placed(self, store: Store, version: DocumentVersion, start: int, end: int) -> tuple[PlacedPage, ...]:
        """The pages that a span reaches into, with all their words; () where no places are known.

        Args:
            store: the tenant's.
            version: of the document.
            start: first code point of its text.
            end: one past the last.
        """
        from coditect.documents.places import decode_places

        layout = self._layouts.get((version.corpus_id, version.version_id), lambda: self._layout(store, version))
        wanted = {page.number for page in layout.pages if page.start < end and start < page.end}
        return decode_places(layout.places, wanted)

    def rectangles(self, store: Store, version: DocumentVersion, start: int, end: int) -> list[PageRectangles]:
        """Where a span stands; [] where no places are known.

        Args:
            store: the tenant's.
            version: of the document.
            start: first code point of its text.
            end: one past the last.

        Raises:
            UsageError: the text has no such span.
        """
        if not 0 <= start <= end <= version.text_length:
            raise UsageError("the text has no such span", start=start, end=end, text_length=version.text_length)
        from coditect.documents.places import rectangles
        from coditect.schemas import PageRectangles

        found = rectangles(self.placed(store, version, start, end), start, end)
        return [
            PageRectangles(page=page.number, width=page.width_pt, height=page.height_pt, rectangles=boxes)
            for page, boxes in found
        ]

    def picture(self, store: Store, version: DocumentVersion, page: int, width_px: int = WIDTH_PX) -> bytes:
        """A page of a PDF as PNG.

        Args:
            store: the tenant's.
            version: of the document.
            page: 1-based physical page.
            width_px: of the picture; bounded as :mod:`coditect.documents.readers.pdf.picture` says.

        Raises:
            UsageError: the document is no PDF.
            NotFound: it has no such page.
            ReadError: it cannot be drawn within the budget.
        """
        if version.media_type != PDF:
            raise UsageError("only pages of a PDF can be drawn", hint="Read its text instead.", name=version.name)
        if not 1 <= page <= _MOST_PAGES:
            raise NotFound("the document has no such page", name=version.name, page=page)
        key = (version.corpus_id, version.version_id, page, width_px)
        pages, picture = self._pictures.get(key, lambda: self._draw(store, version, page, width_px))
        if not picture:
            raise NotFound("the document has no such page", name=version.name, page=page, pages=pages)
        return picture

    def _draw(self, store: Store, version: DocumentVersion, page: int, width_px: int) -> tuple[int, bytes]:
        from coditect.documents.sandbox.process import ReadingProcess

        raw = store.get_blob(version.corpus_id, version.raw_sha256, version.raw_bytes)
        with self._busy, ReadingProcess(self._budget) as process:
            return process.draw(raw, version.name, page, width_px)

    def _layout(self, store: Store, version: DocumentVersion) -> _Layout:
        stored = store.get_blob(version.corpus_id, version.layout_sha256, version.layout_bytes)
        source = version_source(version, "", stored)
        places = source.places
        if not places and version.media_type == PDF:
            places = self._read_again(store, version, source.pages)
        return _Layout(source.pages, places)

    def _read_again(self, store: Store, version: DocumentVersion, pages: Sequence[PageSpan]) -> str:
        """The places of words of a document that has none stored; "" where its file gives another text than is stored."""
        from coditect.documents.sandbox.process import ReadingProcess

        raw = store.get_blob(version.corpus_id, version.raw_sha256, version.raw_bytes)
        try:
            with self._busy, ReadingProcess(self._budget) as process:
                source = process.read(raw, version.name)
        except ReadError:
            return ""
        same = sha256_hex(source.text.encode()) == version.text_sha256 and source.pages == tuple(pages)
        return source.places if same else ""


_MOST_PAGES = 1_000_000
