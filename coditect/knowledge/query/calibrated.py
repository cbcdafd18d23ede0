"""Gate and fusion of a corpus: those of its calibration in force, else those of the embedder's card.

What was fitted for one embedder says nothing of another's cosines: where search uses another one, the card is read.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from coditect.models.cards import fusion_parameters, gate_for, gate_parameters
from coditect.models.port import FusionParameters, GateParameters

if TYPE_CHECKING:
    from coditect.schemas import Calibration

__all__ = ["fitted_fusion", "fitted_gate"]


def fitted_fusion(calibration: Calibration | None) -> Mapping[str, FusionParameters]:
    """The fusion that was fitted for a corpus, by embedder; empty where none was."""
    if calibration is None or calibration.fusion is None:
        return {}
    return {calibration.embedder: fusion_parameters(calibration.fusion)}


def fitted_gate(calibration: Calibration | None, embedder: str) -> GateParameters | None:
    """The relevance gate of a corpus.

    Args:
        calibration: in force; None for the shipped figures.
        embedder: id of the model that took part in the search; "" for none.
    """
    if calibration is not None and calibration.gate is not None and calibration.embedder == embedder:
        return gate_parameters(calibration.gate)
    return gate_for(embedder)
