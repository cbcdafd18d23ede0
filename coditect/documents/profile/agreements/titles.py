"""Titles by which an agreement says that it amends another one: "Amendment No. 2 to the Hosting Agreement"."""

from __future__ import annotations

import re

__all__ = ["amended_key", "title_key"]

_TITLE = re.compile(
    r"\b(?:amendment|addendum|supplement|variation|amending\s+agreement)\b[^:;]{0,40}?\bto\s+(?:the\s+)?(?P<name>.{4,120})",
    re.IGNORECASE | re.DOTALL,
)
_TAIL = re.compile(
    r"\s+(?:dated|made|entered\s+into|between|by\s+and|no\.?\s*\d)\b.*|[\s,.]+\Z", re.IGNORECASE | re.DOTALL
)


def amended_key(title: str) -> str:
    """What a title says that its document amends, as :func:`title_key` has it; "" where it amends nothing.

    Args:
        title: of a document.
    """
    named = _TITLE.search(title)
    return title_key(named["name"]) if named else ""


def title_key(title: str) -> str:
    """A title as it is compared: its words, without the day and the parties behind it.

    Args:
        title: of a document.
    """
    return " ".join(re.findall(r"\w+", _TAIL.sub("", title).casefold()))
