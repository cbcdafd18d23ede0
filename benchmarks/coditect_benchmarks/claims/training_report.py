"""What training prints: families held out, before and after, beside words in common, and how far probabilities can be trusted."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

import numpy as np
import numpy.typing as npt

from coditect_benchmarks.claims.measuring import MeasuredClaims
from coditect_benchmarks.claims.records import WrittenClaim
from coditect_benchmarks.claims.scoring import judge_by_overlap
from coditect_benchmarks.claims.training import EDITED, HeldOut, hold_out
from coditect_benchmarks.gold.scoring import wilson
from coditect_benchmarks.verification.figures import auroc, bins, bootstrap, calibration_error

__all__ = ["training_text"]


def training_text(written: Sequence[WrittenClaim], claims: MeasuredClaims, unseen: Collection[str]) -> Iterator[str]:
    """The tables of a training, line by line.

    Args:
        written: the claims that are judged.
        claims: the same measured, and those that are only trained on.
        unseen: families that no rule was developed on.
    """
    yield "each family judged by weights and thresholds chosen without it"
    held = hold_out(claims, unseen)
    yield from _held_out_text(claims, held, unseen)
    yield from _reliability_text(claims, held)
    fresh = np.isin(claims.families, list(unseen))
    if fresh.any() and not fresh.all():
        together = hold_out(claims, (), [sorted(unseen)])
        yield "all families that no rule was developed on left out together"
        yield f"  with classifier  {_shares_text(together.labels[fresh], claims.labels[fresh])}"
        yield f"  AUROC: {_aurocs(claims.take(fresh), together.probabilities[fresh])}"
    peer, threshold = judge_by_overlap(written)
    ranks = np.array([1 if each.label == "supported" else -1 for each in peer])
    truths = np.array([int(each.is_true) for each in written])
    yield f"words in common, from {threshold:.2f} on, best on these claims"
    yield f"  {_shares_text(ranks, truths)}"


def _shares_text(said: npt.NDArray[np.int64], labels: npt.NDArray[np.int64]) -> str:
    """False claims supported, true ones unsupported, and all left to a person, with Wilson's intervals at 95 %."""
    counted = (
        ("false supported", int(((said == 1) & (labels == 0)).sum()), int((labels == 0).sum())),
        ("true unsupported", int(((said == -1) & (labels == 1)).sum()), int((labels == 1).sum())),
        ("review", int((said == 0).sum()), len(labels)),
    )
    return "  ".join(f"{name} {_share(count, total)}" for name, count, total in counted)


def _share(count: int, total: int) -> str:
    low, high = wilson(count, total) or (0.0, 1.0)
    return f"{count:>3} of {total:<3} {count / total if total else 0.0:6.1%} ({low:5.1%} to {high:5.1%})"


def _held_out_text(claims: MeasuredClaims, held: HeldOut, unseen: Collection[str]) -> Iterator[str]:
    """Tables of families that were held out: the rules alone, and with the classifier."""
    families = sorted(set(claims.families.tolist()) - {EDITED})
    judged = np.isin(claims.families, families)
    fresh = np.isin(claims.families, list(unseen))
    groups = [
        ("all", judged),
        ("rules developed on them", judged & ~fresh),
        ("no rule developed on them", judged & fresh),
        *((family, claims.families == family) for family in families),
    ]
    for name, inside in groups:
        if inside.any():
            yield f"{name} ({int(inside.sum())})"
            yield f"  rules alone      {_shares_text(claims.ruled[inside], claims.labels[inside])}"
            yield f"  with classifier  {_shares_text(held.labels[inside], claims.labels[inside])}"
    for name, inside in groups[:3]:
        if inside.any():
            yield f"AUROC, {name}: {_aurocs(claims.take(inside), held.probabilities[inside])}"


def _aurocs(claims: MeasuredClaims, found: npt.NDArray[np.float64]) -> str:
    """Of both, and of their difference, with intervals over claims drawn again."""
    places = np.arange(len(found))
    labels, scores = claims.labels, claims.scores
    rules = bootstrap(lambda drawn: auroc(scores[drawn], labels[drawn]), places)
    learned = bootstrap(lambda drawn: auroc(found[drawn], labels[drawn]), places)
    more = bootstrap(lambda drawn: auroc(found[drawn], labels[drawn]) - auroc(scores[drawn], labels[drawn]), places)
    return ", ".join(
        f"{name} {each.value:.3f} ({each.low:.3f} to {each.high:.3f})"
        for name, each in (("rules' score", rules), ("classifier", learned), ("difference", more))
    )


def _reliability_text(claims: MeasuredClaims, held: HeldOut) -> Iterator[str]:
    """Of the claims that got about the same probability, how many are true; families held out."""
    known = ~np.isnan(held.probabilities)
    found, labels = held.probabilities[known], claims.labels[known]
    yield f"reliability of held-out probabilities, calibration error {calibration_error(found, labels):.3f}"
    for each in bins(found, labels):
        yield f"  said {each.said:.2f}  true {each.found:.2f}  of {each.count}"
