"""Decides what one sentence says of one part of a requirement, and why.

Similarity decides nothing by itself. A part is taken apart into its acts, what they are done to, and the rest; a sentence meets it
only if it binds, or says what is done, has each act as an act, has the head of the object near it and unnarrowed, keeps terms
together, says the rest, speaks of the requirement's matter, and fixes what is left open. What lacks is named. Bounds are compared
as figures, and rules that refute claims refute here, too (ADR 55).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Literal

from coditect.language.reading.sentence import SentenceReading, read_sentence
from coditect.verify.alignment.evidence import EvidenceIndex
from coditect.verify.alignment.matching import weight_of
from coditect.verify.contradictions.rules import find_contradictions
from coditect.verify.requirements.demand import Demand, read_demand
from coditect.verify.requirements.doubts import APART, ENOUGH, HELD, TOLD, doubts, stands_alone, what_lacks
from coditect.verify.requirements.figures.bounds import bounds_of, compare_bounds, is_timed
from coditect.verify.requirements.laid_down.forbidding import allows_what_is_forbidden, as_duties, forbids_alike
from coditect.verify.requirements.laid_down.limits import as_limits
from coditect.verify.requirements.laid_down.one_matter import falls_short
from coditect.verify.requirements.laid_down.persons import binds_only_some
from coditect.verify.requirements.laid_down.reach import binds_others
from coditect.verify.requirements.laid_down.shortfalls import shortfalls
from coditect.verify.requirements.laid_down.voice import only_shown
from coditect.verify.requirements.measures import Common, Rarity, measure
from coditect.verify.requirements.nearby import is_of_another_thing, says_too_little
from coditect.verify.requirements.sides import AskedByPart, Force, SaidByPolicy
from coditect.verify.requirements.telling import only_tells
from coditect.verify.requirements.terms import as_compared, listed_words
from coditect.verify.requirements.wording import as_act, without_number

__all__ = ["DECISION_VERSION", "HELD", "AskedByPart", "Decision", "Force", "SaidByPolicy", "decide"]

DECISION_VERSION = "requirements/18"

Label = Literal["meets", "stricter", "partly", "looser", "contradicts", "mentions"]

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


_MENTIONS = 0.15
"""Probability of its document from which a sentence that does not ask a part is said to mention it."""

_WIDE = 3.5
_FAR = 4
"""Words of a sentence for each in common; words between act and object where it is partly met, at most."""

_SENTENCE = 4
"""Words that tell something of a part that is a sentence, at least, so that it tells its matter itself."""

_BIDDING = 6
"""The same of a part that bids something without a modal, as items of catalogues do, which go by their titles."""

_FEWEST = 2
"""Words that tell something in common, at least."""

_POINTING = frozenset(("this", "that", "these", "those", "such", "it", "its", "they", "them", "their"))
"""What points at something that was named before."""

_REFUTES = 0.9
_OPPOSED = frozenset(("negation", "modality"))


@dataclass(frozen=True, slots=True)
class Decision:
    """What a sentence says of a part.

    Attributes:
        label: see :data:`coditect.schemas.CrosswalkLabel`.
        held: share of what the part says that the sentence says, by how much it tells.
        reason: what decided, in words.
    """

    label: Label
    held: float
    reason: str


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
    wordings = [asked]
    if act := as_act(as_compared(asked.wording.asked)):
        wordings.append(replace(asked, wording=replace(asked.wording, text=act, filled="")))
    sentences = [said]
    if said.own != said.text and stands_alone(said):
        sentences.append(replace(said, text=said.own))
    found = (_decided(one, each, rarity) for one in wordings for each in sentences)
    return min((each for each in found if each is not None), key=_order, default=None)


def _order(each: Decision) -> int:
    return _BEST.index(each.label)


_BEST: tuple[Label, ...] = ("contradicts", "meets", "stricter", "looser", "partly", "mentions")


def _decided(asked: AskedByPart, said: SaidByPolicy, rarity: Rarity) -> Decision | None:
    """Decide of one wording of a sentence."""
    if said.own == said.text:
        plain = without_number(said.text)
        said = replace(said, text=plain, own=plain)
    asked, said = as_limits(*as_duties(asked, said))
    text = as_compared(said.text)
    demand = read_demand(as_compared(asked.wording.asked))
    sentence = read_sentence(text)
    common = measure(demand, as_compared(asked.title), sentence, as_compared(said.around), rarity)
    if common is None:
        return None
    is_sentence = any(each.role == "modal" for each in read_sentence(as_compared(asked.wording.text)).tokens)
    whole = is_sentence and (_has_whole_duty(demand, sentence, common) or _tells_its_matter(demand, common))
    whole = whole or _bids_it_whole(demand, common)
    if not _speaks(demand, common, common.held, said.likely, whole):
        return None
    found = _labelled(asked, said, text, demand, common)
    if found is not None and found.label in ("meets", "stricter"):
        return _as_laid_down(asked, said, text, demand, common, found)
    # Words that are told otherwise are enough to meet a part, or to do it with a weaker figure, and not to be evidence of less.
    if found is None or (found.label != "looser" and not _speaks(demand, common, common.aligned, said.likely, whole)):
        return None
    return None if _is_nearby(said, sentence, demand, common, found) else found


def _is_nearby(said: SaidByPolicy, sentence: SentenceReading, demand: Demand, common: Common, found: Decision) -> bool:
    """Whether what is evidence of less than a part, and of nothing against it, is of a matter nearby."""
    if found.label not in ("partly", "mentions") or _copies(common):
        return False
    if is_of_another_thing(demand, said, sentence, common, acts=found.label == "partly"):
        return True
    is_opposed = said.force == "prohibits" or (common.denies and not _is_elsewhere(said, demand, common))
    return found.label == "mentions" and not is_opposed and says_too_little(said, sentence, common)


def _as_laid_down(
    asked: AskedByPart, said: SaidByPolicy, text: str, demand: Demand, common: Common, found: Decision
) -> Decision:
    """What is left of "meets" where it is read who speaks, and word for word: all of it, "partly", or "mentions"."""
    sentence = read_sentence(text)
    shown = only_shown(asked, said, sentence, demand, common)
    if shown:
        return replace(found, label="mentions", reason=shown)
    short = shortfalls(asked, said, sentence, demand, common)
    return replace(found, label="partly", reason="; ".join(short)) if short else found


def _labelled(asked: AskedByPart, said: SaidByPolicy, text: str, demand: Demand, common: Common) -> Decision | None:
    """Decide of a sentence that is about what a part is about."""
    if said.own != said.text and not _is_own(demand, common, said):
        return None
    if _is_opposed(said, text, demand, common) and not _is_elsewhere(said, demand, common):
        found = _negative(asked, text, demand, common, said.force)
        return found if found.label == "contradicts" or said.likely >= _MENTIONS else None
    why = only_tells(said, read_sentence(text), demand, common.forth)
    if why:
        return _told("mentions", common, why) if said.likely >= _MENTIONS or _copies(common) else None
    if not _acts(demand, common):
        if said.likely < _MENTIONS and not _copies(common):
            return None
        return _told(
            "mentions", common, f"speaks of the matter without its act; {what_lacks(common, asked.wording.text)}"
        )
    return _graded(asked, said, text, demand, common)


def _is_opposed(said: SaidByPolicy, text: str, demand: Demand, common: Common) -> bool:
    """Whether a sentence permits, or one of the two forbids and the other does not."""
    if said.force == "prohibits" and not common.denies:
        return not forbids_alike(demand, read_sentence(text), common)
    return said.force in ("permits", "prohibits") or common.denies


def _is_elsewhere(said: SaidByPolicy, demand: Demand, common: Common) -> bool:
    """Whether a negative of a sentence that binds is not about what a part asks: it has no act of that beside it.

    "Apply sanctions against staff who fail to comply with the policies" is no negative of the policies' review.
    """
    is_asked = any(each.negates for each in demand.reading.tokens)
    return said.force == "binds" and bool(demand.acts) and not common.done and not is_asked


def _speaks(demand: Demand, common: Common, held: float, likely: float, whole: bool) -> bool:
    """Whether a sentence is about what a part is about: its object, its terms and its matter.

    The less probable it is that the document speaks to the requirement at all, the more of the part has to be said.

    Args:
        demand: of the part.
        common: with the sentence.
        held: share of the part's words that counts as said.
        likely: that the document speaks to the requirement, 0..1.
        whole: whether it has all of a duty that tells its matter itself.
    """
    few = min(_FEWEST, len(demand.telling))
    least = next(share for floor, share in _LEAST if likely >= floor)
    return (
        (held >= least or _copies(common))
        and common.common >= few
        and (common.context >= MATTER or whole)
        and common.terms >= MATTER
        and common.spread <= _WIDE
    )


def _tells_its_matter(demand: Demand, common: Common) -> bool:
    """Whether a part that is a sentence says itself what its title can only call by another name, and most of it is said."""
    return common.aligned >= HELD and len(demand.telling) >= _SENTENCE


def _bids_it_whole(demand: Demand, common: Common) -> bool:
    """Whether what is bidden is told in so many words that it needs no title, and a sentence has nearly all of them."""
    return bool(demand.acts) and len(demand.telling) >= _BIDDING and common.aligned >= TOLD and common.acts == 1.0


def _has_whole_duty(demand: Demand, sentence: SentenceReading, common: Common) -> bool:
    """Whether a sentence has all words of a duty, its act and what it is done to, which then needs no title to tell its matter.

    "Visitors must be escorted" tells it itself; "escort visitors", an item of a catalogue, goes by its title, "these records must
    be retained" points at some, and "former visitors" are others.
    """
    tokens, head = demand.reading.tokens, demand.head
    if head is None or head not in common.forth or not (demand.acts or demand.is_measured):
        return False
    said = {n: sentence.tokens[at].key for n, at in common.forth.items()}
    is_bounded = compare_bounds(bounds_of(demand.reading.text), bounds_of(sentence.text)) is not None
    has_all = all(
        n in said and (n in demand.acts or said[n] == tokens[n].key or (is_bounded and tokens[n].role == "number"))
        for n in demand.telling
    )
    is_done = common.common >= _FEWEST and common.acts == 1.0 and common.exact and common.sided
    if not (has_all and is_done) or common.narrower or _points(demand, sentence, common):
        return False
    before = common.forth[head] - 1
    while before >= 0 and sentence.tokens[before].low in listed_words("manner"):  # "suspected incidents"
        before -= 1
    if before < 0 or before in common.forth.values() or _is_label(sentence, before):
        return True
    return not sentence.tokens[before].has_substance or weight_of(sentence.tokens[before]) < 1.0


def _is_label(sentence: SentenceReading, at: int) -> bool:
    """Whether a word of a sentence and all before it are its number: "2.1 Passwords must"."""
    return all(each.low.isdigit() or len(each.low) == 1 or each.role == "number" for each in sentence.tokens[: at + 1])


def _points(demand: Demand, sentence: SentenceReading, common: Common) -> bool:
    """Whether a part points at what was named before it: "such records", "the records" where a sentence says "records"."""
    tokens = demand.reading.tokens
    for n, each in enumerate(tokens[1:], start=1):
        mark = tokens[n - 1].low
        if mark in _POINTING or (mark == "the" and weight_of(each) >= 1.0):
            at = common.forth.get(n, 0)
            if mark != "the" or not at or sentence.tokens[at - 1].low != "the":
                return True
    return False


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
        return common.held >= TOLD and not (demand.is_measured and common.apart)
    return common.done > 0 and common.exact and common.apart <= _FAR


def _negative(asked: AskedByPart, text: str, demand: Demand, common: Common, force: Force) -> Decision:
    """Of a permission, a prohibition, or where one side is negative and the other is not."""
    if force == "permits":
        if (
            common.told >= TOLD
            and common.acts == 1.0
            and common.apart <= APART
            and allows_what_is_forbidden(demand, read_sentence(text), common)
        ):
            return _told("contradicts", common, "permits what is asked not to be done")
        return _told("mentions", common, "permits it and does not ask it")
    if common.told >= TOLD and common.acts == 1.0 and common.apart <= APART and common.common >= ENOUGH:
        opposed = [each for each in find_contradictions(asked.wording.text, _index(text)) if each.kind in _OPPOSED]
        grave = next((each for each in opposed if each.severity >= _REFUTES), None)
        if grave is not None:
            return _told("contradicts", common, _between_sides(grave.detail))
    if force != "prohibits" and not any(token.negates for token in read_sentence(text).tokens):
        return _told("mentions", common, "speaks of it without the negative that is in what is asked")
    return _told("mentions", common, "speaks of it in the negative")


def _between_sides(detail: str) -> str:
    """What rules say of a claim and its evidence, said of what is asked and of the sentence."""
    for ours, theirs in _SIDES:
        detail = detail.replace(ours, theirs)
    return detail


_SIDES = (
    ("the claim leaves out", "the sentence adds"),
    ("the claim adds", "the requirement has, and the sentence has not,"),
    ("the claim", "the requirement"),
    ("the evidence", "the sentence"),
)


def _graded(asked: AskedByPart, said: SaidByPolicy, text: str, demand: Demand, common: Common) -> Decision:
    """Of a sentence that has an act of the part and what it is done to."""
    wanted, given = bounds_of(asked.wording.text), bounds_of(said.text)
    relation = compare_bounds(wanted, given)
    word = relation[0] if relation is not None else ""
    against = doubts(asked, said, text, demand, common)
    if relation is None and not all(each.is_open for each in wanted):
        against.append("nothing gives its bound")
    is_theirs = bool(binds_others(asked, said) or binds_only_some(asked, read_sentence(text)))
    if relation is not None and word == "looser" and not is_theirs and falls_short(asked, demand, text, common):
        return _told("looser", common, relation[1])
    if is_theirs and not against:
        against.append(f"it binds {binds_others(asked, said) or binds_only_some(asked, read_sentence(text))}")
    if word == "looser" and not against:
        against.append("it is of another kind of thing")
    if against:
        return _told("partly", common, "; ".join(against))
    if relation is not None and word == "stricter":
        return _told("stricter", common, relation[1])
    reason = (
        relation[1]
        if relation is not None
        else f"has {round(100 * common.told)} % of its words, each act and its object"
    )
    fills = asked.wording.asks_how_often or asked.wording.asks_how_long
    times = [each.text for each in given if is_timed(each)]
    filled = f"; fixes what is left open: “{times[0]}”" if times and fills else ""
    return _told("meets", common, reason + filled)


def _told(label: Label, common: Common, reason: str) -> Decision:
    return Decision(label, round(common.held, 4), reason)
