"""Calibrate: fit what reviews and marks are enough for, propose what improves, say what it would change, and switch nothing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from threadpoolctl import threadpool_limits

import coditect as package
from coditect.errors import UsageError
from coditect.knowledge.calibration.effects import mark_changes, verdict_changes
from coditect.knowledge.calibration.held_out import Attempt, attempt
from coditect.knowledge.calibration.marked import MarkedHits, known_fusion, known_gate, marked_hits
from coditect.knowledge.calibration.measures import concordance, probability
from coditect.knowledge.calibration.reviews import ReviewedCases, reviewed_cases, shipped_checker
from coditect.knowledge.calibration.thresholds import thresholds
from coditect.knowledge.progress import Progress, silent
from coditect.knowledge.query.calibrated import fitted_gate
from coditect.knowledge.query.opened import Opened
from coditect.models.cards import gate_for, gate_parameters
from coditect.models.port import FusionParameters, ModelCard
from coditect.retrieve.gate.relevance import FEATURES
from coditect.retrieve.port import Searcher
from coditect.schemas import (
    Calibration,
    CalibrationReport,
    FittedPart,
    FusionFigures,
    GateFigures,
    SupportFigures,
    canonical_json,
    sha256_hex,
)
from coditect.schemas.calibration import FITTED
from coditect.store.acts.calibrations import Calibrations, calibrations_of
from coditect.store.items import write_logged
from coditect.store.rows import item_rows
from coditect.store.view import View
from coditect.store.work import registered
from coditect.transparency.events import event_of
from coditect.verify.staged.calibration import FEATURES as SUPPORT_FEATURES
from coditect.verify.support.meaning import FindMeaning, nothing_meant

__all__ = ["SEED", "calibrate"]

SEED = 0

_VERSION_DIGITS = 12
_DIGITS = 4
_WIDEST = 10.0
"""A fusion goes as far as ten times the shipped weight of meaning, or a tenth of it."""


@dataclass(frozen=True, slots=True)
class _Fitted:
    """What improves; a part that does not is None.

    Attributes:
        parts: every part that was looked at, for the report.
    """

    parts: tuple[FittedPart, ...]
    checker: SupportFigures | None
    gate: GateFigures | None
    fusion: FusionFigures | None


def calibrate(
    opened: Opened,
    searcher: Searcher,
    *,
    card: ModelCard | None,
    seed: int = SEED,
    meaning: FindMeaning = nothing_meant,
    progress: Progress = silent,
) -> CalibrationReport:
    """Fit the checker, the gate and the fusion on a corpus' own reviews and marks, and store what improves as a proposal.

    Every part is measured by cross-validation over documents against the shipped figures. A part is proposed only where the whole
    interval of the gain lies above 0; any other stays as it is in force. The same decisions, generation and seed give the same
    proposal.

    Args:
        opened: the current generation.
        searcher: asks the questions of the marks again.
        card: of the embedder; None where search is by words alone.
        seed: of folds and intervals.
        meaning: opens the configured embedder with the checker's weights for it.
        progress: told as work is done.
    Returns:
        figures of every part, and what the proposal would change.

    Raises:
        UsageError: there are too few reviews and too few marks; it says how many are needed.
        Corrupt: a stored record was changed.
    """
    view = opened.view
    known = calibrations_of(view.store, view.corpus_id)
    progress("reading reviews", 0, 0)
    names = frozenset(each.name for each in view.documents.values())
    reviewed = reviewed_cases(view.store, view.corpus_id, names, meaning)
    progress("reading marks", 0, 0)
    marked = marked_hits(opened, searcher, view.corpus_id, card.model_id if card is not None else "")
    progress("fitting", 0, 0)
    with threadpool_limits(limits=1):  # many small fits, in which threads would only wait for each other
        fitted = _fit(reviewed, marked, card, seed)
    _require_enough(view.corpus_id, fitted.parts)
    proposal = _proposal(view, known, fitted, reviewed, marked, seed)
    judged, changes = verdict_changes(view, fitted.checker, progress, meaning) if fitted.checker else (0, ())
    gate = fitted_gate(known.in_force, marked.embedder)
    shown = mark_changes(marked.hits, gate, gate_parameters(fitted.gate)) if gate and fitted.gate else ()
    return CalibrationReport(
        corpus_id=view.corpus_id,
        generation=view.generation,
        build_id=view.manifest.build_id,
        in_force=known.in_force.calibration_id if known.in_force else "",
        proposal=proposal,
        parts=fitted.parts,
        judged_again=judged,
        directions=dict(sorted(Counter(f"{each.old_label} -> {each.new_label}" for each in changes).items())),
        changes=changes,
        mark_changes=shown,
    )


def _require_enough(corpus_id: str, parts: Iterable[FittedPart]) -> None:
    if all(part.needs for part in parts):
        needs = "; ".join(f"the {part.part} needs {part.needs}" for part in parts)
        raise UsageError(
            f"there are too few decisions to calibrate on: {needs}",
            corpus_id=corpus_id,
            hint="Settle claims with 'coditect knowledge review', judge hits with 'coditect knowledge mark'.",
        )


def _fit(reviewed: ReviewedCases, marked: MarkedHits, card: ModelCard | None, seed: int) -> _Fitted:
    """Every part that there is something to begin at."""
    checker = attempt("checker", reviewed.cases, shipped_checker(), "reviews", seed)
    shipped_gate = gate_for(marked.embedder)
    gate = None
    if shipped_gate is not None:
        gate = attempt("gate", marked.gate_cases, known_gate(shipped_gate), "marks", seed)
    fusion, shipped_fusion = None, None
    if card is not None and card.model_id == marked.embedder:
        shipped_fusion = card.fusion
        noun = "pairs of marks, counted both ways,"
        fusion = attempt("fusion", marked.fusion_cases, known_fusion(shipped_fusion), noun, seed, concordance)
    return _Fitted(
        tuple(each.told for each in (checker, gate, fusion) if each is not None),
        _checker_of(checker),
        None if gate is None else _gate_of(gate, marked),
        None if fusion is None or shipped_fusion is None else _fusion_of(fusion, shipped_fusion),
    )


def _checker_of(tried: Attempt) -> SupportFigures | None:
    if tried.figures is None:
        return None
    coefficients = dict(zip(SUPPORT_FEATURES, tried.figures.coefficients.tolist(), strict=True))
    digest = sha256_hex(canonical_json([tried.figures.intercept, coefficients]))
    version = f"{FITTED}{digest[:_VERSION_DIGITS]}"
    return SupportFigures(version=version, intercept=tried.figures.intercept, coefficients=coefficients)


def _gate_of(tried: Attempt, marked: MarkedHits) -> GateFigures | None:
    if tried.figures is None:
        return None
    correct, incorrect = thresholds(probability(tried.held_out), marked.gate_cases.labels)
    weights = zip(FEATURES, tried.figures.coefficients.tolist(), strict=True)
    return GateFigures(
        bias=tried.figures.intercept,
        weights={name: weight for name, weight in weights if weight},
        correct=correct,
        incorrect=incorrect,
    )


def _fusion_of(tried: Attempt, shipped: FusionParameters) -> FusionFigures | None:
    if tried.figures is None:
        return None
    words, meaning = tried.figures.coefficients.tolist()
    least, most = shipped.dense_weight / _WIDEST, shipped.dense_weight * _WIDEST
    weight = min(most, max(least, meaning / words if words > 0.0 else most))
    return FusionFigures(dense_weight=round(weight, _DIGITS), rrf_weights=shipped.rrf_weights, rrf_k=shipped.rrf_k)


def _proposal(
    view: View, known: Calibrations, fitted: _Fitted, reviewed: ReviewedCases, marked: MarkedHits, seed: int
) -> str:
    """Store what improves, beside what is in force of the other parts; the id, "" where nothing improves."""
    if not (fitted.checker or fitted.gate or fitted.fusion):
        return ""
    parent = known.in_force
    # Gate and fusion of another embedder say nothing of this one's cosines: they are not carried over.
    kept = parent if parent is not None and parent.embedder == marked.embedder else None
    checker = fitted.checker or known.checker
    gate = fitted.gate or (kept.gate if kept else None)
    fusion = fitted.fusion or (kept.fusion if kept else None)
    if parent is not None and (checker, gate, fusion) == (parent.checker, parent.gate, parent.fusion):
        return parent.calibration_id
    made = Calibration.create(
        corpus_id=view.corpus_id,
        checker=checker,
        gate=gate,
        fusion=fusion,
        embedder=marked.embedder,
        fitted=fitted.parts,
        reviews=reviewed.reviews,
        marks=tuple(sorted(hit.mark.mark_id for hit in marked.hits)),
        parent=parent.calibration_id if parent else "",
        generation=view.generation,
        build_id=view.manifest.build_id,
        code_version=f"coditect {package.__version__}",
        seed=seed,
    )
    with registered(view.store, made.corpus_id, "calibration") as store:  # its ids may take more than one value
        event = event_of("calibration", made.corpus_id, made, subject=made.calibration_id, by=store.acting.by)
        write_logged(store.engine, store.keys, [(item_rows(store.keys, made), event)])
    return made.calibration_id
