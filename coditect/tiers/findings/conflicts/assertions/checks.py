"""Checks that items of lists name without a verb, with how often each is due: "Quarterly access reviews"."""

from __future__ import annotations

import re
from fractions import Fraction

from coditect.language.finite_verbs import has_finite_verb
from coditect.language.patterns.beginnings import quick
from coditect.language.tables import read_table
from coditect.language.terms import stem
from coditect.tiers.findings.conflicts.lines import Assertion, line_of
from coditect.tiers.findings.measures import canonical

__all__ = ["checks_of"]

_TIME = read_table("time")
_A_YEAR = {word: float(Fraction(times)) for word, times in _TIME.mapping("times_a_year").items()}
_CHECK = quick(
    r"\A(?:[-*•–]\s+|\(?\w{1,3}[.)]\s+)?\W{0,3}"
    rf"(?P<often>{'|'.join(map(re.escape, sorted(_A_YEAR, key=len, reverse=True)))})\s+"
    rf"(?P<of>(?:(?!(?:of|and|or|for|to|in|on|by|with|the|a)\s)[a-z-]+\s+){{1,4}}?)(?P<act>{_TIME.pattern('recurring_checks')})\b(?P<rest>[^.;:|]*)\.?\W{{0,3}}\Z",
    re.IGNORECASE,
)
_ASIDE = re.compile(r"\s*\([^()]*\)")
_MOST = 160
"""Characters of an item, at most."""


def checks_of(text: str) -> tuple[Assertion, ...]:
    """The check that an item names, and how often it is due; the words of what is checked are what it is held against others by.

    Args:
        text: a sentence; one with a verb tells its interval by that verb.
    """
    if len(text) > _MOST:
        return ()
    line = _ASIDE.sub("", line_of(text))
    found = _CHECK.match(line)
    if found is None or has_finite_verb(line, 0, len(line)):
        return ()
    act = found["act"].casefold()
    head = canonical(stem(act))
    often = found["often"]
    return (Assertion("frequency", head, often, _A_YEAR[often.casefold()], act, found["of"].strip()),)
