"""The port that all parsers fulfil: from a sentence to its clauses."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from coditect_benchmarks.parsing.clauses import Clause
from coditect_benchmarks.parsing.tasks import Task

__all__ = ["Parser", "RuleParser"]


class Parser(Protocol):
    """Reads the norms of a sentence."""

    def parse(self, task: Task) -> Sequence[Clause]:
        """The norms that are told at a sentence."""


class RuleParser:
    """The rules of the product, as the product uses them."""

    def parse(self, task: Task) -> Sequence[Clause]:
        """What the product reads and keeps."""
        return task.clauses
