"""From offsets in the file that the product reads back to offsets in the set's document."""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass

from coditect.documents.readers.canonical import canonicalize
from coditect.errors import SchemaError
from coditect_benchmarks.retrieval.formats import Document

__all__ = ["Alignment"]

# Plain runs stay as they are. All else is made canonical with the plain character before it, which a combining mark may
# join, and the line feed behind it, which a carriage return may.
_PIECE = re.compile(r"[ -~\t\n]?[^ -~\t\n]+\n?|[ -~\t\n]+?(?=[ -~\t\n]?[^ -~\t\n])|[ -~\t\n]+")


@dataclass(frozen=True, slots=True)
class Alignment:
    """A document as the product is given it.

    Attributes:
        text: canonical; begins with the document's title where it has one that its text does not begin with.
        starts: where pieces begin in ``text``, ascending.
        origins: where they begin in the document.
        exact: whether a piece is the same in both, so that offsets inside it can be told.
    """

    text: str
    starts: tuple[int, ...]
    origins: tuple[int, ...]
    exact: tuple[bool, ...]
    length: int

    @classmethod
    def of(cls, document: Document) -> Alignment:
        """Make a document canonical and remember where its parts went.

        Raises:
            SchemaError: the parts made canonical are not the whole made canonical.
        """
        title = canonicalize(" ".join(document.title.split()))
        prefix = f"{title}\n\n" if title and not document.text.lstrip().startswith(document.title) else ""
        starts, origins, exact, parts = [0], [0], [False], [prefix]
        position = len(prefix)
        for piece in _PIECE.finditer(document.text):
            part = canonicalize(piece.group())
            starts.append(position)
            origins.append(piece.start())
            exact.append(part == piece.group())
            parts.append(part)
            position += len(part)
        text = "".join(parts)
        if text != prefix + canonicalize(document.text):
            raise SchemaError("a document's text cannot be aligned with its canonical form", document=document.id)
        return cls(text, tuple(starts), tuple(origins), tuple(exact), len(document.text))

    def original(self, offset: int) -> int:
        """An offset into ``text`` as one into the document: inside a piece that changed, where that piece begins.

        Args:
            offset: 0..len(text).
        Returns:
            0..length of the document, not decreasing with ``offset``.
        """
        if offset >= len(self.text):
            return self.length
        at = bisect_right(self.starts, offset) - 1
        return min(self.length, self.origins[at] + (offset - self.starts[at] if self.exact[at] else 0))
