"""Whether a sentence with a weaker bound than a part's falls short of it, and is not on another thing, or told to others."""

from __future__ import annotations

from coditect.language.reading.sentence import read_sentence
from coditect.verify.alignment.matching import weight_of
from coditect.verify.requirements.demand import Demand
from coditect.verify.requirements.doubts import HELD
from coditect.verify.requirements.laid_down.addressees import is_told_to_others
from coditect.verify.requirements.measures import Common
from coditect.verify.requirements.sides import AskedByPart

__all__ = ["falls_short"]


def falls_short(asked: AskedByPart, demand: Demand, text: str, common: Common) -> bool:
    """Whether a weaker bound is one of the same duty: of the same thing, and told to the same people.

    Args:
        asked: the part.
        demand: the same, taken apart.
        text: of the sentence, as it is compared.
        common: what both have in common.
    """
    return _is_of_one_matter(demand, text, common) and not is_told_to_others(asked, demand, read_sentence(text), common)


def _is_of_one_matter(demand: Demand, text: str, common: Common) -> bool:
    """Whether a sentence does what a part asks to the same thing, so that a weaker bound of its own falls short of it.

    "User access is reviewed every year" is no looser than "privileged access is reviewed quarterly": it does not say so much. And
    "audit logs" are other records than "the documentation" of something.
    """
    if not (common.acts == 1.0 and common.sided and common.told >= HELD):
        return False
    if demand.head is None:
        return True
    tokens, at = read_sentence(text).tokens, common.forth[demand.head]
    if tokens[at].key == demand.reading.tokens[demand.head].key:
        return not (common.narrower and _has_more(demand, common))
    is_kind = at > 0 and tokens[at - 1].has_substance and at - 1 not in common.forth.values()
    return not (common.narrower or is_kind)


def _has_more(demand: Demand, common: Common) -> bool:
    """Whether a part says of its object what a sentence does not: "keys of all tenants", "keys of visitors"."""
    tokens = demand.reading.tokens
    return any(
        n not in common.forth and tokens[n].role == "word" and (tokens[n].actor or weight_of(tokens[n]) >= 1.0)
        for n in demand.telling
        if n not in demand.acts
    )
