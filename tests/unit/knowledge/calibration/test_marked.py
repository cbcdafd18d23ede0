"""Marked hits as cases for the gate and the fusion, and whose figures a search reads."""

from __future__ import annotations

import numpy as np
import pytest

from coditect.knowledge.calibration.held_out import attempt
from coditect.knowledge.calibration.marked import MarkedHit, MarkedHits, known_fusion, known_gate
from coditect.knowledge.calibration.measures import concordance
from coditect.knowledge.query.calibrated import fitted_fusion, fitted_gate
from coditect.models.cards import card_for, gate_for
from coditect.models.port import FusionParameters, GateParameters
from coditect.retrieve.gate.relevance import FEATURES
from coditect.retrieve.port import Request
from coditect.schemas import Calibration, FusionFigures, GateFigures, RelevanceMark

EMBEDDER = "some-model@0123456789ab"


def marked(weights: tuple[float, float], *, questions: int = 40, summed: bool = True) -> MarkedHits:
    """Four hits of each question, each of a document of its own, marked by what words and meaning contribute."""
    generator = np.random.default_rng(0)
    hits = []
    for question in range(questions):
        words, cosines = generator.random(4), generator.random(4)
        order = np.argsort(-(weights[0] * words + weights[1] * cosines))
        for rank, at in enumerate(order.tolist()):
            made = RelevanceMark.create(
                corpus_id="policies",
                query=f"question {question}",
                tier="extraction",
                judged_id=f"extraction_{question}_{at}",
                documents=(f"document {question}-{at}",),
                relevant=rank < 2,
                by="R. Eader",
                at="2026-01-01T00:00:00Z",
            )
            told = {"near": float(cosines[at]), "surplus": float(words[at])}
            seen = tuple(told.get(name, 0.0) for name in FEATURES)
            own = (float(words[at]), float(cosines[at])) if summed else (None, None)
            hits.append(MarkedHit(made, seen, *own))
    return MarkedHits(tuple(hits), EMBEDDER, {})


def test_fusion_learns_that_meaning_counts_less() -> None:
    """Where people go by the words, pairs of marks take weight from meaning, and more of them are in order."""
    tried = attempt(
        "fusion", marked((1.0, 0.1)).fusion_cases, known_fusion(FusionParameters(1.0)), "pairs", 0, concordance
    )
    assert tried.told.improves
    assert tried.figures is not None
    words, meaning = tried.figures.coefficients.tolist()
    assert 0.0 <= meaning < 0.4 * words
    assert tried.figures.intercept == pytest.approx(0.0, abs=0.01)


def test_fusion_stays_where_people_go_by_both() -> None:
    """Marks that follow the shipped fusion leave nothing to improve."""
    tried = attempt(
        "fusion", marked((1.0, 1.0)).fusion_cases, known_fusion(FusionParameters(1.0)), "pairs", 0, concordance
    )
    assert tried.told.before is not None
    assert tried.told.before.value == 1.0
    assert not tried.told.improves


def test_fusion_cases_are_pairs_of_one_question_and_their_mirror_images() -> None:
    """Two relevant and two other hits make four pairs, each both ways, and never of two questions."""
    cases = marked((1.0, 1.0), questions=3).fusion_cases
    assert len(cases) == 3 * 4 * 2
    half = len(cases) // 2
    np.testing.assert_array_equal(cases.values[:half], -cases.values[half:])
    assert cases.labels.tolist() == [1] * half + [0] * half
    assert all(len([each for each in documents if each.startswith("question")]) == 1 for documents in cases.documents)


def test_fusion_is_not_fitted_where_scores_are_joined_by_another_rule() -> None:
    """What a vector store fuses has no weight of ours."""
    assert len(marked((1.0, 1.0), summed=False).fusion_cases) == 0


def test_gate_cases_hold_hits_of_one_question_together() -> None:
    """The question stands beside the documents, so that no fold sees it on both sides."""
    cases = marked((1.0, 1.0), questions=2).gate_cases
    assert cases.values.shape == (8, len(FEATURES))
    assert {documents[-1] for documents in cases.documents} == {"question question 0", "question question 1"}
    gate = GateParameters(1.0, {"near": 2.0, "missing": -3.0})
    weights = {"near": 2.0, "missing": -3.0}
    assert known_gate(gate).coefficients.tolist() == [weights.get(name, 0.0) for name in FEATURES]


def test_search_reads_fitted_figures_of_its_own_embedder_only() -> None:
    """What was fitted for one model says nothing of another's cosines."""
    fitted = Calibration.create(
        corpus_id="policies",
        gate=GateFigures(bias=1.5, weights={"near": 2.0}, correct=0.7, incorrect=0.2),
        fusion=FusionFigures(dense_weight=0.3),
        embedder=EMBEDDER,
        fitted=(),
        reviews=(),
        marks=(),
        generation=1,
        build_id="build_1",
        code_version="of tests",
        seed=0,
    )
    assert fitted_gate(fitted, EMBEDDER) == GateParameters(1.5, {"near": 2.0}, 0.7, 0.2)
    assert fitted_gate(fitted, "") == gate_for("")
    assert fitted_gate(None, EMBEDDER) == gate_for(EMBEDDER)
    request = Request("q", "section", 10, fitted=fitted_fusion(fitted))
    assert request.fusion_for(card_for(EMBEDDER, 8)).dense_weight == 0.3
    other = card_for("other@ba9876543210", 8)
    assert request.fusion_for(other) == other.fusion
    assert Request("q", "section", 10).fusion_for(card_for(EMBEDDER, 8)) == card_for(EMBEDDER, 8).fusion
