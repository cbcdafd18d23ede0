"""A second reader: boosted trees over the measures of a claim, read from JSON and evaluated in plain Python.

It was trained on claims that people wrote, true and false, by ``python -m coditect_benchmarks.claims train``; the file says on
which, and holds numbers and names of measures, nothing of their texts. The stages ask it as a second reader: what they support
stands only where it agrees, and so does what they refuse.
"""

from __future__ import annotations

import json
import math
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from coditect.errors import SchemaError
from coditect.schemas import sha256_hex
from coditect.verify.learned.measures import SIGNS
from coditect.verify.learned.trees import DecisionTree, parse_trees

__all__ = ["FORMAT", "ReadingClassifier"]

FORMAT = 2
"""Of the file of weights; another one is refused."""

_MOST_ODDS = 60.0
_AGREED = 0.7
"""Where :meth:`ReadingClassifier.scaled` puts the probability from which it supports: the threshold of builds unless told."""


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
    _base: float
    _names: frozenset[str]
    _trees: tuple[DecisionTree, ...]

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
        for name in sorted(self._names):
            if not math.isfinite(measures.get(name, math.nan)):
                raise SchemaError("a measure is missing", hint="measure with the same version", feature=name)
        total = math.fsum((self._base, *(tree.value(measures) for tree in self._trees)))
        return 1.0 / (1.0 + math.exp(-max(-_MOST_ODDS, min(_MOST_ODDS, total))))

    def scaled(self, probability: float, from_: float | None = None) -> float:
        """A probability on the scale of the support score: where the classifier begins to support, it is 0.7.

        That is the probability where false claims are as many times more frequent, or more costly, than in training.

        Args:
            probability: 0..1.
            from_: where it is 0.7; None: where the classifier begins to support what the rules support as well.
        """
        begins = self.supports_from if from_ is None else from_
        odds = _log_odds(probability) - _log_odds(begins) + _log_odds(_AGREED)
        return 1.0 / (1.0 + math.exp(-odds))

    def against(self, measures: Mapping[str, float]) -> list[str]:
        """The measures that speak against a claim, the strongest first.

        Args:
            measures: by name.
        """
        counts: defaultdict[str, float] = defaultdict(float)
        for tree in self._trees:
            for name, count in tree.counts(measures):
                counts[name] += count
        return sorted((name for name, count in counts.items() if count < 0), key=lambda name: (counts[name], name))


def _log_odds(probability: float) -> float:
    inside = min(1.0 - 1e-9, max(1e-9, probability))
    return math.log(inside / (1.0 - inside))


def _parsed(row: Mapping[str, Any], digest: str) -> ReadingClassifier:
    names = [str(each) for each in row["measures"]]
    trees = parse_trees(row["trees"], names)
    numbers = [float(row[name]) for name in ("supports_from", "refuses_to", "base")]
    if set(names) - set(SIGNS) or not all(map(math.isfinite, numbers)):
        raise ValueError("the weights are damaged")
    supports_from, refuses_to, base = numbers
    if not 0.0 <= refuses_to < supports_from <= 1.0:
        raise ValueError("the thresholds are damaged")
    return ReadingClassifier(str(row["version"]), digest, supports_from, refuses_to, base, frozenset(names), trees)


@cache
def _shipped() -> ReadingClassifier:
    return ReadingClassifier.parse((files("coditect.verify.learned") / "weights" / "readings.json").read_bytes())
