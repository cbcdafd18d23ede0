"""Parts of an act that bind nobody by themselves: its recitals, and the words that it puts into another act.

The recitals of an act of the European Union say why it was made. They stand between "Whereas:" and the enacting formula; words of
force in them tell what the act is to bring about. Where an act amends another one, what it quotes is the other one's wording: a
duty of the law that is amended, and no provision of the text at hand. What a contract puts into itself in quotation marks is
another matter: its parties are bound by it.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence

from coditect.language.marks import Mark
from coditect.language.patterns.beginnings import quick
from coditect.language.patterns.deferred import deferred

__all__ = ["outside", "parts_apart"]

_WHEREAS = deferred(r"^[ \t]*Whereas:?[ \t]*$", re.MULTILINE | re.IGNORECASE)
# In capitals, or whole: a wrapped line of a contract may begin "have agreed".
_FORMULA = deferred(
    r"^[ \t]*(?:HA(?:VE|S)\s+(?:ADOPTED|DECIDED|AGREED)\b|Ha(?:ve|s)\s+adopted\s+this\s+(?:Regulation|Directive|Decision|Act)\b)",
    re.MULTILINE,
)
_AMENDED = (
    r"(?:Regulation|Directive|Decision|Act|Law|Code|Ordinance)s?\s+(?:\([A-Z, ]{2,15}\)\s*)?(?:No\.?\s*)?\d[\w/]*"
)
# "Regulation (EU) No 648/2012 is amended as follows:", "in Directive 2006/43/EC, point (a) is replaced by the following:"
_LEAD = quick(
    rf"\b{_AMENDED}\b[^.;‘“]{{0,200}}?\b(?:is|are)\s+(?:hereby\s+)?(?:amended|replaced|substituted|inserted|added)\b[^.;‘“]{{0,120}}:"
)
_QUOTED = deferred(
    r":\s*(?:‘(?P<single>[^‘]{20,20000}?)(?<=[.;:])’|“(?P<double>[^“]{20,20000}?)”)(?=[.;,]?\s*(?:\n|\Z|and\b))"
)
_NEXT_ARTICLE = deferred(r"^[ \t#*]*(?:Article|ARTICLE)\s+\d+\b", re.MULTILINE)
_NEAR = 400
"""Code points from what announces wording, or from wording before, to where it begins, at most."""

_SIGNS = 2
"""A closing quotation mark and a full stop, which may belong to the clause before them."""

_HINTS = ("hereas", "HEREAS", "mended", "eplaced", "nserted", "ubstituted", " added")


def parts_apart(text: str) -> tuple[tuple[int, int], ...]:
    """Where recitals of an act stand, and wording of another act that it quotes; in order.

    Args:
        text: the text of a whole document.
    """
    if not any(each in text for each in _HINTS):
        return ()
    found = []
    whereas = _WHEREAS.search(text)
    formula = _FORMULA.search(text, whereas.end()) if whereas else None
    if whereas and formula:
        found.append((whereas.end(), formula.start()))
    leads = [lead.end() for lead in _LEAD.finditer(text)]
    articles = [article.start() for article in _NEXT_ARTICLE.finditer(text)] if leads else []
    behind, reach = 0, 0
    for each in _QUOTED.finditer(text) if leads else ():
        before = bisect_right(leads, each.start() + 1)
        reach = reach if before == behind else leads[before - 1]
        behind = before
        is_near = before > 0 and each.start() - reach <= _NEAR
        if is_near and bisect_right(articles, leads[before - 1]) == bisect_right(articles, each.start()):
            found.append(each.span(each.lastgroup or 0))
            reach = each.end()
    return tuple(sorted(found))


def outside(norms: Sequence[Mark], apart: Sequence[tuple[int, int]]) -> list[Mark]:
    """The norms whose clause stands in none of those parts.

    Args:
        norms: of one sentence.
        apart: of :func:`parts_apart`.
    """
    return [each for each in norms if not any(lo < _end(each) <= hi + _SIGNS for lo, hi in apart)]


def _end(norm: Mark) -> int:
    """Where a norm's clause ends, which lies inside of a part even where its sentence begins in front of it."""
    clause = norm.data.get("clause")
    return int(str(clause["end"])) if isinstance(clause, dict) else norm.end
