"""What a configured embedder adds to the checker: its measures, and the weights that were fitted with it."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from coditect.models.port import ContextEmbedder, Embedder, ModelSources
from coditect.verify.support.combiner import Combiner, CombinerKind
from coditect.verify.support.contexts import ReadTexts, measure_contexts
from coditect.verify.support.features import Measured
from coditect.verify.support.vectors import measure_vectors

__all__ = ["FindMeaning", "Meaning", "meaning_from", "nothing_meant"]

_KINDS: tuple[CombinerKind, ...] = ("contexts", "vectors")


class Meaning:
    """An embedder that weights were fitted with. Keeps what it read; one for each run.

    Attributes:
        combiner: the weights.
    """

    def __init__(self, combiner: Combiner, embedder: Embedder) -> None:
        self.combiner = combiner
        self._embedder = embedder
        self._texts = ReadTexts(embedder) if isinstance(embedder, ContextEmbedder) else None

    @classmethod
    def of(cls, embedder: Embedder | None) -> Meaning | None:
        """What an embedder adds; None without one, and for a model that no weights were fitted with: words alone are compared."""
        if embedder is None:
            return None
        for kind in _KINDS:
            combiner = Combiner.load(kind)
            if combiner.embedder == embedder.card.model_id:
                return cls(combiner, embedder)
        return None

    def measure(self, measured: Measured, claim: str) -> dict[str, float]:
        """The measures that its weights read beside those of words, by name.

        Args:
            measured: the claim and its evidence, measured by words.
            claim: the text.
        Raises:
            ModelError: the embedder failed.
        """
        if self._texts is not None:
            return measure_contexts(measured, claim, self._texts)
        return measure_vectors(measured, claim, self._embedder)


FindMeaning = Callable[[], Meaning | None]
"""Opens the model when a claim is first weighed: most claims of a build are not."""


def meaning_from(models: ModelSources) -> FindMeaning:
    """Opens the configured embedder once, for one run: a build, a validation, a text.

    Args:
        models: how the configured models are opened.
    Returns:
        gives the same each time; None where there is no embedder, or one that no weights were fitted with.
    """
    return cache(lambda: Meaning.of(models.ranking()))


def nothing_meant() -> None:
    """Where words alone are compared."""
