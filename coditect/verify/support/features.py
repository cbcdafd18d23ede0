"""What is measured of a claim and its evidence, by name; every measure is a finite number and needs no model."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from coditect.verify.contradictions.kinds import Contradiction
from coditect.verify.support.alignment import Index, Place, locate
from coditect.verify.support.lexicon import families, poles
from coditect.verify.support.words import CONTENT, FUNCTION, NAME, NUMBER, Word, parts, words

__all__ = ["Measured", "measure", "measure_contradictions"]

_NEGATION_REACH = 4
_LONGEST_ALIGNED = 120
_LONGEST_CLAIM_WORDS = 400
_HARD = 0.5


@dataclass(frozen=True, slots=True)
class Measured:
    """A claim measured against its evidence.

    Attributes:
        features: by name.
        words: of the claim.
        index: of the evidence.
        places: of the claim's content words.
        parts: half-open ranges of the claim's words.
        part_coverage: for each part the weighted share of it that its best sentences hold, 0..1.
        part_sentences: for each part its best sentences, best first.
        novel: places among the claim's words of content words that the evidence lacks in any form.
    """

    features: dict[str, float]
    words: tuple[Word, ...]
    index: Index
    places: tuple[Place, ...]
    parts: tuple[tuple[int, int], ...]
    part_coverage: tuple[float, ...]
    part_sentences: tuple[tuple[int, ...], ...]
    novel: tuple[int, ...]


def measure(claim: str, index: Index) -> Measured:
    """Measure a claim against evidence sentences.

    Args:
        claim: any text.
        index: of the evidence.
    """
    said = words(claim)[:_LONGEST_CLAIM_WORDS]
    places = locate(said, index)
    ranges = parts(claim, said)
    coverage = [_best_sentences(said[a:b], index) for a, b in ranges]
    related = {p.at: index.related(said[p.at]) for p in places if said[p.at].key not in index.at}
    novel = [p.at for p in places if p.at in related and not related[p.at] and not index.abbreviates(said[p.at])]
    features = _sizes(said, index, len(ranges))
    features |= _coverage(said, index, coverage, novel, related)
    features |= _sequences(said, index, coverage)
    features |= _kinds(said, index, places, novel, related)
    features |= _polarity(said, index, places)
    features |= _negation(said, index, places)
    features |= _context(said, index, places)
    return Measured(
        features,
        said,
        index,
        places,
        ranges,
        tuple(share for share, _ in coverage),
        tuple(best for _, best in coverage),
        tuple(novel),
    )


def measure_contradictions(found: Sequence[Contradiction]) -> dict[str, float]:
    """The hard contradictions of a claim as measures.

    Args:
        found: by :func:`coditect.verify.contradictions.rules.find_contradictions`.
    """
    severities = [each.severity for each in found]
    return {
        "contradiction_worst": max(severities, default=0.0),
        "contradiction_sum": sum(severities),
        "contradictions_hard": float(sum(severity >= _HARD for severity in severities)),
    }


def _best_sentences(part: Sequence[Word], index: Index, most: int = 3) -> tuple[float, tuple[int, ...]]:
    """The sentences that together hold most of a part, greedily, and the weighted share that they hold."""
    left = {word.key: index.weight(word) for word in part if word.kind != FUNCTION}
    total = sum(left.values())
    chosen: list[int] = []
    held = 0.0
    while left and len(chosen) < most:
        gains: dict[int, float] = {}
        for key, weight in left.items():
            for sentence in index.inside.get(key, ()):
                gains[sentence] = gains.get(sentence, 0.0) + weight
        if not gains:
            break
        best = max(gains, key=lambda each: (gains[each], -each))
        chosen.append(best)
        held += gains[best]
        left = {key: weight for key, weight in left.items() if best not in index.inside.get(key, ())}
    return (held / total if total else 0.0), tuple(chosen)


def _sizes(said: Sequence[Word], index: Index, count: int) -> dict[str, float]:
    content = sum(word.kind != FUNCTION for word in said)
    return {
        "claim_words": math.log1p(len(said)),
        "claim_content": math.log1p(content),
        "claim_parts": math.log1p(count),
        "claim_names": math.log1p(sum(word.kind == NAME for word in said)),
        "claim_numbers": math.log1p(sum(word.kind == NUMBER for word in said)),
        "evidence_sentences": math.log1p(len(index.sentences)),
        "evidence_words": math.log1p(sum(map(len, index.sentences))),
    }


def _coverage(
    said: Sequence[Word],
    index: Index,
    coverage: Sequence[tuple[float, tuple[int, ...]]],
    novel: Sequence[int],
    related: dict[int, str],
) -> dict[str, float]:
    """Shares of the claim's content, weighted by rarity, that the evidence has."""
    content = {at: index.weight(word) for at, word in enumerate(said) if word.kind != FUNCTION}
    total = sum(content.values()) or 1.0
    exact = sum(weight for at, weight in content.items() if at not in related)
    missing = sum(content[at] for at in novel)
    plain = sum(at not in related for at in content) / (len(content) or 1)
    sentences = [_share(content, said, index, number) / total for number in {best[0] for _, best in coverage if best}]
    shares = [share for share, _ in coverage] or [0.0]
    return {
        "covered": exact / total,
        "covered_plain": plain,
        "covered_related": 1.0 - missing / total if content else 0.0,
        "covered_best": max(sentences, default=0.0),
        "covered_three_mean": sum(shares) / len(shares),
        "covered_three_min": min(shares),
        "novel_run": float(_longest_run(said, novel)),
    }


