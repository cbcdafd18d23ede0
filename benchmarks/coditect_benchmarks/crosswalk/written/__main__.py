"""Written pairs of requirements and what a house says: how often a crosswalk's label is the right one.

usage: python -m coditect_benchmarks.crosswalk.written [--set looked-at|unseen] [--wrong]

Written by hand, by whoever wrote the rules, before they wrote them. Half of each family, drawn by seed, may be looked at while
rules are written; of the others only figures are (``--wrong`` tells looked-at ones alone). A wrong "meets", "looser", "stricter" or
"contradicts" counts by itself: somebody acts by it.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Sequence
from pathlib import Path

from coditect.schemas.crosswalk import CrosswalkEvidence
from coditect_benchmarks.crosswalk.written.scoring import (
    FAMILIES,
    LOUD,
    WrittenPair,
    looked_at,
    read_written,
    told_of,
)

__all__ = ["main"]


def main(arguments: Sequence[str] | None = None) -> None:
    """Print how many labels are right, by family and set."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--set", choices=("looked-at", "unseen"), help="which pairs; none: both")
    parser.add_argument("--wrong", action="store_true", help="print looked-at pairs that get another label")
    options = parser.parse_args(arguments)
    pairs = read_written()
    seen = looked_at(pairs)
    with tempfile.TemporaryDirectory() as folder:
        told = told_of(pairs, Path(folder))
    for name, wanted in (("looked-at", True), ("unseen", False)):
        if options.set in (None, name):
            some = [each for each in pairs if (each.number in seen) is wanted]
            for family in FAMILIES:
                _print([each for each in some if each.family == family], f"{name}, {family}", told)
            if options.wrong and wanted:
                _print_wrong(some, told)


def _print(pairs: Sequence[WrittenPair], name: str, told: dict[int, CrosswalkEvidence | None]) -> None:
    labels = [(each, _label(told[each.number])) for each in pairs]
    right = sum(label in each.right for each, label in labels)
    loud = [(each, label) for each, label in labels if label in LOUD]
    wrong = sum(label not in each.right for each, label in loud)
    print(
        f"{name}: right {right} of {len(pairs)}; of {len(loud)} told as met, looser, stricter or contradicting {wrong} wrongly"
    )


def _print_wrong(pairs: Sequence[WrittenPair], told: dict[int, CrosswalkEvidence | None]) -> None:
    for each in pairs:
        found = told[each.number]
        if _label(found) not in each.right:
            why = found.reason if found is not None else ""
            print(
                f"  {each.name}: {_label(found)} ({why}), right {', '.join(sorted(each.right))}\n"
                f"    {each.requirement}\n    {each.says}"
            )


def _label(found: CrosswalkEvidence | None) -> str:
    return found.label if found is not None else "no evidence"


if __name__ == "__main__":
    main()
