"""Who is trained on what: each set is judged by systems that saw only the others, and edited sets domain by domain.

Nothing of a held-out set or domain is used for it: no case, no threshold, no calibration. Where a share of its claims is accepted
its scores are put in order, and where they are counted from its middle that is looked up; no label is read. Sets of your own
(JSONL) are only judged.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from coditect_benchmarks.verification.adapters import ADAPTERS, EDITED
from coditect_benchmarks.verification.fitting import Rows

__all__ = ["Split", "accepts", "balanced_accuracy", "from_middle", "share_accepted", "splits", "threshold"]

Mask = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Split:
    """What is held out, and what may be seen.

    Attributes:
        name: of the set, or set/domain.
        test: shape (cases,).
        train: shape (cases,).
        deciding: shape (cases,), the training cases that thresholds are fixed on: other domains of the same set, else all.
    """

    name: str
    test: Mask
    train: Mask
    deciding: Mask


def splits(rows: Rows) -> Iterator[Split]:
    """Each set, or for edited sets each domain, held out once; those with a single label are left out."""
    known = np.isin(rows.sets, sorted(ADAPTERS))
    for name in sorted(set(rows.sets.tolist())):
        inside = rows.sets == name
        domains = sorted(set(rows.domains[inside].tolist())) if name in EDITED else [name]
        for domain in domains:
            test = rows.domains == domain if name in EDITED else inside
            train = known & ~test
            same = train & inside
            if 0 < rows.labels[test].sum() < test.sum():
                yield Split(domain, test, train, same if same.any() else train)


def threshold(scores: npt.NDArray[np.float64], rows: Rows) -> float:
    """The score from which claims count as supported: the best balanced accuracy, averaged over the domains.

    Args:
        scores: shape (cases,), from systems that did not see the case.
        rows: the cases.
    """
    candidates = np.unique(np.quantile(scores, np.linspace(0.02, 0.98, 97)))
    total = np.zeros(len(candidates), np.float64)
    for domain in np.unique(rows.domains):
        inside = rows.domains == domain
        for label in (0, 1):
            ordered = np.sort(scores[inside & (rows.labels == label)])
            below = np.searchsorted(ordered, candidates, side="left") / max(len(ordered), 1)
            total += below if label == 0 else 1.0 - below
    return float(candidates[int(np.argmax(total))])


def from_middle(scores: npt.NDArray[np.float64], domains: npt.NDArray[Any]) -> npt.NDArray[np.float64]:
    """Scores less the median of their set or domain.

    How far a set's words are from its evidence moves all its scores; a threshold of other sets holds for what is left.

    Args:
        scores: shape (cases,).
        domains: the set or domain of each.
    """
    found = np.zeros(len(scores), np.float64)
    for domain in np.unique(domains):
        inside = domains == domain
        found[inside] = scores[inside] - np.median(scores[inside])
    return found


def share_accepted(scores: npt.NDArray[np.float64], rows: Rows) -> float:
    """The share of a set's claims, its highest scores, that counts as supported: the best balanced accuracy over the domains.

    Where the words of a set are further from its evidence than those of others all its scores lie low; a share goes with them, and
    needs its claims, not their labels.

    Args:
        scores: shape (cases,), from systems that did not see the case.
        rows: the cases.

    Returns:
        .05 to .95, in steps of .01.
    """
    shares = np.arange(5, 96) / 100.0
    insides = [rows.domains == domain for domain in np.unique(rows.domains)]
    total = [
        sum(balanced_accuracy(accepts(scores[each], share), rows.labels[each]) for each in insides) for share in shares
    ]
    return float(shares[int(np.argmax(total))])


def accepts(scores: npt.NDArray[np.float64], share: float) -> npt.NDArray[np.bool_]:
    """Which of a set's claims are accepted when a share of them is, 0..1; ties with the last of them are."""
    return np.asarray(scores >= np.quantile(scores, 1.0 - share))


def balanced_accuracy(accepted: npt.NDArray[np.bool_], labels: npt.NDArray[Any]) -> float:
    """The mean of the shares of supported claims accepted and of unsupported claims refused; NaN without one of both."""
    if not 0 < labels.sum() < len(labels):
        return float("nan")
    return float((accepted[labels == 1].mean() + 1.0 - accepted[labels == 0].mean()) / 2.0)