def _share(content: dict[int, float], said: Sequence[Word], index: Index, number: int) -> float:
    return sum(weight for at, weight in content.items() if number in index.inside.get(said[at].key, ()))


def _longest_run(said: Sequence[Word], novel: Sequence[int]) -> int:
    """The most novel content words in a row; function words between do not end a row."""
    chosen, longest, run = set(novel), 0, 0
    for at, word in enumerate(said):
        if at in chosen:
            run += 1
            longest = max(longest, run)
        elif word.kind != FUNCTION:
            run = 0
    return longest


def _sequences(
    said: Sequence[Word], index: Index, coverage: Sequence[tuple[float, tuple[int, ...]]]
) -> dict[str, float]:
    """How much of the claim's order of words is the evidence's."""
    keys = [word.key for word in said]
    content = [word.key for word in said if word.kind != FUNCTION]
    two: set[tuple[str, ...]] = set()
    three: set[tuple[str, ...]] = set()
    four: set[tuple[str, ...]] = set()
    skip: set[tuple[str, ...]] = set()
    for sentence in index.sentences:
        theirs = [word.key for word in sentence]
        two.update(pairwise(theirs))
        three.update(zip(theirs, theirs[1:], theirs[2:], strict=False))
        four.update(zip(theirs, theirs[1:], theirs[2:], theirs[3:], strict=False))
        bare = [word.key for word in sentence if word.kind != FUNCTION]
        skip.update(pairwise(bare))
        skip.update(zip(bare, bare[2:], strict=False))
        skip.update(zip(bare, bare[3:], strict=False))
    pairs = list(pairwise(content))
    both = [pair for pair in pairs if pair[0] in index.at and pair[1] in index.at]
    best = coverage[0][1][0] if len(coverage) == 1 and coverage[0][1] else -1
    theirs = [word.key for word in index.sentences[best]][:_LONGEST_ALIGNED] if best >= 0 else []
    return {
        "two": _seen(list(pairwise(keys)), two),
        "three": _seen(list(zip(keys, keys[1:], keys[2:], strict=False)), three),
        "four": _seen(list(zip(keys, keys[1:], keys[2:], keys[3:], strict=False)), four),
        "pairs": _seen(pairs, skip),
        "pairs_known": _seen(both, skip),
        "pairs_reversed": sum((b, a) in skip and (a, b) not in skip for a, b in both) / (len(both) or 1),
        "common_sequence": _common_sequence(keys[:_LONGEST_ALIGNED], theirs) / (len(keys) or 1),
    }


def _seen(wanted: Sequence[tuple[str, ...]], have: set[tuple[str, ...]]) -> float:
    return sum(each in have for each in wanted) / len(wanted) if wanted else 0.0


def _common_sequence(first: Sequence[str], second: Sequence[str]) -> int:
    """Length of the longest common subsequence."""
    row = [0] * (len(second) + 1)
    for one in first:
        diagonal = 0
        for column, other in enumerate(second, 1):
            above = row[column]
            row[column] = diagonal + 1 if one == other else max(above, row[column - 1])
            diagonal = above
    return row[-1]


def _kinds(
    said: Sequence[Word], index: Index, places: Sequence[Place], novel: Sequence[int], related: dict[int, str]
) -> dict[str, float]:
    """What kind the novel words are, and names and numbers that the evidence has, but elsewhere."""
    kinds = [said[at].kind for at in novel]
    content = len(places) or 1
    away_names = away_numbers = away_content = 0.0
    numbers = names = 0
    for place in places:
        word = said[place.at]
        inside = index.inside.get(word.key, ())
        away = bool(inside) and place.sentence >= 0 and place.sentence not in inside
        if word.kind == NAME:
            names += 1
            away_names += away * place.strength
        elif word.kind == NUMBER:
            numbers += 1
            away_numbers += away * place.strength
        else:
            away_content += away * place.strength
    verbal = sum(said[at].text.endswith(("ed", "ing")) for at in novel)
    families_known = families()
    return {
        "novel_numbers": float(min(4, kinds.count(NUMBER))),
        "novel_names": float(min(4, kinds.count(NAME))),
        "novel_words": math.log1p(kinds.count(CONTENT)),
        "novel_share": len(novel) / content,
        "novel_word_share": kinds.count(CONTENT) / content,
        "novel_verbal_share": verbal / (len(novel) or 1),
        "novel_families": float(sum(said[at].key in families_known for at in novel)),
        "novel_function": sum(w.kind == FUNCTION and w.key not in index.at for w in said) / (len(said) or 1),
        "related_share": sum(1 for found in related.values() if found) / content,
        "novel_number_share": kinds.count(NUMBER) / (numbers or 1),
        "novel_name_share": kinds.count(NAME) / (names or 1),
        "away_names": away_names,
        "away_numbers": away_numbers,
        "away_words": away_content / content,
        "novel_context": max((p.strength for p in places if p.at in set(novel)), default=0.0),
    }


