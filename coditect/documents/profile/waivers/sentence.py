"""What a sentence says of an exception: that one was made, or which rule there is for all of them."""

from __future__ import annotations

from coditect.documents.profile.waivers.facts import WaiverFact
from coditect.documents.profile.waivers.general import read_rule
from coditect.documents.profile.waivers.granting import read_waiver

__all__ = ["waiver_fact"]

_STEMS = ("except", "exempt", "waiv", "dispens", "derogat", "deviat", "varianc", "concession", "forbear", "relie", "excus", "risk", "compensating", "releas")
"""Parts of words of which a sentence holds one, if there is anything to be read in it."""


def waiver_fact(text: str) -> WaiverFact | None:
    """The exception that a sentence tells of, or the rule about exceptions that it is; None for any other sentence.

    Args:
        text: the sentence, canonical.
    """
    said = text.casefold()
    if not any(each in said for each in _STEMS):
        return None
    return read_waiver(text) or read_rule(text)
