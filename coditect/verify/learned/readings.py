"""What the readings of a sentence and of the statement that it rests on have in common, in numbers that no rule decides on.

Rules look for a reason in one place. These measures only count, over the whole of both sides, what has no counterpart and which
of the small words differ, so that a falsehood whose kind no rule knows still leaves a trace.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import pairwise

from coditect.language.reading.conditions import Condition, find_conditions
from coditect.language.reading.oppositions import opposite_kind
from coditect.language.reading.sentence import SentenceReading, Token, read_sentence, split_sentences
from coditect.verify.alignment.evidence import EvidenceIndex
from coditect.verify.alignment.matching import find_pairs, joined_run, weight_of
from coditect.verify.alignment.pairs import AlignedPair
from coditect.verify.alignment.predicates import places_spoken_of
from coditect.verify.contradictions.polarity import denies

__all__ = ["AGAINST", "SPEAKS_FOR", "find_strange_words", "measure_readings"]

SPEAKS_FOR = ("kept", "equal", "together", "force_same", "conditions_met")
"""Measures of which more makes a claim more probable; of several sentences the least counts."""

AGAINST = (
    "strange", "strange_run", "strange_lead", "strange_names", "strange_numbers", "strange_actors", "left", "left_run",
    "left_names", "left_numbers", "left_inside", "crossed", "crossed_same_voice", "lead_moved", "lead_moved_same_voice",
    "voice_changed",
    "denials_added", "denials_lost", "negated", "affirmed", "force_other", "force_lost", "conditions_added",
    "conditions_lost", "conditions_turned", "quantifiers_added", "quantifiers_lost", "only_added", "only_lost",
    "comparators_apart", "orders_apart", "joined_otherwise", "opposites", "without_pair",
)  # fmt: skip
"""Measures of which more makes it less probable; of several sentences the most counts."""

_MOST = 4.0
_NEAR = 5
_BETWEEN = 12
_HELD_BODY = 0.5
_JOINS = frozenset(("and", "or"))
_BE = frozenset(("be", "is", "are", "was", "were", "been", "being"))
_PARTICIPLES = ("ed", "en", "ept", "ade", "aid", "ought", "ound", "old", "ung")


def measure_readings(claim: str, index: EvidenceIndex) -> dict[str, float]:
    """The measures of a claim beside its evidence, by name.

    Args:
        claim: one or a few sentences, as they are matched.
        index: the evidence.

    Returns:
        Those of :data:`SPEAKS_FOR` and :data:`AGAINST`; of several sentences the worse.
    """
    rows = [_of_sentence(claim[start:end], start, index) for start, end in split_sentences(claim)]
    if not rows:
        rows = [_unpaired()]
    return {name: min(row[name] for row in rows) for name in SPEAKS_FOR} | {
        name: max(row[name] for row in rows) for name in AGAINST
    }


def find_strange_words(claim: str, index: EvidenceIndex) -> list[tuple[int, int]]:
    """Where a claim says words of substance for which the statement that it rests on has no counterpart.

    Args:
        claim: one or a few sentences, as they are matched.
        index: the evidence.

    Returns:
        Code points of the claim, half-open, in order.
    """
    found: list[tuple[int, int]] = []
    for start, end in split_sentences(claim):
        reading = read_sentence(claim[start:end])
        pairs = find_pairs(reading, start, index)
        held = _held(pairs) if pairs else set()
        tokens = (reading.tokens[n] for n in reading.content if n not in held)
        found += [(start + token.start, start + token.end) for token in tokens]
    return found


def _held(pairs: Sequence[AlignedPair]) -> set[int]:
    """The tokens of a claim's sentence that its statement has, or another of the same text in a row."""
    held = set(pairs[0].forth)
    for other in pairs[1:]:
        if other.source.text_index == pairs[0].source.text_index:
            held.update(joined_run(other, held))
    return held


def _unpaired() -> dict[str, float]:
    return dict.fromkeys(SPEAKS_FOR, 0.0) | dict.fromkeys(AGAINST, 0.0) | {"without_pair": 1.0, "strange": 2.0}


