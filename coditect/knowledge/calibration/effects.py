"""What a proposal would change: verdicts of the current generation, and what the gate does with marked hits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from coditect.integrity.evidence import evidence_of
from coditect.knowledge.calibration.marked import MarkedHit
from coditect.knowledge.progress import Progress
from coditect.models.port import GateParameters
from coditect.retrieve.gate.relevance import FEATURES, probability_of
from coditect.schemas import MarkChange, SupportFigures, VerdictChange
from coditect.store.view import View
from coditect.verify.checker import check
from coditect.verify.judges import combined
from coditect.verify.support.meaning import FindMeaning, nothing_meant

__all__ = ["mark_changes", "verdict_changes"]


def verdict_changes(
    view: View, figures: SupportFigures, progress: Progress, meaning: FindMeaning = nothing_meant
) -> tuple[int, tuple[VerdictChange, ...]]:
    """The verdicts of a generation that figures would give otherwise, judges and reviewers being heard as before.

    Args:
        view: the generation; its verdicts are those that were stored.
        figures: of the checker.
        progress: told as claims are done.
        meaning: opens the configured embedder with its weights.
    Returns:
        how many verdicts the figures have a say in, and those whose label would be another one, by claim id.
    """
    evidence = evidence_of(view, meaning)
    proposed = replace(evidence, figures=figures)
    weighed = [each for each in view.claims.values() if view.verdicts[each.claim_id].weights_version]
    changes = []
    for done, claim in enumerate(weighed, 1):
        stored = view.verdicts[claim.claim_id]
        fresh = combined(check(claim, proposed, view.summary.minimum_support), stored.opinions)
        if fresh.label != stored.label:
            changes.append(
                VerdictChange(
                    claim_id=claim.claim_id,
                    text=claim.text,
                    old_label=stored.label,
                    new_label=fresh.label,
                    old_score=stored.support_score,
                    new_score=fresh.support_score,
                )
            )
        progress("verdicts", done, len(weighed))
    return len(weighed), tuple(sorted(changes, key=lambda each: each.claim_id))


def mark_changes(hits: Sequence[MarkedHit], old: GateParameters, new: GateParameters) -> tuple[MarkChange, ...]:
    """The marked hits that one gate withholds and the other lets through, in their order."""
    changes = []
    for hit in hits:
        seen = dict(zip(FEATURES, hit.seen, strict=True))
        was, becomes = probability_of(old, seen), probability_of(new, seen)
        if (was >= old.incorrect) != (becomes >= new.incorrect):
            changes.append(
                MarkChange(
                    query=hit.mark.query,
                    item_id=hit.mark.judged_id,
                    relevant=hit.mark.relevant,
                    old_probability=was,
                    new_probability=becomes,
                    old_shown=was >= old.incorrect,
                    new_shown=becomes >= new.incorrect,
                )
            )
    return tuple(changes)
