"""What a sentence says of an exception: that one was made, or which rule there is for all of them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace

from coditect.documents.profile.waivers.cues import supposed
from coditect.documents.profile.waivers.excusing import read_excused, read_instead, read_risk, read_waived
from coditect.documents.profile.waivers.facts import WaiverFact
from coditect.documents.profile.waivers.general import read_rule
from coditect.documents.profile.waivers.granting import read_active, read_passive, read_standing
from coditect.documents.profile.waivers.parts import condition_of
from coditect.documents.profile.waivers.times import BLOT, masked

__all__ = ["waiver_fact"]

_LONGEST = 5_000
"""Code points of a sentence that are read: what is longer is a list or a table that no reader parted."""

_STEMS = (
    "except", "exempt", "waiv", "dispens", "derogat", "deviat", "varianc", "concession", "forbear", "relie", "excus",
    "risk", "compensating", "releas",
)  # fmt: skip
"""Parts of words of which a sentence holds one, if there is anything to be read in it."""

_READERS: tuple[Callable[[str, str], Iterator[WaiverFact]], ...] = (
    read_instead, read_waived, read_excused, read_active, read_passive, read_risk, read_standing,
)  # fmt: skip
"""In the order in which they are asked: the first that finds something is heard."""


def waiver_fact(text: str) -> WaiverFact | None:
    """The exception that a sentence tells of, or the rule about exceptions that it is; None for any other sentence.

    Args:
        text: the sentence, canonical.
    """
    text = text[:_LONGEST]
    said = text.casefold()
    if not any(each in said for each in _STEMS):
        return None
    return _granted(text) or read_rule(text)


def _granted(text: str) -> WaiverFact | None:
    plain = masked(text)
    for reader in _READERS:
        for fact in reader(plain, text):
            if not supposed(plain, fact):
                return replace(
                    fact,
                    holder=_printed(fact.holder, text),
                    provision=_printed(fact.provision, text),
                    by=_printed(fact.by, text),
                    condition=fact.condition or condition_of(text),
                )
    return None


def _printed(said: str, text: str) -> str:
    """Words as they are printed, with the dates in them that were blotted out."""
    if BLOT not in said:
        return said
    pattern = re.sub(f"{BLOT}+", ".+?", re.escape(said).replace("\\ ", r"\s+"))
    found = re.search(rf"{pattern}(?!\w)", text)
    return " ".join(found[0].split()) if found else said.replace(BLOT, "").strip()
