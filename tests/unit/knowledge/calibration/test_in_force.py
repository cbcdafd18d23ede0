"""Which figures a search goes by: those of the corpus where the embedder is the same, else the shipped ones."""

from __future__ import annotations

from coditect.knowledge.query.calibrated import fitted_fusion, fitted_gate
from coditect.models.cards import gate_for
from coditect.schemas import Calibration, FusionFigures, GateFigures


def calibration(**more: object) -> Calibration:
    """A calibration for one embedder."""
    fields: dict[str, object] = {
        "corpus_id": "c",
        "calibration_id": "calibration_1",
        "fitted": (),
        "reviews": (),
        "marks": (),
        "generation": 1,
        "build_id": "build_1",
        "code_version": "1",
        "seed": 0,
        "embedder": "mine@1",
    }
    return Calibration.model_validate({**fields, **more})


def test_gate_of_a_corpus_is_used_with_its_own_embedder_alone() -> None:
    """With no calibration, one without a gate, or another embedder, the shipped gate decides."""
    own = calibration(gate=GateFigures(bias=9.0, weights={"cosine": 2.0}))
    found = fitted_gate(own, "mine@1")
    assert found is not None
    assert (found.bias, found.weights["cosine"]) == (9.0, 2.0)
    assert fitted_gate(own, "other@1") == gate_for("other@1")
    assert fitted_gate(calibration(), "mine@1") == gate_for("mine@1")
    assert fitted_gate(None, "mine@1") == gate_for("mine@1")
    assert fitted_gate(None, "") == gate_for("")


def test_fusion_of_a_corpus_is_that_of_its_embedder() -> None:
    """Nothing where none was fitted."""
    own = fitted_fusion(calibration(fusion=FusionFigures(dense_weight=0.25)))
    assert {name: each.dense_weight for name, each in own.items()} == {"mine@1": 0.25}
    assert fitted_fusion(calibration()) == {}
    assert fitted_fusion(None) == {}
