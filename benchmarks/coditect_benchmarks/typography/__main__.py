"""Locators and definitions of small texts, by class of typography.

usage: python -m coditect_benchmarks.typography [--set develop|held] [--kind KIND] [--wrong]

``develop.txt`` is looked at while rules are written; ``held.txt`` has other texts of the same classes, and only its figures
are. Both were written before the rules that they measure, by whoever wrote these: they show whether a rule holds beyond its
first text, and are no evidence of what strangers' documents look like.
"""

from __future__ import annotations

import argparse

from coditect_benchmarks.typography.scoring import (
    SETS,
    PrintedText,
    labelled,
    mean_f1,
    read_definitions,
    read_places,
    read_texts,
)

__all__: list[str] = []


def main() -> None:
    """Score a set and print it by class."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--set", choices=SETS, default="develop", help="which texts")
    parser.add_argument("--kind", default="", help="only this class")
    parser.add_argument("--wrong", action="store_true", help="print each locator and term that is read otherwise")
    options = parser.parse_args()
    texts = [each for each in read_texts(options.set) if options.kind in ("", each.kind)]
    every = [0, 0]
    for kind in labelled(texts):
        own = [each for each in texts if each.kind == kind]
        if any(each.terms for each in own):
            print(f"{kind:16} {_terms(own, is_told=options.wrong)}")
            continue
        read = [(each, place) for each in own for place in read_places(each)]
        right = sum(place.is_right for _, place in read)
        every[0], every[1] = every[0] + right, every[1] + len(read)
        print(f"{kind:16} locators {right:3} of {len(read):3}")
        if options.wrong:
            for each, place in read:
                if not place.is_right:
                    wanted = " ".join(place.place.numbers)
                    print(f"    {each.genre} {each.ending}: {wanted} read as {place.locator!r}: {place.place.words}")
    print(f"all locators: {every[0]} of {every[1]}")


def _terms(texts: list[PrintedText], *, is_told: bool) -> str:
    found = missed = invented = meanings = 0
    for each in texts:
        own, absent, extra = read_definitions(each)
        found, missed, invented = found + len(own), missed + len(absent), invented + len(extra)
        meanings += sum(is_meant for _, is_meant in own)
        if is_told:
            wrong = [term.names[0] for term, is_meant in own if not is_meant]
            absent_names = [term.names[0] for term in absent]
            if wrong or absent or extra:
                print(
                    f"    {each.genre} {each.ending}: missed {absent_names}, invented {extra}, other meanings of {wrong}"
                )
    share = mean_f1(found, missed, invented)
    return f"terms found {found}, missed {missed}, invented {invented}, F1 {share:.3f}; meanings right {meanings}"


if __name__ == "__main__":
    main()
