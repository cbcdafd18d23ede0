"""Why a sentence that has words of a part in common is of a matter nearby, and no evidence of it.

A sentence that meets a part, or is weaker or stricter than it, has all that counts and is not asked. Of what has less, most that
reads like evidence and is none speaks of something else by the same general words: "wireless access is managed" beside "remote
access is managed", "data are restored" beside "data at rest are protected".
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache

from coditect.language.reading.equivalents import has_equivalent
from coditect.language.reading.sentence import SentenceReading, Token, read_sentence
from coditect.language.tables import read_table
from coditect.verify.alignment.matching import weight_of
from coditect.verify.requirements.demand import Demand
from coditect.verify.requirements.measures import Common
from coditect.verify.requirements.sides import SaidByPolicy
from coditect.verify.requirements.terms import PLAIN, as_compared, listed_words

__all__ = ["is_of_another_thing", "says_too_little"]

_SURE = 1.0
"""What a sentence that only mentions a part says of it, and how probable it is that its document speaks to it, at least, in sum."""

_SHARE = 0.6
_FEW = 2
"""Share of a part that a sentence has to say where it has the act and lacks the part's own object, or words in common beyond these:
the act and a general word of its object are not enough."""


def is_of_another_thing(
    demand: Demand, said: SaidByPolicy, sentence: SentenceReading, common: Common, *, acts: bool
) -> bool:
    """Whether a sentence lacks what tells the part's own object from others, or does its act to something narrower and other.

    Args:
        demand: the part, taken apart.
        said: the sentence.
        sentence: its words as they are compared.
        common: what both have in common.
        acts: whether it has an act of the part; then it is of another thing only where it lacks much else.
    """
    if _lacks_state(demand, said, sentence):
        return True
    if acts and (common.told >= _SHARE or common.common > _FEW):
        return False
    return _lacks_kind(demand, said, sentence, common) or (acts and not common.sided and bool(common.narrower))


def says_too_little(said: SaidByPolicy, sentence: SentenceReading, common: Common) -> bool:
    """Whether a sentence without the part's act says too little to be a mention, or only as the case in which something else holds.

    Args:
        said: the sentence.
        sentence: its words as they are compared.
        common: what both have in common.
    """
    return common.told + said.likely < _SURE or _is_case(sentence, common)


def _lacks_kind(demand: Demand, said: SaidByPolicy, sentence: SentenceReading, common: Common) -> bool:
    """Whether of the words that tell which kind of thing is meant none is there: "vulnerability management" before "plan".

    "This policy" is of the kind that its title tells, and another word may tell the kind itself: "logs" for "audit records".
    """
    tokens, head = demand.reading.tokens, demand.head
    run = next((each for each in demand.terms if head in each), ())
    kinds = [n for n in run if n != head and weight_of(tokens[n]) >= 1.0 and tokens[n].key not in PLAIN]
    if head is None or not kinds or head not in common.forth:
        return False
    at = common.forth[head]
    if sentence.tokens[at].key != tokens[head].key or (at and sentence.tokens[at - 1].low == "this"):
        return False
    around = read_sentence(as_compared(said.around)).keys
    return not any(n in common.forth or has_equivalent(tokens[n].key, around) for n in kinds)


def _lacks_state(demand: Demand, said: SaidByPolicy, sentence: SentenceReading) -> bool:
    """Whether a part is about data in one state, and neither a sentence nor what is above it speaks of any such."""
    asked = {state for state in _states() if _is_in(demand.reading.tokens, state)}
    if not asked:
        return False
    words = {each.low for each in (*sentence.tokens, *read_sentence(as_compared(said.around)).tokens)}
    return not any(words & _states()[state] for state in asked)


def _is_in(tokens: Sequence[Token], state: str) -> bool:
    return any(each.low == state and n and tokens[n - 1].low in ("in", "at") for n, each in enumerate(tokens))


@cache
def _states() -> Mapping[str, frozenset[str]]:
    groups = read_table("acts").groups("held_in_state")
    return {name: frozenset(group) for group in groups for name in group if name in listed_words("states_of_data")}


def _is_case(sentence: SentenceReading, common: Common) -> bool:
    """Whether all that is in common stands in the condition that a sentence begins with."""
    tokens = sentence.tokens
    if not tokens or tokens[0].role != "condition":
        return False
    end = next((n for n, each in enumerate(tokens) if n and each.comma), 0)
    return bool(end) and all(at < end for at in common.forth.values() if tokens[at].has_substance)
