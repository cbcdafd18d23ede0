"""Which version of Tier 4 made a claim, and by which wording it is therefore told."""

from __future__ import annotations

import re

__all__ = ["BY_RELATION", "CLAIMS_VERSION", "TODAY", "wording_of"]

CLAIMS_VERSION = "tier4/17"
"""Of Tier 4: what is told, and in which words."""

TODAY = int(CLAIMS_VERSION.partition("/")[2])
"""The wording of what is built now."""

BY_RELATION = 17
"""The wording from which on a claim says how statements at odds are related, and of dates no more than they show (ADR 155)."""

_TIER_4 = re.compile(r"(?:^|\s)tier4/(\d+)(?=\s|$)")


def wording_of(code_version: str) -> int:
    """The wording of the claims that a step made: the number of its Tier 4; today's where it names none.

    Args:
        code_version: of the derivation of a summary: "conflicts/13 … tier4/16 topics/2".
    """
    named = _TIER_4.search(code_version)
    return int(named[1]) if named else TODAY
