"""To whom a sentence has something told, where its part binds others and names nobody: two notices of one event are two duties.

"Carriers shall report losses within 10 days" is no duty to tell each passenger, and a longer time for that falls short of nothing.
"""

from __future__ import annotations

import re

from coditect.language.reading.sentence import SentenceReading
from coditect.language.reading.stems import canonical_stem
from coditect.verify.requirements.demand import Demand
from coditect.verify.requirements.measures import Common
from coditect.verify.requirements.sides import AskedByPart
from coditect.verify.requirements.terms import act_of, as_compared

__all__ = ["is_told_to_others"]

_WORD = re.compile(r"[a-z]{3,}")
_OF = frozenset(("of", "about", "regarding", "on"))
"""What joins to who is told of what: "notify each passenger of a loss"."""


def is_told_to_others(asked: AskedByPart, demand: Demand, sentence: SentenceReading, common: Common) -> bool:
    """Whether somebody else than a part binds has to tell somebody whom the part does not name.

    Args:
        asked: the part; who is bound by it has to be known.
        demand: the same, taken apart.
        sentence: of a document, as it is compared.
        common: what both have in common.
    """
    acts = [n for n in demand.acts if n in common.forth and act_of(demand.reading.tokens[n].key) == act_of(_TELL)]
    if not asked.wording.bound or not acts:
        return False
    doers = {canonical_stem(each) for each in _WORD.findall(as_compared(asked.wording.bound).casefold())}
    tokens, verb = sentence.tokens, common.forth[acts[0]]
    if any(each.key in doers for each in tokens[:verb]):
        return False
    thing = common.forth.get(demand.head, verb) if demand.head is not None else verb
    between = tokens[verb + 1 : thing]
    if not any(each.low in _OF for each in between):
        return False
    return not any(each.has_substance and each.key in demand.reading.keys for each in between)


_TELL = canonical_stem("notify")
