"""What the names of documents say of a question that asks for none of them by name.

"Encryption standard" tells what a document is about, "Part 17" only which one it is. How far names are believed is read from the
corpus: how many documents its units are spread over, and how well the names tell these apart (ADR 68).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from itertools import islice

from coditect.retrieve.local.lexical import LexicalIndex
from coditect.retrieve.port import Background
from coditect.retrieve.recent import Recent
from coditect.retrieve.units import name_of
from coditect.retrieve.words import stems
from coditect.store.view import View

__all__ = ["Names"]

LOOKED_AT = 1_000
"""Documents whose names are held against a question."""

SAMPLED = 256
"""Documents whose names show what names of a corpus are worth: those of the lowest ids, which are hashes."""

KEPT = 16
"""Generations whose names are known."""


class Names:
    """Holds the names of documents against questions. Safe for threads."""

    def __init__(self) -> None:
        self._telling: Recent[str, float] = Recent(KEPT)

    def said(self, view: View, index: LexicalIndex, ids: Mapping[int, str], asked: Background) -> dict[str, float]:
        """What share of a question the name of each document says, by document id.

        A word of a name is worth what it tells among names; the question what its words tell among units. To know the document is
        log(documents) of the log(units) by which one unit is found, and names are believed as far as that goes: where documents are
        short they say what each is about, where a handful is long next to nothing.

        Args:
            view: the generation.
            index: of its documents.
            ids: the documents by number.
            asked: the worth of the question's words.
        """
        whole = sum(asked.rarity.values())
        documents = len(view.entries)
        if whole <= 0 or documents < 2 or asked.units < 2:
            return {}
        worth = _worth(index, documents, (stem for stem, nats in asked.rarity.items() if nats > 0))
        if not worth:
            return {}
        found = index.titled(worth, LOOKED_AT).settled(LOOKED_AT, lambda numbers: [ids[number] for number in numbers])
        share = min(1.0, math.log(documents) / math.log(asked.units)) ** 2
        trusted = share * self._telling.get(view.shown_as, lambda: _telling(view, index))
        return {ids[number]: trusted * min(1.0, nats / whole) for number, nats in found}


def _telling(view: View, index: LexicalIndex) -> float:
    """How well names tell documents apart, 0..1: the mean share of a choice among all of them that the words of a name make."""
    documents = len(view.entries)
    told = []
    for each in islice(sorted(view.entries), SAMPLED):
        worth = _worth(index, documents, set(stems(name_of(view.document(each)))))
        told.append(min(1.0, sum(worth.values()) / math.log(documents)))
    return sum(told) / len(told)


def _worth(index: LexicalIndex, documents: int, words: Iterable[str]) -> dict[str, float]:
    """In nats, by stem, what each word tells among names; numbers, and what stands in all names or none, are left out."""
    worth = {}
    for stem in words:
        holding = 0 if stem.isdigit() else index.frequency("title", stem)
        if 0 < holding < documents:
            worth[stem] = math.log((documents + 1) / (holding + 0.5))
    return worth
