"""Fences around words of documents, so that whoever reads them with instructions in hand takes them as data.

A fence is named by the beginning of the SHA-256 of what it holds. No text holds its own hash, so no document can end its fence
early, or begin one that is not its own.
"""

from __future__ import annotations

import hashlib
import re

__all__ = ["fenced", "unfenced"]

DIGITS = 16
"""Hex digits of the hash: 64 bits, which nobody hits by trying texts."""

_FENCE = re.compile(r"<data ([0-9a-f]{16})>\n(.*)\n</data \1>", re.DOTALL)


def fenced(text: str) -> str:
    """Words of a document between two lines that name them by their hash.

    Args:
        text: verbatim; "" stays as it is.
    """
    if not text:
        return ""
    name = _name(text)
    return f"<data {name}>\n{text}\n</data {name}>"


def unfenced(text: str) -> str:
    """The words in a fence.

    Raises:
        ValueError: there is no fence, or it is not that of these words.
    """
    found = _FENCE.fullmatch(text)
    if found is None or _name(found[2]) != found[1]:
        raise ValueError("not words in their own fence")
    return found[2]


def _name(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:DIGITS]
