"""Every system on every split: thresholds and calibration from the training cases alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from coditect_benchmarks.verification.adapters import EDITED
from coditect_benchmarks.verification.figures import Bin, Estimate, auroc, bins, bootstrap, calibration_error
from coditect_benchmarks.verification.fitting import Floats, Rows, fit, held_out, scores
from coditect_benchmarks.verification.protocol import (
    Split,
    accepts,
    balanced_accuracy,
    from_middle,
    share_accepted,
    splits,
    threshold,
)
from coditect_benchmarks.verification.systems import System
from coditect_benchmarks.verification.train import calibrated

__all__ = ["Calibration", "Kind", "Result", "held_out_documents", "run"]

_FOLDS = 5
_FEWEST = 15


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of label or error of a set.

    Attributes:
        name: of the kind.
        count: of its claims.
        supported: its label.
        accepted: the share that is taken for supported at the threshold, 0..1.
        auroc: against all claims of the other label.
    """

    name: str
    count: int
    supported: bool
    accepted: float
    auroc: float


@dataclass(frozen=True, slots=True)
class Result:
    """A system on a held-out set or domain.

    Attributes:
        split: its name.
        system: its name.
        cases: how many.
        supported: the share of supported claims.
        auroc: with its interval.
        balanced_accuracy: at the threshold, with its interval.
        threshold: fixed on other sets or domains.
        balanced_accuracy_by_share: where a share of the claims is accepted that was fixed on other sets or domains.
        share: that share, 0..1.
        balanced_accuracy_from_middle: at a threshold of other sets or domains, scores counted from the middle of each.
        calibration_error: of probabilities calibrated on the training cases, 0..1.
        bins: for the reliability plot.
        kinds: those with at least 15 claims.
        scores: of its cases, in order.
    """

    split: str
    system: str
    cases: int
    supported: float
    auroc: Estimate
    balanced_accuracy: Estimate
    threshold: float
    balanced_accuracy_by_share: Estimate
    share: float
    balanced_accuracy_from_middle: Estimate
    calibration_error: float
    bins: tuple[Bin, ...]
    kinds: tuple[Kind, ...]
    scores: Floats


@dataclass(frozen=True, slots=True)
class Calibration:
    """How far probabilities of documents that were held out of fit and calibration can be trusted."""

    system: str
    calibration_error: float
    bins: tuple[Bin, ...]


def run(rows: Rows, systems: Mapping[str, System], wanted: Sequence[str] = ()) -> list[Result]:
    """Judge every split with every system.

    Args:
        rows: all cases.
        systems: by name.
        wanted: only these sets; none for all.
    """
    found = []
    for split in splits(rows):
        if not wanted or split.name.partition("/")[0] in wanted:
            found += [_judged(rows, split, name, system) for name, system in systems.items()]
    return found


def held_out_documents(rows: Rows, made: Rows, name: str) -> Calibration:
    """Calibration of the combiner in fivefold cross-validation over documents: fitted and calibrated on four fifths.

    Args:
        rows: all cases.
        made: from their evidence.
        name: of the system.
    """
    from sklearn.model_selection import GroupKFold

    probabilities = np.zeros(len(rows.labels), np.float64)
    for train, test in GroupKFold(_FOLDS).split(rows.values, rows.labels, rows.groups):
        seen = rows.take(train)
        both = seen.joined(made.take(np.isin(made.groups, np.unique(seen.groups))))
        knots, values = calibrated(held_out(both, EDITED), both)
        probabilities[test] = np.interp(scores(fit(both, EDITED), rows.take(test)), knots, values)
    return Calibration(name, calibration_error(probabilities, rows.labels), tuple(bins(probabilities, rows.labels)))


def _judged(rows: Rows, split: Split, name: str, system: System) -> Result:
    train, test = np.flatnonzero(split.train), np.flatnonzero(split.test)
    seen, found = system.judge(train, test)
    deciding = split.deciding[train]
    others = rows.take(train[deciding])
    limit, share = threshold(seen[deciding], others), share_accepted(seen[deciding], others)
    middle = threshold(from_middle(seen[deciding], others.domains), others)
    knots, values = calibrated(seen, rows.take(train))
    probabilities = np.interp(found, knots, values)
    held = rows.take(test)
    labels, accepted, highest = held.labels, found >= limit, accepts(found, share)
    above = found - np.median(found) >= middle
    return Result(
        split.name,
        name,
        len(test),
        float(labels.mean()),
        bootstrap(lambda drawn: auroc(found[drawn], labels[drawn]), held.groups),
        bootstrap(lambda drawn: balanced_accuracy(accepted[drawn], labels[drawn]), held.groups),
        limit,
        bootstrap(lambda drawn: balanced_accuracy(highest[drawn], labels[drawn]), held.groups),
        share,
        bootstrap(lambda drawn: balanced_accuracy(above[drawn], labels[drawn]), held.groups),
        calibration_error(probabilities, labels),
        tuple(bins(probabilities, labels)),
        tuple(_kinds(held, found, accepted)),
        found,
    )


def _kinds(held: Rows, found: Floats, accepted: npt.NDArray[Any]) -> list[Kind]:
    kinds = []
    for name in sorted(set(held.kinds.tolist())):
        inside = held.kinds == name
        if inside.sum() < _FEWEST or len(set(held.labels[inside].tolist())) > 1:
            continue
        supported = bool(held.labels[inside][0])
        both = inside | (held.labels != int(supported))
        value = auroc(found[both], held.labels[both])
        kinds.append(Kind(name, int(inside.sum()), supported, float(accepted[inside].mean()), value))
    return kinds
