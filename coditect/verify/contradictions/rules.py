"""Where a claim contradicts what it rests on: hard differences, found by rules, each explained in a sentence.

A claim is taken sentence by sentence. For each, the evidence sentence that shares most of its rarer words is chosen,
the words of both are aligned whatever the order of the clauses, and then numbers, places, names, negations, binding
words, quantifiers, conditions, comparatives and roles are compared each in its own place. What the evidence says in
other words (a synonym of "shall", "72 hours" for "three days", the passive, the condition first) is no contradiction.
Where few of a claim's words have a counterpart, differences of form are remarks, of a severity below 0.5.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain
from math import log

from coditect.language.terms import terms
from coditect.verify.contradictions.alignment import Pair, align
from coditect.verify.contradictions.conditions import find_conditions
from coditect.verify.contradictions.kinds import Contradiction, Kind
from coditect.verify.contradictions.logic import (
    find_negation,
    find_opposites,
    find_orders,
    find_quantifiers,
)
from coditect.verify.contradictions.modality import find_lost_modality, find_modality
from coditect.verify.contradictions.numbers import (
    find_bounds,
    find_number_contradictions,
    find_reference_contradictions,
)
from coditect.verify.contradictions.reading import READ_LIMIT, Reading, read
from coditect.verify.contradictions.roles import find_entities, find_roles

__all__ = ["CLAIM_LIMIT", "EVIDENCE_LIMIT", "Contradiction", "Kind", "find_contradictions"]

CLAIM_LIMIT = 12_000
"""Code points of a claim that are read; what stands behind is not compared."""
EVIDENCE_LIMIT = 64
"""Evidence texts that are read; of each, the first :data:`READ_LIMIT` code points of the chosen sentence."""

_MAX_SENTENCES = 24
_MAX_EVIDENCE_SENTENCES = 400
_RESTS = 0.3
_RIVAL = 0.9
_CLOSE = 0.5
"""Share of a claim's content words that its evidence must have for a difference of form to be more than a remark."""
_CLOSE_ALONE = 0.7
"""The same where something was only added or left out, or weighs little anyhow."""
_WEAK = 0.6
_REMARK = 0.45
_END = re.compile(
    r"(?<=[a-z\d)”\"])(?<!\bInc)(?<!\bCorp)(?<!\bLtd)(?<!\bNo)(?<!\bSec)(?<!\bCo)(?<!\be\.g)(?<!\bi\.e)"
    r"[.!?][”\"]?\s+(?=[A-Z(“\"])|\n\s*\n"
)
_NUL = str.maketrans({"\0": " "})


def find_contradictions(claim: str, evidence: Sequence[str]) -> tuple[Contradiction, ...]:
    """The places where a claim says something else than its evidence.

    Args:
        claim: one or more sentences; the first :data:`CLAIM_LIMIT` code points and 24 sentences are read.
        evidence: what it rests on, best one sentence each; the first :data:`EVIDENCE_LIMIT` are read.

    Returns:
        In the order of the claim; empty where nothing differs, where there is nothing to compare, or where the claim
        shares so little with the evidence that it rests on none of it (then only numbers, places and names unknown
        to it are given).
    """
    claim = claim[:CLAIM_LIMIT].translate(_NUL)
    pool = _pool(evidence)
    if not pool or not claim.strip():
        return ()
    others = frozenset(chain.from_iterable(words for _, _, _, words in pool))
    weights = _weights(pool)
    found: list[Contradiction] = []
    for start, end in _sentences(claim, _MAX_SENTENCES):
        found += _in_sentence(claim, start, end, pool, weights, others)
    return tuple(
        sorted(
            set(found), key=lambda c: (c.claim_span, -c.severity, c.kind, c.evidence_index, c.evidence_span, c.detail)
        )
    )


_Source = tuple[int, int, str, frozenset[str]]


