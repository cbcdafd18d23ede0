"""Why a sentence that speaks to a part of a requirement does not meet it, in words."""

from __future__ import annotations

import re
from collections.abc import Sequence

from coditect.language.finite_verbs import has_finite_verb
from coditect.language.reading.sentence import read_sentence
from coditect.language.tables import read_table
from coditect.verify.requirements.asides import restates_its_object
from coditect.verify.requirements.demand import Demand, is_done
from coditect.verify.requirements.measures import Common
from coditect.verify.requirements.parameters import leaves_open, unfilled
from coditect.verify.requirements.sides import AskedByPart, SaidByPolicy
from coditect.verify.requirements.telling import names_no_means, page_kind, without_label
from coditect.verify.requirements.terms import as_compared, listed, printed_as

__all__ = ["APART", "ENOUGH", "GENERAL", "HELD", "TOLD", "doubts", "stands_alone", "what_lacks"]

TOLD = 0.85
HELD = 0.7
"""Shares of what a part says that a sentence with its surroundings, and the sentence alone, have to say to meet it."""

HELD_UNDER_HEADING = 0.5
"""The same share of the sentence alone where its headings say all that it leaves out."""

ENOUGH = 3
"""Words that tell something in common from which parameters may be left out."""

APART = 2
"""Words between act and object where a part is met, at most."""

GENERAL = 4
"""Words of a part that asks something of all things of its kind, at most."""

_WHOLE = 0.95
"""Share of a part's words from which a sentence has its case, too."""

_SPREAD = 2.5

_MOST_MISSING = 5

_NEAR = 6
"""Words to the verb by which a process is there, at most."""

_BY_IT = re.compile(rf"\b(?:{read_table('acts').pattern('by_it')})(?:\s+[\w'-]+){{0,5}}\s*$", re.IGNORECASE)
"""What stands in front of what somebody acts by, and the words of its name."""

_EXAMPLE = re.compile(r"\b(?:e\.g\.|for example|such as|sample|template)\b", re.IGNORECASE)

_CASE = re.compile(rf"\b(?:{read_table('acts').pattern('cases')})\s*#?\s*(?:\d+|[IVX]+|[A-D])\b", re.IGNORECASE)
"""A heading over one case of several: what is said there is not said of all."""

_STEPS = re.compile(rf"\b(?:{read_table('acts').pattern('steps')})\s*:\s*$", re.IGNORECASE)
"""An end in front of a list that says how something is done, and not of what."""

_LEADS = re.compile(rf"\b(?:{read_table('acts').pattern('leads')})\b[\w\s,'’/()-]*:?\s*$", re.IGNORECASE)

_LEADS_ELSEWHERE = re.compile(rf"\b(?:{read_table('acts').pattern('leads_elsewhere')})\b", re.IGNORECASE)
"""Lead-ins whose items are done as they stand, and words of lead-ins whose items are not: "are trained to: report incidents"."""

_ITEM = re.compile(r"\A\s*(?:[-*•]\s+)?(?:\(?\w{1,3}[.)]\s+)?")
"""The mark and the label of an item of a list."""

_NOT_LIMITED = re.compile(r"\bnot\s+(?:be\s+)?limited\s+to\b", re.IGNORECASE)

_HELPS = re.compile(rf"\b(?:{read_table('acts').pattern('helping')})\b", re.IGNORECASE)

_THERE_IS = re.compile(r"\W*there\s+(?:is|are|was|were)\b", re.IGNORECASE)


