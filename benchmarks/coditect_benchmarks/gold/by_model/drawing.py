"""A sample of the gold's units that readers can answer for: all genres, as many documents as there are, parts that share none."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Sequence
from itertools import chain, zip_longest

from coditect_benchmarks.gold.store import GoldUnit

__all__ = ["drawn"]


def drawn(gold: Sequence[GoldUnit], most: int, seed: int, part: int = 1, parts: int = 1) -> list[GoldUnit]:
    """A sample in which each genre has its share.

    Documents are dealt out to the parts, so that what was looked at in one is new in another; of a genre with one document the
    units are dealt out. Inside a part each document of a genre gives a unit before one gives its second.

    Args:
        gold: all units.
        most: units of the sample, about; 0 for all of the part.
        seed: of the order of documents and of the units of each.
        part: which part, 1 .. ``parts``.
        parts: parts without a document in common.

    Raises:
        ValueError: there is no such part.
    """
    if not 1 <= part <= parts or most < 0:
        raise ValueError(f"part {part} of {parts} with {most} units: parts count from 1, and units from 0")
    chance = random.Random(seed)  # noqa: S311 - a sample
    genres: dict[str, dict[str, list[GoldUnit]]] = defaultdict(lambda: defaultdict(list))
    for each in sorted(gold, key=lambda each: each.unit.id):
        genres[each.unit.genre][each.unit.document].append(each)
    chosen: list[GoldUnit] = []
    for _, documents in sorted(genres.items()):
        shuffled = [chance.sample(own, len(own)) for _, own in sorted(documents.items())]
        chance.shuffle(shuffled)
        dealt = _dealt(shuffled, parts)[part - 1]
        turns = [each for each in chain.from_iterable(zip_longest(*dealt)) if each is not None]
        share = len(turns) if not most else max(1, round(most * sum(map(len, shuffled)) / len(gold)))
        chosen += turns[:share]
    return chosen


def _dealt(documents: Sequence[list[GoldUnit]], parts: int) -> list[list[list[GoldUnit]]]:
    """The documents of a genre, each to the part that has the fewest units; the units of a single one in turn."""
    if len(documents) == 1:
        return [[documents[0][at::parts]] for at in range(parts)]
    dealt: list[list[list[GoldUnit]]] = [[] for _ in range(parts)]
    for own in documents:
        min(dealt, key=lambda some: sum(map(len, some))).append(own)
    return dealt
