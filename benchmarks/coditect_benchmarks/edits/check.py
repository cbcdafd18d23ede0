"""How many contradicting and how many faithful edits are held back, by the rules, by the statistics, by both."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass

from coditect.verify.contradictions.rules import find_contradictions
from coditect.verify.support.assessment import support
from coditect_benchmarks.edits.pairs import EditPair

__all__ = ["FLAGGED", "Report", "Row", "check", "severity"]

FLAGGED = 0.5
"""From this severity on a claim is not published on its own."""
_SPARED = 0.97
"""Share of the faithful dev pairs that the threshold of the statistics must spare."""
CHECKS = ("rules_sentence", "rules", "support", "both")
"""The rules with the source alone as evidence; then with its neighbours: the rules, the statistics, either."""


@dataclass(frozen=True, slots=True)
class Row:
    """What was held back of one kind of edit.

    Attributes:
        family: "dev" or "heldout".
        label: "contradicted" or "faithful".
        kind: of edit, or "all".
        pairs: how many there are.
        held: check to how many of them it holds back.
    """

    family: str
    label: str
    kind: str
    pairs: int
    held: dict[str, int]


@dataclass(frozen=True, slots=True)
class Report:
    """All rows, with what they depend on.

    Attributes:
        rows: by family, label and kind.
        threshold: the probability of support below which a claim is held back; fixed on the faithful dev pairs.
        rules_per_s: claims of the rules on one core with neighbours as evidence.
        support_per_s: the same of the statistics.
    """

    rows: tuple[Row, ...]
    threshold: float
    rules_per_s: float
    support_per_s: float

    def row(self, family: str, label: str, kind: str = "all") -> Row | None:
        """One row, None where there are no such pairs."""
        return next((r for r in self.rows if (r.family, r.label, r.kind) == (family, label, kind)), None)


def severity(claim: str, evidence: Sequence[str]) -> float:
    """Of the worst contradiction that the rules find, 0..1."""
    return max((found.severity for found in find_contradictions(claim, evidence)), default=0.0)


def check(pairs: Sequence[EditPair], *, statistics: bool = True) -> Report:
    """Run the checks over pairs.

    Args:
        pairs: of both families.
        statistics: whether :func:`coditect.verify.support.assessment.support` is measured as well.
    """
    began = time.process_time()
    among = [severity(pair.claim, pair.evidence) >= FLAGGED for pair in pairs]
    rules_s = time.process_time() - began
    alone = [severity(pair.claim, (pair.source,)) >= FLAGGED for pair in pairs]
    began = time.process_time()
    chances = [support(pair.claim, pair.evidence).probability for pair in pairs] if statistics else [1.0] * len(pairs)
    support_s = time.process_time() - began
    spared = sorted(
        chance for pair, chance in zip(pairs, chances, strict=True) if (pair.family, pair.label) == ("dev", "faithful")
    )
    threshold = spared[int(len(spared) * (1.0 - _SPARED))] if spared else 0.0
    held = [
        {"rules_sentence": one, "rules": rules, "support": chance < threshold, "both": rules or chance < threshold}
        for one, rules, chance in zip(alone, among, chances, strict=True)
    ]
    return Report(
        _rows(pairs, held),
        threshold,
        len(pairs) / rules_s if rules_s else 0.0,
        len(pairs) / support_s if statistics and support_s else 0.0,
    )


def _rows(pairs: Sequence[EditPair], held: Sequence[dict[str, bool]]) -> tuple[Row, ...]:
    found: dict[tuple[str, str, str], list[dict[str, bool]]] = {}
    for pair, each in zip(pairs, held, strict=True):
        for kind in (pair.kind, "all"):
            found.setdefault((pair.family, pair.label, kind), []).append(each)
    return tuple(
        Row(*key, len(all_held), {name: sum(each[name] for each in all_held) for name in CHECKS})
        for key, all_held in sorted(
            found.items(), key=lambda item: (item[0][0], item[0][1], item[0][2] == "all", item[0][2])
        )
    )