def _of_sentence(sentence: str, offset: int, index: EvidenceIndex) -> dict[str, float]:
    reading = read_sentence(sentence)
    pairs = find_pairs(reading, offset, index)
    if not pairs:
        return _unpaired()
    pair = pairs[0]
    held = _held(pairs)
    spoken = places_spoken_of(pair) or frozenset(range(len(pair.evidence.tokens)))
    return {
        "without_pair": 0.0,
        **_words(pair, held, spoken),
        **_order(pair),
        **_forces(pair, spoken),
        **_conditions(pair, held, spoken),
        **_small_words(pair, spoken),
    }


def _words(pair: AlignedPair, held: Collection[int], spoken: Collection[int]) -> dict[str, float]:
    """Words of substance without a counterpart, on either side."""
    mine, theirs = pair.claim, pair.evidence
    strange = [n for n in mine.content if n not in held]
    said = [n for n in theirs.content if n in spoken]
    left = [n for n in said if n not in pair.back]
    total = sum(weight_of(theirs.tokens[n]) for n in said)
    kept = sum(weight_of(theirs.tokens[n]) for n in said if n in pair.back)
    same = sum(mine.tokens[i].key == theirs.tokens[j].key for i, j in pair.forth.items())
    return {
        "kept": kept / total if total else 1.0,
        "equal": same / len(pair.forth) if pair.forth else 0.0,
        "strange": math.log1p(sum(weight_of(mine.tokens[n]) for n in strange)),
        "strange_run": math.log1p(_longest(mine.content, set(strange))),
        "strange_names": min(_MOST, sum(mine.tokens[n].proper for n in strange)),
        "strange_numbers": min(_MOST, sum(mine.tokens[n].role != "word" for n in strange)),
        "strange_actors": min(_MOST, sum(mine.tokens[n].actor for n in strange)),
        "left": math.log1p(len(left)),
        "left_run": math.log1p(_longest(said, set(left))),
        "left_inside": math.log1p(_inside(pair, left)),
        "strange_lead": float(bool(mine.content) and mine.content[0] not in held),
        "left_names": min(_MOST, sum(theirs.tokens[n].proper for n in left)),
        "left_numbers": min(_MOST, sum(theirs.tokens[n].role != "word" for n in left)),
        "opposites": min(_MOST, _opposites(pair, strange, left)),
    }


def _longest(places: Sequence[int], chosen: Collection[int]) -> int:
    """The longest run of chosen places among some."""
    best = run = 0
    for n in places:
        run = run + 1 if n in chosen else 0
        best = max(best, run)
    return best


def _inside(pair: AlignedPair, left: Sequence[int]) -> int:
    """How many words of the evidence without a counterpart stand among those that have one."""
    places = pair.back
    return sum(min(places) < n < max(places) for n in left) if places else 0


def _opposites(pair: AlignedPair, strange: Sequence[int], left: Sequence[int]) -> float:
    """Words of the claim whose opposite the evidence has, and has not said otherwise."""
    theirs = [pair.evidence.tokens[n].key for n in left if pair.evidence.tokens[n].role == "word"]
    mine = (pair.claim.tokens[n] for n in strange)
    return float(sum(token.role == "word" and any(opposite_kind(token.key, key) for key in theirs) for token in mine))


def _order(pair: AlignedPair) -> dict[str, float]:
    """Whether words stand in the same order and as near to each other on both sides."""
    places = [pair.forth[n] for n in pair.claim.content if n in pair.forth]
    pairs = len(places) * (len(places) - 1) / 2
    turned = sum(a > b for k, a in enumerate(places) for b in places[k + 1 :])
    rank = {n: number for number, n in enumerate(pair.evidence.content)}
    steps = [abs(rank[a] - rank[b]) <= _NEAR for a, b in pairwise(places) if a in rank and b in rank]
    crossed = turned / pairs if pairs else 0.0
    moved = sum(n < places[0] for n in places) / len(places) if places else 0.0
    changed = _is_passive(pair.claim) != _is_passive(pair.evidence)
    return {
        "crossed": crossed,
        "crossed_same_voice": 0.0 if changed else crossed,
        "lead_moved": moved,
        "lead_moved_same_voice": 0.0 if changed else moved,
        "voice_changed": float(changed),
        "together": sum(steps) / len(steps) if steps else 1.0,
    }


def _is_passive(reading: SentenceReading) -> bool:
    """Whether a form of "to be" leads to a participle, at most one word between them."""
    tokens = reading.tokens
    return any(
        token.low.rpartition(" ")[2] in _BE and any(each.low.endswith(_PARTICIPLES) for each in tokens[n + 1 : n + 3])
        for n, token in enumerate(tokens)
    )


