"""A second reader: a logistic regression over the measures of a claim, read from JSON and evaluated in plain Python.

It was trained on claims that people wrote, true and false, by ``python -m coditect_benchmarks.claims train``; the file says on
which, and holds numbers and names of measures, nothing of their texts. The stages ask it as a second reader: what they support
stands only where it agrees, and so does what they refuse, contradictions that rules show for certain excepted.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from coditect.errors import SchemaError
from coditect.schemas import sha256_hex
from coditect.verify.learned.measures import SIGNS

__all__ = ["FORMAT", "ReadingClassifier"]

FORMAT = 1
"""Of the file of weights; another one is refused."""

_FARTHEST = 4.0
_AGREED = 0.7
"""Where :meth:`ReadingClassifier.scaled` puts the probability from which it supports: the threshold of builds unless told."""


@dataclass(frozen=True, slots=True)
class _Weight:
    """What one measure counts.

    Attributes:
        mean: of the training claims.
        scale: their standard deviation, > 0.
        weight: log odds for one standard deviation, within four of them.
    """

    mean: float
    scale: float
    weight: float

    def count(self, value: float) -> float:
        """The log odds that a value adds."""
        return self.weight * max(-_FARTHEST, min(_FARTHEST, (value - self.mean) / self.scale))


@dataclass(frozen=True, slots=True)
class ReadingClassifier:
    """How probable a claim is by its measures, and from where on that settles it.

    Attributes:
        version: the version of the weights.
        sha256: SHA-256 of their file, hex.
        supports_from: probability from which it finds that the evidence says it, 0..1.
        refuses_to: probability up to which it finds that it does not, 0..1, below the other.
    """

    version: str
    sha256: str
    supports_from: float
    refuses_to: float
    _intercept: float
    _weights: Mapping[str, _Weight]

    @classmethod
    def load(cls) -> ReadingClassifier:
        """The shipped weights; read once a process.

        Raises:
            SchemaError: the file is not in the format that this version reads.
        """
        return _shipped()

    @classmethod
    def parse(cls, payload: bytes) -> ReadingClassifier:
        """Weights from JSON.

        Raises:
            SchemaError: they are not in the format that this version reads, or not of its measures.
        """
        try:
            row = json.loads(payload)
            if row["format"] != FORMAT:
                raise ValueError(row["format"])
            return _parsed(row, sha256_hex(payload))
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise SchemaError(
                "these are no weights of the classifier of readings", hint="reinstall the package"
            ) from error

    def probability(self, measures: Mapping[str, float]) -> float:
        """How probable it is that the evidence says all of a claim, 0..1.

        Args:
            measures: by name, as :func:`~coditect.verify.learned.measures.measure_claim` gives them.

        Raises:
            SchemaError: a measure is missing or is not finite.
        """
        total = self._intercept
        for name, each in self._weights.items():
            value = measures.get(name, math.nan)
            if not math.isfinite(value):
                raise SchemaError("a measure is missing", hint="measure with the same version", feature=name)
            total += each.count(value)
        return 1.0 / (1.0 + math.exp(-max(-60.0, min(60.0, total))))

    def scaled(self, probability: float) -> float:
        """A probability on the scale of the support score: where the classifier begins to support, it is 0.7.

        That is the probability where false claims are as many times more frequent, or more costly, than in training.
        """
        odds = _log_odds(probability) - _log_odds(self.supports_from) + _log_odds(_AGREED)
        return 1.0 / (1.0 + math.exp(-odds))

    def against(self, measures: Mapping[str, float]) -> list[str]:
        """The measures that speak against a claim, the strongest first.

        Args:
            measures: by name.
        """
        counts = {name: each.count(measures[name]) for name, each in self._weights.items()}
        return sorted((name for name, count in counts.items() if count < 0), key=lambda name: (counts[name], name))


def _log_odds(probability: float) -> float:
    inside = min(1.0 - 1e-9, max(1e-9, probability))
    return math.log(inside / (1.0 - inside))


def _parsed(row: Mapping[str, Any], digest: str) -> ReadingClassifier:
    weights = {
        str(name): _Weight(*(float(each[part]) for part in ("mean", "scale", "weight")))
        for name, each in row["weights"].items()
    }
    numbers = [float(row[name]) for name in ("supports_from", "refuses_to", "intercept")]
    each = [value for weight in weights.values() for value in (weight.mean, weight.scale, weight.weight)]
    if set(weights) - set(SIGNS) or not all(map(math.isfinite, (*numbers, *each))):
        raise ValueError("the weights are damaged")
    supports_from, refuses_to, intercept = numbers
    if not 0.0 <= refuses_to < supports_from <= 1.0 or any(weight.scale <= 0 for weight in weights.values()):
        raise ValueError("the thresholds are damaged")
    return ReadingClassifier(str(row["version"]), digest, supports_from, refuses_to, intercept, weights)


@cache
def _shipped() -> ReadingClassifier:
    return ReadingClassifier.parse((files("coditect.verify.learned") / "weights" / "readings.json").read_bytes())
