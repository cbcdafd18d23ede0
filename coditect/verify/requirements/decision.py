"""Decides what one sentence says of one part of a requirement, and why.

Similarity decides nothing by itself. The words of both sides are aligned as the checker aligns a claim with its evidence; what has
no counterpart is named; bounds are compared as figures; rules that refute claims refute here, too; and only a sentence that binds,
or says what is done, and has the verb of the requirement can meet it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from coditect.language.matched import as_matched
from coditect.language.reading.sentence import Token, read_sentence
from coditect.verify.alignment.evidence import EvidenceIndex
from coditect.verify.alignment.matching import find_pairs, held_share, weight_of
from coditect.verify.alignment.pairs import AlignedPair
from coditect.verify.contradictions.rules import find_contradictions
from coditect.verify.requirements.bounds import bounds_of, compare_bounds
from coditect.verify.requirements.wording import HOW_LONG, HOW_OFTEN, RequirementWording
from coditect.verify.staged.comparison import compare
from coditect.verify.staged.stages import ruled_score

__all__ = ["DECISION_VERSION", "Decision", "Force", "decide"]

DECISION_VERSION = "requirements/1"

Force = Literal["binds", "states", "permits", "prohibits"]
"""How a sentence speaks: a duty or recommendation, a plain statement, a permission, a prohibition."""

Label = Literal["meets", "stricter", "partly", "looser", "contradicts", "mentions"]

MEETS = 0.85
PARTLY = 0.5
MENTIONS = 0.35
"""Shares of what a part says that a sentence has to hold; set by reading answers for the policy templates (ADR 55)."""

_FEWEST = 2
"""Words in common, at least: one word is no matter."""

_FIXED = 3
"""Words of substance beside the open parameters, from which a part can be met: of fewer too much is left open."""

SUPPORTED = 0.8
"""Probability of support from which a part is met."""

_REFUTES = 0.9
"""Severity from which a difference rules a requirement out; a softer one leaves it partly met."""

_SPREAD = 1.5
"""Words of substance between the first and the last in common, for each in common, at most."""

_PERSONS = re.compile(r"\b(?:personnel|roles?|individuals?|officials?|authorit|person)", re.IGNORECASE)

_OPPOSED = frozenset(("negation", "modality"))
_MOST_MISSING = 5


@dataclass(frozen=True, slots=True)
class Decision:
    """What a sentence says of a part.

    Attributes:
        label: see :data:`coditect.schemas.CrosswalkLabel`.
        held: share of what the part says that has a counterpart, by weight.
        reason: what decided, in words.
        probability: of support, as the verifier is calibrated; None where it was not asked.
    """

    label: Label
    held: float
    reason: str
    probability: float | None


@lru_cache(maxsize=256)
def _index(sentence: str) -> EvidenceIndex:
    return EvidenceIndex([sentence])


def decide(part: RequirementWording, sentence: str, force: Force, own: str = "") -> Decision | None:
    """Decide of one sentence.

    Args:
        part: of a requirement.
        sentence: of a document; an item of a list with its lead-in.
        own: the item without its lead-in; "" where the sentence stands for itself.
        force: how it speaks.

    Returns:
        None where the sentence does not speak to the part.
    """
    pairs = find_pairs(read_sentence(part.text), 0, _index(sentence))
    if not pairs:
        return None
    pair = pairs[0]
    held = held_share(pair)
    common = sum(1 for n in pair.claim.content if n in pair.forth)
    if held < MENTIONS or common < _FEWEST:
        return None
    if held < PARTLY:
        return Decision("mentions", round(held, 4), f"speaks of it; {_missing(pair)}", None)
    if own and own != sentence and len(_shared(pair, own)) < _FEWEST:
        return Decision("mentions", round(held, 4), "only the lead-in speaks of it", None)
    return _close(part, sentence, force, pair, held)


def _shared(pair: AlignedPair, own: str) -> list[int]:
    """The words of the part whose counterparts stand in the item's own words."""
    keys = read_sentence(own).keys
    return [n for n, other in pair.forth.items() if pair.evidence.tokens[other].key in keys]


