"""Claims told in other words, as a language model writes them: what of the held-out edits both stages would publish."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from coditect.schemas import VerdictLabel
from coditect.verify.staged.stages import assess
from coditect_benchmarks.edits.pairs import EditPair, generate
from coditect_benchmarks.edits.source import documents
from coditect_benchmarks.tier4.calibrate import mixed

__all__ = ["Told", "told"]

MINIMUM = 0.7


@dataclass(slots=True)
class Told:
    """Labels by what was done to the sentence."""

    labels: Counter[tuple[str, VerdictLabel]] = field(default_factory=Counter)
    seconds: float = 0.0

    def row(self) -> dict[str, Any]:
        """For JSON: by kind the number of pairs, and the shares that are published, left to a person, refused."""
        kinds = sorted({kind for kind, _ in self.labels})
        found: dict[str, Any] = {}
        for kind in kinds:
            counts = {label: self.labels[kind, label] for label in ("supported", "needs_review", "unsupported")}
            total = sum(counts.values())
            found[kind] = {"pairs": total, **{label: round(number / total, 4) for label, number in counts.items()}}
        return {"kinds": found, "claims_per_s": round(sum(self.labels.values()) / self.seconds, 1)}


def told(data: Path, count: int) -> Told:
    """Check held-out edits with the sentence among up to nine neighbours as evidence.

    Args:
        data: the folder that holds contracts/docs and cfpb.
        count: edits of both families; half of them are held out.
    """
    result = Told()
    for kind, claim, evidence in _cases(pair for pair in generate(documents(data), count) if pair.family == "heldout"):
        begin = time.perf_counter()
        label = assess(claim, evidence, MINIMUM).label
        result.seconds += time.perf_counter() - begin
        result.labels[kind, label] += 1
    return result


def _cases(pairs: Iterator[EditPair]) -> Iterator[tuple[str, str, tuple[str, ...]]]:
    for pair in pairs:
        yield f"{pair.label}: all", pair.claim, pair.evidence
        yield f"{pair.label}: {pair.kind}", pair.claim, pair.evidence
        if pair.label == "faithful":
            others = tuple(each for each in pair.evidence if each != pair.source)
            yield "unsupported: source not among the evidence", pair.claim, others
            for claim in mixed(pair.source, others):
                yield "unsupported: subject with another's predicate", claim, pair.evidence
