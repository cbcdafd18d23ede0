"""What is measured of a claim and its evidence, by name; every measure is a finite number and needs no model."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from coditect.language.reading.oppositions import families, poles
from coditect.language.reading.sentence import split_sentences
from coditect.language.reading.words import Word, WordKind, read_words
from coditect.verify.alignment.evidence import EvidenceIndex
from coditect.verify.contradictions.kinds import Contradiction
from coditect.verify.support.context import WordContext, abbreviates, locate, related_key

__all__ = ["Measured", "measure", "measure_contradictions"]

_NEGATION_REACH = 4
_LONGEST_ALIGNED = 120
_LONGEST_CLAIM_WORDS = 400
_HARD = 0.5
_UNFITTED = "substitution"

Features = dict[str, float]


@dataclass(frozen=True, slots=True)
class Measured:
    """A claim measured against its evidence.

    Attributes:
        features: the measures by name.
        words: the words of the claim.
        index: the evidence, indexed.
        contexts: where each content word of the claim belongs in the evidence.
        parts: its sentences, as half-open ranges of its words.
        part_coverage: for each part the weighted share of it that its best sentences hold, 0..1.
        part_sentences: for each part its best sentences, best first.
        novel: places among the claim's words of content words that the evidence lacks in any form.
    """

    features: Features
    words: tuple[Word, ...]
    index: EvidenceIndex
    contexts: tuple[WordContext, ...]
    parts: tuple[tuple[int, int], ...]
    part_coverage: tuple[float, ...]
    part_sentences: tuple[tuple[int, ...], ...]
    novel: tuple[int, ...]


def measure(claim: str, index: EvidenceIndex) -> Measured:
    """Measure a claim against evidence sentences.

    Args:
        claim: any text.
        index: the evidence, indexed.
    """
    said = read_words(claim)[:_LONGEST_CLAIM_WORDS]
    contexts = locate(said, index)
    parts = tuple(_parts(claim, said))
    cover = [index.cover(said[a:b]) for a, b in parts]
    related = {c.at: related_key(said[c.at], index) for c in contexts if said[c.at].key not in index.inside}
    novel = tuple(at for at, other in related.items() if not other and not abbreviates(said[at], index))
    features = _sizes(said, index, len(parts))
    features |= _coverage(said, index, cover, novel, related)
    features |= _sequences(said, index, cover)
    features |= _novelty(said, novel, related)
    features |= _displaced(said, index, contexts, novel)
    features |= _polarity(said, index, contexts)
    features |= _negation(said, index, contexts)
    features |= _context(said, index, contexts)
    shares, sentences = tuple(share for share, _ in cover), tuple(best for _, best in cover)
    return Measured(features, said, index, contexts, parts, shares, sentences, novel)


def measure_contradictions(found: Sequence[Contradiction]) -> Features:
    """The hard contradictions of a claim as measures; those of a kind that the weights were not fitted with are left out.

    Args:
        found: what was found by :func:`coditect.verify.contradictions.rules.find_contradictions`.
    """
    severities = [each.severity for each in found if each.kind != _UNFITTED]
    return {
        "contradiction_worst": max(severities, default=0.0),
        "contradiction_sum": sum(severities),
        "contradictions_hard": float(sum(severity >= _HARD for severity in severities)),
    }


def _parts(claim: str, said: Sequence[Word]) -> list[tuple[int, int]]:
    """The sentences of a claim as half-open ranges of its words; those without a word are left out."""
    ends = [end for _, end in split_sentences(claim)]
    cuts = [0, *(sum(word.start < end for word in said) for end in ends)]
    return [(begin, end) for begin, end in pairwise(cuts) if begin < end]


def _sizes(said: Sequence[Word], index: EvidenceIndex, count: int) -> Features:
    kinds = [word.kind for word in said]
    return {
        "claim_words": math.log1p(len(said)),
        "claim_content": math.log1p(len(said) - kinds.count(WordKind.FUNCTION)),
        "claim_parts": math.log1p(count),
        "claim_names": math.log1p(kinds.count(WordKind.NAME)),
        "claim_numbers": math.log1p(kinds.count(WordKind.NUMBER)),
        "evidence_sentences": math.log1p(len(index.sentences)),
        "evidence_words": math.log1p(sum(len(each.reading.words) for each in index.sentences)),
    }


def _coverage(
    said: Sequence[Word],
    index: EvidenceIndex,
    cover: Sequence[tuple[float, tuple[int, ...]]],
    novel: Sequence[int],
    related: Mapping[int, str],
) -> Features:
    """Shares of the claim's content, weighted by rarity, that the evidence has."""
    content = {at: index.weight(word) for at, word in enumerate(said) if word.kind != WordKind.FUNCTION}
    total = sum(content.values()) or 1.0
    held = [
        sum(weight for at, weight in content.items() if number in index.inside.get(said[at].key, ()))
        for number in {best[0] for _, best in cover if best}
    ]
    shares = [share for share, _ in cover] or [0.0]
    return {
        "covered": sum(weight for at, weight in content.items() if at not in related) / total,
        "covered_plain": sum(at not in related for at in content) / (len(content) or 1),
        "covered_related": 1.0 - sum(content[at] for at in novel) / total if content else 0.0,
        "covered_best": max(held, default=0.0) / total,
        "covered_three_mean": sum(shares) / len(shares),
        "covered_three_min": min(shares),
        "novel_run": float(_longest_run(said, novel)),
    }