def _close(part: RequirementWording, sentence: str, force: Force, pair: AlignedPair, held: float) -> Decision:
    """Decide of a sentence that says half of the part or more: here the rules are worth their time."""
    # By the rules alone: the second reader was fitted on claims about a statement, and an open parameter is no claim.
    probability = ruled_score(compare(as_matched(part.text), [as_matched(sentence)]))[1]
    found = Decision("partly", round(held, 4), "", probability)
    opposed = [each for each in find_contradictions(part.text, _index(sentence)) if each.kind in _OPPOSED]
    grave = [each for each in opposed if each.severity >= _REFUTES]
    if grave and held >= MEETS and force in ("prohibits", "binds"):
        return _with(found, "contradicts", grave[0].detail)
    if force == "permits":
        return _with(found, "mentions", "permits it and does not ask it")
    if force == "prohibits" or grave:
        return _with(found, "mentions", "speaks of it in the negative")
    if not _has_verb(pair):
        return _with(found, "mentions", f"speaks of the matter without its act; {_missing(pair)}")
    relation = compare_bounds(bounds_of(part.text), bounds_of(sentence))
    if relation is not None and relation[0] == "looser":
        return _with(found, "looser", relation[1])
    open_words = _unfixed(part, sentence)
    lacking = bounds_of(part.text) and relation is None
    stricter = relation is not None and relation[0] == "stricter"
    if stricter:
        held = _held_but_figures(pair)
    doubts = [
        _missing(pair) if held < MEETS else "",
        opposed[0].detail if opposed else "",
        "nothing gives its bound" if lacking else "",
        _own_missing(part, pair),
        open_words,
        _unfilled(part, pair),
        "its words stand far apart" if _is_scattered(pair) else "",
        "it ends where a list begins" if sentence.rstrip().endswith(":") else "",
        f"the checker holds it supported with {probability:.2f} only"
        if probability < SUPPORTED and not stricter
        else "",
    ]
    if any(doubts):
        return _with(found, "partly", "; ".join(each for each in doubts if each))
    if (
        relation is not None and stricter
    ):  # the checker takes another figure for a contradiction: its probability says nothing
        return Decision("stricter", found.held, relation[1], None)
    reason = relation[1] if relation is not None else f"has {round(100 * held)} % of its words, its act among them"
    fixed = [each.text for each in bounds_of(sentence)]
    filled = f"; fixes what is left open: “{fixed[0]}”" if fixed and (part.asks_how_often or part.asks_how_long) else ""
    return _with(found, "meets", reason + filled)


def _own_missing(part: RequirementWording, pair: AlignedPair) -> str:
    """What an item of a requirement's list says beside its lead-in, and the sentence does not; "" where most is said."""
    if not part.item:
        return ""
    item = read_sentence(part.item)
    keys = {pair.claim.tokens[n].key for n in pair.forth}
    words = [item.tokens[n] for n in item.content]
    lacking = [each for each in words if each.key not in keys]
    if not words or len(lacking) <= (1.0 - MEETS) * len(words):
        return ""
    return "of its own words nothing says: " + ", ".join(part.item[each.start : each.end] for each in lacking)


def _with(found: Decision, label: Label, reason: str) -> Decision:
    return Decision(label, found.held, reason, found.probability)


def _has_verb(pair: AlignedPair) -> bool:
    """Whether the first word of substance, which is the act in an imperative, or any word behind a modal has a counterpart."""
    tokens = pair.claim.tokens
    modals = [n for n, token in enumerate(tokens) if token.role == "modal"]
    after = modals[0] if modals else -1
    first = next((n for n in pair.claim.content if n > after and not _names_nobody(tokens[n])), None)
    return first is not None and first in pair.forth


def _held_but_figures(pair: AlignedPair) -> float:
    """The share that is held of the words alone: figures are compared as bounds."""
    words = [n for n in pair.claim.content if pair.claim.tokens[n].role != "number"]
    total = sum(weight_of(pair.claim.tokens[n]) for n in words)
    return sum(weight_of(pair.claim.tokens[n]) for n in words if n in pair.forth) / total if total else 0.0


def _names_nobody(token: Token) -> bool:
    """Whether a word only stands for whoever is asked: "the organization"."""
    return token.actor or weight_of(token) < 1.0


def _unfixed(part: RequirementWording, sentence: str) -> str:
    """What the requirement leaves open and the sentence does not fix; "" for nothing."""
    kinds = {each.kind for each in bounds_of(sentence)}
    said = []
    if part.asks_how_often and "frequency" not in kinds:
        said.append("nothing says how often")
    if part.asks_how_long and not kinds:
        said.append("nothing says within which time")
    return "; ".join(said)


def _unfilled(part: RequirementWording, pair: AlignedPair) -> str:
    """Which open parameter the sentence does not plainly fill: persons by naming somebody else, times by bounds; "" for none.

    What fills any other parameter is not told from words, so that a person decides.
    """
    for name in part.parameters:
        if HOW_OFTEN.search(name) or HOW_LONG.search(name):
            continue
        named = any(token.actor and n not in pair.back for n, token in enumerate(pair.evidence.tokens))
        if not (_PERSONS.search(name) and named):
            return f"whether it fixes “{name}” is not told"
    if part.parameters and len(pair.claim.content) < _FIXED:
        return "too much of it is left open"
    return ""


def _is_scattered(pair: AlignedPair) -> bool:
    """Whether the words in common stand among many others of the sentence: then they belong to several acts."""
    held = sorted(n for n in pair.back if pair.evidence.tokens[n].has_substance)
    if not held:
        return True
    inside = sum(1 for n in pair.evidence.content if held[0] <= n <= held[-1])
    return inside > _SPREAD * len(held)


def _missing(pair: AlignedPair) -> str:
    """The words of a part without a counterpart, those that say most first."""
    tokens = pair.claim.tokens
    lacking = sorted((n for n in pair.claim.content if n not in pair.forth), key=lambda n: (-weight_of(tokens[n]), n))
    words = [pair.claim.text[tokens[n].start : tokens[n].end] for n in sorted(lacking[:_MOST_MISSING])]
    return "nothing says: " + ", ".join(words) if words else "has all of its words"
