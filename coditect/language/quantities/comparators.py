"""The words that bind a number: "at least", "no later than", "or more"."""

from __future__ import annotations

import re

from coditect.language.patterns.beginnings import quick
from coditect.language.tables import read_table

__all__ = ["comparator_before", "or_more"]

_I = re.IGNORECASE
_WINDOW = 48
_QUANTITIES = read_table("quantities")

# What stands before a number and says how it binds. Longest first; the value is (comparator, is it a time limit).
_COMPARATORS: tuple[tuple[str, str, bool], ...] = tuple(
    (_QUANTITIES.pattern(entry, space=" "), name, limit)
    for entry, name, limit in (
        ("no_later_than", "within", True),
        ("no_more_than", "at_most", False),
        ("no_less_than", "at_least", False),
        ("at_most", "at_most", False),
        ("at_least", "at_least", False),
        ("less_than", "less_than", False),
        ("more_than", "more_than", False),
        ("within", "within", True),
        ("exactly", "exactly", False),
    )
)
_BEFORE = quick(
    "(?:" + "|".join(f"(?P<c{i}>\\b(?:{p}))" for i, (p, _, _) in enumerate(_COMPARATORS)) + ")"
    rf"(?:\s+(?:{_QUANTITIES.pattern('between')}))*\s*$",
    _I,
)
_AFTER_MORE = re.compile(
    rf"\s+or\s+(?:(?P<more>{_QUANTITIES.pattern('or_more')})|(?P<less>{_QUANTITIES.pattern('or_less')}))\b", _I
)


def comparator_before(text: str, lo: int, at: int) -> tuple[str, int, bool]:
    """The comparator that ends right before ``at``.

    Args:
        text: the canonical text.
        lo: do not look further left than this.
        at: where the number starts.

    Returns:
        The normalised comparator or "", where its words start (``at`` if none), and whether it sets a time limit.
    """
    window = max(lo, at - _WINDOW)
    match = _BEFORE.search(text, window, at)
    if match is None or match.end() != at:
        return "", at, False
    for number, (_, name, limit) in enumerate(_COMPARATORS):
        if match.group(f"c{number}") is not None:
            return name, match.start(), limit
    return "", at, False


def or_more(text: str, at: int, end: int) -> tuple[str, int]:
    """Read "or more" or "or less" right after a quantity.

    Args:
        text: the canonical text.
        at: where the quantity ends.
        end: do not read beyond this.

    Returns:
        "at_least", "at_most" or "", and where the words end (``at`` if there are none).
    """
    match = _AFTER_MORE.match(text, at, end)
    if match is None:
        return "", at
    return ("at_least" if match["more"] else "at_most"), match.end()
