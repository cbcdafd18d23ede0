"""Addresses of the explorer's pages: made of content ids, so that a link that somebody keeps leads to the same words for ever."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import quote, urlencode

__all__ = ["PageLinks", "corpus_of", "segment_of"]

_ESCAPED = re.compile(r"~([0-9A-F]{2})")


def segment_of(corpus_id: str) -> str:
    """A corpus id as one segment of a path, whatever characters it has.

    Slashes and tildes, and ids that are only dots, are written ``~2F``: proxies and browsers read an encoded slash or ".." in a
    path in ways of their own.
    """
    plain = corpus_id.replace("~", "~7E").replace("/", "~2F").replace("\\", "~5C")
    if not plain.strip("."):
        plain = plain.replace(".", "~2E")
    return quote(plain, safe="~")


def corpus_of(segment: str) -> str:
    """The corpus id in a segment, as the server has decoded it."""
    return _ESCAPED.sub(lambda found: chr(int(found[1], 16)), segment)


@dataclass(frozen=True, slots=True)
class PageLinks:
    """Makes addresses of one corpus' pages.

    Attributes:
        root: path of the explorer, without a slash at its end.
        corpus_id: the corpus; "" on the page that lists them.
        as_of: the generation that the visitor asked for; None: the current one, whatever that is.
    """

    root: str
    corpus_id: str = ""
    as_of: int | None = None

    def at(self, generation: int | None) -> PageLinks:
        """The same links of another generation; None is the current one."""
        return replace(self, as_of=generation)

    def to(self, *parts: str, anchor: str = "", **query: object) -> str:
        """The address of a page of the corpus.

        Args:
            parts: of its path, below the corpus.
            anchor: an element of the page.
            query: parameters; those that are None, "", () or False are left out, and a tuple is repeated.
        """
        path = "/".join((self.root, "c", segment_of(self.corpus_id), *(quote(each, safe="~") for each in parts)))
        return path + _query({**query, "as_of": self.as_of}) + (f"#{quote(anchor)}" if anchor else "")

    @property
    def corpora(self) -> str:
        """The list of corpora."""
        return f"{self.root}/"

    def asset(self, name: str, digest: str) -> str:
        """A file of the explorer's own; its digest in the address lets browsers keep it."""
        return f"{self.root}/assets/{quote(name)}?v={digest}"

    def item(self, item_id: str, *more: str, **query: Any) -> str:  # noqa: ANN401 - parameters of an address
        """An item of any tier."""
        return self.to("items", item_id, *more, **query)

    def place(self, version_id: str, start: int, end: int, **query: Any) -> str:  # noqa: ANN401 - as above
        """Some words of a version of a document, highlighted where they stand: half-open code points."""
        return self.to("documents", version_id, span=f"{start}-{end}", anchor="here", **query)

    def document(self, version_id: str, *more: str, anchor: str = "", **query: Any) -> str:  # noqa: ANN401 - as above
        """A version of a document."""
        return self.to("documents", version_id, *more, anchor=anchor, **query)


def _query(values: dict[str, object]) -> str:
    pairs: list[tuple[str, str]] = []
    for name, value in values.items():
        if value is None or value is False or value in ("", ()):
            continue
        several = value if isinstance(value, tuple | list) else (value,)
        pairs += [(name, "yes" if each is True else str(each)) for each in several]
    return f"?{urlencode(pairs)}" if pairs else ""
