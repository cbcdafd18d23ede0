"""Fit the calibration of the checker's second stage: the probability of support, given that the rules found no contradiction.

usage: python -m coditect_benchmarks.tier4.calibrate --data ../shared/data

Fitted on half of the documents of each set; printed with its calibration error on the other half. More than half of the weight lies
on compliance edits (``edits`` beside this, family "dev"; the held-out family is only measured), with and without their source among
the evidence; the rest on the sets of benchmarks/coditect_benchmarks/verification, each equally.
The coefficients that it prints stand in coditect/verify/staged/calibration.py.
"""

from __future__ import annotations

import argparse
import hashlib
import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import numpy as np
import numpy.typing as npt

from coditect.verify.contradictions.rules import find_contradictions
from coditect.verify.staged.calibration import FEATURES, features
from coditect.verify.staged.stages import SERIOUS
from coditect.verify.staged.subject import foreign_subject
from coditect.verify.support.assessment import support
from coditect_benchmarks.edits.pairs import generate
from coditect_benchmarks.edits.source import documents
from coditect_benchmarks.verification.adapters import load

SAMPLE = 500
SEED = 6
COMPLIANCE = {"edits": 0.45, "absent": 0.1, "mixed": 0.02}
"""Shares of the weight: edited sentences; faithful ones without their source; subjects with foreign predicates."""
_DUTY = re.compile(r"([^,;:]{8,120}?) (shall|must|may|will)(?! not) ([^;:]{20,200}\.)$")


@dataclass(frozen=True, slots=True)
class Pair:
    """A labelled pair; ``fitted`` says which half it is in."""

    source: str
    claim: str
    evidence: tuple[str, ...]
    supported: bool
    fitted: bool


def pairs(data: Path, sample: int) -> Iterator[Pair]:
    """Of every set, at most so many."""
    for edit in generate(documents(data), 2 * sample):
        yield Pair(f"edits/{edit.family}", edit.claim, edit.evidence, edit.label == "faithful", edit.family == "dev")
        if edit.label == "faithful":
            others = tuple(each for each in edit.evidence if each != edit.source)
            yield Pair(f"absent/{edit.family}", edit.claim, others, False, edit.family == "dev")
            for claim in mixed(edit.source, others):
                yield Pair(f"mixed/{edit.family}", claim, edit.evidence, False, edit.family == "dev")
    for name, cases in load(data).items():
        chosen = random.Random(SEED).sample(cases, min(sample, len(cases)))  # noqa: S311 - a seeded choice
        for case in chosen:
            half = hashlib.sha256(case.group.encode()).digest()[0] % 2 == 0
            yield Pair(name, case.claim, case.evidence, case.supported, half)


def mixed(source: str, others: Sequence[str]) -> Iterator[str]:
    """The subject of one sentence with the predicate of another: every word stands in the evidence, and nobody says it."""
    own = _DUTY.match(source)
    for other in others:
        theirs = _DUTY.match(other)
        if own and theirs and own[1].casefold() != theirs[1].casefold():
            yield f"{own[1]} {theirs[2]} {theirs[3]}"
            return


def main() -> None:
    """Fit, and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--sample", type=int, default=SAMPLE)
    options = parser.parse_args()
    rows, labels, sources, fitted = [], [], [], []
    stopped: dict[tuple[str, bool], list[bool]] = {}
    for pair in pairs(options.data, options.sample):
        worst = max((each.severity for each in find_contradictions(pair.claim, pair.evidence)), default=0.0)
        if foreign_subject(pair.claim, pair.evidence, SERIOUS):
            worst = max(worst, SERIOUS)
        stopped.setdefault((pair.source, pair.supported), []).append(worst >= SERIOUS)
        found = support(pair.claim, pair.evidence)
        if worst >= SERIOUS or found.unreadable:
            continue
        rows.append(features(found, worst))
        labels.append(pair.supported)
        sources.append(pair.source)
        fitted.append(pair.fitted)
    for (source, supported), each in sorted(stopped.items()):
        print(
            f"stage 1 stops {np.mean(each):6.1%} of {len(each)} {'supported' if supported else 'unsupported'} in {source}"
        )
    fit(np.array(rows), np.array(labels), np.array(sources), np.array(fitted))


def fit(
    x: npt.NDArray[np.float64], y: npt.NDArray[np.bool_], sources: npt.NDArray[np.str_], half: npt.NDArray[np.bool_]
) -> None:
    """Print coefficients, and how well they are calibrated on the other half."""
    from sklearn.linear_model import LogisticRegression

    weights = np.zeros(len(y))
    others = len(set(sources[half])) - len(COMPLIANCE)
    for source in set(sources[half]):
        share = COMPLIANCE.get(source.partition("/")[0], (1.0 - sum(COMPLIANCE.values())) / others)
        own = (sources == source) & half
        weights[own] = share / own.sum()
    weights *= half.sum()
    model = LogisticRegression(C=1.0, max_iter=1000).fit(x[half], y[half], sample_weight=weights[half])
    print("INTERCEPT =", round(float(model.intercept_[0]), 4))
    print("COEFFICIENTS =", dict(zip(FEATURES, (round(float(each), 4) for each in model.coef_[0]), strict=True)))
    p = model.predict_proba(x)[:, 1]
    for source in sorted(set(sources)):
        own = (sources == source) & ~half
        if own.sum() > 20:
            print(f"{source:16} {own.sum():5}  {_measures(p[own], y[own])}")
    print(f"{'all held out':16} {(~half).sum():5}  {_measures(p[~half], y[~half])}")


def _measures(p: npt.NDArray[np.float64], y: npt.NDArray[np.bool_]) -> str:
    edges: Sequence[float] = np.linspace(0, 1, 11).tolist()
    error = sum(
        abs(p[inside].mean() - y[inside].mean()) * inside.mean()
        for low, high in pairwise(edges)
        if (inside := (p > low) & (p <= high)).any()
    )
    sure = p >= 0.7
    right = f"{y[sure].mean():6.1%} of {sure.sum():4}" if sure.any() else "-"
    kept = f"{(p[y] >= 0.7).mean():6.1%}" if y.any() else "-"
    return f"ECE {error:.3f}  right from 0.7 on {right}  supported kept {kept}"


if __name__ == "__main__":
    main()