def _longest_run(said: Sequence[Word], novel: Sequence[int]) -> int:
    """The most novel content words in a row; function words between do not end a row."""
    longest = run = 0
    for at, word in enumerate(said):
        if word.kind != WordKind.FUNCTION:
            run = run + 1 if at in novel else 0
            longest = max(longest, run)
    return longest


_Gram = tuple[str, ...]


def _grams(keys: Sequence[str], size: int) -> list[_Gram]:
    return list(zip(*(keys[start:] for start in range(size)), strict=False))


def _sequences(said: Sequence[Word], index: EvidenceIndex, cover: Sequence[tuple[float, tuple[int, ...]]]) -> Features:
    """How much of the claim's order of words is the evidence's."""
    keys = [word.key for word in said]
    seen: dict[int, set[_Gram]] = {2: set(), 3: set(), 4: set()}
    near: set[_Gram] = set()
    for sentence in index.sentences:
        theirs = [word.key for word in sentence.reading.words]
        for size, grams in seen.items():
            grams.update(_grams(theirs, size))
        bare = [word.key for word in sentence.reading.words if word.kind != WordKind.FUNCTION]
        for apart in (1, 2, 3):
            near.update(zip(bare, bare[apart:], strict=False))
    pairs = _grams([word.key for word in said if word.kind != WordKind.FUNCTION], 2)
    both = [pair for pair in pairs if all(key in index.inside for key in pair)]
    best = cover[0][1][0] if len(cover) == 1 and cover[0][1] else None
    theirs = [word.key for word in index.sentences[best].reading.words] if best is not None else []
    common = _common_sequence(keys[:_LONGEST_ALIGNED], theirs[:_LONGEST_ALIGNED])
    return {
        "two": _share(_grams(keys, 2), seen[2]),
        "three": _share(_grams(keys, 3), seen[3]),
        "four": _share(_grams(keys, 4), seen[4]),
        "pairs": _share(pairs, near),
        "pairs_known": _share(both, near),
        "pairs_reversed": sum((b, a) in near and (a, b) not in near for a, b in both) / (len(both) or 1),
        "common_sequence": common / (len(keys) or 1),
    }


def _share(wanted: Sequence[_Gram], have: set[_Gram]) -> float:
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


def _novelty(said: Sequence[Word], novel: Sequence[int], related: Mapping[int, str]) -> Features:
    """What kind the words are that the evidence lacks."""
    kinds = [word.kind for word in said]
    content = (len(said) - kinds.count(WordKind.FUNCTION)) or 1
    new = [said[at].kind for at in novel]
    verbal = sum(said[at].text.endswith(("ed", "ing")) for at in novel)
    return {
        "novel_numbers": float(min(4, new.count(WordKind.NUMBER))),
        "novel_names": float(min(4, new.count(WordKind.NAME))),
        "novel_words": math.log1p(new.count(WordKind.CONTENT)),
        "novel_share": len(novel) / content,
        "novel_word_share": new.count(WordKind.CONTENT) / content,
        "novel_verbal_share": verbal / (len(novel) or 1),
        "novel_families": float(sum(said[at].key in families() for at in novel)),
        "related_share": sum(1 for found in related.values() if found) / content,
        "novel_number_share": new.count(WordKind.NUMBER) / (kinds.count(WordKind.NUMBER) or 1),
        "novel_name_share": new.count(WordKind.NAME) / (kinds.count(WordKind.NAME) or 1),
    }


def _displaced(
    said: Sequence[Word], index: EvidenceIndex, contexts: Sequence[WordContext], novel: Sequence[int]
) -> Features:
    """Words that the evidence has, but not where their neighbours stand."""
    away = dict.fromkeys((WordKind.CONTENT, WordKind.NAME, WordKind.NUMBER), 0.0)
    for context in contexts:
        inside = index.inside.get(said[context.at].key, ())
        if inside and context.sentence >= 0 and context.sentence not in inside:
            away[said[context.at].kind] += context.strength
    unseen = sum(word.kind == WordKind.FUNCTION and word.key not in index.inside for word in said)
    return {
        "novel_function": unseen / (len(said) or 1),
        "away_names": away[WordKind.NAME],
        "away_numbers": away[WordKind.NUMBER],
        "away_words": away[WordKind.CONTENT] / (len(contexts) or 1),
        "novel_context": max((context.strength for context in contexts if context.at in novel), default=0.0),
    }


