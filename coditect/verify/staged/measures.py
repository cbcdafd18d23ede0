"""What stage 2's calibration sees of a claim, for those who fit it."""

from __future__ import annotations

from collections.abc import Sequence

from coditect.language.matched import as_matched
from coditect.verify.contradictions.rules import find_contradictions
from coditect.verify.staged.calibration import SERIOUS, features
from coditect.verify.staged.stages import claim_start, refuse_unreadable
from coditect.verify.staged.subject import foreign_subject
from coditect.verify.support.assessment import support
from coditect.verify.support.meaning import Meaning

__all__ = ["measure_support"]


def measure_support(text: str, quotes: Sequence[str], meaning: Meaning | None = None) -> tuple[float, ...] | None:
    """The measures that the probability of support is calibrated on.

    Args:
        text: one or a few sentences.
        quotes: the evidence.
        meaning: an embedder with its weights; without one only words are compared.
    Returns:
        In the order of :data:`~coditect.verify.staged.calibration.FEATURES`; None where rules decide before any probability does: a
        text that cannot be read, or a serious contradiction.
    """
    if refuse_unreadable(text) is not None:
        return None
    text, quotes = as_matched(text), [as_matched(quote) for quote in quotes]
    text = text[claim_start(text, quotes) :]
    found = find_contradictions(text, quotes)
    supported = support(text, quotes, meaning=meaning, contradictions=found)
    worst = max((each.severity for each in found), default=0.0)
    if supported.unreadable or worst >= SERIOUS or foreign_subject(text, quotes, SERIOUS) is not None:
        return None
    return features(supported, worst)
