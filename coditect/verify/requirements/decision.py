"""Decides what one sentence says of one part of a requirement, and why.

Similarity decides nothing by itself. A part is taken apart into its acts, what they are done to, and the rest; a sentence meets it
only if it binds, or says what is done, has each act as an act, has the head of the object near it and unnarrowed, keeps terms
together, says the rest, speaks of the requirement's matter, and fixes what is left open. What lacks is named. Bounds are compared
as figures, and rules that refute claims refute here, too (ADR 55).
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from typing import Literal

from coditect.language.finite_verbs import has_finite_verb
from coditect.language.reading.sentence import read_sentence
from coditect.language.reading.stems import canonical_stems
from coditect.language.tables import read_table
from coditect.verify.alignment.evidence import EvidenceIndex
from coditect.verify.contradictions.rules import find_contradictions
from coditect.verify.requirements.asides import restates_its_object
from coditect.verify.requirements.bounds import bounds_of, compare_bounds
from coditect.verify.requirements.demand import Demand, is_done, read_demand
from coditect.verify.requirements.measures import Common, Rarity, measure
from coditect.verify.requirements.parameters import leaves_open, unfilled
from coditect.verify.requirements.terms import as_compared
from coditect.verify.requirements.wording import RequirementWording
from coditect.verify.staged.comparison import compare
from coditect.verify.staged.stages import ruled_score

__all__ = ["DECISION_VERSION", "HELD", "AskedByPart", "Decision", "Force", "SaidByPolicy", "decide"]

DECISION_VERSION = "requirements/8"

Force = Literal["binds", "states", "permits", "prohibits", "recommends"]
"""How a sentence speaks: a duty, a plain statement, a permission, a prohibition, a recommendation."""

Label = Literal["meets", "stricter", "partly", "looser", "contradicts", "mentions"]

TOLD = 0.85
HELD = 0.7
"""Shares of what a part says that a sentence with its surroundings, and the sentence alone, have to say to meet it."""

HELD_UNDER_HEADING = 0.5
"""The same share of the sentence alone where its headings say all that it leaves out."""

_LEAST = ((0.3, 0.3), (0.15, 0.5), (0.05, 0.6), (0.0, 0.8))
"""From which probability of its document on, how much of a part a sentence has to say to speak to it.

Of documents below the last but one of these probabilities people had mapped less than one in twenty: there scattered words in
common are no evidence, and a sentence has to say nearly all of the part (ADR 55)."""

MATTER = 0.5
"""Share of the title's words that a sentence or its surroundings have to say."""

_COPIED = 6
_CLOSE = 1.5
"""Words that tell something in common, at least, and words of a sentence for each, at most, where it nearly copies a part: then it
speaks to it in whatever document it stands."""

_SPREAD = 2.5
_MENTIONS = 0.15
"""Probability of its document from which a sentence that does not ask a part is said to mention it."""

_WIDE = 3.5
_APART = 2
_FAR = 4
"""Words of a sentence for each in common; words between act and object where it is met, and where it is partly met."""

_FEWEST = 2
_ENOUGH = 3
"""Words that tell something in common, at least; and those from which parameters may be left out."""

_REFUTES = 0.9
_OPPOSED = frozenset(("negation", "modality"))
_MOST_MISSING = 5

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


@dataclass(frozen=True, slots=True)
class AskedByPart:
    """A part of a requirement.

    Attributes:
        wording: its words.
        title: of the requirement.
    """

    wording: RequirementWording
    title: str


@dataclass(frozen=True, slots=True)
class SaidByPolicy:
    """A sentence of a document.

    Attributes:
        text: an item of a list with its lead-in.
        own: the item alone; the same as the text where the sentence stands for itself.
        around: its headings and its document's title.
        force: how it speaks.
        likely: probability that its document speaks to the requirement at all, 0..1.
        conditional: whether it applies under a condition only.
    """

    text: str
    own: str
    around: str
    force: Force
    likely: float = 1.0
    conditional: bool = False


@dataclass(frozen=True, slots=True)
class Decision:
    """What a sentence says of a part.

    Attributes:
        label: see :data:`coditect.schemas.CrosswalkLabel`.
        held: share of what the part says that the sentence says, by how much it tells.
        reason: what decided, in words.
        probability: that the sentence supports the part, as the checker of claims is calibrated; None where it was not asked.
    """

    label: Label
    held: float
    reason: str
    probability: float | None


@lru_cache(maxsize=256)
def _index(sentence: str) -> EvidenceIndex:
    return EvidenceIndex([sentence])


def decide(asked: AskedByPart, said: SaidByPolicy, rarity: Rarity) -> Decision | None:
    """Decide of one sentence.

    Args:
        asked: the part.
        said: the sentence.
        rarity: how much stems tell in the framework.

    Returns:
        None where the sentence does not speak to the part.
    """
    found = _decided(asked, said, rarity)
    if said.own == said.text or not _stands_alone(said):
        return found
    alone = _decided(asked, replace(said, text=said.own), rarity)
    return min((each for each in (found, alone) if each is not None), key=_order, default=None)


def _order(each: Decision) -> int:
    return _BEST.index(each.label)


