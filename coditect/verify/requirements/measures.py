"""What a sentence has in common with a part of a requirement, measured."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise

from coditect.language.reading.equivalents import has_equivalent
from coditect.language.reading.sentence import SentenceReading, Token, read_sentence
from coditect.language.tables import worded
from coditect.verify.alignment.matching import weight_of
from coditect.verify.alignment.pairs import align
from coditect.verify.requirements.asides import case_spans, purpose_start
from coditect.verify.requirements.demand import Demand, holder_of, is_done, is_nominal, is_passive
from coditect.verify.requirements.figures.bounds import bounds_of, is_timed
from coditect.verify.requirements.figures.counts import is_figure
from coditect.verify.requirements.narrowing import Laid, narrowing, rides
from coditect.verify.requirements.pairing import REQUIRE, REQUIRED, pair_acts, pair_figures
from coditect.verify.requirements.terms import PLAIN, act_of, does, listed, listed_words

__all__ = ["Common", "Rarity", "measure"]

Rarity = Callable[[str], float]
"""How much a stem tells in a framework, 0..1."""


_WITHIN = frozenset(("within", "during", "through", "via", "under", "throughout"))
"""What opens an adjunct, and what opens the matter that somebody is taught or told of."""

_KEPT = frozenset(("data", "information"))
"""What is protected with the thing that holds it."""

_RELATIVE = frozenset(("that", "which", "who", "whose"))

_REACH = 2
"""Words of substance from one of a term's words to the other, at most, in a sentence that has the term."""

_LITTLE = 0.25
_FOR = 0.35
"""How much a word of what a requirement is for tells, beside one of what it asks."""

_PASSIVE = 3
"""How much farther the object may stand in front of a passive."""

_by_it = worded("acts", r"\b(?:«by_it»)\b")


@dataclass(frozen=True, slots=True)
class Common:
    """A part beside a sentence.

    Attributes:
        held: share of the part's words that the sentence has, by how much they tell.
        aligned: the same by nothing but the words themselves: none that is told otherwise, no "implement" for "use".
        told: the same, with what the sentence's surroundings say.
        acts: share of the part's acts that the sentence has as acts; 1 where there is none.
        done: how many.
        terms: share of neighbours in the part's terms that stand together in the sentence, too; 1 where there is none.
        context: share of the requirement's title, beside the part's own words, that the sentence or its surroundings say.
        apart: words of the sentence between its act and the head that are not the part's.
        spread: words of the sentence for each in common, from the first to the last.
        narrower: words right before the head, or right behind it, that narrow it.
        sided: whether the head stands where an act's object does: behind an active verb, in front of a passive.
        missing: words of the part that neither the sentence nor its surroundings have, in order.
        common: how many words that tell something are in common; the head of an act does, though it be who acts ("train staff").
        exact: whether each act in common is told by one verb, by verbs of one act, or by one that does more.
        conditional: whether the sentence has a condition and the part has none.
        denies: whether one of the two is negative and the other is not.
        forth: token index of the part to that of the sentence.
    """

    held: float
    aligned: float
    told: float
    acts: float
    done: int
    terms: float
    context: float
    apart: int
    spread: float
    narrower: tuple[str, ...]
    sided: bool
    missing: tuple[str, ...]
    common: int
    exact: bool
    conditional: bool
    denies: bool
    forth: dict[int, int]


@lru_cache(maxsize=2_048)
def _keys(text: str) -> frozenset[str]:
    return read_sentence(text).keys