def doubts(asked: AskedByPart, said: SaidByPolicy, text: str, demand: Demand, common: Common) -> list[str]:
    """Why a sentence does not meet a part that it speaks to; empty where it does.

    Args:
        asked: the part.
        said: the sentence.
        text: its words as they are compared.
        demand: the part, taken apart.
        common: what both have in common.
    """
    left = unfilled(asked.wording, said.text, common.forth)
    narrow = "" if leaves_open(asked.wording, demand) else ", ".join(common.narrower)
    few = common.common < ENOUGH and (asked.wording.parameters or common.common < len(demand.reading.content) - 1)
    short = len(demand.reading.content) <= GENERAL and not leaves_open(asked.wording, demand)
    kind = page_kind(f"{asked.title} {asked.wording.text} {said.text}", said.around) if short else ""
    found = [
        what_lacks(common, asked.wording.text) if common.told < TOLD or common.held < _least_held(common) else "",
        "it does not have each of its acts" if common.acts < 1.0 else "",
        "it recommends and does not bind" if said.force == "recommends" else "",
        "it holds under a condition only" if _is_conditional(said, text, demand, common) else "",
        _narrowed(common.narrower, said.text) if narrow else "",
        "" if common.sided else "what its act is done to is another thing",
        "its words stand far apart" if common.spread > _SPREAD or common.apart > APART else "",
        "its words stand in other terms" if common.terms < 1.0 else "",
        left,
        "too little of it is fixed" if few else "",
        "" if demand.acts or demand.is_measured or _is_used(demand, text, common) else "it names a thing and no act",
        "it ends where a list begins" if said.text.rstrip().endswith(":") and not _STEPS.search(said.text) else "",
        "it stands under one case of several" if _CASE.search(said.around) and not _CASE.search(asked.title) else "",
        "it tells that something is there" if demand.acts and _THERE_IS.match(text) else "",
        "it only contributes to it" if demand.acts and _HELPS.search(text) else "",
        "its lead-in does not say that it is done" if demand.acts and _is_listed(said, text, demand, common) else "",
        "it names it without a verb" if demand.acts and _is_bare(said, text, demand, common) else "",
        f"its headings speak of “{kind}” only" if kind else "",
        "it gives an example" if _EXAMPLE.search(said.around) or _EXAMPLE.search(said.text) else "",
    ]
    return [each for each in found if each]


def _narrowed(words: Sequence[str], text: str) -> str:
    """What a sentence speaks of only, in its own words: those that stand for others of it are not put between quotes."""
    shown = ", ".join(each for each in words if each.casefold() in text.casefold())
    return f"it speaks of “{shown}” only" if shown else "it speaks of something narrower only"


def _is_conditional(said: SaidByPolicy, text: str, demand: Demand, common: Common) -> bool:
    """Whether a sentence holds in some cases only; that the thing is there at all is none ("if an incident is detected, …")."""
    if not (said.conditional or common.conditional):
        return False
    if common.held >= _WHOLE and any(each.role == "condition" for each in demand.reading.tokens):
        return False  # the case is the part's own
    if demand.head is None or demand.head not in common.forth:
        return True
    named = read_sentence(text).tokens[common.forth[demand.head]].low
    return not restates_its_object(text, named)


def _is_bare(said: SaidByPolicy, text: str, demand: Demand, common: Common) -> bool:
    """Whether a sentence has no verb, and the acts that it has are plural nouns: "updates to the response plan"."""
    if said.force != "states" or has_finite_verb(text, 0, len(text)):
        return False
    tokens = read_sentence(text).tokens
    acts = [common.forth[n] for n in demand.acts if n in common.forth]
    return any(tokens[at].low.endswith("s") and not (at and tokens[at - 1].actor) for at in acts)


def _is_listed(said: SaidByPolicy, text: str, demand: Demand, common: Common) -> bool:
    """Whether the acts are an item's of a list of what is taught or described: "training covers: report incidents"."""
    lead = _lead(said)
    if not lead or _LEADS_ELSEWHERE.search(lead) is None:
        return False
    tokens, size = read_sentence(text).tokens, len(as_compared(lead))
    return all(tokens[common.forth[n]].start >= size for n in demand.acts if n in common.forth)


