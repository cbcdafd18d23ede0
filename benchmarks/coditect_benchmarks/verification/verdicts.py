"""What the whole checker makes of the public sets: verdicts, and how its score orders claims beside both of its readers and a peer.

usage: python -m coditect_benchmarks.verification.verdicts --data FOLDER [--sample 150] [--json FILE]

The other report measures the combiner alone, fitted anew for each set. Here everything is as it is shipped; neither the rules nor
the second reader was fitted on any of these sets, but the combiner was, on all of them.
"""

from __future__ import annotations

import argparse
import json
import random
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from coditect.language.matched import as_matched
from coditect.schemas import VerdictLabel
from coditect.verify.learned.classifier import ReadingClassifier
from coditect.verify.staged.comparison import compare
from coditect.verify.staged.stages import assess, claim_start, refuse_unreadable, ruled_score
from coditect_benchmarks.gold.scoring import wilson
from coditect_benchmarks.verification.adapters import load
from coditect_benchmarks.verification.figures import auroc, bootstrap
from coditect_benchmarks.verification.formats import Case
from coditect_benchmarks.verification.systems import overlap

__all__ = ["SCORES", "CheckedCase", "check_cases", "rows"]

SAMPLE = 150
SEED = 8
MINIMUM = 0.7
SCORES = ("whole checker", "rules and combiner", "second reader", "word overlap")


@dataclass(frozen=True, slots=True)
class CheckedCase:
    """A claim of a public set with what was said of it.

    Attributes:
        supported: what the set says.
        group: the document that it is about.
        label: the verdict.
        scores: in the order of :data:`SCORES`.
    """

    supported: bool
    group: str
    label: VerdictLabel
    scores: tuple[float, ...]


def sampled(cases: Sequence[Case], sample: int) -> list[Case]:
    """So many supported claims and as many others, drawn with a seed; all where there are not so many."""
    chosen: list[Case] = []
    for side in (True, False):
        same = [case for case in cases if case.supported is side]
        chosen += random.Random(SEED).sample(same, min(sample, len(same)))  # noqa: S311 - a seeded choice
    return chosen


def check_cases(cases: Sequence[Case]) -> Iterator[CheckedCase]:
    """Check each claim against its evidence; one that cannot be read has the scores 0."""
    classifier = ReadingClassifier.load()
    for case in cases:
        found = assess(case.claim, case.evidence, MINIMUM)
        said, quotes = as_matched(case.claim), [as_matched(quote) for quote in case.evidence]
        ruled = counted = 0.0
        if refuse_unreadable(said) is None:
            compared = compare(said[claim_start(said, quotes) :], quotes)
            if not compared.supported.unreadable:
                ruled, counted = ruled_score(compared)[1], classifier.probability(compared.measures)
        yield CheckedCase(case.supported, case.group, found.label, (found.score, ruled, counted, overlap(case)))


def rows(found: Sequence[CheckedCase]) -> Iterator[str]:
    """AUROC of each score with the interval over documents, then the verdicts of both kinds of claims."""
    labels = np.array([each.supported for each in found], dtype=np.int64)
    groups = np.array([each.group for each in found])
    for place, name in enumerate(SCORES):
        scores = np.array([each.scores[place] for each in found])
        value = bootstrap(lambda drawn, scores=scores: auroc(scores[drawn], labels[drawn]), groups)  # type: ignore[misc]
        yield f"  AUROC {name:20} {value.value:.3f} ({value.low:.3f} to {value.high:.3f})"
    for side, name in ((True, "supported"), (False, "not supported")):
        counts = Counter(each.label for each in found if each.supported is side)
        said = []
        for label in ("supported", "needs_review", "unsupported"):
            low, high = wilson(counts[label], counts.total()) or (0.0, 1.0)
            said.append(f"{label} {counts[label]} ({low:.1%} to {high:.1%})")
        yield f"  {counts.total()} that are {name}: {', '.join(said)}"


def main() -> None:
    """Draw, check and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--sample", type=int, default=SAMPLE, help="claims of each kind and set")
    parser.add_argument("--json", type=Path, help="write the rows here as well")
    options = parser.parse_args()
    told = {}
    for name, cases in load(options.data).items():
        told[name] = list(rows(list(check_cases(sampled(cases, options.sample)))))
        print(name, *told[name], sep="\n", flush=True)
    if options.json:
        options.json.write_text(json.dumps(told, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
