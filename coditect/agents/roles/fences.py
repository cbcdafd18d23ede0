"""Fences around text that others wrote: it cannot close them, and what it says inside is data.

Every request has one code, a hash of all the text that it fences, and the names of its tags end in it. A document cannot
contain the hash of what it is part of; should it, another code is taken. Whether it *addresses* a model is told by
:func:`addresses_model`, a small list of phrasings that a verdict must not rest on.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from coditect.documents.readers.canonical import canonicalize
from coditect.language.matched import as_matched
from coditect.schemas.record import canonical_json, sha256_hex

__all__ = ["CODE_DIGITS", "Fence", "addresses_model", "one_line"]

CODE_DIGITS = 16

_ADDRESS = re.compile(
    r"\b(?:ignor|disregard|forget|overrid|bypass)\w*\s+(?:\w+\s+){0,3}?(?:instruction|prompt|rule|guideline)s?\b(?!\s+of\s+this)"
    r"|\b(?:mark|report|rate|label|classify|treat)\s+(?:everything|(?:all|every|this|the|any|each)\s+(?:claim|statement|answer)s?)\s+"
    r"(?:(?:as|to\s+be|fully)\s+){0,2}[\"'“‘`]?(?:supported|compliant|true|valid|approved)\b"
    r"|\b(?:system|developer)\s+prompt\b"
    r"|\b(?:you\s+are|as)\s+(?:now\s+)?an?\s+(?:\w+\s+){0,2}(?:assistant|language\s+model|llm|chatbot)\b"
    r"|\b(?:answer|respond|reply|return|output)\s+(?:only\s+)?(?:with\s+)?[\"'“‘`]?supported\b",
    re.IGNORECASE,
)
_HARMLESS = str.maketrans('"<>', "'‹›")


@dataclass(frozen=True, slots=True)
class Fence:
    """Tags that close only where we close them.

    Attributes:
        code: 16 hex digits that none of the fenced texts contains.
    """

    code: str

    @classmethod
    def around(cls, texts: Iterable[str]) -> Fence:
        """The fence for these texts, the same for the same texts."""
        fenced = tuple(texts)
        code = sha256_hex(canonical_json(fenced))[:CODE_DIGITS]
        while any(code in text for text in fenced):
            code = sha256_hex(code.encode())[:CODE_DIGITS]
        return cls(code)

    def wrap(self, tag: str, text: str, **attributes: str | int) -> str:
        """``text`` between tags, on lines of its own and otherwise as it is.

        Args:
            tag: lower-case letters.
            text: one of those that the fence was made for.
            **attributes: for the opening tag; strings lose line ends, quotation marks and angle brackets.
        """
        shown = "".join(f' {name}="{_attribute(value)}"' for name, value in attributes.items())
        return f"<{tag}-{self.code}{shown}>\n{text}\n</{tag}-{self.code}>"


def one_line(text: str, most: int = 0) -> str:
    """``text`` in canonical characters, its white space collapsed, cut to ``most`` code points where that is not 0."""
    line = " ".join(canonicalize(text).split())
    return line if not most or len(line) <= most else line[: most - 1].rstrip() + "…"


def addresses_model(text: str) -> str:
    """The first words of ``text`` that speak to a model rather than to people, or ""."""
    found = _ADDRESS.search(as_matched(text))
    return found.group() if found else ""


def _attribute(value: str | int) -> str:
    return one_line(str(value), 200).translate(_HARMLESS)
