"""Exceptions that only whoever profits from them tells of, and that somebody else is asked to confirm: requests."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from coditect.documents.profile.waivers.facts import TABLE, WaiverFact

__all__ = ["as_asked"]

_ASKING = re.compile(
    rf"\b(?:{TABLE.pattern('asking')})\s+(?:{TABLE.pattern('deciding')})\b(?!\s+(?:{TABLE.pattern('asking_otherwise')})\b)"
    rf"|\b(?:{TABLE.pattern('awaiting')})\s+(?:\w+\s+)?(?:{TABLE.pattern('decision')})\b",
    re.IGNORECASE,
)
"""A reader is asked to decide; who is asked to confirm a receipt was told of a decision."""


def as_asked(fact: WaiverFact, near: Iterable[str]) -> WaiverFact:
    """An exception as it was read, or as one that was asked for: where nobody is named who granted it, and a reader is asked to.

    Args:
        fact: what was read of a sentence.
        near: the sentence and its neighbours.
    """
    if fact.decision != "granted" or fact.by:
        return fact
    asks = any(_ASKING.search(each) for each in near)
    return replace(fact, decision="requested") if asks else fact