def _negated(sentence: Sequence[Word], at: int) -> bool:
    """Whether a negation stands a few words before, or right behind."""
    before = sentence[max(0, at - _NEGATION_REACH) : at]
    behind = sentence[at + 1 : at + 2]
    return any(word.negates for word in before) or any(word.negates for word in behind)


def _polarity(said: Sequence[Word], index: Index, places: Sequence[Place]) -> dict[str, float]:
    """Words of the claim against words on the same axis, or of the same closed family, where they belong in the evidence."""
    all_poles, all_families = poles(), families()
    clash = agree = far_clash = family = family_far = 0.0
    wanted = {at: 1.0 for at, word in enumerate(said) if word.kind == FUNCTION and word.key in all_poles}
    strength = {place.at: place for place in places}
    previous: Place | None = None
    for at, word in enumerate(said):
        place = strength.get(at, previous)
        previous = place
        if place is None or place.sentence < 0 or (at not in strength and at not in wanted):
            continue
        sentence = index.sentences[place.sentence]
        inside = place.sentence in index.inside.get(word.key, ())
        if word.key in all_poles:
            same, opposite = _poles_in(word.key, _negated(said, at), sentence)
            if same:
                agree += place.strength
            elif opposite:
                clash += place.strength
            if not inside and word.key not in index.at and _only_opposite(word.key, index):
                far_clash += 1.0
        if word.key in all_families and not inside:
            near = {number for other in sentence for number in all_families.get(other.key, ())}
            if near.intersection(all_families[word.key]):
                family += place.strength
            elif word.key not in index.at:
                family_far += 1.0
    return {
        "poles_clash": clash,
        "poles_clash_any": float(clash > 0),
        "poles_agree": agree,
        "poles_far": far_clash,
        "family_clash": family,
        "family_far": family_far,
    }


def _poles_in(key: str, negated: bool, sentence: Sequence[Word]) -> tuple[bool, bool]:
    """Whether a sentence has a word of the same pole, and one of the opposite pole; a negation turns a pole round."""
    mine = {(axis, -sign if negated else sign) for axis, sign in poles()[key]}
    same = opposite = False
    all_poles = poles()
    for at, word in enumerate(sentence):
        if word.key == key:
            turned = _negated(sentence, at) != negated
            same, opposite = same or not turned, opposite or turned
        elif word.key in all_poles:
            flip = -1 if _negated(sentence, at) else 1
            for axis, sign in all_poles[word.key]:
                same = same or (axis, sign * flip) in mine
                opposite = opposite or (axis, -sign * flip) in mine
    return same, opposite


def _only_opposite(key: str, index: Index) -> bool:
    """Whether the whole evidence has words of the opposite pole and none of the same."""
    all_poles = poles()
    mine = set(all_poles[key])
    found = False
    for other in index.at:
        for axis, sign in all_poles.get(other, ()):
            if (axis, sign) in mine:
                return False
            found = found or (axis, -sign) in mine
    return found


def _negation(said: Sequence[Word], index: Index, places: Sequence[Place]) -> dict[str, float]:
    """Negations that only one side has, around the same words."""
    added = dropped = kept = 0.0
    for place in places:
        sentence = index.sentences[place.sentence] if place.sentence >= 0 else ()
        word = said[place.at]
        spots = [at for at, other in enumerate(sentence) if other.key == word.key]
        if not spots:
            continue
        ours = any(w.negates for w in said[max(0, place.at - _NEGATION_REACH) : place.at])
        theirs = [any(w.negates for w in sentence[max(0, at - _NEGATION_REACH) : at]) for at in spots]
        if ours and not any(theirs):
            added += place.strength
        elif not ours and all(theirs):
            dropped += place.strength
        elif ours:
            kept += place.strength
    content = len(places) or 1
    return {
        "negations": float(min(3, sum(word.negates for word in said))),
        "negation_added": added / content,
        "negation_dropped": dropped / content,
        "negation_kept": kept / content,
        "negation_novel": float(
            any(w.negates for w in said) and not any(w.negates for s in index.sentences for w in s)
        ),
    }


def _context(said: Sequence[Word], index: Index, places: Sequence[Place]) -> dict[str, float]:
    """Whether words that the evidence has stand among the same neighbours there."""
    known = [place for place in places if said[place.at].key in index.at]
    near = sorted(place.near for place in known) or [0.0]
    exact = sorted(p.near for p in known if said[p.at].kind in (NAME, NUMBER))
    strengths = [place.strength for place in places] or [0.0]
    return {
        "near_mean": sum(near) / len(near),
        "near_min": near[0],
        "near_low": near[len(near) // 5],
        "near_exact_mean": sum(exact) / len(exact) if exact else sum(near) / len(near),
        "near_exact_min": exact[0] if exact else near[0],
        "strength_mean": sum(strengths) / len(strengths),
        "strength_min": min(strengths),
    }