_BEST: tuple[Label, ...] = ("contradicts", "meets", "stricter", "looser", "partly", "mentions")


def _stands_alone(said: SaidByPolicy) -> bool:
    """Whether an item of a list is done as it stands: it begins with its verb, and its lead-in only says who has to."""
    lead = _lead(said)
    own = read_sentence(as_compared(said.own))
    first = next((n for n, each in enumerate(own.tokens) if each.has_substance and len(each.low) > 1), None)
    if first is None or said.force not in ("binds", "states") or not is_done(own, first):
        return False
    if any(each.negates or each.role == "condition" for each in read_sentence(_NOT_LIMITED.sub("", lead)).tokens):
        return False
    return _LEADS.search(lead) is not None and _LEADS_ELSEWHERE.search(lead) is None


def _decided(asked: AskedByPart, said: SaidByPolicy, rarity: Rarity) -> Decision | None:
    """Decide of one wording of a sentence."""
    text = as_compared(said.text)
    demand = read_demand(as_compared(asked.wording.asked))
    common = measure(demand, as_compared(asked.title), read_sentence(text), as_compared(said.around), rarity)
    if common is None or not _speaks(demand, common, common.held, said.likely):
        return None
    found = _labelled(asked, said, text, demand, common)
    # Words that are told otherwise are enough to meet a part, and not to be evidence of less.
    is_met = found is not None and found.label in ("meets", "stricter")
    return found if is_met or _speaks(demand, common, common.aligned, said.likely) else None


def _labelled(asked: AskedByPart, said: SaidByPolicy, text: str, demand: Demand, common: Common) -> Decision | None:
    """Decide of a sentence that is about what a part is about."""
    if said.own != said.text and not _is_own(demand, common, said):
        return None
    if said.force in ("permits", "prohibits") or common.denies:
        found = _negative(asked, text, common, said.force)
        return found if found.label == "contradicts" or said.likely >= _MENTIONS else None
    if not _acts(demand, common):
        if said.likely < _MENTIONS and not _copies(common):
            return None
        return _told("mentions", common, f"speaks of the matter without its act; {_missing(common)}", None)
    return _graded(asked, said, text, demand, common)


def _speaks(demand: Demand, common: Common, held: float, likely: float) -> bool:
    """Whether a sentence is about what a part is about: its object, its terms and its matter.

    The less probable it is that the document speaks to the requirement at all, the more of the part has to be said.

    Args:
        demand: of the part.
        common: with the sentence.
        held: share of the part's words that counts as said.
        likely: that the document speaks to the requirement, 0..1.
    """
    few = min(_FEWEST, len(demand.reading.content))
    least = next(share for floor, share in _LEAST if likely >= floor)
    return (
        (held >= least or _copies(common))
        and common.common >= few
        and common.context >= MATTER
        and common.terms >= MATTER
        and common.spread <= _WIDE
    )


def _copies(common: Common) -> bool:
    """Whether a sentence has a part's words nearly one after the other."""
    return common.held >= HELD and common.common >= _COPIED and common.terms == 1.0 and common.spread <= _CLOSE


def _is_own(demand: Demand, common: Common, said: SaidByPolicy) -> bool:
    """Whether an item of a list says something of the part itself, and not its lead-in alone."""
    keys = read_sentence(as_compared(said.own)).keys
    sentence = read_sentence(as_compared(said.text))
    return (
        sum(1 for n in demand.reading.content if n in common.forth and sentence.tokens[common.forth[n]].key in keys)
        >= _FEWEST
    )


def _acts(demand: Demand, common: Common) -> bool:
    """Whether a sentence has an act of the part, near what it is done to; a part that only names a thing has to be held."""
    if not demand.acts:
        return common.held >= TOLD
    return common.done > 0 and common.exact and common.apart <= _FAR


def _negative(asked: AskedByPart, text: str, common: Common, force: Force) -> Decision:
    """Of a permission, a prohibition, or where one side is negative and the other is not."""
    if force == "permits":
        return _told("mentions", common, "permits it and does not ask it", None)
    if common.told >= TOLD and common.acts == 1.0 and common.apart <= _APART:
        opposed = [each for each in find_contradictions(asked.wording.text, _index(text)) if each.kind in _OPPOSED]
        grave = next((each for each in opposed if each.severity >= _REFUTES), None)
        if grave is not None:
            return _told("contradicts", common, grave.detail, None)
    if force != "prohibits" and not any(token.negates for token in read_sentence(text).tokens):
        return _told("mentions", common, "speaks of it without the negative that is in what is asked", None)
    return _told("mentions", common, "speaks of it in the negative", None)


