"""Words that the relevance gate knows (:mod:`coditect.retrieve.gate.background`): everyday ones, and those that only ask.

None of the everyday words is special to a corpus, and together they touch on whatever people ask. A change of one shifts what the
fitted weights mean: fit the gate anew (``python -m coditect_benchmarks.retrieval.gate``).
"""

from __future__ import annotations

from functools import cache

from coditect.language.tables import read_table
from coditect.retrieve.words import stems

__all__ = ["asking_stems", "everyday_words"]


@cache
def everyday_words() -> tuple[str, ...]:
    """Words of many fields, each once, in alphabetical order."""
    return tuple(sorted({word for field in read_table("everyday").groups("fields") for word in field}))


@cache
def asking_stems() -> frozenset[str]:
    """Stems of words that say what is wanted of an answer, and of cut contractions: an answer need not hold them."""
    table = read_table("asking")
    return frozenset(stems(" ".join((*table.words("asking"), *table.words("cut_contractions")))))
