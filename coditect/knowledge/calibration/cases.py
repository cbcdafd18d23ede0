"""People's decisions as rows that a regression can be fitted on, and how many of them are enough."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

__all__ = ["FEWEST_CASES", "FEWEST_DOCUMENTS", "FEWEST_OF_EACH", "Cases", "Floats", "Labels", "missing"]

Floats = npt.NDArray[np.float64]
Labels = npt.NDArray[np.int64]

FEWEST_CASES = 60
"""Decisions from which figures are fitted: with fewer, an interval of the AUROC is wider than any gain that can be hoped for."""

FEWEST_OF_EACH = 15
"""Of these for, and against: three of each in every fold of five."""

FEWEST_DOCUMENTS = 10
"""Documents that they rest on: intervals are drawn over documents, and five draws would be no interval."""


@dataclass(frozen=True, slots=True)
class Cases:
    """Decisions that were measured.

    Attributes:
        values: shape (cases, measures).
        labels: shape (cases,), 1 decided for.
        documents: of each case the ids of the documents that it rests on, the first one being its own.
        left_out: decisions that could not be measured, by reason.
    """

    values: Floats
    labels: Labels
    documents: tuple[tuple[str, ...], ...]
    left_out: Mapping[str, int] = field(default_factory=dict)

    def __len__(self) -> int:
        """Cases."""
        return len(self.labels)

    @property
    def distinct_documents(self) -> int:
        """Documents that cases are of."""
        return len({each[0] for each in self.documents})

    @property
    def own(self) -> npt.NDArray[np.int64]:
        """Shape (cases,), a number for the first document of each."""
        return np.unique([each[0] for each in self.documents], return_inverse=True)[1].astype(np.int64)

    def take(self, chosen: npt.NDArray[np.int64]) -> Cases:
        """The cases at some places.

        Args:
            chosen: shape (chosen,), places from 0.
        """
        documents = tuple(self.documents[at] for at in chosen.tolist())
        return Cases(self.values[chosen], self.labels[chosen], documents, self.left_out)


def missing(cases: Cases, noun: str) -> str:
    """What is missing before figures can be fitted on some cases, in words; "" where nothing is.

    Args:
        cases: all that there are.
        noun: what they are called, in the plural.
    """
    positive = int(cases.labels.sum())
    told = (
        (FEWEST_CASES, len(cases), noun),
        (FEWEST_OF_EACH, positive, f"{noun} for"),
        (FEWEST_OF_EACH, len(cases) - positive, f"{noun} against"),
        (FEWEST_DOCUMENTS, cases.distinct_documents, "documents that they rest on"),
    )
    short = [f"{least} {what} ({there} so far)" for least, there, what in told if there < least]
    return ", ".join(short)
