"""What a definition says in the items below it: "Tank means a vessel that: (1) is closed; and (2) holds water."."""

from __future__ import annotations

import re

__all__ = ["items_below", "opens_items"]

_OPEN = re.compile(r"(?:[:—–]|\b(?:means?|includes?|excludes?))[\s*]*\Z")
_ITEM = re.compile(
    r"\s*\n\s*(?P<item>(?P<label>\((?:[a-z]{1,5}|[A-Z]{1,4}|\d{1,3})\)|[-•*–]|\d{1,2}[.)]|[a-z][.)])[ \t\xa0]+\S[^\n]*"
    r"(?:\n(?![ \t]*\n|[ \t]*(?:\(\w{1,5}\)|[-•*–]|\d{1,2}[.)]|[a-z][.)])[ \t\xa0])[^\n]+)*)"
)
_GOES_ON = re.compile(r"(?:[;,:]|\b(?:and|or))\s*\Z")
_ROMAN = ("i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix", "x", "xi", "xii")
_MOST_ITEMS = 40
_MOST = 4_000


def opens_items(words: str) -> bool:
    """Whether words of a definition leave what they mean to items below: "a vessel that:", "Quay includes:"."""
    return _OPEN.search(words) is not None


def items_below(text: str, at: int) -> str:
    """The items that stand below a place, verbatim on one line, up to the one that ends the sentence; "" for none.

    Args:
        text: the text.
        at: one past the words that lead into them.
    """
    found: list[str] = []
    end = min(len(text), at + _MOST)
    while len(found) < _MOST_ITEMS and (item := _ITEM.match(text, at, end)) is not None:
        found.append(" ".join(item["item"].split()))
        at = item.end()
        follows = _ITEM.match(text, at, end) if _GOES_ON.search(found[-1]) is None else None
        if follows is not None and not _is_next(item["label"], follows["label"]):
            break
    return " ".join(found)


def _is_next(label: str, other: str) -> bool:
    """Whether a label follows another in its row: "(ii)" behind "(i)", "2." behind "1."; it tells items that end as sentences."""
    one, two = label.strip("().").casefold(), other.strip("().").casefold()
    if one.isdigit() and two.isdigit():
        return int(two) == int(one) + 1
    if one in _ROMAN and two in _ROMAN and _ROMAN.index(two) == _ROMAN.index(one) + 1:
        return True
    return len(one) == len(two) == 1 and one.isalpha() and two.isalpha() and ord(two) == ord(one) + 1
