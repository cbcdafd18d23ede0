"""Where a claim contradicts what it rests on: hard differences, found by rules, each explained in a sentence.

A claim is taken sentence by sentence. For each, the evidence sentence that shares most of its rarer words is chosen,
the words of both are aligned whatever the order of the clauses, and then numbers, places, names, negations, binding
words, quantifiers, conditions, comparatives and roles are compared each in its own place. What the evidence says in
other words (a synonym of "shall", "72 hours" for "three days", the passive, the condition first) is no contradiction.
Where few of a claim's words have a counterpart, differences of form are remarks, of a severity below 0.5.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from coditect.language.reading.sentence import read_sentence, split_sentences
from coditect.verify.alignment.evidence import EvidenceIndex
from coditect.verify.alignment.matching import find_pairs, held_share, joined_run
from coditect.verify.alignment.pairs import AlignedPair, pair_with
from coditect.verify.contradictions.codes import find_codes
from coditect.verify.contradictions.conditions import find_condition_contradictions
from coditect.verify.contradictions.kinds import DOUBT, Contradiction, Kind
from coditect.verify.contradictions.limits import find_unlimited, is_limit_kept
from coditect.verify.contradictions.logic import (
    find_connectives,
    find_opposites,
    find_orders,
    find_quantifiers,
)
from coditect.verify.contradictions.modality import Compared, find_lost_modality, find_modality
from coditect.verify.contradictions.norms import find_norm_contradictions
from coditect.verify.contradictions.numbers import (
    find_bounds,
    find_number_contradictions,
    find_single,
)
from coditect.verify.contradictions.parties import find_crossed
from coditect.verify.contradictions.places import find_reference_contradictions
from coditect.verify.contradictions.polarity import find_negation, is_polarity_kept, is_polarity_sure
from coditect.verify.contradictions.roles import find_entities, find_roles
from coditect.verify.contradictions.sides import find_approximate, find_done, find_ends, find_swapped
from coditect.verify.contradictions.substitutions import (
    find_events,
    find_exchanged_units,
    find_substitutions,
    find_widened,
)

__all__ = ["CLAIM_LIMIT", "Contradiction", "Kind", "find_contradictions"]

CLAIM_LIMIT = 12_000
"""Code points of a claim that are read; what stands behind is not compared."""

_RESTS = 0.3
_RIVAL = 0.9
_CLOSE = 0.5
"""Share of a claim's content words that its evidence must have for a difference of form to be more than a remark."""
_CLOSE_ALONE = 0.7
"""The same where something was only added or left out, or weighs little anyhow."""
_WEAK = 0.6
_GRAVE = 0.8
_TURNED = 1.0
"""Severity of a condition that is turned round: an exception instead of it."""
_BEHIND = 40
"""Code points behind words of another statement that still belong to them: who does it, for instance."""
_OF_OTHERS = frozenset(("negation", "modality", "role", "comparative"))
_LIMITS = frozenset(("negation", "modality", "condition"))
_REMARK = 0.45
_NUL = str.maketrans({"\0": " "})


def find_contradictions(claim: str, evidence: Sequence[str] | EvidenceIndex) -> tuple[Contradiction, ...]:
    """The places where a claim says something else than its evidence.

    Args:
        claim: one or more sentences; the first :data:`CLAIM_LIMIT` code points and 24 sentences are read.
        evidence: what it rests on, best one sentence each, or an index of it.

    Returns:
        In the order of the claim; empty where nothing differs, where there is nothing to compare, or where the claim
        shares so little with the evidence that it rests on none of it (then only numbers, places and names unknown
        to it are given).
    """
    index = evidence if isinstance(evidence, EvidenceIndex) else EvidenceIndex(evidence)
    claim = claim[:CLAIM_LIMIT].translate(_NUL)
    found: set[Contradiction] = set()
    if index.sentences and not index.is_said(claim):
        for start, end in split_sentences(claim):
            found.update(_in_sentence(claim[start:end], start, index))
    return tuple(
        sorted(found, key=lambda c: (c.claim_span, -c.severity, c.kind, c.evidence_index, c.evidence_span, c.detail))
    )