def measure(demand: Demand, title: str, sentence: SentenceReading, around: str, rarity: Rarity) -> Common | None:
    """Measure what is in common.

    Args:
        demand: of the part.
        title: of the requirement, and what else names its matter.
        sentence: of a document.
        around: its headings and its document's title.
        rarity: of stems in the framework.

    Returns:
        None where the head of the object is not in common, or fewer than two words are.
    """
    demand = _on_its_holder(demand, sentence)
    claim, head = demand.reading, demand.head
    # Most sentences end here, before the two are aligned, which is what takes time.
    if head is None or not (
        head in demand.acts
        or has_equivalent(claim.tokens[head].key, sentence.keys)
        or (claim.tokens[head].role == "number" and _has(sentence, "number"))
    ):
        return None
    forth, back = align(claim, sentence)
    pair_acts(demand, sentence, forth, back)
    pair_figures(claim, sentence, forth, back)
    content = demand.telling
    if head not in forth or sum(1 for n in content if n in forth) < min(2, len(content)):
        return None
    near = _keys(around)
    figures = _has(sentence, "number")  # then figures are compared as bounds, and not as words
    said = [n for n in content if not (figures and claim.tokens[n].role == "number")]
    weights = _weights(demand, said, rarity)
    total = sum(weights.values()) or 1.0
    extra = _told_otherwise(demand, said, sentence, forth)
    held = sum(weight for n, weight in weights.items() if n in forth or n in extra) / total
    shared = {n for n in forth if claim.tokens[n].key not in listed("providing") or _is_same(claim, n, sentence, forth)}
    lacking = [n for n in said if n not in forth and n not in extra and not has_equivalent(claim.tokens[n].key, near)]
    case = _case_end(sentence)
    done = [
        n
        for n in demand.acts
        if n in forth
        and forth[n] >= case
        and (is_done(sentence, forth[n]) or _is_had(claim, n, sentence, forth[n], forth[head]))
    ]
    on_it = _sided(demand, done, sentence, forth)
    sided, acts = (bool(on_it) or not done) and not rides(sentence, forth[head], back), on_it or done
    sided = sided and not _is_quality(claim.tokens[head].low, sentence.tokens[forth[head]].low)
    return Common(
        held=held,
        aligned=sum(weight for n, weight in weights.items() if n in shared) / total,
        told=1.0 - sum(weights[n] for n in lacking) / total,
        acts=len(acts) / len(demand.acts) if demand.acts else 1.0,
        done=len(acts),
        terms=_terms_held(demand, sentence, forth),
        context=_context(claim, title, (sentence.keys, near), rarity),
        apart=_apart(demand, acts, sentence, forth, back),
        spread=_spread(sentence, back),
        narrower=tuple(dict.fromkeys(narrowing(Laid(demand, title, sentence, acts, forth, back)))),
        sided=sided,
        missing=tuple(claim.text[claim.tokens[n].start : claim.tokens[n].end] for n in lacking),
        common=sum(1 for n in content if n in forth and ((n == head and sided) or _tells(claim.tokens[n]) >= 1.0)),
        exact=all(_is_one_act(claim.tokens[n].key, sentence.tokens[forth[n]]) for n in acts),
        conditional=_has(sentence, "condition") and not _has(claim, "condition"),
        denies=_denies(claim, acts) != _denies(sentence, [forth[n] for n in acts]),
        forth=forth,
    )


def _denies(reading: SentenceReading, acts: Sequence[int]) -> bool:
    """Whether there is a negative beside some acts: in their own half of "shall be kept and shall not be shared"."""
    tokens = reading.tokens
    joints = [n for n in range(len(tokens) - 1) if tokens[n].low in ("and", "but") and tokens[n + 1].role == "modal"]
    if not acts or not joints:
        return any(each.negates for each in tokens)
    start = max((n for n in joints if n < min(acts)), default=0)
    end = min((n for n in joints if n > max(acts)), default=len(tokens))
    return any(each.negates for each in tokens[start:end])


def _is_had(claim: SentenceReading, asked: int, sentence: SentenceReading, act: int, head: int) -> bool:
    """Whether what is asked to be done has to be had as done: "obtain a signed agreement" where agreements are to be signed."""
    tokens = sentence.tokens
    if not is_passive(claim, asked) or tokens[act].key != claim.tokens[asked].key or not act < head:
        return False
    before = next((each for each in reversed(tokens[:act]) if each.has_substance), None)
    is_joined = all(each.has_substance and not each.comma for each in tokens[act:head])
    return is_joined and before is not None and before.low in listed_words("having_done")


def _is_quality(asked: str, named: str) -> bool:
    """Whether a quality is asked about, and the word is none: "confidential data" for "the confidentiality of data"."""
    return asked.endswith("ity") and not named.endswith("ity")


def _case_end(sentence: SentenceReading) -> int:
    """Where the condition ends that a sentence begins with: what is done there is presupposed ("once it is mitigated, …")."""
    tokens = sentence.tokens
    first = next(
        (n for n, each in enumerate(tokens[:3]) if each.role in ("condition", "order") or each.low in _CASES), None
    )
    if first is None:
        return 0
    return next((n + 1 for n in range(first + 1, len(tokens)) if tokens[n].comma), 0)


