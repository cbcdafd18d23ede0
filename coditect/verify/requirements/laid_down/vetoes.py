"""What no reader may call met, whatever it finds: rules of plain fact that a language model does not overrule (ADR 112).

A model reads words better than rules do, and whether words are near enough, an object narrower or an act another is left to it.
What a sentence's modal verb, its negative and its figures say, and whose words it has, is left to rules: there a wrong "meets" is
the worst, and there they err least.
"""

from __future__ import annotations

from coditect.language.reading.sentence import read_sentence
from coditect.language.tables import worded
from coditect.verify.requirements.demand import read_demand
from coditect.verify.requirements.figures.bounds import bounds_of, compare_bounds, is_timed
from coditect.verify.requirements.laid_down.papers import lays_down_rules
from coditect.verify.requirements.laid_down.voice import only_shown
from coditect.verify.requirements.measures import Rarity, measure
from coditect.verify.requirements.sides import AskedByPart, SaidByPolicy
from coditect.verify.requirements.telling import only_tells
from coditect.verify.requirements.terms import as_compared

__all__ = ["veto"]

_forbids = worded("acts", r"\b(?:«forbidding»)(?:s|ed|es|ing)?\b")


def veto(asked: AskedByPart, said: SaidByPolicy, rarity: Rarity) -> str:
    """Why a sentence cannot meet a part, whoever reads it, in words; "" where nothing stands against it.

    Args:
        asked: the part.
        said: the sentence.
        rarity: how much stems tell in the framework.
    """
    if said.force == "permits":
        return "it permits it and does not ask it"
    if said.force == "recommends":
        return "it recommends and does not bind"
    if not lays_down_rules(said):
        return "its paper is no policy, standard, procedure or law"
    return _of_bounds(asked, said) or _of_words(asked, said, rarity)


def _of_bounds(asked: AskedByPart, said: SaidByPolicy) -> str:
    wanted = bounds_of(asked.wording.text)
    relation = compare_bounds(wanted, bounds_of(said.text))
    if relation is not None:
        return relation[1] if relation[0] == "looser" else ""
    # How many may be told in other words ("two factors", "multi-factor"): that a reader decides.
    return "nothing gives its bound" if any(map(is_timed, wanted)) else ""


def _of_words(asked: AskedByPart, said: SaidByPolicy, rarity: Rarity) -> str:
    """Of the negative, and of who speaks."""
    demand = read_demand(as_compared(asked.wording.asked))
    title, around = as_compared(asked.title), as_compared(said.around)
    readings = [read_sentence(as_compared(each)) for each in dict.fromkeys((said.text, said.own))]
    measured = ((each, measure(demand, title, each, around, rarity)) for each in readings)
    sentence, common = next(((each, found) for each, found in measured if found is not None), (readings[0], None))
    if common is None:
        return "it has too little in common with it"
    if (said.force == "prohibits" or common.denies) and not _forbids().search(asked.wording.text):
        return "one of the two is negative and the other is not"
    return only_tells(said, sentence, demand, common.forth) or only_shown(asked, said, sentence, demand, common)
