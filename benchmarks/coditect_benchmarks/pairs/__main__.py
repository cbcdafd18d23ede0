"""Statements of two documents, by pairs: what cannot both be followed is told as a conflict, and what only looks so is not.

usage: python -m coditect_benchmarks.pairs [--set develop|held] [--kind KIND] [--wrong]

Each pair stands in two documents of one house beside a few others that say something else. ``develop.txt`` is looked at while rules
are written; ``held.txt`` has other wordings of the same kinds, and only its figures are. Both are written by hand by whoever wrote
the rules: they show whether a rule holds beyond its first sentence, and are no evidence of what strangers' documents say.
"""

from __future__ import annotations

import argparse
from collections import Counter

from coditect_benchmarks.pairs.scoring import SETS, read_pairs, told

__all__: list[str] = []


def main() -> None:
    """Score a set and print it by kind."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--set", choices=SETS, default="develop", help="which pairs")
    parser.add_argument("--kind", default="", help="only this kind")
    parser.add_argument("--wrong", action="store_true", help="print each pair that is told otherwise than it should be")
    options = parser.parse_args()
    asked: Counter[tuple[str, bool]] = Counter()
    right: Counter[tuple[str, bool]] = Counter()
    for pair in read_pairs(options.set):
        if options.kind not in ("", pair.kind):
            continue
        claims = told(pair)
        asked[pair.kind, pair.is_conflict] += 1
        is_right = bool(claims) is pair.is_conflict
        right[pair.kind, pair.is_conflict] += is_right
        if options.wrong and not is_right:
            sides = " // ".join(f"{each.title}: {each.text!r}" for each in pair.sides)
            print(f"{pair.kind}, {'missed' if pair.is_conflict else 'wrongly told'}: {sides} {claims}")
    for kind in sorted({kind for kind, _ in asked}):
        said = [f"{right[kind, real]:3} of {asked[kind, real]:3}" for real in (True, False)]
        print(f"{kind:12} conflicts {said[0]}   look-alikes left alone {said[1]}")
    for real, name in ((True, "conflicts told"), (False, "look-alikes left alone")):
        every = [sum(count for (_, is_real), count in each.items() if is_real is real) for each in (right, asked)]
        print(f"{name}: {every[0]} of {every[1]}")


if __name__ == "__main__":
    main()