_CASES = frozenset(("if", "when", "whenever", "once", "after", "before", "where", "unless", "until"))


def _is_same(claim: SentenceReading, n: int, sentence: SentenceReading, forth: dict[int, int]) -> bool:
    return claim.tokens[n].key == sentence.tokens[forth[n]].key


def _on_its_holder(demand: Demand, sentence: SentenceReading) -> Demand:
    """The same asked of what holds the data, where a sentence names that alone: "removable media is encrypted"."""
    tokens = demand.reading.tokens
    if (
        demand.head is None
        or tokens[demand.head].low not in _KEPT
        or has_equivalent(tokens[demand.head].key, sentence.keys)
    ):
        return demand
    holder = holder_of(demand)
    if holder is None or tokens[holder].low in listed_words("states_of_data"):
        return demand
    return replace(demand, head=holder)


def _weights(demand: Demand, said: Sequence[int], rarity: Rarity) -> dict[int, float]:
    """How much each word of a part tells; what it is all for, and in which case, tells less than what is to be done."""
    claim = demand.reading
    purpose, cases = purpose_start(claim.text), case_spans(claim.text)

    def share(n: int) -> float:
        at = claim.tokens[n].start
        aside = n != demand.head and any(start <= at < end for start, end in cases)
        return _FOR if at >= purpose or aside else 1.0

    return {n: _tells(claim.tokens[n]) * rarity(claim.tokens[n].key) * share(n) for n in said}


def _told_otherwise(
    demand: Demand, said: Sequence[int], sentence: SentenceReading, forth: dict[int, int]
) -> frozenset[int]:
    """Words of a part that a sentence tells in its own way: "regularly" by a frequency, "in accordance with" by "through",
    what comes twice by the other place, "a period of" by the figure.
    """
    tokens = demand.reading.tokens
    found = {n for n in said if tokens[n].key in listed("at_intervals")}
    if found and not any(each.kind == "frequency" for each in bounds_of(sentence.text)):
        found = set()
    if _by_it().search(sentence.text):
        found |= {n for n in said if _by_it().fullmatch(tokens[n].low) or tokens[n].key in listed("on_paper")}
    own = {tokens[n].key for n in forth}
    found |= {n for n in said if n not in forth and tokens[n].key in own}
    holds = demand.head is not None and demand.head in forth
    kept = {
        n
        for n in said
        if holds and tokens[n].low in _KEPT and n + 2 < len(tokens) and tokens[n + 1].low in ("on", "in")
    }
    if any(tokens[n].role == "number" for n in forth):
        found |= {n for n in said if tokens[n].low in listed_words("lengths")}
    if any(is_timed(each) for each in bounds_of(sentence.text)):  # "after a predetermined time"
        left = {n for n in said if tokens[n].low in listed_words("left_to_fix")}
        found |= left | {
            n for n in said if n - 1 in left and tokens[n].low in (*listed_words("lengths"), "time", "interval")
        }
    if holds and demand.head is not None and _is_concerned(sentence, forth[demand.head]):
        found |= _of_whom(demand, said)
    return frozenset(found | kept)


def _is_concerned(sentence: SentenceReading, head: int) -> bool:
    """Whether a word in front of a noun stands for what a law says at length of whom it means: "each affected customer"."""
    return head > 0 and sentence.tokens[head - 1].low in listed_words("concerned")


def _of_whom(demand: Demand, said: Sequence[int]) -> set[int]:
    """The words of a part that say in a clause behind its object which of them are meant: "customers whose data were lost"."""
    tokens, text = demand.reading.tokens, demand.reading.text
    end = tokens[demand.head].end if demand.head is not None else 0
    spans = [span for span in case_spans(text) if not text[end : span[0]].strip()]
    return {n for n in said if any(start <= tokens[n].start < stop for start, stop in spans)}


def _tells(token: Token) -> float:
    """How much a word tells by itself: who is asked, and "appropriate", tell little."""
    return _LITTLE if token.actor or token.key in PLAIN else weight_of(token)


def _is_one_act(asked: str, verb: Token) -> bool:
    """Whether a verb, or a noun of it, tells the act; words that are merely near in meaning do not."""
    if verb.low in REQUIRED:
        return asked == REQUIRE or does(REQUIRE, asked)
    return act_of(asked) == act_of(verb.key) or does(verb.key, asked) or is_nominal(verb.low)