def _lead(said: SaidByPolicy) -> str:
    """The words in front of an item of a list; "" of a sentence that stands for itself."""
    own, text = _ITEM.sub("", said.own).rstrip(" .;,"), said.text.rstrip(" .;,")
    return text.removesuffix(own) if text != own and text.endswith(own) else ""


def stands_alone(said: SaidByPolicy) -> bool:
    """Whether an item of a list is done as it stands: it begins with its verb, and its lead-in only says who has to."""
    lead = _lead(said)
    own = read_sentence(as_compared(said.own))
    first = next((n for n, each in enumerate(own.tokens) if each.has_substance and len(each.low) > 1), None)
    if first is None or said.force not in ("binds", "states") or not is_done(own, first):
        return False
    if any(each.negates or each.role == "condition" for each in read_sentence(_NOT_LIMITED.sub("", lead)).tokens):
        return False
    *_, verb, last = (None, None, *read_sentence(as_compared(lead)).tokens)
    if verb is not None and last is not None and last.low == "to" and names_no_means(verb):
        return False  # "networks are segmented to: contain incidents"
    return _LEADS.search(lead) is not None and _LEADS_ELSEWHERE.search(lead) is None


def _least_held(common: Common) -> float:
    """How much the sentence alone has to say: less where its surroundings say all of the rest and each act is its own."""
    return HELD_UNDER_HEADING if common.told >= 1.0 and common.done > 0 else HELD


def _is_used(demand: Demand, text: str, common: Common) -> bool:
    """Whether a part asks that a process is there, and a sentence acts by it: "must go through the change control process"."""
    if not demand.is_there or demand.head not in common.forth:
        return False
    sentence = read_sentence(text)
    named = sentence.tokens[common.forth[demand.head]]
    before = [n for n, token in enumerate(sentence.tokens) if token.start < named.start]
    told = [n for n in before if sentence.tokens[n].key in listed("documenting")]
    acted = not told and any(
        sentence.tokens[n].role == "modal" or is_done(sentence, n) for n in before if n not in common.forth.values()
    )
    if acted and _BY_IT.search(text[: named.start]) is not None:
        return _goes_through(demand, text, common)
    term = next((run for run in demand.terms if demand.head in run), (demand.head,))
    places = [common.forth[n] for n in term if n in common.forth]
    if places != sorted(places) or places[-1] - places[0] >= 2 * len(places):
        return False  # "implementing controls or changes to processes"
    around = range(
        max(0, common.forth[demand.head] - _NEAR), min(len(sentence.tokens), common.forth[demand.head] + _NEAR)
    )
    verbs = [n for n in around if sentence.tokens[n].key in listed("establishing") and is_done(sentence, n)]
    if verbs and not told and all(sentence.tokens[n].low in ("follow", "follows") for n in verbs):
        return sentence.tokens[verbs[0]].low == "follow" or _goes_through(demand, text, common)
    return bool(verbs) and not told


def _goes_through(demand: Demand, text: str, common: Common) -> bool:
    """Whether what goes through a process is what the process is for, or somebody: "changes must go through change control"."""
    sentence = read_sentence(text)
    label = len(text) - len(without_label(text))
    of = {demand.reading.tokens[n].key for run in demand.terms if demand.head in run for n in run if n != demand.head}
    own = {common.forth[n] for n in demand.reading.content if n in common.forth}
    before = [
        token
        for n, token in enumerate(sentence.tokens[: common.forth[demand.head if demand.head is not None else 0]])
        if n not in own and token.start >= label
    ]
    return not of or any(each.actor or each.key in of for each in before)


def what_lacks(common: Common, asked: str = "") -> str:
    """The words of a part that nothing says, in words.

    Args:
        common: what a sentence has in common with it.
        asked: the part as it is printed: a word that stands for others of it is told in these.
    """
    words = dict.fromkeys(printed_as(each, asked) for each in common.missing[:_MOST_MISSING])
    return "nothing says: " + ", ".join(words) if words else "has all of its words"
