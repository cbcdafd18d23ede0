"""What a file holds beside the text that its readers see: hidden text, tracked changes, comments; counted while it is read."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

__all__ = ["Unseen", "UnseenKind", "holds_proposals", "raised"]

UnseenKind = Literal["inserted", "deleted", "struck", "hidden", "faint", "template", "noscript", "comment"]

_TOLD: dict[UnseenKind, str] = {
    "inserted": "text of tracked insertions is read, as if they were accepted",
    "deleted": "text of tracked deletions is left out, as if they were accepted",
    "struck": "text that is struck through is left out, as what its author took out",
    "hidden": "hidden text is left out",
    "faint": "text in white is read, though it may not be seen",
    "template": "text of <template> is left out",
    "noscript": "text of <noscript> is left out",
    "comment": "text of comments is left out",
}
_SHOWN = 40
"""Characters of the first such text that a warning repeats, at most."""

_NAMED = 3
"""Authors of changes that a warning names, at most."""

_RAISED = str.maketrans("0123456789()", "⁰¹²³⁴⁵⁶⁷⁸⁹⁽⁾")


def holds_proposals(warnings: Iterable[str]) -> bool:
    """Whether the warnings of a file say that tracked insertions are read in it, which nobody accepted."""
    return any(each.startswith(_TOLD["inserted"]) for each in warnings)


class Unseen:
    """A tally of text by why it is not seen, for the warnings of one file."""

    def __init__(self) -> None:
        self._lengths: dict[UnseenKind, int] = {}
        self._firsts: dict[UnseenKind, str] = {}
        self._by: dict[UnseenKind, dict[str, None]] = {}

    def add(self, kind: UnseenKind, text: str, by: str = "") -> None:
        """Count a piece of text; white space alone is none. ``by``: who did it and when, as it is told."""
        words = " ".join(text[: 4 * _SHOWN].split())
        if not words and not text.strip():
            return
        if by:
            self._by.setdefault(kind, {})[by] = None
        self._lengths[kind] = self._lengths.get(kind, 0) + len(text)
        first = self._firsts.get(kind, "")
        if len(first) <= _SHOWN:
            self._firsts[kind] = f"{first} {words}".strip()

    def warnings(self) -> tuple[str, ...]:
        """A sentence for each kind that was met, with the number of characters and the first of them."""
        return tuple(
            f"{told}: {self._lengths[kind]} characters, beginning “{_shortened(self._firsts[kind])}”"
            f"{self._told_by(kind)}"
            for kind, told in _TOLD.items()
            if kind in self._lengths
        )

    def _told_by(self, kind: UnseenKind) -> str:
        """Who did it and when: the first of them, and how many others."""
        by = list(self._by.get(kind, ()))
        more = f" and {len(by) - _NAMED} more" if len(by) > _NAMED else ""
        return f"; by {'; '.join(by[:_NAMED])}{more}" if by else ""


def _shortened(words: str) -> str:
    return words if len(words) <= _SHOWN else words[:_SHOWN].rstrip() + "…"


def raised(text: str) -> str:
    """Raised digits as the characters that print so: the mark of a note must not become the end of the number before it.

    Args:
        text: set as superscript, of any characters.

    Returns:
        The same characters, where they are not digits alone (in brackets or not).
    """
    bare = text.strip("()")
    return text.translate(_RAISED) if bare.isascii() and bare.isdigit() else text