def _negated_before(sentence: Sequence[Word], at: int) -> bool:
    return any(word.negates for word in sentence[max(0, at - _NEGATION_REACH) : at])


def _negated(sentence: Sequence[Word], at: int) -> bool:
    """Whether a negation stands a few words before, or right behind."""
    return _negated_before(sentence, at) or any(word.negates for word in sentence[at + 1 : at + 2])


def _polarity(said: Sequence[Word], index: EvidenceIndex, contexts: Sequence[WordContext]) -> Features:
    """Words of the claim against words on the same axis, or of the same closed family, where they belong in the evidence."""
    found = dict.fromkeys(("poles_clash", "poles_agree", "poles_far", "family_clash", "family_far"), 0.0)
    located = {context.at: context for context in contexts}
    context: WordContext | None = None
    for at, word in enumerate(said):
        context = located.get(at, context)  # a function word belongs where the content word before it does
        if context is None or context.sentence < 0 or (word.key not in poles() and at not in located):
            continue
        sentence = index.sentences[context.sentence].reading.words
        inside = context.sentence in index.inside.get(word.key, ())
        if word.key in poles():
            same, opposite = _poles_in(word.key, _negated(said, at), sentence)
            if same or opposite:
                found["poles_agree" if same else "poles_clash"] += context.strength
            if word.key not in index.inside and _only_opposite(word.key, index):
                found["poles_far"] += 1.0
        if word.key in families() and not inside:
            theirs = {number for other in sentence for number in families().get(other.key, ())}
            if theirs.intersection(families()[word.key]):
                found["family_clash"] += context.strength
            elif word.key not in index.inside:
                found["family_far"] += 1.0
    return found | {"poles_clash_any": float(found["poles_clash"] > 0)}


def _poles_in(key: str, negated: bool, sentence: Sequence[Word]) -> tuple[bool, bool]:
    """Whether a sentence has a word of the same pole, and one of the opposite pole; a negation turns a pole round."""
    mine = {(axis, -sign if negated else sign) for axis, sign in poles()[key]}
    same = opposite = False
    for at, word in enumerate(sentence):
        if word.key == key:
            turned = _negated(sentence, at) != negated
            same, opposite = same or not turned, opposite or turned
        elif word.key in poles():
            flip = -1 if _negated(sentence, at) else 1
            theirs = {(axis, sign * flip) for axis, sign in poles()[word.key]}
            same = same or not mine.isdisjoint(theirs)
            opposite = opposite or any((axis, -sign) in mine for axis, sign in theirs)
    return same, opposite


def _only_opposite(key: str, index: EvidenceIndex) -> bool:
    """Whether the whole evidence has words of the opposite pole and none of the same."""
    mine = set(poles()[key])
    theirs = index.poles
    return mine.isdisjoint(theirs) and any((axis, -sign) in theirs for axis, sign in mine)


def _negation(said: Sequence[Word], index: EvidenceIndex, contexts: Sequence[WordContext]) -> Features:
    """Negations that only one side has, around the same words."""
    added = dropped = kept = 0.0
    for context in contexts:
        sentence = index.sentences[context.sentence].reading.words if context.sentence >= 0 else ()
        theirs = [_negated_before(sentence, at) for at, w in enumerate(sentence) if w.key == said[context.at].key]
        if not theirs:
            continue
        ours = _negated_before(said, context.at)
        if ours and not any(theirs):
            added += context.strength
        elif not ours and all(theirs):
            dropped += context.strength
        elif ours:
            kept += context.strength
    content = len(contexts) or 1
    negations = sum(word.negates for word in said)
    unseen = negations and not any(w.negates for each in index.sentences for w in each.reading.words)
    return {
        "negations": float(min(3, negations)),
        "negation_added": added / content,
        "negation_dropped": dropped / content,
        "negation_kept": kept / content,
        "negation_novel": float(bool(unseen)),
    }


def _context(said: Sequence[Word], index: EvidenceIndex, contexts: Sequence[WordContext]) -> Features:
    """Whether words that the evidence has stand among the same neighbours there."""
    known = [context for context in contexts if said[context.at].key in index.inside]
    near = sorted(context.near for context in known) or [0.0]
    exact = [c.near for c in known if said[c.at].kind in (WordKind.NAME, WordKind.NUMBER)] or near
    strengths = [context.strength for context in contexts] or [0.0]
    return {
        "near_mean": sum(near) / len(near),
        "near_min": near[0],
        "near_low": near[len(near) // 5],
        "near_exact_mean": sum(exact) / len(exact),
        "near_exact_min": min(exact),
        "strength_mean": sum(strengths) / len(strengths),
        "strength_min": min(strengths),
    }