def _pool(evidence: Sequence[str]) -> list[_Source]:
    """Every sentence of the evidence: index of its text, offset in it, the sentence, its terms."""
    pool: list[_Source] = []
    for index, text in enumerate(evidence[:EVIDENCE_LIMIT]):
        plain = text.translate(_NUL)
        for start, end in _sentences(plain, _MAX_SENTENCES):
            if len(pool) >= _MAX_EVIDENCE_SENTENCES:
                return pool
            sentence = plain[start:end][:READ_LIMIT]
            pool.append((index, start, sentence, frozenset(terms(sentence))))
    return pool


def _sentences(text: str, limit: int) -> Iterator[tuple[int, int]]:
    """Offsets of the sentences of a text, at most ``limit``; the last one takes the rest."""
    start = 0
    for number, match in enumerate(_END.finditer(text)):
        if number >= limit - 1:
            break
        if match.end() - start > 24:
            yield start, match.end()
            start = match.end()
    if text[start:].strip():
        yield start, len(text)


def _weights(pool: list[_Source]) -> dict[str, float]:
    counts = Counter(term for _, _, _, words in pool for term in words)
    total = len(pool)
    return {term: log(1.0 + total / count) for term, count in counts.items()}


def _in_sentence(
    claim: str,
    start: int,
    end: int,
    pool: list[_Source],
    weights: dict[str, float],
    others: frozenset[str],
) -> list[Contradiction]:
    """The contradictions of one sentence of the claim."""
    sentence = claim[start:end]
    words = frozenset(terms(sentence[:READ_LIMIT]))
    if not words:
        return []
    unknown = log(1.0 + len(pool))
    whole = sum(weights.get(word, unknown) for word in words)
    ranked = sorted(
        ((-sum(weights[word] for word in words & have) / whole, n) for n, (_, _, _, have) in enumerate(pool)),
        key=lambda each: (round(each[0], 6), each[1]),
    )
    reading = read(sentence)
    sentences = tuple(text for _, _, text, _ in pool)
    plain = _plain(sentence)
    best: list[Contradiction] | None = None
    for score, n in ranked[:2]:
        if best is not None and (not best or score > _RIVAL * ranked[0][0]):
            break
        index, shift, text, _ = pool[n]
        if _plain(text) == plain:
            return []
        pair = _pair(reading, read(text), start, index, shift, others)
        found = _compare(pair, sentences, rests=-score >= _RESTS)
        if best is None or _worst(found) < _worst(best):
            best = found
    return best or []


def _plain(text: str) -> str:
    """Casefolded, white space collapsed: texts that are equal then say the same, whatever the rules read."""
    return " ".join(text.casefold().split())


def _worst(found: list[Contradiction]) -> tuple[float, float]:
    return max((each.severity for each in found), default=0.0), sum(each.severity for each in found)


def _pair(claim: Reading, evidence: Reading, offset: int, index: int, shift: int, others: frozenset[str]) -> Pair:
    forth, back = align(claim, evidence)
    return Pair(claim, evidence, forth, back, offset, index, shift, others)


def _compare(pair: Pair, sentences: Sequence[str], *, rests: bool) -> list[Contradiction]:
    """All rules on one pair; those that need a counterpart only where the claim rests on the evidence."""
    closeness = pair.closeness()
    found = [
        *find_number_contradictions(pair, sentences),
        *find_reference_contradictions(pair, sentences),
        *find_entities(pair, sentences),
    ]
    if not rests:
        return found
    used: set[tuple[str, int]] = set()
    logic: list[Contradiction] = []
    logic += find_modality(pair, used)
    if closeness >= _CLOSE_ALONE:
        logic += find_lost_modality(pair, used)
    logic += find_negation(pair, used)
    logic += find_bounds(pair)
    logic += find_orders(pair)
    logic += find_opposites(pair)
    logic += find_quantifiers(pair)
    logic += find_conditions(pair)
    logic += find_roles(pair)
    return found + [_weighed(each, closeness) for each in logic]


def _weighed(found: Contradiction, closeness: float) -> Contradiction:
    """A difference of form as a remark where the claim has too few words of the evidence for it to prove anything."""
    alone = found.claim_span[0] == found.claim_span[1] or found.evidence_span == (0, 0)
    needed = _CLOSE_ALONE if alone or found.severity <= _WEAK else _CLOSE
    return found if closeness >= needed else replace(found, severity=min(found.severity, _REMARK))
