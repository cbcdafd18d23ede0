"""The words that bind a number: "at least", "no later than", "or more"."""

from __future__ import annotations

import re

__all__ = ["comparator_before", "or_more"]

_I = re.IGNORECASE
_WINDOW = 48

# What stands before a number and says how it binds. Longest first; the value is (comparator, is it a time limit).
_COMPARATORS: tuple[tuple[str, str, bool], ...] = (
    (r"(?:no|not) later than", "within", True),
    (r"(?:no|not) (?:more|longer|greater) than", "at_most", False),
    (r"(?:no|not) (?:less|fewer) than", "at_least", False),
    (r"(?:not (?:to )?exceed(?:ing)?|up to|at most|(?:a )?maximum(?: period)?(?: of)?|as much as)", "at_most", False),
    (r"(?:at least|(?:a )?minimum(?: period)?(?: of)?|as (?:few|little) as)", "at_least", False),
    (r"(?:less|fewer|shorter|lower|earlier) than|below|under", "less_than", False),
    (r"(?:more|greater|longer|later|higher) than|(?:in )?excess of|exceed(?:s|ing)?|over|above", "more_than", False),
    (r"within", "within", True),
    (r"exactly|equal to|precisely", "exactly", False),
)
_BEFORE = re.compile(
    "(?:" + "|".join(f"(?P<c{i}>\\b(?:{p}))" for i, (p, _, _) in enumerate(_COMPARATORS)) + ")"
    r"(?:\s+(?:the|a|an|any|such|that|approximately|about|period|first|next|last|additional|following|of))*\s*$",
    _I,
)
_AFTER_MORE = re.compile(
    r"\s+or\s+(?:(?P<more>more|longer|greater|older|over)|(?P<less>less|fewer|shorter|lower|under))\b", _I
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