def _forces(pair: AlignedPair, spoken: Collection[int]) -> dict[str, float]:
    """How both sides bind, and what they deny."""
    mine, theirs = pair.claim.tokens, [pair.evidence.tokens[n] for n in sorted(spoken)]
    ours = {token.key for token in mine if token.role == "modal"}
    have = {token.key for token in theirs if token.role == "modal"}
    more = sum(map(denies, mine)) - sum(map(denies, theirs))
    negated = sum(token.negates for token in mine) - sum(token.negates for token in theirs)
    return {
        "negated": min(_MOST, max(0.0, float(negated))),
        "affirmed": min(_MOST, max(0.0, float(-negated))),
        "force_same": float(bool(ours & have)),
        "force_other": float(bool(ours - have) and bool(have)),
        "force_lost": float(bool(have) and not ours),
        "denials_added": min(_MOST, max(0.0, float(more))),
        "denials_lost": min(_MOST, max(0.0, float(-more))),
    }


def _conditions(pair: AlignedPair, held: Collection[int], spoken: Collection[int]) -> dict[str, float]:
    """Conditions and exceptions that only one side has."""
    mine = find_conditions(pair.claim)
    theirs = [each for each in find_conditions(pair.evidence) if each.at in spoken]
    met = [each for each in theirs if _body_share(each, pair.back) >= _HELD_BODY]
    turned = Counter(map(_kind, mine))
    turned.subtract(Counter(map(_kind, met)))
    return {
        "conditions_added": min(_MOST, float(sum(_body_share(each, held) < _HELD_BODY for each in mine))),
        "conditions_lost": min(_MOST, float(len(theirs) - len(met))),
        "conditions_met": min(_MOST, float(len(met))),
        "conditions_turned": float(turned["unless"] != 0),
    }


def _body_share(condition: Condition, held: Collection[int]) -> float:
    return sum(n in held for n in condition.body) / len(condition.body) if condition.body else 1.0


def _kind(condition: Condition) -> str:
    return "if" if condition.key == "when" else condition.key


def _small_words(pair: AlignedPair, spoken: Collection[int]) -> dict[str, float]:
    """Quantifiers, comparators, words of order and connectives that differ."""
    mine, theirs = pair.claim.tokens, [pair.evidence.tokens[n] for n in sorted(spoken)]
    ours, have = _quantifiers(mine), _quantifiers(theirs)
    return {
        "quantifiers_added": float(len(ours - have)),
        "quantifiers_lost": float(len(have - ours)),
        "only_added": float("only" in ours - have),
        "only_lost": float("only" in have - ours),
        "comparators_apart": float(len(_keys(mine, "comparator") ^ _keys(theirs, "comparator"))),
        "orders_apart": float(len(_keys(mine, "order") ^ _keys(theirs, "order"))),
        "joined_otherwise": float(sum(_joined_otherwise(pair))),
    }


def _quantifiers(tokens: Sequence[Token]) -> set[str]:
    return _keys(tokens, "quantifier") - {"some"}


def _keys(tokens: Sequence[Token], role: str) -> set[str]:
    return {token.key for token in tokens if token.role == role}


def _joined_otherwise(pair: AlignedPair) -> Iterator[bool]:
    """Where "and" or "or" joins two words, whether the other word joins their counterparts."""
    tokens = pair.claim.tokens
    for n, token in enumerate(tokens):
        if token.low not in _JOINS:
            continue
        before, behind = _neighbours(pair.claim, n, pair.forth)
        if before is None or behind is None or not 0 < behind - before <= _BETWEEN:
            continue
        between = {each.low for each in pair.evidence.tokens[before + 1 : behind]} & _JOINS
        yield bool(between) and token.low not in between


def _neighbours(reading: SentenceReading, n: int, forth: Mapping[int, int]) -> tuple[int | None, int | None]:
    """The counterparts of the words of substance before and behind a token."""
    before = next((k for k in range(n - 1, -1, -1) if reading.tokens[k].has_substance), None)
    behind = next((k for k in range(n + 1, len(reading.tokens)) if reading.tokens[k].has_substance), None)
    return (
        forth.get(before) if before is not None else None,
        forth.get(behind) if behind is not None else None,
    )