def _graded(asked: AskedByPart, said: SaidByPolicy, text: str, demand: Demand, common: Common) -> Decision:
    """Of a sentence that has an act of the part and what it is done to."""
    wanted, given = bounds_of(asked.wording.text), bounds_of(said.text)
    relation = compare_bounds(wanted, given)
    word = relation[0] if relation is not None else ""
    doubts = _doubts(asked, said, text, demand, common)
    if wanted and relation is None:
        doubts.append("nothing gives its bound")
    if relation is not None and word == "looser" and common.acts == 1.0:
        return _told("looser", common, relation[1], None)
    # By the rules alone: the second reader was fitted on claims about a statement, and an open parameter is no claim.
    probability = ruled_score(compare(as_compared(asked.wording.text), [text]))[1] if word != "stricter" else None
    if doubts:
        return _told("partly", common, "; ".join(doubts), probability)
    if relation is not None and word == "stricter":
        return _told("stricter", common, relation[1], None)
    reason = (
        relation[1]
        if relation is not None
        else f"has {round(100 * common.told)} % of its words, each act and its object"
    )
    fills = asked.wording.asks_how_often or asked.wording.asks_how_long
    filled = f"; fixes what is left open: “{given[0].text}”" if given and fills else ""
    return _told("meets", common, reason + filled, probability)


def _doubts(asked: AskedByPart, said: SaidByPolicy, text: str, demand: Demand, common: Common) -> list[str]:
    """Why a sentence does not meet a part that it speaks to; empty where it does."""
    left = unfilled(asked.wording, said.text, common.forth)
    narrow = "" if leaves_open(asked.wording, demand) else ", ".join(common.narrower)
    few = common.common < _ENOUGH and (asked.wording.parameters or common.common < len(demand.reading.content) - 1)
    found = [
        _missing(common) if common.told < TOLD or common.held < _least_held(common) else "",
        "it does not have each of its acts" if common.acts < 1.0 else "",
        "it recommends and does not bind" if said.force == "recommends" else "",
        "it holds under a condition only" if _is_conditional(said, text, demand, common) else "",
        f"it speaks of “{narrow}” only" if narrow else "",
        "" if common.sided else "what its act is done to is another thing",
        "its words stand far apart" if common.spread > _SPREAD or common.apart > _APART else "",
        "its words stand in other terms" if common.terms < 1.0 else "",
        left,
        "too little of it is fixed" if few else "",
        "" if demand.acts or _is_used(demand, text, common) else "it names a thing and no act",
        "it ends where a list begins" if said.text.rstrip().endswith(":") and not _STEPS.search(said.text) else "",
        "it stands under one case of several" if _CASE.search(said.around) and not _CASE.search(asked.title) else "",
        "it tells that something is there" if demand.acts and _THERE_IS.match(text) else "",
        "it only contributes to it" if demand.acts and _HELPS.search(text) else "",
        "its lead-in does not say that it is done" if demand.acts and _is_listed(said, text, demand, common) else "",
        "it names it without a verb" if demand.acts and _is_bare(said, text, demand, common) else "",
        "it gives an example" if _EXAMPLE.search(said.around) or _EXAMPLE.search(said.text) else "",
    ]
    return [each for each in found if each]


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


def _is_bare(said: SaidByPolicy, text: str, demand: Demand, common: Common) -> bool:
    """Whether a sentence has no verb, and the acts that it has are plural nouns: "updates to the response plan"."""
    if said.force != "states" or has_finite_verb(text, 0, len(text)):
        return False
    tokens = read_sentence(text).tokens
    acts = [common.forth[n] for n in demand.acts if n in common.forth]
    return any(tokens[at].low.endswith("s") and not (at and tokens[at - 1].actor) for at in acts)


def _is_conditional(said: SaidByPolicy, text: str, demand: Demand, common: Common) -> bool:
    """Whether a sentence holds in some cases only; that the thing is there at all is none ("if an incident is detected, …")."""
    if not (said.conditional or common.conditional):
        return False
    if demand.head is None or demand.head not in common.forth:
        return True
    named = read_sentence(text).tokens[common.forth[demand.head]].low
    return not restates_its_object(text, named)


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
    told = [n for n in before if sentence.tokens[n].key in _documenting()]
    acted = not told and any(
        sentence.tokens[n].role == "modal" or is_done(sentence, n) for n in before if n not in common.forth.values()
    )
    if acted and _BY_IT.search(text[: named.start]) is not None:
        return True
    term = next((run for run in demand.terms if demand.head in run), (demand.head,))
    places = [common.forth[n] for n in term if n in common.forth]
    if places != sorted(places) or places[-1] - places[0] >= 2 * len(places):
        return False  # "implementing controls or changes to processes"
    around = range(
        max(0, common.forth[demand.head] - _NEAR), min(len(sentence.tokens), common.forth[demand.head] + _NEAR)
    )
    return not told and any(sentence.tokens[n].key in _establishing() and is_done(sentence, n) for n in around)


_NEAR = 6
"""Words to the verb by which a process is there, at most."""


@cache
def _establishing() -> frozenset[str]:
    return frozenset(canonical_stems(read_table("acts").words("establishing")))


@cache
def _documenting() -> frozenset[str]:
    return frozenset(canonical_stems(read_table("acts").words("documenting")))


def _told(label: Label, common: Common, reason: str, probability: float | None) -> Decision:
    return Decision(label, round(common.held, 4), reason, probability)


def _missing(common: Common) -> str:
    words = common.missing[:_MOST_MISSING]
    return "nothing says: " + ", ".join(words) if words else "has all of its words"
