"""What a file holds beside the text that its readers see: hidden text, tracked changes, comments; counted while it is read."""

from __future__ import annotations

from typing import Literal

__all__ = ["Unseen", "UnseenKind", "raised"]

UnseenKind = Literal["inserted", "deleted", "hidden", "faint", "template", "noscript", "comment"]

_TOLD: dict[UnseenKind, str] = {
    "inserted": "text of tracked insertions is read, as if they were accepted",
    "deleted": "text of tracked deletions is left out, as if they were accepted",
    "hidden": "hidden text is left out",
    "faint": "text in white is read, though it may not be seen",
    "template": "text of <template> is left out",
    "noscript": "text of <noscript> is left out",
    "comment": "text of comments is left out",
}
_SHOWN = 40
"""Characters of the first such text that a warning repeats, at most."""

_RAISED = str.maketrans("0123456789()", "⁰¹²³⁴⁵⁶⁷⁸⁹⁽⁾")


class Unseen:
    """A tally of text by why it is not seen, for the warnings of one file."""

    def __init__(self) -> None:
        self._lengths: dict[UnseenKind, int] = {}
        self._firsts: dict[UnseenKind, str] = {}

    def add(self, kind: UnseenKind, text: str) -> None:
        """Count a piece of text; white space alone is none."""
        words = " ".join(text[: 4 * _SHOWN].split())
        if not words and not text.strip():
            return
        self._lengths[kind] = self._lengths.get(kind, 0) + len(text)
        first = self._firsts.get(kind, "")
        if len(first) <= _SHOWN:
            self._firsts[kind] = f"{first} {words}".strip()

    def warnings(self) -> tuple[str, ...]:
        """A sentence for each kind that was met, with the number of characters and the first of them."""
        return tuple(
            f"{told}: {self._lengths[kind]} characters, beginning “{_shortened(self._firsts[kind])}”"
            for kind, told in _TOLD.items()
            if kind in self._lengths
        )


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
