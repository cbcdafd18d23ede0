"""Boosted trees over the measures of a claim, read from JSON and evaluated in plain Python."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

__all__ = ["DecisionTree", "parse_trees"]


@dataclass(frozen=True, slots=True)
class DecisionTree:
    """A regression tree; a leaf leads to itself, and children stand behind their parents.

    Attributes:
        names: of each node the measure that it asks; "" of a leaf.
        thresholds: a measure that is at most this goes left.
        left: of each node the next one where its measure is small.
        right: of each node the next one where it is not.
        values: log odds, of a leaf what it gives, of another node the mean of what the training claims under it got.
    """

    names: tuple[str, ...]
    thresholds: tuple[float, ...]
    left: tuple[int, ...]
    right: tuple[int, ...]
    values: tuple[float, ...]

    def path(self, measures: Mapping[str, float]) -> Iterator[int]:
        """The nodes that a claim passes, from the root to a leaf.

        Args:
            measures: by name, all those that the tree asks.
        """
        node = 0
        yield node
        while self.names[node]:
            is_small = measures[self.names[node]] <= self.thresholds[node]
            node = (self.left if is_small else self.right)[node]
            yield node

    def value(self, measures: Mapping[str, float]) -> float:
        """The log odds that the tree adds to a claim."""
        *_, leaf = self.path(measures)
        return self.values[leaf]

    def counts(self, measures: Mapping[str, float]) -> Iterator[tuple[str, float]]:
        """Each measure that is asked on the way of a claim, with the log odds that its answer adds."""
        nodes = list(self.path(measures))
        for node, following in pairwise(nodes):
            yield self.names[node], self.values[following] - self.values[node]


def parse_trees(rows: Sequence[Mapping[str, Any]], names: Sequence[str]) -> tuple[DecisionTree, ...]:
    """Trees from JSON.

    Args:
        rows: of each tree the arrays "measure" (a place among ``names``, -1 of a leaf), "threshold", "left", "right", "value".
        names: of the measures.

    Raises:
        ValueError: they are damaged: arrays of different lengths, numbers that are not finite, nodes that lead nowhere or back.
        KeyError: an array is missing.
    """
    return tuple(_tree(row, names) for row in rows)


def _tree(row: Mapping[str, Any], names: Sequence[str]) -> DecisionTree:
    asked = [int(each) for each in row["measure"]]
    left, right = ([int(each) for each in row[side]] for side in ("left", "right"))
    thresholds, values = ([float(each) for each in row[name]] for name in ("threshold", "value"))
    count = len(asked)
    if not count or {len(each) for each in (left, right, thresholds, values)} != {count}:
        raise ValueError("the arrays are damaged")
    if not all(map(math.isfinite, (*thresholds, *values))):
        raise ValueError("the numbers are damaged")
    for node, at in enumerate(asked):
        if not -1 <= at < len(names) or (
            at >= 0 and not all(node < each < count for each in (left[node], right[node]))
        ):
            raise ValueError("the trees are damaged")
    return DecisionTree(
        tuple(names[at] if at >= 0 else "" for at in asked), tuple(thresholds), tuple(left), tuple(right), tuple(values)
    )
