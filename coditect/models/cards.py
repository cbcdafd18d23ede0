"""Cards of models: what is known of a model, and the parameters that were fitted for it.

Each file of the folder ``cards`` describes one model, found by the SHA-256 of its weights, whatever its folder is called.
``general.json`` holds what is used for all others; its relevance gate looks at words alone, and serves where there is no embedder.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import Any

from pydantic import Field, ValidationError

from coditect.errors import SchemaError
from coditect.models.port import FusionParameters, GateParameters, ModelCard
from coditect.schemas.figures import FusionFigures, GateFigures
from coditect.schemas.record import Record

__all__ = [
    "CardFile",
    "card_for",
    "card_name",
    "fusion_parameters",
    "gate_for",
    "gate_parameters",
    "model_id_for",
    "shipped_cards",
]

_GENERAL = "general.json"
_DIGITS = 12


class CardFile(Record):
    """The content of a file in the folder ``cards``."""

    name: str = Field(description="For people.")
    weights_sha256: str = Field(
        default="", pattern="^([0-9a-f]{64})?$", description="Of the weight file; none: any other model."
    )
    licence: str = Field(default="", description="Of the weights.")
    source: str = Field(default="", description="Where the weights come from.")
    max_tokens: int = Field(
        default=0, ge=0, description="Tokens of a text that are read; 0: as the model's folder says."
    )
    fusion: FusionFigures = FusionFigures()
    gate: GateFigures | None = None
    fitted_on: dict[str, Any] = Field(default_factory=dict, description="Development sets and figures, for people.")


@cache
def shipped_cards() -> dict[str, CardFile]:
    """Every file of the folder ``cards`` by its name, sorted.

    Raises:
        SchemaError: a file does not have the declared shape.
    """
    folder = files("coditect.models") / "cards"
    cards = {}
    for entry in sorted(folder.iterdir(), key=lambda entry: entry.name):
        if not entry.name.endswith(".json"):
            continue
        try:
            cards[entry.name] = CardFile.model_validate_json(entry.read_bytes())
        except ValidationError as error:
            raise SchemaError("a model's card does not have its declared shape", card=entry.name) from error
    return cards


def model_id_for(name: str, digest: str) -> str:
    """What a model's vectors are stored under.

    Args:
        name: what its weights are called where no card knows them: their folder's name.
        digest: SHA-256 of the weights in hexadecimal digits.
    Returns:
        the name, ``@`` and the first 12 digits; weights that a card knows have the card's name, wherever they lie.
    """
    digits = digest[:_DIGITS]
    known = _known(digits)
    return f"{known.name if known else name}@{digits}"


def card_for(model_id: str, dimension: int, *, name: str = "", max_tokens: int = 0) -> ModelCard:
    """Find the card of a model.

    Args:
        model_id: its name, ``@`` and the first 12 hexadecimal digits of its weights' SHA-256; the digits find its file.
        dimension: of its dense vectors, > 0.
        name: for people, where no file knows the model; by default what stands before ``@``.
        max_tokens: tokens of a text that it reads, where no file says; 0 for no limit.
    Returns:
        the card, with the figures of the model's own file or the general ones, and the gate of :func:`gate_for`.
    Raises:
        SchemaError: a shipped file does not have the declared shape.
    """
    title, _, digits = model_id.rpartition("@")
    known = _known(digits)
    card = known or shipped_cards()[_GENERAL]
    return ModelCard(
        model_id=model_id,
        dimension=dimension,
        name=known.name if known else name or title or model_id,
        licence=card.licence,
        max_tokens=card.max_tokens or max_tokens,
        fusion=fusion_parameters(card.fusion),
        gate=gate_for(model_id),
        fitted_on=dict(card.fitted_on),
    )


def card_name(model_id: str) -> str:
    """The name of the file that describes a model, without its ending; "" where none does."""
    digits = model_id.rpartition("@")[2]
    found = (file for file, card in shipped_cards().items() if card.weights_sha256[:_DIGITS] == digits)
    return next(found, "").removesuffix(".json")


def gate_for(model_id: str) -> GateParameters | None:
    """The relevance gate that was fitted for a model.

    Args:
        model_id: as in :func:`card_for`; "" where there is no embedder.
    Returns:
        the model's own, or the general one, which looks at words alone: what another model's cosines mean is not known.
    Raises:
        SchemaError: a shipped file does not have the declared shape.
    """
    known = _known(model_id.rpartition("@")[2])
    figures = (known.gate if known else None) or shipped_cards()[_GENERAL].gate
    return None if figures is None else gate_parameters(figures)


def gate_parameters(figures: GateFigures) -> GateParameters:
    """A gate, of a card or of a calibration, as the search reads it."""
    return GateParameters(figures.bias, dict(figures.weights), figures.correct, figures.incorrect)


def fusion_parameters(figures: FusionFigures) -> FusionParameters:
    """The fusion of a card or of a calibration, as the search reads it."""
    return FusionParameters(figures.dense_weight, figures.rrf_weights, figures.rrf_k)


def _known(digits: str) -> CardFile | None:
    cards = shipped_cards().values()
    return next((card for card in cards if card.weights_sha256 and card.weights_sha256[:_DIGITS] == digits), None)