def _in_sentence(sentence: str, offset: int, index: EvidenceIndex) -> list[Contradiction]:
    """The contradictions of one sentence of the claim with the best evidence sentence, or with its rival if that has fewer."""
    reading = read_sentence(sentence)
    pairs = find_pairs(reading, offset, index)
    if not pairs and any(word.kind for word in reading.words):
        pairs = (pair_with(reading, offset, index, 0),)
    best: list[Contradiction] | None = None
    first = held_share(pairs[0]) if pairs else 0.0
    for pair in pairs[:2]:
        share = held_share(pair)
        if best is not None and (not best or share < _RIVAL * first):
            break
        if _plain(pair.evidence.text) == _plain(sentence):
            return []
        found = _compare(pair, rests=share >= _RESTS)
        if best is None or _worst(found) < _worst(best):
            best = found
    return [*(best or ()), *_of_others(pairs)]


def _of_others(pairs: Sequence[AlignedPair]) -> Iterator[Contradiction]:
    """What contradicts the words that a claim takes from another statement of the same text than the one it mostly rests on."""
    for pair in pairs[1:]:
        if pair.source.text_index != pairs[0].source.text_index:
            continue
        run = joined_run(pair, pairs[0].forth)
        if not run:
            continue
        start, end = pair.claim.tokens[run[0]].start, pair.claim.tokens[run[-1]].end + _BEHIND
        for found in _compare(pair, rests=True):
            place = found.claim_span[0] - pair.offset
            if found.kind in _OF_OTHERS and found.severity >= _GRAVE and start <= place <= end:
                yield found


def _plain(text: str) -> str:
    """Casefolded, white space collapsed: texts that are equal then say the same, whatever the rules read."""
    return " ".join(text.casefold().split())


def _worst(found: list[Contradiction]) -> tuple[float, float]:
    return max((each.severity for each in found), default=0.0), sum(each.severity for each in found)


def _compare(pair: AlignedPair, *, rests: bool) -> list[Contradiction]:
    """All rules on one pair; those that need a counterpart only where the claim rests on the evidence."""
    found = [*find_number_contradictions(pair), *find_reference_contradictions(pair), *find_entities(pair)]
    if not rests:
        return found
    closeness = pair.closeness()
    compared: Compared = set()
    form = [*find_modality(pair, compared)]
    if closeness >= _CLOSE_ALONE:
        form += find_lost_modality(pair, compared)
    form += find_negation(pair, compared)
    if not any(each.kind in ("modality", "negation", "role") and each.severity >= _WEAK for each in form):
        form += find_norm_contradictions(pair)
    form += find_condition_contradictions(pair)
    if sum(each.kind == "negation" and each.severity >= _TURNED for each in form) <= 1:
        form = [_doubted(each, pair) for each in form]  # two that differ do not make up for each other: both are turned
    for rule in (
        find_codes,
        find_bounds,
        find_single,
        find_orders,
        find_opposites,
        find_exchanged_units,
        find_quantifiers,
        find_connectives,
        find_roles,
        find_substitutions,
        find_widened,
        find_events,
        find_crossed,
        find_swapped,
        find_ends,
        find_approximate,
        find_done,
    ):
        form += rule(pair)
    if is_limit_kept(pair):
        form = [_excused(each) for each in form]
    return [*found, *(_weighed(each, closeness) for each in form), *find_unlimited(pair)]


def _excused(found: Contradiction) -> Contradiction:
    """A difference of polarity or condition as a remark, where both sides set the same limit."""
    is_limit = found.kind in _LIMITS or (found.kind == "quantifier" and found.evidence_span == (0, 0))
    return replace(found, severity=min(found.severity, _REMARK)) if is_limit else found


def _doubted(found: Contradiction, pair: AlignedPair) -> Contradiction:
    """A difference of polarity as a doubt, or a remark, where the other side may deny the same in another way."""
    turns = found.kind == "negation" or (found.kind == "condition" and found.severity >= _TURNED)
    at = found.claim_span[0] - pair.offset
    if not turns or is_polarity_sure(pair, at):
        return found
    return replace(found, severity=min(found.severity, _REMARK if is_polarity_kept(pair, at) else DOUBT))


def _weighed(found: Contradiction, closeness: float) -> Contradiction:
    """A difference of form as a remark where the claim has too few words of the evidence for it to prove anything."""
    alone = found.claim_span[0] == found.claim_span[1] or found.evidence_span == (0, 0)
    needed = _CLOSE_ALONE if alone or found.severity <= _WEAK else _CLOSE
    return found if closeness >= needed else replace(found, severity=min(found.severity, _REMARK))