def _has(reading: SentenceReading, role: str) -> bool:
    return any(token.role == role for token in reading.tokens)


def _terms_held(demand: Demand, sentence: SentenceReading, forth: dict[int, int]) -> float:
    """Of the neighbours in a term that are in common, the share that stands together in the sentence; 1 where there are none."""
    place = {token: number for number, token in enumerate(sentence.content)}
    pairs = [(left, right) for run in demand.terms for left, right in pairwise([each for each in run if each in forth])]
    together = sum(1 for left, right in pairs if abs(place[forth[left]] - place[forth[right]]) <= _REACH)
    return together / len(pairs) if pairs else 1.0


def _context(claim: SentenceReading, title: str, said: Sequence[frozenset[str]], rarity: Rarity) -> float:
    """The share of what the title says beside the part that is said in one of some texts."""
    named = read_sentence(title)
    left = {named.tokens[n].key: weight_of(named.tokens[n]) for n in named.content if named.tokens[n].role == "word"}
    weights = {key: weight * rarity(key) for key, weight in left.items() if not has_equivalent(key, claim.keys)}
    total = sum(weights.values())
    told = sum(weight for key, weight in weights.items() if any(has_equivalent(key, each) for each in said))
    return told / total if total else 1.0


def _apart(
    demand: Demand, acts: Sequence[int], sentence: SentenceReading, forth: dict[int, int], back: dict[int, int]
) -> int:
    """Words between the nearest act and the head that the part does not have."""
    if demand.head is None or demand.head not in forth or not (acts or demand.is_measured):
        return 0
    at = forth[demand.head]
    if demand.is_measured:
        return _from_figure(demand, sentence, forth)
    return min(
        sum(1 for n in sentence.content if min(at, forth[act]) < n < max(at, forth[act]) and n not in back)
        // (_PASSIVE if at < forth[act] and is_passive(sentence, forth[act]) else 1)
        for act in acts
    )


def _from_figure(demand: Demand, sentence: SentenceReading, forth: dict[int, int]) -> int:
    """Words between a thing and its figure by which it is another's: "modify 6 characters when changing passwords"."""
    figure = next((n for n in forth if is_figure(demand.reading.tokens, n)), None)
    if figure is None or demand.head is None:
        return len(sentence.tokens)
    start, end = sorted((forth[demand.head], forth[figure]))
    ours = set(forth.values())
    between = (sentence.tokens[n] for n in sentence.content if start < n < end and n not in ours)
    return sum(1 for each in between if each.low not in listed_words("having") | listed_words("dimensions"))


def _spread(sentence: SentenceReading, back: dict[int, int]) -> float:
    held = sorted(n for n in back if sentence.tokens[n].has_substance)
    if not held:
        return 99.0
    return sum(1 for n in sentence.content if held[0] <= n <= held[-1]) / len(held)


def _sided(demand: Demand, acts: Sequence[int], sentence: SentenceReading, forth: dict[int, int]) -> list[int]:
    """Those of some acts that the head is the object of: behind an active verb, in front of a passive."""
    if demand.head is None or demand.head not in forth:
        return list(acts)
    at = forth[demand.head]
    return [
        act
        for act in acts
        if forth[act] == at
        or is_nominal(sentence.tokens[forth[act]].low)
        or (
            not _in_relative(sentence, forth[act], at)
            and not _in_adjunct(demand, act, sentence, forth[act], at)
            and (at < forth[act]) == is_passive(sentence, forth[act])
        )
    ]


def _in_adjunct(demand: Demand, asked: int, sentence: SentenceReading, act: int, head: int) -> bool:
    """Whether a noun behind an act is no object of it: "implemented within the life cycle" does not implement that."""
    between = {each.low for each in sentence.tokens[act + 1 : head]} & _WITHIN
    wanted = {each.low for each in demand.reading.tokens[asked + 1 : demand.head]}
    return bool(between - wanted)


def _in_relative(sentence: SentenceReading, act: int, head: int) -> bool:
    """Whether a noun behind an act stands in a clause about its object: "mitigate all factors that enabled the incident"."""
    between = sentence.tokens[act + 1 : head]
    return any(each.low in _RELATIVE and at > 0 and between[at - 1].has_substance for at, each in enumerate(between))
