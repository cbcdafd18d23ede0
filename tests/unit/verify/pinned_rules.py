"""Pairs of sentences, and what each rule finds of them before it is weighed, written down.

``python -m tests.unit.verify.pinned_rules`` writes the file anew. The sentences were put together at random out of invented
pieces (who, what, how much, when, unless what) and then edited at random, so that many of them are no good English; of very many
those were kept in which a rule decides at one of its limits. :mod:`tests.unit.verify.pinned_differences` says when it changes.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from coditect.language.reading.sentence import read_sentence, split_sentences
from coditect.verify.alignment.evidence import EvidenceIndex
from coditect.verify.alignment.matching import find_pairs, held_share, joined_run
from coditect.verify.alignment.pairs import AlignedPair
from coditect.verify.alignment.predicates import predicates_of, shares_of
from coditect.verify.contradictions.conditions import find_condition_contradictions
from coditect.verify.contradictions.kinds import Contradiction
from coditect.verify.contradictions.limits import find_unlimited, is_limit_kept
from coditect.verify.contradictions.logic import find_connectives, find_opposites, find_orders, find_quantifiers
from coditect.verify.contradictions.modality import Compared, find_lost_modality, find_modality
from coditect.verify.contradictions.norms import find_norm_contradictions, norms_of
from coditect.verify.contradictions.numbers import find_bounds, find_number_contradictions, find_single
from coditect.verify.contradictions.parties import find_crossed, find_exchanged_parties
from coditect.verify.contradictions.places import find_reference_contradictions
from coditect.verify.contradictions.polarity import find_negation
from coditect.verify.contradictions.roles import find_entities, find_roles
from coditect.verify.contradictions.rules import find_contradictions
from coditect.verify.contradictions.substitutions import (
    find_events,
    find_exchanged_units,
    find_substitutions,
    find_widened,
)

__all__ = ["PINNED", "pinned", "told"]

PINNED = Path(__file__).parent / "pinned_rules.json"

RULES = (
    find_number_contradictions, find_reference_contradictions, find_entities, find_norm_contradictions,
    find_condition_contradictions, find_bounds, find_single, find_orders, find_opposites, find_exchanged_units,
    find_quantifiers, find_connectives, find_roles, find_substitutions, find_widened, find_events, find_crossed,
    find_unlimited,
)  # fmt: skip


def told(claim: str, evidence: list[str]) -> list[str]:
    """What is found of a claim; then of its first sentence how it is aligned, and what each rule finds, one line each."""
    index = EvidenceIndex(evidence)
    return [*(_said(each) for each in find_contradictions(claim, index)), *_first_sentence(claim, index)]


def _first_sentence(claim: str, index: EvidenceIndex) -> Iterator[str]:
    start, end = next(iter(split_sentences(claim)), (0, 0))
    pairs = find_pairs(read_sentence(claim[start:end]), start, index)
    for pair in pairs:
        first, last = pair.source.place(0, len(pair.evidence.text))
        beside = " ".join(f"{one}-{other}" for one, other in sorted(pair.forth.items()))
        run = joined_run(pair, pairs[0].forth)
        yield f"beside {pair.source.text_index}:{first}-{last} {held_share(pair):.3f} {pair.closeness():.3f} {beside} {run}"
    for pair in pairs[:1]:
        yield "ranked " + " ".join(f"{number}:{share:.4f}" for share, number in index.rank(pair.claim.words))
        slots = (pair.slot(n) for n in range(len(pair.claim.tokens)))
        yield "slots " + " ".join(f"{slot.start}-{slot.stop}" for slot in slots)
        yield " ".join(f"{each.start}-{each.stop}{list(each.subject)}" for each in predicates_of(pair.evidence))
        yield " ".join(f"{number}{sorted(taken)}" for number, taken in shares_of(pair))
        for norm in norms_of(pair.claim):
            yield f"{norm.force} {norm.tokens} {norm.actor} {norm.cue} {norm.limited:d} {norm.denies:d}"
        yield from _alone(pair)


def _alone(pair: AlignedPair) -> Iterator[str]:
    """Each rule alone, none excused or doubted since another one speaks against it."""
    yield f"limit kept {is_limit_kept(pair):d}"
    for rule in RULES:
        yield from (f"{rule.__name__} {_said(each)}" for each in rule(pair))
    compared: Compared = set()
    yield from (f"find_modality {_said(each)}" for each in find_modality(pair, compared))
    yield " ".join(f"{side}{at}" for side, at in sorted(compared))
    yield from (f"find_lost_modality {_said(each)}" for each in find_lost_modality(pair, compared))
    yield from (f"find_negation {_said(each)}" for each in find_negation(pair, set()))
    parties = find_exchanged_parties(pair)
    yield f"find_exchanged_parties {_said(parties)}" if parties is not None else "no parties exchanged"


def _said(found: Contradiction) -> str:
    """Kind, severity, spans on both sides, and the reason."""
    (start, end), (begin, stop) = found.claim_span, found.evidence_span
    place = f"{start}-{end} {found.evidence_index}:{begin}-{stop}"
    return f"{found.kind} {found.severity:.3f} {place} {found.detail}"


def pinned() -> list[dict[str, Any]]:
    """What is written down: pairs with ``claim``, ``evidence`` and ``told``."""
    found: list[dict[str, Any]] = json.loads(PINNED.read_text(encoding="utf-8"))
    return found


def write(pairs: list[tuple[str, list[str]]]) -> None:
    """Write down what is found of some claims beside their evidence now."""
    rows = ({"claim": claim, "evidence": evidence, "told": told(claim, evidence)} for claim, evidence in pairs)
    PINNED.write_text(
        "[\n" + ",\n".join(json.dumps(row, ensure_ascii=False) for row in rows) + "\n]\n", encoding="utf-8"
    )


if __name__ == "__main__":
    write([(row["claim"], row["evidence"]) for row in pinned()])
